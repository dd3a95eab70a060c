"""Engines that die, hang or write rubbish: an exception in time, and no process left."""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import threading
import time

import pytest
from conftest import PRIVY, bad, has_children

from privy_engine import Engine, EngineFault, Game, Limits, PrivyError, Refusal

# The fault, the error, and the seconds that the engine has: few where it never answers.
FAULTS = [
    ("exit-at-start", "exits with status 3", 20),
    ("hang-at-start", "does not answer in time", 0.3),
    ("banner", "unreadable answer: 'Bad Engine 1.0, welcome'", 20),
    ("never-flush", "does not answer in time", 0.3),
    ("no-empty-line", "does not answer in time", 0.3),
    ("exit", "exits with status 3, asked '4 go nodes 100'", 20),
    ("crash", "is ended by signal 6", 20),
    ("hang", "does not answer in time", 0.5),
    ("half-answer", "does not answer in time", 0.5),
    ("garbage", r"unreadable answer: 'Segmentation fault \(core dumped\)'", 20),
    ("not-utf8", "not UTF-8", 20),
    ("flood", "floods its output", 20),
    ("flood-line", "floods its output", 20),
    ("close-output", "closes its output", 20),
    ("no-move", "unreadable answer: 'bestmove 42'", 20),
    ("no-bestmove", "answers without a move", 20),
    ("controls", "unreadable answer: ", 20),
    ("long-move", "floods its output", 20),
    ("twice", "unreadable answer: '=4'", 20),
    ("wrong-id", "unreadable answer: '=1004'", 20),
    ("exit-with-child", "exits with status 3", 20),
    ("early-status", None, 20),
    ("carriage-returns", None, 20),
    ("ignore-quit", None, 20),
]


@pytest.mark.parametrize(("fault", "error", "timeout"), FAULTS)
def test_every_fault_is_an_exception_in_time(
    fault: str, error: str | None, timeout: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("privy_engine.process.GRACE", 0.3)
    begun = time.monotonic()
    expected = pytest.raises(EngineFault, match=error) if error else contextlib.nullcontext()
    with expected, Engine.open(bad(fault), timeout=timeout) as engine:
        engine.play(Game(), Limits(nodes=100))
        engine.status(Game())
    assert not has_children() and (timeout >= 20 or time.monotonic() - begun < timeout + 10)


def test_a_refused_search_leaves_the_engine_at_work() -> None:
    with Engine.open(bad("error", "--at", "2"), timeout=20) as engine:
        assert engine.play(Game(), Limits(nodes=100)).best
        for _ in range(2):
            with pytest.raises(Refusal, match="out of ideas"):
                engine.play(Game(), Limits(nodes=100))
        assert engine.status(Game()) == "general to move"


def test_an_engine_ends_with_its_block_its_error_and_its_last_name() -> None:
    engine = Engine.open(bad("none"))
    engine.close()
    with pytest.raises(EngineFault, match="has been closed"):
        engine.status(Game())
    engine.close()
    with pytest.raises(KeyError), Engine.open([PRIVY]) as engine:
        engine.analyse(Game())
        raise KeyError
    engine = Engine.open([PRIVY])
    engine.analyse(Game())
    assert has_children()
    del engine
    gc.collect()
    assert not has_children()
    with pytest.raises(PrivyError, match="cannot be started"):
        Engine.open("no/such/engine")


FORK = """
import asyncio, gc, os, sys
from privy_engine import *
engine, other, later = Engine.open(["{privy}"]), Engine.open(["{privy}"]), AsyncEngine.open(["{privy}"])
async def start(): await later
asyncio.run(start())
analysis = engine.analyse(Game())
next(analysis)
def fails(ask):
    try: ask()
    except EngineFault as error: assert "belongs to process" in str(error), error
    else: raise AssertionError(ask)
fork = os.fork()
if not fork:
    {fork}
    gc.collect()
    sys.exit(0)
assert os.waitpid(fork, 0)[1] == 0
assert next(analysis).pv and analysis._engine.status(Game()) == "general to move" and analysis.result().best
assert other.name == other.ask("name") == "Privy"
async def end(): assert await later.status(Game()) == "general to move"
asyncio.run(end())
"""
FORKS = {
    "drops its copies": "del engine, analysis, other, later",
    "closes them": "engine.close(), other.close(), asyncio.run(later.close())",
    "leaves a block by an error": "other.__exit__(KeyError)",
    "ends": "pass",
    "asks": "fails(lambda: other.status(Game())), fails(lambda: engine.play(Game())), fails(lambda: next(analysis))",
    "asks by asyncio": "fails(lambda: asyncio.run(later.status(Game())))",
    "stops": "fails(engine.stop), other.stop()",
    "ends a search": "fails(analysis.close), fails(analysis.result)",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
@pytest.mark.parametrize("fork", FORKS)
def test_a_fork_leaves_the_engines_of_its_parent(fork: str) -> None:
    program = FORK.format(privy=PRIVY, fork=FORKS[fork])
    words = [sys.executable, "-X", "dev", "-W", "error", "-W", "ignore::DeprecationWarning", "-c", program]
    ended = subprocess.run(words, timeout=60, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
    assert "Error" not in ended.stderr and "Warning" not in ended.stderr, ended.stderr


def test_the_end_of_an_engine_is_told_once_and_truly() -> None:
    with Engine.open(bad("no-move"), timeout=20) as engine:
        analysis = engine.analyse(Game(), Limits(nodes=100))
        with pytest.raises(EngineFault, match="unreadable answer: 'bestmove 42'"), analysis:
            list(analysis)
        with pytest.raises(EngineFault, match="has ended without a move"):
            analysis.result()
        with pytest.raises(EngineFault, match="has been closed"):
            engine.status(Game())
        assert next(analysis, None) is None
        analysis.stop()
        analysis.close()
    engine = Engine.open([PRIVY])
    analysis = engine.analyse(Game())
    engine.close()
    analysis.close()
    with pytest.raises(EngineFault, match="has ended without a move"):
        analysis.result()


def test_a_stop_ends_every_long_request() -> None:
    with Engine.open([PRIVY], timeout=30) as engine:
        for line in ["perft 60", "go infinite", "solve"]:
            answered = threading.Event()

            def stop(answered: threading.Event = answered) -> None:
                while not answered.wait(0.2):
                    engine.stop()

            stopper = threading.Thread(target=stop)
            stopper.start()
            try:
                with contextlib.suppress(Refusal):
                    engine.ask(line, Game())
            finally:
                answered.set()
                stopper.join()
            assert engine.status(Game()) == "general to move", line


def test_a_program_that_forgets_its_engine_ends() -> None:
    program = f"from privy_engine import *\ne = Engine.open([{PRIVY!r}])\nprint(next(e.analyse(Game())).depth)"
    ended = subprocess.run([sys.executable, "-c", program], timeout=60, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "1\n") and "Error" not in ended.stderr
