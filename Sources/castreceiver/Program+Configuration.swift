import Casting
import Glibc
import Media
import Receiver
import Screen

extension ReceiverConfiguration {
    /// Where the state is kept: as configured, else the usual place.
    var usedStateDirectory: String {
        if let stateDirectory { return stateDirectory }
        let names = ["STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"]
        let known = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        return StateStore.usualDirectory(environment: Dictionary(uniqueKeysWithValues: known))
    }
}

extension ScreenSettings {
    /// The screen that a configuration asks for. In memory only where SDL_VIDEODRIVER says so.
    init(_ configuration: ReceiverConfiguration) {
        let driver = getenv("SDL_VIDEODRIVER").map { String(cString: $0) }
        self.init(
            mode: configuration.screen.fullscreen ? .fullScreen : .window(configuration.screen.window),
            audioDevice: configuration.audio.device, allowOffscreen: driver == "offscreen" || driver == "dummy",
            presenter: .init(configuration.screen.presenter))
    }
}

extension ScreenSettings.Presenter {
    init(_ presenter: ReceiverConfiguration.Presenter) {
        switch presenter {
        case .auto: self = .automatic
        case .surface: self = .surface
        case .gles: self = .gles
        }
    }
}

extension ScreenStatus {
    /// Takes the name under which the receiver is announced.
    mutating func named(_ name: String) {
        receiverName = name
        isAnnounced = true
        advice = nil
    }

    /// Takes in that nobody can find the receiver by its name.
    mutating func unannounced() {
        isAnnounced = false
        advice = "Not announced on the network: cast by address."
    }
}

extension ReceiverInfo.Capabilities {
    /// What this machine's libraries can play.
    static func here(screenSize: Size?) -> Self {
        Self(
            protocols: ["http", "https"], containers: MediaCapabilities.containers,
            videoCodecs: MediaCapabilities.videoCodecs, audioCodecs: MediaCapabilities.audioCodecs,
            screenSize: screenSize,
            rates: TimeRange(start: PlaybackState.rates.lowerBound, end: PlaybackState.rates.upperBound))
    }
}
