import Casting
import FoundationEssentials
import HTTP

extension Call {
    /// The request's body as a value.
    ///
    /// It must be JSON and say so: a web page of elsewhere can send a body, but not of that type without being allowed to.
    /// Every field must be known and of the right type, so that a typing mistake does not pass for something left out.
    /// - Throws: `unsupportedMediaType`; `invalidRequest` naming the field.
    func body<Body: Codable>(_ type: Body.Type) throws(CastError) -> Body {
        let mediaType = (request.headers["Content-Type"] ?? "").prefix { $0 != ";" }
            .filter { $0 != " " && $0 != "\t" }.lowercased()
        guard mediaType == "application/json" else {
            throw CastError(
                .unsupportedMediaType, "The body must be JSON.", hint: "Send Content-Type: application/json.")
        }
        // First, because it bounds how deep the decoder has to go.
        let given = try JSONShape(request.body)
        let body: Body
        do {
            body = try JSONDecoder().decode(type, from: request.body)
        } catch {
            throw CastError(bodyOf: error)
        }
        if let understood = (try? JSONEncoder.wire.encode(body)).flatMap({ try? JSONShape($0) }),
            let unknown = given.firstField(missingIn: understood)
        {
            throw CastError(
                .invalidRequest, "“\(unknown)” is not known.", hint: "GET /v1/openapi.json describes what is.",
                details: ["field": unknown])
        }
        return body
    }
}

extension CastError {
    /// What is wrong with a body that does not decode.
    init(bodyOf error: any Error) {
        let hint = "GET /v1/openapi.json describes it."
        func wrong(_ path: [any CodingKey], _ complaint: String) -> CastError {
            let field = JSONShape.fieldName(path.map { $0.intValue.map { .index($0) } ?? .key($0.stringValue) })
            guard !field.isEmpty else { return CastError(.invalidRequest, "The body \(complaint).", hint: hint) }
            return CastError(
                .invalidRequest, "“\(field)” \(complaint).", hint: hint, details: ["field": field])
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self = wrong(context.codingPath + [key], "is missing")
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            self = wrong(context.codingPath, "must be \(WireWords.kind(of: type))")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self = wrong(context.codingPath, "has a value that does not fit")
        default:
            self = .notJSON
        }
    }
}
