import Casting
import Testing

@Suite struct ProblemDetailsTests {
    @Test("an error comes back from its HTTP answer as it went in")
    func roundTrip() {
        let error = CastError(.receiverBusy, "Anna is casting.", hint: "Ask her.", details: ["sender": "Anna"])
        let problem = ProblemDetails(error)
        #expect(problem.status == 409)
        #expect(problem.type == "urn:castway:error:receiverBusy")
        #expect(problem.error == error)
    }

    @Test("a foreign problem type is an unknown error with its sentence kept")
    func foreign() {
        var problem = ProblemDetails(CastError(.timedOut, "Slow."))
        problem.type = "about:blank"
        #expect(problem.error.code == .unknown)
        #expect(problem.error.message == "Slow.")
    }

    @Test("an IPv6 endpoint is bracketed and its scope escaped")
    func endpoint() {
        #expect(Endpoint(host: "fe80::1%eth0", port: 1).httpOrigin == "http://[fe80::1%25eth0]:1")
        #expect(Endpoint(host: "tv.local").httpOrigin == "http://tv.local:7766")
    }
}
