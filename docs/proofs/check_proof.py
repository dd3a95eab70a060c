#!/usr/bin/env python3
"""Check a proof file: a list of moves by which one side wins a game by force.

    python3 check_proof.py FILE                        (plain text, or .zst)
    python3 check_proof.py --perft VARIANT [POSITION] DEPTH

Nothing is believed of the program that wrote the file. This one knows the rules of the games, and looks at four things:

1. the heading names the game and the side that is said to win;
2. every line `POSITION MOVE N` has that side to move, and MOVE is legal;
3. after MOVE the game is won, or every reply loses at once or leads to a position that is won at least 2 plies sooner:
   it is listed, or its mirror image is, or it is won within 7 plies, which a plain search finds;
4. the root is won in the same sense, or, where the other side moves first, every position after its move is.

As N falls along every line of play, no play can go round in a circle. The second form counts the sequences of moves of
length 1, 2, ... DEPTH, to compare the moves with those of another program.

Exit status: 0 sound, 1 unsound, 2 not checked.

Left out: King's Gonu, all relatives but rebels-5x7, and the fingerprint in the heading, of which only the form is
looked at.
"""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import NamedTuple

# ---------------------------------------------------------------------------------------------------------- boards

ALQUERQUE = "a3-b4-c5 a1-b2-c3-d4-e5 c1-d2-e3 c1-b2-a3 e1-d2-c3-b4-a5 e3-d4-c5"

# The rows of the field, and the lines that are neither a row nor a file of the field. A line that continues into the
# privy is given from two points before it: the first three points of "c4-c5-c6-c7" say that c4, c5, c6 are in line.
BOARDS = {
    "privy": (5, ALQUERQUE + " b5-b6-c7 d5-d6-c7 c4-c5-c6-c7 b6-c6-d6"),
    "privy-open": (5, ALQUERQUE + " b5-b6-c7 d5-d6-c7 b6-d6"),
    "cloister": (5, ALQUERQUE + " d4-c5-b6 b4-c5-d6 c4-c5-c6-c7 b6-c6-d6 b6-c7 d6-c7"),
    "triangle": (5, ALQUERQUE + " d4-c5-b6-a7 b4-c5-d6-e7 c4-c5-c6-c7 b6-c6-d6 a7-c7-e7"),
    "triangle-crossed": (5, ALQUERQUE + " d4-c5-b6-a7 b4-c5-d6-e7 c4-c5-c6-c7 b6-c6-d6 a7-b7-c7-d7-e7"
                                        " b6-b7 d6-d7 b6-c7 d6-c7"),
    "nanking": (9, "b9-b10-c11 d9-d10-c11 c8-c9-c10-c11 b10-c10-d10"),
    "rebels-5x7": (7, "b7-b8-c9 d7-d8-c9 c6-c7-c8-c9 b8-c8-d8"),
}


class Board:
    """The points and lines of a board. A point is its name, such as "c3"."""

    def __init__(self, name):
        field_rows, more_lines = BOARDS[name]
        rows = [[f"{file}{row}" for file in "abcde"] for row in range(1, field_rows + 1)]
        lines = rows + [list(file) for file in zip(*rows)] + [line.split("-") for line in more_lines.split()]
        top = max(row_of(point) for line in lines for point in line)

        self.points = sorted({point for line in lines for point in line}, key=lambda point: (row_of(point), point))
        self.rows = [[point for point in self.points if row_of(point) == row] for row in range(1, top + 1)]
        self.privy = {point for point in self.points if row_of(point) > field_rows}
        self.apex = set(self.rows[-1])
        self.neighbours = {point: [] for point in self.points}
        self.pairs = {point: [] for point in self.points}  # (a, b) for which a-point-b are in line
        self.jumps = {point: [] for point in self.points}  # (over, landing)
        for a, b in unique(zip(line, line[1:]) for line in lines):
            self.neighbours[a].append(b)
            self.neighbours[b].append(a)
        for a, middle, b in unique(zip(line, line[1:], line[2:]) for line in lines):
            self.pairs[middle].append((a, b))
            self.jumps[a].append((middle, b))
            self.jumps[b].append((middle, a))
        self.exits = {p for p in self.points if p not in self.privy and self.privy.intersection(self.neighbours[p])}

        # Where the points stand in a drawing. The privy is drawn half as wide and half as high as the field.
        self.place = {}
        for point in self.points:
            x, y = ord(point[0]) - ord("c"), row_of(point) - field_rows
            self.place[point] = (x / 2, y / 2) if point in self.privy else (x, y)

    def direction(self, a, b):
        """The direction from a to b in the drawing."""
        (ax, ay), (bx, by) = self.place[a], self.place[b]
        return bx - ax, by - ay

    def is_orthogonal(self, a, b):
        return 0 in self.direction(a, b)


def row_of(point):
    return int(point[1:])


def unique(lists):
    """The items of several lists, each once, in their order."""
    return dict.fromkeys(item for items in lists for item in items)


def mirrored(point):
    return "edcba"["abcde".index(point[0])] + point[1:]


# ------------------------------------------------------------------------------------------------------- variants

RIM16_FIELD = "rrrrr/r3r/r1G1r/r3r/rrrrr g -"
RIM16 = "1/3/" + RIM16_FIELD
RIM15 = "1/3/rrGrr/r3r/r3r/r3r/rrrrr r -"
FILES26 = "1/3/1rrr1/1rrr1/1rrr1/1rrr1/1rGr1/1rrr1/1rrr1/1rrr1/1rrr1 g -"
FILES20 = "1/3/1rrr1/1rrr1/1rrr1/1rGr1/1rrr1/1rrr1/1rrr1 g -"


@dataclass
class Rules:
    """What makes one game differ from another."""

    board: str
    opening: str
    intervention: bool = False  # the General takes the two Rebels between which it arrives
    deferred: bool = False  # it takes the two Rebels between which it stood, at right angles to its step
    static: str = ""  # it takes a pair without moving: when "surrounded", or "any" pair
    jump: str = ""  # it jumps: "multi", a "single" jump, or a single "diagonal" one, which may also spare the Rebel
    orthogonal: bool = False  # pairs are taken along rows and files only
    compulsory: bool = False  # a General that can capture must
    custodial: bool = False  # the Rebels capture it between two of them
    forward: bool = False  # the Rebels never step to a lower row
    enter_privy: bool = False  # the Rebels may step into the privy
    apex: str = ""  # who wins when the General stands there: "general" or "rebels"; or it must "return" from there
    bottom: bool = False  # the General wins on row 1
    rebels_at_most: int = 0  # it wins when so few Rebels are left; -1: never
    close_privy: bool = True  # the Rebels win by shutting it in


VARIANTS = {
    "sixteen-rebels": Rules("privy", RIM16, intervention=True, apex="general", rebels_at_most=4),
    "sixteen-rebels-murray": Rules("privy", RIM16, intervention=True, custodial=True),
    "sixteen-rebels-neeley": Rules("privy", RIM16, intervention=True, jump="diagonal", custodial=True),
    "shap-luk-kon": Rules("privy", RIM16, intervention=True, custodial=True, apex="return", rebels_at_most=1),
    "shap-luk-kon-2": Rules("privy-open", "1/2/" + RIM16_FIELD, intervention=True, custodial=True, apex="return",
                            rebels_at_most=1),
    "twenty-six-murray": Rules("nanking", FILES26, intervention=True, custodial=True),
    "subjugatio": Rules("nanking", FILES26, deferred=True, static="surrounded", orthogonal=True, forward=True,
                        enter_privy=True, apex="rebels", bottom=True, rebels_at_most=-1, close_privy=False),
    "subjugatio-free": Rules("nanking", FILES26, deferred=True, static="surrounded", orthogonal=True,
                             enter_privy=True, apex="rebels", rebels_at_most=8, close_privy=False),
    "subjugatio-intervention": Rules("nanking", FILES26, intervention=True, static="any", orthogonal=True,
                                     compulsory=True, forward=True, bottom=True, rebels_at_most=8),
    "yeung-luk": Rules("nanking", FILES26, jump="multi", compulsory=True, apex="return"),
    "juroku-musashi": Rules("triangle", "3/3/" + RIM16_FIELD, jump="multi", compulsory=True, apex="return"),
    "juroku-musashi-hasami": Rules("triangle-crossed", "5/3/" + RIM16_FIELD, intervention=True, rebels_at_most=4),
    "monk-and-water": Rules("cloister", RIM15, intervention=True, apex="general", rebels_at_most=5),
    "rebels-5x7": Rules("rebels-5x7", FILES20, jump="single", apex="general", rebels_at_most=3, close_privy=False),
}

# ------------------------------------------------------------------------------------------------------- the game


class Position(NamedTuple):
    rebels: frozenset
    general: str
    turn: str  # "g" or "r"
    apex_visited: bool  # kept only where it must return from the apex


def mirror_image(position):
    return position._replace(rebels=frozenset(map(mirrored, position.rebels)), general=mirrored(position.general))


class Game:
    """The moves and the end of one variant."""

    def __init__(self, variant):
        self.rules = VARIANTS[variant]
        self.board = Board(self.rules.board)

    def moves(self, position):
        """Every legal move: its text, the position after it, and the winner if that ends the game."""
        rebels, general, turn, visited = position
        result = []
        if turn == "g":
            options = list(self.general_moves(rebels, general))
            if self.rules.compulsory and any(taken for _, _, taken in options):
                options = [option for option in options if option[2]]
            for text, to, taken in options:
                after = Position(rebels.difference(taken), to, "r", visited or self.marks_visit(to))
                result.append((text, after, self.winner(after)))
        else:
            for start, to in self.rebel_moves(rebels, general):
                after = Position(rebels - {start} | {to}, general, "g", visited)
                caught = self.rules.custodial and self.is_caught(after, to)
                result.append((f"{start}-{to}", after, "r" if caught else self.winner(after)))
        return result

    def rebel_moves(self, rebels, general):
        """From where to where the Rebels can step."""
        board, rules = self.board, self.rules
        for start in board.points:
            if start in rebels:
                for to in board.neighbours[start]:
                    if (to not in rebels and to != general and (rules.enter_privy or to not in board.privy)
                            and not (rules.forward and board.direction(start, to)[1] < 0)):
                        yield start, to

    def general_moves(self, rebels, start):
        """The General's moves, as if none were compulsory: the text, the point it goes to, the Rebels it takes."""
        board, rules = self.board, self.rules
        for to in board.neighbours[start]:
            if to not in rebels:
                yield f"{start}-{to}", to, self.taken_by_step(rebels, start, to)
        if rules.static == "any" or rules.static == "surrounded" and rebels.issuperset(board.neighbours[start]):
            pairs = self.pairs_around(rebels, start)
            if rules.static == "surrounded" and len(board.neighbours[start]) == 2 and not board.pairs[start]:
                pairs = [board.neighbours[start]]  # in a corner it takes both neighbours
            for pair in pairs:
                yield start + ":" + "".join(sorted(pair, key=lambda p: (row_of(p), p))), start, frozenset(pair)
        if rules.jump == "multi":
            yield from self.chains(rebels, [start], frozenset())
        elif rules.jump:
            for over, landing in board.jumps[start]:
                if over in rebels and landing not in rebels and self.may_jump(start, landing):
                    yield f"{start}x{landing}", landing, frozenset([over])
                    if rules.jump == "diagonal":
                        yield f"{start}-{landing}", landing, frozenset()

    def may_jump(self, start, landing):
        return self.rules.jump != "diagonal" or not self.board.is_orthogonal(start, landing)

    def taken_by_step(self, rebels, start, to):
        """The Rebels whom the General takes by a step from start to to."""
        taken = frozenset()
        if self.rules.intervention:
            taken = taken.union(*self.pairs_around(rebels, to))
        if self.rules.deferred:
            step_x, step_y = self.board.direction(start, to)
            for pair in self.pairs_around(rebels, start):
                line_x, line_y = self.board.direction(*pair)
                if step_x * line_x + step_y * line_y == 0:  # at right angles
                    taken = taken.union(pair)
        return taken

    def pairs_around(self, rebels, point):
        """The pairs of Rebels between whom a point lies."""
        return [(a, b) for a, b in self.board.pairs[point]
                if a in rebels and b in rebels and (not self.rules.orthogonal or self.board.is_orthogonal(a, b))]

    def chains(self, rebels, path, taken):
        """The chains of jumps that begin with this path, each as long as it can be made."""
        ended = True
        for over, landing in self.board.jumps[path[-1]]:
            if over in rebels and landing not in rebels:
                ended = False
                yield from self.chains(rebels - {over}, path + [landing], taken | {over})
        if ended and taken:
            yield "x".join(path), path[-1], taken

    def marks_visit(self, point):
        return self.rules.apex == "return" and point in self.board.apex

    def is_caught(self, position, moved):
        """Is the General caught between the Rebel that has just moved and another?"""
        return any(moved in pair and position.rebels.issuperset(pair) for pair in self.board.pairs[position.general])

    def winner(self, position):
        """The side that has won after the last move: "g", "r" or None; without custodial capture."""
        if position.turn == "r":
            if self.rules.apex == "rebels" and position.general in self.board.apex:
                return "r"
            if self.general_is_home(position) or not any(self.rebel_moves(position.rebels, position.general)):
                return "g"
        elif self.privy_is_closed(position) or not any(self.general_moves(position.rebels, position.general)):
            return "r"
        return None

    def general_is_home(self, position):
        """Has the General reached the apex, come back from it, reached row 1, or taken enough Rebels?"""
        rules, general = self.rules, position.general
        return (rules.apex == "general" and general in self.board.apex
                or rules.apex == "return" and position.apex_visited and general not in self.board.privy
                or rules.bottom and row_of(general) == 1
                or len(position.rebels) <= rules.rebels_at_most)

    def privy_is_closed(self, position):
        """Is the General shut in, every exit held by a Rebel whom no jump out of the privy could cross?"""
        board, rules, rebels = self.board, self.rules, position.rebels
        if not rules.close_privy or position.general not in board.privy or not rebels.issuperset(board.exits):
            return False
        return not any(over in board.exits and landing not in board.privy and landing not in rebels
                       and self.may_jump(start, landing)
                       for start in board.privy for over, landing in board.jumps[start] if rules.jump)

    def read(self, text):
        """The position of a text such as `1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g -`; ValueError says what is wrong with it."""
        fields = text.split()
        if len(fields) < 3 or fields[1] not in ("g", "r") or fields[2] not in ("-", "a"):
            raise ValueError("not a position")
        pieces = {"r": set(), "G": set()}
        rows = fields[0].split("/")
        if len(rows) != len(self.board.rows):
            raise ValueError("wrong number of rows")
        for row, points in zip(rows, reversed(self.board.rows)):
            letters = re.sub("[1-9]", lambda run: "." * int(run[0]), row)
            if len(letters) != len(points) or not set(letters) <= set("rG."):
                raise ValueError(f"row {row} does not fit the board")
            for letter, point in zip(letters, points):
                if letter != ".":
                    pieces[letter].add(point)
        if len(pieces["G"]) != 1:
            raise ValueError("there must be one General")
        general = pieces["G"].pop()
        if not self.rules.enter_privy and pieces["r"] & self.board.privy:
            raise ValueError("a Rebel in the privy")
        if len(pieces["r"]) > self.rules.opening.split()[0].count("r"):
            raise ValueError("more Rebels than in the opening")
        if fields[2] == "a" and self.rules.apex != "return":
            raise ValueError("the flag a has no meaning in this variant")
        position = Position(frozenset(pieces["r"]), general, fields[1], fields[2] == "a" or self.marks_visit(general))
        if position.turn == "g" and (self.general_is_home(position)
                                     or self.rules.apex == "rebels" and general in self.board.apex):
            raise ValueError("the game would have ended before")
        return position

    def write(self, position):
        """The text of a position."""
        rows = []
        for points in reversed(self.board.rows):
            row = "".join("G" if p == position.general else "r" if p in position.rebels else "." for p in points)
            rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
        return f"{'/'.join(rows)} {position.turn} {'a' if position.apex_visited else '-'}"


# ------------------------------------------------------------------------------------------------------ the proof

SEARCHED_PLIES = 7  # positions won within this number of plies need not be listed
NAMES = {"g": "the general wins", "r": "the rebels win"}


class Unsound(Exception):
    """Raised with the position and the reason."""


class Proof:
    """A proof file that has been read, and the checks of it."""

    def __init__(self, lines):
        heading = re.fullmatch(r"# privy proof 1 ([a-z0-9-]+) [0-9a-f]{16} ([a-z-]+)", lines[0] if lines else "")
        if not heading:
            raise Unsound("heading: not `# privy proof 1 VARIANT FINGERPRINT WINNER`")
        self.variant, winner = heading.groups()
        if self.variant not in VARIANTS or winner not in ("general", "rebels"):
            raise ValueError(f"this program cannot check {self.variant}, {winner}")
        self.game, self.prover = Game(self.variant), winner[0]
        self.searched = {}  # (position, plies): is it won within this number?

        lines = [line for line in lines[1:] if not line.startswith("#")]
        if not lines or not lines[0].startswith("root "):
            raise Unsound("heading: no line `root POSITION`")
        self.root = self.read(lines[0][len("root "):], fields=3)
        self.steps = []  # (position, move, plies), as written
        self.listed = {}  # position: plies, with the mirror images
        for line in lines[1:]:
            position = self.read(line, fields=5)
            *_, move, plies = line.split()
            if position.turn != self.prover:
                raise Unsound(f"{line}: the side of the proof is not to move")
            if not re.fullmatch("[1-9][0-9]{0,8}", plies):
                raise Unsound(f"{line}: N is not a number of plies")
            plies = int(plies)
            self.steps.append((position, move, plies))
            for image in (position, mirror_image(position)):
                self.listed[image] = min(plies, self.listed.get(image, plies))

    def read(self, line, fields):
        if len(line.split()) != fields:
            raise Unsound(f"{line}: {fields} fields were expected")
        try:
            return self.game.read(line)
        except ValueError as error:
            raise Unsound(f"{line}: {error}") from None

    def check(self):
        """The number of plies within which the root is won. Raises Unsound."""
        for position, move, plies in self.steps:
            line = f"{self.game.write(position)} {move} {plies}"
            if self.game.winner(position):
                raise Unsound(f"{line}: the game is over")
            found = [option for option in self.game.moves(position) if option[0] == move]
            if not found:
                raise Unsound(f"{line}: the move is not legal")
            _, after, winner = found[0]
            try:
                self.plies_to_win(after, winner, plies - 1)
            except Unsound as error:
                raise Unsound(f"{line}: it leads to {error}") from None
        return self.plies_to_win(self.root, self.game.winner(self.root), sys.maxsize)

    def plies_to_win(self, position, winner, most):
        """The plies within which a position is won: as listed or found by search, or by the longest reply to it.

        The winner is given if the game is over there. Raises Unsound if the position is not won within `most` plies."""
        if winner == self.prover:
            plies = 0
        elif winner:
            raise Unsound(f"{self.game.write(position)}: {NAMES[winner]}")
        elif position.turn != self.prover:
            plies = 1 + max(self.plies_to_win(after, won, most - 1) for _, after, won in self.game.moves(position))
        elif position in self.listed:
            plies = self.listed[position]
        else:
            limit = min(most, SEARCHED_PLIES)
            plies = next((n for n in range(1, limit + 1) if self.search(position, n)), None)
            if not plies:
                raise Unsound(f"{self.game.write(position)}: not listed, and not won within {max(limit, 0)} plies")
        if plies > most:
            raise Unsound(f"{self.game.write(position)}: won within {plies} plies, which is not soon enough")
        return plies

    def search(self, position, plies):
        """Can the prover, who is to move, win within this number of plies? All moves are tried."""
        key = position, plies
        if key not in self.searched:
            self.searched[key] = plies > 0 and any(
                winner == self.prover or not winner and plies > 1 and all(
                    won == self.prover or not won and self.search(later, plies - 2)
                    for _, later, won in self.game.moves(after))
                for _, after, winner in self.game.moves(position))
        return self.searched[key]


# ---------------------------------------------------------------------------------------------------- the program


def perft(game, position, depth):
    """The number of sequences of this number of moves; a finished game has no more."""
    if depth == 1:
        return len(game.moves(position))
    return sum(perft(game, after, depth - 1) for _, after, winner in game.moves(position) if not winner)


def load(path):
    """The lines of a proof file."""
    if not path.endswith(".zst"):
        with open(path, "rb") as file:
            data = file.read()
    elif shutil.which("zstd"):
        data = subprocess.run(["zstd", "-dcq", "--", path], stdout=subprocess.PIPE, check=True).stdout
    else:
        raise OSError(f"{path}: the program zstd is not installed; unpack the file elsewhere and give the plain text")
    return data.decode().removesuffix("\n").split("\n")


def report_perft(variant, position_text, depth):
    game = Game(variant)
    position = game.read(position_text or game.rules.opening)
    if game.winner(position):
        print(f"over: {NAMES[game.winner(position)]}")
    else:
        print(*(perft(game, position, plies) for plies in range(1, depth + 1)))


def report_proof(path):
    proof = Proof(load(path))
    plies = proof.check()
    opening = proof.root == proof.game.read(proof.game.rules.opening)
    start = "" if opening else f" from {proof.game.write(proof.root)}"
    print(f"{proof.variant}: sound: {NAMES[proof.prover]}{start} within {plies} plies; {len(proof.steps)} positions")


def main(arguments):
    try:
        if len(arguments) in (3, 4) and arguments[0] == "--perft" and arguments[1] in VARIANTS:
            report_perft(arguments[1], " ".join(arguments[2:-1]), int(arguments[-1]))
        elif len(arguments) == 1 and not arguments[0].startswith("-"):
            report_proof(arguments[0])
        else:
            print(__doc__.strip(), file=sys.stderr)
            return 2
    except Unsound as error:
        print(f"unsound: {error}")
        return 1
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
