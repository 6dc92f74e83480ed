public import Casting
public import FoundationEssentials

extension ReceiverConfiguration {
    /// Reads a configuration file.
    ///
    /// - Throws: `invalidConfiguration`, naming the file, the key and the reason, also where the file cannot be read.
    public static func load(_ path: String) throws(CastError) -> ReceiverConfiguration {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CastError(
                .invalidConfiguration, "The configuration \(path) cannot be read.",
                hint: "See that the file is there and readable, or leave --config out.", details: ["file": path])
        }
        return try decode(data, file: path)
    }

    /// Reads a configuration from the bytes of a file.
    ///
    /// - Parameter file: what the file is called in errors.
    /// - Throws: `invalidConfiguration`, naming the file, the key and the reason.
    public static func decode(_ data: Data, file: String) throws(CastError) -> ReceiverConfiguration {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            return try decoder.decode(ReceiverConfiguration.self, from: data)
        } catch {
            var problem = ConfigurationProblem(error)
            if problem.path.isEmpty, let fault = JSON5Fault.first(in: String(decoding: data, as: UTF8.self)) {
                problem.reason = "is not JSON5: at line \(fault.line), column \(fault.column) \(fault.reason)"
            }
            throw CastError(configuration: problem, file: file)
        }
    }
}

extension CastError {
    fileprivate init(configuration problem: ConfigurationProblem, file: String) {
        let key = problem.path.joined(separator: ".")
        self.init(
            .invalidConfiguration, key.isEmpty ? "\(file): \(problem.reason)." : "\(file): \(key) \(problem.reason).",
            hint: problem.hint, details: ["file": file, "key": key, "reason": problem.reason])
    }
}

extension ConfigurationProblem {
    /// What a decoder's error means to the one who wrote the file.
    init(_ error: any Error) {
        switch error {
        case let problem as ConfigurationProblem:
            self = problem
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            self.init(path: context.codingPath.map(\.stringValue), reason: "must be \(WireWords.kind(of: type))")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(
                path: context.codingPath.map(\.stringValue),
                reason: context.debugDescription.hasPrefix("Cannot initialize")
                    ? "has a value that is not known" : "has a value that does not fit",
                hint: Self.values(of: context.codingPath.map(\.stringValue)))
        case DecodingError.dataCorrupted:
            self.init(path: [], reason: "is not JSON5")
        default:
            self.init(path: [], reason: "cannot be understood (\(error))")
        }
    }

    /// The values of the keys that know only a few.
    private static func values(of path: [String]) -> String? {
        switch path.last {
        case "logLevel": "It may be error, warning, info or debug."
        case "takeover": "It may be never, ifIdle or always."
        case "captions": "It may be off, forced, auto or always."
        default: nil
        }
    }
}
