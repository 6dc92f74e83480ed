import CAvahi
import Dispatch
import Glibc
import Synchronization

/// What lives on a poll thread: made, used and let go there and nowhere else, so it needs no locks.
protocol PollTenant: AnyObject {
    /// Something may be to be done: somebody asks for a look, a wait is over, or the tenant wanted it.
    func wake()
}

/// The poll thread's services to its tenant.
struct PollServices {
    /// Avahi's handle on the thread.
    let api: UnsafePointer<AvahiPoll>
    fileprivate let wakeUp: Int32
    fileprivate let timer: Int32

    /// Has the tenant woken once the present callback is over: a callback must not free what calls it.
    func wakeSoon() { _ = eventfd_write(wakeUp, 1) }

    /// Has the tenant woken after that many seconds, once, instead of what was asked for before.
    ///
    /// Not Avahi's own timeouts: those go by the wall clock, which jumps where a box sets it after booting.
    func wake(after seconds: Double) {
        let nanoseconds = Int(max(seconds, 0.001) * 1e9)
        var time = itimerspec()
        time.it_value = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        timerfd_settime(timer, 0, &time, nil)
    }
}

/// A thread of Avahi's with one tenant. Every call to Avahi happens on it, so nothing else ever waits for the daemon.
///
/// `@unchecked`: `tenant` and `watches` are touched on the poll thread only, or while there is none.
final class PollThread: @unchecked Sendable {
    private let poll: OpaquePointer
    private let services: PollServices
    private let makeTenant: @Sendable (PollServices) -> any PollTenant
    private var watches: [OpaquePointer] = []
    private var readable: Callback<Int32>?
    private var tenant: (any PollTenant)?
    private var isTenantGone = false
    private let isStopping = Atomic(false)
    private let tenantGone = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, makes its tenant there and wakes it. nil where the system has no more files or threads to
    /// give.
    init?(_ makeTenant: @escaping @Sendable (PollServices) -> any PollTenant) {
        guard let poll = avahi_threaded_poll_new() else { return nil }
        guard let api = avahi_threaded_poll_get(poll) else {
            avahi_threaded_poll_free(poll)
            return nil
        }
        self.poll = poll
        self.makeTenant = makeTenant
        services = PollServices(
            api: api, wakeUp: eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)),
            timer: timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)))
        let callback = Callback<Int32> { [weak self] file in self?.woken(by: file) }
        readable = callback
        for file in [services.wakeUp, services.timer] where file >= 0 {
            let watch = api.pointee.watch_new(api, file, AVAHI_WATCH_IN, fileReadable, callback.pointer)
            if let watch { watches.append(watch) }
        }
        services.wakeSoon()
        guard watches.count == 2, avahi_threaded_poll_start(poll) >= 0 else {
            release()
            return nil
        }
    }

    /// Has the tenant look again for what is to be done. Returns at once; from any thread.
    func wake() { services.wakeSoon() }

    /// Lets the tenant go and ends the thread.
    ///
    /// - Parameter seconds: how long to wait for that at most; it goes on without the caller where the daemon hangs.
    func stop(waiting seconds: Double) {
        if !isStopping.exchange(true, ordering: .acquiringAndReleasing) {
            services.wakeSoon()
            // The thread cannot join itself, and it may take its time.
            DispatchQueue.global().async { [self] in
                tenantGone.wait()
                avahi_threaded_poll_stop(poll)
                release()
                ended.signal()
            }
        }
        guard seconds > 0, ended.wait(timeout: .now() + seconds) == .success else { return }
        // For whoever waits beside us.
        ended.signal()
    }

    /// On the poll thread.
    private func woken(by file: Int32) {
        var count: UInt64 = 0
        _ = withUnsafeMutableBytes(of: &count) { read(file, $0.baseAddress, $0.count) }
        guard !isTenantGone else { return }
        guard !isStopping.load(ordering: .acquiring) else {
            tenant = nil
            isTenantGone = true
            tenantGone.signal()
            return
        }
        let tenant = self.tenant ?? makeTenant(services)
        self.tenant = tenant
        tenant.wake()
    }

    /// When the thread has ended, or was never started.
    private func release() {
        for watch in watches { services.api.pointee.watch_free(watch) }
        avahi_threaded_poll_free(poll)
        for file in [services.wakeUp, services.timer] where file >= 0 { close(file) }
    }
}

/// Called by Avahi on its thread.
private func fileReadable(
    _ watch: OpaquePointer?, _ file: Int32, _ event: AvahiWatchEvent, _ box: UnsafeMutableRawPointer?
) {
    Callback<Int32>.deliver(file, to: box)
}
