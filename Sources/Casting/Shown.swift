/// A text from the network, safe in a log and on a terminal: control characters and line ends, which could steer a terminal
/// or begin a line of their own, are shown as U+FFFD.
public func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{fffd}" : $0 }))
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}
