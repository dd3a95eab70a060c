"""A headless Chromium, driven by the WebDriver protocol (W3C), and requests to a server."""
import base64, json, shutil, socket, subprocess, time, urllib.error, urllib.request

CHROMIUM = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]

# A script that calls back when another one returns a true value, or after a while.
WAIT = """
  const done = arguments[arguments.length - 1], all = [...arguments].slice(0, -1), end = performance.now() + 20000;
  const found = function () { {SCRIPT} };
  const look = () => { const value = found(...all); if (value || performance.now() > end) done(value); else setTimeout(look, 8); };
  look();"""


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


def programs():
    """Chromium and its driver; None where one is missing."""
    return shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")


class Browser:
    """A page, driven by the WebDriver protocol (W3C)."""

    def __init__(self, profile):
        binary, driver = programs()
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
        """Waits until a script returns a true value. The page itself looks again and again: each request costs three processes work."""
        looking = WAIT.replace("{SCRIPT}", script)
        for _ in range(3):
            if value := self.do("execute/async", {"script": looking, "args": list(arguments)}):
                return value
        raise SystemExit(f"waited in vain: {what}: " + json.dumps(self.run("return [arguments, state.fen, state.status, state.picked, state.turn, state.drawn, state.at.ply, state.thinking, document.querySelector('#note').textContent]", *arguments)))

    def click(self, selector, **drag):
        """Clicks an element, when it is there: the page draws a new game when its engine has answered."""
        middle = """
          const one = document.querySelector(arguments[0]);
          one?.scrollIntoView({ block: "center" });
          const box = one?.getBoundingClientRect();
          return box && [Math.floor(box.x + box.width / 2), Math.floor(box.y + box.height / 2)];"""
        def at(which):
            x, y = self.wait(which, middle, which)
            return {"type": "pointerMove", "duration": 0, "x": x, "y": y}
        steps = [at(selector), {"type": "pointerDown", "button": 0}]
        steps += [at(drag["to"])] if drag else []
        steps += [{"type": "pointerUp", "button": 0}]
        self.do("actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]})

    def point(self, name):
        self.click(f'[data-point="{name}"] .hit')

    def taps(self, names):
        """Clicks on points by events that the page is sent from within, at a fraction of the cost of a mouse."""
        self.run("""
          for (const name of arguments[0]) {
            const hit = document.querySelector(`[data-point="${name}"] .hit`), box = hit.getBoundingClientRect();
            const where = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true };
            for (const kind of ["pointerdown", "pointerup"]) hit.dispatchEvent(new PointerEvent(kind, where));
          }""", names)

    def keys(self, *names):
        self.do("actions", {"actions": [{"type": "key", "id": "keys", "actions": [{"type": kind, "value": name} for name in names for kind in ("keyDown", "keyUp")]}]})

    def file(self, selector, path):
        """Chooses a file in an input."""
        element = list(self.do("element", {"using": "css selector", "value": selector}).values())[0]
        self.do(f"element/{element}/value", {"text": str(path)})

    def cdp(self, command, **keys):
        return self.call(f"/session/{self.session}/goog/cdp/execute", {"cmd": command, "params": keys})

    def choose(self, selector, value):
        self.run("const one = document.querySelector(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event('change'))", selector, value)

    def size(self, width, height):
        self.call(f"/session/{self.session}/window/rect", {"width": width, "height": height})
        self.call(f"/session/{self.session}/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def media(self, dark=False, still=True):
        features = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce" if still else "no-preference"}
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in features.items()])

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
