public import Foundation
import Synchronization

/// A small HTTP server on 127.0.0.1 that misbehaves as told.
///
/// It is made of plain sockets and threads and shares nothing with the project's own server.
public final class FaultServer: Sendable {
    /// What is wrong with an answer.
    public enum Fault: Sendable {
        /// Nothing: ranges, HEAD, connections kept.
        case ok
        /// Ranges are ignored: always 200 and the whole.
        case noRange
        /// A request with a range is answered with 406.
        case rejectRange
        /// In chunks, without a length, and ranges are ignored.
        case chunked
        /// Without a length: the end of the connection is the end. Ranges are ignored.
        case noContentLength
        /// 302 to another URL, absolute or relative.
        case redirect(to: String)
        /// 302 to itself.
        case redirectLoop
        /// That status for the first requests, then ok.
        case status(Int, times: Int)
        /// The connection is closed after that part of the answer, for the first requests; then ok.
        case dropAfter(fraction: Double, times: Int)
        /// Nothing more comes after that part of the answer, for the first requests; then ok.
        case stallAfter(fraction: Double, times: Int)
        /// No faster than that.
        case slow(bytesPerSecond: Int)
        /// So much of each answer at once, and what follows no faster than that.
        case burst(bytes: Int, thenBytesPerSecond: Int)
        /// Compressed although not asked for, and ranges are ignored.
        case gzip
        /// 302 to itself with a cookie, and 403 thereafter where the cookie does not come back.
        case cookieRequired
        /// That status with a Retry-After header for the first requests, then ok.
        case busy(Int, retryAfter: String, times: Int)
        /// A request with a range gets another one than it asked for.
        case wrongRange
        /// A range gets at most so many bytes at once.
        case shortParts(bytes: Int)
        /// The first request is answered as usual, every later one with that status.
        case oneShot(thenStatus: Int)
        /// More header lines and longer ones than anyone needs, some of them twice.
        case manyHeaders
        /// Takes requests and never answers.
        case noAnswer
        /// Ranges are ignored, and nothing more comes after that part of the answer.
        case noRangeAndStall(fraction: Double)
        /// Ranges are ignored, and it is no faster than that.
        case noRangeAndSlow(bytesPerSecond: Int)
        /// Requests whose query is not among `validQueries` are refused with that status; the others get it no faster
        /// than that.
        case tokenRequired(orStatus: Int, bytesPerSecond: Int)
    }

    /// A request that came.
    public struct Request: Sendable {
        /// The method.
        public var method: String
        /// Path and query, as sent.
        public var path: String
        /// The headers; names in small letters.
        public var headers: [String: String]
    }

    struct Resource: Sendable {
        var content: Data
        var contentType: String
        var fault: Fault
        var headers: [String] = []
        var requests = 0
    }

    private struct State {
        var resources: [String: Resource] = [:]
        var requests: [Request] = []
        var mostConnections = 0
        var accepted = 0
        var validQueries: Set<String> = []
    }

    /// The port.
    public let port: Int
    private let isSerial: Bool
    private let isIPv6: Bool
    private let sockets = OpenSockets()
    private let state = Mutex(State())

    /// A server with nothing to serve yet.
    ///
    /// - Parameters:
    ///   - isSerial: whether it deals with one connection at a time, as simple senders do.
    ///   - isIPv6: whether it is at ::1 and not at 127.0.0.1.
    public init(isSerial: Bool = false, isIPv6: Bool = false) throws {
        self.isSerial = isSerial
        self.isIPv6 = isIPv6
        guard let (listener, port) = Self.listen(port: 0, isIPv6: isIPv6) else {
            throw RunFailure(description: "no socket for the fault server")
        }
        self.port = port
        accept(on: listener)
    }

    private static func listen(port: Int, isIPv6: Bool) -> (descriptor: Int32, port: Int)? {
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var (four, six) = (sockaddr_in(), sockaddr_in6())
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        four.sin_port = in_port_t(port).bigEndian
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_addr = in6addr_loopback
        six.sin6_port = in_port_t(port).bigEndian
        func open<Address>(_ address: inout Address) -> Bool {
            var size = socklen_t(MemoryLayout<Address>.size)
            return withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, 64) == 0
                        && getsockname(descriptor, $0, &size) == 0
                }
            }
        }
        guard isIPv6 ? open(&six) : open(&four) else {
            close(descriptor)
            return nil
        }
        return (descriptor, Int(UInt16(bigEndian: isIPv6 ? six.sin6_port : four.sin_port)))
    }

    private func accept(on listener: Int32) {
        guard sockets.add(listener: listener) else { return }
        Thread.detachNewThread { [weak self, sockets] in
            while true {
                let connection = Glibc.accept(listener, nil, nil)
                guard connection >= 0, let open = sockets.add(connection: connection) else { break }
                guard let self else {
                    sockets.close(connection)
                    break
                }
                self.takeOn(connection, open: open)
            }
            sockets.close(listener)
        }
    }

    /// Closes everything and refuses connections, until `comeBack`.
    public func goAway() {
        sockets.shutDown()
    }

    /// Listens again at the same port.
    public func comeBack() {
        // The thread that accepted closes the port a moment after it was shut down.
        for _ in 0..<100 {
            if let (listener, _) = Self.listen(port: port, isIPv6: isIPv6) {
                return accept(on: listener)
            }
            usleep(20_000)
        }
    }

    /// Has requests with these queries be let in where a token is required.
    public func setValid(queries: Set<String>) {
        state.withLock { $0.validQueries = queries }
    }

    /// A server with one thing to serve, at `url`.
    public convenience init(
        _ content: Data, contentType: String = "video/mp4", _ fault: Fault = .ok, isSerial: Bool = false
    ) throws {
        try self.init(isSerial: isSerial)
        serve("/media", content, contentType: contentType, fault)
    }

    /// A server with one file to serve, at `url`.
    public convenience init(
        file: String, contentType: String = "video/mp4", _ fault: Fault = .ok, isSerial: Bool = false
    ) throws {
        let content = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
        try self.init(content, contentType: contentType, fault, isSerial: isSerial)
    }

    deinit {
        stop()
    }

    /// Where the one thing is.
    public var url: String { url("/media") }

    /// The URL of a path.
    public func url(_ path: String) -> String { "http://\(isIPv6 ? "[::1]" : "127.0.0.1"):\(port)\(path)" }

    /// Serves something at a path, in place of what was there.
    ///
    /// - Parameter headers: lines that go with every answer of content.
    /// - Returns: its URL.
    @discardableResult
    public func serve(
        _ path: String, _ content: Data, contentType: String = "video/mp4", _ fault: Fault = .ok, headers: [String] = []
    ) -> String {
        state.withLock { state in
            state.resources[path] = Resource(
                content: content, contentType: contentType, fault: fault, headers: headers)
        }
        return url(path)
    }

    /// Changes what is wrong with a path, and counts its requests from 0 again.
    public func setFault(_ fault: Fault, at path: String = "/media") {
        state.withLock { state in
            state.resources[path]?.fault = fault
            state.resources[path]?.requests = 0
        }
    }

    /// The requests so far, in order.
    public var requests: [Request] { state.withLock(\.requests) }

    /// The connections accepted so far.
    public var acceptedConnections: Int { state.withLock(\.accepted) }

    /// The most connections that were open at once.
    public var mostConnections: Int { state.withLock(\.mostConnections) }

    /// Closes everything, in the middle of answers too.
    public func stop() {
        sockets.stop()
    }

    private func takeOn(_ connection: Int32, open: Int) {
        state.withLock { state in
            state.accepted += 1
            state.mostConnections = max(state.mostConnections, open)
        }
        let work: @Sendable () -> Void = { [weak self, sockets] in
            var isOpen = true
            var input = FaultInput(connection)
            // Held for one request at a time, so that an idle connection does not keep the server.
            while isOpen, let request = input.next() {
                guard let self else { break }
                isOpen = self.answer(request, on: connection)
            }
            sockets.close(connection)
        }
        if isSerial { work() } else { Thread.detachNewThread(work) }
    }

    private func answer(_ request: Request, on connection: Int32) -> Bool {
        let path = String(request.path.prefix { $0 != "?" })
        let query = String(request.path.dropFirst(path.count + 1))
        let (resource, hasToken) = state.withLock { state in
            state.requests.append(request)
            state.resources[path]?.requests += 1
            return (state.resources[path], state.validQueries.contains(query))
        }
        return FaultAnswer(connection: connection, request: request, resource: resource, hasToken: hasToken).send()
    }
}

/// Reads requests from a connection, one after another. Bodies are not expected but skipped.
private struct FaultInput {
    private let connection: Int32
    private var waiting: [UInt8] = []

    init(_ connection: Int32) { self.connection = connection }

    mutating func next() -> FaultServer.Request? {
        while true {
            let text = String(decoding: waiting, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                waiting.removeFirst(text[..<end.upperBound].utf8.count)
                let words = lines[0].split(separator: " ")
                guard words.count == 3 else { return nil }
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    guard let colon = line.firstIndex(of: ":") else { continue }
                    headers[line[..<colon].lowercased()] =
                        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                }
                let body = Int(headers["content-length"] ?? "") ?? 0
                while body > waiting.count { guard receive() else { return nil } }
                waiting.removeFirst(body)
                return FaultServer.Request(method: String(words[0]), path: String(words[1]), headers: headers)
            }
            // A TLS greeting is answered by the end.
            guard receive(), waiting[0] != 22 else { return nil }
        }
    }

    private mutating func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        waiting += buffer.prefix(count)
        return true
    }
}
