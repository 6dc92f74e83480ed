public import Casting
import FoundationEssentials
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// What the receiver keeps from one run to the next: its identity, and where playback was when it last went down.
///
/// Holds a lock on its folder as long as it lives, so that no second receiver uses the same identity.
public final class StateStore: Sendable {
    /// The receiver's UUID, made at the first start.
    public let identity: String
    /// The folder.
    public let directory: String
    private let log: Log
    private let lock: LockFile

    /// Opens the folder, making it (mode 700) and the identity where they are not there.
    ///
    /// A damaged file is put aside with a warning in the log and made anew.
    /// - Throws: `alreadyRunning` where another process holds the folder; `storageUnavailable` where it cannot be
    ///   made, read or written.
    public init(directory: String, log: Log) throws(CastError) {
        self.directory = directory
        self.log = log
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.unavailable(directory, "cannot be made")
        }
        lock = try LockFile(directory + "/lock", of: directory)
        identity = try Self.identity(in: directory, log: log)
    }

    /// The folder used where none is named: systemd's `$STATE_DIRECTORY`, else `castway/receiver` in
    /// `$XDG_STATE_HOME` or `~/.local/state`.
    public static func usualDirectory(environment: [String: String]) -> String {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // systemd joins several by colons.
        if let granted = folder("STATE_DIRECTORY") { return String(granted.prefix { $0 != ":" }) }
        if let state = folder("XDG_STATE_HOME") { return state + "/castway/receiver" }
        return (folder("HOME") ?? "/root") + "/.local/state/castway/receiver"
    }

    /// The identity kept in a folder, also while a receiver holds it; nil where there is none yet.
    public static func knownIdentity(in directory: String) -> String? {
        (try? AtomicFile.read(directory + "/identity.json", as: Identity.self))?.id
    }

    /// Where playback was when the receiver last went down; nil where nothing was playing or nothing is saved.
    public var savedPlayback: SavedPlayback? {
        try? AtomicFile.read(playbackPath, as: SavedPlayback.self)
    }

    /// Saves where playback is, or with nil forgets it. The item's request headers are left out: they may be secrets.
    ///
    /// A failure is a line in the log.
    public func save(_ playback: SavedPlayback?) {
        guard var playback else {
            unlink(playbackPath)
            return
        }
        playback.end.item?.headers = nil
        do {
            try AtomicFile.write(playback, to: playbackPath)
        } catch {
            log.error("cannot save the position in \(playbackPath): \(error.reason)")
        }
    }

    private var playbackPath: String { directory + "/playback.json" }

    private static func identity(in directory: String, log: Log) throws(CastError) -> String {
        let path = directory + "/identity.json"
        do {
            let known = try AtomicFile.read(path, as: Identity.self).id
            guard let uuid = UUID(uuidString: known) else {
                throw FileFailure(reason: "holds no UUID", isMissing: false)
            }
            return uuid.uuidString.lowercased()
        } catch let failure as FileFailure where failure.isMissing {
            log.info("first start: making an identity in \(path)")
        } catch {
            rename(path, path + ".damaged")
            log.warning("\(path) is damaged; the receiver gets a new identity, and senders see it as a new one")
        }
        let identity = Identity(id: UUID().uuidString.lowercased())
        do {
            try AtomicFile.write(identity, to: path)
        } catch {
            throw unavailable(path, error.reason)
        }
        return identity.id
    }

    fileprivate static func unavailable(_ path: String, _ reason: String) -> CastError {
        CastError(
            .storageUnavailable, "The state in \(path) \(reason).",
            hint: "See that the folder is there and writable, or name another with --state-dir.",
            details: ["path": path])
    }
}

/// Where playback was, and who was casting.
public struct SavedPlayback: Codable, Hashable, Sendable {
    /// Who was casting.
    public var sender: SenderIdentity
    /// The item and the position.
    public var end: SessionEnd

    /// Where `sender`'s playback was.
    public init(sender: SenderIdentity, end: SessionEnd) {
        self.sender = sender
        self.end = end
    }
}

private struct Identity: Codable {
    var id: String
}

/// A file that only one process holds. The kernel gives it back when the process is gone, however it went.
private final class LockFile: Sendable {
    private let descriptor: Int32

    init(_ path: String, of directory: String) throws(CastError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StateStore.unavailable(directory, "cannot be written: \(systemError())") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            var buffer = [UInt8](repeating: 0, count: 16)
            let count = max(0, pread(descriptor, &buffer, buffer.count, 0))
            close(descriptor)
            let holder = String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
            throw CastError(
                .alreadyRunning, "A castreceiver is already running with the state in \(directory).",
                hint:
                    "Stop it\(holder.isEmpty ? "" : " (process \(holder))"), or name another folder with --state-dir.",
                details: ["path": directory, "process": holder])
        }
        let process = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, process, process.count, 0)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
