import Glibc

/// Threads for what blocks and must not block others.
enum Threads {
    /// Runs `body` on a thread of its own, whose name debuggers and `top` show.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(name, body))
        if pthread_create(&thread, &attributes, enter, work.toOpaque()) != 0 { work.release() }
        pthread_attr_destroy(&attributes)
    }
}

private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func enter(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let work else { return nil }
    let todo = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
    todo.body()
    return nil
}
