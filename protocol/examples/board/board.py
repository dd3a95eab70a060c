#!/usr/bin/env python3
"""A board in the browser for any engine that speaks the protocol.

    board.py [--variant ID_OR_FILE] [--port N] [--no-browser] [ENGINE ...]

ENGINE is a command line (default: privy). The program starts the engine, serves the page beside this file on the loopback
address, and passes lines between the two; it has no rules. The random token in the address keeps other pages and other
users of the machine from the engine.

    GET  /TOKEN/        the page
    GET  /TOKEN/events  server-sent events: lines of streamed answers, and the exit of the engine
    POST /TOKEN/ask     {"lines": [...]}: sends the lines as a batch, returns [{"ok": true, "text": "..."}, ...]
    POST /TOKEN/stop    stops the running search
"""
import argparse, json, os, pathlib, queue, secrets, shlex, subprocess, sys, threading, webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = pathlib.Path(__file__).with_name("page.html")
LONGEST_BODY = 1 << 20
KEEP_ALIVE = 15  # seconds between comments on a quiet event stream


class Gone(Exception):
    """The engine has exited."""


class Engine:
    """The engine process: batches of lines in, answers out; streamed answers go to the listeners line by line."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
        self.batch = threading.Lock()    # one batch of lines at a time
        self.writing = threading.Lock()  # lines are written whole
        self.waiting = {}                # id of a request: the queue for its answer
        self.last_id = 0
        self.listeners = set()
        self.gone = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        number, lines = None, []
        for line in self.process.stdout:
            line = line.rstrip("\r\n")
            if number is None:
                head, _, text = line.partition(" ")
                if head[:1] not in ("=", "?") or not head[1:].isdigit():
                    continue  # an empty line, or an answer to no request
                number, ok, lines = int(head[1:]), head[0] == "=", [text] if text else []
            elif line:
                lines.append(line)
                self.tell({"id": number, "line": line})
            else:
                self._answer(number, ok, "\n".join(lines))
                number = None
        self.gone = True
        for number in list(self.waiting):
            self._answer(number, None, "")
        self.tell({"gone": True})

    def _answer(self, number, ok, text):
        self.tell({"id": number, "done": True, "error": "" if ok else text})
        if (answer := self.waiting.pop(number, None)) is not None:
            answer.put((ok, text))

    def tell(self, event):
        for listener in list(self.listeners):
            listener.put(event)

    def write(self, line):
        """Sends a line with a new id; returns the id and the queue for its answer."""
        with self.writing:
            self.last_id += 1
            answer = self.waiting[self.last_id] = queue.Queue()
            if self.gone:
                raise Gone
            try:
                self.process.stdin.write(f"{self.last_id} {line}\n")
                self.process.stdin.flush()
            except OSError:
                raise Gone from None
            return self.last_id, answer

    def ask(self, lines):
        """Sends a batch of lines, one after the other, and waits for each answer; a failure ends the batch. The answer to an
        analysis ends only with the next line, so it is not awaited: its lines go to the listeners."""
        answers = []
        with self.batch:
            for line in lines:
                number, answer = self.write(line)
                if "analyze" in line.split()[0]:
                    answers.append({"ok": True, "text": "", "id": number})
                    continue
                self.tell({"id": number, "asked": line.split()[0]})
                ok, text = answer.get()
                if ok is None:
                    raise Gone
                answers.append({"ok": ok, "text": text, "id": number})
                if not ok:
                    break
        return answers

    def stop(self):
        """Stops the running search. Its answer goes to the request that started it."""
        self.write("stop")

    def end(self):
        try:
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()


class Handler(BaseHTTPRequestHandler):
    """Answers the HTTP requests of the page."""

    protocol_version = "HTTP/1.1"

    def refuse(self, status, reason):
        self.close_connection = True
        self.reply(status, "text/plain; charset=utf-8", reason + "\n")

    def reply(self, status, kind, text, **headers):
        body = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), "Cache-Control": "no-store", **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def path_after_token(self):
        """The path after the token; None if the request has another origin or token and was refused."""
        origin = f"http://{self.headers.get('Host', '')}"
        own = [f"{host}:{self.server.server_port}" for host in ("127.0.0.1", "localhost")]
        token, _, path = self.path.lstrip("/").partition("/")
        if self.headers.get("Host") not in own or self.headers.get("Origin", origin) != origin:
            self.refuse(403, "another origin")
        elif not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self.refuse(403, "wrong token: use the address that the program printed")
        else:
            return path
        return None

    def do_GET(self):
        path = self.path_after_token()
        if path == "":
            nonce = secrets.token_urlsafe(16)
            policy = f"default-src 'none'; connect-src 'self'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'"
            page = PAGE.read_text(encoding="utf-8").replace("<script>", f'<script nonce="{nonce}">')
            page = page.replace("START_VARIANT", json.dumps(self.server.variant).replace("<", "\\u003c"))
            self.reply(200, "text/html; charset=utf-8", page, Content_Security_Policy=policy, Referrer_Policy="no-referrer")
        elif path == "events":
            self.stream()
        elif path is not None:
            self.refuse(404, "no such page")

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.close_connection = True
        engine, events = self.server.engine, queue.Queue()
        engine.listeners.add(events)
        try:
            event = {"gone": engine.gone}
            while True:
                self.wfile.write(b": quiet\n\n" if event is None else f"data: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
                try:
                    event = events.get(timeout=KEEP_ALIVE)
                except queue.Empty:
                    event = None
        except OSError:
            pass  # the page was closed
        finally:
            engine.listeners.discard(events)

    def do_POST(self):
        path = self.path_after_token()
        if path is None:
            return
        length = self.headers.get("Content-Length", "")
        if self.headers.get_content_type() != "application/json" or not length.isdigit() or int(length) > LONGEST_BODY:
            return self.refuse(400, "expected JSON of known length")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except ValueError:
            return self.refuse(400, "expected JSON")
        try:
            if path == "stop":
                self.server.engine.stop()
                self.reply(200, "application/json", "{}")
            elif path == "ask":
                lines = body.get("lines") if isinstance(body, dict) else None
                good = isinstance(lines, list) and lines and all(isinstance(x, str) and x.strip() and x.isprintable() for x in lines)
                if not good or any(line.split()[0] == "quit" or line.strip()[0].isdigit() for line in lines):
                    return self.refuse(400, "expected lines: commands without ids, and not quit")
                self.reply(200, "application/json", json.dumps(self.server.engine.ask(lines)))
            else:
                self.refuse(404, "no such request")
        except Gone:
            self.refuse(502, "the engine has gone")

    def log_message(self, *_):
        pass


def default_engine():
    """The build of this checkout if there is one, else privy on the PATH."""
    built = pathlib.Path(__file__).resolve().parents[3] / "target" / "release" / "privy"
    return [str(built)] if built.exists() else ["privy"]


def main():
    parser = argparse.ArgumentParser(description="A board in the browser for an engine.")
    parser.add_argument("--variant", default="", help="the game to begin with: an id, or the path of a variant file")
    parser.add_argument("--port", type=int, default=0, help="the port, by default any that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("engine", nargs=argparse.REMAINDER, help="the engine's command line (default: privy)")
    arguments = parser.parse_args()
    command = [word for word in arguments.engine if word != "--"] or default_engine()
    try:
        engine = Engine(command)
        server = ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler)
    except (OSError, OverflowError) as error:
        sys.exit(f"board.py: {shlex.join(command)}, port {arguments.port}: {error}")
    server.daemon_threads = True
    server.engine, server.token, server.variant = engine, secrets.token_urlsafe(24), arguments.variant
    address = f"http://127.0.0.1:{server.server_port}/{server.token}/"
    print(address, flush=True)
    if not arguments.no_browser:
        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        engine.end()


if __name__ == "__main__":
    main()
