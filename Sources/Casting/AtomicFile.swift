import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// Small JSON files, written so that a crash or a full disk leaves the old content or the new, never half of one.
package enum AtomicFile {
    /// Reads a value.
    package static func read<Value: Decodable>(_ path: String, as type: Value.Type) throws(FileFailure) -> Value {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileFailure(reason: "cannot be read: \(systemError())", isMissing: errno == ENOENT)
        }
        defer { close(descriptor) }
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure(reason: "cannot be read: \(systemError())", isMissing: false) }
            guard count > 0 else { break }
            content.append(contentsOf: buffer.prefix(count))
            guard content.count < 1 << 24 else { throw FileFailure(reason: "is too large", isMissing: false) }
        }
        do {
            return try JSONDecoder().decode(type, from: content)
        } catch {
            throw FileFailure(reason: "is damaged", isMissing: false)
        }
    }

    /// Writes with mode 600. Several may do so at once: one of their values is there in the end, whole.
    package static func write(_ value: some Encodable, to path: String) throws(FileFailure) {
        guard let content = try? JSONEncoder.file.encode(value) else {
            throw FileFailure(reason: "cannot be put into words", isMissing: false)
        }
        let unfinished = path + "." + UUID().uuidString + ".new"
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw FileFailure(reason: "cannot be written: \(systemError())", isMissing: false)
        }
        let written = writeAll([UInt8](content), to: descriptor) && fsync(descriptor) == 0
        let reason = systemError()
        close(descriptor)
        guard written else {
            unlink(unfinished)
            throw FileFailure(reason: "cannot be written: \(reason)", isMissing: false)
        }
        guard rename(unfinished, path) == 0 else {
            let reason = systemError()
            unlink(unfinished)
            throw FileFailure(reason: "cannot be written: \(reason)", isMissing: false)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Why a file could not be used; the reason goes on from its name.
package struct FileFailure: Error {
    /// What is wrong, as “cannot be read: permission denied”.
    package var reason: String
    /// Whether there is no such file.
    package var isMissing: Bool

    /// A failure for a reason.
    package init(reason: String, isMissing: Bool) {
        self.reason = reason
        self.isMissing = isMissing
    }
}

/// The system's words for the last call's failure.
package func systemError() -> String {
    String(cString: strerror(errno)).lowercased()
}
