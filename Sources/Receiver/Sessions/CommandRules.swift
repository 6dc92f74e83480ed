public import Casting

/// What a command must be like before it goes to the player, whichever front end it came by.
///
/// Numbers finite and in range, texts of sane length, URLs absolute and http or https: a sender may name no file, pipe
/// or device of this machine.
public enum CommandRules {
    /// The most items a queue holds.
    public static let queueLimit = 1_000

    /// Checks a command.
    ///
    /// - Parameter queued: how many items the queue holds now.
    /// - Throws: `invalidRequest` or `unsupportedURL`, with the field's name in its sentence and as `field` in its details.
    public static func check(_ command: Command, queued: Int) throws(CastError) {
        switch command {
        case .load(let item):
            try ItemRules.check(item, field: "")
        case .enqueue(let items, let before):
            guard !items.isEmpty else { throw CastError(field: "items", "must hold an item") }
            guard items.count + queued <= queueLimit else {
                throw CastError(field: "items", "would make the queue longer than \(queueLimit) items")
            }
            for (index, item) in items.enumerated() { try ItemRules.check(item, field: "items[\(index)].") }
            let named = items.compactMap(\.id)
            guard Set(named).count == named.count else { throw CastError(field: "items", "must not name an id twice") }
            if let before { try ItemRules.checkText(before, upTo: 128, field: "before") }
        case .seek(let request):
            try number(request.position, in: -1e9...1e9, field: "position")
            try number(request.toleranceBefore ?? 0, in: 0...1e9, field: "toleranceBefore")
            try number(request.toleranceAfter ?? 0, in: 0...1e9, field: "toleranceAfter")
        case .skip(let seconds):
            try number(seconds, in: -1e9...1e9, field: "seconds")
        case .step(let pictures):
            guard pictures != 0 else { throw CastError(field: "pictures", "must not be 0") }
            try number(Double(pictures), in: -100...100, field: "pictures")
        case .setRate(let rate):
            if rate != 0 { try number(rate, in: PlaybackState.rates, field: "rate", note: "0, or ") }
        case .setDefaultRate(let rate):
            try number(rate, in: PlaybackState.rates, field: "defaultRate")
        case .playImmediately(let rate?):
            try number(rate, in: PlaybackState.rates, field: "rate")
        case .setOptions(let options):
            guard options != PlaybackOptions() else {
                throw CastError(.invalidRequest, "There is no option in it.", hint: "GET /v1/openapi.json lists them.")
            }
            if let seconds = options.preferredForwardBufferDuration {
                try number(seconds, in: 0...3600, field: "preferredForwardBufferDuration")
            }
        case .setVolume(.set(let volume)):
            try number(volume, in: 0...1, field: "volume")
        case .setVolume(.adjust(let change)):
            try number(change, in: -1...1, field: "adjustment")
        case .setSubtitles(let change):
            try check(change)
        case .dequeue(let id):
            try ItemRules.checkText(id, upTo: 128, field: "id")
        case .selectTrack(let selection, let kind):
            try choosable(kind)
            if case .option(let id) = selection { try ItemRules.checkText(id, upTo: 128, field: "option") }
        case .renewSource(let renewal):
            try ItemRules.checkURL(renewal.url, field: "url")
            if let headers = renewal.headers { try ItemRules.check(headers, field: "headers") }
            if let id = renewal.itemID { try ItemRules.checkText(id, upTo: 128, field: "itemID") }
        case .nextTrack(let kind):
            try choosable(kind)
        case .nextVideoGravity, .nextChapter, .previousChapter, .setVolume(.mute), .setVolume(.toggleMute), .play,
            .playImmediately(nil),
            .pause, .togglePlayback, .stop,
            .clearQueue, .next,
            .previous, .disconnect:
            break
        }
    }

    /// Checks who asks for a session.
    ///
    /// - Throws: `invalidRequest`, with the field's name.
    public static func check(_ sender: SenderIdentity) throws(CastError) {
        try ItemRules.checkText(sender.id, upTo: 128, field: "sender.id")
        try ItemRules.checkText(sender.name, upTo: 128, field: "sender.name")
    }

    private static func choosable(_ kind: MediaTrack.Kind) throws(CastError) {
        guard kind != .visual else { throw CastError(field: "characteristic", "must be audible or legible") }
    }

    /// Checks a change of how subtitles show.
    private static func check(_ change: SubtitleChange) throws(CastError) {
        guard !change.isEmpty else { throw CastError(field: "delay", "is missing, and so is everything else") }
        guard change.delay == nil || change.delayAdjustment == nil else {
            throw CastError(field: "delayAdjustment", "and “delay” exclude each other")
        }
        try number(change.delay ?? 0, in: SubtitleSettings.delays, field: "delay")
        try number(change.delayAdjustment ?? 0, in: SubtitleSettings.delays, field: "delayAdjustment")
        try number(change.size ?? 1, in: SubtitleSettings.sizes, field: "size")
        try number(change.position ?? 0, in: SubtitleSettings.positions, field: "position")
        guard change.color.map({ SubtitleSettings.number(ofColor: $0) != nil }) ?? true else {
            throw CastError(field: "color", "must be a colour such as #FFD24A")
        }
    }

    static func number(
        _ value: Double, in range: ClosedRange<Double>, field: String, note: String = ""
    ) throws(CastError) {
        guard range.contains(value) else {
            throw CastError(
                field: field, "must be \(note)from \(short(range.lowerBound)) to \(short(range.upperBound))")
        }
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}

extension CastError {
    /// A field that is not as it must be; `complaint` goes on from its name.
    init(field: String, _ complaint: String, code: Code = .invalidRequest, hint: String? = nil) {
        self.init(code, "“\(field)” \(complaint).", hint: hint, details: ["field": field])
    }
}
