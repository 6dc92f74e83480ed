import Arguments
import Casting

/// The command line of castsend.
enum Syntax {
    static let program = CommandSyntax(
        "castsend", summary: "Plays films and music on a castway receiver, and steers it",
        discussion: """
            SOURCE is a web address (http or https) or a file of this machine. ROUTE is a receiver: its name, the beginning of its id, or its address (host, host:port, 192.168.1.20, [fe80::1%eth0]:7766). Without “--to” it is $CASTSEND_ROUTE, else the one used last, else the only one there is.

              castsend routes
              castsend play film.mkv --to "Living Room"
              castsend play https://example.com/film.mp4 --at 1:02:03
              castsend play part1.mkv part2.mkv
              castsend seek +30

            Exit codes: 0 done, 1 output lost, 2 usage, 3 no such receiver, 4 refused, 5 media failed, 6 network.
            """,
        options: [
            .value("to", "ROUTE", letter: "t", help: "The receiver: name, beginning of its id, or address."),
            .flag("json", help: "Answer in JSON, one document a line."),
        ],
        commands: [
            routes, play, pause, resume, stop, seek, step, rate, volume, next, previous, chapter, tracks, audio, subs,
            picture, queue,
            status, watch, log, screenshot,
            disconnect,
        ],
        version: Castway.version)

    private static let routes = CommandSyntax(
        "routes", summary: "Lists the receivers on this network",
        options: [
            .value("wait", "SECONDS", help: "How long to look at most, 0 to 60; 1 unless given."),
            .flag("watch", help: "Go on looking, and show what comes, changes and goes."),
        ])

    private static let play = CommandSyntax(
        "play", summary: "Plays web addresses and files of this machine",
        discussion: """
            Shows how it goes until it ends; Ctrl-C asks whether to stop it or to leave it playing. A file is served to the receiver by castsend itself, for as long as it plays. Of several sources the first plays and the others are queued behind it; one that cannot be played is passed over.
            """,
        options: [
            .value("at", "TIME", help: "Where to begin the first: 90, 1:30 or 1:02:03.5."),
            .value("title", "TITLE", help: "What to call it on the screen; for one source."),
            .value("for", "SECONDS", help: "How long to show each still picture; without end unless given."),
            .value(
                "header", "'NAME: VALUE'", letter: "H", repeats: true,
                help: "A header the receiver sends to the server of the address. May be given several times."),
            .value(
                "subtitles", "SOURCE", letter: "s", repeats: true,
                help: "Subtitles to show: a web address or a file; for one source. May be given several times."),
            .flag(
                "no-subtitles",
                help: "Leave the subtitles alone that lie beside a file: film.srt or film.en.srt for film.mkv."),
            .flag("paused", help: "Show the first picture and stay there."),
            .flag("loop", letter: "l", help: "Play it, or all of them, again and again, until something is stopped."),
            .value(
                "at-end", "WHAT",
                help:
                    "What to do at the end: advance (to the queue's next, else to idle; the standard) or pause (on the last picture)."
            ),
            .flag("level", help: "Make it as loud as other films and songs."),
            .flag("detach", letter: "d", help: "Come back as soon as it plays. Not for files."),
            takeover,
        ], arguments: [Argument("SOURCE", .some, help: "A web address (http or https) or a file.")])

    private static let takeover = Option.value(
        "takeover", "WHEN",
        help: "Whether to push another sender out: never, ifIdle (while it plays nothing; the standard) or always.")

    private static let pause = CommandSyntax("pause", summary: "Stops the picture where it is")
    private static let resume = CommandSyntax(
        "resume", summary: "Goes on playing",
        options: [.flag("now", help: "Play what is there, without waiting for more to be loaded.")])
    private static let stop = CommandSyntax("stop", summary: "Ends what is playing")

    private static let seek = CommandSyntax(
        "seek", summary: "Goes to another place",
        arguments: [Argument("TIME", help: "90, 1:30 or 1:02:03.5; +10 and -30 go on and back by seconds.")])

    private static let step = CommandSyntax(
        "step", summary: "Shows the next picture, or one before, and stays there",
        arguments: [Argument("PICTURES", .optional, help: "How many to go on; 1 unless given, negative to go back.")])

    private static let rate = CommandSyntax(
        "rate", summary: "Plays faster or slower, at the same pitch",
        arguments: [Argument("RATE", help: "0.5 to 2; 1 is normal.")])

    private static let volume = CommandSyntax(
        "volume", summary: "Makes it louder or quieter",
        arguments: [Argument("LEVEL", help: "0 to 100; +5 and -5 change it; mute, unmute.")])

    private static let next = CommandSyntax("next", summary: "Goes to the next item of the queue")
    private static let previous = CommandSyntax("previous", summary: "Goes to the item before")

    private static let chapter = CommandSyntax(
        "chapter", summary: "Goes to another chapter",
        arguments: [Argument("WHICH", help: "next, previous or a number.")])

    private static let tracks = CommandSyntax("tracks", summary: "Lists the sounds and subtitles there are")

    private static let audio = CommandSyntax(
        "audio", summary: "Chooses what is heard",
        arguments: [
            Argument("TRACK", help: "A language (fr), a number of “castsend tracks”, a part of a name, or auto.")
        ])

    private static let subs = CommandSyntax(
        "subs", summary: "Chooses the subtitles, and changes when and how they show",
        options: [
            .value("delay", "SECONDS", help: "How much later they come: 0.5; +0.1 and -0.1 change it."),
            .value("size", "PERCENT", help: "How large they are: 25 to 400; 100 is normal."),
            .value("color", "COLOR", help: "Their colour: white, yellow, green, cyan, grey or a code such as FFD24A."),
            .value("position", "PERCENT", help: "How far up they stand: 0 (bottom) to 100 (top)."),
        ],
        arguments: [
            Argument(
                "TRACK", .optional,
                help:
                    "A language (en), a number of “castsend tracks”, a part of a name, auto, off (but for those of what is said in a foreign language) or none."
            )
        ])

    private static let picture = CommandSyntax(
        "picture", summary: "Says how a picture of another shape than the screen's is laid on it",
        arguments: [
            Argument(
                "HOW",
                help:
                    "fit (all of it, with dark bars; the standard), fill (the whole screen, something of it left out) or stretch."
            )
        ])

    private static let queue = CommandSyntax(
        "queue", summary: "Works with what plays next",
        commands: [
            CommandSyntax(
                "add", summary: "Puts web addresses and files at the end of the queue",
                discussion:
                    "Files are served by castsend itself: it stays until the queue is over, and takes them out of it when it is stopped.",
                options: [
                    .value("title", "TITLE", help: "What to call it on the screen; for one source."),
                    .value("for", "SECONDS", help: "How long to show each still picture; without end unless given."),
                    .value(
                        "header", "'NAME: VALUE'", letter: "H", repeats: true,
                        help: "A header the receiver sends to the server of the address. May be given several times."),
                ], arguments: [Argument("SOURCE", .some, help: "A web address (http or https) or a file.")]),
            CommandSyntax("list", summary: "Shows the queue"),
            CommandSyntax(
                "loop", summary: "Says what is played again and again",
                arguments: [Argument("WHAT", help: "one (the current item), all (the queue) or none.")]),
            CommandSyntax("clear", summary: "Takes everything but the current item out of the queue"),
        ])

    private static let status = CommandSyntax("status", summary: "Shows what the receiver does")
    private static let watch = CommandSyntax(
        "watch", summary: "Shows how playback goes on, until Ctrl-C or the session's end")
    private static let log = CommandSyntax(
        "log", summary: "Shows what the network gave for what is playing, and what went wrong with it",
        options: [.flag("w3c", help: "As W3C's Extended Log File Format, with AVPlayer's names for the fields.")])
    private static let screenshot = CommandSyntax(
        "screenshot", summary: "Saves a picture of what is on the receiver's screen",
        options: [.value("output", "FILE", letter: "o", help: "The PNG file to write; screenshot.png unless given.")])
    private static let disconnect = CommandSyntax(
        "disconnect", summary: "Ends this machine's session with the receiver")
}
