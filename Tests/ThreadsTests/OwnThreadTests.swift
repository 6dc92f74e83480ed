import Foundation
import TestSupport
import Testing
import Threads

@Suite struct OwnThreadTests {
    @Test func `work runs on a thread that bears its name, cut to what the kernel keeps`() async {
        let name = await withCheckedContinuation { continuation in
            OwnThread.start("a thread with a long name") {
                continuation.resume(returning: try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8))
            }
        }
        #expect(name == "a thread with a\n")
    }

    @Test func `what the work holds is let go when it has ended`() async {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let held = Witness()
            witness = held
            await withCheckedContinuation { continuation in
                OwnThread.start("witness") { [held] in
                    withExtendedLifetime(held) { continuation.resume() }
                }
            }
        }
        #expect(await eventually { witness == nil })
    }
}
