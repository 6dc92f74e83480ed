import FoundationEssentials
import Synchronization

/// A request for the engine, and who waits for it.
struct CurlJob: Sendable {
    /// Tells a job from every other.
    typealias ID = Int

    /// Where the answer goes.
    enum Destination: Sendable {
        /// All at once.
        case whole(limit: Int, CheckedContinuation<Result<HTTPClientResponse, HTTPError>, Never>)
        /// Event by event.
        case events(AsyncThrowingStream<HTTPEventStreamElement, any Error>.Continuation)
    }

    let id: ID
    let description: CurlRequestDescription
    /// Seconds for all of it; nil for as long as it likes.
    let timeout: Double?
    /// Seconds without a byte.
    let silence: Double?
    let destination: Destination

    static func newID() -> ID { lastID.add(1, ordering: .relaxed).newValue }

    func fail(_ error: HTTPError) {
        switch destination {
        case .whole(_, let continuation): continuation.resume(returning: .failure(error))
        case .events(let continuation): continuation.finish(throwing: error)
        }
    }
}

private let lastID = Atomic(0)

/// A job under way, on the engine's thread.
final class CurlActiveJob: CurlReceiver {
    let easy: CurlEasy
    private(set) lazy var request = CurlRequest(job.description, easy: easy, receiver: self)
    private let job: CurlJob
    private let begin = ContinuousClock.now
    private var lastByte = ContinuousClock.now
    private var bytesSeen = 0
    private var body = Data()
    private var parser: ServerSentEventParser?
    private var refusal: HTTPError?

    init(_ job: CurlJob, easy: CurlEasy) {
        self.job = job
        self.easy = easy
        _ = request
    }

    var id: CurlJob.ID { job.id }

    /// When it is too late, as things are now.
    func deadline(now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        if request.bytesSeen != bytesSeen {
            bytesSeen = request.bytesSeen
            lastByte = now
        }
        let connecting = bytesSeen == 0 ? job.description.connectTimeout : 0
        let ends = [job.timeout.map { begin + .seconds($0) }, job.silence.map { lastByte + .seconds($0 + connecting) }]
        return ends.compactMap { $0 }.min() ?? now + .seconds(3600)
    }

    /// What is said when it is too late.
    var lateness: HTTPError {
        HTTPError(.timedOut, "\(job.description.url.origin.host) took too long to answer.")
    }

    /// It is over.
    func end(_ error: HTTPError?) {
        let error = refusal ?? error
        switch job.destination {
        case .whole(_, let continuation):
            continuation.resume(returning: error.map { .failure($0) } ?? .success(response))
        case .events(let continuation):
            if error == nil, parser == nil {
                continuation.finish(
                    throwing: HTTPError(
                        .badResponse, "The answer is not a stream of events (status \(response.status)).",
                        response: response))
            } else {
                continuation.finish(throwing: error)
            }
        }
    }

    private var response: HTTPClientResponse {
        let head = request.head
        return HTTPClientResponse(
            status: head?.status ?? 0, headers: head?.headers ?? [:], body: body, effectiveURL: head?.url ?? "",
            localAddress: request.localAddress)
    }

    func receive(_ head: HTTPResponseHead) {
        guard case .events(let continuation) = job.destination, head.status == 200,
            let type = head.headers["Content-Type"],
            sameName(String(type.prefix { $0 != ";" && $0 != " " }), "text/event-stream")
        else { return }
        parser = ServerSentEventParser()
        continuation.yield(.opened(head))
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> CurlVerdict {
        let limit: Int
        switch job.destination {
        case .whole(let most, _): limit = most
        case .events(let continuation):
            limit = 1 << 20
            if parser != nil {
                do {
                    for event in try parser?.parse(bytes) ?? [] { continuation.yield(.event(event)) }
                    return .taken
                } catch {
                    refusal = HTTPError(.badResponse, "The stream of events has one that is too large.")
                    return .refused
                }
            }
        }
        guard body.count + bytes.count <= limit else {
            refusal = HTTPError(.badResponse, "The answer is larger than \(limit) bytes.")
            return .refused
        }
        body.append(contentsOf: bytes)
        return .taken
    }
}
