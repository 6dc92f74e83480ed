import Casting

/// A tenant's client of the daemon, and when to try again after an error.
///
/// There is one rule for every error: let everything go, and do it all again a little later.
struct DaemonAccess {
    private(set) var client: DaemonClient?
    private let services: PollServices
    private var backoff = Backoff()
    private var notBefore: HostTime?

    init(services: PollServices) { self.services = services }

    /// Whether something may be done now: false in the wait after an error.
    mutating func isDue() -> Bool {
        guard let notBefore else { return true }
        guard HostTime.now >= notBefore else { return false }
        self.notBefore = nil
        return true
    }

    /// The client, made where there is none.
    mutating func connected() throws(AvahiError) -> DaemonClient {
        if let client { return client }
        let new = try DaemonClient(api: services.api) { [services] in services.wakeSoon() }
        client = new
        return new
    }

    /// Notes that things work: after the next error the wait is short again.
    mutating func succeeded() { backoff = Backoff() }

    /// Lets the client go, whose groups and browsers must be gone by now, and has the tenant woken when it is time to try
    /// again.
    mutating func failed() {
        client = nil
        let wait = backoff.next()
        notBefore = HostTime.now.advanced(by: wait)
        services.wake(after: wait)
    }
}
