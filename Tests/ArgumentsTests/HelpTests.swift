import Testing

@testable import Arguments

@Suite struct HelpTests {
    @Test("a program's help lists its commands")
    func program() {
        #expect(
            tool.help == """
                Does things.

                Usage: tool COMMAND [options]

                For tests only.

                  tool paint wall

                Commands:
                  paint  Puts colour on things.
                  move   Moves by an amount.
                  list   Works with the list.
                  wait   Waits.

                Options:
                  --json      Answer in JSON.
                  --help, -h  Show this.
                  --version   Show the version.

                “tool COMMAND --help” tells more about a command.
                """)
    }

    @Test("a command's help is aligned and wrapped at 80 columns")
    func command() {
        #expect(
            tool.help(for: ["paint"]) == """
                Puts colour on things.

                Usage: tool paint THING [MORE...] [options]

                Arguments:
                  THING  What to paint.
                  MORE   And more.

                Options:
                  --colour, -c NAME  The colour to put on; white where it is not given.
                  --layer N          A layer of paint. Layers dry one after the other, in the
                                     order in which they were given.
                  --a-rather-long-option-name SOMETHING
                                     Too long for the column.
                  --quick            Do not wait.
                  --json             Answer in JSON.
                  --help, -h         Show this.
                  --version          Show the version.
                """)
    }

    @Test("there is no help for a command that is not there")
    func unknown() {
        #expect(tool.help(for: ["nonsense"]) == nil)
    }
}
