internal import CSDL
internal import Casting

/// What comes from the window system.
extension Screen {
    func handle(_ event: SDL_Event) {
        switch SDL_EventType(event.type) {
        case SDL_QUIT: mustQuit = true
        case SDL_WINDOWEVENT: handle(window: event.window)
        case SDL_KEYDOWN: handle(key: event.key)
        case SDL_AUDIODEVICEREMOVED: if event.adevice.iscapture == 0 { audio.deviceRemoved(event.adevice.which) }
        default: break
        }
    }

    private func handle(window event: SDL_WindowEvent) {
        switch SDL_WindowEventID(UInt32(event.event)) {
        case SDL_WINDOWEVENT_SIZE_CHANGED: windowChanged()
        case SDL_WINDOWEVENT_EXPOSED: damage = nil
        case SDL_WINDOWEVENT_CLOSE: mustQuit = true
        default: break
        }
    }

    private func handle(key event: SDL_KeyboardEvent) {
        let modifiers = UInt32(event.keysym.mod) & (KMOD_CTRL.rawValue | KMOD_ALT.rawValue | KMOD_GUI.rawValue)
        guard modifiers == 0, let key = Key(code: event.keysym.sym),
            let action = keys.action(for: key, isRepeat: event.repeat != 0, at: .now)
        else { return }
        switch action {
        case .command(let command): commandSource.yield(command)
        case .toggleFullScreen: if window.toggleFullScreen() { windowChanged() }
        }
    }
}

extension Key {
    /// The key of one of SDL's codes; nil where it does nothing here.
    init?(code: SDL_Keycode) {
        guard let key = Self.codes[SDL_KeyCode(UInt32(bitPattern: code))] else { return nil }
        self = key
    }

    private static let codes: [SDL_KeyCode: Key] = [
        SDLK_SPACE: .space, SDLK_LEFT: .left, SDLK_RIGHT: .right, SDLK_UP: .up, SDLK_DOWN: .down, SDLK_m: .m,
        SDLK_w: .w, SDLK_z: .z, SDLK_x: .x,
        SDLK_PAGEUP: .pageUp, SDLK_PAGEDOWN: .pageDown, SDLK_a: .a, SDLK_s: .s, SDLK_PERIOD: .period,
        SDLK_COMMA: .comma, SDLK_f: .f, SDLK_ESCAPE: .escape,
        SDLK_AUDIOPLAY: .mediaPlay,
        SDLK_AUDIOSTOP: .mediaStop,
        SDLK_AUDIONEXT: .mediaNext, SDLK_AUDIOPREV: .mediaPrevious, SDLK_AUDIOFASTFORWARD: .mediaForward,
        SDLK_AUDIOREWIND: .mediaRewind, SDLK_VOLUMEUP: .volumeUp, SDLK_VOLUMEDOWN: .volumeDown,
        SDLK_AUDIOMUTE: .mute, SDLK_MUTE: .mute,
    ]
}
