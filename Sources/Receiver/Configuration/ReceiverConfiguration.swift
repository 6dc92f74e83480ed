public import Casting

/// What an owner can set: the content of `castreceiver.json5`. Anything left out has its default.
public struct ReceiverConfiguration: Codable, Hashable, Sendable {
    /// The name senders see; nil for the machine's host name.
    public var name: String?
    /// The TCP port to listen on, 0 to 65535; 0 for any that is free.
    public var port = Endpoint.defaultPort
    /// Where the identity and the saved position are kept; nil for the usual place (`StateStore.usualDirectory`).
    public var stateDirectory: String?
    /// The least important lines that are logged.
    public var logLevel = Log.Level.info
    /// The window or screen.
    public var screen = Screen()
    /// The sound device.
    public var audio = Audio()
    /// Which sound and which subtitles play by themselves.
    public var tracks = Tracks()
    /// How subtitles show until a sender changes it.
    public var subtitles = Subtitles()
    /// What is held of a film in memory.
    public var buffer = Buffer()
    /// Being found and reached.
    public var network = Network()
    /// Who may hold the receiver.
    public var sessions = Sessions()
    /// What a peer on the network may use up.
    public var limits = Limits()

    /// Everything at its default.
    public init() {}

    /// What brings pictures to the screen.
    public enum Presenter: String, Codable, Hashable, Sendable, CaseIterable {
        /// OpenGL ES where a graphics chip does the work, the window's memory elsewhere.
        case auto
        /// The window's own memory, by the processor.
        case surface
        /// OpenGL ES, even where the processor has to do the work.
        case gles
    }

    /// The window or screen.
    public struct Screen: Codable, Hashable, Sendable {
        /// Whether to fill the screen from the start.
        public var fullscreen = true
        /// The size of the window, in pixels, when it does not fill the screen: 160 to 7,680 by 90 to 4,320.
        public var window = Size(width: 1280, height: 720)
        /// What brings pictures to the screen.
        public var presenter = Presenter.auto
        /// Whether a chip may decode films, where there is one that can.
        public var hardwareDecoding = true

        /// Everything at its default.
        public init() {}
    }

    /// The sound device.
    public struct Audio: Codable, Hashable, Sendable {
        /// The device's name; nil for the system's default.
        public var device: String?
        /// Seconds by which sound comes later than the device says of itself, -2 to 2; negative for earlier.
        public var delay = 0.0
        /// The volume to begin with, 0 to 1.
        public var volume = 1.0

        /// Everything at its default.
        public init() {}
    }

    /// Which sound and which subtitles play by themselves.
    public struct Tracks: Codable, Hashable, Sendable {
        /// Languages for sound and subtitles, BCP 47 tags, best first; empty to go by what the media says.
        public var preferredLanguages: [String] = []
        /// When subtitles show.
        public var captions = CaptionsPreference.auto
        /// Whether subtitles for the hard of hearing come before plain ones.
        public var sdh = false
        /// Whether sound that describes the picture is chosen.
        public var audioDescription = false

        /// Everything at its default.
        public init() {}
    }

    /// How subtitles show until a sender changes it.
    public struct Subtitles: Codable, Hashable, Sendable {
        /// How large letters are, in times the usual size: 0.25 to 4.
        public var size = 1.0
        /// The letters' colour, `#RRGGBB`.
        public var color = "#FFFFFF"
        /// How far above their usual place they stand, in hundredths of the screen's height: 0 to 100.
        public var position = 0.0

        /// Everything at its default.
        public init() {}
    }

    /// What is held of a film in memory.
    public struct Buffer: Codable, Hashable, Sendable {
        /// Bytes read ahead of what is being played at most, 1,048,576 to 4,294,967,296.
        public var ahead = 128 << 20
        /// Bytes kept of what has been played, and as many again of the file's own, 0 to 4,294,967,296.
        public var behind = 32 << 20

        /// Everything at its default.
        public init() {}
    }

    /// Being found and reached.
    public struct Network: Codable, Hashable, Sendable {
        /// Whether to announce the receiver on the local network.
        public var advertise = true
        /// Names, beside the machine's own, by which senders may address it.
        public var allowedHostNames: [String] = []

        /// Everything at its default.
        public init() {}
    }

    /// Who may hold the receiver.
    public struct Sessions: Codable, Hashable, Sendable {
        /// Whom a new session pushes out where its sender does not say.
        public var takeover = Takeover.ifIdle

        /// Everything at its default.
        public init() {}
    }

    /// What a peer on the network may use up.
    public struct Limits: Codable, Hashable, Sendable {
        /// Bytes of a request's body, 1,024 to 67,108,864.
        public var bodySize = 1_048_576
        /// Bytes of a request's header, 1,024 to 32,768.
        public var headerSize = 16_384
        /// Seconds to send a whole request in, 1 to 600.
        public var requestTime = 10.0
        /// Connections from one address, 1 to 10,000.
        public var connectionsPerAddress = 64
        /// Event streams in all, 1 to 10,000.
        public var eventStreams = 1_000

        /// Everything at its default.
        public init() {}
    }
}
