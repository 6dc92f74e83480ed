internal import CASS
internal import CSDL
public import Casting
internal import Playback

/// Finds out what picture and sound would come to on this machine, without a screen being open.
public enum ScreenDiagnostics {
    /// How pictures reach the display.
    public struct Display: Hashable, Sendable {
        /// SDL's name of the way: `x11`, `wayland`, `KMSDRM`; `offscreen` or `dummy` where there is no display.
        public var videoDriver: String
        /// Whether there is no display, so that pictures would be drawn in memory only.
        public var isOffscreen: Bool
        /// Pixels of the display.
        public var size: Size
        /// Pictures a second that the display shows; nil where it does not say.
        public var refreshRate: Int?
        /// What OpenGL calls its renderer; nil where there is no OpenGL.
        public var renderer: String?
        /// Whether that renderer works on the processor rather than on a graphics chip.
        public var rendersInSoftware: Bool {
            guard let renderer else { return true }
            return GLContext.isSoftware(renderer)
        }
    }

    /// How sound reaches the loudspeaker.
    public struct Sound: Hashable, Sendable {
        /// SDL's name of the sound system: `pulseaudio`, `pipewire`, `alsa`; `dummy` where there is none.
        public var audioDriver: String
        /// The devices by name, as `ScreenSettings.audioDevice` takes them.
        public var devices: [String]
        /// The format in which the device opened.
        public var sampleRate: Int
        /// How many channels the device opened with.
        public var channelCount: Int
    }

    /// A library and its version.
    public struct Library: Hashable, Sendable {
        /// The library's name.
        public var name: String
        /// Its version as it tells it itself.
        public var version: String
    }

    /// The display that a screen would open, and what draws on it.
    ///
    /// - Throws: `outputUnavailable` where none can be opened.
    @MainActor
    public static func display() throws(CastError) -> Display {
        ScreenWindow.setHints()
        guard SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 else {
            throw CastError(
                .outputUnavailable, "No display can be opened.", hint: ScreenWindow.displayHint,
                details: ["sdl": SDLError.latest])
        }
        defer { SDL_QuitSubSystem(SDL_INIT_VIDEO) }
        let driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? ""
        var mode = SDL_DisplayMode()
        SDL_GetDesktopDisplayMode(0, &mode)
        return Display(
            videoDriver: driver, isOffscreen: ScreenWindow.isInMemory(driver),
            size: Size(width: Int(mode.w), height: Int(mode.h)),
            refreshRate: mode.refresh_rate > 0 ? Int(mode.refresh_rate) : nil, renderer: renderer())
    }

    /// The sound device of that name, the default one where nil: opened and closed again.
    ///
    /// Blocks for as long as the sound system takes to answer.
    /// - Throws: `outputUnavailable` where it cannot be opened.
    public static func sound(device: String? = nil) throws(CastError) -> Sound {
        let output = SystemAudioOutput(deviceName: device)
        defer { output.close() }
        let format = try output.openedFormat()
        return Sound(
            audioDriver: output.driver ?? "", devices: output.devices,
            sampleRate: format.sampleRate, channelCount: format.channelCount)
    }

    /// The libraries this room stands on.
    public static var libraries: [Library] {
        var sdl = SDL_version()
        SDL_GetVersion(&sdl)
        // Its hexadecimal digits are decimal ones: 0x01701000 is 0.17.1.
        let ass = ass_library_version()
        func digits(_ shift: Int32) -> Int { Int(ass >> shift & 0xF) * 10 + Int(ass >> (shift - 4) & 0xF) }
        return [
            Library(name: "SDL", version: "\(sdl.major).\(sdl.minor).\(sdl.patch)"),
            Library(name: "libass", version: "\(ass >> 28 & 0xF).\(digits(24)).\(digits(16))"),
        ]
    }

    @MainActor
    private static func renderer() -> String? {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, Int32(SDL_GL_CONTEXT_PROFILE_ES.rawValue))
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 2)
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0)
        defer { SDL_GL_ResetAttributes() }
        let flags = SDL_WINDOW_OPENGL.rawValue | SDL_WINDOW_HIDDEN.rawValue
        guard let window = SDL_CreateWindow("", 0, 0, 64, 64, flags) else { return nil }
        defer { SDL_DestroyWindow(window) }
        guard let context = SDL_GL_CreateContext(window) else { return nil }
        defer { SDL_GL_DeleteContext(context) }
        let nameOfRenderer: UInt32 = 0x1F01
        return castway_gl_string(nameOfRenderer).map { String(cString: $0) }
    }
}
