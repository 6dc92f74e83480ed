import Casting
import Media
import Playback
import Synchronization

/// Text over the probe's pictures: what was said last, at any time.
final class ProbeText: SubtitleSource {
    private let state = Mutex((number: 0, text: ""))

    /// Says something: an event's text; `bitmap` is a square; nothing where empty.
    /// - Returns: how many things were said.
    func say(_ text: String) -> Int {
        state.withLock { state in
            state = (state.number + 1, text)
            return state.number
        }
    }

    func scene(at time: Double) -> SubtitleScene? {
        let (number, text) = state.withLock { $0 }
        let content: SubtitleScene.Content
        switch text {
        case "": content = .none
        case "bitmap":
            let square = SubtitleBitmap(
                x: 100, y: 500, width: 40, height: 40, indices: Array(repeating: 1, count: 1600),
                palette: [0, 0xFF00_FF00] + Array(repeating: 0, count: 254))
            content = .bitmaps([square], canvas: Size(width: 1280, height: 720))
        default: content = .text(["0,0,Default,,0,0,0,,\(text)"])
        }
        return SubtitleScene(
            key: .init(source: 1, cues: [number]), content: content, script: SubtitleScript(header: Self.header))
    }

    func nextChange(after time: Double) -> Double? { nil }

    /// As libavcodec writes it.
    private static let header = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 384
        PlayResY: 288
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        """
}
