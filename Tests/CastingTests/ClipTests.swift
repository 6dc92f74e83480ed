import Foundation
import TestSupport
import Testing

@Suite struct ClipTests {
    @Test("a clip's pictures carry their number")
    func frameNumber() throws {
        var clip = Clip()
        clip.duration = 1
        let path = try clip.path()
        let folder = try TemporaryFolder()
        let raw = folder.path + "/raw"
        try run(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-vf", "select=eq(n\\,19)", "-frames:v", "1", "-pix_fmt", "gray", "-f",
                "rawvideo", raw,
            ])
        let pixels = try #require(FileManager.default.contents(atPath: raw))
        #expect(pixels.count == 640 * 360)
        #expect(FrameCode.read { Int(pixels[$1 * 640 + $0]) } == 19)
    }
}
