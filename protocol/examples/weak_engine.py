#!/usr/bin/env python3
"""A weak engine, to learn from and to win against, explained in docs/ENGINE_AUTHORS.md. It plays a move that wins at
once, else the largest capture, else a random move. The same --seed gives the same moves."""
import argparse, os, random, re, sys
from small_rules import VARIANTS, Game, Refused

SIDES = {"g": "g", "general": "g", "w": "g", "white": "g", "r": "r", "rebels": "r", "b": "r", "black": "r"}
LIMITS = re.compile("(((time|clock|inc) [0-9]+|(depth|nodes|moves) 0*[1-9][0-9]*|infinite) )*(searchmoves ([^ ]+ )+)?")
DROPPED = bytes({*range(32), 127} - {*b"\t"})  # control characters


class Engine:
    """A game, and the answers to input lines."""

    def __init__(self, seed=""):
        self.seed, self.game, self.running = seed, Game("sixteen-rebels"), True
        self.plain = {  # commands without arguments
            "name": lambda: "Weak example", "version": lambda: "1", "protocol_version": lambda: "2", "stop": lambda: "",
            "list_commands": lambda: "\n".join({**self.plain, **self.commands}),
            "list_variants": lambda: "\n".join(VARIANTS),
            "clear_board": lambda: self.variant([self.game.variant]), "quit": lambda: setattr(self, "running", False),
            "legal_moves": lambda: "" if self.game.result else " ".join(self.game.steps()),
            "status": lambda: self.game.result or {"g": "general", "r": "rebels"}[self.game.side] + " to move"}
        self.commands = {  # commands with arguments, as a list of words
            "known_command": lambda words: str(" ".join(words) in {**self.plain, **self.commands}).lower(),
            "variant": self.variant, "position": self.position,
            "play": self.play, "genmove": self.genmove, "go": self.go}

    def variant(self, words):
        if not words:
            return self.game.variant
        self.game = Game(" ".join(words))

    def position(self, words):
        parts = re.fullmatch("(startpos|fen (.+?))( moves( .*)?)?", " ".join(words))
        if not parts:
            raise Refused("syntax error: position: expected startpos or fen TEXT, then perhaps moves M1 M2 …")
        text = parts[2] or ""
        game = Game(text.split()[5] if len(text.split()) > 5 else self.game.variant, text)
        for move in (parts[4] or "").split():
            game = game.play(move)
        self.game = game

    def play(self, words):
        if words and words[0].lower() in SIDES:
            if SIDES[words.pop(0).lower()] != self.game.side:
                raise Refused("illegal move: the other side is to move")
        self.game = self.game.play(" ".join(words))

    def genmove(self, words):
        if len(words) != 1 or words[0].lower() not in SIDES:
            raise Refused("syntax error: genmove: expected a side, general or rebels")
        move = self.choose(self.game.steps())
        self.play([words[0], move])
        return move

    def go(self, words):
        if not LIMITS.fullmatch("".join(word + " " for word in words)):
            raise Refused("syntax error: go: " + " ".join(words))
        moves = words[words.index("searchmoves") + 1:] if "searchmoves" in words else self.game.steps()
        return "\nbestmove " + self.choose(moves)  # at once, within any limit

    def choose(self, moves):
        if self.game.result:
            raise Refused("game over: " + self.game.result)
        dice = random.Random(f"{self.seed} {len(self.game.history)} {self.game.cells}")
        games = [(move, self.game.play(move)) for move in moves]
        return max(games, key=lambda game: (game[1].result[:1] == self.game.side, -game[1].rebels, dice.random()))[0]

    def answer(self, line):
        """The answer to a line; empty for a blank line."""
        line = line.translate(None, DROPPED).split(b"#")[0]
        words = line.decode(errors="replace").split()
        if not words:
            return ""
        number = words.pop(0) if re.fullmatch("[0-9]+", words[0]) else ""
        if float(number or 0) >= 2**31:
            return "? syntax error: id\n\n"
        name, *words = words or [""]
        try:
            if not name or len(line) > 65536 or "\ufffd" in name + " ".join(words) or words and name in self.plain:
                raise Refused("syntax error: " + (name[:20] or "no command"))
            if name not in self.plain and name not in self.commands:
                raise Refused("unknown command")
            text = (self.plain[name]() if name in self.plain else self.commands[name](words)) or ""
            return f"={number}{'' if text.startswith(chr(10)) else ' '}{text}\n\n"
        except Refused as refusal:
            return f"?{number} {refusal}\n\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="", help="any text; chooses among equally good moves")
    engine = Engine(parser.parse_args().seed)
    try:
        while engine.running and (line := sys.stdin.buffer.readline()):
            sys.stdout.buffer.write(engine.answer(line).encode())
            sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        os._exit(0)
