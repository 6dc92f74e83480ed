import Casting
import Glibc

/// Blocks the calling thread, until the time is over or `cancellation` ends it.
///
/// - Parameter seconds: how long.
/// - Throws: the cancellation's reason.
func pause(_ seconds: Double, unless cancellation: Cancellation) throws(CastError) {
    try cancellation.check()
    guard seconds > 0 else { return }
    guard let bell = Bell() else { throw CastError(.unknown, "There are too many open files.", hint: "Try again.") }
    let hook = cancellation.addHook { bell.ring() }
    defer { cancellation.removeHook(hook) }
    let end = HostTime.now.advanced(by: seconds)
    while !cancellation.isCancelled {
        let left = end.seconds(since: .now)
        guard left > 0 else { return }
        bell.wait(seconds: left)
    }
    try cancellation.check()
}

/// Wakes one thread from another. A pipe; open for as long as anyone may still ring.
private final class Bell: Sendable {
    private let reading: Int32
    private let writing: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writing, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(reading)
        close(writing)
    }

    func ring() {
        _ = write(writing, [1 as UInt8], 1)
    }

    func wait(seconds: Double) {
        var watched = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        poll(&watched, 1, Int32((seconds * 1000).rounded(.up)))
    }
}
