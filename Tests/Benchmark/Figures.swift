import Foundation

/// Middle, least and greatest of several readings.
struct Figure {
    var readings: [Double]

    var median: Double { readings.sorted()[readings.count / 2] }

    func text(_ unit: String) -> String {
        "\(whole(median)) [\(whole(readings.min() ?? 0))–\(whole(readings.max() ?? 0))] \(unit)"
    }

    private func whole(_ value: Double) -> String { String(Int(value.rounded())) }
}

/// One line of the table: a figure for each contestant, and castway's ratio to the best peer beside its bar.
func printRow(_ title: String, unit: String, figures: [(name: String, figure: Figure)], bar: Double?) {
    print(title)
    for (name, figure) in figures {
        print("  \(name.padding(toLength: 14, withPad: " ", startingAt: 0)) \(figure.text(unit))")
    }
    guard let bar, let own = figures.first?.figure.median, let best = figures.dropFirst().map(\.figure.median).min()
    else { return }
    let ratio = (own / best * 100).rounded() / 100
    print("  ratio to the best peer \(ratio), bar \(bar): \(ratio <= bar ? "held" : "MISSED")")
}

/// Seconds of processor time a process and its threads have used (proc(5), fields 14 and 15).
func processorTime(of process: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[end...].split(separator: " ")
    return ((Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// The most memory a process has had in use, in MB (proc(5), VmHWM).
func peakMemory(of process: Int32) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0) / 1_000
}
