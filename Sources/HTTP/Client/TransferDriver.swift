import CCurl

/// The blocking side of transfers: one easy and one multi handle, driven by whoever reads. Behind its session's lock.
final class TransferDriver {
    /// The most that waits for the reader, in bytes; more stays in the system's buffers, and slows the server down.
    static let bufferLimit = 512 << 10

    private let multi: CurlMulti
    private var easy: CurlEasy?
    private var request: CurlRequest?
    private var owner: ObjectIdentifier?
    private var isInMulti = false
    private var isEnded = false
    private var failure: HTTPError?
    private var waiting = ByteQueue()
    private var destination: UnsafeMutableRawBufferPointer?
    private var filled = 0

    init(multi: CurlMulti) {
        self.multi = multi
    }

    deinit {
        abandon()
    }

    /// Begins a transfer, ending the one before.
    func begin(_ description: CurlRequestDescription, owner: ObjectIdentifier) throws(HTTPError) {
        abandon()
        if easy == nil { easy = CurlEasy() }
        guard let easy else { throw HTTPError(.cannotConnectToHost, "There is no memory for a transfer.") }
        self.owner = owner
        request = CurlRequest(description, easy: easy, receiver: self)
        multi.add(easy)
        isInMulti = true
    }

    /// The server's address; empty where it is not known.
    var serverAddress: String { request?.serverAddress ?? "" }

    /// Whether the transfer under way is that owner's.
    func serves(_ owner: ObjectIdentifier) -> Bool { self.owner == owner }

    /// Ends the transfer under way; its connection is closed unless the body was complete.
    func abandon() {
        if isInMulti, let easy { multi.remove(easy) }
        isInMulti = false
        request = nil
        owner = nil
        isEnded = false
        failure = nil
        waiting = ByteQueue()
    }

    /// Waits for the head.
    func head(_ timeouts: HTTPTransferTimeouts, isCancelled: () -> Bool) throws(HTTPError) -> HTTPResponseHead {
        try step(timeouts, silence: timeouts.answer, isCancelled: isCancelled) { $0.request?.head != nil }
        if let head = request?.head { return head }
        throw failure ?? HTTPError(.badResponse, "The server gave no answer.")
    }

    /// Waits for bytes of the body; 0 at its end. Bytes that came before a failure are given out before it is thrown.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, _ timeouts: HTTPTransferTimeouts, isCancelled: () -> Bool
    ) throws(HTTPError) -> Int {
        guard !isCancelled() else { throw .givenUp }
        let count = waiting.take(into: buffer)
        guard count == 0, !buffer.isEmpty else { return count }
        destination = buffer
        filled = 0
        defer { destination = nil }
        request?.resume()
        try step(timeouts, silence: timeouts.silence, isCancelled: isCancelled) { $0.filled > 0 }
        if filled == 0, let failure { throw failure }
        return filled
    }

    /// Performs and waits until something holds or the transfer has ended.
    private func step(
        _ timeouts: HTTPTransferTimeouts, silence: Double, isCancelled: () -> Bool,
        until holds: (TransferDriver) -> Bool
    ) throws(HTTPError) {
        var seen = request?.bytesSeen ?? 0
        var since = ContinuousClock.now
        while !isEnded, !holds(self) {
            guard !isCancelled() else { throw .givenUp }
            multi.perform()
            takeEnded()
            if isEnded || holds(self) { return }
            if let now = request?.bytesSeen, now != seen {
                seen = now
                since = .now
            }
            // Before the first byte the connection must be made too.
            let limit = silence + (seen == 0 ? timeouts.connect : 0)
            let left = Duration.seconds(limit) - (.now - since)
            guard left > .zero else {
                throw HTTPError(.timedOut, "The server has sent nothing for \(Int(limit.rounded())) seconds.")
            }
            multi.wait(left)
        }
    }

    private func takeEnded() {
        guard let ended = multi.nextEnded(), let request, let easy else { return }
        multi.remove(easy)
        isInMulti = false
        switch request.ended(ended.code) {
        case .again:
            multi.add(easy)
            isInMulti = true
        case .done:
            isEnded = true
        case .failed(let error):
            isEnded = true
            failure = error
        }
    }
}

extension TransferDriver: CurlReceiver {
    func receive(_ head: HTTPResponseHead) {}

    func receive(_ bytes: UnsafeRawBufferPointer) -> CurlVerdict {
        guard waiting.count + bytes.count <= Self.bufferLimit || waiting.count == 0 else { return .later }
        var rest = bytes[...]
        if let destination, filled < destination.count {
            let count = min(destination.count - filled, rest.count)
            UnsafeMutableRawBufferPointer(rebasing: destination[filled...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            filled += count
            rest = rest.dropFirst(count)
        }
        waiting.append(UnsafeRawBufferPointer(rebasing: rest))
        return .taken
    }
}

/// Bytes that wait, first in first out.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    /// How many wait.
    var count: Int { bytes.count - start }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: new)
    }

    /// Moves as many as there are and fit; says how many.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, self.count)
        guard count > 0 else { return 0 }
        buffer.copyBytes(from: bytes[start..<start + count])
        start += count
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        }
        return count
    }
}
