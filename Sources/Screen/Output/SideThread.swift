#if canImport(Glibc)
    import Glibc
#endif

/// Threads for what may take long and belongs neither on the main thread nor on the tasks' few.
enum SideThread {
    /// Runs `body` on a thread of its own.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body: body))
        var thread = pthread_t()
        guard pthread_create(&thread, nil, runWork, work.toOpaque()) == 0 else {
            work.release()
            return
        }
        pthread_detach(thread)
    }

    /// Lets the calling thread sleep.
    static func sleep(_ seconds: Double) {
        usleep(UInt32(min(max(0, seconds), 4000) * 1e6))
    }

    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

private let runWork: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
    guard let argument else { return nil }
    let work = Unmanaged<SideThread.Work>.fromOpaque(argument).takeRetainedValue()
    work.body()
    return nil
}
