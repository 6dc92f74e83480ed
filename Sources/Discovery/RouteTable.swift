import Casting

/// Makes routes of the instances that come and go: a receiver is seen once for each interface and kind of addresses.
struct RouteTable: Sendable {
    /// So many instances are kept at most: somebody may announce without end.
    /// The daemon gives a program no more than 1024 objects (`objects-per-client-max`), and each takes two.
    static let mostInstances = 256
    /// So many TXT records of one instance are kept at most.
    static let mostRecords = 4

    private struct Entry {
        /// The interface's name, as `eth0`; `lo` is the loopback.
        let interface: String
        /// Nothing is known of it yet, so what is known is not complete.
        var isPending = true
        /// nil while not resolved.
        var service: ResolvedService?
        /// The TXT records there are, the youngest last.
        var texts: [[[UInt8]]] = []
        /// What the youngest TXT record says; nil where there is none, or it is unusable.
        var record: ServiceRecord?
        /// When something was last told of it, as a count: the youngest record of a receiver is the true one.
        var age = 0
    }

    private var entries: [ServiceInstance: Entry] = [:]
    private var news = 0
    private var isCacheExhausted = false
    private var isAllForNow = false
    private var phase = RouteSnapshot.Phase.searching

    /// A table that knows nothing.
    init() {}

    /// An instance was found. Answers whether it is new, and so to be resolved.
    mutating func found(_ instance: ServiceInstance, on interface: String) -> Bool {
        guard entries[instance] == nil, entries.count < Self.mostInstances else { return false }
        entries[instance] = Entry(interface: interface)
        return true
    }

    /// An instance was resolved, for the first time or to something else.
    mutating func resolved(_ instance: ServiceInstance, _ service: ResolvedService) {
        change(instance) { entry in
            entry.isPending = false
            entry.service = service
        }
        settle()
    }

    /// An instance has a new TXT record, the one before stays for a while.
    mutating func foundTexts(_ instance: ServiceInstance, _ texts: [[UInt8]]) {
        change(instance) { entry in
            entry.texts = entry.texts.filter { $0 != texts }.suffix(Self.mostRecords - 1) + [texts]
        }
    }

    /// A TXT record is gone.
    mutating func lostTexts(_ instance: ServiceInstance, _ texts: [[UInt8]]) {
        change(instance) { entry in entry.texts.removeAll { $0 == texts } }
    }

    private mutating func change(_ instance: ServiceInstance, _ body: (inout Entry) -> Void) {
        guard var entry = entries[instance] else { return }
        body(&entry)
        let record = (entry.texts.last ?? entry.service?.texts).flatMap {
            ServiceRecord(texts: $0, serviceName: instance.name)
        }
        if record != entry.record {
            news += 1
            entry.age = news
            entry.record = record
        }
        entries[instance] = entry
    }

    /// An instance cannot be resolved, at least for now; what was known of it stays.
    mutating func unresolved(_ instance: ServiceInstance) {
        entries[instance]?.isPending = false
        settle()
    }

    /// An instance is gone.
    mutating func lost(_ instance: ServiceInstance) {
        entries[instance] = nil
        settle()
    }

    /// The daemon has told all it knew.
    mutating func cacheExhausted() {
        isCacheExhausted = true
        settle()
    }

    /// The network has been asked, too.
    mutating func allForNow() {
        isCacheExhausted = true
        isAllForNow = true
        settle()
    }

    /// A phase is reached once all found until then is resolved, and never left.
    private mutating func settle() {
        guard !entries.values.contains(where: { $0.isPending }) else { return }
        let reached: RouteSnapshot.Phase =
            isAllForNow ? .allForNow : isCacheExhausted ? .cacheExhausted : .searching
        phase = max(phase, reached)
    }

    /// What is known now.
    var snapshot: RouteSnapshot {
        var receivers: [String: [Sight]] = [:]
        for (instance, entry) in entries {
            guard let service = entry.service, let record = entry.record, (1...65535).contains(service.port) else {
                continue
            }
            receivers[record.id, default: []].append(
                Sight(
                    record: record, age: entry.age, service: service, interface: entry.interface,
                    interfaceNumber: instance.interface))
        }
        let routes = receivers.values.compactMap { Self.route($0) }
            .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
        return RouteSnapshot(
            routes: routes, phase: phase, interfaces: receivers.mapValues { Set($0.map(\.interface)).sorted() })
    }

    /// One instance of a receiver, fully known.
    private struct Sight {
        let record: ServiceRecord
        let age: Int
        let service: ResolvedService
        let interface: String
        let interfaceNumber: Int32
    }

    /// The receiver as its youngest record describes it.
    private static func route(_ sights: [Sight]) -> Route? {
        guard let record = sights.max(by: { $0.age < $1.age })?.record else { return nil }
        return Route(
            id: record.id, name: record.name, model: record.model, capabilities: record.capabilities,
            availability: record.availability, protocolVersion: record.protocolVersion, endpoints: endpoints(sights))
    }

    /// Each address once, best first.
    private static func endpoints(_ sights: [Sight]) -> [Endpoint] {
        let ranked = sights.map { sight in
            let address = sight.service.address
            let rank = AddressRank(address: address, isLoopback: sight.interface == "lo")
            let scope = rank == .linkLocal6 ? "%" + sight.interface : ""
            return (rank.rawValue, sight.interfaceNumber, Endpoint(host: address + scope, port: sight.service.port))
        }
        .sorted { ($0.0, $0.1, $0.2.host, $0.2.port) < ($1.0, $1.1, $1.2.host, $1.2.port) }
        var endpoints: [Endpoint] = []
        for (_, _, endpoint) in ranked where !endpoints.contains(endpoint) { endpoints.append(endpoint) }
        return endpoints
    }
}

/// How good an address is for reaching a receiver; the lowest is the best.
enum AddressRank: Int {
    case routed4, linkLocal4, routed6, linkLocal6, loopback

    /// The rank of an address seen on an interface.
    init(address: String, isLoopback: Bool) {
        let address = address.lowercased()
        if isLoopback || address.hasPrefix("127.") || address == "::1" {
            self = .loopback
        } else if address.contains(":") {
            let group = address.split(separator: ":", omittingEmptySubsequences: false).first.flatMap {
                UInt16($0, radix: 16)
            }
            self = (group ?? 0) & 0xffc0 == 0xfe80 ? .linkLocal6 : .routed6
        } else {
            self = address.hasPrefix("169.254.") ? .linkLocal4 : .routed4
        }
    }
}
