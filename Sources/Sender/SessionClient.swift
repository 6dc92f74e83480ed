public import Casting
public import FoundationEssentials
import HTTP

/// The calls on one session. Each is answered when it has taken effect.
///
/// All throw `sessionEnded`, `notFound` or `notAuthorized` where the session is no more, and `receiverUnreachable`.
public struct SessionClient: Sendable {
    /// The receiver of the session.
    public let receiver: ReceiverClient
    /// What opens the session.
    public let key: SessionKey

    var path: String { "/v1/sessions/\(key.id)" }

    /// Replaces the queue by one item; answered when it is ready to play.
    ///
    /// - Throws: the item's error where it cannot be played.
    public func load(_ item: MediaItem) async throws(CastError) {
        try await receiver.send("PUT", path + "/item", body: item, token: key.token, timeout: ReceiverClient.Bound.load)
    }

    /// The whole state.
    public func playback() async throws(CastError) -> PlaybackState {
        try await receiver.call(
            "GET", path + "/playback", token: key.token, timeout: ReceiverClient.Bound.question)
    }

    /// Plays on.
    public func play() async throws(CastError) { try await post("play") }

    /// Plays what is there, without waiting for more.
    public func playImmediately() async throws(CastError) { try await post("play", PlayRequest(immediately: true)) }

    /// Changes how the session plays.
    public func setOptions(_ options: PlaybackOptions) async throws(CastError) { try await post("options", options) }

    /// Stands still.
    public func pause() async throws(CastError) { try await post("pause") }

    /// Takes the item away.
    public func stop() async throws(CastError) { try await post("stop") }

    /// Goes to a position; answered when its picture is up.
    public func seek(_ request: SeekRequest) async throws(CastError) -> SeekOutcome {
        try await receiver.call("POST", path + "/seek", body: request, token: key.token)
    }

    /// Goes on, or back, by some seconds.
    public func skip(by seconds: Double) async throws(CastError) -> SeekOutcome {
        try await receiver.call("POST", path + "/skip", body: SkipRequest(seconds: seconds), token: key.token)
    }

    /// Stands still, and goes on, or back, by some pictures.
    public func step(by pictures: Int) async throws(CastError) -> SeekOutcome {
        try await receiver.call("POST", path + "/step", body: StepRequest(pictures: pictures), token: key.token)
    }

    /// Changes a rate.
    public func setRate(_ request: RateRequest) async throws(CastError) { try await post("rate", request) }

    /// Changes the volume, or switches the sound off or on.
    public func setVolume(_ request: VolumeRequest) async throws(CastError) { try await post("volume", request) }

    /// Changes when and how subtitles show.
    public func setSubtitles(_ change: SubtitleChange) async throws(CastError) { try await post("subtitles", change) }

    /// Goes to the next item.
    public func next() async throws(CastError) { try await post("next") }

    /// Goes to the item before.
    public func previous() async throws(CastError) { try await post("previous") }

    /// What can be heard and read, and what is.
    public func tracks() async throws(CastError) -> TracksDocument {
        try await receiver.call("GET", path + "/tracks", token: key.token, timeout: ReceiverClient.Bound.question)
    }

    /// Chooses what is heard or read; answered when it is.
    public func selectTrack(_ selection: TrackSelection, of kind: MediaTrack.Kind) async throws(CastError) {
        try await receiver.send(
            "PUT", "\(path)/tracks/\(kind.rawValue)", body: TrackSelectionRequest(selection), token: key.token)
    }

    /// Goes to the next chapter, or back to where one begins.
    public func goToChapter(forward: Bool) async throws(CastError) -> SeekOutcome {
        try await receiver.call(
            "POST", path + "/chapters/" + (forward ? "next" : "previous"), token: key.token)
    }

    /// The items of the queue.
    public func queue() async throws(CastError) -> QueueDocument {
        try await receiver.call("GET", path + "/queue", token: key.token, timeout: ReceiverClient.Bound.question)
    }

    /// Puts items into the queue.
    public func enqueue(_ request: EnqueueRequest) async throws(CastError) { try await post("queue", request) }

    /// Takes an item out of the queue; the next one plays where it was the current one.
    public func dequeue(_ id: String) async throws(CastError) {
        try await receiver.send("DELETE", "\(path)/queue/\(id)", token: key.token)
    }

    /// Takes all but the current item out of the queue.
    public func clearQueue() async throws(CastError) {
        try await receiver.send("DELETE", path + "/queue", token: key.token)
    }

    /// What is on the receiver's screen, as a PNG file's bytes.
    public func screenshot() async throws(CastError) -> Data {
        try await receiver.send("GET", path + "/frame.png", token: key.token).body
    }

    /// What the current item, or the last one, took from the network.
    public func accessLog() async throws(CastError) -> AccessLogDocument {
        try await receiver.call("GET", path + "/accessLog", token: key.token, timeout: ReceiverClient.Bound.question)
    }

    /// What went wrong with the network meanwhile, whether or not it could be mended.
    public func errorLog() async throws(CastError) -> ErrorLogDocument {
        try await receiver.call("GET", path + "/errorLog", token: key.token, timeout: ReceiverClient.Bound.question)
    }

    /// Ends the session; tells where it was.
    public func disconnect() async throws(CastError) -> SessionEnd {
        try await receiver.call("DELETE", path, token: key.token)
    }

    private func post(_ action: String, _ body: (any Encodable)? = nil) async throws(CastError) {
        try await receiver.send("POST", "\(path)/\(action)", body: body, token: key.token)
    }
}

extension CastError {
    /// Whether it says that the session it was about is no more.
    public var meansSessionGone: Bool { [.sessionEnded, .notFound, .notAuthorized].contains(code) }
}
