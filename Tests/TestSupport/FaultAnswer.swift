import Foundation

/// One answer of the fault server.
struct FaultAnswer {
    let connection: Int32
    let request: FaultServer.Request
    let resource: FaultServer.Resource?
    /// Whether the query is one that lets in.
    var hasToken = false

    /// Sends it; false where the connection is to be closed.
    func send() -> Bool {
        guard let resource else { return sendEmpty(404) }
        switch resource.fault {
        case .redirect(let target): return sendEmpty(302, ["Location: \(target)"])
        case .redirectLoop: return sendEmpty(302, ["Location: \(request.path)"])
        case .cookieRequired where request.headers["cookie"] == nil:
            guard resource.requests == 1 || !request.path.hasSuffix("?again") else { return sendEmpty(403) }
            return sendEmpty(302, ["Location: \(request.path)?again", "Set-Cookie: pass=1; path=/"])
        case .status(let status, let times) where resource.requests <= times: return sendEmpty(status)
        case .busy(let status, let retryAfter, let times) where resource.requests <= times:
            return sendEmpty(status, ["Retry-After: \(retryAfter)"])
        case .noAnswer:
            _ = hasHungUp(connection, within: -1)
            return false
        case .oneShot(let status) where resource.requests > 1: return sendEmpty(status)
        case .tokenRequired(let status, _) where !hasToken: return sendEmpty(status)
        case .rejectRange where request.headers["range"] != nil: return sendEmpty(406)
        default: return sendContent(resource)
        }
    }

    private func sendEmpty(_ status: Int, _ lines: [String] = []) -> Bool {
        write(head(status, lines + ["Content-Length: 0"]))
    }

    private func head(_ status: Int, _ lines: [String]) -> Data {
        Data((["HTTP/1.1 \(status) Status"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    private func sendContent(_ resource: FaultServer.Resource) -> Bool {
        let size = resource.content.count
        var lines = ["Content-Type: \(resource.contentType)"] + resource.headers
        if case .manyHeaders = resource.fault {
            lines += (0..<200).map { "X-Filler-\($0): " + String(repeating: "x", count: 400) }
            lines += ["Content-Type: text/plain", "X-Huge: " + String(repeating: "y", count: 40_000), "ETag: \"1\""]
            lines += ["ETag: \"2\"", "Set-Cookie: a=b", "Set-Cookie: c=d", "Accept-Ranges: none"]
        }
        var part = 0..<size
        var status = 200
        if !ignoresRange(resource.fault), let range = request.headers["range"] {
            guard let asked = Self.range(range, size) else {
                return sendEmpty(416, ["Content-Range: bytes */\(size)"])
            }
            part = asked
            if case .shortParts(let most) = resource.fault { part = part.prefix(most) }
            status = 206
            var told = part.lowerBound
            if case .wrongRange = resource.fault { told += 1 }
            lines.append("Content-Range: bytes \(told)-\(part.upperBound - 1)/\(size)")
        }
        if !ignoresRange(resource.fault) { lines.append("Accept-Ranges: bytes") }
        let start = resource.content.startIndex
        var body = resource.content[(start + part.lowerBound)..<(start + part.upperBound)]
        if case .gzip = resource.fault {
            body = gzipped(body)
            lines.append("Content-Encoding: gzip")
        }
        var closes = false
        switch resource.fault {
        case .chunked: lines.append("Transfer-Encoding: chunked")
        case .noContentLength:
            lines.append("Connection: close")
            closes = true
        default: lines.append("Content-Length: \(body.count)")
        }
        guard write(head(status, lines)) else { return false }
        guard request.method != "HEAD" else { return !closes }
        return sendBody(body, resource) && !closes
    }

    private func ignoresRange(_ fault: FaultServer.Fault) -> Bool {
        switch fault {
        case .noRange, .chunked, .noContentLength, .gzip, .noRangeAndStall, .noRangeAndSlow: true
        default: false
        }
    }

    private static func range(_ header: String, _ size: Int) -> Range<Int>? {
        let sides = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        guard let first = Int(sides[0]) else { return Int(sides[1]).map { max(0, size - $0)..<size } }
        let end = min(size, (Int(sides[1]) ?? size - 1) + 1)
        return first < end ? first..<end : nil
    }

    private func sendBody(_ body: Data, _ resource: FaultServer.Resource) -> Bool {
        switch resource.fault {
        case .dropAfter(let fraction, let times) where resource.requests <= times:
            _ = write(body.prefix(Int(Double(body.count) * fraction)))
            return false
        case .stallAfter(let fraction, let times) where resource.requests <= times:
            _ = write(body.prefix(Int(Double(body.count) * fraction)))
            _ = hasHungUp(connection, within: -1)
            return false
        case .noRangeAndStall(let fraction):
            _ = write(body.prefix(Int(Double(body.count) * fraction)))
            _ = hasHungUp(connection, within: -1)
            return false
        case .slow(let bytesPerSecond), .noRangeAndSlow(let bytesPerSecond),
            .tokenRequired(_, let bytesPerSecond):
            return slowly(body, bytesPerSecond)
        case .burst(let bytes, let bytesPerSecond):
            return write(body.prefix(bytes)) && slowly(body.dropFirst(bytes), bytesPerSecond)
        case .chunked:
            return inPieces(of: 30_000, body) { piece in
                write(Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8))
            } && write(Data("0\r\n\r\n".utf8))
        default: return write(body)
        }
    }

    private func slowly(_ body: Data, _ bytesPerSecond: Int) -> Bool {
        inPieces(of: max(1, bytesPerSecond / 50), body) { piece in
            usleep(20_000)
            return write(piece)
        }
    }

    private func inPieces(of size: Int, _ body: Data, _ send: (Data) -> Bool) -> Bool {
        var rest = body
        while !rest.isEmpty {
            guard send(Data(rest.prefix(size))) else { return false }
            rest = rest.dropFirst(size)
        }
        return true
    }

    private func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(connection, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

/// Waits until either side closes a connection.
///
/// - Parameter milliseconds: how long at most; without end where negative.
/// - Returns: whether one has.
func hasHungUp(_ connection: Int32, within milliseconds: Int32) -> Bool {
    // POLLRDHUP, which the C library shows only to GNU sources.
    var poll = pollfd(fd: connection, events: 0x2000, revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) > 0
}

/// The data in gzip's container (RFC 1952), in blocks that are stored as they are.
private func gzipped(_ data: Data) -> Data {
    var result = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
    var rest = data
    repeat {
        let block = rest.prefix(65535)
        rest = rest.dropFirst(65535)
        let size = UInt16(block.count)
        result += [rest.isEmpty ? 1 : 0, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
        result += block
    } while !rest.isEmpty
    for number in [crc32(data), UInt32(truncatingIfNeeded: data.count)] {
        result += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return result
}

private func crc32(_ data: Data) -> UInt32 {
    ~data.withUnsafeBytes { bytes in
        bytes.reduce(~0 as UInt32) { crc, byte in crc >> 8 ^ crcTable[Int(crc & 255 ^ UInt32(byte))] }
    }
}

private let crcTable: [UInt32] = (0..<256).map { start in
    (0..<8).reduce(start) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
}
