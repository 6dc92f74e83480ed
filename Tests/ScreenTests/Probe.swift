import Foundation
import TestSupport

/// A run of the program `screen-probe`, which drives a real screen on its own main thread.
struct Probe {
    let lines: [String]
    let folder: TemporaryFolder

    /// The program beside the test bundle.
    static let program: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? Bundle.main.bundlePath
        for argument in [bundle, Bundle.main.executablePath ?? "", CommandLine.arguments[0]] {
            var url = URL(fileURLWithPath: argument)
            while url.path != "/" {
                url.deleteLastPathComponent()
                let path = url.appendingPathComponent("screen-probe").path
                if FileManager.default.isExecutableFile(atPath: path) { return path }
            }
        }
        return packageRoot + "/.build/debug/screen-probe"
    }()

    /// Takes the steps on an in-memory screen, unless `environment` says otherwise; `@` in a step is a folder of the run's own.
    init(_ steps: String..., size: String = "320x180", environment: [String: String] = [:]) throws {
        try self.init(flags: [], steps, size: size, environment: environment)
    }

    /// The same with flags before the steps.
    init(
        flags: [String], _ steps: [String], size: String = "320x180", environment: [String: String] = [:]
    ) throws {
        let folder = try TemporaryFolder()
        let words = steps.map { $0.replacingOccurrences(of: "@", with: folder.path) }
        let environment = ["SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"].merging(environment) { $1 }
        let result = try run(
            Self.program, ["--window", size] + flags + words,
            environment: environment.mapValues { $0.replacingOccurrences(of: "@", with: folder.path) })
        self.folder = folder
        lines = result.output.split(separator: "\n").map(String.init)
    }

    /// The numbers of the line that begins with a word.
    func numbers(_ word: String) -> [Double] {
        let line = lines.first { $0.hasPrefix(word + ":") } ?? ""
        return line.split { " :,".contains($0) }.compactMap { Double($0) }
    }

    /// The colours, 0xRRGGBB, of a captured picture.
    func picture(_ name: String, width: Int = 320) throws -> CapturedPicture {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
        return CapturedPicture(bytes: [UInt8](bytes), width: width)
    }
}

/// Pixels that were on the screen.
struct CapturedPicture {
    let bytes: [UInt8]
    let width: Int

    subscript(x: Int, y: Int) -> UInt32 {
        let index = (y * width + x) * 4
        return UInt32(bytes[index + 2]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index])
    }

    /// How many pixels are about as bright as words are.
    var brightPixels: Int {
        stride(from: 0, to: bytes.count, by: 4).count { bytes[$0] > 180 && bytes[$0 + 1] > 180 && bytes[$0 + 2] > 180 }
    }
}
