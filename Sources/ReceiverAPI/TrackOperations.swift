import Casting
import FoundationEssentials
import HTTP
import Receiver

extension APIOperation {
    /// Choosing what is heard and read.
    static let trackOperations: [APIOperation] = [
        APIOperation("GET", "/v1/sessions/{session}/tracks") { call throws(CastError) in
            let item = call.api.receiver.state.item
            return .json(TracksDocument(itemID: item?.id, groups: item?.mediaSelectionGroups ?? []))
        },
        APIOperation("PUT", "/v1/sessions/{session}/tracks/{characteristic}") { call throws(CastError) in
            guard let kind = MediaTrack.Kind(rawValue: call.parameters["characteristic"] ?? ""), kind != .visual else {
                throw CastError(
                    .notFound, "There is no such group to choose from.", hint: "There are audible and legible.")
            }
            return try await call.perform(.selectTrack(call.body(TrackSelectionRequest.self).selection, of: kind))
        },
        APIOperation("POST", "/v1/sessions/{session}/chapters/next") { call throws(CastError) in
            try await call.seek(.nextChapter)
        },
        APIOperation("POST", "/v1/sessions/{session}/chapters/previous") { call throws(CastError) in
            try await call.seek(.previousChapter)
        },
        APIOperation("GET", "/v1/sessions/{session}/artwork") { call throws(CastError) in
            guard let artwork = call.api.receiver.artwork else {
                throw CastError(.notFound, "No picture goes with what is playing.")
            }
            return HTTPResponse(
                status: 200,
                headers: [
                    "Content-Type": artwork.mediaType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                ], body: .data(Data(artwork.bytes)))
        },
    ]
}
