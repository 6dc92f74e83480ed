import Foundation

/// A film made for tests with the ffmpeg program.
///
/// Each picture carries its number (see `FrameCode`). A 1 kHz tone sounds for the first tenth of each second, while a
/// white block is in the picture at (0, 64). Clips are made once and kept under `.build/clips`.
public struct Clip: Sendable, Hashable {
    /// Width in pixels; at least 544, so that the frame's number fits.
    public var width = 640
    /// Height in pixels.
    public var height = 360
    /// Pictures a second.
    public var rate = 25
    /// Seconds from first to last.
    public var duration = 4.0
    /// Pictures from key frame to key frame.
    public var keyInterval = 50
    /// ffmpeg's options for the picture; nil for a clip without.
    public var video: [String]? = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"]
    /// ffmpeg's options for sound; nil for a clip without.
    public var audio: [String]? = ["-c:a", "aac", "-b:a", "128k"]
    /// More of ffmpeg's options, before the file's name.
    public var more: [String] = []
    /// The file name's extension, which tells ffmpeg the container.
    public var fileExtension = "mp4"

    /// A 4 s clip of 640×360 at 25 pictures a second, H.264 and AAC in MP4.
    public init() {}

    /// Makes the clip unless it is there already, and answers its path.
    public func path() throws -> String {
        try made(arguments, fileExtension: fileExtension)
    }

    /// The file's size in bytes; makes it unless it is there already.
    public func size() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: try path())[.size] as? Int ?? 0
    }

    private var arguments: [String] {
        var list = ["-v", "error", "-y"]
        if video != nil {
            list += ["-f", "lavfi", "-i", "testsrc2=s=\(width)x\(height):r=\(rate),\(FrameCode.filter),\(flash)"]
        }
        if audio != nil {
            list += ["-f", "lavfi", "-i", "aevalsrc='0.5*lt(mod(t,1),0.1)*sin(2*PI*1000*t)':s=48000:c=stereo"]
        }
        list += ["-t", "\(duration)"]
        if let video { list += video + ["-g", "\(keyInterval)", "-sc_threshold", "0"] }
        if let audio { list += audio }
        return list + more
    }

    private var flash: String { "drawbox=x=0:y=64:w=128:h=64:t=fill:c=white:enable='lt(mod(t,1),0.1)'" }
}

/// A number in the top row of a clip's pictures: 16 blocks of 32 by 32 pixels.
///
/// The first is white and the last black, as a check; between them 14 bits, the lowest first, white for 1.
public enum FrameCode {
    static let blockSize = 32

    /// ffmpeg's filters that draw the number.
    static var filter: String {
        let ground = "drawbox=x=0:y=0:w=\(16 * blockSize):h=\(blockSize):t=fill:c=black"
        let guardBlock = "drawbox=x=0:y=0:w=\(blockSize):h=\(blockSize):t=fill:c=white"
        let bits = (0..<14).map { bit in
            "drawbox=x=\((bit + 1) * blockSize):y=0:w=\(blockSize):h=\(blockSize):t=fill:c=white"
                + ":enable='mod(floor(n/\(1 << bit)),2)'"
        }
        return ([ground, guardBlock] + bits).joined(separator: ",")
    }

    /// Reads the number from a picture of a clip shown `scale` times its size, its corner at (`left`, `top`).
    ///
    /// - Parameter luma: brightness 0 to 255 at a point of the picture.
    /// - Returns: nil where the check blocks are not there.
    public static func read(left: Double = 0, top: Double = 0, scale: Double = 1, luma: (Int, Int) -> Int) -> Int? {
        func block(_ index: Int) -> Bool {
            let x = left + scale * (Double(index) + 0.5) * Double(blockSize)
            return luma(Int(x), Int(top + scale * Double(blockSize) / 2)) > 127
        }
        guard block(0), !block(15) else { return nil }
        return (0..<14).reduce(0) { $0 | (block($1 + 1) ? 1 << $1 : 0) }
    }
}

/// The folder of `Package.swift`.
public let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// The folder of media made by others, beside the project; nil where it is not there, and then tests of it are skipped.
public let sharedMedia: String? = {
    let path = URL(fileURLWithPath: packageRoot).deletingLastPathComponent().path + "/shared/media/androidx"
    return FileManager.default.fileExists(atPath: path) ? path : nil
}()

/// The file that ffmpeg makes of some options, made only once.
func made(_ arguments: [String], fileExtension: String) throws -> String {
    let folder = packageRoot + "/.build/clips"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/" + fingerprint(arguments) + "." + fileExtension
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let unfinished = folder + "/" + UUID().uuidString + "." + fileExtension
    defer { try? FileManager.default.removeItem(atPath: unfinished) }
    try run("ffmpeg", arguments + [unfinished])
    try? FileManager.default.moveItem(atPath: unfinished, toPath: path)
    return path
}

/// A file name for a list of options: FNV-1a, 64 bits.
private func fingerprint(_ words: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in words.joined(separator: "\u{0}").utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
}
