import CMicroHTTPD
import Glibc

// What libmicrohttpd calls, on its own thread: each finds the object behind its pointer and hands over.

/// MHD_OPTION_NOTIFY_CONNECTION
func serverConnectionChanged(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
    guard let daemon = object(context, ServerDaemon.self), let connection, let socketContext else { return }
    switch change {
    case .CONNECTION_NOTIFY_STARTED:
        let opened = daemon.opened(
            descriptor: castway_mhd_socket(connection), peer: castway_mhd_peer(connection).map { printed($0) } ?? "")
        socketContext.pointee = Unmanaged.passRetained(opened).toOpaque()
    case .CONNECTION_NOTIFY_CLOSED:
        guard let pointer = socketContext.pointee else { return }
        daemon.closed(Unmanaged<ServerConnection>.fromOpaque(pointer).takeRetainedValue())
        socketContext.pointee = nil
    @unknown default: break
    }
}

/// MHD_OPTION_URI_LOG_CALLBACK: what it returns is the request's own pointer from then on.
func serverRequestBegan(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let daemon = object(context, ServerDaemon.self), let connection, let target,
        let socket = object(castway_mhd_socket_context(connection), ServerConnection.self)
    else { return nil }
    return Unmanaged.passRetained(daemon.began(String(cString: target), on: socket)).toOpaque()
}

/// MHD_AccessHandlerCallback
func serverAccess(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let daemon = object(context, ServerDaemon.self), let connection, let method, let uploadSize,
        let exchange = object(requestContext?.pointee, ServerExchange.self)
    else { return .NO }
    let bytes = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : uploadSize.pointee)
    uploadSize.pointee = 0
    return daemon.access(connection, exchange, method: String(cString: method), body: bytes) ? .YES : .NO
}

/// MHD_OPTION_NOTIFY_COMPLETED
func serverRequestCompleted(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
    requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
    guard let daemon = object(context, ServerDaemon.self), let pointer = requestContext?.pointee else { return }
    requestContext?.pointee = nil
    daemon.completed(Unmanaged<ServerExchange>.fromOpaque(pointer).takeRetainedValue())
}

/// MHD_OPTION_UNESCAPE_CALLBACK: leaves everything as it is, because undoing escapes in place hides NUL bytes.
func serverUnescape(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
    text.map { strlen($0) } ?? 0
}

/// MHD_ContentReaderCallback of an event stream
func serverStreamRead(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
    guard let stream = object(context, EventStream.self) else { return endedWithError }
    return switch stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
    case .bytes(let count): count
    case .asleep: 0
    case .end: endOfStream
    case .broken: endedWithError
    }
}

/// MHD_ContentReaderFreeCallback of an event stream
func serverStreamFree(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<EventStream>.fromOpaque(context).takeRetainedValue().close()
}

/// MHD_CONTENT_READER_END_OF_STREAM
private let endOfStream = -1
/// MHD_CONTENT_READER_END_WITH_ERROR
private let endedWithError = -2

private func object<Object: AnyObject>(_ pointer: UnsafeMutableRawPointer?, _: Object.Type) -> Object? {
    pointer.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
