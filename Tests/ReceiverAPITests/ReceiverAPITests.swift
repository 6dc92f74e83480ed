import Testing

@testable import ReceiverAPI
