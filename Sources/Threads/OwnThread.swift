#if canImport(Glibc)
    internal import Glibc
#endif

/// A thread for work that blocks, which must keep neither the main thread nor the tasks' few threads waiting.
public enum OwnThread {
    /// Runs `body` on a thread of its own, which ends with it.
    ///
    /// - Parameter name: what debuggers and `top` show; the kernel keeps the first 15 bytes.
    /// - Returns: false where the system has no more threads to give; `body` is let go, never called.
    @discardableResult
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(name: name, body: body))
        guard pthread_create(&thread, &attributes, runWork, work.toOpaque()) == 0 else {
            work.release()
            return false
        }
        return true
    }
}

/// What a thread does, in a box that can go through a C pointer.
private final class Work: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        nameThisThread(name)
        body()
    }
}

/// Called by pthread on the new thread.
private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
    return nil
}

/// `pthread_setname_np` is not in Swift's Glibc; the kernel takes the name this way too.
private func nameThisThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array(name.utf8)
    _ = write(file, bytes, bytes.count)
}
