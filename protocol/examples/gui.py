#!/usr/bin/env python3
"""A window for an engine: gui.py VARIANT SIDE ENGINE …, where SIDE is yours. docs/GUI_AUTHORS.md walks through it."""
import re, subprocess, sys, threading


class Table:
    """A game as it lies on the table. It knows no rules, and no window either."""

    def __init__(self, variant, engine):
        self.engine = subprocess.Popen(engine, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.ask("variant " + variant)
        board = [line.split() for line in self.ask("geometry").splitlines()]
        self.points = {words[1]: (float(words[2]), float(words[3])) for words in board if words[0] == "point"}
        self.lines = [words[1:] for words in board if words[0] == "line"]
        self.look()

    def ask(self, request):
        print(request, file=self.engine.stdin, flush=True)
        answer = ""
        while (line := self.engine.stdout.readline()).strip():  # up to the empty line, or the end
            answer += line
        if not answer.startswith("="):
            raise RuntimeError(f"{request}: {answer}")
        return answer[1:].strip()

    def look(self):
        """Takes the pieces, the legal moves and the status from the engine."""
        cells = re.sub("[0-9]+", lambda run: "." * int(run[0]), self.ask("fen").split()[0]).replace("/", "")
        self.pieces = dict(zip(sorted(self.points, key=lambda point: (-int(point[1:]), point[0])), cells))
        self.moves, self.clicked, self.status = self.ask("legal_moves").split(), [], self.ask("status")

    def play(self, move):
        self.ask("play " + move)
        self.look()

    def click(self, point):
        """Plays the move that the points clicked so far mean, if it is one. Gives all that they mean."""
        paths = {move: re.findall("[a-z][0-9]+", move) for move in self.moves}
        for self.clicked in (self.clicked + [point], [point], []):  # a click that does not fit begins anew
            if any(path[:len(self.clicked)] == self.clicked for path in paths.values()):
                break
        meant = [move for move, path in paths.items() if path == self.clicked]
        if len(meant) == 1:
            self.play(meant[0])
        return meant


def show(table, side, limits="time 1000"):
    import tkinter
    window, top = tkinter.Tk(), max(y for _, y in table.points.values())
    place = {point: (80 * x - 20, 80 * (top - y) + 60) for point, (x, y) in table.points.items()}
    canvas = tkinter.Canvas(window, width=520, height=80 * top + 40, background="wheat")

    def draw():
        canvas.delete("all")
        for line in table.lines:
            canvas.create_line([place[point] for point in line], width=2)
        for point, (x, y) in place.items():
            radius, colour = {"G": (26, "white"), "r": (22, "black"), ".": (5, "black")}[table.pieces[point]]
            canvas.create_oval(x - radius, y - radius, x + radius, y + radius, fill=colour, width=3,
                               outline="red" if point in table.clicked else "black")
        window.title(table.status)
        if table.status.endswith("to move") and not table.status.startswith(side):
            watch(threading.Thread(target=lambda: table.play(table.ask("go " + limits).split()[-1])))

    def watch(thinking):  # only this thread may draw, and it must not wait
        if thinking.ident is None:
            thinking.start()
        window.after(50, watch, thinking) if thinking.is_alive() else draw()

    def clicked(event):
        if table.status == side + " to move":
            meant = table.click(min(place, key=lambda at: (place[at][0] - event.x)**2 + (place[at][1] - event.y)**2))
            menu = tkinter.Menu(window, tearoff=False)
            for move in meant if len(meant) > 1 else []:
                menu.add_command(label=move, command=lambda move=move: (table.play(move), draw()))
            draw() if len(meant) < 2 else menu.tk_popup(event.x_root, event.y_root)

    canvas.bind("<Button-1>", clicked)
    canvas.pack()
    draw()
    window.mainloop()


if __name__ == "__main__":
    show(Table(sys.argv[1], sys.argv[3:]), sys.argv[2])
