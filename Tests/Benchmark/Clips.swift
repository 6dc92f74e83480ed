import Foundation
import TestSupport

/// The clips that are played.
enum Clips {
    /// 1280×720, 30 pictures a second, H.264 and AAC, a key frame each 2 s, the index first.
    static func hd(_ seconds: Double) -> Clip {
        var clip = Clip()
        (clip.width, clip.height, clip.rate, clip.keyInterval, clip.duration) = (1280, 720, 30, 60, seconds)
        clip.more = ["-movflags", "+faststart"]
        return clip
    }

    /// 1920×1080, 60 pictures a second, otherwise the same.
    static func fast(_ seconds: Double) -> Clip {
        var clip = hd(seconds)
        (clip.width, clip.height, clip.rate, clip.keyInterval) = (1920, 1080, 60, 120)
        return clip
    }

    /// 1920×1080, 24 pictures a second, HEVC of 10 bits.
    static func hevc(_ seconds: Double) -> Clip {
        var clip = hd(seconds)
        (clip.width, clip.height, clip.rate, clip.keyInterval) = (1920, 1080, 24, 48)
        clip.video = [
            "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-pix_fmt", "yuv420p10le",
            "-tag:v", "hvc1",
        ]
        return clip
    }
}

/// A clip on a local server, which can tell what was asked of it.
final class Served: Sendable {
    private let server: FaultServer
    private let path: String

    init(_ clip: Clip, _ fault: FaultServer.Fault = .ok) throws {
        let file = try clip.path()
        path = "/" + (file.split(separator: "/").last ?? "clip")
        server = try FaultServer()
        server.serve(path, try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped), fault)
    }

    deinit { server.stop() }

    var url: String { server.url(path) }
    /// Requests so far.
    var requests: Int { server.requests.count }
}
