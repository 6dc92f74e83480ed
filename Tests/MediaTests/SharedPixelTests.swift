import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

/// The first pictures of files made by others, pixel by pixel against what ffmpeg makes of them when it is told how they are
/// coded.
@Suite(.enabled(if: sharedMedia != nil, "the folder of media made by others is not here"))
struct SharedPixelTests {
    struct Film: Sendable, CustomTestStringConvertible {
        var path: String
        /// How ffmpeg is told that the colours are coded: matrix and range.
        var matrix = "bt601"
        var range = "limited"
        /// What makes the stored picture upright.
        var turn: [String] = []
        /// A coding that it could be mistaken for.
        var mistake: (matrix: String, range: String)?
        var testDescription: String { path }
    }

    static let films: [Film] = [
        Film(path: "mp4/bt601.mp4", mistake: ("bt709", "limited")),
        // Nothing is said: higher than standard definition it is BT.709.
        Film(path: "mp4/sample_portrait.mp4", matrix: "bt709", mistake: ("bt601", "limited")),
        Film(
            path: "mp4/sample_rotate_and_reflect.mp4", matrix: "bt709", turn: ["transpose=cclock_flip"],
            mistake: ("bt601", "limited")),
        Film(path: "mp4/sample_shorter_audio.mp4", range: "full", mistake: ("bt601", "limited")),
        Film(path: "mp4/sample_video_only.mp4", matrix: "bt709", mistake: ("bt601", "limited")),
        Film(path: "vp9/bear-vp9-odd-dimensions.webm"),
    ]

    /// Pixels as ffmpeg makes them.
    private func reference(_ film: Film, matrix: String, range: String, in folder: TemporaryFolder) throws -> [UInt8] {
        let path = folder.path + "/" + matrix + range
        let scale =
            "scale=flags=bilinear+accurate_rnd:in_color_matrix=\(matrix):in_range=\(range):out_range=full,format=bgr0"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-noautorotate", "-i", #require(sharedMedia) + "/" + film.path, "-frames:v", "1", "-vf",
                ([scale] + film.turn).joined(separator: ","), "-pix_fmt", "bgr0", "-f", "rawvideo", path,
            ])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// How far two pictures are apart: the mean over all numbers.
    private func distance(_ one: [UInt8], _ other: [UInt8], where isMeant: (Int) -> Bool = { _ in true }) -> Double {
        guard one.count == other.count else { return .infinity }
        var (sum, count) = (0, 0)
        for index in one.indices where index % 4 != 3 && isMeant(index / 4) {
            sum += abs(Int(one[index]) - Int(other[index]))
            count += 1
        }
        return Double(sum) / Double(max(1, count))
    }

    @Test("colours, turn and edges are right", arguments: films)
    func pixels(_ film: Film) throws {
        let folder = try TemporaryFolder()
        let server = try FakeServer(path: #require(sharedMedia) + "/" + film.path)
        let demuxer = try server.demuxer("http://server/" + film.path)
        let stream = try #require(demuxer.streams.first { $0.kind == .visual && !$0.isAttachedPicture })
        let decoder = try VideoDecoder(stream)
        var frame: VideoFrame?
        while frame == nil, let packet = try demuxer.nextPacket() {
            guard packet.streamIndex == stream.index else { continue }
            try decoder.send(packet)
            frame = try decoder.receive()
        }
        if frame == nil {
            try decoder.send(nil)
            frame = try decoder.receive()
        }
        let first = try #require(frame)
        let (width, height) = (first.displaySize.width, first.displaySize.height)
        let drawn = try Scaler(threads: 1).picture(of: first, width: width, height: height).bytes
        let right = try reference(film, matrix: film.matrix, range: film.range, in: folder)
        #expect(right.count == width * height * 4)
        let all = distance(drawn, right)
        #expect(all <= 1.5, "\(all)")
        // The outermost columns and rows: no green or grey edge.
        let edges = distance(drawn, right) { pixel in
            let (x, y) = (pixel % width, pixel / width)
            return x == 0 || y == 0 || x == width - 1 || y == height - 1
        }
        #expect(edges <= 3, "\(edges) at the edges")
        if let mistake = film.mistake {
            // Taken for the other, it would be seen.
            let wrong = try reference(film, matrix: mistake.matrix, range: mistake.range, in: folder)
            #expect(distance(drawn, wrong) > 2 * all + 0.2, "\(distance(drawn, wrong)) and \(all)")
        }
    }
}
