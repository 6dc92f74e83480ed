import Casting
import TestSupport
import Testing

@testable import Playback

/// What came of playing something from its beginning for as long as it went on.
struct PlayThrough: Sendable {
    /// All that the player told.
    var states: [PlaybackState]
    /// How often it was told to have ended.
    var endings: Int
    /// The pictures that came up.
    var shown: [FakeScreen.Shown]
    /// What was heard, of the left channel.
    var samples: [Float]
    /// Why it failed; nil where it did not.
    var error: CastError?

    /// Plays it.
    ///
    /// - Throws: where it neither ends nor fails within `seconds`.
    static func of(_ url: String, rate: Double? = nil, within seconds: Double = 60) async throws -> PlayThrough {
        let rig = Rig(readsNumbers: false)
        var error: CastError?
        do {
            try await rig.load(url, rate: rate)
            // In real time, on a machine that may be busy with much else.
            try #require(
                await eventually(within: seconds) { rig.player.state.item.map { $0.status == .failed } ?? true },
                "It goes on and on: \(rig.player.state)")
            error = rig.player.state.item?.error
        } catch let reason as CastError {
            error = reason
        }
        let failed = error != nil
        _ = await eventually(within: 5) { failed || !rig.ended.isEmpty }
        return PlayThrough(
            states: rig.states, endings: rig.ended.count, shown: rig.screen.shown, samples: rig.speaker.pulled,
            error: error)
    }

    /// The item when most was known of it.
    var item: ItemState? { states.compactMap(\.item).last { $0.status == .readyToPlay } }

    /// The subtitles that there are to choose from.
    var legible: [MediaSelectionOption] {
        item?.mediaSelectionGroups?.first { $0.characteristic == .legible }?.options ?? []
    }

    /// Seconds from the first to the last sample that can be heard.
    var audibleSpan: Double {
        guard let first = samples.firstIndex(where: { abs($0) > 0.002 }),
            let last = samples.lastIndex(where: { abs($0) > 0.002 })
        else { return 0 }
        return Double(last - first + 1) / Double(Speaker.sampleRate)
    }

    /// The loudest sample.
    var peak: Float { samples.lazy.map(abs).max() ?? 0 }
}

/// Lets a few things play at a time.
actor Turns {
    static let shared = Turns()

    /// A place, to be given back.
    struct Place: Sendable {
        func giveBack() { Task { await Turns.shared.giveBack() } }
    }

    private var free = 4
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for a place.
    func take() async -> Place {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        return Place()
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
