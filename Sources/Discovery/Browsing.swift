import Casting

/// Keeps a table of routes, whatever happens to the daemon. Lives on a poll thread.
///
/// There is one rule for every error: let everything go, and do it all again a little later.
final class Browsing: PollTenant {
    private let services: PollServices
    private let type: String
    private let report: @Sendable (RouteSnapshot) -> Void
    private var client: DaemonClient?
    private var browser: InstanceBrowser?
    private var resolvers: [ServiceInstance: InstanceResolver] = [:]
    private var table = RouteTable()
    /// What the daemon told and is not worked in yet: inside its callback nothing may be let go.
    private var lost: [InstanceResolver] = []
    private var hasFailed = false
    private var backoff = Backoff()
    private var notBefore: HostTime?
    private var reported: RouteSnapshot?

    init(services: PollServices, type: String, report: @escaping @Sendable (RouteSnapshot) -> Void) {
        self.services = services
        self.type = type
        self.report = report
    }

    func wake() {
        lost = []
        if let notBefore {
            guard HostTime.now >= notBefore else { return }
            self.notBefore = nil
        }
        do {
            try advance()
            if client?.state != .connecting { tell(table.snapshot) }
        } catch {
            forget()
            client = nil
            tell(RouteSnapshot(problem: error.castError))
            let wait = backoff.next()
            notBefore = HostTime.now.advanced(by: wait)
            services.wake(after: wait)
        }
    }

    private func advance() throws(AvahiError) {
        let services = self.services
        let client: DaemonClient
        if let present = self.client {
            client = present
        } else {
            client = try DaemonClient(api: services.api) { services.wakeSoon() }
            self.client = client
        }
        switch client.state {
        case .failed(let error): throw error
        case .connecting:
            forget()
            tell(RouteSnapshot(problem: AvahiError.noDaemon.castError))
        case .settling, .running:
            guard !hasFailed else { throw client.lastError }
            guard browser == nil else { return }
            browser = try InstanceBrowser(client: client, type: type) { [weak self] in self?.told($0) }
        }
    }

    private func tell(_ snapshot: RouteSnapshot) {
        guard snapshot != reported else { return }
        reported = snapshot
        report(snapshot)
    }

    private func forget() {
        resolvers = [:]
        browser = nil
        table = RouteTable()
        hasFailed = false
    }

    private func told(_ event: InstanceBrowser.Event) {
        switch event {
        case .found(let instance, let interface):
            if table.found(instance, on: interface) { resolve(instance) }
        case .lost(let instance):
            table.lost(instance)
            if let resolver = resolvers.removeValue(forKey: instance) { lost.append(resolver) }
        case .cacheExhausted:
            table.cacheExhausted()
            backoff = Backoff()
        case .allForNow: table.allForNow()
        case .failed: hasFailed = true
        }
        services.wakeSoon()
    }

    private func resolve(_ instance: ServiceInstance) {
        guard let client else { return }
        do {
            resolvers[instance] = try InstanceResolver(client: client, instance: instance, type: type) {
                [weak self] service in
                guard let self else { return }
                if let service { table.resolved(instance, service) } else { table.unresolved(instance) }
                services.wakeSoon()
            }
        } catch {
            table.unresolved(instance)
        }
    }
}
