import CFFmpeg
import Casting
import HTTP
import Synchronization

/// What all the connections of one opened media have in common.
final class Network: Sendable {
    private struct State {
        var cancellation: Cancellation
        var failure: CastError?
        var idle: [HTTPTransferSession] = []
        var nested: Set<Int> = []
        var nestedLeft = Int.max
        var hasMovieSegments = false
    }

    let location: MediaLocation
    let traffic = Traffic()
    private let origin: Origin?
    private let connector: @Sendable (TransferRequest) -> any ByteTransfer
    private let state: Mutex<State>

    /// - Parameter connector: makes the transfers; HTTP's unless a test has others.
    init(
        _ location: MediaLocation, cancellation: Cancellation,
        connector: @escaping @Sendable (TransferRequest) -> any ByteTransfer = Network.transfer
    ) {
        self.location = location
        self.connector = connector
        origin = Origin(location.url)
        state = Mutex(State(cancellation: cancellation))
    }

    /// What ends the blocking calls at present.
    var cancellation: Cancellation {
        get { state.withLock { $0.cancellation } }
        set { state.withLock { $0.cancellation = newValue } }
    }

    /// Why the last read failed. libavformat knows only numbers, so the true reason is kept here.
    var failure: CastError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Begins a transfer. The headers go along only to the origin they were given for.
    func connect(_ url: String, offset: Int64?, length: Int64?, session: HTTPTransferSession) -> any ByteTransfer {
        var headers = HTTPHeaders()
        if let origin, Origin(url) == origin {
            for (name, value) in location.headers { headers.set(name, value) }
        }
        return connector(
            TransferRequest(url: url, headers: headers, offset: offset, length: length, session: session))
    }

    /// Whether segments of fragmented MP4 were opened.
    var hasMovieSegments: Bool { state.withLock { $0.hasMovieSegments } }

    /// Notes that libavformat has opened something by way of `openNested`.
    func noteNested(_ input: UnsafeMutablePointer<AVIOContext>, isMovieSegment: Bool) {
        state.withLock { state in
            state.nested.insert(Int(bitPattern: input))
            if isMovieSegment { state.hasMovieSegments = true }
        }
    }

    /// Sets how much libavformat may open by itself from now on; nil lifts the limit.
    ///
    /// Playlists that lead to one another would have it open them for as long as it is let, and keep what it found.
    func limitNested(to count: Int?) {
        state.withLock { $0.nestedLeft = count ?? .max }
    }

    /// Takes one from what libavformat may open by itself.
    func takeNested() throws(CastError) {
        let isLeft = state.withLock { state in
            guard state.nestedLeft > 0 else { return false }
            if state.nestedLeft < .max { state.nestedLeft -= 1 }
            return true
        }
        guard isLeft else {
            throw CastError(
                .fileFailedToParse, "The playlist leads to far too many others.", hint: "Try another copy of it.")
        }
    }

    /// Forgets something that libavformat closes; false where it did not come from `openNested`.
    func forgetNested(_ input: UnsafeMutablePointer<AVIOContext>) -> Bool {
        state.withLock { $0.nested.remove(Int(bitPattern: input)) != nil }
    }

    /// A place for transfers, with a connection still open if one is left over.
    func takeSession() -> HTTPTransferSession {
        state.withLock { $0.idle.popLast() } ?? HTTPTransferSession()
    }

    /// Keeps a place for transfers, whose last one has ended, for the next to come.
    func giveBack(_ session: HTTPTransferSession) {
        state.withLock { state in
            if state.idle.count < 4 { state.idle.append(session) }
        }
    }

    @Sendable private static func transfer(_ request: TransferRequest) -> any ByteTransfer {
        HTTPTransfer(
            url: request.url, headers: request.headers, offset: request.offset, length: request.length,
            session: request.session)
    }
}

/// Scheme, host and port: what may share headers.
struct Origin: Hashable {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of an absolute http or https URL; nil for any other.
    init?(_ url: String) {
        let parts = url.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
        scheme = parts[0].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var authority = parts[1].dropFirst(2).prefix { !"/?#\\".contains($0) }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[bracket...].lastIndex(of: ":") {
            host = authority[..<colon].lowercased()
            port = Int(authority[authority.index(after: colon)...]) ?? -1
        } else {
            host = authority.lowercased()
            port = scheme == "https" ? 443 : 80
        }
        guard !host.isEmpty else { return nil }
    }
}
