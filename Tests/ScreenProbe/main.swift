// Drives a screen by a script on its command line; the tests' hand on what SDL wants on the main thread.
//
//     screen-probe check
//     screen-probe [--window WxH | --fullscreen] [--offscreen] STEP…
//
// Steps are in `Script`. Prints a line for each that has something to tell, and `keys: …` for every command that a key gave.
import Casting
import Foundation
import Screen

var words = Array(CommandLine.arguments.dropFirst())
var settings = ScreenSettings(mode: .window(Size(width: 1280, height: 720)))
options: while let word = words.first {
    switch word {
    case "--fullscreen": settings.mode = .fullScreen
    case "--offscreen": settings.allowOffscreen = true
    case "--gles": settings.presenter = .gles
    case "--surface": settings.presenter = .surface
    case "--window":
        words.removeFirst()
        let sides = words[0].split(separator: "x").compactMap { Int($0) }
        settings.mode = .window(Size(width: sides[0], height: sides[1]))
    default: break options
    }
    words.removeFirst()
}
if words.first == "check" {
    say("display: \((try? ScreenDiagnostics.display()).map { "\($0)" } ?? "none")")
    say("sound: \((try? ScreenDiagnostics.sound()).map { "\($0)" } ?? "none")")
    for library in ScreenDiagnostics.libraries { say("library: \(library.name) \(library.version)") }
    exit(0)
}
do {
    let screen = try Screen(settings)
    say("driver: \(screen.videoDriver)")
    say("presenter: \(screen.presenterName)")
    let script = Script(screen: screen, words: words)
    script.start()
    screen.run()
    say("done")
} catch {
    say("error: \(error.code.rawValue): \(error)")
    exit(1)
}
