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
        case ("sighting", 2): say(await RouteBrowser().sighting(of: words[0], within: Double(words[1]) ?? 1))
        default:
            say("discovery-probe advertise ID NAME PORT | browse | routes SECONDS | sighting ID SECONDS")
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
