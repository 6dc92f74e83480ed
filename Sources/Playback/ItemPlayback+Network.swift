internal import Casting
internal import FoundationEssentials
internal import Media

/// Where the item's bytes come from, its access log and its error log.
extension ItemPlayback {
    /// Has the bytes come from another URL from now on.
    func renewSource(_ renewal: SourceRenewal) {
        supply.renew(renewal.url, headers: renewal.headers)
    }

    /// What the keeper of the access log needs.
    struct Books {
        var keeper: AccessLogKeeper
        var lastNote = HostTime(nanoseconds: 0)
        let begin = HostTime.now
    }

    /// Seconds from one look at the figures to the next.
    private static var noteInterval: Double { 0.5 }

    /// Takes down how things are, if something has happened or it is time.
    func keepBooks(_ report: ItemReport) {
        let now = HostTime.now
        switch report {
        case .ranDry, .jumped:
            let figures = figures(now)
            books.withLock { $0.keeper.interrupt(figures) }
        case .progressed:
            guard books.withLock({ now.seconds(since: $0.lastNote) >= Self.noteInterval }) else { return }
            fallthrough
        default:
            let figures = figures(now)
            books.withLock { books in
                books.lastNote = now
                books.keeper.note(figures)
            }
        }
    }

    /// The access log.
    var accessLog: AccessLogDocument {
        let figures = figures(.now)
        return AccessLogDocument(itemID: id, events: books.withLock { $0.keeper.entries(figures) })
    }

    /// The error log.
    var errorLog: ErrorLogDocument {
        let session = supply.playbackSessionID ?? ""
        return ErrorLogDocument(
            itemID: id,
            events: supply.traffic.faults.map { fault in
                ErrorLogEntry(
                    date: Self.date(fault.instant), uri: fault.url, serverAddress: fault.serverAddress,
                    playbackSessionID: session, errorStatusCode: fault.status,
                    errorDomain: fault.error.code.rawValue, errorComment: fault.error.message)
            })
    }

    private func figures(_ now: HostTime) -> AccessLogKeeper.Figures {
        let snapshot = snapshot(at: now)
        return AccessLogKeeper.Figures(
            date: Self.date(now), position: snapshot.timeline.position,
            isMoving: snapshot.timeline.effectiveRate != 0, loadedUpTo: snapshot.item.loadedTimeRanges.last?.end,
            isReady: snapshot.item.status == .readyToPlay, isLive: snapshot.item.isLive,
            stalls: snapshot.statistics.stalls, droppedFrames: snapshot.statistics.droppedFrames,
            traffic: supply.traffic.figures, age: now.seconds(since: books.withLock { $0.begin }))
    }

    /// An instant as ISO 8601 writes it.
    private static func date(_ instant: HostTime) -> String {
        let date = Date().addingTimeInterval(instant.seconds(since: .now))
        return date.formatted(.iso8601.time(includingFractionalSeconds: true))
    }
}
