//! The page of `privy play`, served to this machine alone.
//!
//! The page speaks the protocol: each page that is open has a session of its own, whose input is what the page posts, and whose
//! output is a stream of events, a line each. The session ends with the stream. The server knows no commands.
//!
//! ```text
//! GET  /TOKEN/          the page
//! GET  /TOKEN/events    server-sent events: the number of the session, then the lines of its output
//! POST /TOKEN/lines/N   lines for the input of session N
//! ```
//!
//! The random token keeps other pages and other users of the machine out, and the checks of host and origin pages that guess it by way of a
//! name that leads here.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, PipeWriter, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use privy_engine::{Engine, session};
use privy_web::{Begin, page};

use crate::cli::error::CliError;

/// What a browser keeps belongs to a port: the same one finds it again.
const USUAL_PORT: u16 = 7_716;
/// Connections at a time; further ones are refused.
const MOST_CONNECTIONS: usize = 64;
/// Pages at a time, each with an engine.
const MOST_PAGES: usize = 8;
/// Bytes of a head and of a body.
const LONGEST_HEAD: usize = 16 << 10;
const LONGEST_BODY: usize = 1 << 20;
/// A request must be there within this time.
const PATIENCE: Duration = Duration::from_secs(10);
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
    // The token must not stand in a command line, which other users can read: the browser opens a private file that leads to the page.
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
    writeln!(file, "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url={address}\"><title>Privy</title>").ok()?;
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
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = match self.read(stream)? {
            Ok(request) => request,
            Err(refusal) => return refuse(stream, refusal),
        };
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "") => {
                let nonce = random_word()?;
                let page = self.page.replace("<script>", &format!("<script nonce=\"{nonce}\">"));
                let policy = format!(
                    "default-src 'none'; connect-src 'self'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'"
                );
                reply(stream, "200 OK", "text/html", &[("Content-Security-Policy", &policy)], page.as_bytes())
            }
            ("GET", "events") => self.hold_session(stream),
            ("POST", path) => match path.strip_prefix("lines/").and_then(|number| number.parse().ok()) {
                Some(number) => self.pass_on(stream, number, &request.body),
                None => refuse(stream, UNREADABLE),
            },
            _ => refuse(stream, ("404 Not Found", "no such page")),
        }
    }

    /// Reads a request, or why it is refused.
    fn read(&self, mut stream: &TcpStream) -> io::Result<Result<PageRequest, Refusal>> {
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
        if differs == 0 {
            Ok(path)
        } else {
            Err(("403 Forbidden", "wrong token: use the address that the program printed"))
        }
    }

    /// Runs a session for a page until the page has closed its stream of events.
    fn hold_session(&self, stream: &TcpStream) -> io::Result<()> {
        let Ok(engine) = (self.new_engine)() else { return refuse(stream, ("500 Internal Server Error", "no engine")) };
        let (input, lines) = io::pipe()?;
        let (answers, output) = io::pipe()?;
        let input_of_page = Arc::new(Mutex::new(lines));
        let number = {
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            if sessions.1.len() >= MOST_PAGES {
                drop(sessions);
                return refuse(stream, ("503 Service Unavailable", "too many pages are open"));
            }
            sessions.0 += 1;
            let number = sessions.0;
            sessions.1.insert(number, Arc::clone(&input_of_page));
            number
        };
        let held = thread::scope(|scope| {
            thread::Builder::new().spawn_scoped(scope, move || {
                // When the page has gone, reading goes on, so that the session can end.
                let mut is_open = send_events(stream, number).is_ok();
                for line in BufReader::new(answers).lines().map_while(Result::ok) {
                    is_open = is_open && send_line(stream, &line).is_ok();
                }
                let _ = stream.shutdown(Shutdown::Both);
            })?;
            // Last: without a thread the session's output is closed, which ends the thread above.
            thread::Builder::new().spawn_scoped(scope, move || session::run(engine, input, output, |_| ()))?;
            // The page sends nothing more: the end of this read is its end, or that of the session.
            stream.set_read_timeout(None)?;
            let mut rest = stream;
            let _ = io::copy(&mut rest, &mut io::sink());
            let mut input = input_of_page.lock().unwrap_or_else(PoisonError::into_inner);
            // A search with a limit goes on after the end of the input; nobody waits for it here.
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

fn send_events(mut stream: &TcpStream, number: usize) -> io::Result<()> {
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
    write!(stream, "{head}event: session\ndata: {number}\n\n")
}

fn send_line(mut stream: &TcpStream, line: &str) -> io::Result<()> {
    stream.write_all(format!("data: {line}\n\n").as_bytes())
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
