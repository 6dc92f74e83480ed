internal import CSDL

/// What SDL said last on this thread.
enum SDLError {
    static var latest: String { String(cString: SDL_GetError()) }
}
