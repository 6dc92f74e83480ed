import Foundation

/// An X display of a test's own, without a window manager, on a number that was free.
public struct XDisplay: Sendable {
    private let server: Child
    /// Its name, for `DISPLAY`.
    public let name: String

    /// Whether the machine has what it takes: Xvfb and xdotool.
    public static let isThere = ["Xvfb", "xdotool"].allSatisfy { (try? runAny("which", [$0]).status) == 0 }

    /// Starts one of a size such as `640x360`.
    public init(_ size: String) async throws {
        let child = try Child(
            "sh", ["-c", "exec Xvfb -displayfd 1 -screen 0 \(size)x24 -nolisten tcp -noreset 2>/dev/null"])
        server = child
        guard await eventually(within: 20, { child.output.hasSuffix("\n") }) else {
            throw RunFailure(description: "Xvfb did not start.")
        }
        name = ":" + child.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Presses keys, one after another, by xdotool's names for them.
    public func press(_ keys: String...) throws {
        try run("xdotool", ["key"] + keys, environment: ["DISPLAY": name])
    }

    /// What a program needs to show itself there.
    public var environment: [String: String] { ["DISPLAY": name, "SDL_VIDEODRIVER": "x11"] }
}
