import CAvahi

/// A connection to the Avahi daemon over D-Bus. Poll thread only.
final class DaemonClient {
    /// What the daemon is doing.
    enum State: Hashable {
        /// It is not there; Avahi tells when it comes.
        case connecting
        /// It settles the name of this machine: one can browse, but not announce.
        case settling
        /// It is at work.
        case running
        /// The connection is of no use any more.
        case failed(AvahiError)
    }

    let pointer: OpaquePointer
    private let callback: Callback<State>

    /// Connects, which also succeeds while the message bus runs and the daemon does not.
    ///
    /// - Parameter changed: called when `state` changes, already from here; must not let the client go.
    init(api: UnsafePointer<AvahiPoll>, changed: @escaping () -> Void) throws(AvahiError) {
        callback = Callback { _ in changed() }
        var error: Int32 = 0
        guard let pointer = avahi_client_new(api, AVAHI_CLIENT_NO_FAIL, clientChanged, callback.pointer, &error) else {
            throw AvahiError(error)
        }
        self.pointer = pointer
    }

    deinit { avahi_client_free(pointer) }

    /// What the daemon is doing now.
    var state: State { callback.latest ?? .connecting }

    /// The error of the last call that failed.
    var lastError: AvahiError {
        let code = avahi_client_errno(pointer)
        return code < 0 ? AvahiError(code) : .failure
    }
}

/// Called by Avahi on its thread.
private func clientChanged(_ client: OpaquePointer?, _ state: AvahiClientState, _ box: UnsafeMutableRawPointer?) {
    let meaning: DaemonClient.State =
        switch state {
        case AVAHI_CLIENT_S_RUNNING: .running
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: .settling
        case AVAHI_CLIENT_CONNECTING: .connecting
        default: .failed(client.map { AvahiError(avahi_client_errno($0)) } ?? .failure)
        }
    Callback<DaemonClient.State>.deliver(meaning, to: box)
}
