import Casting
import HTTP
import Receiver

extension APIOperation {
    /// Steering what plays.
    static let playbackOperations: [APIOperation] = [
        APIOperation("PUT", "/v1/sessions/{session}/item") { call throws(CastError) in
            try await call.perform(.load(call.item(call.body(MediaItem.self))))
        },
        APIOperation("PUT", "/v1/sessions/{session}/item/source") { call throws(CastError) in
            try await call.perform(.renewSource(call.renewal(call.body(SourceRenewal.self))))
        },
        APIOperation("GET", "/v1/sessions/{session}/playback") { call throws(CastError) in
            .json(call.api.receiver.state.sent(at: .now))
        },
        APIOperation("POST", "/v1/sessions/{session}/play") { call throws(CastError) in try await call.play() },
        APIOperation("POST", "/v1/sessions/{session}/pause") { call throws(CastError) in try await call.perform(.pause)
        },
        APIOperation("POST", "/v1/sessions/{session}/stop") { call throws(CastError) in try await call.perform(.stop) },
        APIOperation("POST", "/v1/sessions/{session}/seek") { call throws(CastError) in
            try await call.seek(.seek(call.body(SeekRequest.self)))
        },
        APIOperation("POST", "/v1/sessions/{session}/skip") { call throws(CastError) in
            try await call.seek(.skip(by: call.body(SkipRequest.self).seconds))
        },
        APIOperation("POST", "/v1/sessions/{session}/step") { call throws(CastError) in
            try await call.seek(.step(by: call.body(StepRequest.self).pictures))
        },
        APIOperation("POST", "/v1/sessions/{session}/rate") { call throws(CastError) in try await call.changeRate() },
        APIOperation("POST", "/v1/sessions/{session}/options") { call throws(CastError) in
            try await call.perform(.setOptions(call.body(PlaybackOptions.self)))
        },
        APIOperation("POST", "/v1/sessions/{session}/subtitles") { call throws(CastError) in
            try await call.perform(.setSubtitles(call.body(SubtitleChange.self)))
        },
        APIOperation("POST", "/v1/sessions/{session}/volume") { call throws(CastError) in try await call.changeVolume()
        },
    ]

    /// The queue.
    static let queueOperations: [APIOperation] = [
        APIOperation("GET", "/v1/sessions/{session}/queue") { call throws(CastError) in .json(call.api.receiver.queue)
        },
        APIOperation("POST", "/v1/sessions/{session}/queue") { call throws(CastError) in
            let request = try call.body(EnqueueRequest.self)
            return try await call.perform(.enqueue(request.items.map(call.item), before: request.before))
        },
        APIOperation("DELETE", "/v1/sessions/{session}/queue") { call throws(CastError) in
            try await call.perform(.clearQueue)
        },
        APIOperation("DELETE", "/v1/sessions/{session}/queue/{item}") { call throws(CastError) in
            try await call.perform(.dequeue(call.parameters["item"] ?? ""))
        },
        APIOperation("POST", "/v1/sessions/{session}/next") { call throws(CastError) in try await call.perform(.next) },
        APIOperation("POST", "/v1/sessions/{session}/previous") { call throws(CastError) in
            try await call.perform(.previous)
        },
    ]
}

extension Call {
    /// An item as its sender means it.
    fileprivate func item(_ item: MediaItem) -> MediaItem { item.reached(by: LinkScope(peer: request.peer)) }

    /// Plays; the body may be left out.
    fileprivate func play() async throws(CastError) -> HTTPResponse {
        guard !request.body.isEmpty || request.headers["Content-Type"] != nil else { return try await perform(.play) }
        let wish = try body(PlayRequest.self)
        if wish.immediately == true { return try await perform(.playImmediately(rate: wish.rate)) }
        return try await perform(wish.rate.map { .setRate($0) } ?? .play)
    }

    fileprivate func renewal(_ renewal: SourceRenewal) -> SourceRenewal {
        guard let link = LinkScope(peer: request.peer) else { return renewal }
        var renewal = renewal
        renewal.url = link.url(renewal.url)
        return renewal
    }

    fileprivate func changeRate() async throws(CastError) -> HTTPResponse {
        let request = try body(RateRequest.self)
        switch (request.defaultRate, request.rate) {
        case (nil, nil):
            throw CastError(
                .invalidRequest, "“rate” or “defaultRate” is missing.", details: ["field": "rate"])
        case (let standard?, nil): return try await perform(.setDefaultRate(standard))
        case (nil, let rate?): return try await perform(.setRate(rate))
        case (let standard?, let rate?): return try await perform(.setDefaultRate(standard), .setRate(rate))
        }
    }

    fileprivate func changeVolume() async throws(CastError) -> HTTPResponse {
        let request = try body(VolumeRequest.self)
        var change: VolumeChange?
        switch (request.volume, request.adjustment) {
        case (_?, _?):
            throw CastError(
                .invalidRequest, "“volume” and “adjustment” exclude each other.", details: ["field": "adjustment"])
        case (let volume?, nil): change = .set(volume)
        case (nil, let adjustment?): change = .adjust(adjustment)
        case (nil, nil): change = nil
        }
        switch (change, request.muted) {
        case (nil, nil):
            throw CastError(
                .invalidRequest, "“volume”, “adjustment” or “muted” is missing.", details: ["field": "volume"])
        case (let change?, nil): return try await perform(.setVolume(change))
        case (nil, let muted?): return try await perform(.setVolume(.mute(muted)))
        case (let change?, let muted?): return try await perform(.setVolume(change), .setVolume(.mute(muted)))
        }
    }
}
