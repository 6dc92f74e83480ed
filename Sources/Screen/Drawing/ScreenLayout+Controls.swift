internal import Casting

/// What lies over a scene for a while.
extension ScreenLayout {
    /// The bar at the bottom: title, position, what playback does.
    func bar(_ bar: PlaybackBar) -> [Element] {
        let opacity = Double(bar.quarters) / 4
        let left = scaled(110)
        let room = size.width - 2 * left
        let height = scaled(520)
        let shade = PixelRect(x: 0, y: size.height - height, width: size.width, height: height)
        var elements: [Element] = [.shade(shade, Palette.shade.opacity(0.94 * opacity))]
        let line = size.height - scaled(158)
        if let title = bar.title {
            let run = TextRun(title, size: scaled(60), weight: .bold, maxWidth: room * 85 / 100)
            let y = line - scaled(bar.artist == nil ? 88 : 134)
            elements.append(text(run, x: left, y: y, Palette.text.opacity(opacity)).element)
        }
        if let artist = bar.artist {
            let run = TextRun(artist, size: scaled(40), maxWidth: room * 85 / 100)
            elements.append(text(run, x: left, y: line - scaled(68), Palette.secondary.opacity(opacity)).element)
        }
        return elements + progress(bar.progress, x: left, y: line, width: room, opacity: opacity)
    }

    /// The row of the screen above which a bar leaves the picture as it is.
    var barTop: Int { size.height - scaled(158 + 134 + 24) }

    /// A line that fills, and under it the times and signs.
    func progress(_ progress: Progress, x: Int, y: Int, width: Int, opacity: Double) -> [Element] {
        let thick = max(3, scaled(10))
        var elements: [Element] = []
        func line(_ thousandths: Int, _ color: Color) {
            let long = max(width * thousandths / 1000, thousandths > 0 ? thick : 0)
            elements.append(
                .box(
                    PixelRect(x: x, y: y, width: long, height: thick), radius: thick / 2, color.opacity(opacity)))
        }
        line(1000, Palette.track)
        if progress.loaded > progress.played { line(progress.loaded, Palette.loaded) }
        if progress.duration != nil {
            line(progress.played, Palette.accent)
            let knob = thick * 2 + thick / 2
            let middle = x + max(width * progress.played / 1000, thick / 2)
            elements.append(
                .box(
                    PixelRect(x: middle - knob / 2, y: y + thick / 2 - knob / 2, width: knob, height: knob),
                    radius: knob / 2, Palette.text.opacity(opacity)))
        }
        return elements + times(progress, x: x, y: y + thick + scaled(24), width: width, opacity: opacity)
    }

    private func times(_ progress: Progress, x: Int, y: Int, width: Int, opacity: Double) -> [Element] {
        let size = scaled(40)
        let icon = scaled(32)
        var elements: [Element] = []
        let sign: Icon = progress.mode == .paused ? .pause : .play
        let signColor = progress.mode == .waiting ? Palette.faint : Palette.text
        elements.append(
            .icon(
                sign, PixelRect(x: x, y: y + scaled(4), width: icon, height: icon), signColor.opacity(opacity)))
        let position = TextRun(TimeText.position(progress.position), size: size, weight: .medium, maxWidth: width)
        elements.append(text(position, x: x + icon + scaled(18), y: y, Palette.text.opacity(opacity)).element)
        var right = x + width
        func put(_ string: String, _ color: Color) {
            let run = TextRun(string, size: size, weight: .medium, maxWidth: width)
            elements.append(text(run, x: right, y: y, color.opacity(opacity), anchor: .right).element)
            right -= self.width(of: run) + scaled(32)
        }
        if let duration = progress.duration { put(TimeText.position(duration), Palette.secondary) }
        if progress.isLive { put("LIVE", Palette.live) }
        if let rate = progress.rate { put(rate, Palette.accent) }
        if progress.muted {
            let side = scaled(44)
            let rect = PixelRect(x: right - side, y: y - scaled(2), width: side, height: side)
            elements.append(.icon(.speakerOff, rect, Palette.secondary.opacity(opacity)))
        }
        return elements
    }

    /// How loud it is, at the top right.
    func volume(_ volume: VolumeSign) -> [Element] {
        let opacity = Double(volume.quarters) / 4
        let panel = PixelRect(
            x: size.width - scaled(90 + 520), y: scaled(80), width: scaled(520), height: scaled(100))
        let icon = scaled(48)
        let thick = max(3, scaled(10))
        let middle = panel.y + panel.height / 2
        let sign: Icon =
            volume.muted || volume.percent == 0 ? .speakerOff : volume.percent < 50 ? .speakerQuiet : .speaker
        let line = PixelRect(
            x: panel.x + scaled(112), y: middle - thick / 2, width: scaled(264), height: thick)
        var filled = line
        filled.width = max(line.width * volume.percent / 100, volume.percent > 0 ? thick : 0)
        let color = volume.muted ? Palette.faint : Palette.accent
        let number = TextRun("\(volume.percent)", size: scaled(40), weight: .medium, maxWidth: panel.width)
        return [
            .box(panel, radius: panel.height / 2, Palette.panel.opacity(opacity)),
            .icon(
                sign, PixelRect(x: panel.x + scaled(40), y: middle - icon / 2, width: icon, height: icon),
                Palette.text.opacity(opacity)),
            .box(line, radius: thick / 2, Palette.track.opacity(opacity)),
            .box(filled, radius: thick / 2, color.opacity(opacity)),
            text(
                number, x: panel.right - scaled(44), y: middle - scaled(20), Palette.text.opacity(opacity),
                anchor: .right
            ).element,
        ]
    }

    /// A word in a panel over the scene.
    func caption(_ caption: Caption, hasBar: Bool) -> [Element] {
        let room = size.width * 62 / 100
        let sentence = TextRun(
            caption.sentence, size: scaled(44), weight: .bold, maxWidth: room, maxLines: 2, isCentred: true)
        let hint = caption.hint.map { TextRun($0, size: scaled(36), maxWidth: room, maxLines: 2, isCentred: true) }
        let pad = scaled(44)
        let gap = scaled(12)
        let inner = max(width(of: sentence), hint.map(width(of:)) ?? 0)
        let height = height(of: sentence) + (hint.map { gap + self.height(of: $0) } ?? 0)
        let panel = PixelRect(
            x: (size.width - inner) / 2 - pad, y: scaled(80), width: inner + 2 * pad,
            height: height + 2 * (pad - scaled(8)))
        var y = panel.y + pad - scaled(8)
        var elements: [Element] = [.box(panel, radius: scaled(28), Palette.panel)]
        let color = caption.isFailure ? Palette.warning : Palette.text
        elements.append(text(sentence, x: size.width / 2, y: y, color, anchor: .centre).element)
        y += self.height(of: sentence) + gap
        if let hint {
            elements.append(text(hint, x: size.width / 2, y: y, Palette.secondary, anchor: .centre).element)
        }
        return elements
    }

    /// Twelve dots in a ring, the brightest one going round.
    func spinner(_ phase: Int, y: Int, _ overPicture: Bool) -> [Element] {
        let centre = size.width / 2
        let reach = Double(scaled(46))
        let dot = max(3, scaled(14))
        var elements: [Element] = []
        if overPicture {
            let radius = scaled(92)
            elements.append(
                .box(
                    PixelRect(x: centre - radius, y: y - radius, width: 2 * radius, height: 2 * radius),
                    radius: radius, Palette.panel.opacity(0.8)))
        }
        for (index, (x, dy)) in Self.ring.enumerated() {
            let age = (phase - index + 12) % 12
            let rect = PixelRect(
                x: centre + Int((x * reach).rounded()) - dot / 2, y: y + Int((dy * reach).rounded()) - dot / 2,
                width: dot, height: dot)
            elements.append(.box(rect, radius: dot / 2, Palette.text.opacity(1 - Double(age) * 0.075)))
        }
        return elements
    }

    /// The directions of a clock's hours, from noon.
    private static let ring: [(Double, Double)] = {
        let half = 0.5
        let most = 0.75.squareRoot()
        return [
            (0, -1), (half, -most), (most, -half), (1, 0), (most, half), (half, most),
            (0, 1), (-half, most), (-most, half), (-1, 0), (-most, -half), (-half, -most),
        ]
    }()
}
