import Foundation
import Synchronization

/// A local network of a test's own: machines in network namespaces, joined by a switch, each with its own message bus
/// and its own Avahi daemon.
///
/// Nothing of it touches a real interface: the switch is a bridge in one more namespace, and every cable's two ends are
/// in namespaces from the start. A machine has the interfaces `lan` (10.77.0.1 for machine 0, and so on; an IPv6
/// link-local address as well) and `lo`, and a `/run` of its own, where the bus listens as it does on any Debian
/// system: programs run there find *their* daemon without knowing. All other files are the real ones.
///
/// ```swift
/// @Test(.enabled(if: NamespaceLAN.isAvailable, "\(NamespaceLAN.requirement)"))
/// func aReceiverIsFound() async throws {
///     let lan = try await NamespaceLAN(machines: 2)        // daemons are up
///     let receiver = try lan.start(builtProgram("castreceiver"), ["--name", "TV"], on: 1)
///     let listed = try lan.run(builtProgram("castsend"), ["routes"], on: 0)
/// }
/// ```
///
/// Machines, daemons and programs started on it are gone with the last reference to the network, also when the test
/// fails; what a crashed test left behind is swept away by the next one. Networks do not see each other, so tests may
/// run side by side. A daemon takes 1–2 s until it announces: it asks the network about each name first.
public final class NamespaceLAN: Sendable {
    /// Whether this system can make one: as root, with the needed programs.
    public static let isAvailable = missing.isEmpty
    /// What is missing for it, for the message of skipped tests.
    public static let requirement = "a network of namespaces needs " + missing.joined(separator: ", ")

    private static let missing: [String] = {
        let programs = ["ip", "unshare", "nsenter", "dbus-daemon", "avahi-daemon"]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders: [String] = path.split(separator: ":").map { String($0) } + ["/usr/sbin", "/sbin"]
        let absent = programs.filter { program in
            !folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/" + program) }
        }
        return absent + (geteuid() == 0 ? [] : ["root"])
    }()

    private struct Machine {
        /// Holds the namespaces.
        let holder: Child
        var bus: Child?
        var avahi: Child?
        var programs: [Child] = []
    }

    private let name: String
    private let count: Int
    private let machines = Mutex<[Machine]>([])

    /// Makes the network; with daemons it is ready when each of them answers.
    public init(machines count: Int = 2, bus: Bool = true, avahi: Bool = true) async throws {
        Self.sweep()
        name = "\(Self.prefix)\(getpid())-\(UInt32.random(in: 0...UInt32.max))-"
        self.count = count
        try Self.shell(
            """
            ip netns add \(name)switch
            ip -n \(name)switch link add switch type bridge mcast_snooping 0
            ip -n \(name)switch link set switch up
            """)
        for number in 0..<count {
            let machine = "\(name)\(number)"
            // No duplicate address detection: it would keep the link-local address back for two seconds.
            try Self.shell(
                """
                ip netns add \(machine)
                ip netns exec \(machine) sh -c 'echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad'
                ip -n \(name)switch link add port\(number) type veth peer name lan netns \(machine)
                ip -n \(name)switch link set port\(number) master switch up
                ip -n \(machine) address add \(address(of: number))/24 dev lan
                ip -n \(machine) link set lo up
                ip -n \(machine) link set lan up
                """)
            let script = "mount -t tmpfs lan /run && mkdir /run/dbus && touch /run/ready && exec sleep infinity"
            let holder = try Child("ip", ["netns", "exec", machine, "unshare", "-m", "sh", "-c", script])
            guard await eventually({ Self.exists("/run/ready", in: holder) }) else {
                throw RunFailure(description: "A machine's namespaces cannot be made: \(holder.errors)")
            }
            machines.withLock { $0.append(Machine(holder: holder)) }
            if bus { try await startBus(on: number) }
            if avahi { try await startAvahi(on: number) }
        }
    }

    deinit {
        let all = machines.withLock { machines in
            defer { machines = [] }
            return machines.flatMap { [$0.avahi, $0.bus].compactMap { $0 } + $0.programs + [$0.holder] }
        }
        for child in all { child.signal(SIGKILL) }
        for machine in ["switch"] + (0..<count).map({ "\($0)" }) { Self.remove("\(name)\(machine)") }
    }

    /// The IPv4 address of a machine, counted from 0.
    public func address(of number: Int) -> String { "10.77.0.\(number + 1)" }

    /// Runs a program on a machine to its end, whatever its status.
    public func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], on number: Int
    ) throws -> Run {
        try runAny("nsenter", entering(number) + [program] + arguments, environment: environment)
    }

    /// Starts a program on a machine; it ends with the network at the latest. Its process id is the program's own.
    @discardableResult
    public func start(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], on number: Int
    ) throws -> Child {
        let child = try Child("nsenter", entering(number) + [program] + arguments, environment: environment)
        machines.withLock { $0[number].programs.append(child) }
        return child
    }

    /// Starts a machine's message bus.
    public func startBus(on number: Int) async throws {
        try write(
            """
            <busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow send_type="method_call"/><allow send_type="signal"/><allow eavesdrop="false"/></policy></busconfig>
            """, to: "/run/bus.conf", on: number)
        let bus = try start("dbus-daemon", ["--config-file=/run/bus.conf", "--nofork", "--nopidfile"], on: number)
        machines.withLock { $0[number].bus = bus }
        let holder = machines.withLock { $0[number].holder }
        guard await eventually({ Self.exists("/run/dbus/system_bus_socket", in: holder) }) else {
            throw RunFailure(description: "The message bus does not start: \(bus.errors)")
        }
    }

    /// Ends a machine's message bus, and so everybody's connection to it.
    public func stopBus(on number: Int) async {
        let bus = machines.withLock { $0[number].bus.take() }
        bus?.signal(SIGTERM)
        _ = await bus?.status(within: 5)
        _ = try? run("rm", ["-f", "/run/dbus/system_bus_socket"], on: number)
    }

    /// Starts a machine's Avahi daemon, and waits until it answers.
    ///
    /// - Parameter interfaces: those it works on.
    public func startAvahi(on number: Int, interfaces: String = "lan") async throws {
        try write(
            """
            [server]
            host-name=machine\(number)
            allow-interfaces=\(interfaces)
            use-ipv4=yes
            use-ipv6=yes
            enable-dbus=yes
            [publish]
            publish-hinfo=no
            publish-workstation=no
            """, to: "/run/avahi.conf", on: number)
        // Beside a shell, not instead of it: the daemon closes files it does not know, among them the one by which
        // Foundation notices that a process has ended; it would then wait for the daemon, and for nothing else.
        let command = "avahi-daemon -f /run/avahi.conf --no-drop-root --no-chroot --no-rlimits; true"
        let avahi = try start("sh", ["-c", command], on: number)
        machines.withLock { $0[number].avahi = avahi }
        guard await eventually({ avahi.errors.contains("Server startup complete") }) else {
            throw RunFailure(description: "avahi-daemon does not start: \(avahi.errors)")
        }
    }

    /// Ends a machine's Avahi daemon, as the system would.
    public func stopAvahi(on number: Int) async throws {
        _ = try run("avahi-daemon", ["--kill"], on: number)
        _ = await machines.withLock { $0[number].avahi.take() }?.status(within: 5)
    }

    /// Pulls a machine's cable out of the switch, or plugs it in again.
    public func setCable(of number: Int, plugged: Bool) throws {
        try Self.shell("ip -n \(name)switch link set port\(number) \(plugged ? "up" : "down")")
    }

    /// What a machine's present Avahi daemon has logged.
    public func avahiLog(on number: Int) -> String { machines.withLock { $0[number].avahi?.errors ?? "" } }

    private func entering(_ number: Int) -> [String] {
        ["--target", "\(machines.withLock { $0[number].holder.id })", "--net", "--mount", "--"]
    }

    private func write(_ text: String, to path: String, on number: Int) throws {
        let holder = machines.withLock { $0[number].holder.id }
        try text.write(toFile: "/proc/\(holder)/root\(path)", atomically: false, encoding: .utf8)
    }

    private static let prefix = "castway-test-"

    private static func exists(_ path: String, in holder: Child) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(holder.id)/root\(path)")
    }

    private static func shell(_ script: String) throws { try TestSupport.run("sh", ["-ec", script]) }

    private static func remove(_ namespace: String) {
        let left = (try? runAny("ip", ["netns", "pids", namespace]).output) ?? ""
        for id in left.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) { kill(id, SIGKILL) }
        _ = try? runAny("ip", ["netns", "delete", namespace])
    }

    /// Removes the networks of test processes that are no more.
    private static func sweep() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/run/netns")) ?? []
        for name in names where name.hasPrefix(prefix) {
            let owner = name.dropFirst(prefix.count).prefix { $0 != "-" }
            if let owner = Int32(owner), kill(owner, 0) != 0, errno == ESRCH { remove(name) }
        }
    }
}

/// The path of a program of this package, built along with the tests.
public func builtProgram(_ name: String) -> String {
    let tests =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/" + name
}
