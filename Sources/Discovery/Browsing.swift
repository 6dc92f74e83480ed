import Casting

/// Keeps a table of routes, whatever happens to the daemon. Lives on a poll thread.
final class Browsing: PollTenant {
    private let services: PollServices
    private let type: String
    private let report: @Sendable (RouteSnapshot) -> Void
    private var daemon: DaemonAccess
    private var browser: InstanceBrowser?
    private var lookups: [ServiceInstance: Lookup] = [:]
    private var table = RouteTable()
    /// What the daemon told and is not worked in yet: inside its callback nothing may be let go.
    private var lost: [Lookup] = []
    private var hasFailed = false
    private var reported: RouteSnapshot?

    init(services: PollServices, type: String, report: @escaping @Sendable (RouteSnapshot) -> Void) {
        self.services = services
        daemon = DaemonAccess(services: services)
        self.type = type
        self.report = report
    }

    func wake() {
        lost = []
        guard daemon.isDue() else { return }
        do {
            try advance()
            if daemon.client?.state != .connecting { tell(table.snapshot) }
        } catch {
            forget()
            daemon.failed()
            tell(RouteSnapshot(problem: error.castError))
        }
    }

    private func advance() throws(AvahiError) {
        let client = try daemon.connected()
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
        lookups = [:]
        lost = []
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
            if let lookup = lookups.removeValue(forKey: instance) { lost.append(lookup) }
        case .cacheExhausted:
            table.cacheExhausted()
            daemon.succeeded()
        case .allForNow: table.allForNow()
        case .failed: hasFailed = true
        }
        services.wakeSoon()
    }

    private func resolve(_ instance: ServiceInstance) {
        guard let client = daemon.client else { return }
        do {
            let resolver = try InstanceResolver(client: client, instance: instance, type: type) { [weak self] in
                self?.told($0, of: instance)
            }
            let texts = try TextBrowser(client: client, instance: instance, type: type) { [weak self] in
                self?.told($0, of: instance)
            }
            lookups[instance] = Lookup(resolver: resolver, texts: texts)
        } catch {
            table.unresolved(instance)
        }
    }

    private func told(_ service: ResolvedService?, of instance: ServiceInstance) {
        if let service { table.resolved(instance, service) } else { table.unresolved(instance) }
        services.wakeSoon()
    }

    private func told(_ event: TextBrowser.Event, of instance: ServiceInstance) {
        switch event {
        case .found(let texts): table.foundTexts(instance, texts)
        case .lost(let texts): table.lostTexts(instance, texts)
        }
        services.wakeSoon()
    }

    /// What is asked about one instance.
    private struct Lookup {
        let resolver: InstanceResolver
        let texts: TextBrowser
    }
}
