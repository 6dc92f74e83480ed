public import Casting

/// Everything the screen needs to know to decide what is up: who it is, how to reach it, and what plays.
public struct ScreenStatus: Hashable, Sendable {
    /// The name under which senders see this receiver.
    public var receiverName: String
    /// Where to reach it without discovery, for people: `192.168.1.20:7766`.
    public var addresses: [String] = []
    /// Whether senders can find it by its name.
    public var isAnnounced = true
    /// Something people at the TV should know while nothing plays, such as that the receiver is not announced.
    public var advice: String?
    /// Whose session it is; nil while nobody holds one.
    public var senderName: String?
    /// What plays.
    public var playback = PlaybackState()
    /// The picture that goes with what sounds.
    public var artwork: ArtworkImage?
    /// What went wrong: shown for five seconds when it comes up or changes. An item's own failure shows without it.
    public var notice: CastError?

    /// An idle receiver of that name.
    public init(receiverName: String) {
        self.receiverName = receiverName
    }

    /// What to type on another machine to cast to it: by name where it can be found by that, else by address.
    package var howToCast: String {
        let route = isAnnounced ? nil : addresses.first
        return "castsend play FILE --to \(route ?? Self.quoted(receiverName))"
    }

    /// A name as a shell takes it.
    private static func quoted(_ name: String) -> String {
        let plain = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0))
        }
        if plain && !name.isEmpty { return name }
        var word = "\""
        for character in name {
            if "\"\\$`".contains(character) { word.append("\\") }
            word.append(character)
        }
        return word + "\""
    }
}
