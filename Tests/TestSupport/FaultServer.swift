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
        var requests = 0
    }

    private struct State {
        var resources: [String: Resource] = [:]
        var requests: [Request] = []
        var connections: Set<Int32> = []
        var mostConnections = 0
        var accepted = 0
        var isStopped = false
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let isSerial: Bool
    private let state = Mutex(State())

    /// A server with nothing to serve yet.
    ///
    /// - Parameter isSerial: whether it deals with one connection at a time, as simple senders do.
    public init(isSerial: Bool = false) throws {
        self.isSerial = isSerial
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let found = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard found else { throw RunFailure(description: "no socket for the fault server") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self, self.admit(connection) else {
                    if connection >= 0 { close(connection) }
                    break
                }
                self.takeOn(connection)
            }
            close(descriptor)
        }
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
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Serves something at a path, in place of what was there.
    ///
    /// - Returns: its URL.
    @discardableResult
    public func serve(_ path: String, _ content: Data, contentType: String = "video/mp4", _ fault: Fault = .ok)
        -> String
    {
        state.withLock { $0.resources[path] = Resource(content: content, contentType: contentType, fault: fault) }
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
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func admit(_ connection: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.connections.insert(connection)
            state.accepted += 1
            state.mostConnections = max(state.mostConnections, state.connections.count)
            return true
        }
    }

    private func takeOn(_ connection: Int32) {
        let work: @Sendable () -> Void = { [weak self] in
            var isOpen = true
            var input = FaultInput(connection)
            // Held for one request at a time, so that an idle connection does not keep the server.
            while isOpen, let request = input.next() {
                guard let self else { break }
                isOpen = self.answer(request, on: connection)
            }
            if let self {
                self.state.withLock { state in
                    _ = state.connections.remove(connection)
                    close(connection)
                }
            } else {
                close(connection)
            }
        }
        if isSerial { work() } else { Thread.detachNewThread(work) }
    }

    private func answer(_ request: Request, on connection: Int32) -> Bool {
        let path = String(request.path.prefix { $0 != "?" })
        let resource = state.withLock { state in
            state.requests.append(request)
            state.resources[path]?.requests += 1
            return state.resources[path]
        }
        return FaultAnswer(connection: connection, request: request, resource: resource).send()
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
