import Casting
import FoundationEssentials

@testable import Discovery
@testable import Media
@testable import ReceiverAPI

/// A playlist of HLS: cut down to one variant, and then no further.
@Sendable func readPlaylist(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = EncryptedBytes.innerAddress(of: text)
    guard let playlist = MasterPlaylist(text) else { return }
    let reduced = playlist.reduced
    precondition(reduced.utf8.count <= text.utf8.count + 1)
    precondition(MasterPlaylist(reduced)?.reduced ?? reduced == reduced, reduced)
}

/// The TXT record of a service: what is told on is fit for people, and reads the same once it is written again.
@Sendable func readRecord(_ bytes: [UInt8]) {
    let texts = StringList.texts(inRecord: bytes)
    guard let record = ServiceRecord(texts: texts, serviceName: "Box") else { return }
    precondition(record.texts.allSatisfy { $0.count <= 255 })
    precondition(!record.name.unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
    guard let again = ServiceRecord(texts: record.texts, serviceName: "Box") else {
        preconditionFailure("what was written cannot be read")
    }
    precondition(again.id == record.id && again.availability == record.availability)
}

/// Bodies of requests and answers: the first byte says which.
@Sendable func readJSON(_ bytes: [UInt8]) {
    let kinds: [@Sendable (Data) -> Void] = [
        tried(MediaItem.self), tried(SeekRequest.self), tried(RateRequest.self), tried(VolumeRequest.self),
        tried(SkipRequest.self), tried(EnqueueRequest.self), tried(SessionRequest.self), tried(PlaybackState.self),
        tried(SessionGrant.self), tried(SessionEnd.self), tried(QueueDocument.self), tried(ReceiverInfo.self),
        tried(ProblemDetails.self),
    ]
    guard let first = bytes.first else { return }
    let text = Data(bytes.dropFirst())
    let shape = try? JSONShape(text)
    if let shape { precondition(shape.firstField(missingIn: shape) == nil) }
    kinds[Int(first) % kinds.count](text)
}

private func tried<Body: Codable & Hashable>(_ type: Body.Type) -> @Sendable (Data) -> Void {
    { text in
        guard let body = try? JSONDecoder().decode(type, from: text) else { return }
        // Numbers too large for JSON are infinite, and cannot be written.
        guard let written = try? JSONEncoder.wire.encode(body) else { return }
        guard let again = try? JSONDecoder().decode(type, from: written) else {
            preconditionFailure("what was written cannot be read: \(String(decoding: written, as: UTF8.self))")
        }
        precondition(again == body, String(decoding: written, as: UTF8.self))
    }
}
