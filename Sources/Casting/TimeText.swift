/// Whole seconds as people read them: `4:05` or `1:02:03`. Not below 0.
package func timeText(_ seconds: Int) -> String {
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60 % 60
    let rest = twoDigits(seconds % 60)
    guard seconds >= 3600 else { return "\(minutes):\(rest)" }
    return "\(seconds / 3600):\(twoDigits(minutes)):\(rest)"
}
