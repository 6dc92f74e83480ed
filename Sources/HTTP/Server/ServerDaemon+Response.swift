import CMicroHTTPD
import FoundationEssentials
import Glibc

/// Answers given to libmicrohttpd.
extension ServerDaemon {
    /// Queues an answer; false closes the connection.
    func send(
        _ response: HTTPResponse, method: String, _ connection: OpaquePointer, _ peer: ServerConnection
    ) -> Bool {
        let isHead = method == "HEAD"
        switch response.body {
        case .empty: return queue(response, buffer(Data()), connection)
        case .data(let data): return queue(response, buffer(data), connection)
        case .file(let path, let range):
            guard let body = file(path, range) else { return send(failure(404), method: method, connection, peer) }
            return queue(response, body, connection)
        case .events(let events):
            guard !isHead else { return queue(response, buffer(Data()), connection) }
            let stream = EventStream(
                connection: peer, key: UInt(bitPattern: connection), gate: gate, limit: limits.unsentEvents,
                streams: streams)
            guard streams.add(stream) else { return send(failure(503), method: method, connection, peer) }
            let retained = Unmanaged.passRetained(stream)
            let body = MHD_create_response_from_callback(
                .max, 16 << 10, serverStreamRead, retained.toOpaque(), serverStreamFree)
            guard let body else {
                retained.release()
                streams.remove(stream)
                return false
            }
            stream.start(events)
            return queue(response, body, connection)
        }
    }

    /// The answer to something the server cannot do; never a stream or a file, which could fail again.
    private func failure(_ status: Int) -> HTTPResponse {
        let response = errorResponse(status)
        switch response.body {
        case .empty, .data: return response
        case .file, .events: return HTTPResponse(status: status)
        }
    }

    private func queue(_ response: HTTPResponse, _ body: OpaquePointer?, _ connection: OpaquePointer) -> Bool {
        guard let body else { return false }
        defer { MHD_destroy_response(body) }
        for field in response.headers where HTTPHeaders.isValid(name: field.name, value: field.value) {
            _ = MHD_add_response_header(body, field.name, field.value)
        }
        if gate.isClosed { _ = MHD_add_response_header(body, "Connection", "close") }
        let status = (200...599).contains(response.status) ? response.status : 500
        return MHD_queue_response(connection, UInt32(status), body) == .YES
    }

    private func buffer(_ data: Data) -> OpaquePointer? {
        data.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    /// A file's bytes, sent by the kernel; nil where it cannot be opened or has become shorter than the range.
    private func file(_ path: String, _ range: ByteRange?) -> OpaquePointer? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        let size = Int64(status.st_size)
        let part = range ?? ByteRange(offset: 0, length: size)
        guard part.offset >= 0, part.length >= 0, part.offset <= size - part.length else {
            close(descriptor)
            return nil
        }
        guard part.length > 0 else {
            close(descriptor)
            return buffer(Data())
        }
        // Owns the descriptor from here.
        let body = MHD_create_response_from_fd_at_offset64(UInt64(part.length), descriptor, UInt64(part.offset))
        if body == nil { close(descriptor) }
        return body
    }
}

/// An answer as bytes on the wire, for a connection that libmicrohttpd cannot answer any more.
func rawResponse(_ response: HTTPResponse, reason: String) -> [UInt8] {
    var body = Data()
    if case .data(let data) = response.body { body = data }
    var text = "HTTP/1.1 \(response.status) \(reason)\r\n"
    for field in response.headers where HTTPHeaders.isValid(name: field.name, value: field.value) {
        text += "\(field.name): \(field.value)\r\n"
    }
    text += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return Array(text.utf8) + body
}
