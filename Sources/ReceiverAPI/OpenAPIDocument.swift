public import FoundationEssentials

extension ReceiverAPI {
    /// The description of this API that it serves: `openapi.json`, in OpenAPI 3.1.
    ///
    /// It is part of the program's code, so that the program needs no file beside it.
    public static let openAPIDocument = Data(PackageResources.openapi_json)
}
