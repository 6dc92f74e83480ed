internal import CSDL
internal import Casting
internal import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Lets the main thread sleep until an instant, an event of the window system, or a call from another thread.
///
/// SDL sleeps well on X11 and Wayland. Its other drivers would be asked every millisecond whether anything has
/// happened; there the thread sleeps on a file descriptor of our own instead.
final class EventWait: Sendable {
    /// How the window system's events are heard.
    enum Source: Sendable {
        /// By SDL's own sleep.
        case sdl
        /// There are none.
        case none
        /// By looking every so many seconds.
        case polled(every: Double)

        /// What suits SDL's driver of that name.
        init(videoDriver: String) {
            switch videoDriver {
            case "x11", "wayland": self = .sdl
            case "offscreen", "dummy": self = .none
            default: self = .polled(every: 0.05)
            }
        }
    }

    private let source: Source
    private let pipe = WakePipe()
    private let wakeEvent: UInt32
    /// Whether a wake-up is on its way, so that many calls make one.
    private let isWoken = Atomic<Bool>(false)

    /// Only after SDL's start.
    init(_ source: Source) {
        self.source = source
        wakeEvent = SDL_RegisterEvents(1)
    }

    /// Ends the main thread's sleep, or its next one if it is awake. From any thread.
    func wake() {
        guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        switch source {
        case .sdl:
            var event = SDL_Event()
            event.type = wakeEvent
            SDL_PushEvent(&event)
        case .none, .polled:
            pipe.write()
        }
    }

    /// Sleeps until `deadline` at the latest; nil for no end. On the main thread.
    /// - Returns: the events that came meanwhile, without wake-ups.
    func events(until deadline: HostTime?) -> [SDL_Event] {
        var events: [SDL_Event] = []
        switch source {
        case .sdl: sleepInSDL(until: deadline, &events)
        case .none: pipe.sleep(until: deadline)
        case .polled(let interval):
            let look = HostTime.now.advanced(by: interval)
            pipe.sleep(until: deadline.map { min($0, look) } ?? look)
        }
        // From here on a call wakes anew: whoever called before is heard by what the caller does next.
        isWoken.store(false, ordering: .sequentiallyConsistent)
        var event = SDL_Event()
        while SDL_PollEvent(&event) != 0 {
            if event.type != wakeEvent { events.append(event) }
        }
        return events
    }

    private func sleepInSDL(until deadline: HostTime?, _ events: inout [SDL_Event]) {
        var event = SDL_Event()
        let isEvent: Bool
        if let deadline {
            isEvent = SDL_WaitEventTimeout(&event, deadline.wholeMilliseconds) != 0
            if !isEvent { deadline.sleepOverRest() }
        } else {
            isEvent = SDL_WaitEvent(&event) != 0
        }
        if isEvent, event.type != wakeEvent { events.append(event) }
    }
}

/// A pipe to ourselves: what is written at one end wakes who sleeps at the other.
private final class WakePipe: Sendable {
    private let ends: (read: Int32, write: Int32)

    init() {
        var descriptors: [Int32] = [-1, -1]
        Glibc.pipe(&descriptors)
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        ends = (descriptors[0], descriptors[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func write() {
        var byte: UInt8 = 0
        Glibc.write(ends.write, &byte, 1)
    }

    func sleep(until deadline: HostTime?) {
        var entry = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
        let count = poll(&entry, 1, deadline?.wholeMilliseconds ?? -1)
        if count == 0 { deadline?.sleepOverRest() }
        var bytes: [UInt8] = [0, 0, 0, 0]
        while read(ends.read, &bytes, bytes.count) > 0 {}
    }
}

extension HostTime {
    /// What is left until then, in full milliseconds: as fine as `poll` and SDL can sleep.
    fileprivate var wholeMilliseconds: Int32 {
        Int32(min(max(0, (seconds(since: .now) * 1000).rounded(.down)), 1e8))
    }

    /// Sleeps over what full milliseconds leave, for pictures are due to the fraction of one.
    fileprivate func sleepOverRest() {
        let rest = nanoseconds - HostTime.now.nanoseconds
        guard rest > 0, rest < 2_000_000 else { return }
        var duration = timespec()
        duration.tv_nsec = Int(rest)
        nanosleep(&duration, nil)
    }
}
