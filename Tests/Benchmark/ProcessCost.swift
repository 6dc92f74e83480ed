import Foundation

/// What a process has used so far, as Linux tells in `/proc`.
struct ProcessCost {
    /// Seconds of processor time of all its threads, to the nanosecond.
    var processorTime = 0.0
    /// Times that its threads went to sleep.
    var sleeps = 0
    /// The most memory it has had in use, in MB.
    var peakMemory = 0.0

    /// The figures now; of threads that have ended nothing is left.
    init(of process: Int32) {
        let folder = "/proc/\(process)"
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? [] {
            let place = "\(folder)/task/\(thread)"
            // proc(5): nanoseconds on the processor, waiting for it, and time slices.
            let times = (try? String(contentsOfFile: place + "/schedstat", encoding: .utf8)) ?? ""
            processorTime += (times.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
            sleeps += Int(Self.number("voluntary_ctxt_switches", in: place + "/status"))
        }
        peakMemory = Self.number("VmHWM", in: folder + "/status") / 1_000
    }

    private static func number(_ name: String, in file: String) -> Double {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0
    }

    /// Seconds of processor time used up to now by a process and its threads, ended ones too; to the hundredth.
    static func processorTime(of process: Int32) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return 0 }
        let fields = text[end...].split(separator: " ")
        return ((Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
