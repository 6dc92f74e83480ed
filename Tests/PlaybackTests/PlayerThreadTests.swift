import Casting
import Testing

@testable import Playback

@Suite struct PlayerThreadTests {
    @Test func `where the system has no more threads there is an error, not a crash`() throws {
        let error = #expect(throws: CastError.self) {
            try PlayerThread(name: "none", starter: { _, _ in false }, body: {})
        }
        #expect(error?.code == .receiverOverloaded)
        #expect(error?.hint != nil)
    }
}
