public import Casting
import FoundationEssentials
import HTTP

#if canImport(Glibc)
    import Glibc
#endif

/// Serves a file of this machine, and what goes with it, to a receiver: under one path that nobody can guess, on the
/// address that faces the receiver, and nothing else. Lives as long as it is kept, or until `stop`.
public final class MediaServer: Sendable {
    /// Where the receiver gets the file.
    public let url: String
    /// The file's MIME type.
    public let contentType: String
    /// Where the receiver gets each of the other files.
    public let others: [String]
    private let server: HTTPServer

    /// Begins to serve a file.
    ///
    /// - Parameters:
    ///   - path: the file; links are followed.
    ///   - others: files that go with it, subtitles for example.
    ///   - localAddress: the address of this machine that faces the receiver, IPv4 or IPv6, without scope.
    ///   - scope: the network interface of a link-local IPv6 address; nil for every other.
    /// - Throws: `contentIsUnavailable` where there is no such file, or it may not be read; `outputUnavailable` where
    ///   nothing can be served on that address.
    public init(
        file path: String, also others: [String] = [], localAddress: String, scope: String? = nil
    ) throws(CastError) {
        try Self.check(path)
        let name = path.split(separator: "/").last.map(String.init) ?? "media"
        let secret = Self.secret()
        let responder = FileResponder(path: path)
        var responders = [[secret, name]: responder]
        var paths: [String] = []
        for (index, path) in others.enumerated() {
            let name = path.split(separator: "/").last.map(String.init) ?? "file"
            responders[[secret, "\(index)", name]] = FileResponder(path: path)
            paths.append("\(index)/\(Self.escaped(name))")
        }
        server = HTTPServer { [responders] request in
            responders[request.pathComponents]?.response(to: request) ?? HTTPResponse(status: 404)
        }
        do {
            try server.start(port: 0, on: .address(localAddress + (scope.map { "%" + $0 } ?? "")))
        } catch {
            throw CastError(
                .outputUnavailable, "The file cannot be served to the receiver: \(error.message)",
                hint: "Check this machine's network connection.")
        }
        contentType = responder.contentType
        // A scope means nothing on another machine: the receiver knows by itself on which interface it is spoken to.
        let origin = Endpoint(host: localAddress, port: server.port).httpOrigin
        url = "\(origin)/\(secret)/\(Self.escaped(name))"
        self.others = paths.map { "\(origin)/\(secret)/\($0)" }
    }

    deinit { server.stop() }

    /// Serves no longer; running transfers end.
    public func stop() { server.stop() }

    /// Makes sure that a file can be served.
    ///
    /// - Throws: `contentIsUnavailable` where there is no such file, nothing is in it, or it may not be read.
    public static func check(_ path: String) throws(CastError) {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CastError(.contentIsUnavailable, "There is no file “\(path)”.", hint: "Check the name.")
        }
        guard !isFolder else {
            throw CastError(.contentIsUnavailable, "“\(path)” is a folder.", hint: "Give one file in it.")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CastError(
                .contentIsUnavailable, "“\(path)” is no file but a pipe or a device.",
                hint: "Save what comes out of it in a file, and give that.")
        }
        guard status.st_size > 0 else {
            throw CastError(.contentIsUnavailable, "“\(path)” is empty.", hint: "Check the name.")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CastError(
                .contentIsUnavailable, "“\(path)” may not be read by you.", hint: "Change its permissions: chmod +r.")
        }
    }

    /// 128 random bits.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(generator.next() as UInt64, radix: 36) + String(generator.next() as UInt64, radix: 36)
    }

    /// The name as a URL's path segment (RFC 3986 §3.3): all but the unreserved characters escaped.
    private static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            let isUnreserved =
                byte < 128 && (Character(UnicodeScalar(byte)).isAlphanumeric || "-._~".utf8.contains(byte))
            guard !isUnreserved else { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

extension Character {
    fileprivate var isAlphanumeric: Bool { isLetter || isNumber }
}
