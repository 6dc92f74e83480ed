import Sender

#if canImport(Glibc)
    import Glibc
#endif

Signals.begin()
exit(await Castsend.run(Array(CommandLine.arguments.dropFirst())).rawValue)
