public import Casting
import FoundationEssentials
import HTTP

#if canImport(Glibc)
    import Glibc
#endif

/// Serves files of this machine to a receiver: under one path that nobody can guess, on the address that faces the
/// receiver, and nothing else. Lives as long as it is kept, or until `stop`.
public final class MediaServer: Sendable {
    /// A file that is being served.
    public struct Served: Hashable, Sendable {
        /// Where the receiver gets it.
        public let url: String
        /// Its MIME type.
        public let contentType: String
    }

    /// The files, in the order they were named.
    public let files: [Served]
    private let server: HTTPServer

    /// Begins to serve files.
    ///
    /// - Parameters:
    ///   - paths: the files; links are followed.
    ///   - localAddress: the address of this machine that faces the receiver, IPv4 or IPv6, without scope.
    ///   - scope: the network interface of a link-local IPv6 address; nil for every other.
    /// - Throws: `contentIsUnavailable` where there is no such file, or one may not be read; `outputUnavailable` where
    ///   nothing can be served on that address.
    public init(
        files paths: [String], localAddress: String, scope: String? = nil
    ) throws(CastError) {
        let secret = Self.secret()
        var responders: [[String]: FileResponder] = [:]
        var places: [(path: String, contentType: String)] = []
        for (index, path) in paths.enumerated() {
            try Self.check(path)
            let name = path.split(separator: "/").last.map(String.init) ?? "file"
            let responder = FileResponder(path: path)
            // Two may have the same name.
            responders[index == 0 ? [secret, name] : [secret, "\(index)", name]] = responder
            let place = (index == 0 ? "" : "\(index)/") + Self.escaped(name)
            places.append((place, responder.contentType))
        }
        server = HTTPServer { [responders] request in
            responders[request.pathComponents]?.response(to: request) ?? HTTPResponse(status: 404)
        }
        do {
            try server.start(port: 0, on: .address(localAddress + (scope.map { "%" + $0 } ?? "")))
        } catch {
            throw CastError(
                .outputUnavailable, "What is on this machine cannot be served to the receiver: \(error.message)",
                hint: "Check this machine's network connection.")
        }
        // A scope means nothing on another machine: the receiver knows by itself on which interface it is spoken to.
        let origin = Endpoint(host: localAddress, port: server.port).httpOrigin
        files = places.map { Served(url: "\(origin)/\(secret)/\($0.path)", contentType: $0.contentType) }
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
