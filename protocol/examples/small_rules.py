"""The rules of six games, for weak_engine.py: 25 points and a privy, steps only, captures by intervention."""
import copy, re

FIELD = """a1b1c1d1e1 a2b2c2d2e2 a3b3c3d3e3 a4b4c4d4e4 a5b5c5d5e5 a1a2a3a4a5 b1b2b3b4b5 d1d2d3d4d5 e1e2e3e4e5
           a1b2c3d4e5 e1d2c3b4a5 c1b2a3 c1d2e3 """  # lines within the field; each board adds its own
BOARDS = {"privy": FIELD + "c1c2c3c4c5c6c7 a3b4c5 e3d4c5 b5b6c7 d5d6c7 b6c6d6",
          "privy-open": FIELD + "c1c2c3c4c5 a3b4c5 e3d4c5 b5b6c7 d5d6c7 b6d6",
          "cloister": FIELD + "c1c2c3c4c5c6c7 a3b4c5d6 e3d4c5b6 b6c6d6 b6c7 d6c7",
          "crossed": FIELD + "c1c2c3c4c5c6c7 a3b4c5d6e7 e3d4c5b6a7 b6c6d6 a7b7c7d7e7 b6b7 d6d7 b6c7 d6c7"}
RIM = "/rrrrr/r3r/r1G1r/r3r/rrrrr"
VARIANTS = {  # board, opening, first side, custodial capture, meaning of c7, attrition limit (number of Rebels)
    "sixteen-rebels": ("privy", "1/3" + RIM, "g", False, "wins", 4),
    "sixteen-rebels-murray": ("privy", "1/3" + RIM, "g", True, "nothing", 0),
    "shap-luk-kon": ("privy", "1/3" + RIM, "g", True, "return", 1),
    "shap-luk-kon-2": ("privy-open", "1/2" + RIM, "g", True, "return", 1),
    "juroku-musashi-hasami": ("crossed", "5/3" + RIM, "g", False, "nothing", 4),
    "monk-and-water": ("cloister", "1/3/rrGrr/r3r/r3r/r3r/rrrrr", "r", False, "wins", 5)}


class Refused(Exception):
    """A failure, with the text of the protocol error."""


class Game:
    """A position and its history. Immutable: a move makes a new game."""

    def __init__(self, variant, text=""):
        """The opening, or the position of a text; its first three fields are used."""
        if variant not in VARIANTS:
            raise Refused(f'unknown variant: "{variant}"; list_variants names them all')
        board, opening, first, self.custodial, self.apex, self.at_most = VARIANTS[variant]
        self.variant = variant
        lines = [re.findall("..", line) for line in BOARDS[board].split()]
        edges = [edge for line in lines for edge in zip(line, line[1:])]
        triples = [triple for line in lines for triple in zip(line, line[1:], line[2:])]
        points = sorted({point for line in lines for point in line}, key=lambda point: (-int(point[1]), point))
        self.near = {point: {b for edge in edges if point in edge for b in edge} - {point} for point in points}
        self.pairs = {point: [(a, b) for a, middle, b in triples if middle == point] for point in points}
        self.exits = [point for point in points if point[1] == "5" and any(b[1] == "6" for b in self.near[point])]
        fields = (text or opening).split()
        rows, self.side, flags = (fields + [first, "-"][len(fields) - 1:])[:3]
        rows = re.sub("[1-5]", lambda run: "." * int(run[0]), rows)
        shape = "/".join("." * sum(point[1] == row for point in points) for row in "7654321")
        self.cells, self.rebels = dict(zip(points, rows.replace("/", ""))), rows.count("r")
        if (re.sub("[Gr]", ".", rows) != shape or rows.count("G") != 1 or self.rebels > opening.count("r")
                or any(self.cells[point] == "r" for point in points if point[1] > "5")
                or self.side not in ("g", "r") or flags not in ("-", "a" if self.apex == "return" else "-")):
            raise Refused("illegal position: " + text)
        self.general = points[rows.replace("/", "").index("G")]
        self.visited = self.apex == "return" and (flags == "a" or self.general == "c7")
        if self.side == "g" and self.goal():
            raise Refused("illegal position: the game would have ended before: " + self.goal())
        self.history, self.result = [(self.cells, self.side, self.visited)], self.ending("")

    def steps(self):
        """The steps of the side to move, even if the game is over."""
        piece, highest = ("G", "7") if self.side == "g" else ("r", "5")
        return sorted(f"{a}-{b}" for a, at in self.cells.items() if at == piece
                      for b in self.near[a] if self.cells[b] == "." and b[1] <= highest)

    def goal(self):
        """The goal that the General has reached; empty if none."""
        if self.apex == "wins" and self.general == "c7":
            return "apex"
        if self.visited and self.general[1] <= "5":
            return "apex and return"
        return "attrition" if self.rebels <= self.at_most else ""

    def ending(self, arrived):
        """The result after a piece arrived on a point; empty while the game continues."""
        if self.side == "r":
            reason = self.goal() or ("" if self.steps() else "no move")
            return reason and "general wins: " + reason
        held = [pair for pair in self.pairs[self.general] if all(self.cells[point] == "r" for point in pair)]
        if self.custodial and any(arrived in pair for pair in held):
            return "rebels win: custodial capture"
        if self.general[1] > "5" and all(self.cells[point] == "r" for point in self.exits):
            return "rebels win: privy closed"
        return "" if self.steps() else "rebels win: no move"

    def play(self, text):
        """The game after a move."""
        points = re.fullmatch("([a-z][0-9]+)[- ]?([a-z][0-9]+)", text.lower())
        if not points:
            raise Refused(f'syntax error: "{text}" is not a move: expected a form such as c3-b2')
        start, end = points.groups()
        if self.result or f"{start}-{end}" not in self.steps():
            raise Refused("illegal move: " + ("game over" if self.result else text))
        after = copy.copy(self)
        after.side = "r" if self.side == "g" else "g"
        after.cells = {**self.cells, start: ".", end: self.cells[start]}
        if self.side == "g":
            after.general, after.visited = end, self.visited or self.apex == "return" and end == "c7"
            for a, b in self.pairs[end]:
                if self.cells[a] == self.cells[b] == "r":
                    after.cells[a] = after.cells[b] = "."
        after.rebels = list(after.cells.values()).count("r")
        after.history = self.history + [(after.cells, after.side, after.visited)]
        after.result = after.ending(end) or ("draw: repetition" if after.history.count(after.history[-1]) >= 3 else "")
        return after
