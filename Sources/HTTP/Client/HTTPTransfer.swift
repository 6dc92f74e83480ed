import Synchronization

/// How long a transfer waits.
public struct HTTPTransferTimeouts: Sendable, Hashable {
    /// Seconds for the connection, at each redirect.
    public var connect = 8.0
    /// Seconds without a byte while a call waits for the answer's first part, after the connection is there.
    public var answer = 10.0
    /// Seconds without a byte of the body while a call waits for one.
    public var silence = 10.0

    /// The usual ones.
    public init() {}
}

/// The first part of a transfer's answer.
public struct HTTPTransferHead: Sendable, Hashable {
    /// The status code; every one but a followed redirect comes here.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL that answered, after redirects.
    public var url: String

    /// The address of the server that answered, without port; empty where it is not known.
    public var serverAddress = ""

    /// The body's announced size in bytes; nil where it is not known or the body is compressed.
    public var contentLength: Int64? {
        guard headers["Content-Encoding"].map({ sameName($0, "identity") }) ?? true else { return nil }
        return headers["Content-Length"].flatMap { decimal($0) }
    }

    /// Which part of the whole this is; nil where the server does not say or says nonsense.
    public var contentRange: ContentRange? { headers["Content-Range"].flatMap { ContentRange($0) } }

    /// Seconds that the server asks to be left alone for (RFC 9110 §10.2.3), from `now`, in seconds since 1970; nil where
    /// it does not say.
    public func retryAfter(now: Double) -> Double? {
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = decimal(text) { return Double(seconds) }
        return HTTPDate(text).map { max(0, Double($0.seconds) - now) }
    }
}

/// A place for transfers that come one after another: connections are kept for the next, one at a time.
///
/// Beginning a transfer ends the one before. The old connection is closed before another is opened, because servers
/// that know only one at a time hang otherwise. The transfers of a session belong to one reading thread.
public final class HTTPTransferSession: Sendable {
    private let multi: CurlMulti
    private let driver: Mutex<TransferDriver>

    /// A place for transfers; opens nothing.
    public init() {
        let multi = CurlMulti(connections: 1)
        self.multi = multi
        driver = Mutex(TransferDriver(multi: multi))
    }

    fileprivate func withDriver<Value: Sendable>(
        _ body: (TransferDriver) throws(HTTPError) -> Value
    ) throws(HTTPError) -> Value {
        try driver.withLock { (driver) throws(HTTPError) in try body(driver) }
    }

    fileprivate func wake() {
        multi.wake()
    }

    fileprivate func end(_ transfer: ObjectIdentifier) {
        // Where another thread is at work, it is with another transfer, and this one has ended already.
        _ = driver.withLockIfAvailable { driver in
            if driver.serves(transfer) { driver.abandon() }
        }
    }
}

/// One GET, driven by the thread that reads it.
///
/// `head` and `read` block, so they belong to a thread of the caller's own and never to the cooperative pool.
/// Given headers go only to the origin of the given URL; cookies set on the way are kept for this transfer. A proxy of
/// the environment is used.
public final class HTTPTransfer: Sendable {
    private enum Phase {
        case fresh
        case begun
        case failed(HTTPError)
    }

    private let url: String
    private let headers: HTTPHeaders
    private let range: String?
    private let timeouts: HTTPTransferTimeouts
    private let session: HTTPTransferSession
    private let isCancelled = Atomic(false)
    private let phase = Mutex(Phase.fresh)

    /// A transfer; nothing is sent before `head` or `read`.
    ///
    /// - Parameters:
    ///   - offset: the first byte wanted, from 0; nil asks for no range.
    ///   - length: how many bytes from there, at least 1; nil for all.
    ///   - session: where to find a kept connection; nil for one of its own.
    public init(
        url: String, headers: HTTPHeaders = [:], offset: Int64? = nil, length: Int64? = nil,
        timeouts: HTTPTransferTimeouts = HTTPTransferTimeouts(), session: HTTPTransferSession? = nil
    ) {
        self.url = url
        self.headers = headers
        range =
            offset == nil && length == nil
            ? nil : "bytes=\(offset ?? 0)-" + (length.map { String((offset ?? 0) + $0 - 1) } ?? "")
        self.timeouts = timeouts
        self.session = session ?? HTTPTransferSession()
    }

    deinit {
        session.end(ObjectIdentifier(self))
    }

    /// Waits for the answer's first part; immediate once it is there.
    ///
    /// - Throws: `HTTPError`; the same again at later calls.
    public func head() throws(HTTPError) -> HTTPTransferHead {
        let (head, address) = try drive { (driver) throws(HTTPError) in
            (try driver.head(timeouts) { isCancelled.load(ordering: .relaxed) }, driver.serverAddress)
        }
        return HTTPTransferHead(status: head.status, headers: head.headers, url: head.url, serverAddress: address)
    }

    /// Waits for bytes of the body and puts some into the buffer.
    ///
    /// - Returns: how many; 0 when the body has ended as announced.
    /// - Throws: `HTTPError`; `connectionLost` for a body that ended short.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int {
        try drive { (driver) throws(HTTPError) in
            try driver.read(into: buffer, timeouts) { isCancelled.load(ordering: .relaxed) }
        }
    }

    /// Makes a blocked call, and every later one, throw `cancelled` at once. From any thread, any number of times.
    public func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        session.wake()
    }

    private func drive<Value: Sendable>(
        _ body: (TransferDriver) throws(HTTPError) -> Value
    ) throws(HTTPError) -> Value {
        do {
            return try session.withDriver { (driver) throws(HTTPError) in
                guard !isCancelled.load(ordering: .relaxed) else { throw HTTPError.givenUp }
                try begin(driver)
                return try body(driver)
            }
        } catch {
            phase.withLock { $0 = .failed(error) }
            session.end(ObjectIdentifier(self))
            throw error
        }
    }

    private func begin(_ driver: TransferDriver) throws(HTTPError) {
        switch phase.withLock({ $0 }) {
        case .failed(let error): throw error
        case .begun:
            // Another transfer of the session has taken the place.
            guard driver.serves(ObjectIdentifier(self)) else { throw .givenUp }
        case .fresh:
            var description = CurlRequestDescription(url: try WebURL(url), connectTimeout: timeouts.connect)
            description.headers = headers
            if let range { description.ownHeaders["Range"] = range }
            description.usesProxy = true
            description.bufferSize = 128 << 10
            try driver.begin(description, owner: ObjectIdentifier(self))
            phase.withLock { $0 = .begun }
        }
    }
}
