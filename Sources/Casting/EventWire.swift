public import FoundationEssentials

/// The events as the native event stream carries them: a name and a JSON object.
extension Event {
    /// The name on the wire.
    public var name: String {
        switch self {
        case .state: "state"
        case .progress: "progress"
        case .stalled: "stalled"
        case .ended: "ended"
        case .failed: "failed"
        case .timeJumped: "timeJumped"
        case .routeLost: "routeLost"
        }
    }

    /// The JSON object on the wire.
    ///
    /// - Parameter sentAt: the instant to be said as `sentAt` in a timeline, where the event has one.
    public func payload(sentAt: HostTime? = nil) throws -> Data {
        let encoder = JSONEncoder.wire
        return switch self {
        case .state(let state): try encoder.encode(state.sent(at: sentAt))
        case .progress(let timeline): try encoder.encode(timeline.sent(at: sentAt))
        case .stalled(let itemID), .ended(let itemID): try encoder.encode(ItemNotice(itemID: itemID))
        case .failed(let itemID, let error): try encoder.encode(ItemNotice(itemID: itemID, error: error))
        case .timeJumped(let jump): try encoder.encode(jump)
        case .routeLost(let loss): try encoder.encode(loss)
        }
    }

    /// The event of that name and JSON object; nil for a name that this version does not know.
    ///
    /// - Throws: `DecodingError` where the object does not fit the name.
    public init?(name: String, payload: Data) throws {
        let decoder = JSONDecoder()
        switch name {
        case "state": self = .state(try decoder.decode(PlaybackState.self, from: payload))
        case "progress": self = .progress(try decoder.decode(Timeline.self, from: payload))
        case "stalled": self = .stalled(itemID: try decoder.decode(ItemNotice.self, from: payload).itemID)
        case "ended": self = .ended(itemID: try decoder.decode(ItemNotice.self, from: payload).itemID)
        case "failed":
            let notice = try decoder.decode(ItemNotice.self, from: payload)
            self = .failed(itemID: notice.itemID, error: notice.error ?? CastError(.unknown, "The item failed."))
        case "timeJumped": self = .timeJumped(try decoder.decode(TimeJump.self, from: payload))
        case "routeLost": self = .routeLost(try decoder.decode(RouteLoss.self, from: payload))
        default: return nil
        }
    }
}

extension Timeline {
    /// The copy of it that leaves at `instant`.
    public func sent(at instant: HostTime?) -> Timeline {
        var copy = self
        copy.sentAt = instant
        return copy
    }
}

extension PlaybackState {
    /// The copy of it that leaves at `instant`.
    public func sent(at instant: HostTime?) -> PlaybackState {
        var copy = self
        copy.timeline = timeline.sent(at: instant)
        return copy
    }
}

/// What the events about one item carry.
private struct ItemNotice: Codable {
    var itemID: String
    var error: CastError?
}
