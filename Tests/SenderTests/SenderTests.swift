import Testing

@testable import Sender
