import CCurl

/// A curl multi handle: connections, and the transfers that use them. All but `wake` belong to one thread at a time.
final class CurlMulti: Sendable {
    private let address: UInt

    /// - Parameter connections: how many may be open at once; 0 for any number.
    init(connections: Int = 0) {
        _ = globalInitialization
        address = UInt(bitPattern: curl_multi_init())
        if connections > 0 {
            // The connection before is closed to make room, rather than after the new one is there.
            castway_curl_multi_set_number(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections)
            castway_curl_multi_set_number(handle, CURLMOPT_MAXCONNECTS, connections)
        }
    }

    deinit {
        curl_multi_cleanup(handle)
    }

    private var handle: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }

    /// Ends a wait, or the next one. From any thread.
    func wake() {
        curl_multi_wakeup(handle)
    }

    func add(_ easy: CurlEasy) {
        curl_multi_add_handle(handle, easy.handle)
    }

    /// Takes a transfer away; its connection is closed unless the answer was complete.
    func remove(_ easy: CurlEasy) {
        curl_multi_remove_handle(handle, easy.handle)
    }

    /// Does all that can be done without waiting.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(handle, &running)
    }

    /// The handle of the next transfer that has ended, and how.
    func nextEnded() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var code = CURLE_OK
        return castway_curl_multi_next_ended(handle, &code).map { ($0, code) }
    }

    /// Waits until something can be done, `wake` is called, or the time is over.
    func wait(_ time: Duration) {
        let milliseconds = time / .milliseconds(1)
        curl_multi_poll(handle, nil, 0, Int32(min(max(milliseconds.rounded(.up), 0), 3_600_000)), nil)
    }
}

/// A curl easy handle: one transfer at a time. Belongs to one thread at a time.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer

    /// Nil where there is no memory.
    init?() {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
    }

    deinit {
        curl_easy_cleanup(handle)
    }
}

/// Done once, at the first use, because it takes milliseconds.
private let globalInitialization: Void = {
    curl_global_init(Int(CURL_GLOBAL_ALL))
}()
