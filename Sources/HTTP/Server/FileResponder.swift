import Glibc

/// Answers requests for one file: whole or in part, conditional, and HEAD.
///
/// Films are served with it: seeking needs ranges, and going on after a break needs an ETag.
public struct FileResponder: Sendable, Hashable {
    /// The file.
    public var path: String
    /// Its MIME type.
    public var contentType: String

    /// A responder for a file of this machine.
    ///
    /// - Parameter contentType: nil to go by the extension.
    public init(path: String, contentType: String? = nil) {
        self.path = path
        self.contentType = contentType ?? MediaType.ofFile(at: path)
    }

    /// The answer: 200, 206, 304, 404, 405, 412 or 416.
    ///
    /// A request for several ranges is answered with the whole file.
    public func response(to request: HTTPRequest) -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return HTTPResponse(status: 405, headers: ["Allow": "GET, HEAD"])
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return HTTPResponse(status: 404) }
        let size = Int64(status.st_size)
        let version = FileVersion(
            // The inode tells a file that took another's name from it; nanoseconds tell quick changes apart.
            tag: "\"\(hex(status.st_ino))-\(hex(size))-\(hex(status.st_mtim.tv_sec))-\(hex(status.st_mtim.tv_nsec))\"",
            modified: HTTPDate(seconds: Int64(status.st_mtim.tv_sec)))
        var headers: HTTPHeaders = [
            "Accept-Ranges": "bytes", "ETag": version.tag, "Last-Modified": version.modified.text,
        ]
        switch version.verdict(on: request.headers) {
        case .notModified: return HTTPResponse(status: 304, headers: headers)
        case .preconditionFailed: return HTTPResponse(status: 412)
        case .send(let honoursRange):
            headers["Content-Type"] = contentType
            switch ByteRange.select(honoursRange ? request.headers["Range"] : nil, size: size) {
            case .whole: return HTTPResponse(status: 200, headers: headers, body: .file(path: path, range: nil))
            case .part(let range):
                headers["Content-Range"] = range.contentRange(of: size)
                return HTTPResponse(status: 206, headers: headers, body: .file(path: path, range: range))
            case .unsatisfiable:
                headers["Content-Type"] = nil
                headers["Content-Range"] = "bytes */\(size)"
                return HTTPResponse(status: 416, headers: headers)
            }
        }
    }
}

/// What tells one state of a file from another, and what a conditional request (RFC 9110 §13) makes of it.
struct FileVersion {
    enum Verdict: Equatable {
        case notModified
        case preconditionFailed
        case send(honoursRange: Bool)
    }

    var tag: String
    var modified: HTTPDate

    /// Goes through the conditions in the order of RFC 9110 §13.2.2.
    func verdict(on headers: HTTPHeaders) -> Verdict {
        if let list = headers["If-Match"] {
            guard matches(list, weakly: false) else { return .preconditionFailed }
        } else if let date = headers["If-Unmodified-Since"].flatMap({ HTTPDate($0) }), modified > date {
            return .preconditionFailed
        }
        if let list = headers["If-None-Match"] {
            if matches(list, weakly: true) { return .notModified }
        } else if let date = headers["If-Modified-Since"].flatMap({ HTTPDate($0) }), modified <= date {
            return .notModified
        }
        guard let condition = headers["If-Range"] else { return .send(honoursRange: true) }
        return .send(honoursRange: condition == tag || HTTPDate(condition) == modified)
    }

    private func matches(_ list: String, weakly: Bool) -> Bool {
        list.split(separator: ",").contains { entry in
            var entry = entry.drop { $0 == " " || $0 == "\t" }
            while entry.last == " " || entry.last == "\t" { entry.removeLast() }
            if weakly, entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
            return entry == "*" || entry == tag
        }
    }
}

private func hex(_ number: some BinaryInteger) -> String { String(number, radix: 16) }
