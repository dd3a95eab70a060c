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
    one = Terminal(privy, "--variant", "kings-gonu")
    one.wait("variant kings-gonu. Type showboard")
    one.wait("privy> ")
    one.type("varia\t\r")  # completed
    one.wait("= kings-gonu")
    one.wait("privy> ")
    one.type("legal_mvoes\x1b[D\x1b[D\x1b[D\x1b[D\x7fm\x1b[3~\x1b[Cv\r")  # any edited line
    one.wait("privy> ")
    one.type("\x1b[A\x1b[A\r")  # the last line but one again
    one.wait("= kings-gonu")
    one.type("quit\r")
    one.wait("= ")
    assert one.status() == 0
    # A new session has the history, and shows the board after every move.
    two = Terminal(privy, "--show-board")
    two.wait("general to move, ply 0")
    two.wait("privy> ")
    two.type("\x1b[A\x1b[A\r")
    two.wait("= sixteen-rebels")
    two.type("play c3-b2\r")
    two.wait("rebels to move, ply 1")
    two.type("go time 5000\r")
    two.wait("privy> ")
    two.type("stop\r")
    two.wait("bestmove ")
    two.type("\x04")
    assert two.status() == 0
    # The editor ends before the end of an answer is printed.
    for _ in range(20):
        hasty = Terminal(privy)
        hasty.wait("privy> ")
        hasty.type("go time 5000\r")
        hasty.wait("privy> ")
        hasty.type("stop\r")
        hasty.wait("bestmove ")
        hasty.type("\x04")
        assert hasty.status() == 0
    # A byte that is not UTF-8, as terminals of other character sets send, is left out. It ends nothing, also during a search.
    for command in ([privy], [privy, "gogui"]):
        foreign = Terminal(*command)
        foreign.wait("privy> ")
        foreign.type(b"nam\xe9 ")
        foreign.wait("not UTF-8; it is left out")
        foreign.wait("privy> ")
        foreign.type("e\r")
        foreign.wait("= Privy")
        foreign.wait("privy> ")
        foreign.type("analyze 10\r")
        foreign.wait("info")
        foreign.type(b"\xff")
        foreign.wait("not UTF-8; it is left out")
        foreign.type("name\r")
        foreign.wait("= Privy")
        foreign.type("\x04")
        assert foreign.status() == 0
    # Nor does one in the file of the history end what is remembered.
    history = os.path.join(os.environ["XDG_CACHE_HOME"], "privy", "history")
    with open(history, "ab") as file:
        file.write(b"caf\xe9\n")
    for session in range(2):
        later = Terminal(privy)
        later.wait("privy> ")
        later.type("\x1b[A\r" if session else "komi 6.5\r")
        later.wait("komi 6.5")
        later.wait("= ")
        later.type("\x04")  # typed before the next prompt
        assert later.status() == 0
    with open(history, encoding="utf-8") as file:
        assert "variant\n" in file.read()
    # Moves of the position are completed, and words that newcomers type get a hint beside the answer.
    five = Terminal(privy)
    five.wait("privy> ")
    five.type("play c3-b\t")
    five.wait("play c3-b2")
    five.type("\r")
    five.wait("= ")
    five.type("play rebels a1-\tb1-\t\x15fen\r")
    five.wait("rr1rr r - 0 1 sixteen-rebels")
    for line, hint in [
        ("c3-b2", "to play a move: play c3-b2; for a game with a board: privy play"),
        ("new", "to begin again: clear_board"),
        ("exit", "to end: quit"),
        ("?", "the commands: help"),
        ("help me", "help alone lists the commands"),
    ]:
        five.type(line + "\r")
        five.wait("privy: " + hint)
        five.wait("? unknown command")
    # A line is dropped; at an empty prompt the second interrupt ends the program.
    five.type("undo")
    five.wait("undo")
    five.type("\x03")
    five.wait("privy> ")
    five.type("status\r")
    five.wait("= rebels to move")
    five.wait("privy> ")
    five.type("\x03")
    five.wait("Ctrl-C again, ends the session")
    five.wait("privy> ")
    five.type("name\r")
    five.wait("= Privy")
    five.wait("privy> ")
    five.type("\x03")
    five.wait("Ctrl-C again, ends the session")
    five.wait("privy> ")
    five.type("\x03")
    assert five.status() == 130
    # An interrupt ends the search, and the session continues.
    four = Terminal(privy)
    four.wait("privy> ")
    for command in ("go infinite", "name"):
        four.type(command + "\r")
        if command == "go infinite":
            four.wait("info depth 2 ")
            four.type("\x03")
            four.wait("bestmove ")
            four.wait("privy> ")
    four.wait("= Privy")
    four.wait("privy> ")
    four.type("\x03")
    four.wait("ends the session")
    four.wait("privy> ")
    four.type("\x03")
    assert four.status() == 130
    three = Terminal(privy, "gogui")
    three.wait("privy> ")
    three.type("gogui-rules_leg\t\r")
    three.wait("= C3")
    three.wait("privy> ")
    three.type("\x03")
    three.wait("ends the session")
    three.wait("privy> ")
    three.type("\x03")
    assert three.status() == 130


if __name__ == "__main__":
    main(sys.argv[1])
