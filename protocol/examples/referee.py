#!/usr/bin/env python3
"""A referee in Python: plays games between two engines, swapping sides, and prints moves, results and score.

It has no rules of its own: every move is sent to both engines by `play`, and their answers to `status` must agree.
"""
import argparse, contextlib, queue, shlex, subprocess, threading, time


class Fault(Exception):
    """An engine violates the protocol: its side, and the reason."""


class Refusal(Fault):
    """The engine answered with a question mark."""


class Engine:
    """An engine that plays one side: a process, and a thread that reads its output."""

    def __init__(self, command, side, patience):
        self.side, self.patience, self.lines = side, patience, queue.Queue(maxsize=1000)
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode(errors="replace").rstrip("\r\n"))
        self.lines.put(None)

    def ask(self, request):
        """Sends a request and returns the text of its answer."""
        deadline, answer = time.monotonic() + self.patience, []
        with contextlib.suppress(OSError):  # an engine that has exited is noticed by its missing answer
            self.process.stdin.write(request.encode() + b"\n")
            self.process.stdin.flush()
        with contextlib.suppress(queue.Empty):
            while not answer or answer[-1]:
                answer.append(self.lines.get(timeout=max(0.0, deadline - time.monotonic())))
        if answer[-1:] != [""]:
            raise Fault(self.side, f"{request}: " + ("ends without answer" if None in answer else "no answer in time"))
        text = "\n".join(answer).strip()
        if text[:1] != "=":
            raise (Refusal if text[:1] == "?" else Fault)(self.side, f"{request}: answers {text[:200]}")
        return text[1:].strip()

    def close(self):
        """Closes the input of the engine; kills it if it does not exit within two seconds."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()


def play(engines, options):
    """Plays a game, prints its moves and returns its result."""
    for engine in engines.values():
        engine.ask("variant " + options.variant)
    for _ in range(options.plies):
        said = set()
        for engine in engines.values():
            with contextlib.suppress(Refusal):  # `status` is optional, but one engine must have it
                said.add(engine.ask("status"))
        status = " or ".join(sorted(said))
        mover, other = sorted(engines.values(), key=lambda engine: status != engine.side + " to move")
        if status != mover.side + " to move":
            return status if len(said) == 1 else "void: the engines disagree: " + status
        move = mover.ask("go " + options.go).split()[-1]
        print(move, flush=True)
        mover.ask("play " + move)
        try:
            other.ask("play " + move)
        except Refusal as refusal:
            return "void: the engines disagree: " + refusal.args[1]
    return "draw: move limit"


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("engine", nargs=2, help="command line of an engine")
parser.add_argument("--variant", default="sixteen-rebels")
parser.add_argument("--go", default="time 100", metavar="LIMITS", help='limits of a search, such as "depth 8"')
parser.add_argument("--games", type=int, default=2, help="number of games; the engines swap sides after each")
parser.add_argument("--plies", type=int, default=400, help="greatest length of a game")
parser.add_argument("--patience", type=float, default=60.0, help="seconds to wait for an answer")
options, score = parser.parse_args(), [0.0, 0.0]
for number in range(options.games):
    seats = {"general": number % 2, "rebels": 1 - number % 2}
    engines = {side: Engine(options.engine[seat], side, options.patience) for side, seat in seats.items()}
    print(f"game {number + 1}: engine {seats['general'] + 1} is the General")
    try:
        result = play(engines, options)
    except Fault as fault:
        result = ("rebels win: " if fault.args[0] == "general" else "general wins: ") + fault.args[1]
    print(result)
    for side, engine in engines.items():
        engine.close()
        score[seats[side]] += result.startswith(side + " win") or result.startswith("draw") / 2
print(f"score {score[0]:g} : {score[1]:g}")
