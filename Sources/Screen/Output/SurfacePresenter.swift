internal import CSDL
internal import Casting
internal import Media

/// Converts pictures straight into the window's own memory: the fastest way where there is no GPU.
@MainActor
final class SurfacePresenter: Presenter {
    private var window: OpaquePointer
    private let scaler = Scaler()
    /// The window's memory; nil once the window is gone or has another size.
    private var surface: UnsafeMutablePointer<SDL_Surface>?
    /// Stands in for the window's memory where that has another layout than the one pictures are drawn in.
    private var ownSurface: OwnSurface?
    /// Whether memory holds `drawnFrame`, or nothing, with the overlay of the last drawing on it.
    private var isMemoryKnown = false
    /// The picture whose pixels are in memory, and where; nil where memory holds anything else.
    private var drawnFrame: VideoFrame?
    private var drawnPlace: Placement?
    /// What changed since the window last showed its memory; all of it where nil.
    private var unshown: [PixelRect]?

    init(window: OpaquePointer) throws(CastError) {
        self.window = window
        try takeSurface()
    }

    let name = "window surface"
    var gravity = VideoGravity.resizeAspect

    private(set) var size = Size(width: 0, height: 0)

    func reset(window: OpaquePointer) throws(CastError) {
        self.window = window
        try takeSurface()
    }

    func draw(
        _ frame: VideoFrame?, _ images: [ImageOverlay], _ overlay: Overlay, damage: [PixelRect]?
    ) throws(CastError) {
        let screen = PixelRect(size)
        let place = frame.map { Placement(of: $0, in: size, gravity) }
        let rect = place?.rect ?? .empty
        let damage = isMemoryKnown && place == drawnPlace ? damage : nil
        if let damage, damage.isEmpty, frame === drawnFrame { return }
        let target = try canvas()
        SDL_LockSurface(target)
        defer { SDL_UnlockSurface(target) }
        guard let memory = target.pointee.pixels else { throw Self.noMemory }
        let stride = Int(target.pointee.pitch) / 4
        let pixels = memory.assumingMemoryBound(to: UInt32.self)

        // Whatever the overlay lies on is drawn again under it: it must never be laid over itself.
        let changed = Overlay.merged((damage ?? [screen]) + [rect])
        isMemoryKnown = false
        for ground in frame == nil ? [screen] : Letterbox.borders(around: rect, in: size) {
            for part in changed { fill(part.intersection(ground), pixels, stride) }
        }
        if let frame, let place, !rect.isEmpty {
            try scaler.draw(
                frame, into: memory + (rect.y * stride + rect.x) * 4, stride: stride * 4, width: rect.width,
                height: rect.height, crop: place.crop)
        }
        for part in changed {
            let part = part.intersection(screen)
            for image in images { image.blend(into: pixels, stride: stride, within: part) }
            overlay.blend(into: pixels, stride: stride, within: part)
        }
        isMemoryKnown = true
        drawnFrame = frame
        drawnPlace = place
        if let earlier = unshown { unshown = damage == nil ? nil : Overlay.merged(earlier + changed) }
    }

    func present() throws(CastError) {
        if let ownSurface, SDL_UpperBlit(ownSurface.pointer, nil, surface, nil) != 0 {
            throw Self.failure("The picture could not be copied into the window.")
        }
        let status: Int32
        if let unshown, ownSurface == nil {
            let rects = unshown.map {
                SDL_Rect(x: Int32($0.x), y: Int32($0.y), w: Int32($0.width), h: Int32($0.height))
            }
            status = rects.isEmpty ? 0 : SDL_UpdateWindowSurfaceRects(window, rects, Int32(rects.count))
        } else {
            status = SDL_UpdateWindowSurface(window)
        }
        guard status == 0 else { throw Self.failure("The window could not be updated.") }
        unshown = []
    }

    func capture() throws(CastError) -> PixelPicture {
        let target = try canvas()
        SDL_LockSurface(target)
        defer { SDL_UnlockSurface(target) }
        guard let memory = target.pointee.pixels else { throw Self.noMemory }
        let size = size
        let row = size.width * 4
        let bytes = [UInt8](unsafeUninitializedCapacity: row * size.height) { buffer, count in
            for y in 0..<size.height {
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[(y * row)...])
                    .copyMemory(
                        from: UnsafeRawBufferPointer(start: memory + y * Int(target.pointee.pitch), count: row))
            }
            count = row * size.height
        }
        return PixelPicture(width: size.width, height: size.height, bytes: bytes)
    }

    private func canvas() throws(CastError) -> UnsafeMutablePointer<SDL_Surface> {
        guard let canvas = ownSurface?.pointer ?? surface else { throw Self.noMemory }
        return canvas
    }

    private func fill(_ rect: PixelRect, _ pixels: UnsafeMutablePointer<UInt32>, _ stride: Int) {
        let rect = rect.intersection(PixelRect(size))
        for y in rect.y..<rect.bottom where !rect.isEmpty {
            (pixels + y * stride + rect.x).update(repeating: 0, count: rect.width)
        }
    }

    /// Takes the window's memory, and brings some of its own where the window's pixels are laid out differently.
    private func takeSurface() throws(CastError) {
        isMemoryKnown = false
        drawnFrame = nil
        unshown = nil
        ownSurface = nil
        surface = SDL_GetWindowSurface(window)
        guard let surface else { throw Self.noMemory }
        size = Size(width: Int(surface.pointee.w), height: Int(surface.pointee.h))
        guard surface.pointee.format.pointee.format != CASTWAY_SDL_PIXELFORMAT_BGRX else { return }
        ownSurface = OwnSurface(size)
        if ownSurface == nil { throw Self.noMemory }
    }

    private static var noMemory: CastError { failure("The window has no memory to draw in.") }

    private static func failure(_ sentence: String) -> CastError {
        CastError(.outputUnavailable, sentence, details: ["sdl": SDLError.latest])
    }
}

/// A surface beside the window's.
private final class OwnSurface {
    let pointer: UnsafeMutablePointer<SDL_Surface>

    init?(_ size: Size) {
        guard
            let surface = SDL_CreateRGBSurfaceWithFormat(
                0, Int32(size.width), Int32(size.height), 32, CASTWAY_SDL_PIXELFORMAT_BGRX)
        else { return nil }
        pointer = surface
    }

    deinit { SDL_FreeSurface(pointer) }
}
