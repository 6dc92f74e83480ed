import HTTP

/// Serves one film on the loopback address, as a well-behaved web server would.
public final class ClipServer: Sendable {
    private let server: HTTPServer
    /// Where the film is.
    public let url: String

    /// Serves the file at `path` until the last reference to the server is gone.
    public init(path: String) throws {
        let name = path.split(separator: "/").last.map(String.init) ?? "film"
        let film = FileResponder(path: path)
        server = HTTPServer { request in
            request.pathComponents == [name] ? film.response(to: request) : HTTPResponse(status: 404)
        }
        try server.start(port: 0, on: .loopback)
        url = "http://127.0.0.1:\(server.port)/\(name)"
    }

    /// Serves the files of a folder; the film is the one called `film`.
    public init(folder: String, film: String) throws {
        server = HTTPServer { request in
            guard request.pathComponents.count == 1, let name = request.pathComponents.first, name != ".." else {
                return HTTPResponse(status: 404)
            }
            return FileResponder(path: folder + "/" + name).response(to: request)
        }
        try server.start(port: 0, on: .loopback)
        url = "http://127.0.0.1:\(server.port)/\(film)"
    }

    deinit { server.stop() }
}
