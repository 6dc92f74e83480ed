import CAvahi

/// One service as it is to be seen on the network.
struct Publication: Hashable, Sendable {
    /// The service type, as `_castway._tcp`.
    var type: String
    /// The name of the instance.
    var name: String
    /// The TCP port.
    var port: UInt16
    /// The strings of the TXT record.
    var texts: [[UInt8]]
}

/// What the daemon announces for us; taken back when let go. Poll thread only.
final class EntryGroup {
    /// How far the daemon is with it.
    enum State: Hashable {
        /// Nothing is announced.
        case empty
        /// The daemon asks the network whether the name is free.
        case probing
        /// It is announced.
        case established
        /// Another has the name.
        case collision
        /// It is not, and will not be, announced.
        case failed(AvahiError)
    }

    /// What was last handed to the daemon.
    private(set) var publication: Publication?
    private let client: DaemonClient
    private let pointer: OpaquePointer
    private let callback: Callback<State>

    /// An empty group.
    ///
    /// - Parameter changed: called when `state` changes, already from here; must not let the group go.
    init(client: DaemonClient, changed: @escaping () -> Void) throws(AvahiError) {
        self.client = client
        callback = Callback { _ in changed() }
        guard let pointer = avahi_entry_group_new(client.pointer, groupChanged, callback.pointer) else {
            throw client.lastError
        }
        self.pointer = pointer
    }

    deinit { avahi_entry_group_free(pointer) }

    /// How far the daemon is.
    var state: State { callback.latest ?? .empty }

    /// Announces this instead of what was announced. Throws `collision` where this machine has the name already.
    func publish(_ publication: Publication) throws(AvahiError) {
        self.publication = nil
        try AvahiError.check(avahi_entry_group_reset(pointer))
        try StringList.with(publication.texts) { list throws(AvahiError) in
            try AvahiError.check(
                avahi_entry_group_add_service_strlst(
                    pointer, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
                    publication.name, publication.type, nil, nil, publication.port, list))
        }
        try AvahiError.check(avahi_entry_group_commit(pointer))
        callback.forget()
        self.publication = publication
    }

    /// Announces another TXT record for what is established.
    func update(texts: [[UInt8]]) throws(AvahiError) {
        guard let publication else { return }
        try StringList.with(texts) { list throws(AvahiError) in
            try AvahiError.check(
                avahi_entry_group_update_service_txt_strlst(
                    pointer, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0),
                    publication.name, publication.type, nil, list))
        }
        self.publication?.texts = texts
    }
}

/// Called by Avahi on its thread.
private func groupChanged(_ group: OpaquePointer?, _ state: AvahiEntryGroupState, _ box: UnsafeMutableRawPointer?) {
    let meaning: EntryGroup.State =
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: .established
        case AVAHI_ENTRY_GROUP_REGISTERING: .probing
        case AVAHI_ENTRY_GROUP_COLLISION: .collision
        case AVAHI_ENTRY_GROUP_UNCOMMITED: .empty
        default:
            .failed(
                group.flatMap { avahi_entry_group_get_client($0) }.map { AvahiError(avahi_client_errno($0)) }
                    ?? .failure)
        }
    Callback<EntryGroup.State>.deliver(meaning, to: box)
}
