"""A session in a pseudo-terminal: terminal_session.py PRIVY. Ends with status 0 on success, otherwise with the reason."""
import os, pty, select, signal, sys, termios, time

# The mode of a new terminal.
MODE = termios.tcgetattr(pty.openpty()[1])


class Terminal:
    def __init__(self, *command):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            # Children of a background shell ignore SIGINT unless it is reset.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execv(command[0], command)
        self.seen = ""

    def type(self, text):
        os.write(self.end, text if isinstance(text, bytes) else text.encode())

    def wait(self, text):
        """Waits for a text, consumes the output up to it, and returns the part before it."""
        until = time.monotonic() + 60
        while text not in self.seen:
            if time.monotonic() > until or not select.select([self.end], [], [], 60)[0]:
                raise SystemExit(f"waited in vain for {text!r}: {self.seen!r}")
            try:
                self.seen += os.read(self.end, 4096).decode(errors="replace")
            except OSError:
                raise SystemExit(f"ended before {text!r}: {self.seen!r}")
        before, self.seen = self.seen.split(text, 1)
        return before

    def status(self):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                assert termios.tcgetattr(self.end) == MODE, "the terminal is not as it was before"
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        raise SystemExit(f"it does not end: {self.seen!r}")


def main(privy):
    # The protocol loop: all lines that arrive together are answered, as by a pipe.
    for command, name in ([[privy, "--variant", "kings-gonu"], "= kings-gonu"], [[privy, "gogui"], "= Privy"]):
        loop = Terminal(*command)
        loop.wait("Type showboard")
        loop.type("name\n2 name\n\n3 variant\n4 name\n")
        for answer in ("= Privy", "=2 Privy", "=3 " if command[-1] != "gogui" else "3", "=4 Privy"):
            loop.wait(answer)
        # A search is stopped by a line; typed ahead, it waits for its turn.
        loop.type("5 go time 60000\n" if command[-1] != "gogui" else "5 genmove w\n")
        loop.type("stop\n6 name\n")
        loop.wait("=5")
        loop.wait("=6 Privy")
        loop.type(b"nam\xe9\n7 name\n")  # from a terminal of another character set
        loop.wait("? syntax error")
        loop.wait("=7 Privy")
        loop.type("quit\n")
        assert loop.status() == 0
    # Words that newcomers type get a hint beside the answer.
    hints = Terminal(privy, "--show-board")
    hints.wait("general to move, ply 0")
    lines = [
        ("c3-b2", "to play a move: play c3-b2; for a game with a board: privy play"),
        ("new", "to begin again: clear_board"),
        ("exit", "to end: quit"),
        ("?", "the commands: help"),
        ("help me", "help alone lists the commands"),
    ]
    hints.type("".join(line + "\n" for line, _ in lines))
    for _, hint in lines:
        hints.wait("privy: " + hint)
    hints.type("play c3-b2\n")
    hints.wait("rebels to move, ply 1")
    hints.type("\x04")
    assert hints.status() == 0
    # An interrupt ends the program, as it does any other.
    ended = Terminal(privy)
    ended.wait("Type showboard")
    ended.type("go infinite\n")
    ended.wait("info depth 2 ")
    ended.type("\x03")
    assert ended.status() == -signal.SIGINT
    # A person's lines are edited, completed and remembered, and those that arrive together are all obeyed.
    game = Terminal(privy, "play", "kings-gonu", "--terminal", "--side", "both", "--time", "20")
    game.wait("> ")
    game.type("1\r1\rundo\r")
    for ply in (0, 1, 2, 1):
        game.wait(f"to move, ply {ply}") if ply else None
    game.wait("> ")
    game.type("ru\t\r")  # completed
    game.wait("The ")
    game.wait("> ")
    game.type("qui\x1b[D\x7f\x1b[D\x1b[Dhelp \x1b[3~\x1b[3~\r")  # any edited line
    game.wait("is typed as text")
    game.wait("> ")
    game.type("\x1b[A\x1b[A\r")  # the last line but one again
    game.wait("The ")
    game.wait("> ")
    game.type("quit\r")
    assert game.status() == 0
    # One interrupt ends no game: while the engine thinks, it moves at once.
    ended = Terminal(privy, "play", "--terminal", "--level", "10", "--time", "600000")
    ended.wait("> ")
    ended.type("\x03")
    ended.wait("Ctrl-C again ends the game")
    ended.wait("> ")
    ended.type("1\r")
    time.sleep(0.5)
    ended.type("\x03")
    ended.wait("The Rebels: ")
    ended.wait("> ")
    ended.type("\x03")
    ended.wait("Ctrl-C again ends the game")
    ended.wait("> ")
    ended.type("\x03")
    ended.wait("interrupted: the game is not saved")
    assert ended.status() == 130


if __name__ == "__main__":
    main(sys.argv[1])
