import HTTP

/// A manifest of DASH (ISO/IEC 23009-1): which pieces make up each kind of picture, sound and text.
struct DashManifest {
    /// A stretch of bytes at an address.
    struct Piece: Hashable {
        var address: String
        /// The first byte and how many; nil for all of it.
        var range: (first: Int64, count: Int64)?

        static func == (one: Piece, other: Piece) -> Bool {
            one.address == other.address && one.range?.first == other.range?.first
                && one.range?.count == other.range?.count
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(address)
            hasher.combine(range?.first)
        }
    }

    /// A piece with when it is shown.
    struct Segment: Hashable {
        var piece: Piece
        /// Seconds from the period's start.
        var start: Double
        /// Seconds it lasts.
        var duration: Double
    }

    /// One way to have a stream.
    struct Representation {
        var kind: String
        var language: String?
        var label: String?
        var bandwidth = 0
        var width: Int?
        var height: Int?
        var codecs: String?
        /// The number of its adaptation set: those of one set are the same in different quality.
        var set = 0
        var initialization: Piece?
        var segments: [Segment] = []
        /// The file and the place of its index of segments, where the manifest does not list them.
        var index: Piece?
    }

    /// Seconds; nil where the manifest does not say.
    var duration: Double?
    /// Whether pieces are still being added.
    var isLive = false
    /// Seconds until it should be read again.
    var updatePeriod: Double?
    var representations: [Representation] = []

    /// Pieces of one stream at most.
    static let mostSegments = 100_000

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - address: where it came from, which relative addresses go by.
    ///   - now: seconds since 1970, for live streams that list no pieces.
    /// - Returns: nil where it cannot be made out, or leads elsewhere than to http and https.
    init?(_ text: String, address: String, now: Double) {
        guard let root = XMLElement(document: text), root.name == "MPD" else { return nil }
        isLive = root.attributes["type"] == "dynamic"
        updatePeriod = root.attributes["minimumUpdatePeriod"].flatMap(DashTime.seconds)
        duration = root.attributes["mediaPresentationDuration"].flatMap(DashTime.seconds)
        guard let base = Self.base(of: root, in: address) else { return nil }
        let periods = root.all("Period")
        // Of several periods one is played: what is live goes on in the last, and a film is the longest.
        let lengths = periods.map { $0.attributes["duration"].flatMap(DashTime.seconds) ?? 0 }
        guard let place = isLive ? periods.indices.last : periods.indices.max(by: { lengths[$0] < lengths[$1] }) else {
            return nil
        }
        let period = periods[place]
        if periods.count > 1 || duration == nil { duration = lengths[place] > 0 ? lengths[place] : duration }
        var scope = Scope(periodDuration: isLive ? nil : duration)
        if isLive, let start = root.attributes["availabilityStartTime"].flatMap(DashTime.date) {
            let begun = start + (period.attributes["start"].flatMap(DashTime.seconds) ?? 0)
            let window = root.attributes["timeShiftBufferDepth"].flatMap(DashTime.seconds) ?? 60
            scope.window = (max(0, now - begun - window), max(0, now - begun))
        }
        guard let periodBase = Self.base(of: period, in: base) else { return nil }
        scope.inherit(period)
        for (number, set) in period.all("AdaptationSet").enumerated() {
            guard let setBase = Self.base(of: set, in: periodBase) else { return nil }
            var setScope = scope
            setScope.inherit(set)
            for item in set.all("Representation") {
                guard let itemBase = Self.base(of: item, in: setBase) else { return nil }
                var itemScope = setScope
                itemScope.inherit(item)
                let both = set.attributes.merging(item.attributes) { $1 }
                guard let kind = Self.kind(both) else { continue }
                var representation = Representation(kind: kind, language: both["lang"])
                representation.label = (item.first("Label") ?? set.first("Label"))?.text
                representation.bandwidth = item.number("bandwidth") ?? 0
                representation.width = both["width"].flatMap { Int($0) }
                representation.height = both["height"].flatMap { Int($0) }
                representation.codecs = both["codecs"]
                representation.set = number
                guard itemScope.fill(&representation, id: both["id"] ?? "", base: itemBase) else { return nil }
                representations.append(representation)
            }
        }
    }

    private static func base(of element: XMLElement, in base: String) -> String? {
        guard let given = element.first("BaseURL")?.text else { return base }
        return WebAddress.resolve(given, against: base)
    }

    private static func kind(_ attributes: [String: String]) -> String? {
        let type = attributes["mimeType"] ?? ""
        let kind = attributes["contentType"] ?? String(type.prefix { $0 != "/" })
        if type == "text/vtt" { return "text" }
        return ["video", "audio"].contains(kind) ? kind : nil
    }
}
