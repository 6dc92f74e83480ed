/// One service as seen on one network interface over one kind of addresses.
struct ServiceInstance: Hashable, Sendable {
    /// The kernel's number of the interface.
    var interface: Int32
    /// Whether it was seen over IPv6.
    var isIPv6: Bool
    /// The name of the service.
    var name: String
    /// The domain it is in, mostly `local`.
    var domain: String
}

/// What a resolver tells of an instance.
struct ResolvedService: Hashable, Sendable {
    /// An IPv4 or IPv6 address, without scope.
    var address: String
    /// The TCP port.
    var port: Int
    /// The strings of the TXT record.
    var texts: [[UInt8]]
}
