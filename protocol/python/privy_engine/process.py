"""A program as a child process that reads and writes lines. Whatever it does wrong is an exception, and ends it."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Union

Command = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
"""A command line, the path of a program, or a program and its arguments."""
LONGEST_LINE = 1 << 20  # bytes
LARGEST_ANSWER = 1 << 24  # bytes of output since the last line of input, or the last complete answer
GRACE = 2.0  # seconds that a program has to end after the end of its input
LOOK = 0.5  # seconds after which a wait looks again at its deadline and at the process
latest = ["privy"]  # the command of the engine that was opened last


class PrivyError(Exception):
    """An error that this package raises."""


class InvalidValue(PrivyError, ValueError):
    """A value that has not the form it must have, such as the text of a score. Nothing has been asked."""


class FileFault(PrivyError, OSError):
    """A file that cannot be read or written."""


class MissingFile(FileFault, FileNotFoundError):
    """A file that is not there."""


class EngineFault(PrivyError):
    """The engine died, hung, or wrote what is no answer. Its process has been ended."""


class Refusal(PrivyError):
    """The engine answered with a question mark. Nothing has changed, and it can be asked further.

    `phrase` is one of the stable phrases of PROTOCOL.md, such as "illegal move"; `detail` is for people.
    """

    def __init__(self, request: str, text: str) -> None:
        super().__init__(request, text)
        self.request, (self.phrase, _, self.detail) = request, text.partition(": ")

    def __str__(self) -> str:
        return f"{self.request[:200]}: {self.args[1]}"


@contextlib.contextmanager
def file_faults() -> Iterator[None]:
    """Raises what the system says of a file as an error of this package."""
    try:
        yield
    except FileNotFoundError as error:
        raise MissingFile(error.errno, error.strerror, error.filename) from None
    except OSError as error:
        raise FileFault(error.errno, error.strerror, error.filename) from None


def words_of(command: Command) -> list[str]:
    """The words of a command. In a command line quotation marks keep spaces; a backslash is a letter like others."""
    if isinstance(command, str):
        lexer = shlex.shlex(command, posix=True)
        lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
        try:
            words = list(lexer)
        except ValueError:
            raise InvalidValue(f"command: a quotation mark is not closed in {command!r}") from None
    else:
        words = [os.fspath(word) for word in ([command] if isinstance(command, os.PathLike) else command)]
    if not words:
        raise InvalidValue("command: expected a program, found nothing")
    return words


def program_of(words: Sequence[str]) -> int:
    """The place of the program in a command such as `nice -n 5 privy --hash 64`: the word `privy`, or the first one."""
    for place, word in enumerate(words):
        is_value = place > 0 and words[place - 1] in ("--tables", "--log", "--variant")
        if not is_value and re.fullmatch(r"(.*[/\\])?privy(\.exe)?", word, re.DOTALL | re.IGNORECASE):
            return place
    return 0


def run(command: Command, arguments: Sequence[str], text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs another command of the program to its end."""
    words = words_of(command)
    words = [*words[: program_of(words) + 1], *arguments]
    try:
        return subprocess.run(words, input=text, capture_output=True, check=False)
    except (OSError, ValueError) as error:
        raise _unstarted(words, error) from None


def picture(variant: str, opening: str = "", moves: Sequence[str] = ()) -> str | None:
    """A position as SVG, by the program of the engine that was opened last; `None` where it cannot be drawn."""
    words = [f"--fen={opening}"] if opening else []
    words += [f"--moves={' '.join(moves)}"] if moves else []
    try:
        drawn = run(latest, ["board", variant, "--svg", *words])
    except PrivyError:
        return None
    return drawn.stdout.decode() if drawn.returncode == 0 else None


def _unstarted(words: Sequence[str], error: Exception) -> EngineFault:
    return EngineFault(f"{words[0]}: cannot be started: {getattr(error, 'strerror', error)}")


class Process:
    """A child process. It ends with `close`, with a fault, or when nobody has the object any more."""

    def __init__(self, words: Sequence[str]) -> None:
        self.name = Path(words[program_of(words)]).name
        self._asked, self._size, self._deadline = "", 0, 0.0
        try:
            # In its own group: an interrupt typed at the terminal is for the caller alone; what it starts ends with it.
            child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        except (OSError, ValueError) as error:
            raise _unstarted(words, error) from None
        assert child.stdin and child.stdout
        self._child, self._input = child, child.stdin
        self._lines: queue.Queue[bytes] = queue.Queue(1000)
        threading.Thread(target=_read, args=(child.stdout, self._lines), daemon=True).start()
        self._owner = os.getpid()
        self._finalizer = weakref.finalize(self, _end, child, self._lines, 0.0, self._owner)

    @property
    def is_forked(self) -> bool:
        """True in a fork of the process that has started the program, which has no part in their talk."""
        return os.getpid() != self._owner

    def write(self, line: str) -> None:
        """Writes a line. A program that has ended is noticed by its missing answer."""
        self._check()
        self._asked, self._size = line, 0
        with contextlib.suppress(OSError):
            self._input.write(line.encode() + b"\n")
            self._input.flush()

    def end_input(self) -> None:
        """Closes the input: nothing more is asked."""
        with contextlib.suppress(OSError):
            self._input.close()

    def allow(self, seconds: float) -> None:
        """Gives the program this time from now to write what is awaited. Any thread may call it, during a wait too."""
        self._deadline = time.monotonic() + seconds

    def line(self) -> str:
        """Returns the next line of output."""
        self._check()
        while True:
            left, has_ended = self._deadline - time.monotonic(), self._child.poll() is not None
            try:
                line = self._lines.get(timeout=LOOK if has_ended else max(0.0, min(left, LOOK)))
                break
            except queue.Empty:
                if has_ended:  # what it has started may hold its output open
                    raise self.fault(self._end_in_words()) from None
                if left <= 0:
                    raise self.fault("does not answer in time") from None
        self._size += len(line)
        if len(line) >= LONGEST_LINE or self._size > LARGEST_ANSWER:
            raise self.fault("floods its output")
        if not line.endswith(b"\n"):
            self._lines.put(b"")  # so it is found at its end again
            raise self.fault(self._end_in_words())
        try:
            return line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            raise self.fault(f"answers what is not UTF-8: {line[:80]!r}") from None

    def complete(self) -> None:
        """Ends an answer: another of the largest size may follow without a further line of input."""
        self._size = 0

    def fault(self, reason: str) -> EngineFault:
        """Ends the process, and returns the error to raise."""
        self.kill()
        return EngineFault(f"{self.name}: {reason}, asked {self._asked[:200]!r}")

    def kill(self) -> None:
        """Ends the process at once. Any thread may call it."""
        self._finalizer()

    def close(self) -> None:
        """Closes the input, and ends the process if it does not end by itself."""
        if self._finalizer.detach():
            self.end_input()
            _end(self._child, self._lines, GRACE, self._owner)

    def _check(self) -> None:
        if self.is_forked:
            raise EngineFault(f"{self.name}: belongs to process {self._owner}, which forked: open one in each")
        if not self._finalizer.alive:
            raise EngineFault(f"{self.name}: has been closed")

    def _end_in_words(self) -> str:
        try:
            status = self._child.wait(LOOK)
        except subprocess.TimeoutExpired:
            return "closes its output"
        return f"exits with status {status}" if status >= 0 else f"is ended by signal {-status}"


def _read(output: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Puts the lines of an output into a queue, then an empty one."""
    with output:
        while line := output.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(b"")


def _end(child: subprocess.Popen[bytes], lines: queue.Queue[bytes], grace: float, owner: int) -> None:
    """Ends a process after a time of grace, and what it has started, and lets the reader of its output end.

    A fork of the process that has started it closes its copy of the pipe alone.
    """
    is_forked = os.getpid() != owner
    if is_forked:
        child.returncode = 0  # no child of the fork, which would be warned that it runs
    else:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(grace)
        with contextlib.suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL) if hasattr(os, "killpg") else child.kill()
        child.wait()
    with contextlib.suppress(OSError):
        child.stdin and child.stdin.close()
    with contextlib.suppress(queue.Empty):
        while not is_forked and lines.get(timeout=LOOK):
            pass
