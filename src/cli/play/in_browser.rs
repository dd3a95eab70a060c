//! The page of `privy play`, served to this machine alone.
//!
//! The page speaks the protocol: each page that is open has its own session, whose input is what the page posts, and
//! whose output is one answer without an end. The session ends with that answer. The server knows no commands.
//!
//! ```text
//! GET  /TOKEN/          the page
//! GET  /TOKEN/lines     the number of a new session, then the lines of its output
//! POST /TOKEN/lines/N   lines for the input of session N
//! ```
//!
//! The random token keeps other pages and other users of the machine out, and the checks of host and origin pages that
//! guess it by way of a name that leads here.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, PipeWriter, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use privy_engine::{Engine, session};
use privy_program::CliError;
use privy_web::{Begin, page};

/// What a browser keeps belongs to a port: the same one finds it again.
const USUAL_PORT: u16 = 7_716;
/// The most connections; further ones are refused.
const MOST_CONNECTIONS: usize = 64;
/// The most pages, each with an engine. A browser has six connections to a host: one remains for what the pages send.
const MOST_PAGES: usize = 5;
/// Bytes of a head and of a body.
const LONGEST_HEAD: usize = 16 << 10;
const LONGEST_BODY: usize = 1 << 20;
/// A request must arrive within this time, head and body together.
const PATIENCE: Duration = Duration::from_secs(3);
/// Time between two attempts to accept when the system has no descriptors left.
const PAUSE: Duration = Duration::from_millis(100);

/// The inputs of sessions, by number.
type Inputs = HashMap<usize, Arc<Mutex<PipeWriter>>>;

struct Server<'a> {
    port: u16,
    token: String,
    page: String,
    new_engine: &'a (dyn Fn() -> Result<Engine, CliError> + Sync),
    connections: AtomicUsize,
    /// The next number of a session, and their inputs.
    sessions: Mutex<(usize, Inputs)>,
}

/// A request: method, path after the token, body.
struct PageRequest {
    method: String,
    path: String,
    body: Vec<u8>,
}

/// A refusal: its status and why.
type Refusal = (&'static str, &'static str);

const UNREADABLE: Refusal = ("400 Bad Request", "this is no request that the page sends");
const OLD_ADDRESS: Refusal = ("403 Forbidden", "wrong token: use the address that the program printed");
/// What a person sees at an address of an earlier start.
const OLD_PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
    content=\"width=device-width\"><title>Privy</title><h1>This address is no longer valid</h1><p>Each start of \
    <code>privy play</code> has a new address. Use the one that the program printed last. Your games are still there, \
    under <em>My games</em>.</p></html>\n";

/// Serves the page until the process is interrupted.
pub(super) fn serve(
    port: Option<u16>,
    begin: &Begin,
    opens_browser: bool,
    new_engine: &(dyn Fn() -> Result<Engine, CliError> + Sync),
    output: &mut impl Write,
) -> Result<(), CliError> {
    // What is wrong with options or files is said here, not on the page.
    new_engine()?;
    let failed = |error: io::Error| {
        CliError::Failed(format!("cannot serve the page: port {}: {error}", port.unwrap_or(USUAL_PORT)))
    };
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = port.map_or_else(|| bind(USUAL_PORT).or_else(|_| bind(0)), bind).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let token = random_word().map_err(failed)?;
    let page = page(begin, None).map_err(failed)?;
    let address = format!("http://127.0.0.1:{port}/{token}/");
    writeln!(output, "{address}\nThe game is at this address, in a browser on this machine. Ctrl-C ends it.")?;
    output.flush()?;
    // The token must not stand in a command line, which other users can read: the browser opens a private file that
    // leads to the page.
    let _redirect = if opens_browser { open_browser(&address) } else { None };
    let server = Server { port, token, page, new_engine, connections: AtomicUsize::new(0), sessions: Mutex::default() };
    thread::scope(|scope| {
        loop {
            let Ok((stream, _)) = listener.accept() else {
                thread::sleep(PAUSE);
                continue;
            };
            if server.connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                let _ = refuse(&stream, ("503 Service Unavailable", "too many connections"));
                server.connections.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let server = &server;
            let served = thread::Builder::new().spawn_scoped(scope, move || {
                // A connection that breaks ends nothing but itself.
                if let Err(error) = server.answer(&stream) {
                    log::debug!("a connection of the page: {error}");
                }
                server.connections.fetch_sub(1, Ordering::Relaxed);
            });
            if served.is_err() {
                server.connections.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
    Ok(())
}

/// A word that nobody can guess.
fn random_word() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().fold(String::new(), |mut word, byte| {
        let _ = write!(word, "{byte:02x}");
        word
    }))
}

/// Opens the browser with a file that leads to the address, and returns the file, which goes when it is dropped.
fn open_browser(address: &str) -> Option<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("privy-").suffix(".html").tempfile().ok()?;
    writeln!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" \
        content=\"0;url={address}\"><title>Privy</title>"
    )
    .ok()?;
    match open::that_detached(file.path()) {
        Ok(()) => Some(file),
        Err(error) => {
            log::warn!("no browser could be opened: {error}");
            None
        }
    }
}

impl Server<'_> {
    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = match self.read(Punctual { stream, deadline: Instant::now() + PATIENCE })? {
            Ok(request) => request,
            Err(OLD_ADDRESS) => return reply(stream, OLD_ADDRESS.0, "text/html", &[], OLD_PAGE.as_bytes()),
            Err(refusal) => return refuse(stream, refusal),
        };
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "") => {
                let nonce = random_word()?;
                let page = self.page.replace("<script>", &format!("<script nonce=\"{nonce}\">"));
                let policy = format!(
                    "default-src 'none'; connect-src 'self'; img-src data: blob:; style-src 'unsafe-inline'; \
                     script-src 'nonce-{nonce}'"
                );
                reply(stream, "200 OK", "text/html", &[("Content-Security-Policy", &policy)], page.as_bytes())
            }
            ("GET", "lines") => self.hold_session(stream),
            ("POST", path) => match path.strip_prefix("lines/").and_then(|number| number.parse().ok()) {
                Some(number) => self.pass_on(stream, number, &request.body),
                None => refuse(stream, UNREADABLE),
            },
            _ => refuse(stream, ("404 Not Found", "no such page")),
        }
    }

    /// Reads a request, or why it is refused.
    fn read(&self, mut stream: Punctual<'_>) -> io::Result<Result<PageRequest, Refusal>> {
        let mut bytes = Vec::new();
        let mut chunk = [0; 4_096];
        loop {
            let read = stream.read(&mut chunk)?;
            if read == 0 {
                return Ok(Err(UNREADABLE));
            }
            bytes.extend_from_slice(&chunk[..read]);
            let mut headers = [httparse::EMPTY_HEADER; 64];
            let mut head = httparse::Request::new(&mut headers);
            let length = match head.parse(&bytes) {
                Ok(httparse::Status::Complete(length)) => length,
                Ok(httparse::Status::Partial) if bytes.len() < LONGEST_HEAD => continue,
                Ok(httparse::Status::Partial) | Err(_) => return Ok(Err(UNREADABLE)),
            };
            let path = match self.checked_path(&head) {
                Ok(path) => path.to_owned(),
                Err(refusal) => return Ok(Err(refusal)),
            };
            let method = head.method.unwrap_or_default().to_owned();
            let expected = match header(&head, "content-length") {
                None => 0,
                Some(text) => match text.parse::<usize>() {
                    Ok(expected) if expected <= LONGEST_BODY => expected,
                    _ => return Ok(Err(("413 Content Too Large", "the request is too long"))),
                },
            };
            let mut body = bytes.split_off(length);
            let missing = expected.saturating_sub(body.len());
            stream.take(missing as u64).read_to_end(&mut body)?;
            return Ok(if body.len() == expected { Ok(PageRequest { method, path, body }) } else { Err(UNREADABLE) });
        }
    }

    /// The path after the token, if host, origin and token are ours.
    fn checked_path<'r>(&self, head: &httparse::Request<'_, 'r>) -> Result<&'r str, Refusal> {
        let host = header(head, "host").unwrap_or_default();
        let is_ours = ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port));
        if !is_ours || header(head, "origin").is_some_and(|origin| origin != format!("http://{host}")) {
            return Err(("403 Forbidden", "another origin"));
        }
        let path = head.path.unwrap_or_default().trim_start_matches('/');
        let (token, path) = path.split_once('/').unwrap_or((path, ""));
        // All letters are compared, so that the time tells nothing.
        let differs = token
            .bytes()
            .zip(self.token.bytes())
            .fold(token.len() ^ self.token.len(), |sum, (a, b)| sum | usize::from(a ^ b));
        if differs == 0 { Ok(path) } else { Err(OLD_ADDRESS) }
    }

    /// Runs a session for a page until the page has closed its stream of lines. A page that does not read for a while,
    /// as in a frozen tab, is waited for.
    fn hold_session(&self, stream: &TcpStream) -> io::Result<()> {
        let Ok(engine) = (self.new_engine)() else { return refuse(stream, ("500 Internal Server Error", "no engine")) };
        let (input, lines) = io::pipe()?;
        let (answers, output) = io::pipe()?;
        let input_of_page = Arc::new(Mutex::new(lines));
        let number = {
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            if sessions.1.len() >= MOST_PAGES {
                drop(sessions);
                return refuse(stream, ("503 Service Unavailable", "five pages are open"));
            }
            sessions.0 += 1;
            let number = sessions.0;
            sessions.1.insert(number, Arc::clone(&input_of_page));
            number
        };
        stream.set_write_timeout(None)?;
        let held = thread::scope(|scope| {
            thread::Builder::new().spawn_scoped(scope, move || {
                let mut answers = answers;
                let mut page = stream;
                let begun = writeln!(page, "{STREAM_HEAD}{number}");
                let _ = begun.and_then(|()| io::copy(&mut answers, &mut page));
                let _ = stream.shutdown(Shutdown::Both);
                // After the page is closed, the rest is read, so that the session can end.
                let _ = io::copy(&mut answers, &mut io::sink());
            })?;
            // Last: without a thread the session's output is closed, which ends the thread above.
            thread::Builder::new().spawn_scoped(scope, move || session::run(engine, input, output, |_| ()))?;
            // The page sends nothing more: the end of this read is its end, or that of the session.
            stream.set_read_timeout(None)?;
            let mut rest = stream;
            let _ = io::copy(&mut rest, &mut io::sink());
            let mut input = input_of_page.lock().unwrap_or_else(PoisonError::into_inner);
            // A search with a limit continues after the end of the input; nobody waits for it here.
            let _ = input.write_all(b"\nstop\nquit\n");
            Ok(())
        });
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
        held
    }

    /// Writes lines to the input of a session.
    fn pass_on(&self, stream: &TcpStream, number: usize, lines: &[u8]) -> io::Result<()> {
        let found = self.sessions.lock().unwrap_or_else(PoisonError::into_inner).1.get(&number).cloned();
        let Some(input) = found else { return refuse(stream, ("410 Gone", "this session has ended")) };
        match input.lock().unwrap_or_else(PoisonError::into_inner).write_all(lines) {
            Ok(()) => reply(stream, "204 No Content", "text/plain", &[], b""),
            Err(_) => refuse(stream, ("410 Gone", "this session has ended")),
        }
    }
}

fn header<'r>(head: &httparse::Request<'_, 'r>, name: &str) -> Option<&'r str> {
    let found = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(found.value).ok()
}

const STREAM_HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n";

/// A stream that is read up to a deadline.
struct Punctual<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl Read for Punctual<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(bytes)
    }
}

fn reply(mut stream: &TcpStream, status: &str, kind: &str, headers: &[(&str, &str)], body: &[u8]) -> io::Result<()> {
    let mut head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.shutdown(Shutdown::Write)
}

fn refuse(stream: &TcpStream, (status, reason): Refusal) -> io::Result<()> {
    reply(stream, status, "text/plain", &[], format!("{reason}\n").as_bytes())
}
