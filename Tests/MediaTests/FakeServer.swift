import Foundation
import Synchronization

@testable import HTTP
@testable import Media

/// A server without a network: it answers `ByteSource` from memory and from files, and misbehaves on request.
final class FakeServer: Sendable {
    /// How it answers.
    struct Manners: Sendable {
        /// Whether it understands ranges.
        var knowsRanges = true
        /// Whether it says how long the body is.
        var announcesLength = true
        /// Bodies end after this many bytes, as many times as `breaks` says.
        var breakAfter = Int.max
        /// How often bodies break.
        var breaks = 0
        /// Bodies stop coming after this many bytes, for good.
        var stallAfter = Int.max
        /// Statuses of the first answers, before the true one.
        var statuses: [Int] = []
        /// Status of an answer to a request for a range.
        var rangeStatus: Int?
        /// The media type it claims.
        var contentType: String?
        /// Fails before there is an answer.
        var error: HTTPError.Code?
        /// Never answers.
        var isSilent = false
    }

    /// What was asked of it.
    struct Log: Sendable {
        var requests: [TransferRequest] = []
        var open = 0
        var mostOpen = 0
        var breaksLeft: Int
        var statusesLeft: [Int]
    }

    let files: @Sendable (String) -> Data?
    let manners: Manners
    private let state: Mutex<Log>

    init(_ manners: Manners = Manners(), files: @escaping @Sendable (String) -> Data?) {
        self.files = files
        self.manners = manners
        state = Mutex(Log(breaksLeft: manners.breaks, statusesLeft: manners.statuses))
    }

    /// Serves one file, whatever is asked for.
    convenience init(_ manners: Manners = Manners(), path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        self.init(manners) { _ in data }
    }

    /// Serves a folder: the URL's last parts name the file.
    convenience init(folder: String) {
        self.init { name in try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)) }
    }

    var log: Log { state.withLock { $0 } }

    func network(
        _ url: String = "http://server/film", headers: [String: String] = [:],
        cancellation: Cancellation = Cancellation(), budget: CacheBudget = CacheBudget()
    ) -> Network {
        network(MediaSupply(MediaLocation(url: url, headers: headers)), cancellation: cancellation, budget: budget)
    }

    func network(
        _ supply: MediaSupply, cancellation: Cancellation = Cancellation(), budget: CacheBudget = CacheBudget()
    ) -> Network {
        Network(supply, cancellation: cancellation, budget: budget) { request in
            self.state.withLock { $0.requests.append(request) }
            return FakeTransfer(self, request)
        }
    }

    func demuxer(
        _ url: String = "http://server/film", cancellation: Cancellation = Cancellation(), timeout: Double = 10
    ) throws -> Demuxer {
        try Demuxer(network(url, cancellation: cancellation), timeout: timeout)
    }

    func nextStatus() -> Int? {
        state.withLock { $0.statusesLeft.isEmpty ? nil : $0.statusesLeft.removeFirst() }
    }

    func mayBreak() -> Bool {
        state.withLock { log in
            guard log.breaksLeft > 0 else { return false }
            log.breaksLeft -= 1
            return true
        }
    }

    func count(open change: Int) {
        state.withLock { log in
            log.open += change
            log.mostOpen = max(log.mostOpen, log.open)
        }
    }
}

private final class FakeTransfer: ByteTransfer {
    private struct State {
        var answer: HTTPTransferHead?
        var body = Data()
        var sent = 0
        var isCancelled = false
        var isOpen = false
    }

    private let server: FakeServer
    private let request: TransferRequest
    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    init(_ server: FakeServer, _ request: TransferRequest) {
        self.server = server
        self.request = request
    }

    deinit {
        if state.withLock({ $0.isOpen }) { server.count(open: -1) }
    }

    func head() throws(HTTPError) -> HTTPTransferHead {
        try check()
        if let error = server.manners.error { throw HTTPError(error, "made up") }
        if server.manners.isSilent { try stall() }
        server.count(open: 1)
        let answer = self.answer()
        state.withLock { state in
            state.isOpen = true
            state.answer = answer.head
            state.body = answer.body
        }
        return answer.head
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
        try check()
        let sent = state.withLock { $0.sent }
        if sent >= server.manners.stallAfter { try stall() }
        if sent >= server.manners.breakAfter, server.mayBreak() { throw HTTPError(.connectionLost, "made up") }
        return state.withLock { state in
            var count = min(buffer.count, 16_384, state.body.count - state.sent)
            for limit in [server.manners.stallAfter, server.manners.breakAfter] where limit > state.sent {
                count = min(count, limit - state.sent)
            }
            let start = state.body.startIndex + state.sent
            state.body.copyBytes(to: buffer, from: start..<(start + count))
            state.sent += count
            return count
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        wakeUp.signal()
    }

    private func check() throws(HTTPError) {
        if state.withLock({ $0.isCancelled }) { throw HTTPError(.cancelled, "made up") }
    }

    private func stall() throws(HTTPError) {
        wakeUp.wait()
        throw HTTPError(.cancelled, "made up")
    }

    private func answer() -> (head: HTTPTransferHead, body: Data) {
        var headers = HTTPHeaders()
        if let type = server.manners.contentType { headers.set("Content-Type", type) }
        func answer(_ status: Int, _ body: Data = Data()) -> (HTTPTransferHead, Data) {
            if server.manners.announcesLength { headers.set("Content-Length", String(body.count)) }
            return (HTTPTransferHead(status: status, headers: headers, url: request.url), body)
        }
        if let status = server.nextStatus() { return answer(status) }
        let name = request.url.split(separator: "/").dropFirst(2).joined(separator: "/")
        guard let file = server.files(name) else { return answer(404) }
        guard let offset = request.offset.map({ Int($0) }) else { return answer(200, file) }
        if let status = server.manners.rangeStatus { return answer(status) }
        guard server.manners.knowsRanges else { return answer(200, file) }
        guard offset < file.count else { return answer(416) }
        let end = request.length.map { min(file.count, offset + Int($0)) } ?? file.count
        headers.set("Content-Range", "bytes \(offset)-\(end - 1)/\(file.count)")
        return answer(206, file[(file.startIndex + offset)..<(file.startIndex + end)])
    }
}
