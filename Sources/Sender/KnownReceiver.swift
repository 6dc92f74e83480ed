public import Casting

/// A receiver that this machine has used, and the session it has there.
public struct KnownReceiver: Codable, Hashable, Sendable, Identifiable {
    /// The receiver's UUID.
    public var id: String
    /// Its name for people, when it was last reached.
    public var name: String
    /// Where it was last reached.
    public var endpoint: Endpoint
    /// The session opened there; nil where there is none.
    public var session: SessionKey?

    /// A receiver as it was last seen.
    public init(id: String, name: String, endpoint: Endpoint, session: SessionKey? = nil) {
        self.id = id
        self.name = name
        self.endpoint = endpoint
        self.session = session
    }
}

/// What opens a session again: its id and its secret.
public struct SessionKey: Codable, Hashable, Sendable {
    /// Names the session in paths.
    public var id: String
    /// The secret. Never printed.
    public var token: String

    /// A session's id and secret.
    public init(id: String, token: String) {
        self.id = id
        self.token = token
    }
}
