import Casting
import Testing

@testable import Playback

@Suite struct TimeControlTests {
    @Test func `paused is paused whatever stands in the way`() {
        for obstacle in [nil, .evaluating, .buffering] as [TimeControl.Obstacle?] {
            var control = TimeControl()
            control.hasItem = true
            control.obstacle = obstacle
            #expect(control.status == .paused)
            #expect(control.reason == nil)
        }
    }

    @Test(
        arguments: [
            (nil, nil, TimeControlStatus.playing),
            (.evaluating, .evaluatingBufferingRate, .waitingToPlayAtSpecifiedRate),
            (.buffering, .toMinimizeStalls, .waitingToPlayAtSpecifiedRate),
        ] as [(TimeControl.Obstacle?, WaitingReason?, TimeControlStatus)])
    func `an obstacle makes it wait, the rate staying`(
        obstacle: TimeControl.Obstacle?, reason: WaitingReason?, status: TimeControlStatus
    ) throws {
        var control = TimeControl()
        control.hasItem = true
        try control.setRate(1.5)
        control.obstacle = obstacle
        #expect(control.status == status)
        #expect(control.reason == reason)
        #expect(control.rate == 1.5)
    }

    @Test func `without an item it waits for one`() {
        var control = TimeControl()
        control.play()
        #expect(control.status == .waitingToPlayAtSpecifiedRate)
        #expect(control.reason == .noItemToPlay)
    }

    @Test func `a rate is for now, the default rate is what play goes back to`() throws {
        var control = TimeControl()
        control.play()
        #expect(control.rate == 1)
        try control.setRate(2)
        #expect(control.defaultRate == 1)
        control.pause()
        control.play()
        #expect(control.rate == 1)
        try control.setDefaultRate(1.25)
        #expect(control.rate == 1.25)
        control.pause()
        try control.setDefaultRate(0.75)
        #expect(control.rate == 0)
        control.play()
        #expect(control.rate == 0.75)
    }

    @Test(arguments: [-1, 0.49, 2.01, .nan, .infinity])
    func `other rates are refused`(rate: Double) {
        var control = TimeControl()
        #expect(throws: CastError.self) { try control.setRate(rate) }
        #expect(throws: CastError.self) { try control.setDefaultRate(rate) }
        #expect(throws: CastError.self) { try control.setDefaultRate(0) }
        #expect(control == TimeControl())
    }
}
