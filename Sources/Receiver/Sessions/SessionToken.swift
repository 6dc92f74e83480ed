/// The secret of a session: 256 random bits as 43 characters of base64url (RFC 4648 §5).
struct SessionToken: Sendable {
    let text: String

    /// A new secret, from the system's secure source.
    init() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var source = SystemRandomNumberGenerator()
        text = String((0..<43).map { _ in alphabet[Int.random(in: 0..<64, using: &source)] })
    }

    /// Whether `other` is this secret; takes as long for a near miss as for a far one.
    func matches(_ other: String) -> Bool {
        let own = Array(text.utf8)
        let given = Array(other.utf8)
        var difference: UInt8 = own.count == given.count ? 0 : 1
        for index in own.indices {
            difference |= own[index] ^ (index < given.count ? given[index] : 0)
        }
        return difference == 0
    }
}
