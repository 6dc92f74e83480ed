public import Casting
import FoundationEssentials

/// Opens sessions and finds them again: one for each receiver, kept from one run to the next.
public struct SessionKeeper: Sendable {
    let store: SenderStateStore

    /// A keeper of the sessions in `store`.
    public init(store: SenderStateStore) { self.store = store }

    /// The session this machine has with a receiver if it still lives, else a new one.
    ///
    /// - Throws: `receiverBusy` where another sender holds the receiver and `takeover` does not let this one in.
    public func session(with found: FoundReceiver, takeover: Takeover?) async throws(CastError) -> SessionClient {
        if let key = found.session {
            let session = found.client.session(key)
            do throws(CastError) {
                _ = try await session.playback()
                return session
            } catch  where error.meansSessionGone {
                // A new one is opened below.
            }
        }
        let sender = SenderIdentity(id: try senderID(), name: ProcessInfo.processInfo.hostName)
        let grant = try await found.client.openSession(SessionRequest(sender: sender, takeover: takeover))
        let key = SessionKey(id: grant.id, token: grant.token)
        try store.update { $0.setSession(key, of: found.info.id) }
        return found.client.session(key)
    }

    /// Does something with the session this machine has with a receiver.
    ///
    /// - Throws: `sessionEnded` where it has none, or none any more; what the work throws.
    public func existing<Result: Sendable>(
        with found: FoundReceiver, _ work: (SessionClient) async throws(CastError) -> Result
    ) async throws(CastError) -> Result {
        guard let key = found.session else { throw Self.nothingCast(to: found, because: nil) }
        do throws(CastError) {
            return try await work(found.client.session(key))
        } catch  where error.meansSessionGone {
            forgetSession(with: found)
            throw Self.nothingCast(to: found, because: error)
        }
    }

    /// Forgets the session with a receiver.
    public func forgetSession(with found: FoundReceiver) {
        // At worst it is found dead the next time.
        _ = try? store.update { state in
            guard state.receivers.first(where: { $0.id == found.info.id })?.session == found.session else { return }
            state.setSession(nil, of: found.info.id)
        }
    }

    private func senderID() throws(CastError) -> String {
        try store.update { $0.senderID }
    }

    private static func nothingCast(to found: FoundReceiver, because error: CastError?) -> CastError {
        let why = error.flatMap { $0.code == .sessionEnded ? " " + $0.message : nil } ?? ""
        return CastError(
            .sessionEnded, "Nothing is being cast by this machine to “\(found.info.name)”.\(why)",
            hint: "Start something with “castsend play”.")
    }
}
