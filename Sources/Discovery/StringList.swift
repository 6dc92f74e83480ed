import CAvahi

/// Avahi's list of byte strings, which a TXT record is made of.
enum StringList {
    /// Lends the texts to C as a list.
    static func with<Result>(
        _ texts: [[UInt8]], _ body: (Pointer?) throws(AvahiError) -> Result
    ) throws(AvahiError) -> Result {
        var list: Pointer?
        defer { avahi_string_list_free(list) }
        // Avahi puts each one in front of the others.
        for text in texts.reversed() {
            guard let longer = avahi_string_list_add_arbitrary(list, text, text.count) else {
                throw AvahiError(Int32(AVAHI_ERR_NO_MEMORY))
            }
            list = longer
        }
        return try body(list)
    }

    /// The texts in the data of a TXT record (RFC 1035 §3.3.14): each with its length in a byte before it. One that
    /// is longer than the data is passed over.
    static func texts(inRecord data: [UInt8]) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var rest = data[...]
        while let length = rest.popFirst(), rest.count >= Int(length) {
            texts.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return texts
    }

    /// Copies the texts out of a list of C's.
    static func texts(_ list: Pointer?) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var next = list
        while let item = next {
            let start = avahi_string_list_get_text(item)
            texts.append(Array(UnsafeBufferPointer(start: start, count: avahi_string_list_get_size(item))))
            next = avahi_string_list_get_next(item)
        }
        return texts
    }

    typealias Pointer = UnsafeMutablePointer<AvahiStringList>
}
