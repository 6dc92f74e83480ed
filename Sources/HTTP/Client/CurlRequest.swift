import CCurl

/// What a request is made of.
struct CurlRequestDescription: Sendable {
    var method = "GET"
    var url: WebURL
    /// Go to the origin of `url` alone.
    var headers = HTTPHeaders()
    /// Go with every redirect.
    var ownHeaders = HTTPHeaders()
    var body: [UInt8]?
    var connectTimeout: Double
    /// Whether a proxy of the environment is used.
    var usesProxy = false
    var bufferSize = 16 << 10
}

/// Gets what comes back for a request, while the multi handle performs.
protocol CurlReceiver: AnyObject {
    /// The answer that is no redirect has begun.
    func receive(_ head: HTTPResponseHead)
    /// A part of its body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> CurlVerdict
}

/// What becomes of a part of a body.
enum CurlVerdict {
    case taken
    /// Held back until `resume`.
    case later
    /// The transfer ends.
    case refused
}

/// One request on an easy handle, with its redirects. Belongs to the thread that performs.
final class CurlRequest {
    /// What is to be done after a transfer has ended.
    enum Outcome {
        /// Add it again: there was a redirect.
        case again
        case done
        case failed(HTTPError)
    }

    static let mostRedirects = 8

    private let handle: CurlEasy
    /// Bytes of answers seen so far, to tell progress.
    private(set) var bytesSeen = 0
    /// The final answer's head.
    private(set) var head: HTTPResponseHead?
    /// Whether the receiver holds the body back.
    private(set) var isPaused = false

    private let description: CurlRequestDescription
    private unowned let receiver: any CurlReceiver
    private var method: String
    private var url: WebURL
    private var body: [UInt8]?
    private var redirects = 0
    private var location: String?
    private var lines = HeadLines()
    private var list: UnsafeMutablePointer<curl_slist>?

    init(_ description: CurlRequestDescription, easy: CurlEasy, receiver: any CurlReceiver) {
        self.description = description
        handle = easy
        self.receiver = receiver
        method = description.method
        url = description.url
        body = description.body
        curl_easy_reset(self.easy)
        castway_curl_set_text(self.easy, CURLOPT_COOKIEFILE, "")
        castway_curl_set_text(self.easy, CURLOPT_COOKIELIST, "ALL")
        prepare()
    }

    deinit {
        curl_easy_reset(easy)
        curl_slist_free_all(list)
    }

    private var easy: UnsafeMutableRawPointer { handle.handle }

    /// The address of this machine that the connection has; empty where it is not known.
    var localAddress: String { castway_curl_local_address(easy).map { String(cString: $0) } ?? "" }

    /// The address of the server that the connection has, or of the proxy; empty where it is not known.
    var serverAddress: String { castway_curl_server_address(easy).map { String(cString: $0) } ?? "" }

    /// Asks for the part of the body that was held back.
    func resume() {
        guard isPaused else { return }
        isPaused = false
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// Looks at how a transfer ended, and makes the next one ready where there is one.
    func ended(_ code: CURLcode) -> Outcome {
        do {
            if let location {
                try follow(location)
                return .again
            }
        } catch {
            return .failed(error)
        }
        guard code == CURLE_OK else { return .failed(HTTPError(code, origin: url.origin)) }
        guard head != nil else { return .failed(HTTPError(.badResponse, "\(url.origin.host) did not answer in HTTP.")) }
        return .done
    }

    private func follow(_ location: String) throws(HTTPError) {
        redirects += 1
        guard redirects <= Self.mostRedirects else {
            throw HTTPError(
                .tooManyRedirects, "\(description.url.origin.host) leads from one address to the next without end.")
        }
        let next = try url.resolve(location)
        let becomesGet = lines.status == 303 ? method != "HEAD" : [301, 302].contains(lines.status) && method == "POST"
        if becomesGet {
            method = "GET"
            body = nil
        }
        url = next
        self.location = nil
        lines = HeadLines()
        prepare()
    }
}

/// Setting the easy handle up.
extension CurlRequest {
    private func prepare() {
        castway_curl_set_text(easy, CURLOPT_URL, url.text)
        castway_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        castway_curl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        castway_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // A name that is still looked up must not hold up the end.
        castway_curl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
        castway_curl_set_number(easy, CURLOPT_TCP_KEEPALIVE, 1)
        castway_curl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        castway_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(description.connectTimeout * 1000)))
        castway_curl_set_number(easy, CURLOPT_BUFFERSIZE, description.bufferSize)
        castway_curl_set_text(easy, CURLOPT_USERAGENT, "castway")
        // Asks for none, and undoes the one that a server applies all the same.
        castway_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "identity")
        castway_curl_set_text(easy, CURLOPT_NOPROXY, description.usesProxy ? nil : "*")
        castway_curl_set_receiver(easy, Unmanaged.passUnretained(self).toOpaque(), curlHeader, curlBody)
        prepareMethod()
        prepareHeaders()
    }

    private func prepareMethod() {
        castway_curl_set_number(easy, CURLOPT_HTTPGET, 1)
        castway_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, nil)
        if method == "HEAD" {
            castway_curl_set_number(easy, CURLOPT_NOBODY, 1)
        } else if body != nil || method != "GET" {
            let bytes = body ?? []
            if body != nil || ["POST", "PUT", "PATCH"].contains(method) {
                _ = bytes.withUnsafeBytes {
                    castway_curl_set_body(easy, $0.baseAddress ?? UnsafeRawPointer(easy), $0.count)
                }
            }
            castway_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func prepareHeaders() {
        var headers = description.ownHeaders
        if url.origin == description.url.origin {
            for field in description.headers { headers.add(field.name, field.value) }
        }
        // Given and received cookies go together in one line.
        let cookies = headers.values(of: "Cookie").joined(separator: "; ")
        headers.remove("Cookie")
        castway_curl_set_text(easy, CURLOPT_COOKIE, cookies.isEmpty ? nil : cookies)
        castway_curl_set_headers(easy, nil)
        curl_slist_free_all(list)
        list = nil
        for field in headers where HTTPHeaders.isValid(name: field.name, value: field.value) {
            // To curl, "Name:" takes a header away, and "Name;" sends an empty one.
            list = curl_slist_append(list, field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
        list = curl_slist_append(list, "Expect:")
        if headers["Content-Type"] == nil { list = curl_slist_append(list, "Content-Type:") }
        castway_curl_set_headers(easy, list)
    }
}

/// Taking in what comes.
extension CurlRequest {
    /// One line of the head; false where there are too many.
    fileprivate func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytesSeen += bytes.count
        // Lines after the body say nothing that is needed.
        guard head == nil, location == nil, lines.add(String(decoding: bytes, as: UTF8.self)) else {
            return head != nil
        }
        guard lines.isComplete else { return true }
        if [301, 302, 303, 307, 308].contains(lines.status), let location = lines.headers["Location"] {
            self.location = location
            return true
        }
        let head = HTTPResponseHead(status: lines.status, headers: lines.headers, url: url.text)
        self.head = head
        receiver.receive(head)
        return true
    }

    fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> CurlVerdict {
        bytesSeen += bytes.count
        // What a redirect says beside its headers is for people.
        guard location == nil else { return bytes.count < 1 << 16 ? .taken : .refused }
        let verdict = receiver.receive(bytes)
        if verdict == .later {
            bytesSeen -= bytes.count
            isPaused = true
        }
        return verdict
    }
}

/// CURLOPT_HEADERFUNCTION
private func curlHeader(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let request = Unmanaged<CurlRequest>.fromOpaque(context).takeUnretainedValue()
    return request.receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// CURLOPT_WRITEFUNCTION
private func curlBody(
    bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context, size * count > 0 else { return 0 }
    let request = Unmanaged<CurlRequest>.fromOpaque(context).takeUnretainedValue()
    return switch request.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
    case .taken: size * count
    case .later: Int(CURL_WRITEFUNC_PAUSE)
    case .refused: 0
    }
}
