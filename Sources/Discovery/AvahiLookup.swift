import CAvahi

/// Asks the daemon for all services of a type, and goes on asking. Poll thread only.
final class InstanceBrowser {
    /// What the daemon tells.
    enum Event {
        case found(ServiceInstance, interface: String)
        case lost(ServiceInstance)
        case cacheExhausted
        case allForNow
        case failed
    }

    private let client: DaemonClient
    private let pointer: OpaquePointer
    private let callback: Callback<Event>

    /// Begins to browse.
    ///
    /// - Parameter handler: called for each event; must not let the browser go.
    init(client: DaemonClient, type: String, handler: @escaping (Event) -> Void) throws(AvahiError) {
        self.client = client
        callback = Callback(handler)
        let pointer = avahi_service_browser_new(
            client.pointer, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), type, nil,
            AvahiLookupFlags(0), browserTold, callback.pointer)
        guard let pointer else { throw client.lastError }
        self.pointer = pointer
    }

    deinit { avahi_service_browser_free(pointer) }
}

/// Asks the daemon for the address, the port and the TXT record of an instance, and for every change of them. Poll
/// thread only.
final class InstanceResolver {
    private let client: DaemonClient
    private let pointer: OpaquePointer
    private let callback: Callback<ResolvedService?>

    /// Begins to resolve.
    ///
    /// - Parameter handler: called whenever it is known or changes, with nil when nobody answers (later somebody may);
    ///   must not let the resolver go.
    init(
        client: DaemonClient, instance: ServiceInstance, type: String,
        handler: @escaping (ResolvedService?) -> Void
    ) throws(AvahiError) {
        self.client = client
        callback = Callback(handler)
        // The addresses of the kind it was seen over: the other kind has an instance of its own.
        let kind = AvahiProtocol(instance.isIPv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
        let pointer = avahi_service_resolver_new(
            client.pointer, AvahiIfIndex(instance.interface), kind, instance.name, type, instance.domain, kind,
            AvahiLookupFlags(0), resolverTold, callback.pointer)
        guard let pointer else { throw client.lastError }
        self.pointer = pointer
    }

    deinit { avahi_service_resolver_free(pointer) }
}

/// Asks the daemon for the TXT records of an instance, and for every change of them. Poll thread only.
///
/// A resolver tells of a change, too, but only when the old record has left the daemon's cache, a second or two later.
final class TextBrowser {
    /// What the daemon tells: an instance has two records for the second after a change.
    enum Event {
        case found([[UInt8]])
        case lost([[UInt8]])
    }

    private let client: DaemonClient
    private let pointer: OpaquePointer
    private let callback: Callback<Event>

    /// Begins to browse.
    ///
    /// - Parameter handler: called for each event; must not let the browser go.
    init(
        client: DaemonClient, instance: ServiceInstance, type: String, handler: @escaping (Event) -> Void
    ) throws(AvahiError) {
        self.client = client
        callback = Callback(handler)
        let kind = AvahiProtocol(instance.isIPv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
        let box = callback.pointer
        let pointer = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AVAHI_DOMAIN_NAME_MAX)) { buffer in
            let start = buffer.baseAddress
            let result = avahi_service_name_join(start, buffer.count, instance.name, type, instance.domain)
            return result < 0
                ? nil
                : avahi_record_browser_new(
                    client.pointer, AvahiIfIndex(instance.interface), kind, start, UInt16(AVAHI_DNS_CLASS_IN),
                    UInt16(AVAHI_DNS_TYPE_TXT), AvahiLookupFlags(0), textTold, box)
        }
        guard let pointer else { throw client.lastError }
        self.pointer = pointer
    }

    deinit { avahi_record_browser_free(pointer) }
}

/// Called by Avahi on its thread.
private func textTold(
    _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ kind: AvahiProtocol, _ event: AvahiBrowserEvent,
    _ name: UnsafePointer<CChar>?, _ class: UInt16, _ type: UInt16, _ data: UnsafeRawPointer?, _ size: Int,
    _ flags: AvahiLookupResultFlags, _ box: UnsafeMutableRawPointer?
) {
    guard event == AVAHI_BROWSER_NEW || event == AVAHI_BROWSER_REMOVE else { return }
    let texts = StringList.texts(inRecord: Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)))
    Callback<TextBrowser.Event>.deliver(event == AVAHI_BROWSER_NEW ? .found(texts) : .lost(texts), to: box)
}

/// Called by Avahi on its thread.
private func browserTold(
    _ browser: OpaquePointer?, _ interface: AvahiIfIndex, _ kind: AvahiProtocol, _ event: AvahiBrowserEvent,
    _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ flags: AvahiLookupResultFlags, _ box: UnsafeMutableRawPointer?
) {
    let meaning: InstanceBrowser.Event
    switch event {
    case AVAHI_BROWSER_NEW, AVAHI_BROWSER_REMOVE:
        guard let name, let domain else { return }
        let instance = ServiceInstance(
            interface: interface, isIPv6: kind == AVAHI_PROTO_INET6,
            name: String(cString: name), domain: String(cString: domain))
        meaning = event == AVAHI_BROWSER_NEW ? .found(instance, interface: interfaceName(interface)) : .lost(instance)
    case AVAHI_BROWSER_CACHE_EXHAUSTED: meaning = .cacheExhausted
    case AVAHI_BROWSER_ALL_FOR_NOW: meaning = .allForNow
    default: meaning = .failed
    }
    Callback<InstanceBrowser.Event>.deliver(meaning, to: box)
}

/// Called by Avahi on its thread.
private func resolverTold(
    _ resolver: OpaquePointer?, _ interface: AvahiIfIndex, _ kind: AvahiProtocol, _ event: AvahiResolverEvent,
    _ name: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ host: UnsafePointer<CChar>?, _ address: UnsafePointer<AvahiAddress>?, _ port: UInt16,
    _ texts: UnsafeMutablePointer<AvahiStringList>?, _ flags: AvahiLookupResultFlags, _ box: UnsafeMutableRawPointer?
) {
    var service: ResolvedService?
    if event == AVAHI_RESOLVER_FOUND, let address {
        service = ResolvedService(address: text(of: address), port: Int(port), texts: StringList.texts(texts))
    }
    Callback<ResolvedService?>.deliver(service, to: box)
}

private func text(of address: UnsafePointer<AvahiAddress>) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AVAHI_ADDRESS_STR_MAX)) { buffer in
        guard let start = avahi_address_snprint(buffer.baseAddress, buffer.count, address) else { return "" }
        return String(cString: start)
    }
}

/// The name of an interface by its number; the number where it is gone already.
private func interfaceName(_ index: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
        guard let start = if_indextoname(UInt32(bitPattern: index), buffer.baseAddress) else { return "\(index)" }
        return String(cString: start)
    }
}
