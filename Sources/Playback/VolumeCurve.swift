#if canImport(Glibc)
    internal import Glibc
#endif

/// From the volume that people set to what samples are multiplied by.
///
/// What is heard as loudness grows with the amplitude to the power of 0.6 (Stevens), so the amplitude is the volume to the
/// power of 1/0.6: half the volume sounds half as loud, which is 10 dB less.
enum VolumeCurve {
    /// What samples are multiplied by, 0 to 1, at a volume of 0 to 1.
    static func gain(_ volume: Double) -> Float {
        Float(pow(min(max(volume, 0), 1), 1 / 0.6))
    }
}
