internal import CSDL
public import Casting
public import FoundationEssentials
package import Media
public import Playback

/// The screen and the loudspeaker: window, pictures, what lies over them, sound, and keys.
///
/// Made and run on the main thread, which `run` keeps until the end; tasks on the main actor do not run meanwhile.
@MainActor
public final class Screen {
    /// Where the player's pictures go.
    public nonisolated let videoOutput: any VideoOutput
    /// Where the player's sound goes.
    public nonisolated let audioOutput: any AudioOutput
    /// What people at the TV ask for with its keys. For one listener; ends when the screen does.
    public nonisolated let commands: AsyncStream<Command>
    /// SDL's name of the way to the display: `x11`, `wayland`, `KMSDRM`; `offscreen` or `dummy` where there is none.
    public nonisolated let videoDriver: String
    /// Whether there is no display: pictures are drawn in memory, and only screenshots show them.
    public nonisolated var isOffscreen: Bool { ScreenWindow.isInMemory(videoDriver) }

    /// What brings pictures to the screen, for people.
    public var presenterName: String { presenter.name }

    nonisolated let mailbox: ScreenMailbox
    let audio: SystemAudioOutput
    let window: ScreenWindow
    var presenter: any Presenter
    let commandSource: AsyncStream<Command>.Continuation
    let fonts: FontLoader
    var keys = KeyMap()
    var text: TextRenderer?
    var overlay: Overlay
    /// What changed of the overlay since it was last drawn; nil where all is to be drawn anew.
    var damage: [PixelRect]?
    /// The text over the film, and what of it was drawn last.
    let subtitles: SubtitleLayer
    var drawnSubtitles: [ImageOverlay] = []
    /// The row under which no text is to stand.
    var subtitleFloor = Int.max
    /// The picture that is up.
    var shown: FilmPicture?
    /// The picture that is to come.
    var pending: Picture?
    /// The picture in the presenter's memory, which may be ahead of the one that is up.
    var inMemory: VideoFrame?
    /// Whether the picture is what fills the screen, rather than a card.
    var showsPicture = false
    var inhibitsScreenSaver = false
    var mustQuit = false

    /// Opens the display.
    ///
    /// - Throws: `outputUnavailable` where there is none, unless `settings` allow to go on without.
    public init(_ settings: ScreenSettings = ScreenSettings()) throws(CastError) {
        window = try ScreenWindow(settings)
        videoDriver = window.videoDriver
        do throws(CastError) {
            presenter = try PresenterChoice.presenter(settings.presenter, for: window)
        } catch {
            window.close()
            throw error
        }
        let wait = EventWait(.init(videoDriver: window.videoDriver))
        let director = ScreenDirector(status: ScreenStatus(receiverName: settings.title))
        mailbox = ScreenMailbox(director: director, wait: wait)
        videoOutput = ScreenVideoOutput(mailbox)
        audio = SystemAudioOutput(deviceName: settings.audioDevice)
        audioOutput = audio
        (commands, commandSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        overlay = Overlay(presenter.size)
        fonts = FontLoader(screen: presenter.size) { wait.wake() }
        subtitles = SubtitleLayer { wait.wake() }
        let size = presenter.size
        mailbox.look { $0.size = size }
    }

    /// Shows pictures and takes keys until `quit` is called or the window is closed. Then frees the display.
    public func run() {
        var wakeTime: HostTime? = .now
        while !mustQuit {
            for event in mailbox.wait.events(until: wakeTime) { handle(event) }
            wakeTime = step()
        }
        let captures = mailbox.look { contents in
            contents.isOver = true
            defer { contents.captures = [] }
            return contents.captures
        }
        for capture in captures { capture.resume(returning: .failure(Self.over)) }
        commandSource.finish()
        audio.close()
        window.close()
    }

    /// Tells what is true now. From any thread; shown at once.
    public nonisolated func update(_ status: ScreenStatus) {
        mailbox.change { $0.director.update(status, at: .now) }
    }

    /// Ends `run`. From any thread.
    public nonisolated func quit() {
        mailbox.change { $0.mustQuit = true }
    }

    /// A PNG file of what is on the screen now.
    ///
    /// - Throws: `outputUnavailable` once the screen is closed.
    public nonisolated func capture() async throws(CastError) -> Data {
        try await capturePicture().png()
    }

    /// The pixels of what is on the screen now.
    package nonisolated func capturePicture() async throws(CastError) -> PixelPicture {
        let result = await withCheckedContinuation { (reply: ScreenMailbox.CaptureReply) in
            let isOver = mailbox.change { contents in
                if !contents.isOver { contents.captures.append(reply) }
                return contents.isOver
            }
            if isOver { reply.resume(returning: .failure(Self.over)) }
        }
        return try result.get()
    }

    nonisolated static let over = CastError(.outputUnavailable, "The screen is closed.")
}
