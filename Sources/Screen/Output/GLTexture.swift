internal import CGLES

/// A texture of its own size, sampled between its texels or not.
@MainActor
final class GLTexture {
    /// Bytes of a texel and what GL calls such texels. Luminance formats are what ES 2 and 3 have in common.
    enum Texel: Int {
        case one = 1
        case two = 2
        case four = 4

        fileprivate var format: GLenum {
            switch self {
            case .one: GLenum(GL_LUMINANCE)
            case .two: GLenum(GL_LUMINANCE_ALPHA)
            case .four: GLenum(GL_RGBA)
            }
        }
    }

    let name: GLuint
    private var size = (width: 0, height: 0)
    private var texel = Texel.one

    init(isSmooth: Bool) {
        var name: GLuint = 0
        glGenTextures(1, &name)
        self.name = name
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        for parameter in [GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T] {
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(parameter), GL_CLAMP_TO_EDGE)
        }
        smooth(isSmooth)
    }

    isolated deinit {
        var name = name
        glDeleteTextures(1, &name)
    }

    /// Sets whether it is sampled between its texels.
    func smooth(_ isSmooth: Bool) {
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        for parameter in [GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER] {
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(parameter), isSmooth ? GL_LINEAR : GL_NEAREST)
        }
    }

    /// Makes it the texture of a unit.
    func bind(_ unit: Int) {
        glActiveTexture(GLenum(GL_TEXTURE0 + Int32(unit)))
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
    }

    /// Takes in rows of texels without gaps, from row `top` on of `height` in all.
    func upload(
        _ bytes: UnsafeRawPointer?, texel: Texel, width: Int, height: Int, top: Int = 0, rows: Int? = nil
    ) {
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        let (kind, numbers) = (GLenum(GL_TEXTURE_2D), GLenum(GL_UNSIGNED_BYTE))
        if size != (width, height) || self.texel != texel {
            size = (width, height)
            self.texel = texel
            let all = rows == nil ? bytes : nil
            glTexImage2D(
                kind, 0, GLint(texel.format), GLsizei(width), GLsizei(height), 0, texel.format, numbers, all)
            if rows == nil { return }
        }
        glTexSubImage2D(
            kind, 0, 0, GLint(top), GLsizei(width), GLsizei(rows ?? height), texel.format, numbers, bytes)
    }
}
