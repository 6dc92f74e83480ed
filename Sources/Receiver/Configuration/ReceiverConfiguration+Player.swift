public import Playback

extension ReceiverConfiguration {
    /// What of it is the player's.
    public var playerSettings: PlayerSettings {
        var settings = PlayerSettings()
        settings.audioDelay = audio.delay
        settings.volume = audio.volume
        settings.usesHardware = screen.hardwareDecoding
        return settings
    }
}
