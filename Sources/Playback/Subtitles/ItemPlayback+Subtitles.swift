internal import Casting
internal import Media

extension ItemPlayback {
    /// Takes in what text the media has, and the files that were handed in with it.
    ///
    /// - Parameter selector: gets an option for each of those files.
    /// - Returns: the streams of text to be read. Where all lie in one file that is all of them: they are small, and so can
    ///   be changed to at once. Else it is the chosen one.
    func openSubtitles(_ demuxer: Demuxer, _ selector: inout TrackSelector) -> Set<Int> {
        let streams = demuxer.streams.filter { $0.kind == .legible && $0.isDecodable }
        let needsFonts = streams.contains { ["ass", "ssa"].contains($0.codec) }
        subtitles.open(streams, fonts: needsFonts ? demuxer.attachedFonts : [])
        let count = selector.options(of: .legible).count
        selector.add(
            (item.subtitles ?? []).enumerated().map { index, file in
                TrackOption(
                    id: Self.id(ofFile: index), source: .external(index), number: count + index + 1,
                    TrackOption.Description(kind: .legible, language: file.language, title: file.name))
            })
        let chosen = selector.selected(.legible)
        showText(of: chosen?.source)
        guard demuxer.loadsStreamsSeparately else { return Set(streams.map(\.index)) }
        return Set([chosen?.stream].compactMap(\.self))
    }

    /// Shows the text that is chosen, or none.
    func showChosenText() {
        let source = pipeline.withLock { state in
            let chosen = state.source.media?.selector.selected(.legible)
            if !state.source.readsAllTexts { state.source.texts = Set([chosen?.stream].compactMap(\.self)) }
            return chosen?.source
        }
        showText(of: source)
        wake(.source)
    }

    /// Notes that there are captions in the pictures of a stream: from now on they can be chosen.
    func foundCaptions(in stream: Int) {
        pipeline.withLock { state in
            let number = (state.source.media?.selector.options(of: .legible).count ?? 0) + 1
            let description = TrackOption.Description(kind: .legible, title: "Closed captions", roles: [.captions])
            state.source.media?.selector.add([
                TrackOption(
                    id: "captions", source: .captions(stream: stream, channel: 1), number: number, description)
            ])
        }
        showChosenText()
        tell(.changed)
    }

    /// Gets the text ready for packets from another place.
    /// - Returns: the streams of which the cue that is under way there has to be read.
    func restartSubtitles(at target: Double) -> Set<Int> {
        let readUpTo = pipeline.withLock { $0.source.packets.readUpTo }
        return subtitles.restart(at: target, readUpTo: readUpTo)
    }

    private static func id(ofFile index: Int) -> String { "external-\(index + 1)" }

    /// Shows text of one source; none where nil. A file is loaded first, meanwhile nothing shows.
    private func showText(of source: TrackOption.Source?) {
        subtitles.select(source)
        guard case .external(let index) = source, !subtitles.has(.external(index)) else { return }
        subtitleFiles.load(index) { body in
            _ = self.thread("subtitles") { _ in body() }
        } done: { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let file): subtitles.open(file: index, file)
            case .failure(let error):
                pipeline.withLock { $0.source.media?.selector.exclude(Self.id(ofFile: index)) }
                showChosenText()
                tell(.subtitlesFailed(error))
            }
            tell(.changed)
        }
    }
}
