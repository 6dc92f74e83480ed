import Casting
import Discovery
import Dispatch
import Glibc
import HTTP
import Media
import Receiver
import Screen
import Synchronization

/// `castreceiver check`: tells what would go wrong before it does, and how to mend it.
///
/// Looks at the machine as a receiver with this configuration would find it; a receiver that runs already is left alone.
@MainActor
struct Checkup {
    /// Seconds to wait for the own service to be seen on the network.
    private nonisolated static let sightingTime = 4.0

    private let configuration: ReceiverConfiguration

    init(_ configuration: ReceiverConfiguration) { self.configuration = configuration }

    /// Prints what it finds.
    ///
    /// - Returns: the exit code: 0, or 1 where something is wrong.
    func run() -> Int32 {
        var isGood = true
        func tell(_ findings: [Finding]) {
            for finding in findings {
                print(finding.text)
                if finding.verdict == .bad { isGood = false }
            }
            fflush(nil)
        }
        tell([libraries])
        tell(display)
        tell([sound])
        let state = StateCheck(directory: configuration.usedStateDirectory)
        tell([state.finding])
        let server = HTTPServer { _ in HTTPResponse(status: 503) }
        tell([port(of: server, receiverRuns: state.receiverRuns)])
        tell(discovery(state, port: server.port))
        server.stop()
        tell([
            .note("who may cast", "Anyone on the local network: there is no pairing. Keep the port off the internet.")
        ])
        print(isGood ? "All is well." : "Some things are wrong; the arrows say what to do.")
        return isGood ? 0 : 1
    }

    private var libraries: Finding {
        let all =
            [("castway", Castway.version), ("FFmpeg", MediaCapabilities.libraryVersion)]
            + ScreenDiagnostics.libraries.map { ($0.name, $0.version) }
        return .good("versions", all.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
    }

    private var display: [Finding] {
        do {
            let display = try ScreenDiagnostics.display()
            let rate = display.refreshRate.map { ", \($0) pictures a second" } ?? ""
            let size = "\(display.size.width) × \(display.size.height)"
            guard !display.isOffscreen else {
                return [.bad("display", "none: pictures would only be drawn in memory", fix: Self.noDisplay)]
            }
            let renderer = display.renderer.map { $0 + (display.rendersInSoftware ? " (on the processor)" : "") }
            return [
                .good("display", "\(size)\(rate), by SDL's \(display.videoDriver) driver"),
                .note("OpenGL", renderer ?? "none; pictures are drawn without it"),
                hardware,
            ]
        } catch {
            return [.bad("display", error.message, fix: Self.noDisplay)]
        }
    }

    private var hardware: Finding {
        let devices = MediaCapabilities.hardwareDecoders
        guard configuration.screen.hardwareDecoding else {
            return .note("film decoder", "the processor, as configured")
        }
        return .note(
            "film decoder", devices.isEmpty ? "the processor" : devices.joined(separator: ", ") + ", else the processor"
        )
    }

    private static let noDisplay =
        "Start it as the user who is logged in at the TV, with DISPLAY=:0 or WAYLAND_DISPLAY=wayland-0 set."

    private var sound: Finding {
        do {
            let sound = try ScreenDiagnostics.sound(device: configuration.audio.device)
            let format = "\(sound.sampleRate) Hz, \(sound.channelCount) channels, by \(sound.audioDriver)"
            guard sound.audioDriver != "dummy" else {
                return .bad("sound", "no device: films play silently", fix: Self.noSound)
            }
            let devices = sound.devices.isEmpty ? "" : "; devices: \(sound.devices.joined(separator: ", "))"
            return .good("sound", "opens with \(format)\(devices)")
        } catch {
            return .bad("sound", error.message, fix: Self.noSound)
        }
    }

    private static let noSound =
        "See that a sound device is connected and no other program holds it, or name one with --audio-device."

    private func port(of server: HTTPServer, receiverRuns: Bool) -> Finding {
        let port = configuration.port
        do {
            try server.start(port: port)
            return .good("port", port == 0 ? "any free one will do" : "\(port) is free")
        } catch {
            if receiverRuns { return .note("port", "\(port) is taken, by the receiver that runs already") }
            // The rest of the check still wants a port.
            try? server.start(port: 0)
            return .bad(
                "port", "\(port): \(error.message)",
                fix: "castreceiver will take the next free one, which firewalls may not know. Choose one with --port.")
        }
    }

    /// Announces a service as castreceiver would (or looks for the one that runs) and looks whether it can be seen.
    private func discovery(_ state: StateCheck, port: Int) -> [Finding] {
        guard configuration.network.advertise else { return [.note("discovery", "switched off: cast by address")] }
        let id = state.identity ?? "check-\(getpid())"
        var advertiser: ServiceAdvertiser?
        if !state.receiverRuns {
            let name = configuration.name ?? machineName()
            advertiser = ServiceAdvertiser(record: ServiceRecord(id: id, name: name + " (check)"), port: port)
            advertiser?.start()
        }
        defer { advertiser?.stop() }
        switch blocking({ await RouteBrowser().sighting(of: id, within: Self.sightingTime) }) {
        case .seen(let interfaces):
            return [.good("discovery", "seen on the network by \(interfaces.joined(separator: ", "))")]
        case .loopbackOnly:
            return [
                .bad(
                    "discovery", "seen on this machine only",
                    fix: "Connect it to a network, and see that avahi-daemon.conf allows its interface.")
            ]
        case .notSeen:
            return [
                .bad(
                    "discovery", "not seen on the network",
                    fix: "A firewall must let UDP port 5353 pass, and avahi-daemon.conf must not forbid publishing.")
            ]
        case .unavailable(let error):
            let fix = [error.hint, "Casting to an address works without it."].compactMap { $0 }.joined(separator: " ")
            return [.bad("discovery", error.message, fix: fix)]
        }
    }

    /// Waits for async work, which bounds itself. For the main thread of a program that does nothing else meanwhile.
    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let answer = Answer<Value>()
        Task.detached {
            let value = await work()
            answer.value.withLock { $0 = value }
            answer.isThere.signal()
        }
        while true {
            answer.isThere.wait()
            if let value = answer.value.withLock({ $0 }) { return value }
        }
    }
}

/// Where async work leaves what it came to.
private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
}
