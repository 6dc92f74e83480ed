internal import CSDL
internal import Casting

#if canImport(Glibc)
    import Glibc
#endif

/// SDL's window, from opening to closing.
@MainActor
final class ScreenWindow {
    private(set) var pointer: OpaquePointer
    let videoDriver: String
    private(set) var isFullScreen: Bool
    /// The size of the window when it does not take the whole display.
    private let windowSize: Size
    private let title: String
    /// Whether OpenGL draws in it.
    private(set) var usesGL = false

    /// Whether SDL draws in memory only, with that driver.
    nonisolated static func isInMemory(_ driver: String) -> Bool { ["offscreen", "dummy"].contains(driver) }

    init(_ settings: ScreenSettings) throws(CastError) {
        Self.setHints()
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else {
            throw CastError(
                .outputUnavailable, "No display can be opened.", hint: Self.displayHint,
                details: ["sdl": SDLError.latest])
        }
        videoDriver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? ""
        let inMemory = Self.isInMemory(videoDriver)
        // Where no display is found, SDL draws in memory without a word.
        guard !inMemory || settings.allowOffscreen || getenv("SDL_VIDEODRIVER") != nil else {
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
            throw CastError(.outputUnavailable, "There is no display.", hint: Self.displayHint)
        }
        title = settings.title
        switch settings.mode {
        case .window(let wanted):
            windowSize = wanted
            isFullScreen = false
        case .fullScreen:
            windowSize = ScreenSettings.offscreenSize
            isFullScreen = !inMemory
        }
        guard let window = Self.open(settings.title, size: windowSize, isFullScreen: isFullScreen) else {
            let error = CastError(
                .outputUnavailable, "The display gives no window.", hint: Self.displayHint,
                details: ["sdl": SDLError.latest])
            SDL_QuitSubSystem(SDL_INIT_VIDEO)
            throw error
        }
        pointer = window
        SDL_ShowCursor(SDL_DISABLE)
        SDL_StopTextInput()
        SDL_EnableScreenSaver()
    }

    /// Opens the window anew, for OpenGL or without; says false where that fails, and then the old one stays.
    func reopen(usesGL: Bool) -> Bool {
        guard let window = Self.open(title, size: windowSize, isFullScreen: isFullScreen, usesGL: usesGL) else {
            return false
        }
        SDL_DestroyWindow(pointer)
        pointer = window
        self.usesGL = usesGL
        return true
    }

    /// To the whole display, or back to a window: a new one, for without a window manager X leaves an open one as it is.
    /// - Returns: whether there is a new window to draw in.
    func toggleFullScreen() -> Bool {
        guard !Self.isInMemory(videoDriver),
            let window = Self.open(title, size: windowSize, isFullScreen: !isFullScreen, usesGL: usesGL)
        else { return false }
        SDL_DestroyWindow(pointer)
        pointer = window
        isFullScreen.toggle()
        return true
    }

    func close() {
        SDL_DestroyWindow(pointer)
        SDL_QuitSubSystem(SDL_INIT_VIDEO)
    }

    private static func open(
        _ title: String, size: Size, isFullScreen: Bool, usesGL: Bool = false
    ) -> OpaquePointer? {
        let centre = CASTWAY_SDL_WINDOWPOS_CENTERED
        var frame = SDL_Rect(x: centre, y: centre, w: Int32(size.width), h: Int32(size.height))
        var flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        if usesGL {
            flags |= SDL_WINDOW_OPENGL.rawValue
            GLContext.ask(for: 3)
        }
        if isFullScreen {
            flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
            // Without a window manager it keeps the size it is opened with.
            SDL_GetDisplayBounds(0, &frame)
        }
        return SDL_CreateWindow(title, frame.x, frame.y, frame.w, frame.h, flags)
    }

    /// What SDL must know before it starts.
    static func setHints() {
        let hints = [
            // Signals are the program's; SDL would take them for the window being closed.
            (SDL_HINT_NO_SIGNAL_HANDLERS, "1"),
            // A window's memory of its own, not a texture made to look like one.
            (SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"),
            (SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0"),
            (SDL_HINT_APP_NAME, "castway"),
            (SDL_HINT_AUDIO_DEVICE_APP_NAME, "castway"),
            (SDL_HINT_AUDIO_DEVICE_STREAM_NAME, "castway"),
            (SDL_HINT_AUDIO_DEVICE_STREAM_ROLE, "video"),
        ]
        for (name, value) in hints { SDL_SetHint(name, value) }
    }

    nonisolated static let displayHint =
        "Start it on the machine's own desktop or console, or set DISPLAY or WAYLAND_DISPLAY to where one runs."
}
