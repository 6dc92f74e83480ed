import Casting
import Receiver

/// `castreceiver check`.
struct Checkup {
    init(_ configuration: ReceiverConfiguration) {}
    func run() -> Int32 { 1 }
}
