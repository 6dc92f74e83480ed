internal import Casting

#if canImport(Glibc)
    internal import Glibc
#endif

/// A thread of the player's own, for work that blocks.
final class PlayerThread: Sendable {
    private let finished: Monitor<Bool>

    /// Starts a thread. Its name, at most 15 bytes, is what debuggers and `top` show.
    init(name: String, body: @escaping @Sendable () -> Void) {
        let finished = Monitor(false)
        self.finished = finished
        let work = Work {
            setNameOfThisThread(name)
            body()
            finished.withLock { $0 = true }
            finished.signal()
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, run, Unmanaged.passRetained(work).toOpaque())
        pthread_attr_destroy(&attributes)
        precondition(result == 0, "no more threads")
    }

    /// Blocks until the thread's work is done, at most so many seconds.
    /// - Returns: whether it is.
    @discardableResult
    func join(within seconds: Double) -> Bool {
        let deadline = HostTime.now.advanced(by: seconds)
        return finished.wait { isFinished in
            if isFinished { return .done(true) }
            return HostTime.now >= deadline ? .done(false) : .wait(until: deadline)
        }
    }
}

/// What a thread does, in a box that can go through a C pointer.
private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

private func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}

/// `pthread_setname_np` is not in Swift's Glibc; the kernel takes the name this way too.
private func setNameOfThisThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let bytes = Array(name.utf8)
    _ = write(file, bytes, bytes.count)
}
