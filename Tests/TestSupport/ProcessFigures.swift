import Foundation

/// What a running program holds and has used, as Linux tells in `/proc`.
public struct ProcessFigures: Sendable {
    /// Bytes of memory that are in use (`VmRSS`).
    public var memory: Int
    /// The names of its threads, sorted.
    public var threads: [String]
    /// What its open files are, sorted; sockets and pipes without their numbers.
    public var files: [String]
    /// Seconds of processor time used so far, to the hundredth.
    public var processorTime: Double
    /// Times that each thread went to sleep, by its number and name.
    private var sleeps: [String: Int]

    /// The figures now.
    public init(of process: Int32) throws {
        let folder = "/proc/\(process)"
        let manager = FileManager.default
        let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
        memory = Self.number("VmRSS", in: status) * 1024
        var (threads, sleeps) = ([String](), [String: Int]())
        for thread in try manager.contentsOfDirectory(atPath: folder + "/task") {
            // Threads may end meanwhile.
            let place = "\(folder)/task/\(thread)"
            guard let status = try? String(contentsOfFile: place + "/status", encoding: .utf8),
                let name = try? String(contentsOfFile: place + "/comm", encoding: .utf8)
            else { continue }
            threads.append(name.trimmingCharacters(in: .newlines))
            sleeps["\(thread) \(threads.last ?? "")"] = Self.number("voluntary_ctxt_switches", in: status)
        }
        self.threads = threads.sorted()
        self.sleeps = sleeps
        // The fields after the name, which may hold anything: state is the first, then as proc(5) counts them from 3 on.
        let figures =
            try String(contentsOfFile: folder + "/stat", encoding: .utf8)
            .split(separator: ")").last?.split(separator: " ") ?? []
        processorTime = figures.count > 12 ? ((Double(figures[11]) ?? 0) + (Double(figures[12]) ?? 0)) / 100 : 0
        files = try manager.contentsOfDirectory(atPath: folder + "/fd")
            .compactMap { try? manager.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)") }
            .map { $0.hasPrefix("socket:") || $0.hasPrefix("pipe:") ? String($0.prefix { $0 != ":" }) : $0 }
            .sorted()
    }

    /// The threads without those that the libraries of Swift keep for a while and end by themselves.
    public var ownThreads: [String] { threads.filter { !$0.hasSuffix("-qos") && !$0.hasSuffix("overcommit") } }

    /// How often threads went to sleep since earlier figures, the busiest first.
    public func sleeps(since earlier: ProcessFigures) -> [(thread: String, count: Int)] {
        sleeps.map { ($0.key, $0.value - (earlier.sleeps[$0.key] ?? 0)) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    }

    private static func number(_ name: String, in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            return line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}
