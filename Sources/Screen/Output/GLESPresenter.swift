internal import CGLES
internal import CSDL
internal import Casting
internal import Media

/// Leaves the work to a graphics chip: planes go to it as they are, and it scales, turns, decodes and maps them.
@MainActor
final class GLESPresenter: Presenter {
    private var window: OpaquePointer
    private let context: GLContext
    private let picture: GLPicture
    private let overlayProgram: GLProgram
    private var overlayTexture: GLTexture
    /// What was drawn last, and whether the overlay's texture holds all of it.
    private var drawn: (frame: VideoFrame?, overlay: Overlay)?
    /// The images between them, each in a texture of its own.
    private var images: [(image: ImageOverlay, texture: GLTexture)] = []

    /// - Throws: `outputUnavailable` where there is no OpenGL ES 2, or it works on the processor and that is not wanted.
    init(window: OpaquePointer, acceptsSoftware: Bool) throws(CastError) {
        self.window = window
        context = try GLContext(window: window)
        guard acceptsSoftware || !GLContext.isSoftware(context.renderer) else {
            throw CastError(.outputUnavailable, "OpenGL ES would work on the processor.")
        }
        picture = GLPicture()
        overlayProgram = try GLProgram(vertex: GLShaders.vertex, fragment: GLShaders.overlay)
        overlayTexture = GLTexture(isSmooth: false)
        measure()
        try GLContext.check()
    }

    var name: String { "\(context.version) on \(context.renderer)" }

    var gravity = VideoGravity.resizeAspect

    private(set) var size = Size(width: 0, height: 0)

    func reset(window: OpaquePointer) throws(CastError) {
        self.window = window
        try context.use(window)
        drawn = nil
        measure()
    }

    func draw(
        _ frame: VideoFrame?, _ images: [ImageOverlay], _ overlay: Overlay, damage: [PixelRect]?
    ) throws(CastError) {
        let isKnown = drawn.map { $0.overlay === overlay } ?? false
        drawn = (frame, overlay)
        upload(overlay, damage: isKnown ? damage : nil)
        self.images = images.map { image in
            (image, self.images.first { $0.image === image }?.texture ?? Self.texture(of: image))
        }
        if let frame { try picture.take(frame) }
        try paint()
        try GLContext.check()
    }

    func present() throws(CastError) {
        SDL_GL_SwapWindow(window)
    }

    func capture() throws(CastError) -> PixelPicture {
        // What a window holds is not for reading: it may be covered.
        let target = GLTexture(isSmooth: false)
        target.upload(nil, texel: .four, width: size.width, height: size.height)
        var buffer: GLuint = 0
        glGenFramebuffers(1, &buffer)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), buffer)
        defer {
            glBindFramebuffer(GLenum(GL_FRAMEBUFFER), 0)
            glDeleteFramebuffers(1, &buffer)
        }
        glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), target.name, 0)
        try paint()
        var bytes = [UInt8](repeating: 0, count: size.width * size.height * 4)
        glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
        glReadPixels(
            0, 0, GLsizei(size.width), GLsizei(size.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), &bytes)
        try GLContext.check()
        return PixelPicture(width: size.width, height: size.height, bytes: Self.upright(bytes, width: size.width))
    }

    /// Draws all of it into what is bound: the window, or a texture.
    private func paint() throws(CastError) {
        glViewport(0, 0, GLsizei(size.width), GLsizei(size.height))
        glDisable(GLenum(GL_BLEND))
        glClearColor(0, 0, 0, 1)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        guard let drawn else { return }
        if let frame = drawn.frame {
            let place = Placement(of: frame, in: size, gravity)
            if !place.rect.isEmpty { try picture.draw(corners: corners(place.rect), crop: place.crop) }
        }
        guard !drawn.overlay.covered.isEmpty || !images.isEmpty else { return }
        glEnable(GLenum(GL_BLEND))
        glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        overlayProgram.use()
        overlayProgram.set("plane0", Int32(0))
        for (image, texture) in images {
            texture.bind(0)
            overlayProgram.drawQuad(corners: corners(image.rect), parts: [0, 0, 1, 0, 0, 1, 1, 1])
        }
        overlayTexture.bind(0)
        for rect in drawn.overlay.covered {
            let (left, right) = (Float(rect.x) / Float(size.width), Float(rect.right) / Float(size.width))
            let (top, bottom) = (Float(rect.y) / Float(size.height), Float(rect.bottom) / Float(size.height))
            overlayProgram.drawQuad(
                corners: corners(rect), parts: [left, top, right, top, left, bottom, right, bottom])
        }
    }

    private static func texture(of image: ImageOverlay) -> GLTexture {
        let texture = GLTexture(isSmooth: false)
        image.pixels.withUnsafeBytes { bytes in
            texture.upload(bytes.baseAddress, texel: .four, width: image.rect.width, height: image.rect.height)
        }
        return texture
    }

    private func corners(_ rect: PixelRect) -> [Float] {
        func x(_ pixel: Int) -> Float { Float(pixel) / Float(size.width) * 2 - 1 }
        func y(_ pixel: Int) -> Float { 1 - Float(pixel) / Float(size.height) * 2 }
        return [
            x(rect.x), y(rect.y), x(rect.right), y(rect.y), x(rect.x), y(rect.bottom), x(rect.right), y(rect.bottom),
        ]
    }

    /// Brings what changed of the overlay to the chip, in whole rows.
    private func upload(_ overlay: Overlay, damage: [PixelRect]?) {
        let size = overlay.pixels.size
        guard size.width > 0, size.height > 0 else { return }
        guard let damage else {
            overlayTexture.upload(overlay.pixels.base, texel: .four, width: size.width, height: size.height)
            return
        }
        for rect in damage {
            let rect = rect.intersection(overlay.pixels.bounds)
            guard !rect.isEmpty else { continue }
            overlayTexture.upload(
                overlay.pixels.row(rect.y), texel: .four, width: size.width, height: size.height, top: rect.y,
                rows: rect.height)
        }
    }

    private func measure() {
        var (width, height): (Int32, Int32) = (0, 0)
        SDL_GL_GetDrawableSize(window, &width, &height)
        size = Size(width: Int(width), height: Int(height))
    }

    /// GL's rows begin at the bottom, and its pixels with red.
    nonisolated static func upright(_ bytes: [UInt8], width: Int) -> [UInt8] {
        let height = bytes.count / 4 / max(1, width)
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
            for y in 0..<height {
                for x in 0..<width {
                    let (from, to) = (((height - 1 - y) * width + x) * 4, (y * width + x) * 4)
                    result[to] = bytes[from + 2]
                    result[to + 1] = bytes[from + 1]
                    result[to + 2] = bytes[from]
                    result[to + 3] = 0
                }
            }
            count = bytes.count
        }
    }
}
