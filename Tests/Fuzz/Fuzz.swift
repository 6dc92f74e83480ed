import Glibc

// Throws bytes at what reads the network, for as long as asked: `fuzz TARGET [libFuzzer's options] [folders of seeds]`.
// Built by packaging/fuzz only, which gives the compiler what the fuzzer needs.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

@main
enum Fuzz {
    /// The part that is tried: a fuzzer has no way to hand it over.
    private static let target: Target? = CommandLine.arguments.dropFirst().first.flatMap { Target.all[$0] }

    static func main() {
        guard target != nil else {
            print(Target.all.keys.sorted().joined(separator: "\n"))
            exit(CommandLine.arguments.count > 1 ? 2 : 0)
        }
        // Without the target's name, which is not the fuzzer's.
        var words = (CommandLine.arguments.prefix(1) + CommandLine.arguments.dropFirst(2)).map { strdup($0) } + [nil]
        var count = Int32(words.count - 1)
        let status = words.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress!
            return runDriver(&count, &start) { bytes, count in
                Fuzz.target?.body(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
        exit(status)
    }
}

/// Something that reads bytes of the network.
struct Target: Sendable {
    /// Reads them, and stops the program where what comes out cannot be.
    var body: @Sendable ([UInt8]) -> Void

    /// Everything that is tried, by name; each has a folder of seeds.
    static let all: [String: Target] = [
        "events": Target(body: readEvents),
        "headers": Target(body: readHeaders),
        "json": Target(body: readJSON),
        "playlist": Target(body: readPlaylist),
        "range": Target(body: readRange),
        "record": Target(body: readRecord),
        "subtitles": Target(body: readSubtitles),
        "url": Target(body: readURL),
    ]
}

/// The lines of an input, at most so many; the last has the rest.
func lines(_ bytes: [UInt8], _ count: Int) -> [String] {
    bytes.split(separator: 10, maxSplits: count - 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
}
