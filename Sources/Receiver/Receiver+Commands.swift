public import Casting
import Playback

extension Receiver {
    /// Carries out a command of a session and answers when it has taken effect, its events having been published.
    ///
    /// - Throws: `invalidRequest` or `unsupportedURL` naming the field; `sessionEnded` where the session ended before or
    ///   meanwhile; and whatever the player says (`PlaybackControl.perform`).
    @discardableResult
    public func perform(_ command: Command, session id: String) async throws(CastError) -> CommandOutcome {
        let session = try current(id)
        if case .disconnect = command {
            try await end(session: id)
            return .done
        }
        try CommandRules.check(command, queued: playback.queue.count)
        tell(command, from: session.sender.name)
        if case .load = command { forgetInterruption() }
        session.begin()
        defer { session.finish() }
        let outcome: CommandOutcome
        do throws(CastError) {
            outcome = try await playback.perform(command)
        } catch {
            _ = try current(id)
            await session.hub.catchUp(with: playback)
            throw error
        }
        _ = try current(id)
        await session.hub.catchUp(with: playback)
        return outcome
    }

    /// Carries out commands that come from the TV itself, in order, none waiting for the one before to take effect.
    ///
    /// They act exactly as a sender's do; `disconnect` ends whatever session there is. Errors are lines in the log.
    /// Returns when `commands` ends.
    public func follow(_ commands: AsyncStream<Command>) async {
        for await command in commands {
            Task { await performLocally(command) }
        }
    }

    private func performLocally(_ command: Command) async {
        do throws(CastError) {
            if case .disconnect = command { return await endLocally() }
            try CommandRules.check(command, queued: playback.queue.count)
            tell(command, from: "the TV")
            _ = try await playback.perform(command)
        } catch {
            log.debug("a key at the TV had no effect (\(error.code.rawValue)): \(error.message)")
        }
    }

    /// Ends the session, if there is one, as somebody at the TV wishes.
    public func endLocally() async {
        guard session != nil else { return }
        close(.endedAtReceiver)
        await quieting?.value
    }

    private func tell(_ command: Command, from origin: String) {
        switch command {
        case .load(let item): log.info("\(origin) loads \(Redaction.url(item.url))")
        case .enqueue(let items, _): log.info("\(origin) queues \(items.count) item(s)")
        case .renewSource(let renewal): log.info("\(origin) hands over \(Redaction.url(renewal.url))")
        case .seek(let request): log.debug("\(origin) seeks to \(request.position) s")
        default: log.debug("\(origin): \(command)")
        }
    }

    /// The session of that id, if it holds the receiver.
    func current(_ id: String) throws(CastError) -> Session {
        guard let session, session.id == id else { throw error(of: id) }
        return session
    }

    /// Why a session that does not hold the receiver does not.
    func error(of id: String) -> CastError {
        ended.last { $0.id == id }?.error
            ?? CastError(.notFound, "There is no such session.", hint: "Open one with POST /v1/sessions.")
    }

    /// Where playback is, for whoever wants to go on with it elsewhere.
    func sessionEnd() -> SessionEnd {
        let state = playback.state
        guard let id = state.item?.id else { return SessionEnd(wasPlaying: false) }
        let item = playback.queue.first { $0.id == id }
        return SessionEnd(
            item: item, position: state.timeline.position(at: .now), wasPlaying: state.timeControlStatus != .paused)
    }

    /// Ends the session at once: tells it, lets nobody hold the receiver, and begins to quiet the player.
    @discardableResult
    func close(_ reason: RouteLoss.Reason, by: String? = nil) -> SessionEnd {
        guard let session else { return SessionEnd(wasPlaying: false) }
        let end = sessionEnd()
        let loss = RouteLoss(reason: reason, by: by, item: end.item, position: end.position)
        publisher.attach(nil, of: nil)
        session.hub.finish(.routeLost(loss))
        publisher.notify(.routeLost(loss))
        ended.append(
            EndedSession(id: session.id, token: session.token, loss: loss, lastEventID: session.hub.latest.lastID))
        if ended.count > 16 { ended.removeFirst() }
        self.session = nil
        arbiter.holder = nil
        log.info(
            "session \(session.id) of \(session.sender.name) ended: \(reason.rawValue)\(by.map { " by \($0)" } ?? "")")
        if reason != .receiverStopping {
            quieting = Task { [before = quieting] in
                await before?.value
                await quiet(after: session)
            }
        }
        return end
    }

    /// Takes the session's item away, and again if a command that was under way brought one back.
    private func quiet(after session: Session) async {
        await stopPlayback()
        await withCheckedContinuation { session.whenQuiet($0) }
        if playback.state.item != nil || !playback.queue.isEmpty { await stopPlayback() }
    }

    private func stopPlayback() async {
        do throws(CastError) {
            _ = try await playback.perform(.stop)
            if !playback.queue.isEmpty { _ = try await playback.perform(.clearQueue) }
            // How one session played is no affair of the next.
            if playback.state.options != .standard { _ = try await playback.perform(.setOptions(.standard)) }
        } catch {
            if error.code != .noCurrentItem { log.warning("the player did not stop: \(error.message)") }
        }
    }
}
