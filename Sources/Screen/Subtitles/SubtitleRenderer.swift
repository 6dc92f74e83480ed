internal import CASS
internal import Casting
internal import Media
internal import Playback

#if canImport(Glibc)
    internal import Glibc
#endif

/// Turns text over the film into images, by libass.
///
/// Finding fonts may take minutes on a new machine: make it on a thread of its own, then hand it to the one that draws.
/// Belongs to one thread at a time.
final class SubtitleRenderer {
    /// Where the film is on the screen.
    struct Stage: Equatable {
        /// Pixels of the screen.
        var screen: Size
        /// Where the picture stands on it.
        var picture: PixelRect
        /// The film's own size, which an author's script was written for.
        var film: Size
        /// What letters are taken to be stretched with, when it becomes `picture`.
        var shape: Size
        /// Where bitmaps go, whose canvas is laid over a picture all of which is to be seen.
        var bitmapArea: PixelRect

        /// The stage of a film on a screen.
        init(screen: Size, film: Size, gravity: VideoGravity) {
            self.screen = screen
            picture = Letterbox.rect(of: film, in: screen, gravity)
            self.film = film
            shape = film
            bitmapArea = picture
            switch gravity {
            case .resizeAspect: break
            // What lies beyond the screen could not be read.
            case .resizeAspectFill: bitmapArea = Letterbox.rect(of: film, in: screen)
            // Letters keep their own shape, whatever becomes of the picture's.
            case .resize: shape = screen
            }
        }

        /// Whether some of the picture lies beyond the screen.
        var isCropped: Bool { !PixelRect(screen).contains(picture) }
    }

    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private var track: UnsafeMutablePointer<ASS_Track>?
    /// Whose script `track` is, with which settings.
    private var trackKey: TrackKey?
    /// How many of a script's events `track` has.
    private var eventCount = 0
    private var stage: Stage?
    /// Whether the script is an author's, with looks and places of its own.
    private var isStyled = false
    private var images: [ImageOverlay] = []

    /// How much larger plain text is than libavcodec has it: readable from a sofa.
    private static let plainScale = 1.2

    private static let eventFormat =
        "Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"

    private struct TrackKey: Equatable {
        var source: Int
        var script: SubtitleScript
        var settings: SubtitleSettings
    }

    /// A renderer that knows the system's fonts and some more; nil where libass does not start.
    init?(fonts: AttachedFonts) {
        guard let library = ass_library_init() else { return nil }
        castway_ass_be_quiet(library)
        for font in fonts.fonts {
            font.bytes.withUnsafeBytes { bytes in
                let data = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
                ass_add_font(library, font.name, data, Int32(bytes.count))
            }
        }
        guard let renderer = ass_renderer_init(library) else {
            ass_library_done(library)
            return nil
        }
        self.library = library
        self.renderer = renderer
        ass_set_fonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
        // What it keeps ready: drawn letters and finished bitmaps, in megabytes at most.
        ass_set_cache_limits(renderer, 4000, 32)
    }

    deinit {
        if let track { ass_free_track(track) }
        ass_renderer_done(renderer)
        ass_library_done(library)
    }

    /// The images of a scene's text; the same objects as before where they are the same.
    func draw(_ scene: SubtitleScene, on stage: Stage) -> [ImageOverlay] {
        prepare(scene, stage)
        guard let track else { return [] }
        var time: Int64 = 0
        switch scene.content {
        case .none, .bitmaps: return []
        case .text(let events):
            ass_flush_events(track)
            for event in events { add(event, start: 0, duration: 1000) }
        case .script(let events, let now):
            for event in events.dropFirst(eventCount) {
                add(event.text, start: milliseconds(event.start), duration: milliseconds(event.duration))
            }
            eventCount = events.count
            time = milliseconds(now)
        }
        var change: Int32 = 0
        let list = ass_render_frame(renderer, track, time, &change)
        if change != 0 { images = Self.images(of: list) }
        return images
    }

    private func milliseconds(_ seconds: Double) -> Int64 { Int64((max(-1e9, min(1e9, seconds)) * 1000).rounded()) }

    private func add(_ event: String, start: Int64, duration: Int64) {
        var event = event
        event.withUTF8 { bytes in
            let data = UnsafeMutablePointer(
                mutating: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self))
            ass_process_chunk(track, data, Int32(bytes.count), start, duration)
        }
    }

    private func prepare(_ scene: SubtitleScene, _ stage: Stage) {
        if self.stage != stage { place(stage) }
        let settings = scene.settings
        var looks = settings
        looks.delay = 0
        let key = TrackKey(source: scene.key.source, script: scene.script, settings: looks)
        guard key != trackKey else { return }
        trackKey = key
        if let track { ass_free_track(track) }
        track = ass_new_track(library)
        eventCount = 0
        images = []
        guard let track else { return }
        var header = scene.script.header
        header.withUTF8 { bytes in
            let data = UnsafeMutablePointer(
                mutating: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self))
            ass_process_codec_private(track, data, Int32(bytes.count))
        }
        // The fields of events have this order whatever the script says of its own file.
        free(track.pointee.event_format)
        track.pointee.event_format = strdup(Self.eventFormat)
        // Each event is given once; numbers of different readings may clash.
        ass_set_check_readorder(track, 0)
        if !scene.script.isStyled { style(track, settings) }
        ass_set_font_scale(renderer, settings.size * (scene.script.isStyled ? 1 : Self.plainScale))
        ass_set_line_position(renderer, scene.script.isStyled ? 0 : settings.position)
        isStyled = scene.script.isStyled
        useMargins()
    }

    /// What has no place of its own stands anywhere on the screen; an author's lines stay on the picture, but not beyond
    /// the screen.
    private func useMargins() {
        ass_set_use_margins(renderer, !isStyled || stage?.isCropped == true ? 1 : 0)
    }

    private func place(_ stage: Stage) {
        self.stage = stage
        useMargins()
        let (screen, picture) = (stage.screen, stage.picture.isEmpty ? PixelRect(stage.screen) : stage.picture)
        ass_set_frame_size(renderer, Int32(screen.width), Int32(screen.height))
        ass_set_storage_size(renderer, Int32(max(1, stage.shape.width)), Int32(max(1, stage.shape.height)))
        ass_set_margins(
            renderer, Int32(picture.y), Int32(screen.height - picture.bottom), Int32(picture.x),
            Int32(screen.width - picture.right))
    }

    /// Gives the styles that libavcodec makes up the looks that people want.
    private func style(_ track: UnsafeMutablePointer<ASS_Track>, _ settings: SubtitleSettings) {
        let color = SubtitleSettings.number(ofColor: settings.color) ?? 0xFFFFFF
        for index in 0..<Int(track.pointee.n_styles) {
            let style = track.pointee.styles + index
            style.pointee.PrimaryColour = color << 8
            if let name = style.pointee.FontName, strcmp(name, "Arial") == 0 {
                free(name)
                style.pointee.FontName = strdup("Inter")
                style.pointee.Bold = 0
                style.pointee.Outline = 0.9
                style.pointee.Shadow = 0.4
                style.pointee.BackColour = 0x0000_0080
            }
            // Each line runs the way its letters do.
            style.pointee.Encoding = -1
        }
        _ = ass_track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1)
    }
}
