internal import CSDL
internal import Casting
internal import Media
internal import Playback

/// One turn of the main thread: what came in, what is to be drawn, when to wake next.
extension Screen {
    /// A picture due sooner than this is shown now: to sleep and wake costs as much.
    private static let grace = 0.0005
    /// A picture due sooner than this takes changes of the overlay along, rather than have them drawn without it.
    private static let soon = 0.04

    /// Does what is due.
    /// - Returns: when to wake though nothing happens.
    func step() -> HostTime? {
        takeFonts()
        let wall = WallClock.now
        let captures = takeMail()
        let content = compose(wall: wall)
        if let picture = pending {
            if picture.dueTime <= HostTime.now.advanced(by: Self.grace) {
                show(picture, wall: wall)
            } else if content.scene == .picture {
                prepare(FilmPicture(picture))
            } else {
                refresh()
            }
        } else {
            refresh()
        }
        if !captures.isEmpty { answer(captures) }
        let (inhibits, change) = mailbox.look { contents in
            (contents.director.inhibitsScreenSaver, contents.director.nextChange(after: .now, wall: wall))
        }
        setScreenSaver(inhibited: inhibits)
        return [change, pending?.dueTime].compactMap(\.self).min()
    }

    /// What other threads left.
    private struct Mail: Sendable {
        var waiting: Picture?
        var isFlushed: Bool
        var isCleared: Bool
        var gravity: VideoGravity
        var captures: [ScreenMailbox.CaptureReply]
        var mustQuit: Bool
    }

    private func takeMail() -> [ScreenMailbox.CaptureReply] {
        let mail = mailbox.look { contents in
            let mail = Mail(
                waiting: contents.waiting, isFlushed: contents.isFlushed, isCleared: contents.isCleared,
                gravity: contents.gravity, captures: contents.captures, mustQuit: contents.mustQuit)
            if contents.isCleared { contents.director.pictureChanged(isUp: false, at: .now) }
            contents.waiting = nil
            contents.isFlushed = false
            contents.isCleared = false
            contents.captures = []
            return mail
        }
        if mail.isFlushed || mail.waiting != nil { pending = mail.waiting }
        if mail.isCleared { shown = nil }
        if mail.gravity != presenter.gravity {
            presenter.gravity = mail.gravity
            damage = nil
        }
        if mail.mustQuit { mustQuit = true }
        return mail.captures
    }

    private func takeFonts() {
        guard text == nil, let ready = fonts.take() else { return }
        text = ready
        ready.resize(to: presenter.size)
    }

    /// Brings the overlay up to date.
    @discardableResult
    private func compose(wall: WallClock) -> ScreenContent {
        let content = mailbox.look { $0.director.content(at: .now, wall: wall) }
        let layout = ScreenLayout(size: presenter.size, rasterizer: text)
        let changed = overlay.draw(layout.elements(for: content), rasterizer: text)
        damage?.append(contentsOf: changed)
        showsPicture = content.scene == .picture
        subtitleFloor = content.bar == nil ? .max : layout.barTop
        return content
    }

    private var overlayChanged: Bool { damage.map { !$0.isEmpty } ?? true }

    /// The picture that is to be seen: the one that is up, unless a card covers it.
    private var visible: FilmPicture? { showsPicture ? shown : nil }

    /// Whether what is in memory is not what is to be seen of a picture.
    private func isOutdated(_ picture: FilmPicture?) -> Bool {
        inMemory !== picture?.frame || overlayChanged || !isDrawn(subtitles(of: picture))
    }

    /// Puts a picture up, now.
    private func show(_ picture: Picture, wall: WallClock) {
        pending = nil
        shown = FilmPicture(picture)
        if !showsPicture {
            mailbox.look { $0.director.pictureChanged(isUp: true, at: .now) }
            compose(wall: wall)
        }
        if isOutdated(visible) { draw(visible) }
        present()
        picture.whenShown(.now)
    }

    /// Draws a picture out of sight, ahead of its time.
    private func prepare(_ picture: FilmPicture) {
        guard isOutdated(picture) else { return }
        let isFar = picture.dueTime > HostTime.now.advanced(by: Self.soon)
        if isFar, overlayChanged || inMemory === visible?.frame && !isDrawn(subtitles(of: visible)) { refresh() }
        draw(picture)
    }

    /// Brings changes of what lies over the picture on the screen.
    private func refresh() {
        guard isOutdated(visible) else { return }
        draw(visible)
        present()
    }

    private func draw(_ picture: FilmPicture?) {
        let images = subtitles(of: picture)
        if !isDrawn(images) { damage?.append(contentsOf: (drawnSubtitles + images).map(\.rect)) }
        do {
            try presenter.draw(picture?.frame, images, overlay, damage: damage)
            damage = []
        } catch {
            damage = nil
            if presenter is GLESPresenter { leaveGL() }
        }
        drawnSubtitles = images
        inMemory = picture?.frame
    }

    private func present() {
        // Where this fails the window has changed, and the event that tells of it is on its way.
        try? presenter.present()
    }

    private func answer(_ captures: [ScreenMailbox.CaptureReply]) {
        // Memory may hold the next picture already.
        if isOutdated(visible) { draw(visible) }
        let result: Result<PixelPicture, CastError>
        do throws(CastError) {
            result = .success(try presenter.capture())
        } catch {
            result = .failure(error)
        }
        for capture in captures { capture.resume(returning: result) }
        if let pending, showsPicture { prepare(FilmPicture(pending)) }
    }

    private func setScreenSaver(inhibited: Bool) {
        guard inhibited != inhibitsScreenSaver else { return }
        inhibitsScreenSaver = inhibited
        if inhibited { SDL_DisableScreenSaver() } else { SDL_EnableScreenSaver() }
    }

    /// Goes on with the window's own memory where OpenGL fails: the chip was taken away, or its memory is full.
    private func leaveGL() {
        guard let other = try? PresenterChoice.fallback(for: window) else { return }
        other.gravity = presenter.gravity
        presenter = other
        sizeChanged()
        compose(wall: .now)
        drawnSubtitles = subtitles(of: visible)
        try? presenter.draw(visible?.frame, drawnSubtitles, overlay, damage: nil)
    }

    /// Starts over in another window, or one of another size.
    func windowChanged() {
        do throws(CastError) {
            try presenter.reset(window: window.pointer)
        } catch {
            if presenter is GLESPresenter, let other = try? PresenterChoice.fallback(for: window) {
                other.gravity = presenter.gravity
                presenter = other
            }
        }
        sizeChanged()
    }

    private func sizeChanged() {
        let size = presenter.size
        mailbox.look { $0.size = size }
        text?.resize(to: size)
        overlay = Overlay(size)
        damage = nil
    }
}
