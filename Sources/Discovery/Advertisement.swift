import Casting

/// What is to be announced, as the owner of an advertiser last said.
struct AdvertisementWish: Sendable {
    var record: ServiceRecord
    var port: Int
    var type: String
}

/// Keeps a service announced, whatever happens to the daemon, the bus and the name. Lives on a poll thread.
final class Advertisement: PollTenant {
    /// So many times in a row another name is tried at once; after that, slowly.
    private static let quickRenames = 8

    private let services: PollServices
    private let wish: @Sendable () -> AdvertisementWish
    private let report: @Sendable (AdvertisementStatus) -> Void
    private var daemon: DaemonAccess
    private var group: EntryGroup?
    private var wishedName: String?
    private var name = ""
    private var renames = 0

    init(
        services: PollServices, wish: @escaping @Sendable () -> AdvertisementWish,
        report: @escaping @Sendable (AdvertisementStatus) -> Void
    ) {
        self.services = services
        daemon = DaemonAccess(services: services)
        self.wish = wish
        self.report = report
    }

    func wake() {
        guard daemon.isDue() else { return }
        do {
            try advance()
        } catch {
            group = nil
            daemon.failed()
            report(.waitingForDaemon(error.castError))
        }
    }

    private func advance() throws(AvahiError) {
        let client = try daemon.connected()
        switch client.state {
        case .failed(let error): throw error
        case .connecting:
            group = nil
            report(.waitingForDaemon(AvahiError.noDaemon.castError))
        case .settling:
            // The host's name changes, and the service's address with it.
            group = nil
        case .running:
            try publish(through: client)
        }
    }

    private func publish(through client: DaemonClient) throws(AvahiError) {
        let services = self.services
        let group: EntryGroup
        if let present = self.group {
            group = present
        } else {
            group = try EntryGroup(client: client) { services.wakeSoon() }
            self.group = group
        }
        let wish = self.wish()
        takeName(from: wish)
        switch group.state {
        case .failed(let error): throw error
        case .collision where group.publication?.name == name: try rename()
        default: break
        }
        var wanted = publication(wish)
        if let present = group.publication, present.name == wanted.name, present.port == wanted.port {
            guard group.state == .established else { return }
            if present.texts != wanted.texts { try group.update(texts: wanted.texts) }
            renames = 0
            daemon.succeeded()
            report(.advertised(name: present.name))
            return
        }
        while true {
            do {
                try group.publish(wanted)
                return
            } catch AvahiError.collision {
                try rename()
                wanted = publication(wish)
            }
        }
    }

    /// Begins with the wished name whenever that is another one than before.
    private func takeName(from wish: AdvertisementWish) {
        let wished = ServiceName.usable(wish.record.name)
        guard wished != wishedName else { return }
        wishedName = wished
        name = wished
        renames = 0
    }

    private func rename() throws(AvahiError) {
        name = ServiceName.alternative(to: name)
        renames += 1
        guard renames <= Self.quickRenames else { throw .collision }
    }

    private func publication(_ wish: AdvertisementWish) -> Publication {
        var record = wish.record
        record.name = name
        return Publication(
            type: wish.type, name: name, port: UInt16(clamping: wish.port), texts: record.texts)
    }
}
