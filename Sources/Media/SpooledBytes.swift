import Casting
import Glibc

/// Bytes that come from first to last only, kept in a file so that they can be read in any order.
///
/// For films with their index at the end on servers that do not send parts: the whole has to come before the first
/// picture can be shown. The file has no name, so that nothing of it is left whatever happens.
final class SpooledBytes: ByteReader {
    /// Bytes kept at most, if there is room for as many.
    static let limit: Int64 = 8 << 30

    private let source: ByteSource
    private let file: Int32
    private let room: Int64
    private let onProgress: (Int64) -> Void
    private var kept: Int64 = 0
    private(set) var position: Int64 = 0

    /// - Parameters:
    ///   - limit: bytes kept at most.
    ///   - onProgress: told after each part how many bytes are there.
    init(
        _ source: ByteSource, limit: Int64 = SpooledBytes.limit, onProgress: @escaping (Int64) -> Void = { _ in }
    ) throws(CastError) {
        self.source = source
        self.onProgress = onProgress
        guard let (file, room) = Self.makeFile() else { throw .noRoom }
        self.file = file
        self.room = min(room, limit)
        if let size = source.size, size > self.room {
            close(file)
            throw .noRoom
        }
    }

    deinit {
        close(file)
    }

    var size: Int64? { source.size }
    var isSeekable: Bool { true }

    func seek(to position: Int64) {
        self.position = max(0, position)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CastError) -> Int {
        while position >= kept {
            let bytes = try source.readSome(upTo: 262_144)
            if bytes.isEmpty { return 0 }
            guard kept + Int64(bytes.count) <= room, write(bytes) else { throw .noRoom }
            onProgress(kept)
        }
        let count = pread(file, buffer.baseAddress, min(buffer.count, Int(kept - position)), off_t(position))
        guard count > 0 else { throw .noRoom }
        position += Int64(count)
        return count
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(kept)) }
            guard count > 0 else { return false }
            kept += Int64(count)
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// A file without a name, and for how many bytes there is room in its file system: half of what is free.
    private static func makeFile() -> (file: Int32, room: Int64)? {
        let wanted = getenv("TMPDIR").map { String(cString: $0) }
        // /tmp may be memory.
        for folder in [wanted, "/var/tmp", "/tmp"].compactMap({ $0 }) {
            var name = Array((folder + "/castway-XXXXXX").utf8CString)
            let file = mkstemp(&name)
            guard file >= 0 else { continue }
            unlink(name)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            var space = statvfs()
            guard fstatvfs(file, &space) == 0 else {
                close(file)
                continue
            }
            return (file, Int64(space.f_bavail) * Int64(space.f_frsize) / 2)
        }
        return nil
    }
}

extension CastError {
    /// The whole would be needed, and there is no room for it.
    fileprivate static let noRoom = CastError(
        .serverIncorrectlyConfigured, "The server cannot send parts of this film, which is needed to play it.",
        hint: "Offer it from a server that supports range requests, or convert it with its index first (faststart).")
}

/// How long opening may take while the whole of a file is being fetched: a value that only decides.
///
/// As long as bytes come this is no failure; someone may still give it up. Where they only trickle it is.
struct SpoolPatience {
    /// Bytes that count as progress.
    static let step: Int64 = 256 << 10
    /// Seconds that a step may take.
    static let time = 10.0
    /// Seconds in all.
    static let longest = 120.0

    private let start: HostTime
    private var told: Int64 = 0

    init(start: HostTime) {
        self.start = start
    }

    /// Seconds from now that opening may still take; nil where nothing changes.
    mutating func left(after bytes: Int64, now: HostTime) -> Double? {
        guard bytes - told >= Self.step else { return nil }
        told = bytes
        return min(Self.time, Self.longest - now.seconds(since: start))
    }
}

/// The boxes of an MP4 file (ISO 14496-12 §4.2).
enum MovieBoxes {
    /// Whether the pictures and sounds come before the index without which they cannot be read.
    ///
    /// - Parameter bytes: the file's first ones.
    static func indexFollowsMedia(beginning bytes: [UInt8]) -> Bool {
        var place = 0
        while place + 16 <= bytes.count {
            let size = number(bytes[place..<(place + 4)])
            switch String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self) {
            case "mdat": return true
            case "ftyp", "free", "skip", "wide", "uuid", "pdin", "styp":
                let length = size == 1 ? number(bytes[(place + 8)..<(place + 16)]) : size
                guard length >= 8, length < bytes.count else { return false }
                place += length
            default: return false
            }
        }
        return false
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0x7FFF_FFFF_FFFF_FFFF)
    }
}
