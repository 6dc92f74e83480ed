internal import CSDL
internal import Casting

#if canImport(Glibc)
    import Glibc
#endif

/// SDL's window, from opening to closing.
@MainActor
final class ScreenWindow {
    let pointer: OpaquePointer
    let videoDriver: String
    private(set) var isFullScreen: Bool

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
        var size = ScreenSettings.offscreenSize
        var flags = SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
        isFullScreen = false
        switch settings.mode {
        case .window(let wanted): size = wanted
        case .fullScreen where inMemory: break
        case .fullScreen:
            isFullScreen = true
            flags |= SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue
        }
        let centre = CASTWAY_SDL_WINDOWPOS_CENTERED
        guard
            let window = SDL_CreateWindow(
                settings.title, centre, centre, Int32(size.width), Int32(size.height), flags)
        else {
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

    /// To the whole display, or back to a window.
    func toggleFullScreen() {
        setFullScreen(!isFullScreen)
    }

    /// Takes the whole display again after displays came, went or changed.
    func displayChanged() {
        guard isFullScreen else { return }
        setFullScreen(false)
        setFullScreen(true)
    }

    func close() {
        SDL_DestroyWindow(pointer)
        SDL_QuitSubSystem(SDL_INIT_VIDEO)
    }

    private func setFullScreen(_ wanted: Bool) {
        guard !Self.isInMemory(videoDriver) else { return }
        if SDL_SetWindowFullscreen(pointer, wanted ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0) == 0 {
            isFullScreen = wanted
        }
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
