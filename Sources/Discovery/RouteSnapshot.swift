public import Casting

/// All that is known about the network's receivers at one moment.
public struct RouteSnapshot: Hashable, Sendable {
    /// How complete a snapshot is.
    public enum Phase: Int, Comparable, Sendable {
        /// The daemon has not told all it knows.
        case searching
        /// All that the daemon had in its cache is in: mostly everything there is, after a few milliseconds.
        case cacheExhausted
        /// The network was asked, too (takes about a second): nothing more is to be expected soon.
        case allForNow

        /// Whether `left` is less complete than `right`.
        public static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    /// The receivers, by name.
    public var routes: [Route]
    /// How complete they are.
    public var phase: Phase
    /// Why nothing can be found at present (`discoveryUnavailable`); nil while the daemon answers.
    public var problem: CastError?
    /// The network interfaces a receiver is seen on, by the receiver's id.
    public var interfaces: [String: [String]]

    /// A moment's knowledge.
    public init(
        routes: [Route] = [], phase: Phase = .searching, problem: CastError? = nil, interfaces: [String: [String]] = [:]
    ) {
        self.routes = routes
        self.phase = phase
        self.problem = problem
        self.interfaces = interfaces
    }
}
