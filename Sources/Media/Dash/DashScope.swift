import HTTP

extension DashManifest {
    /// What a representation takes over from what it stands in: how its pieces are found.
    struct Scope {
        /// Seconds of the period; nil where not known.
        var periodDuration: Double?
        /// From when to when pieces are to be had, in seconds of the period, for live streams.
        var window: (from: Double, to: Double)?
        private var attributes: [String: String] = [:]
        private var initialization: XMLElement?
        private var timeline: XMLElement?
        private var urls: [XMLElement] = []
        private var way: String?

        init(periodDuration: Double?) {
            self.periodDuration = periodDuration
        }

        /// Takes in what an element says itself.
        mutating func inherit(_ element: XMLElement) {
            for name in ["SegmentTemplate", "SegmentList", "SegmentBase"] {
                guard let given = element.first(name) else { continue }
                way = name
                attributes.merge(given.attributes) { $1 }
                initialization = given.first("Initialization") ?? initialization
                timeline = given.first("SegmentTimeline") ?? timeline
                let list = given.all("SegmentURL")
                if !list.isEmpty { urls = list }
            }
        }

        private func number(_ name: String) -> Int? { attributes[name].flatMap { Int($0) } }

        private var timescale: Double { Double(max(1, number("timescale") ?? 1)) }

        /// Finds a representation's pieces; false where one leads elsewhere than to the web.
        func fill(_ representation: inout Representation, id: String, base: String) -> Bool {
            func address(_ template: String, number: Int = 0, time: Int = 0) -> String? {
                let filled = DashTemplate.fill(
                    template, ["RepresentationID": id],
                    ["Number": number, "Time": time, "Bandwidth": representation.bandwidth])
                return filled.flatMap { WebAddress.resolve($0, against: base) }
            }
            func piece(_ element: XMLElement, _ name: String, _ rangeName: String) -> Piece? {
                let address = element.attributes[name].map { WebAddress.resolve($0, against: base) } ?? base
                return address.map { Piece(address: $0, range: element.attributes[rangeName].flatMap(DashTime.range)) }
            }
            let spans = spans(count: urls.isEmpty ? nil : urls.count)
            switch way {
            case "SegmentTemplate":
                guard let media = attributes["media"] else { return false }
                if let template = attributes["initialization"] {
                    guard let found = address(template) else { return false }
                    representation.initialization = Piece(address: found)
                }
                for span in spans {
                    guard let found = address(media, number: span.number, time: span.ticks) else { return false }
                    representation.segments.append(
                        Segment(piece: Piece(address: found), start: span.start, duration: span.duration))
                }
            case "SegmentList":
                if let initialization {
                    guard let found = piece(initialization, "sourceURL", "range") else { return false }
                    representation.initialization = found
                }
                for (url, span) in zip(urls, spans) {
                    guard let found = piece(url, "media", "mediaRange") else { return false }
                    representation.segments.append(Segment(piece: found, start: span.start, duration: span.duration))
                }
            default:
                if let initialization {
                    representation.initialization = piece(initialization, "sourceURL", "range")
                }
                if let range = attributes["indexRange"].flatMap(DashTime.range) {
                    representation.index = Piece(address: base, range: range)
                }
                representation.segments = [
                    Segment(piece: Piece(address: base), start: 0, duration: periodDuration ?? 0)
                ]
            }
            return true
        }

        private struct Span {
            var number: Int
            var ticks: Int
            var start: Double
            var duration: Double
        }

        /// When each piece is shown.
        private func spans(count: Int?) -> [Span] {
            let offset = number("presentationTimeOffset") ?? 0
            let first = number("startNumber") ?? 1
            func span(_ place: Int, _ ticks: Int, _ length: Int) -> Span {
                Span(
                    number: first &+ place, ticks: ticks, start: Double(ticks &- offset) / timescale,
                    duration: Double(length) / timescale)
            }
            var result: [Span] = []
            if let timeline {
                var time = offset
                let entries = timeline.all("S")
                for (place, entry) in entries.enumerated() {
                    guard let length = entry.number("d"), length > 0 else { continue }
                    time = entry.number("t") ?? time
                    var repeats = entry.number("r") ?? 0
                    if repeats < 0 {
                        // Until the next entry, or until the end.
                        let next = place + 1 < entries.count ? entries[place + 1].number("t") : nil
                        let seconds = periodDuration ?? window?.to ?? 0
                        let end = next ?? offset &+ (Int(exactly: (seconds * timescale).rounded()) ?? 0)
                        repeats = max(0, (end &- time &+ length &- 1) / length - 1)
                    }
                    for _ in 0...repeats {
                        guard result.count < DashManifest.mostSegments else { return result }
                        result.append(span(result.count, time, length))
                        time = time &+ length
                    }
                }
                return result
            }
            let length = max(1, number("duration") ?? Int(max(1, (periodDuration ?? 1) * timescale)))
            let seconds = Double(length) / timescale
            var places = 0..<0
            if let count {
                places = 0..<count
            } else if let window {
                places = max(0, Int(window.from / seconds))..<max(0, Int(window.to / seconds))
                if places.isEmpty { places = places.lowerBound..<places.lowerBound }
            } else if let end = number("endNumber"), end >= first {
                places = 0..<(end - first + 1)
            } else if let periodDuration, periodDuration / seconds < Double(DashManifest.mostSegments) {
                // What is less than a thousandth of a piece too much is rounding.
                places = 0..<max(1, Int((periodDuration / seconds - 0.001).rounded(.up)))
            }
            for place in places.prefix(DashManifest.mostSegments) {
                result.append(span(place, offset &+ place &* length, length))
            }
            if count == nil, window == nil, let periodDuration, let last = result.indices.last {
                result[last].duration = min(result[last].duration, max(0.001, periodDuration - result[last].start))
            }
            return result
        }
    }
}
