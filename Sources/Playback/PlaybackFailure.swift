internal import Casting
internal import Media

extension CastError {
    /// What a failure to read means once an item plays: its server went away, which no address or file is to blame for.
    var inTheMiddle: CastError {
        let gone: Set<CastError.Code> = [
            .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost, .secureConnectionFailed,
            .contentIsUnavailable,
        ]
        guard gone.contains(code) else { return self }
        var details = details ?? [:]
        details["reason"] = code.rawValue
        return CastError(
            .noLongerPlayable, "The media cannot be reached any more.",
            hint: "Check that its server still runs, then play it again; the place is kept.", details: details)
    }
}

extension OpenedMedia {
    /// What of the item cannot be played although the rest can; nil where all can.
    var notice: CastError? {
        let sounds = streams.filter { $0.kind == .audible }
        guard choice.video != nil, let sound = sounds.first, !sounds.contains(where: \.isDecodable) else { return nil }
        return CastError(
            .decoderNotFound, "The sound is in a format that cannot be played here.",
            hint: "Convert it to AAC to hear it.", details: ["codec": sound.codec])
    }
}
