internal import CGLES
internal import Casting
internal import Media

/// A picture in textures, as it is stored, and how to draw it upright and in the right colours.
@MainActor
final class GLPicture {
    /// What a shader is made for.
    private struct Kind: Hashable {
        var layout: Int
        var isWide: Bool
        var tone: Int
    }

    private let textures = (0..<3).map { _ in GLTexture(isSmooth: true) }
    private let scaler = Scaler()
    private let largestSide: Int
    private let isPrecise: Bool
    private var programs: [Kind: GLProgram] = [:]
    private var kind = Kind(layout: 0, isWide: false, tone: 0)
    private var maps: [[Float]] = []
    /// Texels of the planes of luma and chroma, in width and height.
    private var sizes: [[Float]] = []
    /// The picture that the textures hold.
    private(set) var frame: VideoFrame?

    init() {
        var side: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_TEXTURE_SIZE), &side)
        largestSide = Int(side)
        var (range, precision): ([GLint], GLint) = ([0, 0], 0)
        glGetShaderPrecisionFormat(GLenum(GL_FRAGMENT_SHADER), GLenum(GL_HIGH_FLOAT), &range, &precision)
        isPrecise = precision >= 20
    }

    /// Brings a picture to the chip.
    func take(_ frame: VideoFrame) throws(CastError) {
        guard frame !== self.frame else { return }
        self.frame = nil
        let curve = ToneCurve(frame.colour)
        let planes = frame.colour.matrix == .rgb || !isPrecise ? nil : frame.planes
        if let planes, planes.planes.allSatisfy({ $0.stride <= largestSide && $0.height <= largestSide }) {
            upload(planes, width: frame.width)
            let tone = curve.map { $0.transfer == .sdr ? 1 : $0.transfer == .pq ? 2 : 3 } ?? 0
            let layout = planes.layout == .gray ? 1 : planes.layout == .pairs ? 2 : 3
            kind = Kind(layout: layout, isWide: planes.bits > 8, tone: tone)
            let program = try program()
            program.use()
            // A sample's bytes count 255 each at most; as a number of `bits` it is to be 1 at most.
            program.set("depth", 255 / Float((1 << planes.bits - 1) << planes.shift))
            let decoding = frame.colour.decoding(bits: planes.bits)
            program.set("offset", vector: decoding.offset)
            program.set("decoding", columns: decoding.columns)
            if let curve {
                func list(_ values: [Double]) -> [Float] { values.map { Float($0) } }
                program.set("peak", Float(curve.peak))
                program.set("luminance", vector: list(curve.luminance))
                let columns = curve.columns
                program.set("gamut", columns: [list(columns.red), list(columns.green), list(columns.blue)])
            }
        } else {
            try uploadConverted(frame)
        }
        self.frame = frame
    }

    /// Draws it in a rectangle of the screen.
    ///
    /// - Parameters:
    ///   - corners: the rectangle, as `GLProgram.drawQuad` takes it.
    ///   - crop: what of the upright picture to leave out.
    func draw(corners: [Float], crop: Crop = .none) throws(CastError) {
        guard let frame else { return }
        let program = try program()
        program.use()
        for (unit, texture) in textures.enumerated() {
            texture.bind(unit)
            program.set("plane\(unit)", Int32(unit))
        }
        program.set("map0", vector: maps[0])
        program.set("map1", vector: maps[1])
        if kind.isWide {
            program.set("size0", vector: sizes[0])
            program.set("size1", vector: sizes[1])
        }
        // What was converted stands upright already.
        let orientation = kind.layout == 0 ? Orientation() : frame.orientation
        program.drawQuad(corners: corners, parts: Self.parts(orientation, crop))
    }

    /// Places in the stored picture for the corners of the upright one.
    nonisolated static func parts(_ orientation: Orientation, _ crop: Crop) -> [Float] {
        let (left, right) = (crop.left, 1 - crop.right)
        let (top, bottom) = (crop.top, 1 - crop.bottom)
        return [(left, top), (right, top), (left, bottom), (right, bottom)].flatMap { x, y -> [Float] in
            var place =
                switch orientation.rotation {
                case 90: (x: y, y: 1 - x)
                case 180: (x: 1 - x, y: 1 - y)
                case 270: (x: 1 - y, y: x)
                default: (x: x, y: y)
                }
            if orientation.mirrored { place.x = 1 - place.x }
            return [Float(place.x), Float(place.y)]
        }
    }

    private func upload(_ planes: FramePlanes, width: Int) {
        let sample = planes.bits > 8 ? 2 : 1
        maps = []
        sizes = []
        for (index, plane) in planes.planes.enumerated() {
            let isChroma = index > 0
            let bytes = isChroma && planes.layout == .pairs ? sample * 2 : sample
            let texel = GLTexture.Texel(rawValue: bytes) ?? .four
            let texels = plane.stride / bytes
            textures[index].upload(plane.bytes, texel: texel, width: texels, height: plane.height)
            textures[index].smooth(sample == 1)
            guard index < 2 else { continue }
            sizes.append([Float(texels), Float(plane.height), 0])
            let (across, down) = isChroma ? planes.chroma : (1, 1)
            let rows = Float(planes.planes[0].height) / Float(down)
            // Chroma of fewer columns stands where every other luma sample does (H.264, figure 6-1), not between two.
            let shift = across == 2 ? 0.25 : Float(0)
            let used = Float((width + across - 1) / across)
            maps.append([
                Float(width) / Float(across) / Float(texels), rows / Float(plane.height), shift / Float(texels),
                (used - 0.5) / Float(texels),
            ])
        }
        if maps.count == 1 { (maps, sizes) = ([maps[0], maps[0]], [sizes[0], sizes[0]]) }
    }

    /// For layouts that no shader knows, and chips that count too coarsely.
    private func uploadConverted(_ frame: VideoFrame) throws(CastError) {
        let size = frame.orientation.swapsAxes ? (frame.height, frame.width) : (frame.width, frame.height)
        let scale = min(1, Double(largestSide) / Double(max(size.0, size.1)))
        let (width, height) = (max(1, Int(Double(size.0) * scale)), max(1, Int(Double(size.1) * scale)))
        var picture = try scaler.picture(of: frame, width: width, height: height)
        // The fourth byte means nothing in a picture; the shader takes it for alpha.
        for index in stride(from: 3, to: picture.bytes.count, by: 4) { picture.bytes[index] = 255 }
        picture.bytes.withUnsafeBytes {
            textures[0].upload($0.baseAddress, texel: .four, width: width, height: height)
        }
        textures[0].smooth(true)
        maps = [[1, 1, 0, 1], [1, 1, 0, 1]]
        kind = Kind(layout: 0, isWide: false, tone: 0)
    }

    private func program() throws(CastError) -> GLProgram {
        if let program = programs[kind] { return program }
        let program = try GLProgram(
            vertex: GLShaders.vertex, fragment: GLShaders.picture,
            defines: [("LAYOUT", kind.layout), ("WIDE", kind.isWide ? 1 : 0), ("TONE", kind.tone)])
        programs[kind] = program
        return program
    }
}
