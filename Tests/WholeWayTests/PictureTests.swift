import Casting
import Foundation
import Sender
import TestSupport
import Testing

/// Shape, turn and colours of what is on the screen, which is 640 by 360.
struct PictureTests {
    private static let red = [255, 0, 0]
    private static let green = [0, 255, 0]
    private static let blue = [0, 0, 255]
    private static let white = [255, 255, 255]
    private static let black = [0, 0, 0]

    /// Shows a film of one picture: red, green, blue and white in its quarters from the top left.
    ///
    /// - Parameter isOnItsSide: whether the container says that it is to be turned by a quarter, clockwise.
    private func show(
        _ size: String, _ filter: String, _ options: [String], isOnItsSide: Bool = false
    ) async throws -> Screenshot {
        let theatre = try await Theatre()
        let film = theatre.folder.path + "/film.mp4"
        let quarter = "t=fill:x="
        let source =
            "color=red:s=\(size):r=5:d=1,format=gbrp,drawbox=\(quarter)iw/2:y=0:w=iw/2:h=ih/2:c=lime,"
            + "drawbox=\(quarter)0:y=ih/2:w=iw/2:h=ih/2:c=blue,drawbox=\(quarter)iw/2:y=ih/2:w=iw/2:h=ih/2:c=white"
        _ = try await onOwnThread {
            try run(
                "ffmpeg",
                ["-v", "error", "-f", "lavfi", "-i", source, "-vf", filter, "-c:v", "libx264", "-preset", "ultrafast"]
                    + ["-crf", "4"] + options + [film])
        }
        if isOnItsSide { try turn(film) }
        let server = try ClipServer(path: film)
        let session = try await theatre.openSession()
        try await session.load(MediaItem(url: server.url, paused: true))
        return try await theatre.screenshot(session)
    }

    /// Puts a quarter turn clockwise into a film's track header, as cameras do (ISO/IEC 14496-12, 8.3.2).
    private func turn(_ film: String) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: film))
        func matrix(_ numbers: [Int32]) -> Data {
            Data(numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } })
        }
        let one: Int32 = 0x10000
        let header = try #require(data.range(of: Data("tkhd".utf8)))
        let upright = matrix([one, 0, 0, 0, one, 0, 0, 0, 0x4000_0000])
        let place = try #require(data[header.upperBound...].range(of: upright))
        data.replaceSubrange(place, with: matrix([0, one, 0, -one, 0, 0, 360 * one, 0, 0x4000_0000]))
        try data.write(to: URL(fileURLWithPath: film))
    }

    private func expect(_ picture: Screenshot, _ points: [(Int, Int, [Int])], tolerance: Int = 8) {
        for (x, y, color) in points {
            let found = picture.color(x, y)
            #expect(zip(found, color).allSatisfy { abs($0 - $1) <= tolerance }, "at \(x), \(y): \(found), not \(color)")
        }
    }

    private static let hd = "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"

    @Test("4:3 stands between black pillars")
    func pillars() async throws {
        let picture = try await show("640x480", Self.hd, ["-colorspace", "bt709"])
        expect(
            picture,
            [
                (4, 180, Self.black), (77, 4, Self.black), (83, 4, Self.red), (310, 170, Self.red),
                (330, 170, Self.green), (556, 4, Self.green), (562, 4, Self.black), (83, 355, Self.blue),
                (556, 355, Self.white), (636, 180, Self.black),
            ])
    }

    @Test("wider than the screen it lies between black bars")
    func bars() async throws {
        let picture = try await show("640x240", Self.hd, ["-colorspace", "bt709"])
        expect(
            picture,
            [
                (320, 3, Self.black), (3, 57, Self.black), (3, 63, Self.red), (636, 63, Self.green),
                (3, 296, Self.blue), (636, 296, Self.white), (3, 303, Self.black),
            ])
    }

    @Test("pixels that are not square are shown as they are meant")
    func sampleAspect() async throws {
        let picture = try await show("480x360", Self.hd + ",setsar=4/3", ["-colorspace", "bt709"])
        expect(picture, [(3, 3, Self.red), (636, 3, Self.green), (3, 356, Self.blue), (636, 356, Self.white)])
    }

    @Test("a film that was taken with the camera on its side stands upright")
    func rotation() async throws {
        let picture = try await show("640x360", Self.hd, ["-colorspace", "bt709"], isOnItsSide: true)
        // A quarter turn clockwise, 202.5 pixels wide.
        expect(
            picture,
            [
                (210, 180, Self.black), (224, 5, Self.blue), (416, 5, Self.red), (224, 354, Self.white),
                (416, 354, Self.green), (430, 180, Self.black),
            ])
    }

    @Test(
        "colours are right whatever matrix and range they were stored with",
        arguments: [("bt601", "smpte170m", "tv"), ("bt601", "smpte170m", "pc"), ("bt709", "bt709", "pc")])
    func colours(_ matrix: String, _ name: String, _ range: String) async throws {
        let picture = try await show(
            "640x360", "scale=out_color_matrix=\(matrix):out_range=\(range),format=yuv420p",
            ["-colorspace", name, "-color_range", range])
        expect(
            picture,
            [(160, 90, Self.red), (480, 90, Self.green), (160, 270, Self.blue), (480, 270, Self.white)])
    }

    @Test("a paused picture stays, and is the one the state claims")
    func pause() async throws {
        let theatre = try await Theatre()
        let server = try ClipServer(path: try Clip().path())
        let session = try await theatre.openSession()
        try await session.load(MediaItem(url: server.url))
        #expect(try await eventually { try await session.playback().timeline.position > 0.7 })
        try await session.pause()
        // One that was on its way to the screen may still come up.
        var (state, number) = (PlaybackState(), nil as Int?)
        #expect(
            try await eventually {
                state = try await session.playback()
                number = try await theatre.screenshot(session).frameNumber
                return number == Int((state.timeline.position * 25).rounded())
            })
        try await Task.sleep(for: .seconds(0.6))
        #expect(try await theatre.screenshot(session).frameNumber == number)
        #expect(try await session.playback().timeline.position == state.timeline.position)
        try await session.play()
        #expect(try await eventually { try await session.playback().timeline.position > state.timeline.position + 0.2 })
    }
}
