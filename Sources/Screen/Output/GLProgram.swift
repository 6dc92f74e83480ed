internal import CGLES
internal import Casting

/// A pair of compiled shaders.
@MainActor
final class GLProgram {
    private let name: GLuint
    private var places: [String: GLint] = [:]

    /// - Parameters:
    ///   - fragment: the fragment shader.
    ///   - defines: names with values, known to it.
    init(vertex: String, fragment: String, defines: [(String, Int)] = []) throws(CastError) {
        let head = defines.map { "#define \($0) \($1)\n" }.joined()
        name = glCreateProgram()
        for (kind, source) in [(GL_VERTEX_SHADER, vertex), (GL_FRAGMENT_SHADER, head + fragment)] {
            let shader = try Self.compiled(GLenum(kind), "#version 100\n" + source)
            glAttachShader(name, shader)
            // Goes with the program.
            glDeleteShader(shader)
        }
        glBindAttribLocation(name, 0, "corner")
        glBindAttribLocation(name, 1, "part")
        glLinkProgram(name)
        var isGood: GLint = 0
        glGetProgramiv(name, GLenum(GL_LINK_STATUS), &isGood)
        guard isGood != 0 else { throw CastError(.outputUnavailable, "A shader does not link.") }
    }

    isolated deinit { glDeleteProgram(name) }

    func use() { glUseProgram(name) }

    func set(_ uniform: String, _ value: Int32) { glUniform1i(place(uniform), value) }
    func set(_ uniform: String, _ value: Float) { glUniform1f(place(uniform), value) }
    func set(_ uniform: String, vector values: [Float]) {
        switch values.count {
        case 3: glUniform3fv(place(uniform), 1, values)
        default: glUniform4fv(place(uniform), 1, values)
        }
    }
    func set(_ uniform: String, columns: [[Float]]) {
        glUniformMatrix3fv(place(uniform), 1, GLboolean(GL_FALSE), columns.flatMap { $0 })
    }

    /// Draws a rectangle.
    ///
    /// - Parameters:
    ///   - corners: where on the screen, -1 to 1: top left, top right, bottom left, bottom right.
    ///   - parts: which places of the texture come there.
    func drawQuad(corners: [Float], parts: [Float]) {
        corners.withUnsafeBufferPointer { corners in
            parts.withUnsafeBufferPointer { parts in
                glEnableVertexAttribArray(0)
                glEnableVertexAttribArray(1)
                glVertexAttribPointer(0, 2, GLenum(GL_FLOAT), GLboolean(GL_FALSE), 0, corners.baseAddress)
                glVertexAttribPointer(1, 2, GLenum(GL_FLOAT), GLboolean(GL_FALSE), 0, parts.baseAddress)
                glDrawArrays(GLenum(GL_TRIANGLE_STRIP), 0, 4)
            }
        }
    }

    private func place(_ uniform: String) -> GLint {
        if let place = places[uniform] { return place }
        let place = glGetUniformLocation(name, uniform)
        places[uniform] = place
        return place
    }

    private static func compiled(_ kind: GLenum, _ source: String) throws(CastError) -> GLuint {
        let shader = glCreateShader(kind)
        source.withCString { text in
            var text: UnsafePointer<GLchar>? = text
            glShaderSource(shader, 1, &text, nil)
        }
        glCompileShader(shader)
        var isGood: GLint = 0
        glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &isGood)
        guard isGood == 0 else { return shader }
        var log = [GLchar](repeating: 0, count: 1024)
        glGetShaderInfoLog(shader, 1024, nil, &log)
        let words = String(decoding: log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw CastError(.outputUnavailable, "A shader does not compile.", details: ["gl": words])
    }
}
