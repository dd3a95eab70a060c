//! Engines with one fault each, which the examination of `privy compliance` must find.
//!
//! A fault is a filter around a good engine, a session of `privy_engine` in a thread: it changes lines on their way in,
//! or answers on their way out. The good engine begins with Hare and Hounds, which it solves in a moment, so that no
//! search works for long. Where a fault depends on time, the filter waits: the fault shows, however fast or busy the
//! machine is.
//!
//! [`in_thread`] starts such an engine in a thread, the program `faulty-engine FAULT` is one as a process.

mod faults;
mod line;

use std::io::{self, BufRead, BufReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use privy_engine::{Engine, PathChoice, session};
use privy_protocol::{Client, ClientError};
use privy_referee::EngineSpec;
use privy_rules::Variant;

use faults::Effect::{Accepts, Asks, Begins, Changes, Delays, Ends, Gives, Lines, Puts, Reads, Says, Takes};
use faults::{DONE, Effect, FAULTS, Fault};
use line::Line;

/// The filter around the good engine.
struct Filter {
    effects: &'static [Effect],
    /// The input of the good engine, until it ends.
    engine: Mutex<Option<PipeWriter>>,
    /// Takes the requests to the good engine in their order. With a sender the answer goes to it, and not to the
    /// output.
    asked: Sender<(String, Option<Sender<String>>)>,
    output: Mutex<Option<Box<dyn Write + Send>>>,
    /// Takes the exit status.
    ended: Sender<i32>,
    is_analysing: AtomicBool,
}

impl Filter {
    /// Reads the input to its end.
    fn read(&self, input: impl Read) {
        let mut input = BufReader::with_capacity(1 << 20, input);
        let mut next: fn(&mut dyn BufRead) -> io::Result<Vec<u8>> = next_line;
        for effect in self.effects {
            match effect {
                Begins(text) => _ = self.says(text),
                Reads(other) => next = *other,
                _ => {}
            }
        }
        while let Some(line) = next(&mut input).ok().filter(|line| !line.is_empty()) {
            let line = Line::new(line);
            let is_taken = self.effects.iter().any(|effect| match effect {
                Says(answer, applies) => applies(&line) && self.says(answer),
                Asks(other) => other(&line).is_some_and(|request| self.forwards(&format!("{} {request}\n", line.id))),
                Takes(takes) => takes(self, &line),
                _ => false,
            });
            if !is_taken {
                self.forward(&line);
            }
        }
        for effect in self.effects {
            if let Ends(ends) = effect {
                ends(self);
            }
        }
        *self.engine.lock().unwrap() = None;
    }

    /// Writes the answers of the good engine to its end.
    fn write(&self, answers: impl Read, asked: &Receiver<(String, Option<Sender<String>>)>) {
        let mut answer = String::new();
        for line in BufReader::new(answers).lines().map_while(Result::ok) {
            answer.push_str(&line);
            answer.push('\n');
            if line.is_empty() {
                let Ok((request, asker)) = asked.recv() else { break };
                let answer = std::mem::take(&mut answer);
                match asker {
                    Some(asker) => _ = asker.send(answer),
                    None => _ = self.says(&self.changed(&request, answer)),
                }
            }
        }
        self.exits(0);
    }

    fn changed(&self, request: &str, answer: String) -> String {
        self.effects.iter().fold(answer, |answer, effect| match effect {
            Changes(of, change) if request.starts_with(of) => change(&answer),
            Lines(of, begin, change) if request.starts_with(of) => lines(&answer, begin, change),
            Puts(of, old, new) if request.starts_with(of) => answer.replace(old, new),
            Gives(of, other) if request.starts_with(of) => (*other).to_owned(),
            Accepts(of, other) if request.starts_with(of) && answer.starts_with('?') => (*other).to_owned(),
            Delays(of, time) if request.starts_with(of) => {
                pause(*time);
                answer
            }
            _ => answer,
        })
    }

    fn says(&self, text: &str) -> bool {
        if let Some(output) = &mut *self.output.lock().unwrap() {
            // It fails when nobody listens any more.
            let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
        }
        true
    }

    fn done(&self, line: &Line) -> bool {
        self.says(&format!("={} \n\n", line.id))
    }

    /// Ends the engine.
    fn exits(&self, status: i32) -> bool {
        *self.output.lock().unwrap() = None;
        let _ = self.ended.send(status);
        true
    }

    fn forwards(&self, text: &str) -> bool {
        self.forward(&Line::new(text.into()))
    }

    fn forward(&self, line: &Line) -> bool {
        if !line.is_blank() {
            let _ = self.asked.send((line.request.clone(), None));
        }
        self.send(&line.raw)
    }

    /// The answer of the good engine to a request of the filter.
    fn ask(&self, request: &str) -> String {
        let (asker, answer) = channel();
        let _ = self.asked.send((String::new(), Some(asker)));
        self.send(format!("{request}\n").as_bytes());
        answer.recv().unwrap_or_default()
    }

    fn send(&self, bytes: &[u8]) -> bool {
        self.engine.lock().unwrap().as_mut().is_some_and(|engine| engine.write_all(bytes).is_ok())
    }

    // Faults that take lines.

    fn wraps_ids(&self, line: &Line) -> bool {
        line.number() >> 31 > 0 && self.says(&format!("={} Privy\n\n", line.number() % (1 << 31)))
    }

    fn cuts_lines(&self, line: &Line) -> bool {
        line.raw.len() > 65_536 && self.forwards(&(line.request[..1000].to_owned() + "\n")) && self.forwards("name\n")
    }

    fn applies_half(&self, line: &Line) -> bool {
        if let Some(moves) = line.request.strip_prefix("position startpos moves ") {
            self.ask("clear_board");
            moves.split(' ').for_each(|move_| _ = self.ask(&format!("play {move_}")));
        }
        false
    }

    fn plays_first(&self, line: &Line) -> bool {
        if line.begins("go") {
            self.ask(&format!("play {}", self.ask("legal_moves")[1..].split_whitespace().next().unwrap_or_default()));
        }
        false
    }

    fn only_chooses(&self, line: &Line) -> bool {
        line.begins("genmove") && {
            let answer = self.ask(&line.request);
            if answer.starts_with('=') {
                self.ask("undo");
            }
            self.says(&answer)
        }
    }

    fn chooses_last(&self, line: &Line) -> bool {
        line.begins("go") && {
            let moves = self.ask("legal_moves");
            let last = moves.split_whitespace().last().unwrap_or_default();
            self.says(&lines(&self.ask(&line.request), "bestmove", |_| format!("bestmove {last}\n")))
        }
    }

    fn answers_interrupt(&self, line: &Line) -> bool {
        if line.raw.starts_with(b"# interrupt") {
            self.says(DONE);
        }
        false
    }

    fn analyses_on(&self, line: &Line) -> bool {
        if !line.is_blank() {
            self.is_analysing.store(line.begins("analyze"), Ordering::Relaxed);
        }
        line.is_blank() && self.is_analysing.load(Ordering::Relaxed)
    }

    fn goes_on(&self, line: &Line) -> bool {
        line.is("quit") && self.done(line) && self.says("= Privy\n\n") && self.exits(0)
    }
}

/// All faults, each with every step that finds it.
pub fn faults() -> impl Iterator<Item = (&'static str, &'static str)> {
    FAULTS.iter().flat_map(|Fault(name, steps, _)| steps.iter().map(|step| (*name, *step)))
}

/// Runs the engine with a fault until it ends, and returns its exit status.
///
/// # Errors
/// When the fault is unknown, or there is no pipe.
pub fn run(fault: &str, input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<i32> {
    let Fault(_, _, effects) = FAULTS.iter().find(|Fault(name, ..)| *name == fault).ok_or(io::ErrorKind::NotFound)?;
    let (engine_input, engine) = io::pipe()?;
    let (answers, engine_output) = io::pipe()?;
    thread::spawn(move || session::run(good_engine(), engine_input, engine_output, |_| {}));
    let ((asked, waiting), (ended, status)) = (channel(), channel());
    let (engine, output) = (Mutex::new(Some(engine)), Mutex::new(Some(Box::new(output) as Box<_>)));
    let filter = Arc::new(Filter { effects, engine, asked, output, ended, is_analysing: AtomicBool::new(false) });
    let reader = Arc::clone(&filter);
    thread::spawn(move || reader.read(input));
    thread::spawn(move || filter.write(answers, &waiting));
    Ok(status.recv().unwrap_or(0))
}

/// Starts the engine of the last word of a command in a thread.
///
/// # Errors
/// As [`run`].
pub fn in_thread(engine: &EngineSpec) -> Result<Client, ClientError> {
    let start = || {
        let fault = engine.command.last().cloned().unwrap_or_default();
        let ((input, to_engine), (from_engine, output)) = (io::pipe()?, io::pipe()?);
        thread::spawn(move || run(&fault, input, output).unwrap());
        Client::from_pipes(from_engine, to_engine)
    };
    start().map_err(|source| ClientError::Start { program: engine.title().to_owned(), source })
}

fn good_engine() -> Engine {
    let mut engine = Engine::at(Variant::builtin("hare-and-hounds").unwrap().start());
    engine.configure(|options| (options.hash, options.tables) = (1, PathChoice::Off)).unwrap();
    engine
}

fn pause(milliseconds: u64) -> bool {
    thread::sleep(Duration::from_millis(milliseconds));
    false
}

/// The line up to its line feed, or to the end.
fn next_line(input: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    input.read_until(b'\n', &mut line)?;
    Ok(line)
}

/// The answer with a change of the lines that begin with a text.
fn lines(answer: &str, begin: &str, change: impl Fn(&str) -> String) -> String {
    let lines = answer.split_inclusive('\n');
    lines.map(|line| if line.starts_with(begin) { change(line) } else { line.to_owned() }).collect()
}
