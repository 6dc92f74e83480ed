import Casting
import Testing

@testable import Playback

@Suite struct DrySpellTests {
    @Test func `it is looked at once more when its time is up, and then only for packets`() {
        let instant = { HostTime(seconds: $0) }
        var spell = DrySpell()
        #expect(spell.nextLook(at: instant(10)) == nil)
        #expect(spell.seconds(at: instant(10)) == 0)
        #expect(abs(spell.seconds(at: instant(10.25)) - 0.25) < 1e-6)
        let next = spell.nextLook(at: instant(10.25))
        #expect(abs((next?.seconds(since: instant(10)) ?? 0) - 0.51) < 1e-6)
        #expect(spell.seconds(at: instant(10.51)) >= DrySpell.patience)
        #expect(spell.nextLook(at: instant(10.51)) == nil)
        spell.end()
        #expect(spell.seconds(at: instant(20)) == 0)
    }
}
