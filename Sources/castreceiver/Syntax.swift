import Arguments
import Casting
import Glibc
import Receiver

/// What the command line may say, and what it makes of the configuration file.
enum Syntax {
    static let program = CommandSyntax(
        "castreceiver",
        summary: "Makes this screen a place to cast films and music to",
        discussion: """
            Announces itself on the local network and plays what senders such as castsend hand it. What is given here \
            counts more than the configuration file.

            Keys: space plays and pauses, left and right go 10 seconds back and on, up and down change the volume, M \
            mutes, F fills the screen, Esc ends the session.
            """,
        options: [
            .value("config", "FILE", help: "Read this configuration; else \(usualFiles.joined(separator: " or "))."),
            .value("name", "NAME", help: "The name that senders see; else the host name."),
            .value("port", "N", help: "The TCP port, \(Endpoint.defaultPort) unless told otherwise; 0 for any."),
            .flag("fullscreen", help: "Fill the screen, which is the default."),
            .value("window", "WxH", help: "Show a window of that size instead, for example 1280x720."),
            .value("presenter", "P", help: "What brings pictures to the screen: auto, surface or gles."),
            .value("audio-device", "NAME", help: "The sound device; “castreceiver check” lists them."),
            .value("state-dir", "DIR", help: "Where to keep the receiver's identity and last position."),
            .flag("no-advertise", help: "Do not announce the receiver; senders then need its address."),
            .value("log-level", "L", help: "How much to log: error, warning, info or debug."),
        ],
        commands: [
            CommandSyntax(
                "check", summary: "Tell what would keep the receiver from working, and how to mend it",
                discussion: "Looks at screen, sound, network and storage. Ends with 1 where something is wrong.")
        ],
        runsAlone: true, version: Castway.version)

    private static let usualFiles = ["~/.config/castway/castreceiver.json5", "/etc/castway/castreceiver.json5"]

    /// The configuration: the file named, or a usual one that is there, or the defaults; then the options over it.
    ///
    /// - Throws: `UsageError` for a wrong option, `CastError` for a wrong file.
    static func configuration(_ arguments: ParsedArguments) throws -> ReceiverConfiguration {
        var configuration = ReceiverConfiguration()
        if let file = arguments.value("config") ?? usualFiles.map(expanded).first(where: { access($0, R_OK) == 0 }) {
            configuration = try ReceiverConfiguration.load(file)
        }
        try apply(arguments, to: &configuration)
        return configuration
    }

    private static func apply(_ arguments: ParsedArguments, to configuration: inout ReceiverConfiguration) throws {
        if let name = arguments.value("name") {
            guard !name.isEmpty, name.utf8.count <= 63 else { throw UsageError("--name wants 1 to 63 bytes.") }
            configuration.name = name
        }
        if let port = try arguments.integer("port", in: 0...65535) { configuration.port = port }
        if let device = arguments.value("audio-device") { configuration.audio.device = device }
        if let presenter: ReceiverConfiguration.Presenter = try arguments.choice("presenter") {
            configuration.screen.presenter = presenter
        }
        if let directory = arguments.value("state-dir") { configuration.stateDirectory = directory }
        if arguments.has("no-advertise") { configuration.network.advertise = false }
        if let level: Log.Level = try arguments.choice("log-level") { configuration.logLevel = level }
        if let text = arguments.value("window") {
            guard !arguments.has("fullscreen") else {
                throw UsageError("--fullscreen and --window exclude each other.")
            }
            configuration.screen.window = try size(text)
            configuration.screen.fullscreen = false
        }
        if arguments.has("fullscreen") { configuration.screen.fullscreen = true }
    }

    private static func size(_ text: String) throws(UsageError) -> Size {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (160...7680).contains(width),
            (90...4320).contains(height)
        else {
            throw UsageError("--window wants a size from 160x90 to 7680x4320, for example 1280x720, not “\(text)”.")
        }
        return Size(width: width, height: height)
    }

    private static func expanded(_ path: String) -> String {
        guard path.hasPrefix("~"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }
}
