/// A decoded picture.
public struct VideoFrame: Sendable {}
