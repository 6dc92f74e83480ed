/// How people want subtitles.
public struct SubtitleSettings: Codable, Hashable, Sendable {
    /// Seconds by which they come later than the media says, -3600 to 3600; negative for earlier. Back at 0 with each item.
    public var delay = 0.0
    /// How large letters are, in times the usual size: 0.25 to 4.
    public var size = 1.0
    /// The letters' colour, `#RRGGBB`. What has colours of its own keeps them.
    public var color = "#FFFFFF"
    /// How far above their usual place they stand, in hundredths of the screen's height: 0 to 100. What has a place of
    /// its own keeps it.
    public var position = 0.0

    /// The usual.
    public init() {}

    /// What a delay may be, in seconds.
    public static let delays = -3600.0...3600.0
    /// What a size may be.
    public static let sizes = 0.25...4.0
    /// What a position may be.
    public static let positions = 0.0...100.0

    /// The number of a colour `#RRGGBB`; nil where it is none.
    public static func number(ofColor text: String) -> UInt32? {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        return UInt32(text.dropFirst(), radix: 16)
    }
}

/// A change of how people want subtitles; what is nil stays. The body of `POST …/subtitles`.
public struct SubtitleChange: Codable, Hashable, Sendable {
    /// The delay from now on, in seconds; excludes `delayAdjustment`.
    public var delay: Double?
    /// Seconds to add to the delay.
    public var delayAdjustment: Double?
    /// The size from now on.
    public var size: Double?
    /// The colour from now on.
    public var color: String?
    /// The position from now on.
    public var position: Double?

    /// A change of nothing yet.
    public init(
        delay: Double? = nil, delayAdjustment: Double? = nil, size: Double? = nil, color: String? = nil,
        position: Double? = nil
    ) {
        self.delay = delay
        self.delayAdjustment = delayAdjustment
        self.size = size
        self.color = color
        self.position = position
    }

    /// Whether it changes nothing.
    public var isEmpty: Bool { self == SubtitleChange() }
}

extension SubtitleSettings {
    /// Takes a change over; what goes beyond the limits ends at them.
    public mutating func apply(_ change: SubtitleChange) {
        if let delay = change.delay { self.delay = delay.clamped(to: Self.delays) }
        // In thousandths, so that many small steps lead back to 0.
        if let more = change.delayAdjustment {
            delay = (((delay + more) * 1000).rounded() / 1000).clamped(to: Self.delays)
        }
        if let size = change.size { self.size = size.clamped(to: Self.sizes) }
        if let color = change.color, Self.number(ofColor: color) != nil { self.color = color }
        if let position = change.position { self.position = position.clamped(to: Self.positions) }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
