import HTTP

/// Serves the files of one folder on the loopback address, as a well-behaved web server would.
public final class FolderServer: Sendable {
    private let server: HTTPServer

    /// Serves what is in the folder at `path` until the last reference to the server is gone.
    public init(path: String) throws {
        server = HTTPServer { request in
            guard request.pathComponents.count == 1, let name = request.pathComponents.first else {
                return HTTPResponse(status: 404)
            }
            return FileResponder(path: path + "/" + name).response(to: request)
        }
        try server.start(port: 0, on: .loopback)
    }

    deinit { server.stop() }

    /// The URL of a file.
    public func url(_ name: String) -> String { "http://127.0.0.1:\(server.port)/\(name)" }
}
