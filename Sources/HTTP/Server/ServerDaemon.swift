import CMicroHTTPD
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// One run of a server, from start to stop, and what its connections have in common.
final class ServerDaemon: Sendable {
    private struct State {
        var handle: UInt = 0
        var port = 0
        var exchanges: Set<ObjectIdentifier> = []
        /// How many connections each address has.
        var peers: [String: Int] = [:]
        var whenIdle: DispatchSemaphore?
    }

    let limits: HTTPServerLimits
    let errorResponse: @Sendable (Int) -> HTTPResponse
    let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    let gate = SuspensionGate()
    let streams: EventStreams
    private let deadlines: RequestDeadlines
    private let state = Mutex(State())

    init(
        limits: HTTPServerLimits, errorResponse: @escaping @Sendable (Int) -> HTTPResponse,
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.limits = limits
        self.errorResponse = errorResponse
        self.handler = handler
        streams = EventStreams(limit: limits.eventStreams, heartbeat: .seconds(limits.heartbeatInterval))
        deadlines = RequestDeadlines(
            time: .seconds(limits.requestTime), lastWord: rawResponse(errorResponse(408), reason: "Request Timeout"))
    }

    /// The port it listens on.
    var port: Int { state.withLock(\.port) }

    /// Begins to listen. The object lives on until `stop`.
    func start(port: Int, on address: HTTPServerAddress) throws(HTTPError) {
        let socket = try ListeningSocket.open(port: port, on: address)
        let connections = limits.eventStreams + 512
        allowDescriptors(connections + 512)
        let context = Unmanaged.passRetained(self)
        let bound = ListeningSocket.port(of: socket)
        // Those beyond the limit are told so; beyond twice the limit they are closed without a word.
        let most = limits.connectionsPerAddress * 2
        let handle = castway_mhd_start(
            context.toOpaque(), socket, UInt32(connections), UInt32(most),
            // Room for the largest header, what is made of it, and an answer's own.
            max(64 << 10, limits.headerSize * 3), serverRequestBegan, serverAccess, serverRequestCompleted,
            serverConnectionChanged, serverUnescape)
        guard let handle else {
            close(socket)
            context.release()
            throw HTTPError(.cannotListen, "The server cannot start: \(String(cString: strerror(errno))).")
        }
        state.withLock { state in
            state.handle = UInt(bitPattern: handle)
            state.port = bound
        }
    }

    /// Ends everything. Answers on their way get a fifth of a second to leave.
    func stop() {
        let handle = state.withLock { state in
            defer {
                state.handle = 0
                state.port = 0
            }
            return OpaquePointer(bitPattern: state.handle)
        }
        guard let handle else { return }
        let socket = MHD_quiesce_daemon(handle)
        gate.close()
        let idle = DispatchSemaphore(value: 0)
        let isBusy = state.withLock { state in
            state.whenIdle = idle
            return !state.exchanges.isEmpty
        }
        if isBusy { _ = idle.wait(timeout: .now() + .milliseconds(200)) }
        MHD_stop_daemon(handle)
        if socket >= 0 { close(socket) }
        Unmanaged.passUnretained(self).release()
    }
}

/// What the callbacks tell, on the server's thread.
extension ServerDaemon {
    func opened(descriptor: Int32, peer: String) -> ServerConnection {
        let count = state.withLock { state in
            state.peers[peer, default: 0] += 1
            return state.peers[peer, default: 0]
        }
        let connection = ServerConnection(
            descriptor: descriptor, peer: peer, isTooMany: count > limits.connectionsPerAddress)
        deadlines.arm(connection)
        return connection
    }

    func closed(_ connection: ServerConnection) {
        connection.close()
        deadlines.disarm(connection)
        state.withLock { state in
            let left = state.peers[connection.peer, default: 1] - 1
            state.peers[connection.peer] = left > 0 ? left : nil
        }
    }

    func began(_ target: String, on connection: ServerConnection) -> ServerExchange {
        connection.setAwaitsAnswer(true)
        let exchange = ServerExchange(target: target, connection: connection)
        state.withLock { state in
            _ = state.exchanges.insert(ObjectIdentifier(exchange))
        }
        return exchange
    }

    func completed(_ exchange: ServerExchange) {
        exchange.finish()
        exchange.connection.setAwaitsAnswer(false)
        deadlines.arm(exchange.connection)
        state.withLock { state in
            state.exchanges.remove(ObjectIdentifier(exchange))
            if state.exchanges.isEmpty { state.whenIdle?.signal() }
        }
    }

    /// Takes a request one step further; false closes the connection.
    func access(
        _ connection: OpaquePointer, _ exchange: ServerExchange, method: String, body: UnsafeRawBufferPointer
    ) -> Bool {
        switch exchange.phase {
        case .begun:
            return begin(connection, exchange, method: method)
        case .receiving:
            guard body.isEmpty else {
                exchange.receive(body, limit: limits.bodySize)
                return true
            }
            deadlines.disarm(exchange.connection)
            exchange.connection.setAwaitsAnswer(false)
            guard !exchange.isTooLarge else { return refuse(413, connection, exchange) }
            let key = UInt(bitPattern: connection)
            guard gate.suspend(key) else { return refuse(503, connection, exchange) }
            exchange.answer(with: handler) { [gate] in gate.resume(key) }
            return true
        case .waiting:
            return gate.suspend(UInt(bitPattern: connection)) || refuse(503, connection, exchange)
        case .answered(let response):
            exchange.finish()
            return send(response, method: method, connection, exchange.connection)
        case .done:
            return false
        }
    }

    private func begin(_ connection: OpaquePointer, _ exchange: ServerExchange, method: String) -> Bool {
        guard castway_mhd_header_size(connection) <= limits.headerSize else { return refuse(431, connection, exchange) }
        guard !exchange.connection.isTooMany else { return refuse(429, connection, exchange) }
        let headers = requestHeaders(connection)
        guard isUnambiguous(headers) else { return refuse(400, connection, exchange) }
        if let length = headers["Content-Length"] {
            guard decimal(length) ?? .max <= limits.bodySize else { return refuse(413, connection, exchange) }
        }
        guard RequestTarget(exchange.target) != nil else { return refuse(400, connection, exchange) }
        exchange.receive(
            HTTPRequest(method: method, target: exchange.target, headers: headers, peer: exchange.connection.peer))
        return true
    }

    private func refuse(_ status: Int, _ connection: OpaquePointer, _ exchange: ServerExchange) -> Bool {
        exchange.finish()
        exchange.connection.setAwaitsAnswer(false)
        var response = errorResponse(status)
        response.headers["Connection"] = "close"
        return send(response, method: "", connection, exchange.connection)
    }
}

/// The header lines of a request.
private func requestHeaders(_ connection: OpaquePointer) -> HTTPHeaders {
    var headers = HTTPHeaders()
    withUnsafeMutablePointer(to: &headers) { pointer in
        _ = MHD_get_connection_values(connection, .HEADER_KIND, addHeader, pointer)
    }
    return headers
}

/// MHD_KeyValueIterator
private func addHeader(
    context: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let name else { return .YES }
    context?.assumingMemoryBound(to: HTTPHeaders.self).pointee
        .add(String(cString: name), value.map { String(cString: $0) } ?? "")
    return .YES
}

/// Whether it is beyond doubt who is asked for (RFC 9112 §3.2) and where the body ends (RFC 9112 §6.3).
private func isUnambiguous(_ headers: HTTPHeaders) -> Bool {
    let codings = headers.values(of: "Transfer-Encoding")
    let lengths = headers.values(of: "Content-Length")
    guard headers.values(of: "Host").count <= 1, lengths.count <= 1, codings.count <= 1 else { return false }
    return codings.isEmpty || codings[0].lowercased() == "chunked" && lengths.isEmpty
}

/// Lets this program have that many files and sockets open, where the machine's own limit allows it.
private func allowDescriptors(_ count: Int) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
