import Casting

/// A session that holds the receiver, and its commands that are under way. Belongs to the `Receiver` actor.
final class Session {
    let id: String
    let sender: SenderIdentity
    let token: SessionToken
    let hub: EventHub
    private var underWay = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(id: String, sender: SenderIdentity, hub: EventHub) {
        self.id = id
        self.sender = sender
        self.hub = hub
        token = SessionToken()
    }

    func begin() { underWay += 1 }

    func finish() {
        underWay -= 1
        guard underWay == 0 else { return }
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    var isQuiet: Bool { underWay == 0 }

    /// Takes a continuation that goes on once no command is under way.
    func whenQuiet(_ waiter: CheckedContinuation<Void, Never>) {
        if isQuiet { waiter.resume() } else { waiters.append(waiter) }
    }
}

/// A session that has ended, so that its sender can be told how.
struct EndedSession {
    let id: String
    let token: SessionToken
    let loss: RouteLoss
    let lastEventID: Int

    /// What calls on it are answered with.
    var error: CastError {
        var details = ["reason": loss.reason.rawValue]
        details["by"] = loss.by
        details["title"] = loss.item?.title
        details["position"] = loss.position.map { "\($0)" }
        let message =
            switch loss.reason {
            case .takenOver: "\(loss.by ?? "Another sender") took over this receiver."
            case .endedAtReceiver: "The session was ended at the TV."
            case .disconnected: "The session was disconnected."
            case .receiverStopping: "The receiver is going down."
            }
        return CastError(.sessionEnded, message, hint: "Open a new session to go on.", details: details)
    }
}
