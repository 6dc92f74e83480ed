import Foundation
import HTTP
import Testing

@testable import ReceiverAPI

/// The served OpenAPI document, and what can be held against it.
struct APIDescription: Sendable {
    static let shared = APIDescription()
    let document: JSONValue

    init() {
        document = (try? JSONDecoder().decode(JSONValue.self, from: ReceiverAPI.openAPIDocument)) ?? .null
    }

    /// The operations by `GET /path`, with what is said of the whole path taken in.
    var operations: [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        for (path, item) in document["paths"].fields {
            for (method, operation) in item.fields where method != "parameters" {
                var operation = operation.fields
                operation["parameters"] = .array(
                    item["parameters"].elements + (operation["parameters"] ?? .null).elements)
                found["\(method.uppercased()) \(path)"] = .object(operation)
            }
        }
        return found
    }

    func operation(_ method: String, _ path: String) -> JSONValue? {
        let components = path.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        guard let known = APIOperation.all.first(where: { $0.method == method && $0.match(components) != nil }) else {
            return nil
        }
        return operations["\(method) \(known.path)"]
    }

    /// Records an issue where an answer is not as the document says.
    func hold(
        _ answer: APIStage.Answer, of method: String, _ path: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        let what = "\(method) \(path) → \(answer.status)"
        guard let operation = operation(method, path) else {
            if ![404, 405, 413, 421, 431].contains(answer.status) { Issue.record("\(what): no such operation") }
            return
        }
        let responses = operation["responses"]
        var response = responses["\(answer.status)"]
        if response == .null {
            if ![405, 408, 413, 421, 429, 431, 500, 503].contains(answer.status) {
                Issue.record("\(what): not described")
            }
            response = responses["default"]
        }
        response = resolve(response)
        let type = String((answer.headers["Content-Type"] ?? "").prefix { $0 != ";" })
        guard case .object(let content) = response["content"][type] else {
            Issue.record("\(what): type \(type) is not described")
            return
        }
        for header in response["headers"].fields.keys where answer.headers[header] == nil {
            Issue.record("\(what): header \(header) is missing")
        }
        guard type.hasSuffix("json"), let schema = content["schema"] else { return }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: answer.body) else {
            Issue.record("\(what): no JSON")
            return
        }
        if operation["operationId"] == .string("getDescription") { return }
        for complaint in complaints(value, schema) { Issue.record("\(what): \(complaint)") }
    }

    /// Records an issue where an event is not as the document says.
    func hold(event: String, _ data: Data, of path: String) {
        let events = operations["GET \(path)"]?["responses"]["200"]["content"]["text/event-stream"]["x-events"] ?? .null
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: data), case .object = events[event] else {
            Issue.record("event \(event) is not described, or no JSON")
            return
        }
        for complaint in complaints(value, events[event]) { Issue.record("event \(event): \(complaint)") }
    }

    func resolve(_ value: JSONValue) -> JSONValue {
        guard case .string(let reference) = value["$ref"] else { return value }
        return reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] }
    }

    func schema(_ name: String) -> JSONValue { document["components"]["schemas"][name] }

    /// What is wrong with a value under a schema. An object may hold nothing that the schema does not name.
    func complaints(_ value: JSONValue, _ schema: JSONValue, at path: String = "$") -> [String] {
        let schema = resolve(schema)
        guard schema != .null else { return ["\(path): no schema"] }
        var found: [String] = []
        let types = schema["type"].elements.isEmpty ? [schema["type"]] : schema["type"].elements
        if !types.contains(where: { value.isOf($0) }) { return ["\(path): is not \(types)"] }
        if !schema["enum"].elements.isEmpty, !schema["enum"].elements.contains(value) {
            found.append("\(path): not in enum")
        }
        switch value {
        case .object(let fields):
            for case .string(let name) in schema["required"].elements where fields[name] == nil {
                found.append("\(path).\(name): missing")
            }
            if case .number(let least) = schema["minProperties"], fields.count < Int(least) {
                found.append("\(path): too few fields")
            }
            for (name, field) in fields {
                let known = schema["properties"][name]
                let other = schema["additionalProperties"]
                if known != .null {
                    found += complaints(field, known, at: "\(path).\(name)")
                } else if case .object = other {
                    found += complaints(field, other, at: "\(path).\(name)")
                } else {
                    found.append("\(path).\(name): not described")
                }
            }
        case .array(let elements):
            found += bounds(Double(elements.count), schema, "minItems", "maxItems", path)
            for (index, element) in elements.enumerated() {
                found += complaints(element, schema["items"], at: "\(path)[\(index)]")
            }
        case .string(let text):
            found += bounds(Double(text.utf8.count), schema, "minLength", "maxLength", path)
            if case .string(let pattern) = schema["pattern"], let regex = try? Regex(pattern), !text.contains(regex) {
                found.append("\(path): does not match")
            }
        case .number(let number): found += bounds(number, schema, "minimum", "maximum", path)
        case .bool, .null: break
        }
        return found
    }

    private func bounds(_ value: Double, _ schema: JSONValue, _ low: String, _ high: String, _ path: String) -> [String]
    {
        var found: [String] = []
        if case .number(let bound) = schema[low], value < bound { found.append("\(path): below \(low)") }
        if case .number(let bound) = schema[high], value > bound { found.append("\(path): above \(high)") }
        return found
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue { fields[key] ?? .null }
    var fields: [String: JSONValue] { if case .object(let fields) = self { fields } else { [:] } }
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var text: String? { if case .string(let text) = self { text } else { nil } }

    fileprivate func isOf(_ type: JSONValue) -> Bool {
        switch (self, type.text) {
        case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }
}
