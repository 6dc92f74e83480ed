import Casting
import HTTP

/// The bytes of one URL, readable from any position, whatever the network does. Used by one thread at a time.
///
/// Bytes come over one connection at a time. A position is only remembered by `seek`; the next read finds the cheapest
/// way there: the bytes kept, reading on, or another request. A connection that breaks is made again at the byte where
/// it broke. The end is where the server's headers say; a body that is shorter is an error and never the end.
final class ByteSource: ByteReader {
    /// The URL that answered, after redirects.
    private(set) var url: String
    /// The media type by the server's word.
    private(set) var contentType: String?
    /// Whether the server sends from any byte on.
    private(set) var isSeekable = false

    private let network: Network
    /// The URL asked for; what it redirects to may change between requests.
    private let address: String
    /// The server's byte that is position 0 here. What follows counts the server's bytes.
    private let first: Int64
    private var end: Int64?
    private var cursor: Int64
    /// The next byte of `transfer`.
    private var edge: Int64
    private var recent: RecentBytes
    private var transfer: (any ByteTransfer)?
    private let session: HTTPTransferSession
    private var validator: String?
    private var retry = RetryPolicy()
    private var isOpen = false
    private var usesRanges = true

    /// Opens a URL; blocks until the server's answer is there.
    ///
    /// - Parameters:
    ///   - first: the server's byte that is to be position 0.
    ///   - length: bytes wanted from there; nil for all.
    ///   - memory: bytes kept for short ways back.
    init(
        _ url: String, first: Int64 = 0, length: Int64? = nil, memory: Int = 2 << 20, network: Network
    ) throws(CastError) {
        guard Origin(url) != nil else { throw .unsupportedURL }
        address = url
        self.url = url
        self.network = network
        self.first = first
        end = length.map { first + $0 }
        cursor = first
        edge = first
        recent = RecentBytes(capacity: memory)
        session = network.takeSession()
        try connect(at: first)
        isOpen = true
    }

    deinit {
        transfer?.cancel()
        network.giveBack(session)
    }

    /// Bytes in all; nil where the server does not say.
    var size: Int64? { end.map { $0 - first } }

    /// Where the next read begins.
    var position: Int64 { cursor - first }

    /// Where to read next.
    func seek(to position: Int64) {
        cursor = first + max(0, position)
    }

    /// Reads some bytes; blocks until there are any.
    ///
    /// - Returns: how many; 0 at the true end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CastError) -> Int {
        try network.cancellation.check()
        guard !buffer.isEmpty else { return 0 }
        let kept = recent.read(at: cursor, into: buffer)
        if kept > 0 {
            cursor += Int64(kept)
            return kept
        }
        if let end, cursor >= end { return 0 }
        try approach(cursor)
        guard edge == cursor else { return 0 }
        let count = try receive(into: buffer)
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
                network.traffic.record(bytes: count, seconds: HostTime.now.seconds(since: began))
                if count > 0 {
                    recent.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    edge += Int64(count)
                    retry.received(count)
                    return count
                }
                guard let end, edge < end else {
                    end = edge
                    return 0
                }
                failure = HTTPError(.connectionLost, "The body ended too early.")
            } catch {
                failure = error
            }
            self.transfer = nil
            try network.cancellation.check()
            // Without a size and ranges there is no telling whether what comes the second time is the same.
            guard end != nil || isSeekable else { throw CastError(failure, opening: false) }
            try wait(after: failure.kind, otherwise: CastError(failure, opening: false))
        }
    }

    /// Makes the connection again after it broke, and reads up to where it was where the server knows no ranges.
    private func resume(at target: Int64) throws(CastError) {
        try connect(at: target)
        guard edge < target else { return }
        try approach(target)
    }

    private func wait(after kind: RetryPolicy.Failure, otherwise error: CastError) throws(CastError) {
        guard let delay = retry.delay(after: kind, opening: !isOpen, now: HostTime.now.seconds) else { throw error }
        try pause(delay, unless: network.cancellation)
    }

    /// Makes a connection whose next byte is at `target`, or before it where the server knows no ranges.
    private func connect(at target: Int64) throws(CastError) {
        repeat {
            transfer?.cancel()
            transfer = nil
            try network.cancellation.check()
            let new = network.connect(
                address, offset: usesRanges ? target : nil, length: usesRanges ? end.map { $0 - target } : nil,
                session: session)
            let hook = network.cancellation.addHook { new.cancel() }
            defer { network.cancellation.removeHook(hook) }
            let head: HTTPTransferHead
            do throws(HTTPError) {
                head = try new.head()
            } catch {
                try network.cancellation.check()
                try wait(after: error.kind, otherwise: CastError(error, opening: !isOpen))
                continue
            }
            if try accept(head, at: target) { transfer = new }
        } while transfer == nil
        recent.restart(at: edge)
    }

    /// Takes in what the server answered.
    ///
    /// - Returns: false where it is to be asked again.
    private func accept(_ head: HTTPTransferHead, at target: Int64) throws(CastError) -> Bool {
        switch head.status {
        case 206:
            guard let range = head.contentRange?.range, range.offset == target else { throw .wrongRange }
            let size = head.contentRange?.size
            try note(head, size: size)
            isSeekable = true
            edge = target
        case 200...299:
            try note(head, size: head.contentLength)
            if !isSeekable { usesRanges = false }
            edge = 0
        case 400, 405, 406, 416, 501:
            guard usesRanges, !isOpen else { throw CastError(status: head.status, opening: !isOpen) }
            usesRanges = false
            return false
        case 429, 500...599:
            try wait(after: .busy, otherwise: CastError(status: head.status, opening: !isOpen))
            return false
        default:
            throw CastError(status: head.status, opening: !isOpen)
        }
        return true
    }

    /// Keeps what the first answer says of the whole, and compares later ones with it.
    private func note(_ head: HTTPTransferHead, size: Int64?) throws(CastError) {
        let validator = head.headers["ETag"] ?? head.headers["Last-Modified"]
        guard isOpen else {
            url = head.url
            contentType = head.headers["Content-Type"]
            self.validator = validator
            whole = size
            end = [end, size].compactMap { $0 }.min()
            return
        }
        guard whole == nil || size == nil || whole == size, self.validator == nil || validator == self.validator else {
            throw .changed
        }
    }

    /// The server's size of the whole file.
    private var whole: Int64?
}

extension HTTPError {
    /// How the failure counts for another attempt.
    fileprivate var kind: RetryPolicy.Failure {
        switch code {
        case .connectionLost, .cancelled: .lost
        case .timedOut: .slow
        case .cannotConnectToHost, .cannotFindHost: .unreachable
        default: .hopeless
        }
    }
}
