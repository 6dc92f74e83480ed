import Casting
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import Sender

/// A receiver that is there, and says nothing more: its machine hangs, or the way to it is gone.
@Suite struct HungReceiverTests {
    /// Answers by hand: a session, one state, and then silence on every connection, old and new.
    private final class Hanging: Sendable {
        private let server: HTTPServer
        var address: String { "127.0.0.1:\(server.port)" }

        init() throws {
            var limits = HTTPServerLimits()
            limits.heartbeatInterval = 0
            let streams = Mutex(0)
            server = HTTPServer(limits: limits) { request in
                var state = PlaybackState()
                state.item = ItemState(id: "a", title: "Film")
                state.item?.status = .readyToPlay
                switch (request.method, request.pathComponents.last) {
                case ("GET", "receiver"):
                    let nothing = ReceiverInfo.Capabilities(
                        protocols: [], containers: [], videoCodecs: [], audioCodecs: [], screenSize: nil,
                        rates: TimeRange(start: 0.5, end: 2))
                    return .json(
                        ReceiverInfo(
                            id: "hanging", name: "Hanging TV", model: "m", version: "1", protocolVersion: 1,
                            capabilities: nothing, availability: .idle, currentSender: nil))
                case ("POST", "sessions"): return .json(SessionGrant(id: "s", token: "t", state: PlaybackState()))
                case ("GET", "events"):
                    let isFirst = streams.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if !isFirst { try? await Task.sleep(for: .seconds(60)) }
                    guard let text = try? Event.state(state).payload() else { return HTTPResponse(status: 500) }
                    let (events, continuation) = AsyncStream<ServerSentEvent>.makeStream()
                    continuation.yield(
                        ServerSentEvent(id: "1", event: "state", data: String(decoding: text, as: UTF8.self)))
                    return .events(events)
                default:
                    try? await Task.sleep(for: .seconds(60))
                    return HTTPResponse(status: 204)
                }
            }
            try server.start(port: 0, on: .loopback)
        }

        deinit { server.stop() }
    }

    @Test("a receiver that hangs is given up after a while, with 6")
    func hangs() async throws {
        let receiver = try Hanging()
        let user = try TestUser()
        let play = try user.start(["play", "http://192.0.2.1/film.mp4", "--to", receiver.address])
        #expect(await eventually { play.output.contains("Playing") })
        let start = ContinuousClock.now
        #expect(await play.status(within: 25) == 6)
        #expect(ContinuousClock.now - start > .seconds(3))
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(play.errors.hasPrefix("castsend: “Hanging TV” does not answer any more.\n"))
    }
}
