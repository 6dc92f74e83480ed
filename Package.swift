// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A room of the house: may import only what `dependencies` names, all of it further down.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// The tests of one room, in `Tests/<room>Tests`.
func tests(_ room: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: room + "Tests", dependencies: [.init(stringLiteral: room), "TestSupport"] + dependencies,
        swiftSettings: settings)
}

/// One of Debian's C libraries: a module map and a header, no logic.
func library(_ name: String, _ packages: [String]) -> Target {
    .systemLibrary(name: name, providers: [.apt(packages)])
}

let package = Package(
    name: "castway",
    products: [
        .executable(name: "castreceiver", targets: ["castreceiver"]),
        .executable(name: "castsend", targets: ["castsend"]),
    ],
    targets: [
        library("CAvahi", ["libavahi-client-dev"]),
        library("CASS", ["libass-dev"]),
        library("CCurl", ["libcurl4-openssl-dev"]),
        library(
            "CFFmpeg",
            [
                "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libavutil-dev", "libswscale-dev",
                "libswresample-dev",
            ]
        ),
        .systemLibrary(name: "CMalloc"),
        library("CMicroHTTPD", ["libmicrohttpd-dev"]),
        library("CGLES", ["libgles-dev"]),
        library("CPulse", ["libpulse-dev"]),
        library("CSDL", ["libsdl2-dev"]),
        library("CUchardet", ["libuchardet-dev"]),

        room("Casting"),
        room("Threads"),
        room("Arguments"),
        room("Discovery", ["Casting", "CAvahi"]),
        room("HTTP", ["Threads", "CMicroHTTPD", "CCurl"]),
        room("Media", ["Casting", "HTTP", "CFFmpeg", "CUchardet"]),
        room("Playback", ["Casting", "Media", "Threads", "CMalloc"]),
        room("Screen", ["Casting", "Media", "Playback", "Threads", "CASS", "CGLES", "CPulse", "CSDL"]),
        room("Receiver", ["Casting", "Playback"]),
        room("ReceiverAPI", ["Casting", "HTTP", "Receiver"], resources: [.embedInCode("openapi.json")]),
        room("Sender", ["Casting", "Discovery", "HTTP"]),

        .executableTarget(
            name: "castreceiver",
            dependencies: [
                "Arguments", "Casting", "Discovery", "HTTP", "Media", "Playback", "Screen", "Receiver", "ReceiverAPI",
                "Threads",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "castsend", dependencies: ["Arguments", "Casting", "Discovery", "HTTP", "Sender", "Threads"],
            swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["Casting", "HTTP", "Playback"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .systemLibrary(name: "CX11", path: "Tests/CX11", providers: [.apt(["libx11-dev", "libxext-dev"])]),
        .target(
            name: "ScreenWatch", dependencies: ["Casting", "TestSupport", "CX11"], path: "Tests/ScreenWatch",
            swiftSettings: settings),
        .executableTarget(
            name: "benchmark", dependencies: ["Arguments", "Casting", "ScreenWatch", "Sender", "TestSupport"],
            path: "Tests/Benchmark", swiftSettings: settings),
        .testTarget(
            name: "WholeWayTests",
            dependencies: ["Casting", "HTTP", "Sender", "TestSupport", "castreceiver", "castsend"],
            swiftSettings: settings),
        tests("Casting"),
        tests("Threads"),
        tests("Arguments"),
        .executableTarget(
            name: "discovery-probe", dependencies: ["Casting", "Discovery"], path: "Tests/DiscoveryProbe",
            swiftSettings: settings),
        tests("Discovery", ["Casting", "discovery-probe"]),
        tests("HTTP"),
        tests("Media", ["Casting", "HTTP", "CFFmpeg"]),
        tests("Playback", ["Casting", "Media"]),
        .executableTarget(
            name: "screen-probe", dependencies: ["Casting", "Media", "Playback", "Screen"], path: "Tests/ScreenProbe",
            swiftSettings: settings),
        tests("Screen", ["Casting", "screen-probe"]),
        tests("Receiver", ["Casting"]),
        tests("ReceiverAPI", ["Casting", "HTTP", "Receiver"]),
        tests("Sender", ["Casting", "Discovery", "HTTP", "Receiver", "ReceiverAPI", "castsend"]),
    ]
)

// The fuzzer is built by packaging/fuzz alone: it needs options of its own for all it is made of.
if Context.environment["CASTWAY_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["Casting", "Discovery", "HTTP", "Media", "ReceiverAPI"], path: "Tests/Fuzz",
            exclude: ["Seeds"], swiftSettings: settings))
}
