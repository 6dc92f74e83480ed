import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

/// Bytes that differ from place to place.
let sample: Data = {
    var bytes = Data(count: 1_500_000)
    bytes.withUnsafeMutableBytes { buffer in
        let words = buffer.bindMemory(to: UInt32.self)
        for index in words.indices { words[index] = UInt32(index) &* 2_654_435_761 }
    }
    return bytes
}()

/// Reads a transfer to its end, on the thread that calls.
func readAll(_ transfer: HTTPTransfer, step: Int = 64 << 10) throws -> Data {
    var all = Data()
    var buffer = [UInt8](repeating: 0, count: step)
    while true {
        let count = try buffer.withUnsafeMutableBytes { try transfer.read(into: $0) }
        guard count > 0 else { return all }
        all += buffer.prefix(count)
    }
}

private func fails(_ transfer: HTTPTransfer, _ code: HTTPError.Code) async throws {
    let error = await #expect(throws: HTTPError.self) { _ = try await onOwnThread { try readAll(transfer) } }
    #expect(error?.code == code)
    #expect(error?.message.hasSuffix(".") == true)
}

private func impatient(_ silence: Double = 0.4, connect: Double = 0.4) -> HTTPTransferTimeouts {
    var timeouts = HTTPTransferTimeouts()
    timeouts.silence = silence
    timeouts.answer = silence
    timeouts.connect = connect
    return timeouts
}

@Suite struct TransferTests {
    @Test(arguments: [1000, 65536, 3_000_000])
    func `a body arrives whole, whatever the size of the reads`(step: Int) async throws {
        let server = try FaultServer(sample)
        let transfer = HTTPTransfer(url: server.url)
        let (head, body) = try await onOwnThread { (try transfer.head(), try readAll(transfer, step: step)) }
        #expect(head.status == 200 && head.contentLength == 1_500_000 && head.contentRange == nil)
        #expect(head.url == server.url)
        #expect(body == sample)
        #expect(server.requests[0].headers["accept-encoding"] == "identity")
        #expect(server.requests[0].headers["range"] == nil)
    }

    @Test func `a reader that pauses slows the server down, and goes on where it was`() async throws {
        let server = try FaultServer(sample + sample + sample + sample + sample + sample)
        let transfer = HTTPTransfer(url: server.url, timeouts: impatient())
        let body = try await onOwnThread {
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = try buffer.withUnsafeMutableBytes { try transfer.read(into: $0) }
            usleep(900_000)
            return try Data(buffer.prefix(count)) + readAll(transfer)
        }
        #expect(body.count == 9_000_000)
        #expect(body.suffix(1_500_000) == sample)
    }

    @Test func `a range begins where it is asked to`() async throws {
        let server = try FaultServer(sample)
        let transfer = HTTPTransfer(url: server.url, offset: 1_000_000)
        let (head, body) = try await onOwnThread { (try transfer.head(), try readAll(transfer)) }
        #expect(head.status == 206 && head.contentLength == 500_000)
        #expect(head.contentRange?.range == ByteRange(offset: 1_000_000, length: 500_000))
        #expect(head.contentRange?.size == 1_500_000)
        #expect(body == sample[1_000_000...])
        let part = HTTPTransfer(url: server.url, offset: 10, length: 20)
        #expect(try await onOwnThread { try readAll(part) } == sample[10..<30])
        let beyond = HTTPTransfer(url: server.url, offset: 2_000_000)
        #expect(try await onOwnThread { try beyond.head().status } == 416)
    }

    @Test func `bodies without a length end where they end`() async throws {
        for fault in [FaultServer.Fault.chunked, .noContentLength, .gzip] {
            let server = try FaultServer(sample, fault)
            let transfer = HTTPTransfer(url: server.url)
            let (head, body) = try await onOwnThread { (try transfer.head(), try readAll(transfer)) }
            #expect(head.contentLength == nil)
            #expect(body == sample)
        }
    }

    @Test func `an answer of any status is an answer`() async throws {
        let server = try FaultServer(sample, .status(503, times: 1))
        let transfer = HTTPTransfer(url: server.url)
        #expect(try await onOwnThread { try transfer.head().status } == 503)
    }

    @Test(arguments: [0.0, 0.5, 0.999])
    func `a body cut short is told from its end, after all that came`(fraction: Double) async throws {
        let server = try FaultServer(sample, .dropAfter(fraction: fraction, times: 100))
        let transfer = HTTPTransfer(url: server.url)
        let count = Atomic(0)
        let error = await #expect(throws: HTTPError.self) {
            try await onOwnThread {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                while true {
                    let piece = try buffer.withUnsafeMutableBytes { try transfer.read(into: $0) }
                    guard piece > 0 else { return }
                    count.add(piece, ordering: .relaxed)
                }
            }
        }
        #expect(error?.code == .connectionLost)
        #expect(count.load(ordering: .relaxed) == Int(1_500_000 * fraction))
        try await fails(transfer, .connectionLost)
    }

    @Test func `silence ends a transfer in time`() async throws {
        let server = try FaultServer(sample, .stallAfter(fraction: 0.3, times: 1))
        let begin = ContinuousClock.now
        try await fails(HTTPTransfer(url: server.url, timeouts: impatient()), .timedOut)
        #expect(ContinuousClock.now - begin < .seconds(15))
        #expect(try await onOwnThread { try readAll(HTTPTransfer(url: server.url)) } == sample)
    }

    @Test func `a slow server is not a silent one`() async throws {
        let server = try FaultServer(Data(sample.prefix(40_000)), .slow(bytesPerSecond: 40_000))
        let transfer = HTTPTransfer(url: server.url, timeouts: impatient())
        #expect(try await onOwnThread { try readAll(transfer) }.count == 40_000)
    }

    @Test func `nothing at the address`() async throws {
        let port = try FaultServer().port
        try await fails(HTTPTransfer(url: "http://127.0.0.1:\(port)/"), .cannotConnectToHost)
        try await fails(HTTPTransfer(url: "http://[::1]:1/"), .cannotConnectToHost)
        try await fails(HTTPTransfer(url: "http://no-such-name.invalid/"), .cannotFindHost)
    }

    @Test func `an address that swallows everything`() async throws {
        let listener = Listener()
        let url = "http://127.0.0.1:\(listener.port)/"
        let begin = ContinuousClock.now
        try await listener.whileFull { try await fails(HTTPTransfer(url: url, timeouts: impatient()), .timedOut) }
        #expect(ContinuousClock.now - begin < .seconds(15))
    }

    @Test func `cancel also ends a call that still connects`() async throws {
        let listener = Listener()
        let transfer = HTTPTransfer(url: "http://127.0.0.1:\(listener.port)/")
        let time = try await listener.whileFull {
            try await onOwnThread {
                let cancelled = Mutex<ContinuousClock.Instant?>(nil)
                Thread.detachNewThread {
                    usleep(300_000)
                    cancelled.withLock { $0 = .now }
                    transfer.cancel()
                }
                let error = #expect(throws: HTTPError.self) { try transfer.head() }
                #expect(error?.code == .cancelled)
                return cancelled.withLock(\.self).map { .now - $0 }
            }
        }
        #expect(try #require(time) < .milliseconds(100))
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc\r\n\r\n", ""])
    func `an answer that is not HTTP is told apart`(text: String) async throws {
        let listener = Listener()
        listener.answerOnce(text)
        let transfer = HTTPTransfer(url: "http://127.0.0.1:\(listener.port)/")
        try await fails(transfer, text.isEmpty ? .connectionLost : .badResponse)
    }

    @Test(arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd", "pipe:1", "/etc/passwd", "", "http://"])
    func `other schemes are refused`(url: String) async throws {
        try await fails(HTTPTransfer(url: url), .unsupportedScheme)
    }

    @Test func `cancel ends a blocked call within a tenth of a second`() async throws {
        let server = try FaultServer(sample, .stallAfter(fraction: 0.3, times: 10))
        let transfer = HTTPTransfer(url: server.url)
        let hasHead = Atomic(false)
        async let ended = onOwnThread {
            _ = try transfer.head()
            hasHead.store(true, ordering: .relaxed)
            let error = #expect(throws: HTTPError.self) { _ = try readAll(transfer) }
            return (error?.code, ContinuousClock.now)
        }
        #expect(await eventually { hasHead.load(ordering: .relaxed) })
        try await Task.sleep(for: .milliseconds(50))
        let begin = ContinuousClock.now
        transfer.cancel()
        let (code, end) = try await ended
        #expect(code == .cancelled)
        #expect(end - begin < .milliseconds(100))
        try await fails(transfer, .cancelled)
    }

    @Test func `a transfer cancelled before it begins sends nothing`() async throws {
        let server = try FaultServer(sample)
        let transfer = HTTPTransfer(url: server.url)
        transfer.cancel()
        try await fails(transfer, .cancelled)
        #expect(server.requests.isEmpty)
    }
}

@Suite struct TransferSessionTests {
    @Test func `a finished transfer leaves its connection to the next`() async throws {
        let server = try FaultServer(sample)
        let session = HTTPTransferSession()
        for offset in [0, 500_000, 1_000_000] as [Int64] {
            let transfer = HTTPTransfer(url: server.url, offset: offset, session: session)
            #expect(try await onOwnThread { try readAll(transfer) } == sample[Int(offset)...])
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func `a server of one connection at a time never waits for itself`() async throws {
        let first = try FaultServer(sample + sample, isSerial: true)
        let second = try FaultServer(sample, isSerial: true)
        let session = HTTPTransferSession()
        for offset in [0, 700_000, 100, 1_200_000, 0] as [Int64] {
            for server in [first, second, first] {
                let transfer = HTTPTransfer(url: server.url, offset: offset, timeouts: impatient(2), session: session)
                let start = try await onOwnThread {
                    var buffer = [UInt8](repeating: 0, count: 1000)
                    let count = try buffer.withUnsafeMutableBytes { try transfer.read(into: $0) }
                    return Data(buffer.prefix(count))
                }
                #expect(start == sample[Int(offset)..<(Int(offset) + start.count)])
            }
        }
        #expect(first.mostConnections == 1)
    }

    @Test func `beginning a transfer ends the one before`() async throws {
        let server = try FaultServer(sample)
        let session = HTTPTransferSession()
        let first = HTTPTransfer(url: server.url, session: session)
        #expect(try await onOwnThread { try first.head().status } == 200)
        let second = HTTPTransfer(url: server.url, session: session)
        #expect(try await onOwnThread { try readAll(second) } == sample)
        try await fails(first, .cancelled)
    }
}
