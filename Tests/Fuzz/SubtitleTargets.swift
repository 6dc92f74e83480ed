@testable import Media

/// A file of subtitles, the first byte saying what its name ends in, and texts in any encoding.
@Sendable func readSubtitles(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let content = Array(bytes.dropFirst())
    let text = TextEncoding.utf8(content)
    precondition(String(validating: text, as: UTF8.self) != nil, "what is to be UTF-8 is not")
    _ = TagText.decode(content)
    _ = WebVTTSettings(String(decoding: content.prefix(256), as: UTF8.self))
    let names = ["a.srt", "a.vtt", "a.ass", "a.smi", "a.rt", "a.jss", "a.mpl", "a.pjs", "a.stl", "a.sup", "a"]
    guard let file = try? SubtitleFile(content, path: names[Int(first) % names.count]) else { return }
    precondition(!file.cues.isEmpty)
}
