internal import CGLES
internal import CSDL
internal import Casting

/// OpenGL ES on a window: version 3, or else 2.
@MainActor
final class GLContext {
    /// What OpenGL calls its renderer.
    let renderer: String
    /// The version by its own word, for example `OpenGL ES 3.2 Mesa 22.3.6`.
    let version: String
    private let pointer: SDL_GLContext

    init(window: OpaquePointer) throws(CastError) {
        var context: SDL_GLContext?
        for major in [3, 2] as [Int32] {
            Self.ask(for: major)
            context = SDL_GL_CreateContext(window)
            if context != nil { break }
        }
        guard let context else { throw Self.failure("OpenGL ES is not to be had.") }
        pointer = context
        func text(_ name: Int32) -> String { glGetString(GLenum(name)).map { String(cString: $0) } ?? "" }
        renderer = text(GL_RENDERER)
        version = text(GL_VERSION)
        // A picture changes between two of the display's, not in the middle of one.
        SDL_GL_SetSwapInterval(1)
    }

    isolated deinit { SDL_GL_DeleteContext(pointer) }

    /// Draws on that window from now on.
    func use(_ window: OpaquePointer) throws(CastError) {
        guard SDL_GL_MakeCurrent(window, pointer) == 0 else { throw Self.failure("OpenGL ES is lost.") }
    }

    /// Asks for a version before a window is opened for it.
    static func ask(for major: Int32) {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, Int32(SDL_GL_CONTEXT_PROFILE_ES.rawValue))
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, major)
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0)
    }

    /// Whether a renderer of that name works on the processor rather than on a graphics chip.
    nonisolated static func isSoftware(_ renderer: String) -> Bool {
        ["llvmpipe", "softpipe", "swrast", "Software", "SwiftShader"].contains { renderer.contains($0) }
    }

    nonisolated static func failure(_ sentence: String) -> CastError {
        CastError(.outputUnavailable, sentence, details: ["sdl": SDLError.latest])
    }

    /// Throws where a call since the last time failed, or the context is lost.
    static func check() throws(CastError) {
        let code = glGetError()
        guard code != GLenum(GL_NO_ERROR) else { return }
        throw CastError(
            .outputUnavailable, "OpenGL ES cannot draw.", details: ["gl": "0x" + String(code, radix: 16)])
    }
}
