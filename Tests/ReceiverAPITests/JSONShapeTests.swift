import Casting
import Foundation
import Testing

@testable import ReceiverAPI

@Suite struct JSONShapeTests {
    private func shape(_ text: String) throws(CastError) -> JSONShape { try JSONShape(Data(text.utf8)) }

    @Test func `fields are found wherever they stand`() throws {
        let shape = try shape("\u{FEFF} {\"a\" : [1, {\"b\\u0063\": \"}\\\"\"}, [], null], \"d\":{} }\n")
        #expect(
            shape == .object(["a": .array([.scalar, .object(["bc": .scalar]), .array([]), .null]), "d": .object([:])]))
    }

    @Test func `the first field that is too much is named, one without a value is not`() throws {
        let known = try shape("{\"items\":[{\"url\":\"x\"},{\"url\":\"y\"}]}")
        #expect(
            try shape("{\"items\":[{\"url\":1,\"x\":null},{\"url\":2,\"y\":3}]}").firstField(missingIn: known)
                == "items[1].y")
        #expect(try shape("{\"items\":[{}],\"z\":null}").firstField(missingIn: known) == nil)
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[,]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "\"", "\"\\", "\"\\\"",
        "1 2",
        "]", "{}}", "{\"a\":1,\"\\u0061\":2}", "{\"\\ud800\":1}", "{\u{0}\"\u{0}a\u{0}",
    ])
    func `what is broken is refused`(text: String) {
        #expect(throws: CastError.self) { try shape(text) }
    }

    @Test func `depth is bounded, and what is large is read in no time`() throws {
        #expect(throws: CastError.self) { try shape(String(repeating: "[", count: 100_000)) }
        let deep = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(try shape(deep) != .null)
        #expect(throws: CastError.self) { try shape("[\(deep)]") }
        let began = ContinuousClock.now
        _ = try shape("[" + String(repeating: "{\"a\":[]},", count: 100_000) + "1]")
        #expect(ContinuousClock.now - began < .seconds(10))
    }
}
