import Synchronization
import Threads

/// Runs requests on one thread of its own, which begins with the first and sleeps while there is none.
final class CurlEngine: Sendable {
    private let core = Mutex<CurlEngineCore?>(nil)

    deinit {
        core.withLock { $0?.close() }
    }

    /// Begins a request.
    func submit(_ job: CurlJob) {
        let core = core.withLock { core in
            if let core { return core }
            let new = CurlEngineCore()
            core = new
            return new
        }
        core.submit(job)
    }

    /// Ends a request with `cancelled`, if it is still under way.
    func cancel(_ id: CurlJob.ID) {
        core.withLock(\.self)?.cancel(id)
    }
}

/// What the engine and its thread share.
final class CurlEngineCore: Sendable {
    private struct Inbox {
        var jobs: [CurlJob] = []
        var cancelled: [CurlJob.ID] = []
        var isRunning = false
        var isClosed = false
    }

    private let multi = CurlMulti()
    private let inbox = Mutex(Inbox())

    func submit(_ job: CurlJob) {
        let mustRun = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        guard mustRun else { return multi.wake() }
        guard !OwnThread.start("HTTP client", { self.run() }) else { return }
        let jobs = inbox.withLock { inbox in
            inbox.isRunning = false
            defer { inbox.jobs = [] }
            return inbox.jobs
        }
        for job in jobs { job.fail(HTTPError(.cannotConnectToHost, "There is no thread for a request.")) }
    }

    func cancel(_ id: CurlJob.ID) {
        inbox.withLock { $0.cancelled.append(id) }
        multi.wake()
    }

    func close() {
        inbox.withLock { $0.isClosed = true }
        multi.wake()
    }

    /// The thread's work, until `close`.
    private func run() {
        var active: [UnsafeMutableRawPointer: CurlActiveJob] = [:]
        func end(_ job: CurlActiveJob, _ error: HTTPError?) {
            multi.remove(job.easy)
            active[job.easy.handle] = nil
            job.end(error)
        }
        while true {
            let (jobs, cancelled, isClosed) = inbox.withLock { inbox in
                defer {
                    inbox.jobs = []
                    inbox.cancelled = []
                }
                return (inbox.jobs, inbox.cancelled, inbox.isClosed)
            }
            for job in jobs {
                guard let easy = CurlEasy() else {
                    job.fail(HTTPError(.cannotConnectToHost, "There is no memory for a request."))
                    continue
                }
                active[easy.handle] = CurlActiveJob(job, easy: easy)
                multi.add(easy)
            }
            for job in Array(active.values) where isClosed || cancelled.contains(job.id) { end(job, .givenUp) }
            guard !isClosed else { return }
            multi.perform()
            while let (handle, code) = multi.nextEnded() {
                guard let job = active[handle] else { continue }
                switch job.request.ended(code) {
                case .again:
                    multi.remove(job.easy)
                    multi.add(job.easy)
                case .done: end(job, nil)
                case .failed(let error): end(job, error)
                }
            }
            let now = ContinuousClock.now
            for job in Array(active.values) where job.deadline(now: now) <= now { end(job, job.lateness) }
            let wake = active.values.map { $0.deadline(now: now) }.min()
            multi.wait(wake.map { $0 - now } ?? .seconds(3600))
        }
    }
}
