import FoundationEssentials

/// The machine's own host name, up to its first dot; "castway" where it has none.
public func machineName() -> String {
    let first = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
    return first.isEmpty ? "castway" : String(first)
}
