import Casting
import Foundation
import TestSupport
import Testing

/// An input that players are known to stumble over, and how it is made.
struct OddInput: Sendable, CustomTestStringConvertible {
    /// The file's name.
    var name: String
    /// How playing it ends: with this error, or at its end where nil.
    var error: CastError.Code?
    /// Item time of the last picture, to a third of a second; nil where nothing is asked.
    var last: Double?
    /// Lines of options for ffmpeg, the file to be made last; or of words for another of the maker's ways.
    var steps: [String]

    var testDescription: String { name }

    init(_ name: String, last: Double? = nil, error: CastError.Code? = nil, _ steps: String...) {
        (self.name, self.last, self.error, self.steps) = (name, last, error, steps)
    }
}

/// Makes odd inputs in a folder of its own, one after another.
///
/// A step is a line of ffmpeg's options in which `V`, `A`, `X` and `C` stand for two seconds of picture, of sound, and for the
/// usual codecs; or one of `join A B > C`, `cut PERCENT A > B`, `spoil A > B`, `write TEXT > A`.
struct OddInputMaker {
    let folder: String
    private static let short = [
        "V": "-f lavfi -i testsrc2=s=160x90:r=25:d=2", "A": "-f lavfi -i sine=f=1000:b=4:r=48000:d=2",
        "X": "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25", "C": "-c:a aac -b:a 64k",
    ]

    /// Makes what every input may be made of.
    init(folder: String) throws {
        self.folder = folder
        try step("V A X C base.mp4")
        try step("V A X C -f mpegts base.ts")
        try step("-f lavfi -i testsrc2=s=300x300:d=0.04:r=25 -frames:v 1 cover.jpg")
        let cues = "1\\n00:00:00,500 --> 00:00:01,500\\nFirst\\n\\n2\\n00:00:00,500 --> 00:00:01,500\\nSecond\\n"
        try step("write \(cues) > cues.srt")
    }

    /// Makes an input.
    func make(_ input: OddInput) throws { for line in input.steps { try step(line) } }

    private func step(_ line: String) throws {
        var words = line.split(separator: " ").map(String.init)
        switch words.removeFirst() {
        case "join": try data(words[0], words[1]).write(to: place(words[3]))
        case "cut":
            let whole = try data(words[1])
            try whole.prefix(whole.count * (Int(words[0]) ?? 0) / 100).write(to: place(words[3]))
        case "spoil":
            var whole = try data(words[0])
            var noise = Noise(seed: 1)
            whole.insert(contentsOf: (0..<3_000).map { _ in UInt8(noise.below(256)) }, at: whole.count / 3)
            try whole.write(to: place(words[2]))
        case "write":
            let sides = line.dropFirst("write ".count).components(separatedBy: " > ")
            let text = sides.dropLast().joined(separator: " > ").replacingOccurrences(of: "\\n", with: "\n")
            try Data(text.utf8).write(to: place(sides.last ?? ""))
        case let first:
            let spread = ([first] + words).flatMap { word in
                // A space within a word is written as one that does not break.
                (Self.short[word] ?? word).split(separator: " ")
                    .map { $0.replacingOccurrences(of: "\u{a0}", with: " ") }
            }
            try run("sh", ["-c", "cd \"$0\" && exec ffmpeg -v error -nostdin -y \"$@\"", folder] + spread)
        }
    }

    private func place(_ name: String) -> URL { URL(fileURLWithPath: folder + "/" + name) }

    private func data(_ names: String...) throws -> Data {
        try names.map { try Data(contentsOf: place($0)) }.reduce(Data(), +)
    }
}

/// Numbers that look random and are the same each time: SplitMix64.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The next number.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// A number from 0 up to, and without, `limit`.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
