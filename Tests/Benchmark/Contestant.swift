import TestSupport

/// A player that is measured.
protocol Contestant: Sendable {
    /// What the table calls it.
    var name: String { get }
    /// Where it shows what it plays.
    var stage: Stage { get }
    /// The process that decodes and shows; nil where none runs.
    var process: Int32? { get }
    /// Asks for a clip to be played from its beginning. When it comes back does not matter: the screen is watched.
    func play(_ url: String) async throws
    /// Stops the picture where it is.
    func pause() async throws
    /// Goes to another place, exactly.
    func seek(to position: Double) async throws
    /// Ends playback, and the process where it was started for the clip.
    func stop() async throws
}

/// How a player is started.
enum Start: String {
    /// It runs already, with its window open where it keeps one.
    case warm
    /// A process of its own for each clip.
    case cold
}

extension Contestant {
    func pause() async throws { throw RunFailure(description: "\(name) is not paused here.") }
    func seek(to position: Double) async throws { throw RunFailure(description: "\(name) does not seek here.") }
}
