import Casting
import Receiver

/// Whether the state directory can be used, and whether a receiver uses it already.
struct StateCheck {
    let finding: Finding
    /// Whether a receiver with this state runs at this moment.
    let receiverRuns: Bool
    /// The receiver's UUID; nil where the directory cannot be used.
    let identity: String?

    init(directory: String) {
        do {
            identity = try StateStore(directory: directory, log: .silent).identity
            receiverRuns = false
            finding = .good("state", "\(directory) can be written")
        } catch {
            receiverRuns = error.code == .alreadyRunning
            identity = StateStore.knownIdentity(in: directory)
            finding =
                receiverRuns
                ? .note("state", "\(directory) is in use: a receiver runs already")
                : .bad("state", error.message, fix: error.hint)
        }
    }
}
