import Casting
import HTTP

#if canImport(Glibc)
    import Glibc
#endif

/// Asking for bytes, and what the server may answer.
extension ByteSource {
    /// Whether nothing has come of the media yet, so that someone waits for its first picture.
    private var isOpening: Bool { !isKnown && !network.hasBegun }

    /// Makes a connection whose next byte is at `target`, or before it where the server knows no ranges.
    func connect(at target: Int64) throws(CastError) {
        repeat {
            transfer?.cancel()
            transfer = nil
            partEnd = nil
            hasDelivered = false
            try network.cancellation.check()
            let item = network.location.url
            let new = network.connect(
                address, offset: usesRanges ? target : nil, length: usesRanges ? end.map { $0 - target } : nil,
                silence: RetryPolicy.silence(opening: isOpening, knowsRanges: isSeekable), session: session)
            let hook = network.cancellation.addHook { new.cancel() }
            defer { network.cancellation.removeHook(hook) }
            let head: HTTPTransferHead
            do throws(HTTPError) {
                head = try new.head()
            } catch {
                try network.cancellation.check()
                serverAddress = nil
                let failure = CastError(error, opening: isOpening)
                noteFault(failure)
                try wait(after: error.kind, otherwise: failure)
                continue
            }
            serverAddress = head.serverAddress.isEmpty ? nil : head.serverAddress
            network.traffic.recordAnswer(from: head.serverAddress, url: isItem ? head.url : nil)
            if try accept(head, at: target, item: item) { transfer = new }
        } while transfer == nil
    }

    /// Takes in what the server answered.
    ///
    /// - Parameter item: the item's URL when it was asked.
    /// - Returns: false where it is to be asked again.
    private func accept(_ head: HTTPTransferHead, at target: Int64, item: String) throws(CastError) -> Bool {
        let failure = CastError(status: head.status, opening: isOpening)
        switch head.status {
        case 206:
            guard usesRanges, let part = head.contentRange?.range, part.offset == target else {
                return try refuseRange()
            }
            try note(head, size: head.contentRange?.size)
            facts.isSeekable = true
            edge = target
            partEnd = part.offset + part.length
        case 200...299:
            try note(head, size: head.contentLength)
            if !isSeekable { usesRanges = false }
            edge = 0
        case 400, 405, 406, 416, 501:
            noteFault(failure, status: head.status)
            guard !(isKnown && head.status == 416) else { throw .changed }
            guard usesRanges, !isKnown else { throw failure }
            usesRanges = false
            return false
        case 401, 403, 410:
            noteFault(failure, status: head.status)
            guard !isOpening else { throw failure }
            try network.supply.awaitRenewal(of: item, status: head.status, unless: network.cancellation)
            // Another server gives the same file another name.
            facts.version = FileVersion()
            return false
        case 408, 425, 429, 500...599:
            noteFault(failure, status: head.status)
            let pause = head.retryAfter(now: Double(time(nil)))
            try wait(after: .busy(retryAfter: pause), otherwise: failure)
            return false
        default:
            noteFault(failure, status: head.status)
            throw failure
        }
        noteFacts()
        return true
    }

    /// The server understood another range than was meant: at the start the whole will do.
    private func refuseRange() throws(CastError) -> Bool {
        noteFault(.wrongRange, status: 206)
        guard usesRanges, !isKnown else { throw .wrongRange }
        usesRanges = false
        return false
    }

    /// Keeps what the first answer says of the whole, and compares later ones with it.
    private func note(_ head: HTTPTransferHead, size: Int64?) throws(CastError) {
        let version = FileVersion(entityTag: head.headers["ETag"], lastModified: head.headers["Last-Modified"])
        guard isKnown else {
            facts = FileFacts(
                url: head.url, contentType: head.headers["Content-Type"], size: size, version: version)
            facts.isBroadcast = size == nil && Self.stationHeaders.contains { head.headers[$0] != nil }
            end = [end, size].compactMap { $0 }.min()
            isKnown = true
            return
        }
        if let old = facts.size, let size, old != size { throw .changed }
        guard !facts.version.hasChanged(to: version) else { throw .changed }
        if facts.version == FileVersion() { facts.version = version }
    }

    /// What radio stations say of themselves (Icecast, SHOUTcast).
    private static let stationHeaders = [
        "icy-name", "icy-br", "icy-genre", "icy-pub", "icy-url", "icy-description", "icy-metaint", "ice-audio-info",
    ]

    /// Waits before another attempt, or gives up.
    func wait(after kind: RetryPolicy.Failure, otherwise error: CastError) throws(CastError) {
        let delay = retry.delay(
            after: kind, opening: isOpening, now: HostTime.now.seconds, dry: network.supply.drySince?.seconds,
            patience: network.supply.grace)
        guard let delay else { throw error }
        try pause(delay, unless: network.cancellation)
    }

    /// Has a failure known to whoever asks later what went wrong.
    func noteFault(_ error: CastError, status: Int? = nil) {
        network.traffic.recordFault(error, url: address, serverAddress: serverAddress, status: status)
    }
}

extension HTTPError {
    /// How the failure counts for another attempt.
    var kind: RetryPolicy.Failure {
        switch code {
        case .connectionLost, .cancelled: .lost
        case .timedOut: .slow
        case .cannotConnectToHost, .cannotFindHost: .unreachable
        default: .hopeless
        }
    }
}
