import Casting
import Receiver
import Testing

@Suite struct SessionArbiterTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var takeover: Takeover
        var availability: Availability
        var sameSender: Bool
        var admitted: Bool
        var testDescription: String {
            "\(takeover), holder \(availability), \(sameSender ? "own" : "other") session → \(admitted ? "in" : "out")"
        }
    }

    static let table: [Case] = [true, false].flatMap { own in
        [
            Case(takeover: .never, availability: .idle, sameSender: own, admitted: false),
            Case(takeover: .never, availability: .busy, sameSender: own, admitted: false),
            Case(takeover: .ifIdle, availability: .idle, sameSender: own, admitted: true),
            Case(takeover: .ifIdle, availability: .busy, sameSender: own, admitted: false),
            Case(takeover: .always, availability: .idle, sameSender: own, admitted: true),
            Case(takeover: .always, availability: .busy, sameSender: own, admitted: true),
        ]
    }

    @Test("takeover alone decides, whoever asks", arguments: table)
    func arbitration(_ row: Case) {
        let holder = SessionArbiter.Holder(session: "s", sender: SenderIdentity(id: "anna", name: "Anna's phone"))
        var arbiter = SessionArbiter()
        arbiter.holder = holder
        let asking = SenderIdentity(id: row.sameSender ? "anna" : "bert", name: "Bert's laptop")
        switch arbiter.decide(asking, takeover: row.takeover, availability: row.availability) {
        case .replace(let replaced):
            #expect(row.admitted)
            #expect(replaced == holder)
        case .refuse(let error):
            #expect(!row.admitted)
            #expect(error.code == .receiverBusy)
            #expect(error.details?["sender"] == "Anna's phone")
            #expect(error.details?["sameSender"] == "\(row.sameSender)")
            if !row.sameSender { #expect(error.message.contains("Anna's phone")) }
        case .open: Issue.record("opened beside the holder")
        }
    }

    @Test("a free receiver is anybody's", arguments: [Takeover.never, .ifIdle, .always])
    func free(_ takeover: Takeover) {
        let sender = SenderIdentity(id: "anna", name: "Anna")
        #expect(SessionArbiter().decide(sender, takeover: takeover, availability: .idle) == .open)
    }
}
