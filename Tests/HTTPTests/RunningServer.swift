import Foundation
import HTTP
import TestSupport

/// A server on loopback for one test, stopped with it.
final class RunningServer: Sendable {
    let server: HTTPServer
    let port: Int

    init(
        limits: HTTPServerLimits = HTTPServerLimits(), on address: HTTPServerAddress = .loopback,
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws {
        server = HTTPServer(
            limits: limits, errorResponse: { HTTPResponse.text("refused \($0)", status: $0) }, handler: handler)
        try server.start(port: 0, on: address)
        port = server.port
    }

    deinit {
        server.stop()
    }

    /// Sends bytes on a new connection and gives back all that comes until it ends.
    func exchange(_ text: String, host: String = "127.0.0.1") async throws -> String {
        let port = port
        return try await onOwnThread {
            let connection = try RawConnection(port: port, host: host)
            try? connection.send(text)
            return String(decoding: try connection.receiveToEnd(), as: UTF8.self)
        }
    }

    /// A request that closes its connection, and the answer.
    func ask(_ method: String, _ target: String, _ headers: [String] = [], body: String = "") async throws -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + headers + length
        return try await exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}

/// The status of an answer; 0 where there is none.
func status(_ answer: String) -> Int {
    Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
}

/// What follows the headers of an answer.
func body(_ answer: String) -> String {
    answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
}
