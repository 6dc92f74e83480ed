import Casting

/// How long a silent receiver is tried again. Times are seconds.
struct ReconnectPolicy: Hashable, Sendable {
    /// The silence that counts as a broken connection: two missed heartbeats.
    var silence = 4.0
    /// How long to wait for a connection.
    var connectTimeout = 1.5
    /// How long to wait for the answer to begin, the connection included.
    var answer = 1.5
    /// The same, of the very first one.
    var firstAnswer = 5.0
    /// How long after the last sign of life a receiver is given up that has ended the connection.
    var patience = 4.0
    /// How long it is tried again after a silence, which is the network's: a cable or a Wi-Fi that comes back.
    var patienceAfterSilence = 8.0
    /// The wait before the second attempt and each one after it; the first comes at once.
    var pause = 0.4
}

/// The attempts to get one silent receiver back.
struct Attempts: Hashable, Sendable {
    let policy: ReconnectPolicy
    private var lastHeard: HostTime?
    /// When it is given up; nil while there was no failure since it was last heard.
    private var end: HostTime?

    init(policy: ReconnectPolicy) { self.policy = policy }

    /// Whether nothing was ever heard.
    var isFirst: Bool { lastHeard == nil }

    /// Notes a sign of life.
    mutating func heard(at instant: HostTime) {
        lastHeard = instant
        end = nil
    }

    /// How long to wait before the next attempt; nil to give up.
    mutating func delayAfterFailure(at instant: HostTime) -> Double? {
        guard let lastHeard else { return nil }
        guard let end else {
            let wasSilent = instant.seconds(since: lastHeard) >= policy.silence
            end =
                wasSilent
                ? instant.advanced(by: policy.patienceAfterSilence) : lastHeard.advanced(by: policy.patience)
            return 0
        }
        return instant.seconds(since: end) < 0 ? policy.pause : nil
    }
}
