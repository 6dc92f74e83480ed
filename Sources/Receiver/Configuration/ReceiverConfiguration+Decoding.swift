import Casting

// Every key that is there is read and checked; every key that is not known is an error. So a typing mistake never
// passes for a default.

extension ReceiverConfiguration {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, port, stateDirectory, logLevel, screen, audio, tracks, subtitles, buffer, network, sessions, limits
    }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.name, into: &name) { Rule.text($0, upTo: 63) }
        try reader.read(.port, into: &port) { Rule.range($0, 0...65535) }
        try reader.read(.stateDirectory, into: &stateDirectory) { Rule.text($0, upTo: 4096) }
        try reader.read(.logLevel, into: &logLevel)
        try reader.read(.screen, into: &screen)
        try reader.read(.audio, into: &audio)
        try reader.read(.tracks, into: &tracks)
        try reader.read(.subtitles, into: &subtitles)
        try reader.read(.buffer, into: &buffer)
        try reader.read(.network, into: &network)
        try reader.read(.sessions, into: &sessions)
        try reader.read(.limits, into: &limits)
    }
}

extension ReceiverConfiguration.Screen {
    enum CodingKeys: String, CodingKey, CaseIterable { case fullscreen, window, presenter, hardwareDecoding }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.fullscreen, into: &fullscreen)
        var window = ConfiguredSize(window)
        try reader.read(.window, into: &window)
        self.window = window.size
        try reader.read(.presenter, into: &presenter)
        try reader.read(.hardwareDecoding, into: &hardwareDecoding)
    }
}

/// A size of which each side is checked; both must be given.
struct ConfiguredSize: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case width, height }
    var size: Size

    init(_ size: Size) { self.size = size }

    init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        var (width, height) = (0, 0)
        try reader.read(.width, into: &width) { Rule.range($0, 160...7680) }
        try reader.read(.height, into: &height) { Rule.range($0, 90...4320) }
        guard width > 0 else { throw reader.problem(.width, "is missing") }
        guard height > 0 else { throw reader.problem(.height, "is missing") }
        size = Size(width: width, height: height)
    }
}

extension ReceiverConfiguration.Audio {
    enum CodingKeys: String, CodingKey, CaseIterable { case device, delay, volume }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.device, into: &device) { Rule.text($0, upTo: 255) }
        try reader.read(.delay, into: &delay) { Rule.range($0, -2...2) }
        try reader.read(.volume, into: &volume) { Rule.range($0, 0...1) }
    }
}

extension ReceiverConfiguration.Tracks {
    enum CodingKeys: String, CodingKey, CaseIterable { case preferredLanguages, captions, sdh, audioDescription }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.preferredLanguages, into: &preferredLanguages) { languages in
            languages.first { LanguageTag($0) == nil }.map { "holds “\(shown($0))”, which is no language tag" }
        }
        try reader.read(.captions, into: &captions)
        try reader.read(.sdh, into: &sdh)
        try reader.read(.audioDescription, into: &audioDescription)
    }
}

extension ReceiverConfiguration.Subtitles {
    enum CodingKeys: String, CodingKey, CaseIterable { case size, color, position }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.size, into: &size) { Rule.range($0, SubtitleSettings.sizes) }
        try reader.read(.color, into: &color) {
            SubtitleSettings.number(ofColor: $0) == nil ? "must be a colour such as #FFD24A" : nil
        }
        try reader.read(.position, into: &position) { Rule.range($0, SubtitleSettings.positions) }
    }
}

extension ReceiverConfiguration.Buffer {
    enum CodingKeys: String, CodingKey, CaseIterable { case ahead, behind }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.ahead, into: &ahead) { Rule.range($0, 1_048_576...4_294_967_296) }
        try reader.read(.behind, into: &behind) { Rule.range($0, 0...4_294_967_296) }
    }
}

extension ReceiverConfiguration.Network {
    enum CodingKeys: String, CodingKey, CaseIterable { case advertise, allowedHostNames }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.advertise, into: &advertise)
        try reader.read(.allowedHostNames, into: &allowedHostNames) { names in
            names.lazy.compactMap { Rule.hostName($0) }.first
        }
    }
}

extension ReceiverConfiguration.Sessions {
    enum CodingKeys: String, CodingKey, CaseIterable { case takeover }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.takeover, into: &takeover)
    }
}

extension ReceiverConfiguration.Limits {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case bodySize, headerSize, requestTime, connectionsPerAddress, eventStreams
    }

    /// Reads what is there over the defaults.
    public init(from decoder: any Decoder) throws {
        let reader = try ConfigurationReader<CodingKeys>(decoder)
        try reader.read(.bodySize, into: &bodySize) { Rule.range($0, 1024...67_108_864) }
        try reader.read(.headerSize, into: &headerSize) { Rule.range($0, 1024...32_768) }
        try reader.read(.requestTime, into: &requestTime) { Rule.range($0, 1...600) }
        try reader.read(.connectionsPerAddress, into: &connectionsPerAddress) { Rule.range($0, 1...10_000) }
        try reader.read(.eventStreams, into: &eventStreams) { Rule.range($0, 1...10_000) }
    }
}
