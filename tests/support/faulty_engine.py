#!/usr/bin/env python3
"""An engine with one fault: forwards lines to a good engine and its answers back, except where the fault changes them.

usage: faulty_engine.py FAULT COMMAND...

The faults `none`, `lenient`, which ignores limits that it does not understand, and `strict`, which refuses all but `time`, are none.
An analysis is added to every engine, since the good engine has none.
"""
import os, queue, re, subprocess, sys, threading, time

FAULT, COMMAND = sys.argv[1], sys.argv[2:]
engine = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
waiting = queue.Queue()  # lines without an answer yet, or functions to call with the answer
analysing = [False]
chosen = [""]


def write(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode())
    sys.stdout.buffer.flush()


def cleaned(line):
    """The line after the clean-up of the protocol."""
    line = line.replace(b"\t", b" ").split(b"#")[0]
    return bytes(byte for byte in line if byte >= 32 and byte != 127).decode(errors="replace").strip()


def parted(line):
    """Id and request."""
    match = re.match(r"(?:([0-9]+)(?!\S))? *(.*)", cleaned(line))
    return match[1] or "", match[2]


def forward(line):
    if cleaned(line):
        waiting.put(line)
    engine.stdin.write(line)
    engine.stdin.flush()


def ask(request):
    """The good engine's answer to a request of this script."""
    answers = queue.Queue()
    waiting.put(answers.put)
    engine.stdin.write(request.encode() + b"\n")
    engine.stdin.flush()
    return answers.get()[1:].strip()


def receive():
    """Writes the answers as they come."""
    answer = b""
    for line in engine.stdout:
        answer += line
        if line == b"\n" and answer.strip():
            whom = waiting.get()
            if callable(whom):
                whom(answer.decode())
            else:
                write(changed(*parted(whom), answer.decode()))
            answer = b""
    if FAULT != "lingers":
        os._exit(engine.wait())


# Faults of answers: name of the fault, pattern of the requests, change of the answer.

def no_id(answer):
    return re.sub("^([=?])[0-9]+", r"\1", answer)


def extra_line(answer):
    lines = answer.split("\n")
    return answer if len(lines) < 4 else "\n".join(lines[:1] + [""] + lines[1:])


def late(seconds):
    def change(answer):
        time.sleep(seconds)
        return answer
    return change


def other_move(answer):
    """A legal move other than the requested one; the thread of the requests has chosen it."""
    return re.sub("bestmove .*", "bestmove " + chosen[0], answer)


ANSWERS = {
    "nameless": ("name", lambda answer: re.sub(" .*", " ", answer)),
    "minimal": ("list_commands", lambda answer: "= name\nlist_commands\nquit\n\n"),
    "lists-twice": ("list_commands", lambda answer: answer.replace("= ", "= name\n")),
    "lists-too-much": ("undo|undo .*", lambda answer: "? unknown command\n\n"),
    "unsure": ("known_command.*", lambda answer: answer.replace("= false", "? unknown command")),
    "version-1": ("protocol_version", lambda answer: answer.replace("2", "1")),
    "no-id": (".*", no_id),
    "no-id-of-failure": (".*", lambda answer: no_id(answer) if answer.startswith("?") else answer),
    "twice": ("name", lambda answer: answer + answer),
    "empty-line": (".*", extra_line),
    "talkative": ("(?i)no_such_command.*|name", lambda answer: answer.replace("command\n", "command: what?\n")),
    "own-words": ("variant .*", lambda answer: answer.replace("unknown variant", "no such variant")),
    "illegal-accepted": ("play .*", lambda answer: "= \n\n" if answer.startswith("?") else answer),
    "undo-accepted": ("undo.*", lambda answer: "= \n\n" if answer.startswith("?") else answer),
    "own-limits": ("go .*", lambda answer: answer.replace("syntax error", "bad limit")),
    "any-side": ("genmove .*", lambda answer: "= c3-b2\n\n" if answer.startswith("?") else answer),
    "any-option": ("set_option.*", lambda answer: "= \n\n"),
    "clamps": ("set_option.*", lambda answer: "= \n\n" if "range" in answer else answer),
    "any-clock": ("time_.*", lambda answer: "= \n\n"),
    "any-size": ("boardsize .*", lambda answer: "= \n\n"),
    "wrong-variant": ("variant", lambda answer: "= sixteen-rebels\n\n"),
    "wrong-fen": ("fen", lambda answer: answer.replace(" g ", " x ").replace(" r ", " g ").replace(" x ", " r ")),
    "unsorted": ("legal_moves", lambda answer: "= " + " ".join(reversed(answer[2:].split())) + "\n\n"),
    "no-repetition": ("status", lambda answer: answer.replace("draw: repetition", "general to move")),
    "plays-on": ("go .*", lambda answer: "=\nbestmove c3-b2\n\n" if "game over" in answer else answer),
    "illegal-bestmove": ("go.*", lambda answer: re.sub("bestmove .*", "bestmove a1-a1", answer)),
    "chats": ("go.*", lambda answer: answer.replace("=\n", "=\nthinking hard\n", 1)),
    "illegal-pv": ("go.*", lambda answer: re.sub("(pv [^\n]*)\n", r"\1 a1-a1\n", answer)),
    "other-bestmove": ("go.*", other_move),
    "capitals": ("go.*", lambda answer: re.sub(r"\b(bestmove|pv) (.*)", lambda m: m[1] + " " + m[2].upper(), answer)),
    "slow": ("go.*", late(1.8)),
    "no-bestmove": ("go.*", lambda answer: re.sub("bestmove .*\n", "", answer)),
    "two-bestmoves": ("go.*", lambda answer: re.sub("(bestmove .*\n)", r"\1\1", answer)),
    "stop-says": ("stop", lambda answer: answer.replace("= ", "= stopped")),
    "capital-genmove": ("genmove .*", lambda answer: "= a1-a1\n\n"),
    "late-genmove": ("genmove .*", late(0.3)),
    "no-negative": ("time_left .* -.*", lambda answer: "? syntax error\n\n"),
    "no-fischer": ("kata-time_settings fischer .*", lambda answer: "? syntax error\n\n"),
}


def changed(number, request, answer):
    listed = answer.startswith("=") and "lz-analyze" not in answer
    if request == "list_commands" and listed and FAULT not in ("minimal", "lists-twice"):
        answer = answer.rstrip("\n") + "\nlz-analyze\n\n"
    if request == "known_command lz-analyze":
        answer = f"={number} true\n\n"
    pattern, change = ANSWERS.get(FAULT, ("", None))
    return change(answer) if change and re.fullmatch(pattern, request) else answer


# Faults of lines: they consume a line in place of forwarding it. Returns true if they did.

def line_fault(line):
    number, request = parted(line)
    raw = line.rstrip(b"\n")
    if FAULT == "id-wraps" and number and float(number) >= 2**31:
        write(f"={int(number) % 2**31} Privy\n\n")
    elif FAULT == "id-alone-ignored" and number and not request:
        pass
    elif FAULT == "carriage-return" and raw.endswith(b"\r"):
        write("? unknown command\n\n")
    elif FAULT == "tab" and b"\t" in raw:
        write("? unknown command\n\n")
    elif FAULT == "control" and re.search(rb"[\x00-\x08\x7f]", raw):
        write("? unknown command\n\n")
    elif FAULT == "comment" and b"#" in raw and cleaned(line):
        write("? unknown command\n\n")
    elif FAULT == "blank" and not cleaned(line):
        write("= \n\n")
    elif FAULT == "any-case" and request.isupper():
        forward(line.lower())
    elif FAULT == "dies-of-bytes" and any(byte > 127 for byte in raw):
        os._exit(1)
    elif FAULT == "cuts-lines" and len(line) > 65536:
        forward(line[:1000] + b"\n")
        forward(b"name\n")
    elif FAULT == "half-applied" and request.startswith("position startpos moves"):
        ask("clear_board")
        for move in request.split()[3:]:
            ask("play " + move)
        forward(line)
    elif FAULT == "board-stays" and request == "clear_board":
        write("= \n\n")
    elif FAULT == "drops-a-move" and " moves " in request:
        forward(line.rsplit(b" ", 1)[0] + b"\n")
    elif FAULT == "no-flags" and request.startswith("position fen"):
        forward(line.replace(b" g ", b" r ", 1) if b" g " in line else line.replace(b" r ", b" g ", 1))
    elif FAULT == "forgets" and request.startswith("play") and not request.startswith("play c"):
        write("= \n\n")
    elif FAULT == "one-form" and request.startswith("play") and re.search("[A-Z]", request):
        write("? syntax error\n\n")
    elif FAULT == "undo-one" and request.startswith("undo "):
        forward(b"undo\n")
    elif FAULT == "plays-bestmove" and request.startswith("go"):
        ask("play " + ask("legal_moves").split()[0])
        forward(line)
    elif FAULT == "other-bestmove" and request.startswith("go"):
        chosen[0] = ask("legal_moves").split()[-1]
        forward(line)
    elif FAULT == "never-answers-go" and request == "go":
        pass
    elif FAULT == "lenient" and re.search("^go .*(depth( three| 0)?$|-1|no_such_limit)", request):
        forward(b"go nodes 10\n")
    elif FAULT == "strict" and re.match("go .*(depth|nodes|clock|infinite|searchmoves)", request):
        forward(f"{number} go no_such_limit\n".encode())
    elif FAULT == "any-searchmoves" and "searchmoves" in request:
        forward(line.split(b"searchmoves")[0] + b"\n")
    elif FAULT == "out-of-turn" and request == "name" and number == "32":
        write("=32 Privy\n\n")
    elif FAULT == "deaf" and request == "stop":
        time.sleep(1.5)
        forward(line)
    elif FAULT == "answers-interrupt" and b"# interrupt" in raw:
        write("= \n\n")
        forward(line)
    elif FAULT == "no-genmove-play" and request.startswith("genmove"):
        forward(line.replace(b"genmove", b"reg_genmove"))
    elif FAULT == "plays-reg" and request.startswith("reg_genmove"):
        forward(line.replace(b"reg_genmove", b"genmove"))
    elif FAULT == "short-sides" and re.fullmatch("genmove (general|rebels|[A-Z]+)", request):
        write("? syntax error\n\n")
    elif FAULT == "own-time" and request.startswith(("time_settings", "time_left")):
        write("= \n\n")
    elif FAULT == "quits-badly" and request == "quit":
        write(f"={number} \n\n")
        os._exit(3)
    elif FAULT == "stays" and request == "quit":
        write(f"={number} \n\n")
    elif FAULT == "goes-on" and request == "quit":
        write(f"={number} \n\n")
        write("= Privy\n\n")
        os._exit(0)
    elif FAULT == "deaf-to-quit" and request == "quit":
        pass
    else:
        return False
    return True


MINIMAL = {"minimal-position": "name|variant|position|go|quit", "minimal-genmove": "name|clear_board|play|genmove|quit"}

# The added analysis.

def analysis(request):
    moves = ask("legal_moves").split()
    if FAULT == "illegal-analysis":
        moves = ["a1-a1"]
    write("=\n")
    write(" ".join(f"info move {move} visits 1 winrate 5000 order {order} pv {move}" for order, move in enumerate(moves)) + "\n")
    analysing[0] = True


def take(line):
    if analysing[0]:
        if FAULT == "endless-analysis" and not cleaned(line):
            return
        analysing[0] = False
        write("\n")
    number, request = parted(line)
    if FAULT == "minimal-position" and request == "variant":
        forward(f"{number} position\n".encode())
    elif FAULT in MINIMAL and re.match("[a-z_-]+( |$)", request) and not re.match(f"({MINIMAL[FAULT]})( |$)", request):
        forward(f"{number} no_such_command\n".encode())
    elif re.match("lz-analyze", request) and "-" not in request[3:]:
        analysis(request)
    elif not line_fault(line):
        forward(line)


def lines():
    if FAULT == "chunks":
        while chunk := os.read(0, 1 << 20):
            yield b" ".join(chunk.split(b"\n")).strip() + b"\n"
    elif FAULT == "one-at-a-time":
        while chunk := os.read(0, 1 << 20):
            yield chunk.split(b"\n")[0] + b"\n"
    else:
        while line := sys.stdin.buffer.readline():
            if line.endswith(b"\n") or FAULT != "drops-last":
                yield line


threading.Thread(target=receive, daemon=True).start()
if FAULT == "banner":
    write("Faulty engine, version 1\n")
for line in lines():
    try:
        take(line)
    except OSError:
        break
if FAULT == "drops-what-waits":
    os._exit(0)
try:
    engine.stdin.close()
except OSError:
    pass
time.sleep(60)  # until the good engine has sent all its answers
