#!/usr/bin/env python3
"""Faulty engines: the weak example engine with one fault, which the first argument names.

Faults of a search (go, genmove) occur at search number --at, counted from 1. Faults of more than one answer persist from then on.
Everything else is correct. A started process is reported on standard error: `child ID`.
"""
import argparse, os, pathlib, signal, subprocess, sys, time

sys.dont_write_bytecode = True  # leaves no bytecode in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "protocol" / "examples"))
from weak_engine import Engine  # noqa: E402

MEGABYTES = 100
FAULTS = {
    "none": "is a good engine",
    "minimal": "is a good engine with five commands, which refuses a bare variant",
    # At the start.
    "exit-at-start": "exits with status 3 before it reads anything",
    "hang-at-start": "reads everything and answers nothing",
    "banner": "writes a line before it is asked anything",
    "never-flush": "keeps all answers back until it ends",
    "refuse-variant": "knows no variant",
    "no-empty-line": "ends answers without the empty line",
    "carriage-returns": "ends lines with carriage return and line feed, which a client should forgive",
    # At a search.
    "exit": "exits with status 3 instead of an answer",
    "crash": "is killed by a signal (abort) instead of an answer",
    "hang": "never answers, and reads on",
    "half-answer": "writes the beginning of an answer, then hangs",
    "slow": "answers after --seconds",
    "garbage": "writes a line that is no answer, then goes on",
    "not-utf8": "has bytes in its answer that are not UTF-8",
    "flood": "writes 100 MB of lines into its answer, once",
    "flood-line": "writes 100 MB into one line of its answer, once",
    "flood-errors": "writes 100 MB to standard error before it answers, once",
    "close-output": "closes its standard output and reads on",
    "illegal-move": "answers a move that is not legal",
    "no-move": "answers a word that is no move",
    "no-bestmove": "answers without a move",
    "controls": "answers with what moves the cursor and turns the writing round",
    "long-move": "answers a move of ten million letters",
    "long-error": "answers with an error of a million letters that control the terminal",
    "resign": "answers resign",
    "pass": "answers pass",
    "error": "answers with an error",
    "twice": "answers twice",
    "wrong-id": "answers with another id, or with an id where none was given",
    # Elsewhere.
    "refuse-move": "refuses the position or move that comes after the search",
    "wrong-status": "names the other side as the winner when the game is over, and a draw as a win",
    "early-status": "says that the game is over when it is not",
    "ignore-quit": "ends neither at quit nor at the end of its input nor at SIGTERM",
    "child": "starts a process that outlives it and holds its output open",
    "child-of-its-own": "as child, and the process leaves the group of the engine",
    "exit-with-child": "as child, then exits",
}


def forever():
    while True:
        time.sleep(1000)


class BadEngine(Engine):
    """An engine with a fault."""

    def __init__(self, fault, at, seconds, seed, note):
        super().__init__(seed)
        self.fault, self.at, self.seconds, self.searches, self.kept = fault, at, seconds, 0, b""
        self.note = note

    def write(self, data):
        if self.fault == "carriage-returns":
            data = data.replace(b"\n", b"\r\n")
        if self.fault == "no-empty-line":
            data = data.replace(b"\n\n", b"\n")
        if self.fault == "never-flush":
            self.kept += data
            return
        while data:
            data = data[os.write(1, data):]

    def serve(self):
        if self.fault == "exit-at-start":
            sys.exit(3)
        if self.fault == "ignore-quit":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self.fault == "banner":
            self.write(b"Bad Engine 1.0, welcome\n")
        if self.fault == "minimal":
            self.plain = {command: self.plain[command] for command in ("name", "quit")}
            self.commands = {command: self.commands[command] for command in ("variant", "position", "go")}
        if self.fault == "refuse-variant":
            self.commands["variant"] = self.refuse_variant
        while self.running:
            line = sys.stdin.buffer.readline()
            if not line:
                break
            data = self.spoil(line, self.answer(line).encode())
            self.write(data)
        if self.fault == "ignore-quit":
            forever()
        if self.kept:
            os.write(1, self.kept)
        os._exit(0)

    def refuse_variant(self, words):
        from small_rules import Refused
        raise Refused("unknown variant: " + " ".join(words))

    def spoil(self, line, answer):
        """The output in place of the correct answer to a line. Some faults never return."""
        words = line.split()
        if words and words[0].isdigit():
            words = words[1:]
        command = words[0] if words else b""
        if self.fault == "hang-at-start":
            return b""
        if self.fault == "minimal" and words == [b"variant"]:
            return b"? syntax error: variant: expected an id\n\n"
        if command in (b"go", b"genmove") and answer.startswith(b"="):
            self.searches += 1
            return self.spoil_search(answer) if self.searches >= self.at else answer
        if self.searches < self.at:
            return answer
        if self.fault == "wrong-status" and command == b"status" and self.game.result:
            winner = b"rebels win: no move" if self.game.result.startswith("general") else b"general wins: attrition"
            return answer.split(b" ")[0] + b" " + winner + b"\n\n"
        if self.fault == "early-status" and command == b"status":
            return answer.split(b" ")[0] + b" rebels win: no move\n\n"
        if self.fault == "refuse-move" and command in (b"play", b"position"):
            return b"?" + answer[1:].split(b" ")[0] + b" illegal move: I do not believe it\n\n"
        return answer

    def spoil_search(self, answer):
        fault = self.fault
        mark, rest = (answer.split(b"\n", 1) if b"bestmove" in answer else answer.split(b" ", 1))
        number = mark[1:]
        before = b"bestmove " if b"bestmove" in answer else b""
        opening = mark + (b"\n" if before else b" ")
        if fault == "exit":
            os._exit(3)
        if fault == "crash":
            os.abort()
        if fault == "hang":
            return b""
        if fault == "half-answer":
            os.write(1, opening + before)
            forever()
        if fault == "slow":
            time.sleep(self.seconds)
        if fault == "garbage":
            return b"Segmentation fault (core dumped)\n" + answer
        if fault == "not-utf8":
            return opening + b"info string \xff\xfe\n" + rest if before else opening + b"\xff\xfe\n\n"
        if fault in ("flood", "flood-line", "flood-errors"):
            self.flood(2 if fault == "flood-errors" else 1, b" " if fault == "flood-line" else b"\n", opening)
            self.fault = "none"
            return {"flood": rest, "flood-line": b"\n" + rest}.get(fault, answer)
        if fault == "close-output":
            os.close(1)
            self.write = lambda data: None
        if fault == "illegal-move":
            return opening + before + b"a1-e5\n\n"
        if fault == "no-move":
            return opening + before + b"42\n\n"
        if fault == "no-bestmove":
            return mark + b"\ninfo depth 1\n\n" if before else mark + b" \n\n"
        if fault == "controls":
            return opening + before + b"a1\x1b]0;title\x07\xc2\x9b2J\xe2\x80\xaeb2\n\n"
        if fault == "long-move":
            return opening + before + b"x" * 10_000_000 + b"\n\n"
        if fault == "long-error":
            return b"?" + number + b" " + b"\x1b[2J" * 200_000 + b"\n\n"
        if fault in ("resign", "pass"):
            return opening + before + fault.encode() + b"\n\n"
        if fault == "error":
            return b"?" + number + b" out of ideas\n\n"
        if fault == "twice":
            return answer + answer
        if fault == "wrong-id":
            return answer.replace(mark, b"=" + str(int(number or 0) + 1000).encode(), 1)
        if fault in ("child", "child-of-its-own", "exit-with-child"):
            own = fault == "child-of-its-own"
            child = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL, start_new_session=own)
            print("child", child.pid, file=sys.stderr, flush=True)
            if self.note:
                open(f"child-{child.pid}", "w").close()
            self.fault = "none"
            if fault == "exit-with-child":
                os._exit(3)
        return answer

    def flood(self, descriptor, end, opening):
        if descriptor == 1:
            os.write(1, opening)
        line = b"info depth 1 " + b"nonsense " * 7000 + end
        for _ in range(MEGABYTES * 1_000_000 // len(line)):
            rest = line
            while rest:
                rest = rest[os.write(descriptor, rest):]


if __name__ == "__main__":
    faults = "\n".join(f"  {fault:18} {meaning}" for fault, meaning in FAULTS.items())
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="faults:\n" + faults, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fault", choices=FAULTS, metavar="FAULT")
    parser.add_argument("--at", type=int, default=1, help="the search at which the fault shows")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long slow thinks")
    parser.add_argument("--seed", default="")
    parser.add_argument("--note", action="store_true", help="make a file child-ID for a child")
    parser.add_argument("--id", action="store_true", help="tell the process id")
    arguments = parser.parse_args()
    if arguments.id:
        print("engine", os.getpid(), file=sys.stderr, flush=True)
    try:
        BadEngine(arguments.fault, arguments.at, arguments.seconds, arguments.seed, arguments.note).serve()
    except BrokenPipeError:
        os._exit(0)
