public import Casting

/// How the screen is to be opened.
public struct ScreenSettings: Hashable, Sendable {
    /// What of the display the screen takes.
    public enum Mode: Hashable, Sendable {
        /// All of it, in the display's own resolution.
        case fullScreen
        /// A window of that size in pixels, which people may resize.
        case window(Size)
    }

    /// What brings pictures to the screen.
    public enum Presenter: String, Hashable, Sendable, CaseIterable {
        /// OpenGL ES where a graphics chip does the work, the window's memory elsewhere.
        case automatic = "auto"
        /// The window's own memory, by the processor.
        case surface
        /// OpenGL ES, even where the processor has to do the work.
        case gles
    }

    /// All of the display, or a window.
    public var mode: Mode
    /// The sound device by its name, as `ScreenDiagnostics.sound` lists them; the system's default where nil.
    public var audioDevice: String?
    /// Whether to go on in memory where there is no display, so that only screenshots show the picture.
    public var allowOffscreen: Bool
    /// What brings pictures to the screen.
    public var presenter: Presenter
    /// The window's title.
    public var title: String

    /// The side lengths an in-memory screen has in full-screen mode, as there is no display to ask.
    public static let offscreenSize = Size(width: 1280, height: 720)

    /// Full-screen on the default sound device, refusing to run without a display, unless told otherwise.
    public init(
        mode: Mode = .fullScreen, audioDevice: String? = nil, allowOffscreen: Bool = false,
        presenter: Presenter = .automatic, title: String = "castway"
    ) {
        self.mode = mode
        self.audioDevice = audioDevice
        self.allowOffscreen = allowOffscreen
        self.presenter = presenter
        self.title = title
    }
}
