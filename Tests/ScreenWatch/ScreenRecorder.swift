import CX11
public import Casting
import Foundation
import Synchronization
import TestSupport

/// What was on an X screen at an instant, as far as a clip tells.
public struct ScreenSample: Sendable, Hashable {
    /// When it was looked at.
    public var time: HostTime
    /// The number in the top row; nil where there is none.
    public var number: Int?
    /// Whether the white block was up that goes with a tone.
    public var isFlash: Bool
}

/// Looks at an X screen 400 times a second and notes what it sees, on a thread of its own.
///
/// The clip is to be shown at its own size, its corner at the screen's.
public final class ScreenRecorder: Sendable {
    private struct State {
        var samples: [ScreenSample] = []
        var isOver = false
    }
    private final class Tape: Sendable {
        let state = Mutex(State())
        let isClosed = DispatchSemaphore(value: 0)
    }

    private let tape = Tape()
    private static let period = 2_500_000

    /// Begins to record.
    ///
    /// - Throws: where the display does not answer or shares no memory.
    public init(display name: String) throws {
        guard let eye = Eye(display: name) else {
            throw RunFailure(description: "The display \(name) cannot be watched.")
        }
        let tape = tape
        Thread.detachNewThread {
            var next = HostTime.now
            while !tape.state.withLock({ $0.isOver }) {
                if let sample = eye.look() { tape.state.withLock { $0.samples.append(sample) } }
                next = max(HostTime(nanoseconds: next.nanoseconds + Int64(Self.period)), HostTime.now)
                var time = timespec(
                    tv_sec: Int(next.nanoseconds / 1_000_000_000), tv_nsec: Int(next.nanoseconds % 1_000_000_000))
                clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil)
            }
            eye.close()
            tape.isClosed.signal()
        }
    }

    deinit {
        tape.state.withLock { $0.isOver = true }
        // Whoever ends the X server next would end this program with it: Xlib does so where a connection breaks.
        tape.isClosed.wait()
    }

    /// Everything seen so far, in order.
    public var samples: [ScreenSample] { tape.state.withLock { $0.samples } }

    /// What was seen last.
    public var last: ScreenSample? { tape.state.withLock { $0.samples.last } }

    /// The first look that satisfies, from an instant on; nil where none did so far.
    public func first(since start: HostTime, _ satisfies: (ScreenSample) -> Bool) -> ScreenSample? {
        tape.state.withLock { state in
            let from = state.samples.lastIndex { $0.time < start } ?? -1
            return state.samples[(from + 1)...].first(where: satisfies)
        }
    }

    /// Waits for a look that satisfies.
    ///
    /// - Throws: where there is none within `seconds`.
    public func wait(
        since start: HostTime, seconds: Double = 15, for what: String, _ satisfies: (ScreenSample) -> Bool
    ) async throws -> ScreenSample {
        while HostTime.now.seconds(since: start) < seconds {
            if let sample = first(since: start, satisfies) { return sample }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw RunFailure(description: "Within \(Int(seconds)) seconds there was no \(what).")
    }
}

/// A connection to the X server with two rows of its screen. Used by one thread at a time.
private final class Eye: @unchecked Sendable {
    private let display: OpaquePointer
    private let numbers: UnsafeMutablePointer<cx11_row>
    private let flash: UnsafeMutablePointer<cx11_row>

    /// Each recorder has a connection and a thread of its own, but what Xlib knows of extensions they share.
    private static let isSafe = XInitThreads() != 0

    init?(display name: String) {
        guard Self.isSafe, let display = XOpenDisplay(name) else { return nil }
        guard let numbers = cx11_row_open(display, 16 * 32), let flash = cx11_row_open(display, 8) else {
            XCloseDisplay(display)
            return nil
        }
        (self.display, self.numbers, self.flash) = (display, numbers, flash)
    }

    /// Ends the connection; to be called once, after the last look.
    func close() {
        cx11_row_close(numbers)
        cx11_row_close(flash)
        XCloseDisplay(display)
    }

    func look() -> ScreenSample? {
        let time = HostTime.now
        guard cx11_row_read(numbers, 0, 16) != 0, cx11_row_read(flash, 60, 96) != 0 else { return nil }
        let number = FrameCode.read { x, _ in Self.brightness(numbers, x) }
        return ScreenSample(time: time, number: number, isFlash: number != nil && Self.brightness(flash, 4) > 200)
    }

    private static func brightness(_ row: UnsafeMutablePointer<cx11_row>, _ x: Int) -> Int {
        let pixel = cx11_pixel(row.pointee.image, Int32(x), 0)
        return Int((pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255)) / 3
    }
}
