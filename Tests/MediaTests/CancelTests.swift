import Casting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Media

/// Every call that can block ends soon after it was given up, whatever it waits for.
@Suite(.serialized) struct CancelTests {
    private func endsSoon(_ supply: MediaSupply, once isWaiting: @escaping @Sendable () -> Bool) async throws {
        let cancellation = Cancellation()
        async let outcome = onOwnThread {
            let error = #expect(throws: CastError.self) {
                let demuxer = try Demuxer(supply, cancellation: cancellation, timeout: 60)
                while try demuxer.nextPacket() != nil {}
            }
            return (error?.code, HostTime.now)
        }
        #expect(await eventually { isWaiting() })
        try await Task.sleep(for: .milliseconds(100))
        let began = HostTime.now
        cancellation.cancel()
        let (code, end) = try await outcome
        #expect(code == .operationCancelled)
        #expect(end.seconds(since: began) < 1)
    }

    private func endsSoon(_ fault: FaultServer.Fault, _ clip: Clip, requests: Int = 1) async throws {
        let server = try FaultServer(file: clip.path(), fault)
        try await endsSoon(MediaSupply(MediaLocation(url: server.url))) { server.requests.count >= requests }
    }

    @Test("connecting")
    func connecting() async throws {
        let listener = Listener()
        let url = "http://127.0.0.1:\(listener.port)/"
        try await listener.whileFull { try await endsSoon(MediaSupply(MediaLocation(url: url))) { true } }
    }

    @Test("waiting for an answer") func answer() async throws { try await endsSoon(.noAnswer, streamed) }

    @Test("waiting for a body")
    func body() async throws { try await endsSoon(.stallAfter(fraction: 0.01, times: 100), streamed) }

    @Test("waiting before another attempt")
    func backOff() async throws { try await endsSoon(.busy(503, retryAfter: "7", times: 100), streamed) }

    @Test("waiting for the whole of a file")
    func spool() async throws {
        try await endsSoon(.noRangeAndStall(fraction: 0.9), Kind.all[0].clip)
        try await endsSoon(.noRangeAndSlow(bytesPerSecond: 2000), Kind.all[0].clip)
    }

    @Test("waiting for a fresh URL")
    func renewal() async throws {
        let server = try FaultServer(file: streamed.path(), .tokenRequired(orStatus: 403, bytesPerSecond: 5000))
        server.setValid(queries: ["t=1"])
        let isAsked = Atomic(false)
        let supply = MediaSupply(MediaLocation(url: server.url("/media?t=1")))
        supply.onExpiry { _ in isAsked.store(true, ordering: .relaxed) }
        let cancellation = Cancellation()
        let network = Network(supply, cancellation: cancellation)
        async let outcome = onOwnThread {
            let source = try ByteSource(server.url("/media?t=1"), isItem: true, network: network)
            network.hasBegun = true
            server.setValid(queries: [])
            server.goAway()
            server.comeBack()
            let error = #expect(throws: CastError.self) { while try !source.readSome(upTo: 4096).isEmpty {} }
            return (error?.code, HostTime.now)
        }
        #expect(await eventually { isAsked.load(ordering: .relaxed) })
        let began = HostTime.now
        cancellation.cancel()
        let (code, end) = try await outcome
        #expect(code == .operationCancelled)
        #expect(end.seconds(since: began) < 1)
    }

    private var streamed: Clip {
        var clip = Kind.all[0].clip
        clip.more = ["-movflags", "+faststart"]
        return clip
    }
}
