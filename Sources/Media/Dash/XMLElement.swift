/// An element of an XML document, as much as a manifest needs: names without their namespaces, attributes, text, children.
struct XMLElement {
    var name: String
    var attributes: [String: String] = [:]
    var text = ""
    var children: [XMLElement] = []

    /// Deeper than this no manifest goes.
    private static let deepest = 50

    /// Reads a document; nil where it is none, or one that defines words of its own.
    init?(document: String) {
        guard !document.contains("<!DOCTYPE"), !document.contains("<!ENTITY") else { return nil }
        var open = [XMLElement(name: "")]
        var rest = document[...]
        while let start = rest.firstIndex(of: "<") {
            guard let text = Self.plain(rest[..<start]) else { return nil }
            open[open.count - 1].text += text
            rest = rest[start...]
            if rest.hasPrefix("<!--") || rest.hasPrefix("<?") {
                guard let end = rest.firstRange(of: rest.hasPrefix("<?") ? "?>" : "-->") else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            if rest.hasPrefix("<![CDATA[") {
                guard let end = rest.firstRange(of: "]]>") else { return nil }
                open[open.count - 1].text += rest[..<end.lowerBound].dropFirst(9)
                rest = rest[end.upperBound...]
                continue
            }
            guard let end = Self.endOfTag(rest) else { return nil }
            var tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let closes = tag.first == "/"
            let isEmpty = tag.last == "/"
            if closes { tag.removeFirst() } else if isEmpty { tag.removeLast() }
            let name = Self.localName(tag.prefix { !$0.isWhitespace })
            if closes {
                guard open.count > 1, open.last?.name == name else { return nil }
                let child = open.removeLast()
                open[open.count - 1].children.append(child)
                continue
            }
            guard let attributes = Self.attributes(tag.drop { !$0.isWhitespace }) else { return nil }
            let element = XMLElement(name: name, attributes: attributes)
            if isEmpty {
                open[open.count - 1].children.append(element)
            } else {
                guard open.count < Self.deepest else { return nil }
                open.append(element)
            }
        }
        guard open.count == 1, let root = open[0].children.first else { return nil }
        self = root
    }

    private init(name: String, attributes: [String: String] = [:]) {
        self.name = name
        self.attributes = attributes
    }

    /// The children of a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The first child of a name.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// An attribute as a number.
    func number(_ name: String) -> Int? { attributes[name].flatMap { Int($0) } }

    /// Where the tag that a text begins with ends: at the first ">" that stands in no quotation marks.
    private static func endOfTag(_ text: Substring) -> Substring.Index? {
        var mark: Character?
        for index in text.indices {
            switch text[index] {
            case ">" where mark == nil: return index
            case let sign where sign == mark: mark = nil
            case "\"" where mark == nil: mark = "\""
            case "'" where mark == nil: mark = "'"
            default: break
            }
        }
        return nil
    }

    private static func localName(_ name: Substring) -> String { String(name.split(separator: ":").last ?? "") }

    private static func attributes(_ text: Substring) -> [String: String]? {
        var result: [String: String] = [:]
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].split { $0.isWhitespace }.last ?? ""
            rest = rest[rest.index(after: equals)...].drop { $0.isWhitespace }
            guard let mark = rest.first, mark == "\"" || mark == "'" else { return nil }
            let value = rest.dropFirst().prefix { $0 != mark }
            guard let plain = plain(value) else { return nil }
            result[localName(name)] = plain
            rest = rest.dropFirst(value.count + 2)
        }
        return result
    }

    /// The text with references to characters put in; nil where there is one that is not known.
    private static func plain(_ text: Substring) -> String? {
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let after = rest[rest.index(after: start)...]
            guard let end = after.firstIndex(of: ";") else { return nil }
            switch after[..<end] {
            case "amp": result += "&"
            case "lt": result += "<"
            case "gt": result += ">"
            case "quot": result += "\""
            case "apos": result += "'"
            case let name where name.hasPrefix("#"):
                let digits = name.dropFirst()
                let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
                guard let scalar = code.flatMap(Unicode.Scalar.init) else { return nil }
                result.unicodeScalars.append(scalar)
            default: return nil
            }
            rest = after[after.index(after: end)...]
        }
        return result + rest
    }
}
