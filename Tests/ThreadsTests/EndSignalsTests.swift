import Foundation
import Testing
import Threads

@Suite struct EndSignalsTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal that is held ends nothing, and is told to whoever waits`(_ number: Int32) async {
        let told = await withCheckedContinuation { continuation in
            OwnThread.start("signalled") {
                EndSignals.hold()
                pthread_kill(pthread_self(), number)
                continuation.resume(returning: EndSignals.next())
            }
        }
        #expect(told == number)
    }
}
