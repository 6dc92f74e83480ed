import Casting
import Discovery
import Dispatch
import Foundation

/// Announces and browses by command line, for tests that need other machines' programs. Prints a line per event.
@main
struct DiscoveryProbe {
    static func main() async throws {
        var words = Array(CommandLine.arguments.dropFirst())
        let command = words.isEmpty ? "" : words.removeFirst()
        switch (command, words.count) {
        case ("advertise", 3): await advertise(id: words[0], name: words[1], port: Int(words[2]) ?? 0)
        case ("browse", 0): for await snapshot in RouteBrowser().routes() { try show(ProbeSnapshot(snapshot)) }
        case ("routes", 1): await routes(within: Double(words[0]) ?? 1)
        case ("cycle", 1): await cycle(Int(words[0]) ?? 1)
        case ("sighting", 2): say(await RouteBrowser().sighting(of: words[0], within: Double(words[1]) ?? 1))
        default:
            say("discovery-probe advertise ID NAME PORT | browse | routes SECONDS | sighting ID SECONDS | cycle TIMES")
            exit(2)
        }
    }

    /// SIGUSR1: busy, SIGUSR2: idle, SIGHUP: the next port, SIGTERM: stop.
    static func advertise(id: String, name: String, port: Int) async {
        let advertiser = ServiceAdvertiser(record: ServiceRecord(id: id, name: name), port: port)
        let sources = [
            on(SIGUSR1) { advertiser.update(availability: .busy) },
            on(SIGUSR2) { advertiser.update(availability: .idle) },
            on(SIGHUP) { advertiser.update(port: port + 1) },
            on(SIGTERM) { advertiser.stop() },
        ]
        advertiser.start()
        for await status in advertiser.status {
            switch status {
            case .starting: say("starting")
            case .advertised(let name): say("advertised \(name)")
            case .waitingForDaemon(let error): say("waiting \(error)")
            case .withdrawn: say("withdrawn")
            }
        }
        withExtendedLifetime(sources) {}
    }

    static func routes(within seconds: Double) async {
        do throws(CastError) {
            for route in try await RouteBrowser().routes(within: seconds) { say(route.name) }
        } catch {
            say(error)
            exit(6)
        }
    }

    /// Announces and browses, and lets both go, many times: ends with 1 where files or threads are left over.
    static func cycle(_ times: Int) async {
        var before = [0, 0]
        for round in 0..<times {
            if round == times / 5 { before = await settled(below: [.max, .max]) }
            let advertiser = ServiceAdvertiser(record: ServiceRecord(id: "\(round)", name: "TV"), port: 1)
            advertiser.start()
            for await _ in RouteBrowser().routes() { break }
            if round % 2 == 0 { advertiser.stop() }
        }
        let after = await settled(below: before.map { $0 + 4 })
        say("files, threads: \(before), then \(after)")
        if zip(before, after).contains(where: { $0 + 4 < $1 }) { exit(1) }
    }

    /// The open files and threads, once they are few enough or have not become so in five seconds.
    static func settled(below limits: [Int]) async -> [Int] {
        var counts: [Int] = []
        for _ in 0..<500 {
            try? await Task.sleep(for: .milliseconds(10))
            counts = ["fd", "task"].map {
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)"))?.count ?? 0
            }
            if !zip(limits, counts).contains(where: { $0 < $1 }) { break }
        }
        return counts
    }

    static func show(_ value: some Encodable) throws {
        say(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    }

    static func on(_ number: Int32, _ action: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: action)
        source.resume()
        return source
    }
}

/// Prints a line at once: `print` keeps lines back where the output is a file.
private func say(_ value: some Any) { FileHandle.standardOutput.write(Data("\(value)\n".utf8)) }

/// A snapshot as the probe prints it.
struct ProbeSnapshot: Encodable {
    var routes: [Route]
    var phase: Int
    var problem: CastError?
    var interfaces: [String: [String]]

    init(_ snapshot: RouteSnapshot) {
        routes = snapshot.routes
        phase = snapshot.phase.rawValue
        problem = snapshot.problem
        interfaces = snapshot.interfaces
    }
}
