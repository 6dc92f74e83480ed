/// The document of `GET /v1/receiver`: who the receiver is, what it can do, whether it is free.
public struct ReceiverInfo: Codable, Hashable, Sendable {
    /// What the receiver can play.
    public struct Capabilities: Codable, Hashable, Sendable {
        /// URL schemes it fetches.
        public var protocols: [String]
        /// Containers it opens, FFmpeg's names.
        public var containers: [String]
        /// Codecs for pictures it decodes, FFmpeg's names.
        public var videoCodecs: [String]
        /// Codecs for sound it decodes, FFmpeg's names.
        public var audioCodecs: [String]
        /// The screen in pixels; nil before it is known.
        public var screenSize: Size?
        /// The lowest and the highest rate it plays at, pitch kept.
        public var rates: TimeRange

        /// What a receiver can play.
        public init(
            protocols: [String], containers: [String], videoCodecs: [String], audioCodecs: [String],
            screenSize: Size?, rates: TimeRange
        ) {
            self.protocols = protocols
            self.containers = containers
            self.videoCodecs = videoCodecs
            self.audioCodecs = audioCodecs
            self.screenSize = screenSize
            self.rates = rates
        }
    }

    /// The receiver's UUID; the same for ever.
    public var id: String
    /// Its name for people, as it is announced.
    public var name: String
    /// What kind of thing it is.
    public var model: String
    /// The version of castway.
    public var version: String
    /// The version of the protocol.
    public var protocolVersion: Int
    /// What it can play.
    public var capabilities: Capabilities
    /// Whether it is free.
    public var availability: Availability
    /// The name of the sender that holds it; nil when nobody does.
    public var currentSender: String?

    /// A receiver's description.
    public init(
        id: String, name: String, model: String, version: String, protocolVersion: Int, capabilities: Capabilities,
        availability: Availability, currentSender: String?
    ) {
        self.id = id
        self.name = name
        self.model = model
        self.version = version
        self.protocolVersion = protocolVersion
        self.capabilities = capabilities
        self.availability = availability
        self.currentSender = currentSender
    }
}

/// What this build of castway calls itself.
public enum Castway {
    /// The version of the programs.
    public static let version = "0.1.0"
    /// The version of the native protocol.
    public static let protocolVersion = 1
    /// What a receiver says it is.
    public static let model = "castway receiver"
    /// The DNS-SD service type (RFC 6763).
    public static let serviceType = "_castway._tcp"
}
