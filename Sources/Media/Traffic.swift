public import Casting
import Synchronization

/// What an item has cost on the network so far.
public struct TrafficFigures: Hashable, Sendable {
    /// Bytes received, over all connections.
    public var byteCount: Int64 = 0
    /// Requests made, redirects not counted.
    public var requestCount = 0
    /// Seconds spent waiting for bytes.
    public var transferDuration = 0.0
    /// Bytes a second while something was being waited for, a mean over the last seconds; nil before it is known.
    public var bytesPerSecond: Double?
    /// Bytes that `bytesPerSecond` and `deviation` are made of.
    public var measuredBytes: Int64 = 0
    /// Seconds of waiting that `bytesPerSecond` is made of.
    public var measuredSeconds = 0.0
    /// How much the rate varies: its standard deviation in bytes a second; nil before there are two measurements.
    public var deviation: Double?
    /// The server's address at the last answer; nil before there was one.
    public var serverAddress: String?
    /// How often it was another than at the answer before.
    public var serverAddressChanges = 0
    /// The URL at the last answer of the item itself, after redirects.
    public var url: String?

    /// Nothing yet.
    public init() {}
}

/// A failure of the network, whether or not it could be mended.
public struct TrafficFault: Hashable, Sendable {
    /// When.
    public var instant: HostTime
    /// What was asked for.
    public var url: String
    /// The server's address; nil where there was no answer.
    public var serverAddress: String?
    /// The HTTP status; nil where there was no answer.
    public var status: Int?
    /// What is wrong.
    public var error: CastError
}

/// How many bytes came over the network, how fast, and what went wrong. May be asked from any thread.
public final class Traffic: Sendable {
    private struct State {
        var figures = TrafficFigures()
        var meter = ThroughputMeter()
        var faults: [TrafficFault] = []
        var faultCount = 0
    }

    /// Failures kept at most; the oldest go.
    static let mostFaults = 100

    private let state = Mutex(State())

    /// Nothing yet.
    public init() {}

    /// Everything there is to count.
    public var figures: TrafficFigures {
        state.withLock { state in
            var figures = state.figures
            figures.bytesPerSecond = state.meter.rate
            figures.measuredBytes = state.meter.measuredBytes
            figures.measuredSeconds = state.meter.measuredSeconds
            figures.deviation = state.meter.deviation
            return figures
        }
    }

    /// The failures so far, oldest first, mended ones too.
    public var faults: [TrafficFault] { state.withLock { $0.faults } }

    /// How many failures there were, those not kept any more too.
    public var faultCount: Int { state.withLock { $0.faultCount } }

    /// Bytes received so far, over all connections.
    public var byteCount: Int64 { state.withLock { $0.figures.byteCount } }

    /// Bytes a second while something was being waited for, a mean over the last seconds; nil before it is known.
    public var bytesPerSecond: Double? { state.withLock { $0.meter.rate } }

    /// Notes bytes received, how long the reader waited for them, and for how long it had not wanted any before.
    func record(bytes: Int, seconds: Double, idle: Double = 0) {
        state.withLock { state in
            state.figures.byteCount += Int64(bytes)
            state.figures.transferDuration += seconds
            state.meter.record(bytes: bytes, seconds: seconds, idle: idle)
        }
    }

    /// Notes that a request was made.
    func recordRequest() {
        state.withLock { $0.figures.requestCount += 1 }
    }

    /// Notes that a server answered.
    ///
    /// - Parameter url: the item's own URL after redirects; nil for an answer about a part of it.
    func recordAnswer(from address: String, url: String?) {
        state.withLock { state in
            if let url { state.figures.url = url }
            guard !address.isEmpty, address != state.figures.serverAddress else { return }
            if state.figures.serverAddress != nil { state.figures.serverAddressChanges += 1 }
            state.figures.serverAddress = address
        }
    }

    /// Notes a failure.
    func recordFault(_ error: CastError, url: String, serverAddress: String?, status: Int?) {
        state.withLock { state in
            state.faults.append(
                TrafficFault(instant: .now, url: url, serverAddress: serverAddress, status: status, error: error))
            if state.faults.count > Self.mostFaults { state.faults.removeFirst() }
            state.faultCount += 1
        }
    }
}

/// Measures what the network delivers while it is being waited for: a value that only reckons.
///
/// While nobody reads, the system's buffers fill; what comes out of them at once afterwards says nothing about the
/// network, and is left out until a read has had to wait.
struct ThroughputMeter {
    /// Seconds without a read after which there may be bytes in the system's buffers.
    static let idleLimit = 0.1
    /// Seconds that a read takes at least when it had to wait.
    static let waitLimit = 0.002

    private(set) var rate: Double?
    private(set) var measuredBytes: Int64 = 0
    /// Seconds of waiting that `rate` is made of.
    private(set) var measuredSeconds = 0.0
    private var pendingBytes = 0.0
    private var pendingSeconds = 0.0
    private var catchesUp = false
    private var steps = 0
    private var mean = 0.0
    private var squares = 0.0

    /// Bytes a second by which the steps differ from their mean; nil before there are two.
    var deviation: Double? { steps > 1 ? (squares / Double(steps - 1)).squareRoot() : nil }

    mutating func record(bytes: Int, seconds: Double, idle: Double) {
        if idle > Self.idleLimit { catchesUp = true }
        if catchesUp {
            guard seconds >= Self.waitLimit else { return }
            catchesUp = false
        }
        measuredBytes += Int64(bytes)
        pendingBytes += Double(bytes)
        pendingSeconds += seconds
        // Short waits are gathered first.
        guard pendingSeconds >= 0.02 else { return }
        let step = pendingBytes / pendingSeconds
        // A step's weight is the share that it fills of the waiting so far, or of the last two seconds of it.
        measuredSeconds += pendingSeconds
        let weight = min(1, pendingSeconds / min(measuredSeconds, 2))
        rate = rate.map { $0 + weight * (step - $0) } ?? step
        steps += 1
        let offset = step - mean
        mean += offset / Double(steps)
        squares += offset * (step - mean)
        pendingBytes = 0
        pendingSeconds = 0
    }
}
