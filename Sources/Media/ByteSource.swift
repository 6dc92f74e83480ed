import Casting
import HTTP

/// The bytes of one URL, readable from any position, whatever the network does. Used by one thread at a time.
///
/// Bytes come over one connection at a time. A position is only remembered by `seek`; the next read finds the cheapest
/// way there: the bytes at hand, reading on, or another request. A connection that breaks is made again at the byte where
/// it broke. The end is where the server's headers say; a body that is shorter is an error and never the end.
final class ByteSource: ByteReader {
    /// What the server said; what it says later is compared with it.
    var facts: FileFacts
    /// Whether anything was learned of the file: what fails from then on fails in the middle.
    var isKnown = false
    /// Whether parts are asked for; false once the server has shown that it knows none.
    var usesRanges = true
    /// Where what is wanted ends, in the server's bytes; nil where not known.
    var end: Int64?
    /// The next byte of `transfer`.
    var edge: Int64
    /// Where the present answer ends, where the server sends less at once than was asked for.
    var partEnd: Int64?
    var transfer: (any ByteTransfer)?
    /// The server's address, of the last answer.
    var serverAddress: String?
    var retry = RetryPolicy()
    private var taken: HTTPTransferSession?

    let network: Network
    /// The server's byte that is position 0 here. What follows counts the server's bytes.
    private let first: Int64
    /// Whether it is the item itself, and not a part that a playlist leads to.
    let isItem: Bool
    private let givenAddress: String
    private let file: CachedFile
    private var cursor: Int64
    private var lastRead = HostTime.now

    /// Opens a URL; blocks until the server's answer is there, unless what is wanted is at hand.
    ///
    /// - Parameters:
    ///   - first: the server's byte that is to be position 0.
    ///   - length: bytes wanted from there; nil for all.
    ///   - isItem: whether it is the item's own URL.
    init(
        _ url: String, first: Int64 = 0, length: Int64? = nil, isItem: Bool = false, network: Network
    ) throws(CastError) {
        guard Origin(url) != nil else { throw .unsupportedURL }
        givenAddress = url
        self.network = network
        self.first = first
        self.isItem = isItem
        end = length.map { first + $0 }
        cursor = first
        edge = first
        file = network.cache.file(url)
        facts = file.facts ?? FileFacts(url: url)
        if file.facts != nil, file.loaded.end(from: first) > first {
            isKnown = true
            usesRanges = facts.isSeekable
            end = [end, facts.size].compactMap { $0 }.min()
        } else {
            try connect(at: first)
        }
    }

    deinit {
        transfer?.cancel()
        if let taken { network.giveBack(taken) }
    }

    /// The place for its transfers.
    var session: HTTPTransferSession {
        if let taken { return taken }
        let session = network.takeSession()
        taken = session
        return session
    }

    /// The URL that answered, after redirects.
    var url: String { facts.url }

    /// The media type by the server's word.
    var contentType: String? { facts.contentType }

    /// Whether the server sends from any byte on.
    var isSeekable: Bool { facts.isSeekable }

    /// Bytes in all; nil where the server does not say.
    var size: Int64? { end.map { $0 - first } }

    /// Where the next read begins.
    var position: Int64 { cursor - first }

    /// The URL to ask: what it redirects to may change between requests, and it itself may have been renewed.
    var address: String { network.supply.present(givenAddress) }

    /// Where to read next.
    func seek(to position: Int64) {
        cursor = first + max(0, position)
    }

    /// Has nothing of this file be found by those that open it later, for it is another one each time.
    func forget() {
        network.cache.forget(givenAddress)
    }

    /// Keeps what the server said.
    func noteFacts() {
        file.facts = facts
    }

    /// Reads some bytes; blocks until there are any.
    ///
    /// - Returns: how many; 0 at the true end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CastError) -> Int {
        try network.cancellation.check()
        guard !buffer.isEmpty else { return 0 }
        var wanted = buffer
        if let end {
            guard cursor < end else { return 0 }
            wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(min(Int64(buffer.count), end - cursor))))
        }
        let kept = file.read(at: cursor, into: wanted)
        if kept > 0 {
            cursor += Int64(kept)
            return kept
        }
        try approach(cursor)
        guard edge == cursor else { return 0 }
        let count = try receive(into: wanted)
        cursor += Int64(count)
        return count
    }

    /// Brings the connection to `target`. Leaves it short of that only where the body ends before.
    private func approach(_ target: Int64) throws(CastError) {
        let gap = target - edge
        if transfer == nil || gap < 0 || (usesRanges && gap > readThroughLimit) { try connect(at: target) }
        guard edge < target else { return }
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { scratch.deallocate() }
        while edge < target {
            let wanted = Int(min(Int64(scratch.count), target - edge))
            if try receive(into: UnsafeMutableRawBufferPointer(rebasing: scratch[..<wanted])) == 0 { return }
        }
    }

    /// How far ahead reading on is cheaper than asking anew: what comes in a fifth of a second.
    private var readThroughLimit: Int64 {
        let rate = network.traffic.bytesPerSecond ?? 0
        return min(4 << 20, max(256 << 10, Int64(min(rate, 1e9) / 5)))
    }

    /// Takes bytes off the connection at `edge`, making it again as often as the policy allows; 0 at the end.
    private func receive(into buffer: UnsafeMutableRawBufferPointer) throws(CastError) -> Int {
        let wanted = edge
        while true {
            if let end, edge >= end { return 0 }
            if transfer == nil { try resume(at: wanted) }
            guard let transfer else { continue }
            let hook = network.cancellation.addHook { transfer.cancel() }
            defer { network.cancellation.removeHook(hook) }
            let began = HostTime.now
            let failure: HTTPError
            do throws(HTTPError) {
                let count = try transfer.read(into: buffer)
                let now = HostTime.now
                network.traffic.record(
                    bytes: count, seconds: now.seconds(since: began), idle: began.seconds(since: lastRead))
                lastRead = now
                if count > 0 {
                    take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    return count
                }
                if let partEnd, edge == partEnd, edge < end ?? .max {
                    // The server sends less at once than was asked for; the next part is asked for.
                    self.transfer = nil
                    continue
                }
                guard facts.isBroadcast || edge < end ?? 0 else {
                    end = edge
                    return 0
                }
                failure = HTTPError(.connectionLost, "The body ended too early.")
            } catch {
                failure = error
                lastRead = .now
            }
            self.transfer = nil
            try network.cancellation.check()
            let error = CastError(failure, opening: false)
            noteFault(error)
            // Without a size and ranges there is no telling whether what comes the second time is the same.
            guard end != nil || isSeekable || facts.isBroadcast else { throw error }
            try wait(after: failure.kind, otherwise: error)
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        file.insert(bytes, at: edge)
        edge += Int64(bytes.count)
        retry.received(bytes.count)
        if !hasDelivered { network.supply.noteDelivery() }
        hasDelivered = true
    }

    /// Whether the present connection has given any byte.
    var hasDelivered = false

    /// Makes the connection again after it broke, and reads up to where it was where the server knows no ranges.
    private func resume(at target: Int64) throws(CastError) {
        try connect(at: target)
        if facts.isBroadcast { edge = target }
        guard edge < target else { return }
        try approach(target)
    }
}
