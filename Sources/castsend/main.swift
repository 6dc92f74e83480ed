Castsend.begin(Array(CommandLine.arguments.dropFirst()))
Signals.wait()
