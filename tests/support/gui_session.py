"""Plays games with the example window, without a display: gui_session.py VARIANT SIDE ENGINE …

Someone clicks on the points of random moves of a side, and the engine answers, until the game is over or long enough. A
stand-in takes the place of tkinter. Prints the moves, then the status, then the fields of what was drawn last.
"""
import pathlib, random, re, sys, types

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "protocol" / "examples"))
import gui  # noqa: E402

PLIES = 60


class Canvas:
    """Keeps what is drawn, and what is to be called at a click."""

    def __init__(self, window, width, height, background):
        self.width, self.height, self.lines, self.circles = width, height, [], []

    def delete(self, what):
        self.lines, self.circles = [], []

    def create_line(self, points, width):
        self.lines.append(points)

    def create_oval(self, left, top, right, bottom, **look):
        assert 0 <= left and right <= self.width and 0 <= top and bottom <= self.height, "drawn beyond the edge"
        self.circles.append(((left + right) / 2, (top + bottom) / 2, (right - left) / 2))

    def bind(self, event, clicked):
        Window.clicked, Window.canvas = clicked, self

    def pack(self):
        pass


class Menu:
    """A menu from which the wanted move is chosen."""

    def __init__(self, window, tearoff):
        self.entries = {}

    def add_command(self, label, command):
        self.entries[label] = command

    def tk_popup(self, x, y):
        self.entries[Window.wanted]()


class Window:
    """A window whose user clicks at random."""

    def __init__(self):
        self.waiting = []

    def title(self, text):
        Window.status = text

    def after(self, milliseconds, call, *arguments):
        self.waiting.append((call, arguments))

    def mainloop(self):
        dice = random.Random(5)
        while self.waiting or table.moves and len(played) < PLIES:
            if self.waiting:
                call, arguments = self.waiting.pop(0)
                arguments[0].join()
                call(*arguments)
                continue
            Window.wanted = dice.choice(table.moves)
            for point in re.findall("[a-z][0-9]+", Window.wanted):
                x, y = place(point)
                Window.clicked(types.SimpleNamespace(x=x + dice.uniform(-20, 20), y=y + dice.uniform(-20, 20),
                                                     x_root=0, y_root=0))


def place(point):
    """Where a point is drawn: the circles come in the order of the points."""
    return Window.canvas.circles[list(table.points).index(point)][:2]


class Table(gui.Table):
    def play(self, move):
        played.append(move)
        super().play(move)


sys.modules["tkinter"] = types.SimpleNamespace(Tk=Window, Canvas=Canvas, Menu=Menu)
played, table = [], Table(sys.argv[1], sys.argv[3:])
gui.show(table, sys.argv[2], "nodes 200")
print(" ".join(played))
print(Window.status)
print(len(Window.canvas.lines), len(Window.canvas.circles), sum(circle[2] == 22 for circle in Window.canvas.circles))
