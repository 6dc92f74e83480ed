import Casting
import FoundationEssentials
import HTTP
import Receiver

extension Call {
    /// The events of the session, from where the listener left off.
    func sessionEvents() async throws(CastError) -> HTTPResponse {
        var interval: Double?
        if let text = request.query["progressInterval"] {
            let range = ProgressSchedule.intervals
            guard let seconds = Double(text), range.contains(seconds) else {
                throw CastError(
                    .invalidRequest,
                    "“progressInterval” must be a number of seconds from \(range.lowerBound) to \(range.upperBound).",
                    details: ["field": "progressInterval"])
            }
            interval = seconds
        }
        // An id that is none of ours is like none at all: the listener gets the complete state.
        let after = request.headers["Last-Event-ID"].flatMap { Int($0) }
        let feed = try await api.receiver.events(
            session: session, after: after, progressInterval: interval, heartbeat: ReceiverAPI.heartbeat)
        return stream(feed)
    }

    /// Whether the receiver is free, now and whenever that changes.
    func availabilityEvents() -> HTTPResponse {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ServerSentEvent.self, bufferingPolicy: .bufferingNewest(16))
        let documents = api.receiver.availability()
        let teller = Task {
            for await document in documents {
                if let event = ServerSentEvent(document) { continuation.yield(event) }
            }
            continuation.finish()
        }
        let heart = Task {
            while (try? await Task.sleep(for: .seconds(ReceiverAPI.heartbeat))) != nil {
                continuation.yield(.heartbeat)
            }
        }
        continuation.onTermination = { _ in
            teller.cancel()
            heart.cancel()
        }
        return request.method == "HEAD" ? headOfEvents : .events(stream)
    }

    /// An answer that draws from `feed` only as fast as its reader takes them.
    private func stream(_ feed: EventFeed) -> HTTPResponse {
        guard request.method != "HEAD" else { return headOfEvents }
        let reader = FeedReader(feed)
        return .events(AsyncStream { await reader.next() })
    }

    private var headOfEvents: HTTPResponse {
        HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
    }
}

/// Draws from a feed event by event, for a stream that is made of a closure.
private actor FeedReader {
    private var elements: EventFeed.Iterator

    init(_ feed: EventFeed) {
        elements = feed.makeAsyncIterator()
    }

    func next() async -> ServerSentEvent? {
        var elements = elements
        defer { self.elements = elements }
        while let element = await elements.next(isolation: self) {
            if let event = ServerSentEvent(element) { return event }
        }
        return nil
    }
}

extension ServerSentEvent {
    /// What goes over the wire; nil for what cannot be put into JSON.
    fileprivate init?(_ element: EventFeed.Element) {
        switch element {
        case .heartbeat: self = .heartbeat
        case .event(let id, let event):
            guard let data = try? event.payload(sentAt: .now) else { return nil }
            self.init(
                id: id.map { String($0) }, event: event.name, data: String(decoding: data, as: UTF8.self))
        }
    }

    fileprivate init?(_ document: AvailabilityDocument) {
        guard let data = try? JSONEncoder.wire.encode(document) else { return nil }
        self.init(event: "availability", data: String(decoding: data, as: UTF8.self))
    }
}
