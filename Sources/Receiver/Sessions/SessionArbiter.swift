public import Casting

/// Decides who holds the receiver. A pure value: it knows who holds it now, and answers who may have it next.
///
/// A sender's id is its own word, not proof, so it opens no doors: what a request may push out depends on its
/// `takeover` alone, also where it is the holder's own sender that asks. A second session of the same sender therefore
/// never ends the first without saying `always` (or `ifIdle`, while nothing plays): two players of one app do not kill
/// each other. A sender that comes back uses the session it has, by its token; one that lost the token says `always`.
public struct SessionArbiter: Hashable, Sendable {
    /// Who holds the receiver.
    public struct Holder: Hashable, Sendable {
        /// The session's id.
        public var session: String
        /// Whose it is.
        public var sender: SenderIdentity

        /// A session of a sender.
        public init(session: String, sender: SenderIdentity) {
            self.session = session
            self.sender = sender
        }
    }

    /// What becomes of a request.
    public enum Decision: Hashable, Sendable {
        /// The receiver is free: open the session.
        case open
        /// End the holder's session first, then open.
        case replace(Holder)
        /// No; the error says who holds it.
        case refuse(CastError)
    }

    /// Who holds the receiver; nil when it is free.
    public var holder: Holder?

    /// Nobody holds it yet.
    public init() {}

    /// What becomes of `sender`'s request.
    ///
    /// - Parameter availability: busy while the holder has an item.
    public func decide(_ sender: SenderIdentity, takeover: Takeover, availability: Availability) -> Decision {
        guard let holder else { return .open }
        switch (takeover, availability) {
        case (.always, _), (.ifIdle, .idle): return .replace(holder)
        case (.ifIdle, .busy), (.never, _):
            return .refuse(Self.busy(holder, asking: sender, availability: availability))
        }
    }

    private static func busy(_ holder: Holder, asking: SenderIdentity, availability: Availability) -> CastError {
        let isOwn = holder.sender.id == asking.id
        let act = availability == .busy ? "is playing here" : "is connected here"
        return CastError(
            .receiverBusy,
            isOwn ? "Another session of \(asking.name) \(act)." : "\(holder.sender.name) \(act).",
            hint: isOwn
                ? "Go on with that session, or take over with takeover “always”."
                : "Ask there to disconnect, or take over with takeover “always”.",
            details: [
                "sender": holder.sender.name, "availability": availability.rawValue,
                "sameSender": isOwn ? "true" : "false",
            ])
    }
}
