import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Damaged files: played as far as they go or refused with an error; never a crash, a hang, or memory without end.
///
/// `CASTWAY_DAMAGE_SECONDS` makes it look for longer, each time around with other damage.
@Suite(.serialized) struct DamagedTests {
    private static let seconds = Double(ProcessInfo.processInfo.environment["CASTWAY_DAMAGE_SECONDS"] ?? "") ?? 0

    @Test("damaged files of every kind end, one way or the other, and leave no memory behind")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let originals = try await onOwnThread {
            let maker = try OddInputMaker(folder: folder.path)
            return try DamagedKind.all.map { kind in
                try maker.make(OddInput(kind.name, kind.options + " -t 1.5 " + kind.name))
                return (kind.name, try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + kind.name)))
            }
        }
        let before = try ProcessFigures(of: getpid()).memory
        let start = ContinuousClock.now
        var round: UInt64 = 0
        repeat {
            // A kind of damage for each file in a round, so that five rounds meet all.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, (name, content)) in originals.enumerated() {
                    let damage = Damage.allCases[(index + Int(round)) % Damage.allCases.count]
                    let seed = round * 100 + UInt64(index)
                    group.addTask { try await Self.play(name, damage.done(to: content, seed: seed), damage, seed) }
                }
                try await group.waitForAll()
            }
            round += 1
        } while ContinuousClock.now - start < .seconds(Self.seconds)
        let grown = try ProcessFigures(of: getpid()).memory - before
        // The sanitizer keeps what is freed for a while: 256 MB of it.
        #expect(grown < 700 << 20, "\(grown >> 20) MB more after \(round) rounds")
    }

    private static func play(_ name: String, _ content: Data, _ damage: Damage, _ seed: UInt64) async throws {
        let place = await Turns.shared.take()
        defer { place.giveBack() }
        let server = try FaultServer()
        defer { server.stop() }
        let url = server.serve("/" + name, content, contentType: "application/octet-stream")
        do {
            let play = try await PlayThrough.of(url, rate: 2, within: 90)
            #expect(play.error != nil || play.endings == 1)
        } catch {
            let kept = packageRoot + "/.build/damaged-\(seed)-\(name)"
            try? content.write(to: URL(fileURLWithPath: kept))
            Issue.record("\(damage.rawValue) \(name), seed \(seed), kept as \(kept)")
        }
    }
}
