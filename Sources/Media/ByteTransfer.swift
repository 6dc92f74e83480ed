import HTTP

/// One GET as `ByteSource` needs it: HTTP's, or a made-up one in tests.
protocol ByteTransfer: Sendable {
    /// Waits for the answer's first part.
    func head() throws(HTTPError) -> HTTPTransferHead
    /// Waits for bytes of the body; 0 at its announced end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPError) -> Int
    /// Ends a blocked call from another thread.
    func cancel()
}

extension HTTPTransfer: ByteTransfer {}

/// What a GET asks for.
struct TransferRequest: Sendable {
    var url: String
    var headers: HTTPHeaders
    /// The first byte; nil asks for no range.
    var offset: Int64?
    /// How many bytes; nil for all.
    var length: Int64?
    /// Seconds without a byte of the body after which it fails.
    var silence: Double
    var session: HTTPTransferSession
}
