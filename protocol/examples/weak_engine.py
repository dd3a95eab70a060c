#!/usr/bin/env python3
"""A weak engine in a hundred lines, to learn from and to win against; docs/ENGINE_AUTHORS.md walks through it.

It plays the games of small_rules.py. It wins at once if it can, else takes what it can, else plays at random; with the same
--seed it plays the same.
"""
import argparse, os, random, re, sys
from small_rules import VARIANTS, Game, Refused

SIDES = {"g": "g", "general": "g", "w": "g", "white": "g", "r": "r", "rebels": "r", "b": "r", "black": "r"}
LIMITS = re.compile("((time|depth|nodes|clock|inc|moves) [0-9]+ |infinite )*(searchmoves ([^ ]+ )+)?")


class Engine:
    """Answers lines."""

    def __init__(self, seed=""):
        self.seed, self.game, self.running = seed, Game("sixteen-rebels"), True
        self.commands = {
            "name": lambda words: "Weak example", "version": lambda words: "1", "protocol_version": lambda words: "2",
            "list_commands": lambda words: "\n".join(self.commands),
            "known_command": lambda words: "true" if " ".join(words) in self.commands else "false",
            "list_variants": lambda words: "\n".join(VARIANTS),
            "variant": self.variant, "position": self.position, "play": self.play, "go": self.go,
            "genmove": self.genmove, "clear_board": lambda words: self.begin(Game(self.game.variant)),
            "legal_moves": lambda words: "" if self.game.result else " ".join(self.game.steps()),
            "status": lambda words: self.game.result or {"g": "general", "r": "rebels"}[self.game.side] + " to move",
            "stop": lambda words: "", "quit": self.quit}

    def begin(self, game):
        self.game = game
        return ""

    def variant(self, words):
        name = " ".join(words)
        if words and name not in VARIANTS:
            raise Refused(f'unknown variant: "{name}"; list_variants names them all')
        return self.begin(Game(name)) if words else self.game.variant

    def position(self, words):
        parts = re.fullmatch("(startpos|fen (.+?))( moves( .*)?)?", " ".join(words))
        if not parts:
            raise Refused("syntax error: position: expected startpos or fen TEXT, then perhaps moves M1 M2 …")
        text = parts[2] or ""
        variant = text.split()[5] if len(text.split()) > 5 else self.game.variant
        if variant not in VARIANTS:
            raise Refused(f'unknown variant: "{variant}"; list_variants names them all')
        game = Game(variant, text)
        for move in (parts[4] or "").split():
            game = game.play(move)
        return self.begin(game)

    def play(self, words):
        if words and words[0].lower() in SIDES:
            if SIDES[words[0].lower()] != self.game.side:
                raise Refused("illegal move: the other side is to move")
            words = words[1:]
        return self.begin(self.game.play(" ".join(words)))

    def choose(self, moves):
        if self.game.result:
            raise Refused("game over: " + self.game.result)
        dice = random.Random(f"{self.seed} {len(self.game.history)} {self.game.cells}")

        def promise(move):
            after = self.game.play(move)
            return after.result[:1] == self.game.side, -after.rebels(), dice.random()
        return max(moves or self.game.steps(), key=promise)

    def go(self, words):
        if not LIMITS.fullmatch("".join(word + " " for word in words)):
            raise Refused("syntax error: go: " + " ".join(words))
        moves = words[words.index("searchmoves") + 1:] if "searchmoves" in words else []
        return "\nbestmove " + self.choose(moves)  # the answer comes at once, within any limit

    def genmove(self, words):
        if len(words) != 1 or words[0].lower() not in SIDES:
            raise Refused("syntax error: genmove: expected a side, general or rebels")
        move = self.choose([])
        self.play([words[0], move])
        return move

    def quit(self, words):
        self.running = False
        return ""

    def answer(self, line):
        """The answer to a line, or an empty text where there is nothing to answer."""
        line = bytes(byte for byte in line.replace(b"\t", b" ") if byte >= 32 and byte != 127).split(b"#")[0]
        words = line.decode(errors="replace").split()
        if not words:
            return ""
        number = words.pop(0) if re.fullmatch("[0-9]+", words[0]) else ""
        try:
            if number and float(number) >= 2**31:
                number = ""
                raise Refused("syntax error: id")
            if not words or len(line) > 65536 or "\ufffd" in " ".join(words):
                raise Refused("syntax error: " + ("line" if words else "no command"))
            if words[0] not in self.commands:
                raise Refused("unknown command")
            text = self.commands[words[0]](words[1:])
            return f"={number}{'' if text.startswith(chr(10)) else ' '}{text}\n\n"
        except Refused as refusal:
            return f"?{number} {refusal}\n\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="", help="any text: chooses among moves that look equally good")
    engine = Engine(parser.parse_args().seed)
    try:
        while engine.running and (line := sys.stdin.buffer.readline()):
            sys.stdout.buffer.write(engine.answer(line).encode())
            sys.stdout.buffer.flush()
    except BrokenPipeError:  # nobody reads the answers any more
        os._exit(0)
