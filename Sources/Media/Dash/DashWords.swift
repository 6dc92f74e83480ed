import FoundationEssentials

/// The template of an address (ISO/IEC 23009-1 §5.3.9.4.4).
enum DashTemplate {
    /// The template with its words replaced, "$Number%05d$" among them; nil where one is not known.
    static func fill(_ template: String, _ texts: [String: String], _ numbers: [String: Int]) -> String? {
        let parts = template.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return nil }
        var result = ""
        for (place, part) in parts.enumerated() {
            if place % 2 == 0 {
                result += part
            } else if part.isEmpty {
                result += "$"
            } else if let text = texts[String(part)] {
                result += text
            } else {
                let name = part.prefix { $0 != "%" }
                guard let number = numbers[String(name)] else { return nil }
                let width = part.dropFirst(name.count).filter(\.isNumber).prefix(2)
                let digits = String(number)
                result += String(repeating: "0", count: max(0, (Int(width) ?? 1) - digits.count)) + digits
            }
        }
        return result
    }
}

/// How a manifest writes times and ranges.
enum DashTime {
    /// The seconds of a duration such as "PT1H2M3.5S"; nil where it is none.
    static func seconds(_ text: String) -> Double? {
        guard text.first == "P" else { return nil }
        var isTime = false
        var digits = ""
        var result = 0.0
        for sign in text.dropFirst() {
            switch sign {
            case "T": isTime = true
            case "0"..."9", ".": digits.append(sign)
            default:
                let units: [Character: Double] =
                    isTime
                    ? ["H": 3600, "M": 60, "S": 1] : ["Y": 365 * 86_400, "M": 30 * 86_400, "W": 604_800, "D": 86_400]
                guard let value = Double(digits), let unit = units[sign] else { return nil }
                result += value * unit
                digits = ""
            }
        }
        return digits.isEmpty ? result : nil
    }

    /// Seconds since 1970 of a date such as "2024-05-01T12:00:00Z"; nil where it is none.
    static func date(_ text: String) -> Double? {
        // Fractions of a second do not matter here.
        var plain = text.prefix { $0 != "." }
        if let last = text.last, !plain.hasSuffix("Z"), last == "Z" || !plain.dropFirst(10).contains("+") {
            plain += "Z"
        }
        return try? Date.ISO8601FormatStyle().parse(String(plain)).timeIntervalSince1970
    }

    /// The range of "first-last"; nil where it is none.
    static func range(_ text: String) -> (first: Int64, count: Int64)? {
        let parts = text.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 2, parts[0] >= 0, parts[1] >= parts[0], parts[1] < Int64.max / 2 else { return nil }
        return (parts[0], parts[1] - parts[0] + 1)
    }
}
