public import Casting

extension Endpoint {
    /// The address as people write it and “--to” takes it.
    public var text: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
