import Casting
import Discovery
import Dispatch
import Glibc
import HTTP
import Playback
import Receiver
import ReceiverAPI
import Screen
import Threads

/// The parts of a running receiver, put together, and taken apart in the right order.
///
/// In: bytes → `ReceiverAPI` → commands → `Receiver` → `Player` → pictures and samples → `Screen`. Out: state and events
/// from the player through the receiver to the API's listeners, the screen and the announcement.
@MainActor
final class Program {
    /// Seconds in which everything must be gone once asked.
    private static let farewell = 0.8
    /// How many ports are tried after the one that is wanted.
    private static let sparePorts = 20

    private let configuration: ReceiverConfiguration
    private let log: Log
    private let store: StateStore
    private let screen: Screen
    private let receiver: Receiver
    private let server: HTTPServer
    private let name: String

    /// Opens what the receiver needs: its state, the screen, the player.
    ///
    /// - Throws: `alreadyRunning`, `storageUnavailable`, `outputUnavailable`.
    init(_ configuration: ReceiverConfiguration) throws(CastError) {
        Signals.hold()
        self.configuration = configuration
        log = Log(level: configuration.logLevel)
        name = configuration.name ?? machineName()
        store = try StateStore(directory: configuration.usedStateDirectory, log: log)
        screen = try Screen(ScreenSettings(configuration))
        log.debug("pictures are drawn by: \(screen.presenterName)")
        let player = Player(
            video: screen.videoOutput, audio: screen.audioOutput, settings: configuration.playerSettings)
        var receiverSettings = Receiver.Settings(
            id: store.identity, name: name, capabilities: .here(screenSize: screen.videoOutput.size))
        receiverSettings.takeover = configuration.sessions.takeover
        receiver = Receiver(playback: player, settings: receiverSettings, store: store, log: log)
        let api = ReceiverAPI(
            receiver: receiver, hostPolicy: .thisMachine(names: configuration.network.allowedHostNames), log: log,
            capture: { [screen] () async throws(CastError) in try await screen.capture() })
        server = HTTPServer(
            limits: HTTPServerLimits(configuration.limits), errorResponse: ReceiverAPI.errorResponse,
            handler: api.handler)
    }

    /// Runs until asked to end.
    ///
    /// - Returns: the exit code.
    func run() throws(CastError) -> Int32 {
        try listen()
        Signals.whenAsked { [screen, log] in
            log.info("asked to end")
            screen.quit()
        }
        let advertiser = makeAdvertiser()
        let feed = ScreenFeed(receiverName: name) { [screen] in screen.update($0) }
        connect(feed, advertiser)
        screen.run()
        end(advertiser)
        return 0
    }

    /// Binds the wanted port, or the next free one.
    private func listen() throws(CastError) {
        let wanted = configuration.port
        var failure: HTTPError?
        for port in wanted...min(wanted + (wanted == 0 ? 0 : Self.sparePorts), 65_535) {
            do {
                try server.start(port: port)
                if port != wanted, wanted != 0 { log.warning("port \(wanted) is taken") }
                log.info("\(name) is listening on port \(server.port)")
                return
            } catch {
                failure = error
                guard error.code == .portInUse else { break }
            }
        }
        throw CastError(
            .outputUnavailable, "No port could be opened: \(failure?.message ?? "all are taken").",
            hint: "Choose another with --port.")
    }

    private func makeAdvertiser() -> ServiceAdvertiser? {
        guard configuration.network.advertise else {
            log.info("not announced on the network, as told")
            return nil
        }
        let record = ServiceRecord(
            id: store.identity, name: name, model: Castway.model, capabilities: ["video", "audio"], availability: .idle)
        let advertiser = ServiceAdvertiser(record: record, port: server.port)
        advertiser.start()
        return advertiser
    }

    /// Lets what is true flow to where it is shown. Everything here ends when its source does.
    private func connect(_ feed: ScreenFeed, _ advertiser: ServiceAdvertiser?) {
        let (receiver, screen, log, port) = (receiver, screen, log, server.port)
        let showAddresses: @Sendable () -> Void = {
            let addresses = Addresses.current().map { Endpoint(host: $0, port: port).authority }
            feed.change { $0.addresses = addresses }
        }
        showAddresses()
        Addresses.whenChanged(showAddresses)
        Task.detached { await receiver.follow(screen.commands) }
        Task.detached {
            let covers = CoverFeed(artwork: { receiver.artwork }) { image in feed.change { $0.artwork = image } }
            for await event in receiver.observe() {
                feed.hear(event)
                covers.hear(event)
            }
        }
        Task.detached {
            for await now in receiver.availability() {
                feed.change { $0.senderName = now.currentSender }
                advertiser?.update(availability: now.availability)
            }
        }
        guard let advertiser else {
            feed.change { $0.unannounced() }
            return
        }
        Task.detached {
            for await status in advertiser.status {
                switch status {
                case .starting, .withdrawn: break
                case .advertised(let name):
                    log.info("announced on the network as \(name)")
                    await receiver.rename(to: name)
                    feed.change { $0.named(name) }
                case .waitingForDaemon(let error):
                    log.warning("not announced on the network: \(error) Casting to its address works.")
                    feed.change { $0.unannounced() }
                }
            }
        }
    }

    /// Says goodbye to senders and network, saves the position and frees everything, within `farewell` seconds.
    private func end(_ advertiser: ServiceAdvertiser?) {
        let done = DispatchSemaphore(value: 0)
        let (receiver, server) = (receiver, server)
        OwnThread.start("goodbye") {
            advertiser?.stop()
            done.signal()
        }
        Task.detached {
            await receiver.shutdown()
            server.stop()
            done.signal()
        }
        let deadline = DispatchTime.now() + Self.farewell
        for _ in 0..<2 where done.wait(timeout: deadline) == .timedOut {
            log.warning("something did not end in time")
            _exit(0)
        }
        log.info("ended")
    }
}
