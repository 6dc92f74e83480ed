extension ReceiverAPI {
    /// The description of this API that it serves, in OpenAPI 3.1.
    public static let openAPIDocument = "{}"
}
