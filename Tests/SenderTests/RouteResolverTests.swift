import Casting
import Testing

@testable import Sender

@Suite struct RouteResolverTests {
    static func route(_ id: String, _ name: String) -> Route {
        Route(
            id: id, name: name, model: "castway receiver", capabilities: ["video", "audio"], availability: .idle,
            protocolVersion: 1, endpoints: [Endpoint(host: "192.0.2.1")])
    }

    static let routes = [
        route("aa11-1", "Living Room"), route("ab22-2", "Kitchen"), route("cc33-3", "kitchen"), route("dd44-4", "Twin"),
        route("dd55-5", "Twin"),
    ]

    @Test(
        "a route is chosen by its name, or by the beginning of its id",
        arguments: [
            ("Living Room", "aa11-1"), ("living room", "aa11-1"), ("Kitchen", "ab22-2"), ("kitchen", "cc33-3"),
            ("aa", "aa11-1"), ("AB", "ab22-2"), ("dd55-5", "dd55-5"), ("dd4", "dd44-4"),
        ])
    func chooses(_ text: String, _ id: String) throws {
        #expect(try RouteResolver.choose(text, among: Self.routes).id == id)
    }

    @Test(
        "what means several routes, or none, is refused with those it may be",
        arguments: [("Twin", ["dd44-4", "dd55-5"]), ("a", ["aa11-1", "ab22-2"]), ("KITCHEN", ["ab22-2", "cc33-3"])])
    func ambiguous(_ text: String, _ ids: [String]) {
        let failure = #expect(throws: RouteFailure.self) { try RouteResolver.choose(text, among: Self.routes) }
        #expect(failure?.error.code == .routeNotFound)
        #expect(failure?.candidates.map(\.id) == ids)
    }

    @Test("a name nobody has is refused with the whole list")
    func missing() {
        let failure = #expect(throws: RouteFailure.self) { try RouteResolver.choose("Attic", among: Self.routes) }
        #expect(failure?.error.code == .routeNotFound)
        #expect(failure?.candidates.count == 5)
        #expect(failure?.error.message == "There is no receiver “Attic” on this network.")
    }

    @Test("without a name the only route is taken, but never one of several")
    func only() throws {
        #expect(try RouteResolver.chooseOnly(of: [Self.routes[0]]).id == "aa11-1")
        #expect(throws: RouteFailure.self) { try RouteResolver.chooseOnly(of: Self.routes) }
        let nothing = #expect(throws: RouteFailure.self) { try RouteResolver.chooseOnly(of: []) }
        #expect(nothing?.error.code == .routeNotFound)
    }

    static let last = KnownReceiver(id: "aa11-1", name: "Living Room", endpoint: Endpoint(host: "192.0.2.9"))
    static let targets: [(String?, String?, KnownReceiver?, RouteTarget)] = [
        ("TV", "Env", last, .named("TV")), (nil, "Env", last, .named("Env")), (nil, nil, last, .lastUsed(last)),
        (nil, nil, nil, .only), ("", " ", nil, .only),
        (" 192.0.2.7 ", nil, last, .address(Endpoint(host: "192.0.2.7"))),
        ("tvbox", nil, nil, .named("tvbox")), ("tvbox:80", nil, nil, .address(Endpoint(host: "tvbox", port: 80))),
        ("Mr. TV", nil, nil, .named("Mr. TV")), ("Room: left", nil, nil, .named("Room: left")),
    ]

    @Test("the option goes before the environment, and that before the memory", arguments: targets)
    func target(_ option: String?, _ environment: String?, _ last: KnownReceiver?, _ target: RouteTarget) {
        #expect(RouteResolver.target(option: option, environment: environment, lastUsed: last) == target)
    }

    static let endpoints: [(String, Endpoint?)] = [
        ("192.0.2.7", Endpoint(host: "192.0.2.7")), ("192.0.2.7:99", Endpoint(host: "192.0.2.7", port: 99)),
        ("tv.local", Endpoint(host: "tv.local")), ("tv.local:99", Endpoint(host: "tv.local", port: 99)),
        ("::1", Endpoint(host: "::1")), ("[::1]", Endpoint(host: "::1")), ("[::1]:99", Endpoint(host: "::1", port: 99)),
        ("fe80::1%eth0", Endpoint(host: "fe80::1%eth0")),
        ("[fe80::1%eth0]:99", Endpoint(host: "fe80::1%eth0", port: 99)),
        ("[fe80::1%25eth0]:99", Endpoint(host: "fe80::1%eth0", port: 99)),
        ("http://192.0.2.7:7766/", Endpoint(host: "192.0.2.7", port: 7766)),
        ("tv", Endpoint(host: "tv")), ("a_b", Endpoint(host: "a_b")),
        ("192.0.2", nil), ("1234", nil), ("tv:0", nil), ("tv:65536", nil), ("tv:", nil), ("tv:x", nil), ("[::1", nil),
        ("[::1]x", nil), ("[tv]", nil), ("a b", nil), ("", nil), ("a..b", nil), ("::g", nil), ("fe80::1%", nil),
        ("http://tv/path", nil),
    ]

    @Test("an address is read as people write it", arguments: endpoints)
    func endpoint(_ text: String, _ endpoint: Endpoint?) {
        #expect(RouteResolver.endpoint(text) == endpoint)
    }

    @Test("the table tells twins apart, marks the one used last and prints no control characters")
    func table() {
        var odd = Self.route("ee66-6", "Bed\u{1b}[31mroom")
        odd.availability = .busy
        odd.endpoints = [Endpoint(host: "fe80::1%eth0", port: 99)]
        #expect(
            RouteListing.text([Self.routes[3], odd, Self.routes[4]], active: "dd55-5") == """
                   NAME           MODEL             STATE  ADDRESS
                   Bed\u{fffd}[31mroom   castway receiver  busy   [fe80::1%eth0]:99
                   Twin (dd44-4)  castway receiver  idle   192.0.2.1:7766
                ●  Twin (dd55-5)  castway receiver  idle   192.0.2.1:7766
                """)
        #expect(
            RouteListing.text([Self.routes[0]], active: nil) == """
                NAME         MODEL             STATE  ADDRESS
                Living Room  castway receiver  idle   192.0.2.1:7766
                """)
    }

    @Test("wide characters take two columns of the table")
    func wideNames() {
        #expect(
            RouteListing.text([Self.route("a", "TV"), Self.route("b", "客厅 📺"), Self.route("c", "Küche")], active: nil)
                == """
                NAME     MODEL             STATE  ADDRESS
                Küche    castway receiver  idle   192.0.2.1:7766
                TV       castway receiver  idle   192.0.2.1:7766
                客厅 📺  castway receiver  idle   192.0.2.1:7766
                """)
    }

    @Test("a link-local address without its interface is told from one that can be reached")
    func incomplete() {
        for host in ["fe80::1", "febf::1"] {
            #expect(RouteResolver.incomplete(Endpoint(host: host))?.error.code == .routeNotFound, "\(host)")
        }
        for host in ["fe80::1%eth0", "fec0::1", "2001:db8::1", "169.254.0.1", "fe80"] {
            #expect(RouteResolver.incomplete(Endpoint(host: host)) == nil, "\(host)")
        }
    }
}
