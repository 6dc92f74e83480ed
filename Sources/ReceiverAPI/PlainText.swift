import FoundationEssentials
import HTTP

extension Call {
    /// Whether the answer is to be text for people and tools rather than JSON.
    var wantsPlainText: Bool {
        let types = (request.headers["Accept"] ?? "").split(separator: ",")
        return types.contains { type in
            type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased() == "text/plain"
        }
    }
}

extension HTTPResponse {
    /// An answer of plain text.
    static func plainText(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept"],
            body: .data(Data(text.utf8)))
    }
}
