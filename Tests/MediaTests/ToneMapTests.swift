import Casting
import Foundation
import TestSupport
import Testing

@testable import Media

@Suite struct ToneMapTests {
    static let pq = ColourDescription(matrix: .bt2020, transfer: .pq, primaries: .bt2020)
    static let hlg = ColourDescription(matrix: .bt2020, transfer: .hlg, primaries: .bt2020)

    @Test("SDR of BT.709 and BT.601 is shown as it is, everything else is mapped")
    func decision() {
        #expect(ToneCurve(ColourDescription(matrix: .bt709)) == nil)
        #expect(ToneCurve(ColourDescription(matrix: .bt601, primaries: .bt601)) == nil)
        #expect(ToneCurve(ColourDescription(matrix: .bt2020, primaries: .bt2020)) != nil)
        #expect(ToneCurve(Self.pq) != nil && ToneCurve(Self.hlg) != nil)
    }

    @Test("PQ is ST 2084's")
    func levels() {
        for (light, number) in [(100.0, 0.5081), (203, 0.5807), (1000, 0.7518), (10_000, 1)] {
            #expect(abs(ToneCurve.number(pq: light / 203) - number) < 0.0002)
            #expect(abs(ToneCurve.light(pq: number) * 203 / light - 1) < 0.003)
        }
    }

    @Test(
        "dark light stays, the brightest becomes white, and more light is never shown darker",
        arguments: [400.0, 1000, 4000])
    func bend(_ peak: Double) throws {
        var colour = Self.pq
        colour.peakLuminance = peak
        let curve = try #require(ToneCurve(colour))
        #expect(curve.gain(0.1) == 1)
        #expect(abs(curve.gain(peak / 203) * peak / 203 - 1) < 0.001)
        let shown = stride(from: 0.0, through: 60, by: 0.05).map { $0 * curve.gain($0) }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 })
        #expect(shown.allSatisfy { $0 <= 1.0001 })
    }

    @Test("the tables draw what the curve says", arguments: [pq, hlg, ColourDescription(matrix: .rgb, primaries: .p3)])
    func tables(_ colour: ColourDescription) throws {
        let curve = try #require(ToneCurve(colour))
        // Numbers of 12 bits in planes of green, blue and red: greys above, colours below.
        let side = 64
        var numbers = [UInt16](repeating: 0, count: side * side * 3)
        var seed: UInt32 = 7
        for index in 0..<(side * side * 3) {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            let place = index % (side * side)
            numbers[index] = place < side * side / 2 ? UInt16(place * 2) : UInt16(seed >> 20)
        }
        let folder = try TemporaryFolder()
        try numbers.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: folder.path + "/raw"))
        try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "gbrp12le", "-s", "\(side)x\(side)", "-i",
                folder.path + "/raw", "-c:v", "ffv1", folder.path + "/film.mkv",
            ])
        let plain = try firstFrame(folder.path + "/film.mkv")
        var given = colour
        given.matrix = .rgb
        given.isFullRange = true
        let frame = VideoFrame(
            plain.object, presentationTime: 0, duration: nil, displaySize: plain.displaySize,
            orientation: Orientation(), colour: given)
        let drawn = try Scaler().picture(of: frame, width: side, height: side)
        var worst = 0.0
        for pixel in 0..<(side * side) {
            let number = [2, 0, 1].map { Double(numbers[$0 * side * side + pixel]) / 4095 }
            var light = number.map(curve.light)
            let factor = curve.systemGain(zip(light, curve.luminance).reduce(0) { $0 + $1.0 * $1.1 })
            light = light.map { $0 * factor }
            let gain = curve.gain(light.max() ?? 0)
            let columns = [curve.columns.red, curve.columns.green, curve.columns.blue]
            for channel in 0..<3 {
                let mixed = (0..<3).reduce(0) { $0 + columns[$1][channel] * light[$1] } * gain
                let want = ToneCurve.number(min(max(mixed, 0), 1)) * 255
                worst = max(worst, abs(Double(drawn.bytes[pixel * 4 + 2 - channel]) - want))
            }
        }
        #expect(worst <= 1.5)
    }

    @Test("the peak is the content's, else that of the mastering display")
    func peak() throws {
        let folder = try TemporaryFolder()
        func peak(_ more: String) throws -> Double? {
            let path = folder.path + "/\(more.count).mkv"
            try run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "color=gray:s=64x64:r=1", "-frames:v", "1", "-pix_fmt",
                    "yuv420p10le", "-c:v", "libx265", "-x265-params",
                    "log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc" + more, path,
                ])
            return try firstFrame(path).colour.peakLuminance
        }
        let mastering = ":hdr10=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)"
        #expect(try peak("") == nil)
        #expect(try peak(mastering) == 4000)
        #expect(try peak(mastering + ":max-cll=1200,300") == 1200)
    }

    @Test(
        "films of others are mapped", .enabled(if: sharedMedia != nil),
        arguments: [
            ("hdr10-av1.mp4", ColourDescription.Transfer.pq), ("hlg10-color-test.mp4", .hlg),
            ("sample_edit_list.mp4", .hlg),
        ])
    func films(_ name: String, _ transfer: ColourDescription.Transfer) throws {
        let frame = try firstFrame(#require(sharedMedia) + "/mp4/" + name)
        #expect(frame.colour.transfer == transfer)
        #expect(frame.colour.primaries == .bt2020)
        let picture = try Scaler().picture(of: frame, width: 160, height: 90)
        #expect(picture.bytes.contains { $0 > 100 })
    }
}
