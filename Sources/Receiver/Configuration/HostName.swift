#if canImport(Glibc)
    import Glibc
#endif

/// The machine's own host name, up to its first dot; "castway" where it has none.
public func machineName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "castway" }
    let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let first = name.prefix { $0 != "." }
    return first.isEmpty ? "castway" : String(first)
}
