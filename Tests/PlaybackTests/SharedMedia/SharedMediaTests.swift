import Casting
import Foundation
import TestSupport
import Testing

@testable import Playback

/// Files made by others, each odd in its own way, played by the real player from beginning to end.
@Suite(.enabled(if: sharedMedia != nil, "the folder of media made by others is not here"))
struct SharedMediaTests {
    @Test("every file is here that the folder's description lists, and no other")
    func complete() throws {
        let description = try String(contentsOfFile: #require(sharedMedia) + "/../README.md", encoding: .utf8)
        let listed = description.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `") else { return nil }
            return String(line.dropFirst(3).prefix { $0 != "`" })
        }
        #expect(Set(listed) == Set(sharedFiles.map(\.path)))
    }

    @Test("a file does what its description says", arguments: sharedFiles)
    func plays(_ file: SharedFile) async throws {
        let place = await Turns.shared.take()
        defer { place.giveBack() }
        let server = try ClipServer(path: try #require(sharedMedia) + "/" + file.path)
        let play = try await PlayThrough.of(server.url)
        switch file.ending {
        case .any: return
        case .failed(let code):
            #expect(play.error?.code == code)
            return
        case .ended: #expect(play.error == nil, "\(String(describing: play.error))")
        }
        #expect(play.endings == 1)
        let item = try #require(play.item)
        if let duration = file.duration {
            #expect(abs((item.duration ?? 0) - duration) <= 0.05, "duration \(String(describing: item.duration))")
        }
        if file.tracks != "*" { #expect(item.shortTracks == file.tracks) }
        #expect(item.presentationSize == file.size)
        if let pictures = file.pictures {
            let (first, last) = (play.shown.first?.time ?? -1, play.shown.last?.time ?? -1)
            #expect(abs(first - pictures.lowerBound) < 0.12, "first picture at \(first)")
            #expect(abs(last - pictures.upperBound) < 0.35, "last picture at \(last)")
            #expect(zip(play.shown, play.shown.dropFirst()).allSatisfy { $0.time <= $1.time })
        } else {
            #expect(file.size != nil || play.shown.count <= 1)
        }
        if let sound = file.sound { #expect(abs(play.audibleSpan - sound) < 0.1, "heard for \(play.audibleSpan) s") }
        try file.more(play)
    }
}
