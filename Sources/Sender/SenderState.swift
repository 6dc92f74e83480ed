import Casting

/// What castsend remembers from one run to the next.
public struct SenderState: Codable, Hashable, Sendable {
    /// This machine's id as a sender; made at first use.
    public var senderID: String
    /// The receivers it has used, the last one first.
    public var receivers: [KnownReceiver]

    /// How many receivers are remembered.
    static let limit = 50

    /// The receiver that was used last.
    public var lastUsed: KnownReceiver? { receivers.first }

    /// Puts a receiver that was just reached first. The session it had stays.
    mutating func remember(id: String, name: String, endpoint: Endpoint) {
        let session = receivers.first { $0.id == id }?.session
        receivers.removeAll { $0.id == id }
        receivers.insert(KnownReceiver(id: id, name: name, endpoint: endpoint, session: session), at: 0)
        receivers.removeLast(max(0, receivers.count - Self.limit))
    }

    /// Keeps the session of a receiver, or forgets it.
    mutating func setSession(_ session: SessionKey?, of id: String) {
        guard let index = receivers.firstIndex(where: { $0.id == id }) else { return }
        receivers[index].session = session
    }
}
