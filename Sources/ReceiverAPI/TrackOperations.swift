import Casting
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
    ]
}
