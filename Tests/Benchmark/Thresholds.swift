import Foundation
import TestSupport

/// What a figure of castway's is held to.
struct Threshold: Codable, Sendable {
    /// At most so many times the best peer's median.
    var ratio: Double?
    /// The peer meant; the best one where absent.
    var to: String?
    /// At most so far from 0, whatever the peers do.
    var within: Double?

    /// The thresholds by figure, from a file.
    static func load(_ path: String) throws -> [String: Threshold] {
        let all = try JSONDecoder().decode(
            [String: Threshold].self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
        if let unknown = all.keys.first(where: { id in !Figure.all.contains { $0.id == id } }) {
            throw RunFailure(description: "\(path) names a figure that there is not: \(unknown).")
        }
        return all
    }
}

/// How castway's figure stands to its threshold.
struct Verdict: Codable, Sendable {
    /// The bar in words.
    var bar: String
    /// castway's part of the best peer's figure; nil where the bar is none of that kind.
    var ratio: Double?
    /// Whether it is kept.
    var isHeld: Bool

    /// The verdict on a figure; nil where castway or all peers have no readings.
    init?(_ threshold: Threshold?, _ readings: [(player: String, readings: Readings)]) {
        guard let threshold, let own = readings.first(where: { $0.player == "castway" })?.readings.median else {
            return nil
        }
        if let within = threshold.within {
            bar = "within \(within.formatted)"
            isHeld = abs(own) <= within
            return
        }
        let peers = readings.filter { $0.player != "castway" && (threshold.to == nil || $0.player == threshold.to) }
        guard let factor = threshold.ratio, let best = peers.min(by: { $0.readings.median < $1.readings.median }) else {
            return nil
        }
        let peer = best.readings.median
        bar = "≤ \(factor.formatted) × \(best.player)"
        ratio = peer > 0 ? own / peer : nil
        isHeld = own <= factor * peer
    }
}

extension Double {
    fileprivate var formatted: String { self == rounded() ? String(Int(self)) : String(self) }
}
