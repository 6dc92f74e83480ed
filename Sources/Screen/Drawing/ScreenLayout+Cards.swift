internal import Casting

/// What fills the screen.
extension ScreenLayout {
    func idle(_ card: IdleCard) -> [Element] {
        let dx = card.shift.x * size.height / 100
        let dy = card.shift.y * size.height / 100
        let left = scaled(130) + dx
        let right = size.width - scaled(130) + dx
        let room = right - left
        var elements: [Element] = []

        let clock = TextRun(card.clock, size: scaled(76), maxWidth: room)
        elements.append(text(clock, x: right, y: scaled(84) + dy, Palette.text.opacity(0.82), anchor: .right).element)

        let name = TextRun(card.name, size: scaled(150), weight: .bold, maxWidth: room, maxLines: 2)
        // A second line of the name pushes up as well as down.
        var y = size.height * 32 / 100 + dy - (height(of: name) - name.size) * 3 / 4
        let dot = scaled(18)
        elements.append(
            .box(
                PixelRect(x: left, y: y + scaled(17), width: dot, height: dot), radius: dot / 2,
                Palette.accent))
        let state = card.senderName.map { "Connected to \($0)" } ?? "Ready to cast"
        let ready = TextRun(state, size: scaled(46), weight: .medium, maxWidth: room - 2 * dot)
        elements.append(text(ready, x: left + 2 * dot, y: y, Palette.accent).element)
        y += scaled(66)

        let nameText = text(name, x: left, y: y, Palette.text)
        elements.append(nameText.element)
        y += nameText.height + scaled(56)

        let how = TextRun("From a computer on this network", size: scaled(40), maxWidth: room)
        elements.append(text(how, x: left, y: y, Palette.secondary).element)
        y += scaled(68)

        let command = TextRun(
            card.howToCast, size: scaled(42), maxWidth: room - scaled(72), isMonospaced: true)
        let chip = PixelRect(
            x: left, y: y, width: width(of: command) + scaled(72), height: scaled(90))
        elements.append(.box(chip, radius: scaled(20), Palette.chip))
        elements.append(text(command, x: left + scaled(36), y: y + scaled(23), Palette.text).element)

        let foot = size.height - scaled(132) + dy
        if !card.addresses.isEmpty {
            let addresses = TextRun(card.addresses.joined(separator: "   ·   "), size: scaled(34), maxWidth: room)
            elements.append(text(addresses, x: left, y: foot, Palette.faint).element)
        }
        if let advice = card.advice {
            let icon = scaled(36)
            let run = TextRun(advice, size: scaled(34), maxWidth: room - 2 * icon)
            let line = foot - scaled(60)
            elements.append(.icon(.warning, PixelRect(x: left, y: line, width: icon, height: icon), Palette.warning))
            elements.append(text(run, x: left + icon + scaled(18), y: line, Palette.warning).element)
        }
        return elements
    }

    func loading(_ card: LoadingCard, spins: Bool) -> [Element] {
        let centre = size.width / 2
        let room = size.width - scaled(400)
        var elements: [Element] = []
        var y = size.height * 42 / 100
        if let title = card.title {
            let run = TextRun(title, size: scaled(72), weight: .bold, maxWidth: room, maxLines: 2, isCentred: true)
            let title = text(run, x: centre, y: y, Palette.text, anchor: .centre)
            y -= title.height / 2
            elements.append(text(run, x: centre, y: y, Palette.text, anchor: .centre).element)
            y += title.height + scaled(20)
        }
        let word = TextRun("Loading…", size: scaled(42), maxWidth: room)
        elements.append(text(word, x: centre, y: y, Palette.secondary, anchor: .centre).element)
        if let sender = card.senderName {
            let run = TextRun("From \(sender)", size: scaled(34), maxWidth: room)
            let foot = size.height - scaled(132)
            elements.append(text(run, x: centre, y: foot, Palette.faint, anchor: .centre).element)
        }
        return elements
    }

    func failure(_ caption: Caption) -> [Element] {
        let centre = size.width / 2
        let room = size.width - scaled(480)
        let sentence = TextRun(
            caption.sentence, size: scaled(60), weight: .bold, maxWidth: room, maxLines: 3, isCentred: true)
        let hint = caption.hint.map {
            TextRun($0, size: scaled(42), maxWidth: room, maxLines: 3, isCentred: true)
        }
        let icon = scaled(120)
        let total = icon + scaled(44) + height(of: sentence) + (hint.map { scaled(28) + height(of: $0) } ?? 0)
        var y = (size.height - total) / 2
        var elements: [Element] = [
            .icon(.warning, PixelRect(x: centre - icon / 2, y: y, width: icon, height: icon), Palette.warning)
        ]
        y += icon + scaled(44)
        let words = text(sentence, x: centre, y: y, Palette.text, anchor: .centre)
        elements.append(words.element)
        y += words.height + scaled(28)
        if let hint { elements.append(text(hint, x: centre, y: y, Palette.secondary, anchor: .centre).element) }
        return elements
    }

    func audio(_ card: AudioCard) -> [Element] {
        let dx = card.shift.x * size.height / 100
        let dy = card.shift.y * size.height / 100
        let side = scaled(440)
        let gap = scaled(90)
        let left = scaled(200) + dx
        let top = (size.height - side) / 2 + dy
        let tile = PixelRect(x: left, y: top, width: side, height: side)
        var elements = picture(card.artwork, in: tile)
        let x = tile.right + gap
        let room = size.width - x - scaled(200) + dx
        let title = TextRun(card.title, size: scaled(80), weight: .bold, maxWidth: room, maxLines: 2)
        let artist = card.artist.map { TextRun($0, size: scaled(48), maxWidth: room) }
        var y = tile.y + scaled(16)
        let titleText = text(title, x: x, y: y, Palette.text)
        elements.append(titleText.element)
        y += titleText.height + scaled(14)
        if let artist {
            let words = text(artist, x: x, y: y, Palette.secondary)
            elements.append(words.element)
            y += words.height + scaled(10)
        }
        if let album = card.album {
            elements.append(text(TextRun(album, size: scaled(38), maxWidth: room), x: x, y: y, Palette.faint).element)
        }
        elements += progress(
            card.progress, x: x, y: tile.bottom - scaled(88), width: room, opacity: 1)
        return elements
    }

    /// The picture that goes with what sounds, or a sign in its place.
    private func picture(_ artwork: ArtworkImage?, in tile: PixelRect) -> [Element] {
        if let artwork { return [.image(artwork, artwork.rect(within: tile))] }
        let side = tile.width
        return [
            .box(tile, radius: scaled(36), Color(0x1E3B44)),
            .icon(
                .note,
                PixelRect(
                    x: tile.x + side * 30 / 100, y: tile.y + side * 29 / 100, width: side * 40 / 100,
                    height: side * 40 / 100),
                Palette.accent),
        ]
    }
}
