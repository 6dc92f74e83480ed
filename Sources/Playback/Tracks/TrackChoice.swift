internal import Casting
internal import Media

/// The streams of an item that are played.
struct TrackChoice: Equatable, Sendable {
    /// The stream for the picture; nil for none. A picture that goes with a song is none.
    var video: Int?
    /// The stream for the sound; nil for none.
    var audio: Int?

    /// The streams that a selector has come to.
    ///
    /// - Throws: `decoderNotFound` where the only pictures, or without pictures the only sound, cannot be decoded;
    ///   `fileFailedToParse` where there is neither.
    init(_ selector: TrackSelector) throws(CastError) {
        video = selector.selected(.visual)?.stream
        audio = selector.selected(.audible)?.stream
        if video == nil, !selector.options(of: .visual).isEmpty { throw Self.noDecoder(for: "picture") }
        if video == nil, audio == nil {
            if !selector.options(of: .audible).isEmpty { throw Self.noDecoder(for: "sound") }
            throw CastError(
                .fileFailedToParse, "There is neither picture nor sound in it.",
                hint: "Check that the address leads to a film or a song.")
        }
    }

    private static func noDecoder(for what: String) -> CastError {
        CastError(
            .decoderNotFound, "The \(what) is in a format that cannot be played here.",
            hint: "Convert it to H.264 and AAC.")
    }
}

extension TrackChoice {
    /// What is played.
    var streams: Set<Int> { Set([video, audio].compactMap(\.self)) }

    /// The streams to be read.
    ///
    /// Where all come in one file they pass by anyway: every sound is then kept, within the same budget, so that another one
    /// is heard as soon as it is chosen. Where each comes over a connection of its own only what is played is loaded.
    func streams(of selector: TrackSelector, readsAll: Bool) -> Set<Int> {
        guard readsAll else { return streams }
        return streams.union(selector.options(of: .audible).filter(\.option.playable).compactMap(\.stream))
    }
}
