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
        var hasBegun = false
        var isGrowing = false
        var lost: CastError?
        var playlists = Playlists()
        var dash: DashStream?
    }

    let supply: MediaSupply
    let cache: ByteCache
    /// Bytes of a file that are kept on disk at most.
    let spoolLimit: Int64
    private let connector: @Sendable (TransferRequest) -> any ByteTransfer
    private let state: Mutex<State>

    /// - Parameter connector: makes the transfers; HTTP's unless a test has others.
    init(
        _ supply: MediaSupply, cancellation: Cancellation, budget: CacheBudget = CacheBudget(),
        spoolLimit: Int64 = SpooledBytes.limit,
        connector: @escaping @Sendable (TransferRequest) -> any ByteTransfer = Network.transfer
    ) {
        self.supply = supply
        self.connector = connector
        self.spoolLimit = spoolLimit
        cache = ByteCache(budget: budget)
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

    /// The manifest of DASH that the item is; nil where it is none.
    var dash: DashStream? {
        get { state.withLock { $0.dash } }
        set { state.withLock { $0.dash = newValue } }
    }

    /// Where the item is at present.
    var location: MediaLocation { supply.location }

    /// What came over the network.
    var traffic: Traffic { supply.traffic }

    /// Whether the media has been opened: what fails from then on fails in the middle.
    var hasBegun: Bool {
        get { state.withLock { $0.hasBegun } }
        set { state.withLock { $0.hasBegun = newValue } }
    }

    /// Whether it is a stream to which pieces are still being added.
    var isGrowing: Bool { state.withLock { $0.isGrowing } }

    /// Takes in a playlist of HLS that was read, and answers what libavformat is to see of it.
    ///
    /// - Parameter address: where it came from; nil for the item itself.
    func takePlaylist(_ bytes: [UInt8], at address: String?) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return state.withLock { state in
            if text.contains("#EXTINF"), !text.contains("#EXT-X-ENDLIST") { state.isGrowing = true }
            return state.playlists.take(bytes, at: address)
        }
    }

    /// What is known of the playlists.
    var playlists: Playlists { state.withLock { $0.playlists } }

    /// Has playlists be read from a time on.
    func beginPlaylists(at time: Double) {
        state.withLock { $0.playlists.begin(at: time) }
    }

    /// Why a piece of a film is missing: libavformat would go on with the next one.
    var lost: CastError? {
        get { state.withLock { $0.lost } }
        set { state.withLock { $0.lost = newValue } }
    }

    /// Notes that a piece could not be had.
    func noteLoss(_ error: CastError) {
        guard !cancellation.isCancelled else { return }
        state.withLock { state in
            if state.hasBegun, !state.isGrowing, state.lost == nil { state.lost = error }
        }
    }

    /// Begins a transfer. The item's headers go along only to the origin they were given for.
    func connect(
        _ url: String, offset: Int64?, length: Int64?, silence: Double, session: HTTPTransferSession
    ) -> any ByteTransfer {
        var headers = HTTPHeaders()
        let location = location
        if let origin = Origin(location.url), Origin(url) == origin {
            if let id = supply.playbackSessionID { headers.set("X-Playback-Session-Id", id) }
            for (name, value) in location.headers { headers.set(name, value) }
        }
        traffic.recordRequest()
        return connector(
            TransferRequest(
                url: url, headers: headers, offset: offset, length: length, silence: silence, session: session))
    }

    /// Notes that libavformat has opened something by way of `openNested`.
    func noteNested(_ input: UnsafeMutablePointer<AVIOContext>) {
        state.withLock { state in _ = state.nested.insert(Int(bitPattern: input)) }
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
        var timeouts = HTTPTransferTimeouts()
        timeouts.silence = request.silence
        return HTTPTransfer(
            url: request.url, headers: request.headers, offset: request.offset, length: request.length,
            timeouts: timeouts, session: request.session)
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
