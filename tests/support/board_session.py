"""Plays on the page of `privy play` by clicks, in a headless Chromium: board_session.py PRIVY [SHOTS].

Ends with status 0 on success, with 77 without Chromium or its driver, and otherwise with the reason. SHOTS is a folder for
screenshots.
"""
import base64, json, pathlib, random, shutil, signal, socket, subprocess, sys, tempfile, time, urllib.error, urllib.request

CHROMIUM = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]


def send(url, body=None, method=None, **headers):
    data = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.status, answer.read()


def status_of(*arguments, **keys):
    try:
        return send(*arguments, **keys)[0]
    except urllib.error.HTTPError as error:
        return error.code


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Browser:
    """A page, driven by the WebDriver protocol (W3C)."""

    def __init__(self, driver, binary, profile):
        port = free_port()
        self.process = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        options = {"binary": binary, "args": [*CHROMIUM, f"--user-data-dir={profile}"]}
        capabilities = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}}
        for _ in range(200):
            try:
                self.session = self.call("/session", capabilities)["sessionId"]
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise SystemExit("chromedriver does not answer")

    def call(self, path, body=None, method=None):
        return json.loads(send(self.base + path, body, method)[1])["value"]

    def do(self, what, body=None):
        return self.call(f"/session/{self.session}/{what}", body)

    def run(self, script, *arguments):
        return self.do("execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, what, script, *arguments):
        """Waits until a script returns a true value."""
        for _ in range(600):
            if value := self.run(script, *arguments):
                return value
            time.sleep(0.05)
        raise SystemExit(f"waited in vain: {what}: " + json.dumps(self.run("return [game.fen, game.status, game.picked, turn, thinking, document.querySelector('#note').textContent]")))

    def click(self, selector, **drag):
        where = "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        def at(which):
            # The page draws a new game when its engine has answered.
            self.wait(which, "return document.querySelector(arguments[0]) !== null", which)
            self.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", which)
            x, y = self.run(where, which)
            return {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}
        steps = [at(selector), {"type": "pointerDown", "button": 0}]
        steps += [at(drag["to"])] if drag else []
        steps += [{"type": "pointerUp", "button": 0}]
        self.do("actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]})

    def point(self, name):
        self.click(f'[data-point="{name}"] .hit')

    def cdp(self, command, **keys):
        return self.call(f"/session/{self.session}/goog/cdp/execute", {"cmd": command, "params": keys})

    def choose(self, selector, value):
        self.run("const one = document.querySelector(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event('change'))", selector, value)

    def size(self, width, height):
        self.call(f"/session/{self.session}/window/rect", {"width": width, "height": height})
        self.call(f"/session/{self.session}/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def dark(self, on):
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self.call(f"/session/{self.session}/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}})

    def shot(self, path):
        path.write_bytes(base64.b64decode(self.do("screenshot")))

    def errors(self):
        logged = self.call(f"/session/{self.session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in logged if entry["level"] == "SEVERE"]

    def end(self):
        try:
            self.call(f"/session/{self.session}", method="DELETE")
        finally:
            self.process.kill()


class Table:
    """A game on the page."""

    def __init__(self, browser):
        self.browser, self.lot, self.seen = browser, random.Random(1), set()

    def ready(self):
        return self.browser.wait("a person's turn, or the end", "return game.drawn === turn && !thinking && (humanTurn() || !isOn(game.status)) && atEnd() && [game.fen, game.moves.length]")

    def new_game(self, spec, you):
        page = self.browser
        page.click("#new")
        page.wait("the dialog", "return document.querySelector('#game').open && document.querySelector('#preview li') !== null")
        page.choose("#path" if "/" in spec else "#variant", spec)
        page.wait("the rules", "return !document.querySelector('#start').disabled")
        page.run("document.querySelector('#you').value = arguments[0]", you)
        page.choose("#time", "100")
        before = page.run("return turn")
        page.click("#start")
        page.wait("the new game", "return turn > arguments[0] && game.drawn === turn && game.moves.length < 2", before)
        self.ready()

    def set_up(self, fen):
        self.ready()
        self.browser.run("document.querySelector('#fen').value = arguments[0]", fen)
        self.browser.click("#set")
        self.browser.wait("the position", "return game.first.startsWith(arguments[0]) && game.moves.length === 0 && game.drawn === turn", fen)
        self.ready()

    def play(self, move):
        """Plays a legal move by clicks on its points, and selects it in the dialog if it is ambiguous."""
        page = self.browser
        before = page.run("return game.moves.length")
        for at, point in enumerate(move["ways"][0]):
            page.point(point)
            if at == 0:
                next_point = move["ways"][0][1]
                page.wait(f"the target {next_point} of {move['text']}", "return targets().has(arguments[0])", next_point)
        if page.run("return document.querySelector('#choose').open"):
            self.seen.add("question")
            labels = page.run("return [...document.querySelectorAll('#choices button')].map(one => one.textContent)")
            page.click(f"#choices button:nth-child({[label.split()[-1] for label in labels].index(move['text']) + 1})")
        page.wait(f"{move['text']} on the board", "return game.moves[arguments[0]] === arguments[1]", before, move["text"])
        self.seen.add(move["kind"])
        if len(move["ways"][0]) > 2 and len(move["ways"]) == 1:
            self.seen.add("chain")

    def play_to_the_end(self, most=400):
        for _ in range(most):
            self.ready()
            legal = self.browser.run("return game.legal")
            if not legal:
                return self.browser.run("return game.status")
            rare = [move for move in legal if move["kind"] != "step" and move["kind"] not in self.seen]
            self.play(self.lot.choice(rare or legal))
        raise SystemExit("the game does not end")


def play_everything(page, table, folder, shots):
    def picture(name):
        if shots:
            page.shot(shots / f"{name}.png")
    for name, width, height, is_dark in [("wide", 1920, 1080, False), ("usual", 1280, 800, True), ("narrow", 360, 740, False)]:
        page.size(width, height)
        page.dark(is_dark)
        table.ready()
        page.point("c3")
        page.wait("targets", "return targets().size === 8")
        page.click("#analyse")
        page.wait("values", "return game.values.size === 8")
        page.point("c3")
        page.wait("c3 chosen again", "return game.picked.length === 1")
        wide = page.run("return document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{name}: {wide} pixels too wide"
        picture(name)
        page.click("#analyse")
        page.wait("no values", "return !game.values.size && game.picked.length === 0")
    page.size(1280, 800)
    page.dark(False)

    # Drag, undo, back and forward, hint, keys.
    table.new_game("sixteen-rebels", "both")
    page.click('[data-point="c3"] .hit', to='[data-point="b2"] .hit')
    page.wait("the dragged move", "return game.moves[0] === 'c3-b2' && game.pieces.get('c1') === '.' && game.shown === 1 && game.drawn === turn")
    page.click("#back")
    page.wait("the opening", "return game.shown === 0 && game.moves.length === 1 && game.drawn === turn")
    page.click("#forth")
    page.wait("the move again", "return game.shown === 1 && game.drawn === turn && !document.querySelector('#undo').disabled")
    page.click("#undo")
    page.wait("no move", "return game.moves.length === 0 && game.pieces.get('c1') === 'r' && game.drawn === turn")
    page.click("#hint")
    page.wait("a hint", "return game.arrows.length === 1 && document.querySelectorAll('.arrow').length === 1")
    page.run("setFocus('c3', true)")
    keys = lambda *names: page.do("actions", {"actions": [{"type": "key", "id": "keys", "actions": [{"type": kind, "value": name} for name in names for kind in ("keyDown", "keyUp")]}]})
    keys("\ue007", "\ue012", "\ue007")  # Enter, left, Enter
    page.wait("the move by keys", "return game.moves[0] === 'c3-b3' && game.drawn === turn")
    page.wait("the General on b3 for readers", "return document.querySelector('[data-point=\"b3\"]').getAttribute('aria-label').startsWith('b3: General')")

    # Complete games against the engine.
    for spec, you in [("sixteen-rebels", "general"), ("juroku-musashi", "general"), ("kings-gonu", "general"), ("subjugatio-intervention", "general"), (f"{folder}/mine.toml", "rebels")]:
        table.new_game(spec, you)
        print(spec, table.play_to_the_end(), page.run("return game.moves.length"), "plies", flush=True)

    # Rare moves: a chain landing by landing, a slide against a free jump, a static intervention.
    page.run("document.querySelector('#you').value = 'both'")
    for fen, text in [("3/3/5/1rr2/2G2/5/rr3 g - 0 0 juroku-musashi", None), ("5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu", "c3~b3"), ("5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu", "c3-b3"),
                      ("1/3/5/2r2/1rGr1/2r2/5/5/5/1r3/rrrrr g - 0 0 subjugatio-intervention", "c7:b7d7")]:
        table.set_up(fen)
        legal = page.run("return game.legal")
        chosen = [move for move in legal if (move["text"] == text if text else len(move["ways"][0]) > 2)]
        assert chosen, (fen, legal)
        table.play(chosen[0])
    missing = {"question", "chain", "free jump", "take without moving", "step", "jump"} - table.seen
    assert not missing, missing

    # A chain that may stop at any landing: to its end, and stopped before.
    for text in ["c3xc5xe5", "c3xc5"]:
        table.set_up("3/3/3r1/2r2/2G2/5/rrrrr g - 0 0 komikan")
        page.wait("the chain", "return game.legal.some(move => move.text === arguments[0])", text)
        points = text.split("x")
        for point in points:
            page.point(point)
        if text == "c3xc5":
            page.wait("the next landing is offered", "return targets().size > 0 && game.moves.length === 0")
            page.point(points[-1])
        page.wait(f"{text} played", "return game.moves[0] === arguments[0]", text)

    # Clicks without a pause: what the engine has not accepted is never in the list.
    table.new_game("sixteen-rebels", "both")
    table.ready()
    for _ in range(10):
        page.run("for (const point of ['c3', 'c2', 'c3', 'b2', 'a2', 'a3', 'c2', 'c3']) choose(point)")
    table.ready()
    moves, first = page.run("return game.moves"), page.run("return game.first")
    checked = subprocess.run([sys.argv[1]], input=f"7 position fen {first} moves {' '.join(moves)}\n", capture_output=True, text=True).stdout
    assert moves and checked.startswith("=7"), (moves, checked)

    # A refused position changes nothing and names the reason.
    table.ready()
    fen = page.run("return game.fen")
    page.run("document.querySelector('#fen').value = '1/3 g'")
    page.click("#set")
    page.wait("the reason", "return document.querySelector('#note').textContent.startsWith('illegal position')")
    assert page.run("return game.fen") == fen

    # A record is saved, is sound, and is loaded again.
    table.new_game("juroku-musashi", "both")
    for _ in range(4):
        table.ready()
        table.play(page.run("return game.legal")[0])
    table.ready()
    moves, fen = page.run("return game.moves"), page.run("return game.fen")
    page.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
    page.click("#save")
    record = pathlib.Path(folder, "juroku-musashi.txt")
    for _ in range(600):
        if record.exists():
            break
        time.sleep(0.05)
    replayed = subprocess.run([sys.argv[1], "replay", record, "--fen"], capture_output=True, text=True)
    assert (replayed.returncode, replayed.stdout.strip()) == (0, fen), (replayed, fen)
    table.new_game("kings-gonu", "both")
    element = list(page.do("element", {"using": "css selector", "value": "#file"}).values())[0]
    page.do(f"element/{element}/value", {"text": str(record)})
    page.wait("the record", "return game.moves.join() === arguments[0] && game.fen === arguments[1]", ",".join(moves), fen)


def attack(pid, port, address):
    """Half a request each on a thousand connections, rubbish, and streams of events beyond the bound: the page still comes."""
    threads = lambda: len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))
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
    with socket.create_connection(("127.0.0.1", port)) as one:
        one.sendall(b"\xff\x00 nonsense\r\n\r\n")
        assert one.recv(100).startswith(b"HTTP/1.1 400")
    streams = [urllib.request.urlopen(address + "events", timeout=20) for _ in range(8)]
    assert status_of(address + "events") == 503, "the ninth page"
    for stream in streams:
        stream.close()
    for _ in range(200):
        if threads() < 10:
            break
        time.sleep(0.05)
    assert threads() < 10, "sessions end with their pages"
    assert status_of(address) == 200


def main():
    privy, shots = sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    chromium, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if not chromium or not driver:
        print("chromium or its driver is not there: nothing has been tested")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        listing = subprocess.run([privy, "variants", "show", "monk-and-water"], capture_output=True, text=True, check=True).stdout
        pathlib.Path(folder, "mine.toml").write_text(listing.replace('id = "monk-and-water"', 'id = "mine"'), encoding="utf-8")
        # Children of a background shell ignore SIGINT unless it is reset.
        heed_interrupts = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        command = [privy, "play", "--no-browser", "--level", "10", "--tables", "off"]
        board = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=heed_interrupts)
        page = None
        try:
            address = board.stdout.readline().strip()
            token = address.split("/")[3]
            assert status_of(address) == 200
            assert status_of(address.replace(token, "x" * len(token))) == 403, "a wrong token"
            assert status_of(address, Origin="http://example.org") == 403, "another origin"
            assert status_of(address, Host="example.org") == 403, "another host"
            assert status_of(address + "nothing") == 404
            assert status_of(address + "lines/1", "fen\n") == 410, "no session"
            assert status_of(address + "lines/x", "fen\n") == 400, "no number"
            assert status_of(address + "lines/1", "x", **{"Content-Length": str(2 << 20)}) == 413, "too long"
            attack(board.pid, int(address.split(":")[2].split("/")[0]), address)
            page = Browser(driver, chromium, folder + "/profile")
            page.do("url", {"url": address})
            play_everything(page, Table(page), folder, shots)
            faults = page.errors()
            assert not faults, faults
            board.send_signal(2)
            board.wait(20)
            page.wait("the engine has gone", "return !document.querySelector('#gone').hidden")
        finally:
            board.kill()
            if page:
                page.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
