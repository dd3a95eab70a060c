"""Plays on the page by clicks, in a headless Chromium: page_session.py PRIVY [PAGE] [--shots FOLDER | --pictures FOLDER].

PAGE is the file that needs no program behind it; without it PRIVY serves the page. Ends with status 0 on success, with 77 without
Chromium or its driver, and otherwise with the reason.
"""
import argparse, concurrent.futures, json, pathlib, random, re, signal, socket, subprocess, sys, tempfile, time, urllib.error, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "protocol" / "python"))
from browser import Browser, programs, send, status_of
from privy_engine import Engine, Game

QUICK = "100"  # ms for a move of the engine


def recorded(page, form):
    """The game that is shown, as the page saves it."""
    return page.do("execute/async", {"script": "const [form, done] = arguments; recordAs(form).then(done, done)", "args": [form]})


class Table:
    """A game on the page."""

    def __init__(self, browser):
        self.browser, self.lot, self.seen = browser, random.Random(1), set()

    def ready(self):
        return self.browser.wait("a person's turn, or the end", "return state.drawn === state.turn && !state.thinking && (canMove() || !isOn(state.status)) && [state.fen, state.at.ply, state.status, state.legal]")

    def new_game(self, game, you, level="10", handicap="0"):
        page = self.browser
        page.click("#new")
        page.wait("the dialog", "return document.querySelector('#game').open && document.querySelector('#preview li') !== null && !document.querySelector('#start').disabled")
        page.run("document.querySelector(`input[name=game][value=${arguments[0]}]`).click()", game)
        page.wait("the rules", "return picked?.id === arguments[0]", game)
        page.choose("#new-you", you)
        page.choose("#new-level", level)
        page.choose("#handicap", handicap)
        before = page.run("return state.turn")
        page.click("#start")
        page.wait("the new game", "return state.turn > arguments[0] && state.drawn === state.turn && state.variant.id === arguments[1] && state.at.ply < 2", before, game)
        page.choose("#time", QUICK)
        self.ready()

    def begin(self, game):
        """A game of two persons, without the dialog."""
        self.browser.do("execute/async", {"script": "const [game, done] = arguments; readGame(game).then(read => begin(read, { seats: { general: 0, rebels: 0 } })).then(() => { setSeats(state.seats); done(); })", "args": [game]})
        self.ready()

    def set_up(self, fen):
        self.ready()
        self.browser.run("document.querySelector('#position').open = true; document.querySelector('#fen').value = arguments[0]", fen)
        self.browser.click("#set")
        self.browser.wait("the position", "return state.fen.startsWith(arguments[0]) && state.at === state.root && state.drawn === state.turn", fen)
        self.ready()

    def moves(self):
        return self.browser.run("return movesTo(state.at)")

    def play(self, move, by_mouse=True):
        """Plays a legal move by clicks on its points, and selects it in the dialog if it is ambiguous."""
        page, points = self.browser, move["ways"][0]
        before = page.run("return state.at.ply")
        if by_mouse:
            page.point(points[0])
            if len(points) > 1:
                page.wait(f"the target of {move['text']}", "return targets().has(arguments[0])", points[1])
            for point in points[1:]:
                page.point(point)
        else:
            page.taps(points)
        goes_on, labels = page.run("return [state.picked.join() === arguments[0] && targets().size > 0, document.querySelector('#choose').open && [...document.querySelectorAll('#choices button')].map(one => one.textContent)]", ",".join(points))
        if goes_on:
            page.point(points[-1])  # a chain stops where it may go on
        if labels:
            self.seen.add("question")
            page.click(f"#choices button:nth-child({[label.split()[-1] for label in labels].index(move['text']) + 1})")
        page.wait(f"{move['text']} on the board", "return movesTo(state.at)[arguments[0]] === arguments[1]", before, move["text"])
        self.seen.add(move["kind"])
        if len(points) > 2 and len(move["ways"]) == 1:
            self.seen.add("chain")

    def play_to_the_end(self, most=400):
        """Takes what it can and else plays at random, to the end: the first moves, and the first of each kind, by the mouse."""
        for at in range(most):
            status, legal = self.ready()[2:]
            if not legal:
                return status
            rare = [move for move in legal if move["kind"] != "step" and move["kind"] not in self.seen]
            takes = [move for move in legal if move["takes"]]
            self.play(self.lot.choice(rare or takes or legal), at < 4 or bool(rare))
        raise SystemExit("the game does not end")


def complete_games(page, table, quick):
    page.size(900, 500)
    # Sides and levels with which a game is soon over.
    games = [("hare-and-hounds", "rebels", 3), ("monk-and-water", "rebels", 3), ("sixteen-rebels", "general", 3), ("juroku-musashi", "general", 5),
             ("kings-gonu", "general", 8), ("subjugatio-intervention", "general", 3), ("komikan", "general", 1), ("fox-and-geese-13", "general", 1)]
    for game, you, level in games[:2] if quick else games:
        table.new_game(game, you, level=str(level))
        print(game, table.play_to_the_end(), page.run("return state.at.ply"), "plies", flush=True)


def rare_moves(page, table):
    """A chain landing by landing, a slide against a free jump, a take without moving; a chain that may stop at any landing."""
    table.begin("sixteen-rebels")
    for fen, text in [("3/3/5/1rr2/2G2/5/rr3 g - 0 0 juroku-musashi", None), ("5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu", "c3~b3"), ("5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu", "c3-b3"),
                      ("1/3/5/2r2/1rGr1/2r2/5/5/5/1r3/rrrrr g - 0 0 subjugatio-intervention", "c7:b7d7")]:
        table.set_up(fen)
        legal = page.run("return state.legal")
        chosen = [move for move in legal if (move["text"] == text if text else len(move["ways"][0]) > 2)]
        assert chosen, (fen, legal)
        table.play(chosen[0])
    missing = {"question", "chain", "free_jump", "take", "step", "jump"} - table.seen
    assert not missing, missing
    for text in ["c3xc5xe5", "c3xc5"]:
        table.set_up("3/3/3r1/2r2/2G2/5/rrrrr g - 0 0 komikan")
        points = text.split("x")
        for point in points:
            page.point(point)
        if text == "c3xc5":
            page.wait("the next landing is offered", "return targets().size > 0 && state.at === state.root")
            page.point(points[-1])
        page.wait(f"{text} played", "return movesTo(state.at)[0] === arguments[0]", text)
    table.set_up("1/3/5/2r2/1rGr1/2r2/5/5/5/1r3/rrrrr g - 0 0 subjugatio-intervention")
    page.run("state.arrows = ['c7:b7d7']; draw()")
    assert page.run("return document.querySelectorAll('#above .arrow').length") == 2, "a take without moving has an arrow to each Rebel"


def story(page, table):
    """Drag, take back, back and forth, branches, comments, hint, keys."""
    table.new_game("sixteen-rebels", "both")
    page.click('[data-point="c3"] .hit', to='[data-point="b2"] .hit')
    page.wait("the dragged move", "return state.at.move === 'c3-b2' && state.pieces.get('c1') === '.' && state.drawn === state.turn")
    assert "c1" in page.run("return document.querySelector('#moves').textContent"), "the list shows captures"
    page.click("#back")
    page.wait("the opening", "return state.at === state.root && state.drawn === state.turn")
    page.point("c3"); page.point("c2")
    page.wait("a branch", "return state.at.move === 'c3-c2' && state.root.children.length === 2 && document.querySelector('.branches') !== null")
    page.click("#promote")
    page.wait("the main line", "return state.root.children[0].move === 'c3-c2'")
    page.run("document.querySelector('#comment').value = 'a bold start'; document.querySelector('#comment').dispatchEvent(new Event('input'))")
    page.keys("\ue012")  # left
    page.wait("back by key", "return state.at === state.root")
    page.keys("\ue014")  # right
    page.wait("forth by key", "return state.at.move === 'c3-c2' && document.querySelector('#comment').value === 'a bold start'")
    page.click("#undo")
    page.wait("no move", "return state.at === state.root && state.root.children.length === 2 && state.pieces.get('c1') === 'r' && state.drawn === state.turn")
    page.click("#hint")
    page.wait("a hint", "return state.arrows.length === 1 && document.querySelectorAll('.arrow').length >= 1")
    page.run("setFocus('c3', true)")
    page.keys("\ue007", "\ue012", "\ue007")  # Enter, left, Enter
    page.wait("the move by keys", "return state.at.move === 'c3-b3' && state.drawn === state.turn")
    page.wait("the General on b3 for readers", "return document.querySelector('[data-point=\"b3\"]').getAttribute('aria-label').startsWith('b3: General')")
    page.click("#analyse")
    page.wait("values", "return state.values.size > 3 && !document.querySelector('#bar').classList.contains('unknown')")
    page.click("#why")
    page.wait("an explanation", "return document.querySelector('#explained').textContent.length > 20")
    page.click("#analyse")
    page.wait("no analysis", "return !state.analysing && !engine.streaming")
    # Switched off before it has begun, it never begins.
    page.run("state.analysing = true; analyse(state.turn); toggleAnalysis()")
    script = "const done = arguments[0]; setTimeout(() => done(engine.streaming), 500)"
    assert page.do("execute/async", {"script": script, "args": []}) is None


def hint_left(page, table):
    """Who goes on while the engine looks for a hint does not wait for it."""
    table.begin("sixteen-rebels")
    script = "const done = arguments[0]; hint(); setTimeout(async () => { const begun = performance.now(); await show(state.root); done(performance.now() - begun); }, 300)"
    # Other programs may keep all cores busy for a moment.
    assert min(page.do("execute/async", {"script": script, "args": []}) for _ in range(3)) < 500
    assert page.run("return state.arrows.length === 0 && !state.asking")


def taken_back(page, table):
    """Take back removes nothing: what follows is a branch of the next move, and the step itself can be undone."""
    table.begin("sixteen-rebels")
    for move in ["c3-c2", "b5-b4", "c2-c3"]:
        table.play({"text": move, "ways": [move.split("-")], "kind": "step"}, by_mouse=False)
    page.run("state.at.comment = 'a retreat'; document.querySelector('#moves button').click()")
    page.wait("the first move", "return state.at.ply === 1 && state.drawn === state.turn")
    page.keys("u")
    page.wait("the opening with all moves", "return state.at === state.root && state.drawn === state.turn && mainLine().length === 3 && !document.querySelector('#redo').hidden")
    page.click("#redo")
    page.wait("the first move again", "return state.at.move === 'c3-c2' && state.drawn === state.turn && document.querySelector('#redo').hidden")
    page.keys("u")
    page.wait("the opening again", "return state.at === state.root && state.takenBack && state.drawn === state.turn")
    table.play({"text": "c3-b3", "ways": [["c3", "b3"]], "kind": "step"})
    assert page.run("return state.root.children.map(one => one.move)") == ["c3-b3", "c3-c2"]
    assert page.run("return lastOf(state.root.children[1]).comment") == "a retreat"


def drag(page, table):
    """The piece is under the pointer while it is dragged; readers meet the points in the same order before and after a move is shown."""
    table.begin("sixteen-rebels")
    page.media(still=False)
    order = "return [...document.querySelectorAll('#points .point')].map(one => one.dataset.point).join()"
    before = page.run(order)
    middle = "const box = document.querySelector(`[data-point=${arguments[0]}] .hit`).getBoundingClientRect(); return [Math.floor(box.x + box.width / 2), Math.floor(box.y + box.height / 2)]"
    (x, y), (to_x, to_y) = page.run(middle, "c3"), page.run(middle, "b2")
    move = lambda x, y: {"type": "pointerMove", "duration": 0, "x": x, "y": y}
    act = lambda *steps: page.do("actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]})
    act(move(x, y), {"type": "pointerDown", "button": 0}, move(x - 20, y + 30))
    box = page.run("const box = document.querySelector('#carried .piece').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]")
    assert abs(box[0] - x + 20) < 3 and abs(box[1] - y - 30) < 3, (box, x, y)
    act(move(to_x, to_y), {"type": "pointerUp", "button": 0})
    page.wait("the dragged move", "return state.at.move === 'c3-b2' && state.drawn === state.turn && !document.querySelector('#carried').children.length")
    table.play({"text": "c5-c4", "ways": [["c5", "c4"]], "kind": "step"})
    page.wait("the move", "return state.at.ply === 2 && state.drawn === state.turn && !document.querySelector('#carried').children.length")
    assert page.run(order) == before
    page.media()


def old_browser(page):
    """A browser that lacks something, or cannot read the script, says so."""
    for lack in ["delete window.TextDecoderStream; delete window.DecompressionStream", "Object.defineProperty(window, 'state', { value: 1 })"]:
        watch = page.cdp("Page.addScriptToEvaluateOnNewDocument", source=lack)
        page.do("refresh", {})
        page.wait("the message", "const one = document.querySelector('#gone'); return !one.hidden && one.textContent.startsWith('This browser')")
        page.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=watch["identifier"])
        page.errors()
    page.do("refresh", {})
    page.wait("the page", "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn")


def clicks_while_analysing(page, table, quick):
    """During an analysis every click in the list arrives and keeps the focus; Hint and Why? leave the analysis running."""
    table.begin("sixteen-rebels")
    for move in ["c3-c2", "b5-b4", "c2-c3", "b4-b5"]:
        table.play({"text": move, "ways": [move.split("-")], "kind": "step"}, by_mouse=False)
    page.click("#analyse")
    for ply in [1, 3] if quick else [1, 3, 2, 4, 1, 2]:
        page.wait("reports", "return state.values.size > 0 && engine.streaming")
        page.run("window.reports = 0; new MutationObserver(() => { reports += 1; }).observe(document.querySelector('#lines'), { childList: true })")
        x, y = page.run("const box = document.querySelectorAll('#moves button')[arguments[0]].getBoundingClientRect(); return [Math.floor(box.x + 9), Math.floor(box.y + 9)]", ply - 1)
        press = lambda kind: page.do("actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [{"type": "pointerMove", "duration": 0, "x": x, "y": y}, {"type": kind, "button": 0}]}]})
        press("pointerDown")
        page.wait("a report while the button is down", "return reports > 0")
        press("pointerUp")
        page.wait(f"ply {ply}", "return state.at.ply === arguments[0] && state.drawn === state.turn", ply)
        page.wait("its reports", "return state.values.size > 0")
        assert page.run("return document.activeElement.getAttribute('aria-current')") == "step"
    for button in ["hint", "why"]:
        page.run("document.querySelector('#note').textContent = ''; document.querySelector('#explained').textContent = ''")
        page.click(f"#{button}")
        page.wait(f"the answer to {button}", "return (document.querySelector('#note').textContent + document.querySelector('#explained').textContent).length > 20")
        page.wait("the analysis again", "return engine.streaming && state.analysing && state.values.size > 0")
    page.click("#analyse")


def still_buttons(page):
    """No button moves under the pointer while the engine thinks."""
    places = "return [...document.querySelectorAll('header button')].filter(one => one.id !== 'now').map(one => [one.id, one.getBoundingClientRect().x, one.getBoundingClientRect().y])"
    for width in [1280, 800, 360]:
        page.size(width, 800)
        rest, thinking = [page.run(f"state.thinking = {value}; buttons(); {places}") for value in ("true", "false")]
        assert rest == thinking, (width, rest, thinking)
    page.size(1280, 800)


def phone(page, table):
    """By touch on a small screen: the board scrolls the page, pieces move, what the engine says and New game are on the screen."""
    page.cdp("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=True)
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    table.begin("sixteen-rebels")
    rows = page.run("return new Set([...document.querySelectorAll('header button')].filter(one => one.id !== 'now').map(one => Math.round(one.getBoundingClientRect().y))).size")
    assert rows == 2, rows
    place = lambda name: page.run("const box = document.querySelector(`[data-point=${arguments[0]}] .hit`).getBoundingClientRect(); return [Math.floor(box.x + box.width / 2), Math.floor(box.y + box.height / 2)]", name)
    def touch(first, *others):
        move = lambda at: {"type": "pointerMove", "duration": 50, "x": at[0], "y": at[1]}
        steps = [move(first), {"type": "pointerDown", "button": 0}, *map(move, others), {"type": "pointerUp", "button": 0}]
        page.do("actions", {"actions": [{"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": steps}]})

    touch(place("c3"))
    page.wait("the General chosen", "return state.picked.join() === 'c3'")
    touch(place("c2"))
    page.wait("the move by touch", "return state.at.move === 'c3-c2' && state.drawn === state.turn")
    (x, y), to = place("b5"), place("b4")
    touch((x, y), (x, y + 12), to)
    page.wait("the dragged piece", "return state.at.move === 'b5-b4' && state.drawn === state.turn && scrollY === 0")
    x, y = place("b3")
    touch((x, y), (x, y - 40), (x, y - 200))
    page.wait("the page scrolled by the board", "return scrollY > 100")
    page.run("scrollTo(0, 0)")
    is_seen = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return box.height > 20 && box.top >= 0 && box.bottom <= innerHeight"
    for button, place_of in [("#hint", "#note"), ("#why", "#explained"), ("#analyse", "#lines li")]:
        page.run("note(''); document.querySelector(arguments[0]).click()", button)
        page.wait(f"what {button} says, on the screen", f"return document.querySelector(arguments[0])?.textContent.length > 5 && (() => {{ {is_seen} }})()", place_of)
        page.run("scrollTo(0, 0)")
    page.run("document.querySelector('#analyse').click()")
    page.click("#new")
    page.wait("the cards", "return document.querySelector('#game').open && !document.querySelector('#start').disabled")
    seen = page.run("const list = document.querySelector('#catalogue').getBoundingClientRect(); return [...document.querySelectorAll('.card')].filter(one => one.getBoundingClientRect().bottom <= list.bottom).length")
    assert seen >= 9 and page.run(is_seen, "#start"), seen
    page.click("#start")
    page.wait("a new game", "return !document.querySelector('#game').open && state.at === state.root && state.drawn === state.turn")
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=False)
    page.size(1280, 800)


def for_people(page, table):
    """Why? names no file and no command; Solve is offered where it works."""
    for game, reason, is_solvable in [("sixteen-rebels", "is not solved", True), ("fox-and-geese-17", "cannot be solved", False)]:
        table.begin(game)
        assert page.run("return document.querySelector('#solve').disabled") != is_solvable
        page.run("document.querySelector('#explained').textContent = ''")
        page.click("#why")
        text = page.wait("an explanation", "return document.querySelector('#explained').textContent")
        assert reason in text and "privy" not in text and "/" not in text, text


def keyboard(page, table):
    """A new game, its moves, and a step back without a pointer."""
    arrows = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
    way = """
      const [goal] = arguments, from = board.focus, ways = new Map([[from, []]]);
      // A map also visits what is added on the way.
      for (const [point, keys] of ways) {
        for (const key of Object.keys(DIRECTIONS)) {
          board.focus = point;
          const next = neighbour(key);
          if (next && !ways.has(next)) ways.set(next, [...keys, key]);
        }
      }
      board.focus = from;
      return ways.get(goal) || null;"""
    page.run("document.activeElement.blur(); document.querySelector('#new').focus()")
    page.keys("\ue007")
    page.wait("the dialog", "return document.querySelector('#game').open && document.activeElement.name === 'game' && !document.querySelector('#start').disabled")
    before = page.run("return state.turn")
    page.keys("\ue007")
    page.wait("the new game", "return state.turn > arguments[0] && state.at.ply < 2", before)
    table.ready()
    page.run("setFocus(board.focus, true)")
    for _ in range(6):
        table.ready()
        legal = page.run("return state.legal")
        if not legal:
            break
        ply, move = page.run("return state.at.ply"), table.lot.choice([move for move in legal if len(move["ways"][0]) == 2] or legal)
        for point in move["ways"][0]:
            keys = page.run(way, point)
            assert keys is not None, f"no way of arrow keys to {point}"
            page.keys(*[arrows[key] for key in keys], "\ue007")
        if page.run("return document.querySelector('#choose').open"):
            page.keys("\ue007")
        page.wait("the move by keys", "return state.at.ply > arguments[0]", ply)
    table.ready()
    page.run("document.querySelector('#back').focus()")
    ply = page.run("return state.at.ply")
    page.keys("\ue007")
    page.wait("a step back", "return state.at.ply === arguments[0] - 1", ply)


def quick_clicks(privy, page, table):
    """What the engine has not accepted is never in the list."""
    table.begin("sixteen-rebels")
    for _ in range(10):
        page.run("for (const point of ['c3', 'c2', 'c3', 'b2', 'a2', 'a3', 'c2', 'c3']) choose(point)")
    table.ready()
    check_list(privy, page, table)


def random_clicks(privy, page, table, games):
    """Games by clicks on random points at machine speed, on the page itself: the list is always one of legal moves."""
    script = """
      const [game, seed, done] = arguments;
      let lot = seed;
      const random = count => (lot = (lot * 48271) % 2147483647) % count;
      (async () => {
        await begin(await readGame(game), { seats: { general: 0, rebels: 0 } });
        const names = [...board.points.keys()];
        for (let click = 0; click < 600 && isOn(state.status) && state.at.ply < 12; click++) {
          choose(random(3) && state.picked.length && targets().size ? [...targets().keys()][random(targets().size)] : names[random(names.length)]);
          if (document.querySelector('#choose').open) document.querySelector('#choices button').click();
          const clicks = random(6);
          if (clicks === 0) await new Promise(done => setTimeout(done, 0));
          if (clicks > 2) while (state.drawn !== state.turn) await new Promise(done => setTimeout(done, 0));
        }
        while (state.drawn !== state.turn) await new Promise(done => setTimeout(done, 5));
        done([state.first, movesTo(state.at), state.fen]);
      })();"""
    names = ["sixteen-rebels", "komikan", "kings-gonu", "subjugatio-intervention", "hare-and-hounds", "adugo", "fox-and-geese-13", "juroku-musashi"]
    played = [page.do("execute/async", {"script": script, "args": [names[at % len(names)], at + 1]}) for at in range(games)]
    with Engine.open([privy]) as engine:
        for first, moves, fen in played:
            assert engine.position(Game(opening=first, moves=moves)) == fen, (first, moves, fen)
    print(games, "random games,", sum(len(moves) for _, moves, _ in played), "plies", flush=True)


STORM = """
  const [seed, done] = arguments;
  let lot = seed;
  const random = count => (lot = (lot * 48271) % 2147483647) % count, names = [...board.points.keys()], faults = [];
  const press = one => { if (one && !one.disabled && !one.hidden) one.click(); };
  const actions = [
    ...Array(5).fill(() => choose(random(3) && state.picked.length && targets().size ? [...targets().keys()][random(targets().size)] : names[random(names.length)])),
    () => { const all = document.querySelectorAll("#moves button"); press(all[random(all.length || 1)]); },
    () => press($(["back", "forth", "first", "end", "undo", "redo", "promote"][random(7)])), () => press($("analyse")), () => press($("hint")),
  ];
  const check = what => {
    for (const group of $("points").children) {
      const piece = group.querySelector(".piece"), shown = !piece ? "." : piece.classList.contains("general") ? "G" : "r";
      if (shown !== readPieces(state.fen).get(group.dataset.point)) faults.push(`${what}: ${group.dataset.point} on the board`);
    }
    const current = document.querySelector("#moves [aria-current]"), kept = stored(`game${state.root.kept}`);
    if (state.at.parent ? !current?.textContent.startsWith(moveText(state.at)) : current) faults.push(`${what}: the list`);
    // A second tab has gone on with the game until this one writes again.
    if (isMine(state.root.kept) && keptMoves(kept).join() !== movesTo(state.at).join()) faults.push(`${what}: what is kept`);
  };
  (async () => {
    for (let step = 0; step < 12; step++) {
      const action = actions[random(actions.length)];
      action();
      if (document.querySelector("#choose").open) document.querySelector("#choices button").click();
      if (random(3)) { while (state.drawn !== state.turn) await new Promise(done => setTimeout(done, 2)); check(`${seed}, step ${step}, ${action}`); }
    }
    while (state.drawn !== state.turn) await new Promise(done => setTimeout(done, 2));
    check(`${seed}, at the end`);
    done([faults, state.fen, movesTo(state.at)]);
  })();"""


def storms(privy, page, table, games):
    """Random clicks on board, list and buttons, with a reload, the back button, a second tab and an analysis that runs: board, list and the kept game
    agree at every step, and with the engine."""
    names = ["sixteen-rebels", "komikan", "kings-gonu", "hare-and-hounds", "adugo", "juroku-musashi"]
    played = []

    def storm(seed):
        faults, fen, moves = page.do("execute/async", {"script": STORM, "args": [seed]})
        assert not faults, faults
        played.append((page.run("return state.first"), moves, fen))
        return fen

    there = "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn && state.fen === arguments[0]"
    for game in range(games):
        table.begin(names[game % len(names)])
        storm(3 * game + 1)
        # Browsers allow some hundred changes of the address in ten seconds.
        time.sleep(0.3)
        fen = storm(3 * game + 2)
        if game % 3 == 0:
            page.do("refresh", {})
        elif game % 3 == 1:
            page.do("url", {"url": "about:blank"})
            page.do("back", {})
        else:
            first, link = page.do("window"), page.run("return location.href")
            page.do("window", {"handle": page.do("window/new", {"type": "tab"})["handle"]})
            page.do("url", {"url": link})
            page.wait("the game in a second tab", there, fen)
            storm(3 * game + 1000)
            page.call(f"/session/{page.session}/window", method="DELETE")
            page.do("window", {"handle": first})
        page.wait("the same game", there, fen)
        storm(3 * game + 3)
    page.run("if (state.analysing) toggleAnalysis()")
    with Engine.open([privy]) as engine:
        for first, moves, fen in played:
            assert engine.position(Game(opening=first, moves=moves)) == fen, (first, moves, fen)
    print(games, "games with storms", flush=True)


def check_list(privy, page, table):
    moves, first = table.moves(), page.run("return state.first")
    with Engine.open([privy]) as engine:
        assert moves and engine.position(Game(opening=first, moves=moves)).ply > 0, moves


def set_up_stones(privy, page, table, folder):
    """SGF with stones: what the page writes, with what stones do not show, and what others write, as the program reads it."""
    table.begin("kings-gonu")
    table.set_up("5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu")
    table.play(page.run("return state.legal.find(move => move.kind === 'step')"))
    table.ready()
    first, moves = page.run("return [state.first, movesTo(state.at)]")
    page.choose("#kind", "sgf")
    page.click("#save")
    written, texts = folder / "kings-gonu.sgf", {}
    for _ in range(600):
        if written.exists() and written.stat().st_size:
            break
        time.sleep(0.05)
    texts["written.sgf"] = written.read_text()
    texts["changed.sgf"] = "(;FF[4]SZ[7]RU[sixteen-rebels]AE[ac:ec]AB[cd];PL[W]W[ce]W[de])"
    texts["whole.sgf"] = "(;FF[4]SZ[7]RU[juroku-musashi]AW[cg]AB[ac:bd][ee]PL[B])"
    texts["begun.sgf"] = "(;FF[4]SZ[7]RU[sixteen-rebels]AE[bc]PB[a \\] b];B[ac]B[bc])"
    for name, text in texts.items():
        (folder / name).write_text(text)
        replayed = subprocess.run([privy, "board", "--game", folder / name, "--json"], capture_output=True, text=True)
        assert replayed.returncode == 0, (name, replayed)
        page.file("#file", folder / name)
        page.wait(f"{name} as the program reads it", "return state.fen === arguments[0] && state.drawn === state.turn", json.loads(replayed.stdout)["position"])
        table.begin("hare-and-hounds")
    page.file("#file", folder / "written.sgf")
    page.wait("the position that was written", "return state.first === arguments[0] && movesTo(state.at).join() === arguments[1]", first, ",".join(moves))


def annotated(privy, page, table, folder):
    """Comments, glyphs and branches of a file are shown, and come back in every form as the program reads them."""
    def moves_of(path):
        replayed = subprocess.run([privy, "replay", path, "--to", "json"], capture_output=True, text=True)
        assert replayed.returncode == 0, (path, replayed)
        record = json.loads(replayed.stdout)
        return record.get("comment"), record["moves"]

    record = folder / "annotated.txt"
    moves_text = ('[Variant "coyote"]\n[Round "1"]\n\n{Two \\{old\\}\n friends \\u{4e2d}} 1. a3-a4! {\\u{3d}} (1. d2-d3 $6 {a [b] c}\n2. c3-c4 (2. c3-d4)) 2. c3-c4 *\n')
    record.write_text(moves_text)
    table.begin("kings-gonu")
    page.file("#file", record)
    page.wait("the branches", "return state.variant.id === 'coyote' && state.root.children.length === 2 && state.drawn === state.turn")
    assert page.run("return [state.root.comment, state.at.ply, state.root.children[0].comment, state.root.children[1].glyph, state.root.children[1].children.length]") == ["Two {old} friends 中", 2, "=", "?!", 2]
    assert page.run("return [...document.querySelectorAll('#moves button')].some(one => one.textContent.startsWith('a3-a4!'))")
    expected = moves_of(record)
    for kind in ["txt", "json", "sgf"]:
        written = folder / f"coyote.{kind}"
        page.choose("#kind", kind)
        page.click("#save")
        for _ in range(600):
            if written.exists() and written.stat().st_size:
                break
            time.sleep(0.05)
        assert moves_of(written) == expected, kind
        table.begin("kings-gonu")
        page.file("#file", written)
        page.wait(f"the branches as {kind}", "return state.variant.id === 'coyote' && state.root.children.length === 2 && state.root.comment && state.drawn === state.turn")
    # A comment may look like a line of the file of a game.
    record.write_text('[Variant "coyote"]\n\n1. a3-a4 {My opening\ntitle = "The bold start"} *\n')
    page.file("#file", record)
    page.wait("the comment", "return state.at.comment === 'My opening title = \"The bold start\"' && state.drawn === state.turn")
    record.write_text(moves_text)
    page.file("#file", record)
    page.wait("the branches again", "return state.variant.id === 'coyote' && state.root.children.length === 2 && state.drawn === state.turn")
    before = page.run("return [state.fen, state.at.ply]")
    record.write_text('[Variant "coyote"]\n\n1. a3-a4 (1. d2-d3 2. a1-a9) *\n')
    page.file("#file", record)
    page.wait("an illegal branch is refused", "return document.querySelector('#note').textContent.includes('a9') && state.drawn === state.turn")
    assert page.run("return [state.fen, state.at.ply]") == before


def files(privy, page, table, folder):
    """Records as text, SGF and JSON, several games, what `match` writes; games of one's own; what is refused changes nothing."""
    fen = page.run("return state.fen")
    page.run("document.querySelector('#position').open = true; document.querySelector('#fen').value = '1/3 g'")
    page.click("#set")
    page.wait("the reason", "return document.querySelector('#note').textContent.startsWith('illegal position')")
    assert page.run("return state.fen") == fen

    table.begin("juroku-musashi")
    for _ in range(6):
        table.ready()
        table.play(page.run("return state.legal")[0])
    table.ready()
    moves, fen = table.moves(), page.run("return state.fen")
    page.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    for kind in ["txt", "json", "sgf", "svg"]:
        page.choose("#kind", kind)
        page.click("#save")
        record = folder / f"juroku-musashi.{kind}"
        for _ in range(600):
            if record.exists() and record.stat().st_size:
                break
            time.sleep(0.05)
        if kind == "svg":
            assert record.read_text().startswith("<svg"), "a picture"
            continue
        replayed = subprocess.run([privy, "board", "--game", record, "--json"], capture_output=True, text=True)
        assert replayed.returncode == 0 and json.loads(replayed.stdout)["position"] == fen, (kind, replayed, fen)
        table.begin("kings-gonu")
        page.file("#file", record)
        page.wait(f"the record as {kind}", "return movesTo(state.at).join() === arguments[0] && state.fen === arguments[1]", ",".join(moves), fen)

    set_up_stones(privy, page, table, folder)
    annotated(privy, page, table, folder)
    match = folder / "match.txt"
    subprocess.run([privy, "match", "--engine", f"cmd={privy}", "--engine", f"cmd={privy}", "--variant", "hare-and-hounds", "--games", "2", "--nodes", "500", "--record", match, "--file", folder / "match.jsonl"], check=True, capture_output=True)
    for file in [folder / "match.jsonl", match]:
        page.file("#file", file)
        page.wait("the games of the file", "return document.querySelector('#which').open && document.querySelectorAll('#games button').length === 2")
        if file != match:
            page.run("document.querySelector('#which').close()")
    page.click("#games button:nth-child(2)")
    page.wait("the second game", "return state.variant.id === 'hare-and-hounds' && state.at.ply > 3 && state.drawn === state.turn")
    table.ready()
    check_list(privy, page, table)

    title = "Der \\\"kleine\\\" Drache \\U0001F409"
    own = folder / "mine.toml"
    own.write_text(f'id = "mine"\nextends = "monk-and-water"\ntitle = "{title}"  # a comment\nnames = {{ general = "Drache", rebels = "Ritter" }}\n', encoding="utf-8")
    page.file("#file", own)
    page.wait("a game of one's own", "return state.variant.id === 'mine' && document.querySelector('#title').textContent === 'Der \"kleine\" Drache \U0001F409' && state.drawn === state.turn")
    told = page.run("return [document.querySelector('#status').textContent, document.querySelector('[data-point=c1]').getAttribute('aria-label'), document.querySelector('#you').textContent]")
    assert told[0] in ("Drache to move", "Ritter to move") and told[1].startswith("c1: Ritter") and told[2].startswith("DracheRitter"), told
    table.begin("sixteen-rebels")
    table.new_game("mine", "rebels", level="2")
    table.play(page.run("return state.legal")[0])
    table.ready()
    assert page.run("return state.at.ply") >= 2 or page.run("return !isOn(state.status)")

    before = page.run("return [state.fen, state.at.ply]")
    for name, content in [("no.txt", "what is this"), ("long.txt", "[Variant \"sixteen-rebels\"]\n\n" + "c3-b3 " * 50_000), ("bad.toml", "id = \"x\"\nextends = \"nope\"\n"),
                          ("tab.txt", "[Variant \"sixteen-rebels\"]\n[Opening \"a\tb\"]\n\n1. c3-b2\n*\n"), ("deep.json", "[" * 100_000), ("illegal.txt", "[Variant \"sixteen-rebels\"]\n\n1. c3-c9\n*\n")]:
        path = folder / name
        path.write_text(content, encoding="utf-8")
        page.run("note('')")
        page.file("#file", path)
        page.wait(f"{name} is refused", "return document.querySelector('#note').textContent !== '' && state.drawn === state.turn && document.querySelector('#gone').hidden")
        assert page.run("return [state.fen, state.at.ply]") == before, name


def custom_games(page, table, folder, shots):
    """A game of one's own from the template, changed, listed by its title, carried in a link and deleted; a game and its board as two files."""
    opened = "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn"
    page.click("#new")
    page.wait("the dialog", "return document.querySelector('#game').open && !document.querySelector('#start').disabled")
    page.click("#own")
    page.wait("the template", "return document.querySelector('#own-game').open && document.querySelector('#own-text').value.includes('[board]')")
    if shots:
        page.shot(shots / "own-game.png")
    change = "const one = document.querySelector('#own-text'); one.value = one.value.replace(arguments[0], arguments[1])"
    page.run(change, "field = { files = 3", "field = { files = 2")
    page.click("#own-play")
    page.wait("the reason", "return /^cannot load file: line \\d+: /.test(document.querySelector('#own-note').textContent) && document.querySelector('#own-game').open")
    page.run(change, "field = { files = 2", "field = { files = 3")
    page.run(change, "My game", "Small hunt")
    page.click("#own-play")
    page.wait("the game", f"{opened} && state.variant.title === 'Small hunt' && state.variant.board.points.size === 10 && !document.querySelector('dialog[open]')")
    page.choose("#you", "both")
    table.play(page.run("return state.legal[0]"), by_mouse=False)
    table.ready()
    link, fen = page.run("return [location.href, state.fen]")
    page.click("#new")
    page.wait("its card by its title", "return [...document.querySelectorAll('.card')].some(one => one.textContent === 'Small hunt') && picked?.id === 'my-game' && document.querySelector('#own').textContent.startsWith('Edit')")
    page.click("#own-delete")
    page.wait("the question", "return document.querySelector('#question').open")
    page.click("#question button[value=yes]")
    page.wait("no card", "return document.querySelector('#game').open && ![...document.querySelectorAll('.card')].some(one => one.textContent === 'Small hunt')")
    page.run("document.querySelector('#game').close()")
    page.run("localStorage.clear(); sessionStorage.clear()")
    page.do("url", {"url": "about:blank"})
    page.do("url", {"url": link})
    page.wait("the game of the link", f"{opened} && state.variant.title === 'Small hunt' && state.fen === arguments[0] && ownFiles()['my-game'].includes('Small hunt')", fen)
    hunts = pathlib.Path(__file__).resolve().parents[1] / "hunts"
    element = list(page.do("element", {"using": "css selector", "value": "#file"}).values())[0]
    page.do(f"element/{element}/value", {"text": f"{hunts / 'rimoe-board.toml'}\n{hunts / 'rimoe.toml'}"})
    page.wait("the game of two files", f"{opened} && state.variant.id === 'rimoe' && state.variant.general === 'Rimoe' && state.variant.board.points.size === 37")
    table.begin("sixteen-rebels")


def solve_and_stop(page, table):
    """While a game is being solved, which takes seconds, the button stops it and no move is made."""
    kept = page.run("return [state.variant.id, location.hash]")
    table.begin("sixteen-rebels")
    page.click("#solve")
    page.wait("the engine at work", "return engine.solving && engine.streaming && document.querySelector('#solve').getAttribute('aria-pressed') === 'true'")
    page.run("choose('c3')")
    assert page.run("return state.picked.length === 0 && document.querySelector('#hint').disabled")
    page.click("#solve")
    page.wait("the end of the solve", "return !engine.solving && document.querySelector('#note').textContent.startsWith('Stopped')")
    page.run("location.hash = arguments[0]", kept[1])
    page.wait("the game before", "return state.variant.id === arguments[0] && location.hash === arguments[1] && state.drawn === state.turn", *kept)
    table.ready()


def hands(privy, page, table, folder, shots):
    """Pieces in hand are put on the board by one click each; a side that must pass does it by itself; the record goes round."""
    own = folder / "hand.toml"
    own.write_text('id = "hand"\ntitle = "Hand"\nboard = "hare-11"\nopening = "1/3/3/3/1[Gr3]"\nfirst = "rebels"\ngeneral_waits = true\n')
    table.begin("sixteen-rebels")
    page.file("#file", own)
    page.wait("the game with a hand", "return state.variant.id === 'hand' && state.drawn === state.turn && state.legal.length === 11")
    page.choose("#you", "both")
    if shots:
        page.shot(shots / "hand.png")
    for drop in ["b1", "a2", "b3", "c2"]:
        page.wait(f"{drop} to be chosen", "return canMove() && state.legal.some(move => move.text === '@' + arguments[0])", drop)
        page.point(drop)
    page.wait("the hand placed", "return movesTo(state.at).join() === '@b1,@a2,@b3,pass,@c2' && sideOf(state.status) === 'general' && state.drawn === state.turn")
    assert page.run("return document.querySelectorAll('#under .piece').length") == 0, "nothing is in hand"
    fen = page.run("return state.fen")
    for kind in ["text", "sgf"]:
        record = folder / f"hand.{'txt' if kind == 'text' else kind}"
        record.write_text(recorded(page, kind))
        replayed = subprocess.run([privy, "board", own, "--game", record, "--json"], capture_output=True, text=True)
        assert replayed.returncode == 0 and json.loads(replayed.stdout)["position"] == fen, (kind, replayed, fen)
        table.begin("kings-gonu")
        page.file("#file", record)
        page.wait(f"the record as {kind}", "return state.fen === arguments[0]", fen)
    table.begin("sixteen-rebels")


def review_and_exercises(page, table, shots):
    """A game with known errors reviewed; a puzzle solved and failed; a lesson from its first click to its last."""
    table.begin("hare-and-hounds")
    for _ in range(12):
        table.ready()
        legal = page.run("return state.legal")
        if not legal:
            break
        table.play(table.lot.choice(legal))
    table.ready()
    solve_and_stop(page, table)
    page.click("#solve")
    page.wait("perfect play", "return document.querySelector('#note').textContent.startsWith('Solved')")
    told = page.do("execute/async", {"script": "const done = arguments[0]; ask('solve verbose').then(answers => done(answers[0].text.split('\\n')))", "args": []})
    assert re.fullmatch(r"ply 0 decided \d+ of (\d+)", told[0]) and re.match(r"hare-and-hounds [0-9a-f]{16} ", told[-1]), told
    # A search that is stopped takes nothing of the table away.
    kept = page.do("execute/async", {"script": """
      const done = arguments[0], stopped = ask("variant sixteen-rebels", "set_option level 10", "go infinite");
      setTimeout(stopSearch, 300);
      stopped.then(() => ask("variant hare-and-hounds", "table")).then(answers => { engine.variant = ""; done(answers.at(-1)); });""", "args": []})
    assert kept["ok"] and kept["text"].startswith("hare-and-hounds "), kept
    page.click("#review")
    page.wait("the review", "return review.accuracy !== null && review.line.every(node => node.judged)")
    page.wait("the chances of the position shown", "return state.at.chances === undefined || !document.querySelector('#bar').classList.contains('unknown')")
    assert page.run("return document.querySelectorAll('#moves [data-judgement]').length === review.line.length")
    assert page.run("return review.line.every(node => node.judged.exact)"), "a solved game is judged exactly"
    assert page.run("return document.querySelector('#curve polyline') !== null")
    picture = lambda name: shots and page.shot(shots / f"{name}.png")
    page.run("document.querySelector('#reviewed').scrollIntoView({ block: 'end' })")
    picture("review")
    if page.run("return review.turning.length"):
        page.click("#turning li:first-child button:last-of-type")
        page.wait("another try", "return review.turning[0].parent === state.at && isPerson(review.turning[0].judged.side)")
    if page.run("return puzzles().length"):
        page.click("#learn")
        page.wait("the exercises", "return document.querySelector('#learning').open")
        page.run("[...document.querySelectorAll('#exercises button')].find(one => one.textContent.startsWith('Puzzles')).click()")
        page.wait("a puzzle", "return state.exercise?.kind === 'puzzles' && state.exercise.line && canMove() && state.drawn === state.turn")
        picture("puzzle")
        wrong = page.run("return state.legal.find(move => move.text !== state.exercise.line[0] && move.ways.length === 1)")
        table.play(wrong)
        page.wait("the wrong move taken back", "return state.at === state.root && document.querySelector('#exercise').dataset.kind === 'wrong' && canMove()")
        page.click("#exercise-retry")
        page.wait("the puzzle again", "return !state.exercise.missed && canMove()")
        while not page.run("return state.exercise.isOver"):
            done = page.run("return state.exercise.done")
            table.play(page.run("return state.legal.find(move => move.text === state.exercise.line[state.exercise.done])"))
            page.wait("the answer", "return state.exercise.isOver || (state.exercise.done > arguments[0] && state.exercise.done % 2 === 0 && state.drawn === state.turn && canMove())", done)
        assert page.run("return solvedOf(state.exercise.game).length") == 1
        page.click("#exercise-leave")
    page.wait("the game again", "return !state.exercise && state.variant.id === 'hare-and-hounds' && state.drawn === state.turn")
    page.click("#learn")
    page.run("[...document.querySelectorAll('#exercises button')].find(one => one.textContent === 'Lesson').click()")
    while True:
        page.wait("a step", "return state.exercise?.kind === 'lesson' && state.exercise.line && canMove() && !state.exercise.isOver && state.drawn === state.turn")
        picture("lesson")
        table.play(page.run("return state.legal.find(move => move.text === state.exercise.line[0])"))
        page.wait("the step done", "return state.exercise.isOver && state.drawn === state.turn")
        if page.run("return document.querySelector('#exercise-next').hidden"):
            break
        page.click("#exercise-next")
    page.click("#exercise-leave")
    page.wait("the game again", "return !state.exercise && state.drawn === state.turn")


def exercise_links(page, table, shots):
    """A link to a puzzle and one to a position that somebody has set; a wrong move is refuted, the line is shown, help counts, lessons are ticked."""
    at_puzzle = "return state.exercise?.kind === 'puzzles' && state.exercise.line && canMove() && state.drawn === state.turn"
    play = lambda text: table.play(page.run("return state.legal.find(move => move.text === arguments[0])", text), by_mouse=False)
    table.begin("hare-and-hounds")
    page.run("localStorage.removeItem('privy.streak'); location.hash = 'puzzle=hare-and-hounds&step=2'")
    page.wait("the second puzzle", at_puzzle + " && state.exercise.at === 1 && location.hash === '#puzzle=hare-and-hounds&step=2'")
    play(page.run("return state.legal.find(move => move.text !== state.exercise.line[0] && move.ways.length === 1).text"))
    text = page.wait("the refutation", "return state.at === state.root && document.querySelector('#exercise').dataset.kind === 'wrong' && document.querySelector('#exercise-text').textContent")
    assert re.match(r"\S+ gives it away: \S+\. Try another move\.", text), text
    if shots:
        page.shot(shots / "refuted.png")
    page.click("#exercise-line")
    page.wait("the line", "return state.exercise.isOver && state.at.ply === state.exercise.line.length && document.querySelector('#exercise-text').textContent.startsWith('Solved, after')")
    assert page.run("return stored('streak') === 0 && document.querySelector('#why').disabled !== isOn(state.status)")
    for solved in [1, 2]:
        page.click("#exercise-next")
        page.wait("the next puzzle", at_puzzle + " && !state.exercise.isOver")
        for move in page.run("return state.exercise.line")[::2]:
            page.wait("a turn", "return canMove() && state.drawn === state.turn && state.at.ply % 2 === 0")
            play(move)
        page.wait("the solution", "return state.exercise.isOver && document.querySelector('#exercise-text').textContent === `Solved. In a row: ${arguments[0]}.`", solved)
    page.click("#exercise-next")
    page.wait("the next puzzle", at_puzzle + " && !state.exercise.isOver")
    page.click("#analyse")
    page.wait("help counts", "return state.exercise.missed && state.values.size > 0")
    page.click("#analyse")
    page.click("#exercise-leave")
    page.wait("the game", "return !state.exercise && state.drawn === state.turn && location.hash.startsWith('#game=hare')")
    # A teacher sets a position with its solution.
    table.set_up("1/G1r/3/r1r/1 g - 0 0 hare-and-hounds")
    play("a4-b3")
    page.run("window.copied = null; navigator.clipboard.writeText = async text => { copied = text; }; show(state.root)")
    page.wait("the position", "return state.at === state.root && state.drawn === state.turn")
    page.click("#as-puzzle")
    link = page.wait("the link", "return copied")
    page.do("url", {"url": "about:blank"})
    page.do("url", {"url": page.address + link})
    page.wait("the position of the link", "return typeof state !== 'undefined' && " + at_puzzle[7:] + " && state.fen.startsWith('1/G1r/3/r1r/1')")
    play("a4-b3")
    page.wait("its solution", "return state.exercise.isOver && document.querySelector('#exercise-text').textContent.startsWith('Solved.')")
    page.click("#exercise-leave")
    page.run("location.hash = 'puzzle=nope'")
    page.wait("a bad link is reported", "return document.querySelector('#gone').textContent.includes('Unknown lesson')")
    page.run("warn(''); store('lessons', {}); location.hash = 'lesson=kings-gonu&step=7'")
    page.wait("the last step of a lesson", "return state.exercise?.kind === 'lesson' && state.exercise.at === 6 && state.exercise.line && canMove() && state.drawn === state.turn")
    play(page.run("return state.exercise.line[0]"))
    page.wait("the end of the lesson", "return state.exercise.isOver && stored('lessons')['kings-gonu']")
    page.click("#exercise-leave")
    page.wait("the game", "return !state.exercise && state.drawn === state.turn")
    page.run("location.hash = 'lesson=hare-and-hounds/win'")
    for at in range(4):
        page.wait("a step on how to win", "return state.exercise?.name === 'hare-and-hounds/win' && state.exercise.at === arguments[0] && state.exercise.line && canMove() && state.drawn === state.turn", at)
        for move in page.run("return state.exercise.line")[::2]:
            page.wait("a turn", "return canMove() && state.drawn === state.turn && state.at.ply % 2 === 0")
            play(move)
        page.wait("the end of the step", "return state.exercise.isOver && state.drawn === state.turn")
        if at < 3:
            page.click("#exercise-next")
    page.click("#exercise-leave")
    page.wait("the game", "return !state.exercise && state.drawn === state.turn")
    page.click("#learn")
    page.wait("the other tick", "return [...document.querySelectorAll('#exercises button')].some(one => one.textContent === 'How to win ✓')")
    page.wait("the tick", "return [...document.querySelectorAll('#exercises button')].some(one => one.textContent === 'Lesson ✓')")
    page.choose("#theme", "rebels")
    assert page.run("return [...document.querySelectorAll('#exercises li')].every(one => !one.textContent.includes('Puzzles') || puzzles().some(puzzle => puzzle.side === 'rebels'))")
    page.run("document.querySelector('#theme').value = ''; document.querySelector('#learning').close()")


def game_by_path(page, table, id):
    """A game that the program was started with by its path is one of the person's own from then on."""
    is_there = "return state.variant.id === arguments[0] && sideName('rebels') === 'Hunters' && state.at.ply > 0 && state.drawn === state.turn"
    page.wait("the game by its path", is_there, id)
    table.ready()
    page.click("#new")
    page.wait("the game chosen in the dialog", "return picked?.id === arguments[0] && document.querySelector('#catalogue :checked').value === arguments[0] && document.querySelector('#new-you').textContent.includes('Hunters')", id)
    page.run("document.querySelector('#game').close()")
    table.ready()
    page.do("refresh", {})
    page.wait("the game after a reload", f"if (typeof state === 'undefined' || !state.root) return false; {is_there}", id)


def reload_and_link(page, table, address):
    """The last game outlives the page; the address holds a game."""
    table.begin("sixteen-rebels")
    for move in ["c3-b2"]:
        table.play(page.run("return state.legal.find(move => move.text === arguments[0])", move))
    table.ready()
    link, fen = page.run("return location.href"), page.run("return state.fen")
    page.do("refresh", {})
    page.wait("the game after a reload", "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn && state.fen === arguments[0]", fen)
    page.run("localStorage.clear()")
    page.do("url", {"url": "about:blank"})
    page.do("url", {"url": link})
    page.wait("the game of a link", "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn && state.fen === arguments[0] && state.at.ply === 1", fen)


def clocks(privy, page, table, folder):
    """A fallen flag and a resignation end the game, in its record and after a reload; the engine heeds its clock; Play again sets the clocks anew."""
    opened = "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn"
    table.begin("sixteen-rebels")
    page.do("execute/async", {"script": "begin(state.variant, { clock: newClock(5), seats: { general: 0, rebels: 0 } }).then(arguments[0])", "args": []})
    table.play({"text": "c3-c2", "ways": [["c3", "c2"]], "kind": "step"}, by_mouse=False)
    page.choose("#time", "10000")
    assert page.run("state.root.clock.rebels = 30000; const of = timeOf('rebels'); state.root.clock.rebels = 100; return of") == 1000
    ended = "return state.status === 'general wins: time' && !document.querySelector('#over').hidden && !canMove() && state.drawn === state.turn"
    page.wait("the fallen flag", ended)
    (folder / "time.txt").write_text(recorded(page, "text"))
    page.do("refresh", {})
    page.wait("the end after a reload", f"if (!(() => {{ {opened} }})()) return false; {ended}")
    page.click("#again")
    page.wait("new clocks", "return state.at === state.root && state.drawn === state.turn && state.root.clock.general > 295000 && document.querySelector('#clocks').textContent.includes('5:00')")
    page.do("refresh", {})
    page.wait("the clocks after a reload", f"if (!(() => {{ {opened} }})()) return false; return state.root.clock?.minutes === 5 && state.root.clock.general < 300000")
    table.play({"text": "c3-c2", "ways": [["c3", "c2"]], "kind": "step"}, by_mouse=False)
    table.ready()
    page.click("#resign")
    page.wait("the resignation", "return state.status === 'general wins: resignation' && !document.querySelector('#over').hidden && document.querySelector('#resign').disabled && state.drawn === state.turn")
    (folder / "resignation.txt").write_text(recorded(page, "text"))
    for reason in ["time", "resignation"]:
        replayed = subprocess.run([privy, "replay", folder / f"{reason}.txt", "--to", "json"], capture_output=True, text=True)
        assert replayed.returncode == 0, replayed
        record = json.loads(replayed.stdout)
        assert (record["result"], record["termination"]) == ("general", reason), record
    page.click("#undo")
    page.wait("the game continues", "return state.status === 'rebels to move' && state.at.ply === 1 && canMove()")


def clock_and_end(page, table, folder):
    """A clock for one side with seconds added, a draw after a number of moves, a draw by agreement; all of it survives a reload and its record."""
    opened = "typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn"
    page.click("#new")
    page.wait("the dialog", "return document.querySelector('#game').open && !document.querySelector('#start').disabled && document.querySelector('#clock-more').hidden")
    page.run("document.querySelector('input[name=game][value=hare-and-hounds]').click()")
    page.wait("the rules", "return picked?.id === 'hare-and-hounds'")
    for select, value in [("#new-you", "both"), ("#minutes", "1"), ("#increment", "5"), ("#clock-side", "rebels"), ("#limit", "100")]:
        page.choose(select, value)
    page.click("#start")
    page.wait("the clock of the Hounds alone", f"return {opened} && state.variant.id === 'hare-and-hounds' && /^Hounds (1:00|0:5\\d)$/.test(document.querySelector('#clocks').textContent) && state.root.clock.general === null")
    table.ready()
    for _ in range(2):
        table.play(page.run("return state.legal[0]"), by_mouse=False)
        table.ready()
    assert 61_000 < page.run("return state.root.clock.rebels") <= 65_000
    page.do("refresh", {})
    page.wait("the same after a reload", f"return {opened} && state.at.ply === 2 && state.root.clock.increment === 5 && state.root.clock.general === null && state.root.limit === 100")
    page.run("state.root.limit = 4; state.root.clock = null; [...pathTo(state.at), state.root].forEach(node => { node.fen = ''; })")
    for _ in range(2):
        table.play(page.run("return state.legal[0]"), by_mouse=False)
        table.ready()
    page.wait("the draw after four moves", "return state.status === 'draw: move limit' && !document.querySelector('#over').hidden")
    record = recorded(page, "json")
    assert json.loads(record)["move_limit"] == 4 and json.loads(record)["termination"] == "draw: move limit", record

    # The engine plays on until nothing has been taken for a while, and takes the draw when the chances are even.
    table.begin("hare-and-hounds")
    page.run("setSeats({ general: 0, rebels: 3 })")
    page.click("#draw")
    page.wait("the refusal", "return document.querySelector('#note').textContent.includes('40 moves')")
    page.do("execute/async", {"script": """
      const done = arguments[0], game = state.variant;
      history.replaceState = () => {};  // browsers allow some hundred calls in ten seconds
      (async () => {
        for (let seed = 1; ; seed++) {
          let lot = seed;
          await begin(game, { seats: { general: 0, rebels: 0 } });
          while (isOn(state.status) && state.at.ply < 40) { lot = lot * 48271 % 2147483647; await play(state.legal[lot % state.legal.length].text); }
          delete history.replaceState;
          if (isOn(state.status)) return done();
          history.replaceState = () => {};
        }
      })();""", "args": []})
    page.run("state.seats[other(sideOf(state.status))] = 3; buttons(); window.askedOf = ask; ask = async (...lines) => [{ ok: true, text: 'info winrate 0.9' }]")
    page.click("#draw")
    page.wait("the refusal of a side that wins", "return document.querySelector('#note').textContent.includes('declines')")
    page.run("ask = async (...lines) => [{ ok: true, text: 'info winrate 0.52' }]")
    page.click("#draw")
    page.wait("the draw", "return state.status === 'draw: agreement' && !document.querySelector('#over').hidden")
    page.run("ask = askedOf")
    (folder / "draw.json").write_text(recorded(page, "json"))
    table.begin("sixteen-rebels")
    page.file("#file", folder / "draw.json")
    page.wait("the draw of the record", "return state.status === 'draw: agreement' && state.at.ply === 40 && state.drawn === state.turn")
    page.click("#undo")
    page.wait("the draw taken back", "return isOn(state.status) && state.at.ply === 40 && state.drawn === state.turn")
    table.begin("sixteen-rebels")


def broken_links(page, table):
    """A link that cannot be opened says so, on a page that is open and on a new one; the game that is shown stays."""
    table.begin("sixteen-rebels")
    before, here = page.run("return [state.fen, location.hash]")
    for link, reason in [("game=nope", "nope"), ("game=sixteen-rebels&moves=c3-c9", "c9"), ("game=sixteen-rebels&position=1/3", "position")]:
        page.run("location.hash = arguments[0]", link)
        page.wait(f"the reason against {link}", "const one = document.querySelector('#gone'); return !one.hidden && one.textContent.startsWith('The link') && one.textContent.includes(arguments[0]) && location.hash === arguments[1]", reason, here)
        assert page.run("return state.fen") == before
    page.run("location.hash = 'game=nope'; location.reload()")
    page.wait("the reason on a new page", "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn && document.querySelector('#gone').textContent.includes('nope')")
    table.begin("kings-gonu")
    assert page.run("return document.querySelector('#gone').hidden")


def nothing_lost(page, table, shots):
    """A reload writes no game without its moves; new games and a second page leave the others, which are listed."""
    fen_of = "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn && state.fen === arguments[0]"
    table.begin("sixteen-rebels")
    page.run("localStorage.clear()")
    for move in ["c3-c2", "b5-b4"]:
        table.play({"text": move, "ways": [move.split("-")], "kind": "step"}, by_mouse=False)
    fen = table.ready()[0]
    watch = page.cdp("Page.addScriptToEvaluateOnNewDocument", source="window.written = []; const set = Storage.prototype.setItem; Storage.prototype.setItem = function (key, value) { written.push(value); set.call(this, key, value); }")
    for _ in range(2):
        page.do("refresh", {})
    page.wait("the game after two reloads", fen_of, fen)
    empty = page.run("return written.filter(one => one.includes('tree') && !one.includes('c3-c2'))")
    assert not empty, empty
    page.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=watch["identifier"])
    # A second page goes on with the same game, and so does the first.
    first, link = page.do("window"), page.run("return location.href")
    second = page.do("window/new", {"type": "tab"})["handle"]
    page.do("window", {"handle": second})
    page.do("url", {"url": link})
    page.wait("the game in a second page", fen_of, fen)
    table.play({"text": "c2-b2", "ways": [["c2", "b2"]], "kind": "step"}, by_mouse=False)
    page.call(f"/session/{page.session}/window", method="DELETE")
    page.do("window", {"handle": first})
    table.play({"text": "c2-d2", "ways": [["c2", "d2"]], "kind": "step"}, by_mouse=False)
    table.ready()
    last = page.run("return keptGames().map(one => keptMoves(one).at(-1)).sort()")
    assert last == ["c2-b2", "c2-d2"], last
    fen = page.run("return state.fen")
    table.begin("kings-gonu")
    page.click("#mine")
    page.wait("the kept games", "return document.querySelector('#which').open && document.querySelectorAll('#games button').length === 2")
    if shots:
        page.shot(shots / "my-games.png")
    page.click("#games button")
    page.wait("the game before", "return state.fen === arguments[0] && state.drawn === state.turn && state.variant.id === 'sixteen-rebels'", fen)
    page.run("for (let at = 0; at < 30; at++) store(`game${at}`, stored(`game${state.root.kept}`)); state.root.kept = 'new'; keep()")
    assert page.run("return keptGames().length") == 20


def seeds(privy, page, table, folder, quick):
    """The moves of the engine differ from game to game, and the record names the seed."""
    def game():
        courses = page.do("execute/async", {"script": """
          const [done] = arguments;
          (async () => {
            const game = await readGame("sixteen-rebels");
            await begin(game, { seats: { general: 0, rebels: 0 } });
            setSeats({ general: 3, rebels: 3 });
            show(state.root);
            while (state.at.ply < 8 && isOn(state.status)) await new Promise(done => setTimeout(done, 5));
            setSeats({ general: 0, rebels: 0 });
            state.seats.rebels = 3;
            const record = await recordAs("sgf");
            state.seats.rebels = 0;
            done([state.root.seed, movesTo(state.at).slice(0, 8).join(" "), record]);
          })();""", "args": []})
        page.run("setSeats({ general: 0, rebels: 0 }); show(state.at)")
        table.ready()
        return courses
    page.choose("#time", "3000")
    kept = page.run("const { seed } = state; state.seed = undefined; return seed")
    games = [game() for _ in range(2 if quick else 10)]
    assert len({moves for _, moves, _ in games}) == len(games), games
    page.run("state.seed = arguments[0] ?? 1", kept)  # from here on every run plays the same games
    seed, _, record = games[0]
    (folder / "seed.sgf").write_text(record)
    replayed = subprocess.run([privy, "replay", folder / "seed.sgf", "--to", "json"], capture_output=True, text=True)
    assert replayed.returncode == 0 and json.loads(replayed.stdout)["seed"] == seed, replayed


def labels(page):
    """In no game does a label lie on a line or outside the picture; every other board is turned round."""
    faults = page.do("execute/async", {"script": """
      const done = arguments[0], ids = state.listed.map(one => one.id), mine = state.variant.board;
      const draw = (geometry, flipped) => { state.flipped = flipped; setBoard(geometry); };
      askAll(ids.flatMap(id => [`variant ${id}`, "geometry"])).then(answers => {
        engine.variant = "";
        const faults = [], svg = $("board");
        for (const [at, id] of ids.entries()) {
          draw(readGeometry(answers[2 * at + 1].text), at % 2 === 1);
          const texts = [...svg.querySelectorAll(".name")].map(one => {
            const { x, width } = one.getBBox(), bottom = +one.getAttribute("y"), high = .7 * one.getAttribute("font-size");
            return { text: one.textContent, left: x, right: x + width, top: bottom - high, bottom };
          });
          const { x, y, width, height } = svg.viewBox.baseVal;
          const isOutside = one => one.left < x || one.top < y || one.right > x + width || one.bottom > y + height;
          const places = [...svg.querySelectorAll(".line")].flatMap(line => {
            const long = line.getTotalLength();
            return [...Array(81).keys()].map(part => line.getPointAtLength(long * part / 80));
          });
          const isOn = one => places.some(({ x, y }) => one.left < x && x < one.right && one.top < y && y < one.bottom);
          if (!texts.length) faults.push(`${id}: none`);
          for (const one of texts) if (isOn(one) || isOutside(one)) faults.push(`${id}: ${one.text}`);
        }
        draw(mine, false);
        drawPosition();
        done(faults);
      });""", "args": []})
    assert faults == [], faults


def editor(page, table):
    """A position by hand; leaving without Done, or by a look at another position, shows the position of the game."""
    table.begin("sixteen-rebels")
    page.run("document.querySelector('#position').open = true")
    for leave in ["#edit", "#first"]:
        page.click("#edit")
        page.point("c1")
        page.wait("an empty c3", "return state.pieces.get('c3') === '.' && document.querySelector('#fen').value.startsWith('1/3/rrrrr/r3r/r3r/')")
        page.run("document.querySelector(arguments[0]).disabled = false", leave)
        page.click(leave)
        page.wait("the position of the game", "return state.drawn === state.turn && !state.editing && document.querySelector('#editor').hidden && state.pieces.get('c3') === 'G' && state.pieces.get('c1') === 'r'")
    page.click("#edit")
    page.point("c1")  # a Rebel becomes the General
    page.wait("an empty c3", "return state.pieces.get('c3') === '.' && state.pieces.get('c1') === 'G'")
    page.wait("the engine's word", "return document.querySelector('#note').textContent.length > 0 && !document.querySelector('#edit-done').disabled")
    page.click("#edit-done")
    page.wait("the edited position", "return !state.editing && state.pieces.get('c1') === 'G' && state.at === state.root && state.drawn === state.turn")


AXE = """
  const [part, done] = arguments;
  // Pictures that are hidden from readers have thousands of parts and nothing to check.
  const pictures = [...document.querySelectorAll("svg[aria-hidden]")].map(one => [one, [...one.childNodes]]);
  pictures.forEach(([one]) => one.replaceChildren());
  axe.run(part, { resultTypes: ["violations"], preload: false }).then(({ violations }) => {
    pictures.forEach(([one, parts]) => one.replaceChildren(...parts));
    done(violations.map(({ id, impact, nodes }) => [id, impact, nodes.slice(0, 3).map(node => `${node.html.slice(0, 120)} ${node.failureSummary.slice(0, 200)}`)]));
  });"""


def looks(page, table, shots, axe, quick):
    """No width is too narrow, no theme unreadable."""
    if axe:
        page.run(axe.read_text() + "; return true")
    for width, height in [(1280, 800), (360, 740)] if quick else [(1920, 1080), (1280, 800), (800, 900), (360, 740)]:
        page.size(width, height)
        for is_dark in [width < 800] if quick else [False, True]:
            page.media(is_dark)
            table.ready()
            page.run("state.picked = []; draw(); choose(state.legal[0].ways[0][0])")
            wide = page.run("return document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{width}: {wide} pixels too wide"
            if shots:
                page.shot(shots / f"board-{width}{'-dark' if is_dark else ''}.png")
            if axe:
                for what, part, opening in [("board", "body", "null"), ("new game", "#game", "openNewGame()"), ("learning", "#learning", "openLearning()"), ("welcome", "#welcome", "welcome(state.variant)")]:
                    page.do("execute/async", {"script": f"document.querySelectorAll('dialog[open]').forEach(one => one.close()); Promise.resolve({opening}).then(arguments[0])", "args": []})
                    if shots and what != "board":
                        page.shot(shots / f"{what.replace(' ', '-')}-{width}{'-dark' if is_dark else ''}.png")
                    found = page.do("execute/async", {"script": AXE, "args": [part]})
                    assert not found, (width, is_dark, what, json.dumps(found, indent=1))
                page.run("document.querySelectorAll('dialog[open]').forEach(one => one.close())")
    page.size(1280, 800)
    page.media()


def attack(pid, port, address):
    """Half a request each on a thousand connections, slow requests, rubbish, and streams of lines beyond the bound: the page still comes."""
    threads = lambda: len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))

    def are_few():
        for _ in range(200):
            if threads() < 10:
                return True
            time.sleep(0.05)
        return False

    def stream():
        """A stream of lines; that of the page that was left may be about to close."""
        for _ in range(100):
            try:
                return urllib.request.urlopen(address + "lines", timeout=20)
            except urllib.error.HTTPError:
                time.sleep(0.05)
        raise AssertionError("no stream is free")

    half_open = []
    for _ in range(1_000):
        one = socket.socket()
        one.settimeout(5)
        one.connect(("127.0.0.1", port))
        one.send(b"GET /")
        half_open.append(one)
    assert threads() < 100, threads()
    for one in half_open:
        one.close()
    assert are_few(), "connections end with their clients"
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.sendall(b"\xff\x00 nonsense\r\n\r\n")
        assert one.recv(100).startswith(b"HTTP/1.1 400")
    streams = [stream() for _ in range(5)]
    assert status_of(address + "lines") == 503, "the sixth page"
    for stream in streams:
        stream.close()
    assert are_few(), "sessions end with their pages"
    # A byte now and then is not enough, neither in the head of a request nor in its body.
    token = address.split("/")[3]
    heads = [b"GET /", f"POST /{token}/lines/1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 999\r\n\r\n".encode()]
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(64)]
    for at in range(200):
        for one in slow:
            try:
                one.send(heads[slow.index(one) % 2] if at == 0 else b"x")
            except OSError:
                pass  # it was closed
        if at and status_of(address) == 200:
            break
        time.sleep(0.1)
    assert status_of(address) == 200, "slow connections end"


def unread(address, port):
    """A page that reads nothing for longer than any patience, as in a frozen tab, then gets every line."""
    with socket.socket() as page:
        page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        page.connect(("127.0.0.1", port))
        page.sendall(f"GET /{address.split('/')[3]}/lines HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        lines = page.makefile("r")
        while lines.readline().strip():
            pass
        number, count = lines.readline().strip(), 2000
        assert send(address + f"lines/{number}", "show_variant\n" * count + "name\n")[0] == 204
        time.sleep(11)
        answers = 0
        while answers <= count:
            line = lines.readline()
            assert line, f"cut off after {answers} answers"
            answers += line[0] in "=?"


def six_pages(page, address):
    """A browser has six connections to a host: the sixth page says that there are too many, and the others work."""
    first = page.do("window")
    for at in range(2, 7):
        page.do("window", {"handle": page.do("window/new", {"type": "tab"})["handle"]})
        page.do("url", {"url": address})
        page.wait(f"page {at}", "return typeof engine !== 'undefined' && (engine.isLost || state.drawn > 0 && state.drawn === state.turn)")
    assert "Five pages" in page.run("return document.querySelector('#gone').textContent")
    for handle in [one for one in page.do("window/handles") if one != first]:
        page.do("window", {"handle": handle})
        page.call(f"/session/{page.session}/window", method="DELETE")
    page.do("window", {"handle": first})
    assert all("503" in message for message in page.errors())
    assert page.do("execute/async", {"script": "const done = arguments[0]; ask('name').then(answers => done(answers[0].ok))", "args": []})


def really(page, table):
    """With the option on, a move that gives the game away is asked about; another move is not."""
    table.begin("hare-and-hounds")
    position = "1/G1r/3/r1r/1 g - 0 0 hare-and-hounds"
    table.set_up(position)
    page.run("setSeats({ general: 0, rebels: 1 }); document.querySelector('#really').checked = true")
    bad = page.run("return state.legal.find(move => move.text === 'a4-a3')")
    for point in bad["ways"][0]:
        page.point(point)
    page.wait("the question", "return document.querySelector('#question').open && document.querySelector('#question-text').textContent.includes(arguments[0])", bad["text"])
    page.click("#question button.main")
    page.wait("no move", "return !document.querySelector('#question').open && state.at === state.root && canMove() && !state.picked.length")
    for point in bad["ways"][0]:
        page.point(point)
    page.wait("the question again", "return document.querySelector('#question').open")
    page.click("#question button[value=yes]")
    page.wait("the move", "return state.root.children[0]?.move === arguments[0]", bad["text"])
    page.run("document.querySelector('#really').checked = false")
    table.set_up(position)
    page.run("document.querySelector('#really').checked = true")
    table.play({"text": "a4-b3", "ways": [["a4", "b3"]], "kind": "step"})
    page.run("document.querySelector('#really').checked = false")
    page.run("setSeats({ general: 0, rebels: 0 })")


def first_and_end(privy, page, table, folder, shots):
    """A newcomer is told who they are and how to win, and wins; at the end the page says so, marks the position and keeps the score."""
    here = page.run("return location.href")
    server = subprocess.Popen([pathlib.Path(privy).resolve(), "play", "--no-browser"], cwd=folder, stdout=subprocess.PIPE, text=True)
    opened = "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn"
    try:
        page.do("url", {"url": server.stdout.readline().strip()})
        page.wait("the first screen", f"{opened} && document.querySelector('#welcome').open")
        text = page.run("return document.querySelector('#welcome').textContent")
        assert "You are the General, alone against 16 Rebels" in text and "The General wins when" in text, text
        if shots:
            page.shot(shots / "welcome.png")
        page.click("#welcome-lesson")
        page.wait("the lesson", "return state.exercise?.kind === 'lesson' && canMove()")
        page.click("#exercise-leave")
        page.wait("the game", "return !state.exercise && state.drawn === state.turn && !document.querySelector('#welcome').open")
        assert page.run("return [state.seats.general, state.seats.rebels]") == [0, 1]
        table.set_up("1/1G1/3r1/r2r1/5/2rr1/4r g - 3 20 sixteen-rebels")
        table.play({"text": "c6-c7", "ways": [["c6", "c7"]], "kind": "step"})
        page.wait("the victory", "return document.querySelector('#status').textContent === 'You have won: the General stands on the apex.' && document.querySelector('#board .end.general') !== null")
        assert "you 1, the engine 0" in page.run("return document.querySelector('#score').textContent")
        if shots:
            page.shot(shots / "won.png")
        page.click("#swap")
        page.wait("the other side", f"{opened} && state.at.ply === 1 && state.seats.rebels === 0 && state.seats.general === 1")
        page.do("refresh", {})
        page.wait("no first screen", f"{opened} && !document.querySelector('#welcome').open")
    finally:
        server.kill()
    page.do("url", {"url": "about:blank"})
    page.do("url", {"url": here})
    page.wait("the page before", opened)
    page.errors()


def links(page, table):
    """A link of a page on this machine holds no address of it; pasted into Position it opens the game."""
    table.begin("sixteen-rebels")
    table.play({"text": "c3-c2", "ways": [["c3", "c2"]], "kind": "step"}, by_mouse=False)
    page.run("window.copied = null; navigator.clipboard.writeText = async text => { copied = text; }")
    page.click("#link")
    link = page.wait("a link", "return copied")
    assert link == "#game=sixteen-rebels&moves=c3-c2", link
    assert "any page" in page.run("return document.querySelector('#note').textContent")
    table.begin("kings-gonu")
    page.run("document.querySelector('#position').open = true; document.querySelector('#fen').value = arguments[0]", "http://127.0.0.1/x/" + link)
    page.click("#set")
    page.wait("the game of the link", "return state.variant.id === 'sixteen-rebels' && state.at.move === 'c3-c2' && state.drawn === state.turn")


def refusals(address):
    token = address.split("/")[3]
    assert status_of(address) == 200
    try:
        send(address.replace(token, "x" * len(token)))
        raise AssertionError("a wrong token")
    except urllib.error.HTTPError as error:
        assert error.code == 403 and b"<h1>This address is no longer valid</h1>" in error.read(), "an old address"
    assert status_of(address, Origin="http://example.org") == 403, "another origin"
    assert status_of(address, Host="example.org") == 403, "another host"
    assert status_of(address + "nothing") == 404
    assert status_of(address + "lines/1", "fen\n") == 410, "no session"
    assert status_of(address + "lines/x", "fen\n") == 400, "no number"
    assert status_of(address + "lines/1", "x", **{"Content-Length": str(2 << 20)}) == 413, "too long"


def own_engine(privy, page, table):
    """A stop ends a search at once; with the same limit of nodes the search is that of every other machine, in all games."""
    table.ready()
    page.do("refresh", {})  # what it has searched before would help
    page.wait("the page", "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn")
    lines = [line for game in page.run("return state.listed.filter(one => !one.over).map(one => one.id)") for line in (f"variant {game}", "go nodes 3000")]
    found = page.do("execute/async", {"script": "const [lines, done] = arguments; askAll(['set_option tables off', 'set_option seed 0', 'set_option level 10', ...lines]).then(answers => done(answers.slice(2).map(one => one.text)))", "args": [lines]})
    timeless = lambda text: re.sub(r" nps \d+| time \d+", "", text.strip())
    with Engine.open([privy], timeout=60, hash=64, threads=1, tables="off") as engine:
        for line, here in zip(lines, found[1:]):
            there = engine.ask(line)
            assert timeless(here) == timeless(there), (line, here, there)
    proved = page.do("execute/async", {"script": "const done = arguments[0]; askAll(['set_option tables auto', 'variant subjugatio-free', 'go nodes 100']).then(answers => done(answers.at(-1).text))", "args": []})
    assert "score -W55" in proved, proved
    script = """
      const done = arguments[0];
      (async () => {
        await ask("variant sixteen-rebels", "set_option level 10");
        const begun = performance.now(), answer = ask("position startpos", "go infinite");
        let stopped = 0;
        setTimeout(() => { stopped = performance.now(); stopSearch(); }, 500);
        const found = (await answer).at(-1);
        done([performance.now() - stopped, found.text]);
      })();"""
    # Other programs may keep all cores busy for a moment.
    for _ in range(20):
        late, text = page.do("execute/async", {"script": script, "args": []})
        assert "bestmove" in text, text
        if late < 100:
            break
    assert late < 100, late
    print(f"stopped after {late:.1f} ms", flush=True)


def pictures(privy, page, table, folder, shots):
    """The pictures of the documents: a game with the value of every move, and a review."""
    page.size(1280, 830)
    table.new_game("sixteen-rebels", "both")
    for move in ["c3-b2", "e1-d1", "b2-c3", "a4-b4"]:
        table.play(page.run("return state.legal.find(move => move.text === arguments[0]) || state.legal[0]", move))
        table.ready()
    page.click("#analyse")
    page.wait("a deep analysis", "return state.values.size > 3 && document.querySelectorAll('#lines li').length > 3")
    time.sleep(6)
    page.point("c3")
    page.run("document.activeElement.blur(); scrollTo(0, 0)")
    page.shot(shots / "page-game.png")
    page.click("#analyse")
    record = folder / "game.txt"
    subprocess.run([privy, "match", "--engine", f"cmd={privy},option.level=4", "--engine", f"cmd={privy},option.level=6", "--variant", "sixteen-rebels", "--games", "2", "--openings", "opening", "--record", record, "--time", "50"], check=True, capture_output=True)
    page.file("#file", record)
    page.wait("the games of the file", "return document.querySelector('#which').open")
    page.click("#games button")
    page.wait("the game", "return state.variant.id === 'sixteen-rebels' && state.at.ply > 8 && state.drawn === state.turn")
    page.choose("#time", "3000")
    page.size(1280, 1190)
    page.click("#review")
    for _ in range(10):
        if page.run("return review.accuracy !== null"):
            break
        time.sleep(15)
    if page.run("return review.turning.length"):
        page.run("show(review.turning[0])")
        table.ready()
    page.run("document.activeElement.blur(); scrollTo(0, 0)")
    time.sleep(0.5)  # the bar moves
    page.shot(shots / "page-review.png")


def play_everything(privy, page, table, folder, arguments):
    steps = [lambda: arguments.page and own_engine(privy, page, table), lambda: arguments.page and not arguments.shots or looks(page, table, arguments.shots, arguments.axe, arguments.quick), lambda: page.media(still=False), lambda: story(page, table), lambda: arguments.quick and page.media(), lambda: hint_left(page, table), lambda: taken_back(page, table), lambda: drag(page, table), lambda: clicks_while_analysing(page, table, arguments.quick),
             lambda: page.media(), lambda: still_buttons(page), lambda: for_people(page, table), lambda: phone(page, table), lambda: labels(page), lambda: keyboard(page, table), lambda: quick_clicks(privy, page, table), lambda: rare_moves(page, table), lambda: files(privy, page, table, folder), lambda: hands(privy, page, table, folder, arguments.shots), lambda: custom_games(page, table, folder, arguments.shots),
             lambda: editor(page, table), lambda: reload_and_link(page, table, arguments.page), lambda: broken_links(page, table), lambda: links(page, table), lambda: really(page, table), lambda: first_and_end(privy, page, table, folder, arguments.shots), lambda: old_browser(page), lambda: clocks(privy, page, table, folder), lambda: clock_and_end(page, table, folder), lambda: nothing_lost(page, table, arguments.shots), lambda: seeds(privy, page, table, folder, arguments.quick), lambda: page.choose("#time", QUICK),
             lambda: review_and_exercises(page, table, arguments.shots), lambda: exercise_links(page, table, arguments.shots), lambda: complete_games(page, table, arguments.quick), lambda: random_clicks(privy, page, table, 1 if arguments.quick else 8), lambda: storms(privy, page, table, 1 if arguments.quick else 200)]
    for at, step in enumerate(steps):
        begun = time.monotonic()
        step()
        print(f"step {at + 1} of {len(steps)}: {time.monotonic() - begun:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("privy")
    parser.add_argument("page", nargs="?", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for pictures")
    parser.add_argument("--pictures", type=pathlib.Path, help="only make the pictures of the documents, in this folder")
    parser.add_argument("--axe", type=pathlib.Path, help="the script axe.min.js of axe-core")
    parser.add_argument("--quick", action="store_true", help="fewer games, sizes and themes")
    arguments = parser.parse_args()
    if None in programs():
        print("chromium or its driver is not there: nothing has been tested")
        return 77
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as threads:
        folder = pathlib.Path(folder)
        server = attacked = page = None
        try:
            page = Browser(folder / "profile")
            begun = time.monotonic()
            if arguments.page:
                address = arguments.page.resolve().as_uri()
            else:
                # Children of a background shell ignore SIGINT unless it is reset.
                heed_interrupts = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
                (folder / "of-mine.toml").write_text('id = "of-mine"\ntitle = "Hunt"\nextends = "monk-and-water"\nnames = { rebels = "Hunters" }\n')
                serve = lambda: subprocess.Popen([pathlib.Path(arguments.privy).resolve(), "play", "of-mine.toml", "--seed", "1", "--no-browser"], cwd=folder, stdout=subprocess.PIPE, text=True, preexec_fn=heed_interrupts)
                server, attacked = serve(), serve()
                address, other = [one.stdout.readline().strip() for one in (server, attacked)]
                waiting = [threads.submit(attack, attacked.pid, int(re.search(r":(\d+)/", other).group(1)), other)]
            page.size(1280, 800)
            page.address = address
            page.do("url", {"url": address})
            page.wait("the page", "return typeof state !== 'undefined' && state.drawn > 0 && state.drawn === state.turn")
            table = Table(page)
            if not server:
                page.click("#welcome-play")
            table.play(table.ready()[3][0])
            print(f"the first own move after {time.monotonic() - begun:.1f} s", flush=True)
            if server:
                assert page.run("return state.root.seed") == 1, "the seed that the program was started with"
                game_by_path(page, table, "of-mine")
                refusals(address)
                six_pages(page, address)
                waiting.append(threads.submit(unread, address, int(re.search(r":(\d+)/", address).group(1))))
            if arguments.pictures:
                return pictures(arguments.privy, page, table, folder, arguments.pictures)
            play_everything(arguments.privy, page, table, folder, arguments)
            faults = page.errors()
            assert not faults, faults
            if server:
                for one in waiting:
                    one.result()
                server.send_signal(2)
                server.wait(20)
                page.wait("the engine has gone", "return !document.querySelector('#gone').hidden")
        finally:
            for one in filter(None, [server, attacked]):
                one.kill()
            if page:
                page.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
