internal import Casting
public import Playback

extension ReceiverConfiguration {
    /// What of it is the player's.
    public var playerSettings: PlayerSettings {
        var settings = PlayerSettings()
        settings.audioDelay = audio.delay
        settings.volume = audio.volume
        settings.usesHardware = screen.hardwareDecoding
        settings.subtitles.size = subtitles.size
        settings.subtitles.color = subtitles.color
        settings.subtitles.position = subtitles.position
        settings.tracks.languages = tracks.preferredLanguages.compactMap(LanguageTag.init)
        settings.tracks.captions = tracks.captions
        settings.tracks.sdh = tracks.sdh
        settings.tracks.audioDescription = tracks.audioDescription
        settings.bufferBytes = buffer.ahead
        settings.bufferBytesBehind = buffer.behind
        settings.cacheBytes = buffer.behind
        return settings
    }
}
