public import Casting
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// Keeps a `SenderState` in a file that only its owner may read.
///
/// Several programs may use it at once: a change is made on what the file holds at that moment, under a lock, and the
/// file is replaced whole.
public struct SenderStateStore: Sendable {
    /// The folder of the file.
    public let folder: String

    /// A store in `folder`, which is made when something is written.
    public init(folder: String) { self.folder = folder }

    /// The folder by the XDG Base Directory Specification: `$XDG_STATE_HOME/castway`, else `~/.local/state/castway`.
    public static func standardFolder(environment: [String: String]) -> String {
        // The specification wants relative paths ignored.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/castway" }
        return (environment["HOME"] ?? "/tmp") + "/.local/state/castway"
    }

    private var file: String { folder + "/castsend.json" }

    /// What is kept; a new state where nothing is, or where it cannot be read.
    public func read() -> SenderState { kept ?? fresh }

    private var kept: SenderState? { try? AtomicFile.read(file, as: SenderState.self) }

    private var fresh: SenderState { SenderState(senderID: UUID().uuidString.lowercased(), receivers: []) }

    /// Changes what is kept, and answers what the change answers.
    ///
    /// - Throws: `CastError`, where the file cannot be written.
    @discardableResult
    public func update<Result>(_ change: (inout SenderState) -> Result) throws(CastError) -> Result {
        try prepareFolder()
        let lock = lockFile()
        defer { if lock >= 0 { close(lock) } }
        let before = kept
        var state = before ?? fresh
        let result = change(&state)
        // Most runs change nothing, and whoever casts need not wait for a disk then.
        if state != before { try write(state) }
        return result
    }

    private func prepareFolder() throws(CastError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure
        }
        // One that was there already may have been open to others.
        chmod(folder, 0o700)
    }

    /// A descriptor that holds the lock; -1 where it was not to be had within a second. Then the change goes on without:
    /// at worst one of two changes at the same instant is lost, never the file.
    private func lockFile() -> Int32 {
        let descriptor = open(folder + "/castsend.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return -1 }
        for _ in 0..<500 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            usleep(2000)
        }
        close(descriptor)
        return -1
    }

    private func write(_ state: SenderState) throws(CastError) {
        do {
            try AtomicFile.write(state, to: file)
        } catch {
            throw failure
        }
    }

    private var failure: CastError {
        CastError(
            .unknown, "The session could not be kept in \(folder).",
            hint: "Make the folder writable, or set XDG_STATE_HOME to one that is.")
    }
}
