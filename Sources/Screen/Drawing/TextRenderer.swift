internal import CASS
internal import Casting

#if canImport(Glibc)
    import Glibc
#endif

/// Words and signs by libass, which shapes every script and finds fonts that have the letters.
///
/// Finding fonts may take seconds on a new machine: make it on a thread of its own, then hand it to the one that draws.
/// Belongs to one thread at a time.
final class TextRenderer: TextRasterizer {
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private let track: UnsafeMutablePointer<ASS_Track>
    private var frame: Size
    private var runs: [TextRun: TextBitmap] = [:]
    private var icons: [IconKey: TextBitmap] = [:]

    /// Room around the words for what reaches out of their box.
    private static let margin = 16
    /// What a title may have at most; the rest would not fit on any screen.
    fileprivate static let longest = 400
    private static let cacheLimit = 160

    private struct IconKey: Hashable {
        var icon: Icon
        var side: Int
    }

    /// The place among the track's styles; libass puts a default of its own first.
    private enum Style: Int32 {
        case text = 1
        case code
    }

    /// A renderer for a screen of that size; nil where libass does not start.
    init?(screen: Size) {
        guard let library = ass_library_init() else { return nil }
        castway_ass_be_quiet(library)
        guard let renderer = ass_renderer_init(library) else {
            ass_library_done(library)
            return nil
        }
        ass_set_fonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
        guard let track = ass_new_track(library) else {
            ass_renderer_done(renderer)
            ass_library_done(library)
            return nil
        }
        self.library = library
        self.renderer = renderer
        self.track = track
        frame = screen
        track.pointee.WrapStyle = 0
        track.pointee.ScaledBorderAndShadow = 1
        _ = ass_track_set_feature(track, ASS_FEATURE_WRAP_UNICODE, 1)
        Self.addStyle("text", font: "Inter", to: track)
        Self.addStyle("code", font: "monospace", to: track)
        resize(to: screen)
    }

    deinit {
        ass_free_track(track)
        ass_renderer_done(renderer)
        ass_library_done(library)
    }

    /// Makes ready for a screen of another size.
    func resize(to screen: Size) {
        frame = Size(width: max(screen.width, 16), height: max(screen.height, 16))
        let width = Int32(frame.width + 2 * Self.margin)
        let height = Int32(frame.height + 2 * Self.margin)
        track.pointee.PlayResX = width
        track.pointee.PlayResY = height
        ass_set_storage_size(renderer, width, height)
        ass_set_frame_size(renderer, width, height)
        runs.removeAll()
        icons.removeAll()
    }

    func bitmap(for run: TextRun) -> TextBitmap {
        if let known = runs[run] { return known }
        let bitmap = fitted(run)
        if runs.count >= Self.cacheLimit { runs.removeAll() }
        runs[run] = bitmap
        return bitmap
    }

    func bitmap(for icon: Icon, side: Int) -> TextBitmap {
        let key = IconKey(icon: icon, side: side)
        if let known = icons[key] { return known }
        // Scaled so that 100 units make `side` pixels; \p4 counts eighths of a pixel.
        let percent = side * 8
        let script =
            #"{\an7\pos(\#(Self.margin),\#(Self.margin))\fscx\#(percent)\fscy\#(percent)\p4}"# + icon.drawing
        let images = render(script, style: .text, wrapWidth: nil)
        let ink = Self.bounds(of: images)
        // In the middle of its square, whatever libass takes for the shape's origin.
        let square = PixelRect(
            x: ink.x - (side - ink.width) / 2, y: ink.y - (side - ink.height) / 2, width: side, height: side)
        let bitmap = Self.copy(images, within: square, top: 0)
        if icons.count >= Self.cacheLimit { icons.removeAll() }
        icons[key] = bitmap
        return bitmap
    }

    /// The words, with as many of them as fit.
    private func fitted(_ run: TextRun) -> TextBitmap {
        let characters = Array(Self.oneLine(run.string).prefix(Self.longest))
        guard !characters.isEmpty else { return .empty }
        if fits(String(characters), run) { return bitmap(String(characters), run) }
        // The longest beginning that fits with an ellipsis after it.
        var fitting = 0
        var failing = characters.count
        while failing - fitting > 1 {
            let middle = (fitting + failing) / 2
            if fits(Self.beginning(middle, of: characters), run) { fitting = middle } else { failing = middle }
        }
        return bitmap(Self.beginning(fitting, of: characters), run)
    }

    private static func beginning(_ count: Int, of characters: [Character]) -> String {
        var beginning = characters.prefix(count)
        while beginning.last?.isWhitespace == true { beginning.removeLast() }
        return String(beginning) + "…"
    }

    private func fits(_ string: String, _ run: TextRun) -> Bool {
        let ink = Self.bounds(of: images(of: string, run))
        // A line is as high as its size; letters of other fonts may stand out a little, a further line more.
        let limit = Double(run.maxLines * run.size) * (run.maxLines > 1 ? 1.25 : 1.6)
        return ink.width <= run.maxWidth && Double(ink.bottom - Self.margin) <= limit
    }

    private func bitmap(_ string: String, _ run: TextRun) -> TextBitmap {
        let images = images(of: string, run)
        let ink = Self.bounds(of: images)
        return Self.copy(images, within: ink, top: ink.y - Self.margin)
    }

    private func images(of string: String, _ run: TextRun) -> UnsafeMutablePointer<ASS_Image>? {
        let wraps = run.maxLines > 1
        let centred = run.isCentred && wraps
        let x = Self.margin + (centred ? min(run.maxWidth, frame.width) / 2 : 0)
        let script =
            #"{\an\#(centred ? 8 : 7)\pos(\#(x),\#(Self.margin))\q\#(wraps ? 0 : 2)"#
            + #"\fs\#(run.size)\b\#(run.weight.rawValue)}"# + Self.escaped(string)
        return render(script, style: run.isMonospaced ? .code : .text, wrapWidth: wraps ? run.maxWidth : nil)
    }

    /// What libass draws for a line of its own script. Valid until the next call.
    private func render(_ script: String, style: Style, wrapWidth: Int?) -> UnsafeMutablePointer<ASS_Image>? {
        ass_flush_events(track)
        let index = Int(ass_alloc_event(track))
        let event = track.pointee.events + index
        event.pointee.Start = 0
        event.pointee.Duration = 1000
        event.pointee.Style = style.rawValue
        event.pointee.Text = strdup(script)
        if let wrapWidth {
            event.pointee.MarginL = 1
            event.pointee.MarginR = max(1, track.pointee.PlayResX - Int32(min(wrapWidth, frame.width)) - 1)
        }
        return ass_render_frame(renderer, track, 0, nil)
    }

    private static func addStyle(_ name: String, font: String, to track: UnsafeMutablePointer<ASS_Track>) {
        let index = Int(ass_alloc_style(track))
        let style = track.pointee.styles + index
        style.pointee.Name = strdup(name)
        style.pointee.FontName = strdup(font)
        style.pointee.FontSize = 40
        style.pointee.PrimaryColour = 0xFFFF_FF00
        style.pointee.ScaleX = 1
        style.pointee.ScaleY = 1
        style.pointee.BorderStyle = 1
        style.pointee.Alignment = VALIGN_TOP | HALIGN_LEFT
        // Each line runs the way its letters do.
        style.pointee.Encoding = -1
    }
}

/// What libass hands out, and what it is handed.
extension TextRenderer {
    /// Words as they are, not as libass's commands.
    static func escaped(_ string: String) -> String {
        var text = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            // A word joiner keeps what follows from becoming a command.
            case "\\": text += "\\\u{2060}"
            case "{": text += "\\{"
            case "}": text += "\\}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Words without line ends and other controls, and without blanks at either end.
    static func oneLine(_ string: String) -> String {
        var text = ""
        for scalar in string.unicodeScalars.prefix(4 * longest) {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                if !text.isEmpty && text.unicodeScalars.last != " " { text.append(" ") }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        if text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
        return text
    }

    /// The smallest rectangle around all that is to be seen.
    private static func bounds(of images: UnsafeMutablePointer<ASS_Image>?) -> PixelRect {
        var bounds = PixelRect.empty
        var next = images
        while let image = next?.pointee {
            bounds = bounds.union(image.ink)
            next = image.next
        }
        return bounds
    }

    private static func copy(
        _ images: UnsafeMutablePointer<ASS_Image>?, within rect: PixelRect, top: Int
    ) -> TextBitmap {
        guard !rect.isEmpty else { return .empty }
        var coverage = [UInt8](repeating: 0, count: rect.width * rect.height)
        coverage.withUnsafeMutableBufferPointer { target in
            var next = images
            while let image = next?.pointee {
                next = image.next
                let place = image.place
                let visible = place.intersection(rect)
                guard let bitmap = image.bitmap, !visible.isEmpty else { continue }
                for y in visible.y..<visible.bottom {
                    let source = bitmap + ((y - place.y) * Int(image.stride) - place.x)
                    let row = (y - rect.y) * rect.width - rect.x
                    for x in visible.x..<visible.right { target[row + x] = max(target[row + x], source[x]) }
                }
            }
        }
        return TextBitmap(width: rect.width, height: rect.height, top: top, coverage: coverage)
    }
}

extension ASS_Image {
    fileprivate var place: PixelRect { PixelRect(x: Int(dst_x), y: Int(dst_y), width: Int(w), height: Int(h)) }

    /// Its place without the empty pixels that libass leaves around, up to a power of two.
    fileprivate var ink: PixelRect {
        guard let bitmap else { return .empty }
        var (left, right, top, bottom) = (Int(w), 0, Int(h), 0)
        for y in 0..<Int(h) {
            let row = bitmap + y * Int(stride)
            guard let first = (0..<Int(w)).first(where: { row[$0] != 0 }) else { continue }
            let last = (0..<Int(w)).last { row[$0] != 0 } ?? first
            left = min(left, first)
            right = max(right, last + 1)
            top = min(top, y)
            bottom = y + 1
        }
        let rect = PixelRect(x: Int(dst_x) + left, y: Int(dst_y) + top, width: right - left, height: bottom - top)
        return rect.isEmpty ? .empty : rect
    }
}
