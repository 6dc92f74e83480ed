public import Casting

/// Where sound goes: a device, or a fake one in tests.
///
/// Called by one of the player's own threads at a time, which may block for as long as a device takes.
public protocol AudioOutput: AnyObject, Sendable {
    /// Opens the device, unless it is open, and begins to pull samples from `ring` on the device's own thread, instead of
    /// the ring before. Goes on where it was after `pause`.
    ///
    /// The ring's format is what `openedFormat` said.
    /// - Throws: `outputUnavailable` where no device can be opened.
    func start(_ ring: AudioRing) throws(CastError)

    /// The format the device works in. Opens the device if it is not open yet.
    /// - Throws: `outputUnavailable` where no device can be opened.
    func openedFormat() throws(CastError) -> AudioOutputFormat

    /// Stops pulling; what is in the ring stays there. Once this returns the device's thread is not in
    /// `AudioRing.read`, nor calls it before the next `start`.
    func pause()

    /// Gives the device back. Nothing is pulled after this returns.
    func close()

    /// Closes a device that was lost, or could not be opened; `reopen` or `close` is to follow.
    func abandon()

    /// Opens a device to take samples in `format`, which is what a lost one worked in; the output converts them if the
    /// device there is now works in another.
    /// - Throws: `outputUnavailable` where no device can be opened, or not for that.
    func reopen(as format: AudioOutputFormat) throws(CastError)

    /// Sets what is called, from any thread and with nothing locked, when the open device has been lost. It is to be
    /// closed then, and must not be expected to pull.
    func setLossHandler(_ handler: @escaping @Sendable () -> Void)
}

extension AudioOutput {
    /// Gives the device back.
    public func abandon() { close() }

    /// Opens the device, where it works in that format.
    public func reopen(as format: AudioOutputFormat) throws(CastError) {
        let opened = try openedFormat()
        guard opened.sampleRate == format.sampleRate, opened.channelCount == format.channelCount else {
            close()
            throw CastError(.outputUnavailable, "The sound device works in another format than before.")
        }
    }

    /// For a device that cannot be lost.
    public func setLossHandler(_ handler: @escaping @Sendable () -> Void) {}
}

/// How a device takes its samples: 32-bit float, interleaved.
public struct AudioOutputFormat: Hashable, Sendable {
    /// Samples a second of each channel.
    public var sampleRate: Int
    /// Channels in SDL's order, up to 8.
    public var channelCount: Int
    /// Seconds from a sample's being pulled to its being heard, as far as that is known.
    public var latency: Double

    /// A format.
    public init(sampleRate: Int, channelCount: Int, latency: Double) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.latency = latency
    }
}
