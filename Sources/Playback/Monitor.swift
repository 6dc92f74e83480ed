internal import Casting

#if canImport(Glibc)
    internal import Glibc
#endif

/// A value that threads share, and wait for changes of: a mutex with several conditions (pthread's).
///
/// Blocks, so it is for threads of our own; async code only uses `withLock`, and shortly.
final class Monitor<State>: Sendable {
    /// What a thread that waits makes of the value.
    enum Step<Result> {
        /// It waits no longer.
        case done(Result)
        /// It wants to look again when woken, or at that instant.
        case wait(until: HostTime? = nil)
    }

    private let mutex = Memory(repeating: pthread_mutex_t(), count: 1)
    private let conditions: Memory<pthread_cond_t>
    // Touched only with the mutex held.
    private let state: Memory<State>

    /// A monitor of `state`, with so many conditions to wait on.
    init(_ state: State, conditions count: Int = 1) {
        self.state = Memory(repeating: state, count: 1)
        conditions = Memory(repeating: pthread_cond_t(), count: count)
        pthread_mutex_init(mutex.pointer, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        for index in 0..<count { pthread_cond_init(conditions.pointer + index, &attributes) }
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        for index in 0..<conditions.count { pthread_cond_destroy(conditions.pointer + index) }
        pthread_mutex_destroy(mutex.pointer)
    }

    /// Looks at the value, or changes it, while nobody else does.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex.pointer)
        defer { pthread_mutex_unlock(mutex.pointer) }
        return body(&state.pointer.pointee)
    }

    /// Runs `step` until it is done, blocking the thread in between until a condition is signalled or time is up.
    func wait<Result>(on condition: Int = 0, _ step: (inout State) -> Step<Result>) -> Result {
        pthread_mutex_lock(mutex.pointer)
        defer { pthread_mutex_unlock(mutex.pointer) }
        while true {
            switch step(&state.pointer.pointee) {
            case .done(let result): return result
            case .wait(let deadline?):
                var time = timespec()
                time.tv_sec = Int(max(0, deadline.nanoseconds) / 1_000_000_000)
                time.tv_nsec = Int(max(0, deadline.nanoseconds) % 1_000_000_000)
                pthread_cond_timedwait(conditions.pointer + condition, mutex.pointer, &time)
            case .wait(nil): pthread_cond_wait(conditions.pointer + condition, mutex.pointer)
            }
        }
    }

    /// Wakes who waits on a condition. Allowed with and without the lock.
    func signal(_ condition: Int = 0) {
        pthread_cond_broadcast(conditions.pointer + condition)
    }
}
