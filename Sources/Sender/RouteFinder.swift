public import Casting
public import Discovery
public import HTTP

/// A receiver that has answered.
public struct FoundReceiver: Sendable {
    /// Talks to it.
    public let client: ReceiverClient
    /// What it said of itself.
    public let info: ReceiverInfo
    /// The session this machine has there, as far as it knows.
    public let session: SessionKey?
    /// The address of this machine that faces the receiver, without scope; empty where it is not known.
    public let localAddress: String

    /// A receiver that has answered.
    public init(client: ReceiverClient, info: ReceiverInfo, session: SessionKey?, localAddress: String) {
        self.client = client
        self.info = info
        self.session = session
        self.localAddress = localAddress
    }
}

/// Finds the receiver a command is for, the quickest way there is: the network is searched only where neither an address
/// nor the memory of the last time leads to it.
public struct RouteFinder: Sendable {
    let store: SenderStateStore
    let http: HTTPClient
    let search: @Sendable () -> AsyncStream<RouteSnapshot>

    /// How long the network is searched at most, in seconds.
    static let searchTime = 2.0

    /// A finder that remembers by `store`, and searches by `search`.
    public init(
        store: SenderStateStore, http: HTTPClient,
        search: @escaping @Sendable () -> AsyncStream<RouteSnapshot> = { RouteBrowser().routes() }
    ) {
        self.store = store
        self.http = http
        self.search = search
    }

    /// The receiver that the option, else the environment, else the memory, else the network means. It is remembered as
    /// the last one used.
    ///
    /// - Throws: `RouteFailure` with `routeNotFound`, `receiverUnreachable` or `discoveryUnavailable`.
    public func find(option: String?, environment: String?) async throws(RouteFailure) -> FoundReceiver {
        let state = store.read()
        let found: FoundReceiver
        switch RouteResolver.target(option: option, environment: environment, lastUsed: state.lastUsed) {
        case .address(let endpoint): found = try await reach(endpoint)
        case .named(let name): found = try await named(name, state)
        case .lastUsed(let receiver): found = try await again(receiver)
        case .only:
            let routes = try await routes { _ in false }
            found = try await reach(RouteResolver.chooseOnly(of: routes))
        }
        // A memory that cannot be written must not keep a film from playing.
        _ = try? store.update { state in
            state.remember(id: found.info.id, name: found.info.name, endpoint: found.client.endpoint)
        }
        return found
    }

    private func named(_ name: String, _ state: SenderState) async throws(RouteFailure) -> FoundReceiver {
        // One that has another name by now is not the one that is meant.
        if let known = known(name, state), let found = await reachAgain(known), answers(found, to: name) {
            return found
        }
        let host = RouteResolver.endpoint(name)
        do throws(RouteFailure) {
            let routes = try await routes { (try? RouteResolver.choose(name, among: $0)) != nil }
            return try await reach(RouteResolver.choose(name, among: routes))
        } catch  where host != nil && [.routeNotFound, .discoveryUnavailable].contains(error.error.code) {
            // Perhaps it is the name of a machine.
            guard error.candidates.isEmpty || !error.candidates.contains(where: { $0.name == name }) else {
                throw error
            }
            do throws(RouteFailure) {
                return try await reach(host!)
            } catch let failure where failure.error.details?["reason"] == HTTPError.Code.cannotFindHost.rawValue {
                throw error
            }
        }
    }

    /// The one known receiver of that name or id.
    private func known(_ name: String, _ state: SenderState) -> KnownReceiver? {
        let routes = state.receivers.map {
            Route(
                id: $0.id, name: $0.name, model: "", capabilities: [], availability: .idle, protocolVersion: 1,
                endpoints: [$0.endpoint])
        }
        guard let route = try? RouteResolver.choose(name, among: routes) else { return nil }
        return state.receivers.first { $0.id == route.id }
    }

    /// Whether a receiver still goes by that name or id.
    private func answers(_ found: FoundReceiver, to name: String) -> Bool {
        found.info.name.lowercased() == name.lowercased() || found.info.id.hasPrefix(name.lowercased())
    }

    /// The receiver used last, where it was or wherever it is now.
    private func again(_ receiver: KnownReceiver) async throws(RouteFailure) -> FoundReceiver {
        if let found = await reachAgain(receiver) { return found }
        do throws(RouteFailure) {
            let routes = try await routes { $0.contains { $0.id == receiver.id } }
            if let route = routes.first(where: { $0.id == receiver.id }) { return try await reach(route) }
            let error = CastError(
                .routeNotFound, "“\(receiver.name)”, used last, is not there.",
                hint: "Switch it on, or choose another with “--to”.")
            throw RouteFailure(error, candidates: routes)
        } catch  where error.error.code == .discoveryUnavailable {
            let failure = CastError(
                .receiverUnreachable,
                "“\(receiver.name)”, used last, does not answer at \(receiver.endpoint.text) any more.",
                hint: "Switch it on, or give the address of one that is: “--to HOST”.")
            throw RouteFailure(failure)
        }
    }

    /// The receiver where it was the last time; nil where it does not answer there, or another one does.
    private func reachAgain(_ receiver: KnownReceiver) async -> FoundReceiver? {
        let client = ReceiverClient(receiver.endpoint, name: receiver.name, http: http)
        guard let greeting = try? await client.greet(connectTimeout: 1), greeting.info.id == receiver.id else {
            return nil
        }
        return found(greeting, at: receiver.endpoint)
    }

    private func reach(_ endpoint: Endpoint) async throws(RouteFailure) -> FoundReceiver {
        if let failure = RouteResolver.incomplete(endpoint) { throw failure }
        do {
            return found(try await ReceiverClient(endpoint, http: http).greet(), at: endpoint)
        } catch {
            throw RouteFailure(error)
        }
    }

    /// The receiver of a route, at the first of its addresses where it answers.
    private func reach(_ route: Route) async throws(RouteFailure) -> FoundReceiver {
        var failure = CastError(.receiverUnreachable, "“\(route.name)” is announced, but without an address.")
        for endpoint in route.endpoints {
            do throws(CastError) {
                let greeting = try await ReceiverClient(endpoint, name: "“\(route.name)”", http: http).greet()
                if greeting.info.id == route.id { return found(greeting, at: endpoint) }
            } catch {
                failure = error
            }
        }
        throw RouteFailure(failure)
    }

    private func found(_ greeting: (info: ReceiverInfo, localAddress: String), at endpoint: Endpoint) -> FoundReceiver {
        let info = greeting.info
        let session = store.read().receivers.first { $0.id == info.id }?.session
        return FoundReceiver(
            client: ReceiverClient(endpoint, name: "“\(info.name)”", http: http), info: info, session: session,
            localAddress: greeting.localAddress)
    }

    /// The routes of the network: as soon as `enough` says so of what the daemon's cache holds, else when the network has
    /// been asked.
    private func routes(enough: @escaping @Sendable ([Route]) -> Bool) async throws(RouteFailure) -> [Route] {
        let search = search
        let snapshot = await within(seconds: Self.searchTime) { (report: (RouteSnapshot) -> Void) in
            for await snapshot in search() {
                report(snapshot)
                if snapshot.problem != nil || snapshot.phase == .allForNow { return }
                if snapshot.phase >= .cacheExhausted, enough(snapshot.routes) { return }
            }
        }
        if let problem = snapshot?.problem { throw RouteFailure(problem) }
        return snapshot?.routes ?? []
    }
}
