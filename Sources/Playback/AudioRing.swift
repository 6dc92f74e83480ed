/// Samples on their way to the device.
public final class AudioRing: Sendable {}
