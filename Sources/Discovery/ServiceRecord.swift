public import Casting

/// What a receiver says about itself in the TXT record of its service (RFC 6763 §6).
///
/// The strings are `id`, `v`, `name`, `model`, `caps` and `state`. What comes from the network is not to be trusted:
/// reading never fails harder than with nil, and text that reaches people has no control characters.
public struct ServiceRecord: Hashable, Sendable {
    /// The receiver's UUID; the same for ever.
    public var id: String
    /// The version of the protocol it speaks.
    public var protocolVersion: Int
    /// Its name for people.
    public var name: String
    /// What kind of thing it is.
    public var model: String
    /// What it can show: `video`, `audio`.
    public var capabilities: [String]
    /// Whether it is free.
    public var availability: Availability

    /// The record of a receiver.
    public init(
        id: String, name: String, model: String = Castway.model, capabilities: [String] = ["video", "audio"],
        availability: Availability = .idle, protocolVersion: Int = Castway.protocolVersion
    ) {
        self.id = id
        self.protocolVersion = protocolVersion
        self.name = name
        self.model = model
        self.capabilities = capabilities
        self.availability = availability
    }

    /// Reads a record from the strings of a TXT record, each `key=value`.
    ///
    /// Keys are compared without case, the first of equal ones counts, and unknown ones are passed over (§6.4).
    /// - Parameter serviceName: the name of the service instance, used where the record holds no name.
    /// - Returns: nil where there is no usable `id`; whatever else is missing or malformed gets a default.
    public init?(texts: [[UInt8]], serviceName: String) {
        var values: [String: String] = [:]
        for text in texts.prefix(Self.mostTexts) {
            guard let equals = text.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { continue }
            let key = String(decoding: text[..<equals], as: UTF8.self).lowercased()
            guard values[key] == nil else { continue }
            values[key] = printable(String(decoding: text[(equals + 1)...], as: UTF8.self))
        }
        func value(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }
        guard let id = value("id"), id.utf8.count <= 64, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            return nil
        }
        let version = value("v").flatMap { Int($0) } ?? 1
        self.init(
            id: id, name: value("name") ?? printable(serviceName), model: value("model") ?? "",
            capabilities: (value("caps") ?? "").split(separator: ",").map { String($0) },
            availability: value("state").flatMap { Availability(rawValue: $0) } ?? .idle,
            protocolVersion: version > 0 ? version : 1)
    }

    /// The strings of the TXT record. One too long for its 255 bytes is cut on a character's boundary.
    public var texts: [[UInt8]] {
        [
            ("id", id), ("v", "\(protocolVersion)"), ("name", name), ("model", model),
            ("caps", capabilities.joined(separator: ",")), ("state", availability.rawValue),
        ].map { key, value in
            Array("\(key)=\(prefix(of: printable(value), bytes: 254 - key.utf8.count))".utf8)
        }
    }

    /// No record of ours has as many strings by far.
    private static let mostTexts = 64
}
