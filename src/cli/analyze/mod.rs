//! `privy analyze`: many positions, one line of JSON each, in parallel searches.
//!
//! One thread reads, workers search, and the thread of the command writes. The workers' engines share tables and
//! proofs.

mod answer;
mod id;
mod queue;
mod request;

use std::ffi::OsString;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use privy_base::bounded_read::TextLines;
use privy_base::message::{counted, sanitized};
use privy_base::threads::{cores, useful};
use privy_engine::{Engine, Options};
use privy_program::{CliError, TablesArgument, VariantWord, find_variant, interrupt_stop};
use privy_protocol::{ErrorCode, GoArguments, ProtocolError, Stop};
use privy_rules::Variant;

use super::common::{SearchArguments, open_input, shown_input};

pub(super) use answer::LineScore;
use id::LineId;
use queue::{Queue, Waiting};
use request::{RequestLine, Variants};

/// The most bytes of a line, and of what is skipped after them.
const LONGEST_LINE: u64 = 1 << 20;
const MOST_SKIPPED: u64 = 1 << 26;
/// MiB of the transposition table of a search, unless another size is named. A smaller one may come out of memory that
/// was in use before, whose pages are small: a search of 100 nodes then takes a thirtieth longer.
const USUAL_HASH: u64 = 32;
/// Bytes of lines that are written at once.
const MOST_UNWRITTEN: usize = 1 << 16;
/// Characters of an error.
const LONGEST_ERROR: usize = 1000;

/// Analyse many positions in parallel
///
/// Reads an object of JSON a line and writes one for each, in the order in which the searches end. In: {"id": 1,
/// "variant": "kings-gonu", "position": "startpos", "moves": [], "limits": {"nodes": 1000}, "multi_pv": 1, "level": 10,
/// "priority": 0}; what is left out is that of the command line. {"id": 2, "cancel": 1} ends the search of 1. A wrong
/// line is answered with its fault and its id, and the others are searched; the exit status is then 1. docs/FORMATS.md
/// has the keys. An interrupt ends the work: what has been written is complete.
#[derive(Args)]
pub(super) struct AnalyzeArguments {
    /// A file with an object a line; - for standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The variant of lines that name none
    #[arg(long, value_name = "VARIANT", value_parser = VariantWord, hide_possible_values = true)]
    variant: Option<OsString>,
    #[command(flatten)]
    search: SearchArguments,
}

/// Messages of the reader and the workers to the thread of the command.
enum Event {
    /// The line of a line that needs no search; true for an error.
    Line(String, bool),
    /// The input can't be read any more.
    Unreadable(CliError),
    /// A worker has ended.
    Ended,
}

/// The most events that wait, each at most as long as a line. The reader waits for room.
const MOST_EVENTS: usize = 16;

impl AnalyzeArguments {
    /// Answers the lines of the file.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut (impl Write + Send)) -> Result<(), CliError> {
        let variant = self.variant.as_deref().map(find_variant).transpose()?;
        let (path, search) = (self.file.as_path(), &self.search);
        let input = open_input(path)?;
        let mut engine = variant.map_or_else(Engine::new, |variant| Engine::at(variant.start()));
        engine.configure(|options| options.hash = USUAL_HASH)?;
        search.apply(&mut engine, None, tables)?;
        let stop = interrupt_stop();
        let unread = Stop::default();
        #[cfg(unix)]
        {
            let unread = unread.clone();
            // Without the thread the next line finds it out.
            let _ = privy_program::when_unread(io::stdout(), move || _ = unread.set());
        }
        let queue = Arc::new(Queue::default());
        let (sender, events) = sync_channel(MOST_EVENTS);
        let reader = RequestReader { queue: Arc::clone(&queue), events: sender.clone(), path: path.to_owned() };
        let no_thread = |error: io::Error| CliError::Failed(format!("the system gives no thread: {error}"));
        // It reads on when all else has ended, and ends with the program.
        thread::Builder::new().name("reader".to_owned()).spawn(move || reader.read(input)).map_err(no_thread)?;
        let (writer, variants) = (Mutex::new(AnswerWriter::new(output, &queue)), Variants::default());
        thread::scope(|scope| {
            let mut workers = 0;
            for _ in 0..search.threads.map_or_else(cores, |threads| useful(threads as usize)) {
                let worker = SearchWorker {
                    engine: engine.clone_sharing_tables(),
                    search,
                    queue: &queue,
                    variants: &variants,
                    writer: &writer,
                };
                let sender = sender.clone();
                let work = move || {
                    worker.work();
                    let _ = sender.send(Event::Ended);
                };
                match thread::Builder::new().name("search".to_owned()).spawn_scoped(scope, work) {
                    Ok(_) => workers += 1,
                    Err(error) if workers == 0 => return Err(no_thread(error)),
                    Err(error) => {
                        log::warn!("cannot start more threads ({error}): {} at once", counted(workers, "search"));
                        break;
                    }
                }
            }
            while workers > 0 {
                match events.recv_timeout(HEARD) {
                    Ok(Event::Ended) => workers -= 1,
                    Ok(event) => locked(&writer).take(event),
                    Err(_) => {}
                }
                locked(&writer).flush();
                if workers > 0 && (stop.is_set() || unread.is_set()) {
                    locked(&writer).stop(unread.is_set());
                }
                locked(&writer).show();
            }
            // What the reader has refused last.
            events.try_iter().for_each(|event| locked(&writer).take(event));
            Ok(())
        })?;
        writer.into_inner().unwrap_or_else(PoisonError::into_inner).end(path)
    }
}

/// The time in which a stop is heard, and within which a line is written.
const HEARD: Duration = Duration::from_millis(50);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads lines, and answers those that need no search.
struct RequestReader {
    queue: Arc<Queue>,
    events: SyncSender<Event>,
    path: PathBuf,
}

impl RequestReader {
    fn read(&self, input: Box<dyn Read + Send>) {
        let mut lines = TextLines::new(BufReader::new(input), LONGEST_LINE);
        loop {
            let (line, number) = (lines.next_line(), lines.number);
            let fault = match line {
                Ok(None) => break,
                Ok(Some(line)) if line.trim().is_empty() => continue,
                Ok(Some(line)) => match self.take(&line, number) {
                    true => continue,
                    false => break,
                },
                Err(error) => error,
            };
            let is_over = match fault.kind() {
                io::ErrorKind::InvalidData => Ok(true),
                io::ErrorKind::FileTooLarge => lines.skip_line(MOST_SKIPPED),
                _ => Ok(false),
            };
            if !is_over.is_ok_and(|is_over| is_over) {
                let _ = self.events.send(Event::Unreadable(CliError::cannot_load(&self.path)(fault)));
                break;
            }
            self.refuse(&LineId::default(), &ProtocolError::syntax(fault.to_string()), None);
        }
        self.queue.complete();
    }

    /// Takes a line. False if no more are wanted.
    fn take(&self, line: &str, number: usize) -> bool {
        match RequestLine::read(line) {
            Err((id, error)) => self.refuse(&id, &error, Some(number)),
            Ok(RequestLine::Cancel(id, of)) => {
                for _ in 0..self.queue.cancel(&of) {
                    let fault = ProtocolError::new(ErrorCode::Interrupted, "cancelled before the search began");
                    self.refuse(&of, &fault, None);
                }
                let _ = self.events.send(Event::Line(answer::cancelled(&id, &of), false));
            }
            Ok(RequestLine::Analysis(id, priority, asked)) => {
                return self.queue.put(Waiting::new(id, priority, number, asked));
            }
        }
        true
    }

    fn refuse(&self, id: &LineId, error: &ProtocolError, number: Option<usize>) {
        let _ = self.events.send(Event::Line(refusal(id, error, number), true));
    }
}

/// The line of a wrong line, with its number where nothing else tells it.
fn refusal(id: &LineId, error: &ProtocolError, number: Option<usize>) -> String {
    let text = match number.filter(|_| id.is_null()) {
        Some(number) => format!("{}: line {number}: {}", error.code().as_str(), error.detail()),
        None => error.to_string(),
    };
    answer::refused(id, &sanitized(&text, LONGEST_ERROR))
}

/// Searches on one thread.
struct SearchWorker<'a, 'w, W> {
    engine: Engine,
    search: &'a SearchArguments,
    queue: &'a Queue,
    variants: &'a Variants,
    writer: &'a Mutex<AnswerWriter<'w, W>>,
}

impl<W: Write> SearchWorker<'_, '_, W> {
    /// Answers lines until there are no more.
    fn work(mut self) {
        let usual = Arc::clone(self.engine.variant());
        let options = self.engine.options().clone();
        while let Some((line, stop)) = self.queue.take() {
            let answered = self.answer(&line, &stop, &usual, &options);
            // An interrupt may have ended the search early.
            let Some(is_busy) = self.queue.end(line.number) else { break };
            let (text, is_error) = match answered {
                Ok(text) => (text, false),
                Err(error) => (refusal(&line.id, &error, Some(line.number)), true),
            };
            let mut writer = locked(self.writer);
            writer.write(&text, is_error);
            if !is_busy {
                writer.flush();
            }
        }
    }

    /// `options` are those of lines that name none.
    fn answer(
        &mut self,
        line: &Waiting,
        stop: &Stop,
        usual: &Arc<Variant>,
        options: &Options,
    ) -> Result<String, ProtocolError> {
        let asked = &line.asked;
        self.engine.configure(|of_line| {
            of_line.multi_pv = asked.multi_pv.unwrap_or(options.multi_pv);
            of_line.level = asked.level.unwrap_or(options.level);
        })?;
        asked.set_up(&mut self.engine, usual, self.variants)?;
        let limits = asked.limits.or(self.search.limits());
        let go = self.engine.read_request(&GoArguments { limits, ..GoArguments::default() })?;
        let found = self.engine.go(&go, stop, None)?;
        Ok(answer::found(&line.id, self.engine.game(), &found))
    }
}

/// Writes lines, and counts them. While more wait to be searched it writes them in batches.
struct AnswerWriter<'a, W> {
    output: &'a mut W,
    unwritten: String,
    queue: &'a Queue,
    bar: ProgressBar,
    lines: u64,
    errors: u64,
    /// True once a line could not be written.
    is_closed: bool,
    failure: Option<CliError>,
}

impl<'a, W: Write> AnswerWriter<'a, W> {
    fn new(output: &'a mut W, queue: &'a Queue) -> AnswerWriter<'a, W> {
        let bar = ProgressBar::new_spinner();
        let template = "{pos} lines, {msg} wrong [{elapsed}, {per_sec}]";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is a fixed text"));
        bar.set_message("0");
        AnswerWriter {
            output,
            unwritten: String::new(),
            queue,
            bar,
            lines: 0,
            errors: 0,
            is_closed: false,
            failure: None,
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Line(line, is_error) => self.write(&line, is_error),
            Event::Unreadable(error) => _ = self.failure.get_or_insert(error),
            Event::Ended => {}
        }
    }

    /// Takes a line to be written.
    fn write(&mut self, line: &str, is_error: bool) {
        if self.is_closed {
            return;
        }
        self.unwritten.extend([line, "\n"]);
        self.lines += 1;
        self.errors += u64::from(is_error);
        if self.unwritten.len() > MOST_UNWRITTEN {
            self.flush();
        }
    }

    /// Writes the lines that it has taken. Some that can't be written stop the work.
    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.unwritten);
        if lines.is_empty() || self.is_closed {
            return;
        }
        if let Err(error) = self.bar.suspend(|| self.output.write_all(lines.as_bytes())) {
            self.is_closed = true;
            self.failure.get_or_insert(error.into());
            self.queue.stop();
        }
    }

    /// Stops the work.
    fn stop(&mut self, is_unread: bool) {
        let lines = counted(self.lines, "line");
        let words = format!("{lines} written, each complete; what has no answer was not searched to its end");
        let closed = || CliError::Write(io::ErrorKind::BrokenPipe.into());
        self.failure.get_or_insert(if is_unread { closed() } else { CliError::Interrupted(words) });
        self.queue.stop();
    }

    /// Shows the progress.
    fn show(&self) {
        self.bar.set_position(self.lines);
        if self.errors > 0 {
            self.bar.set_message(self.errors.to_string());
        }
    }

    /// Says what became of the work.
    fn end(mut self, path: &Path) -> Result<(), CliError> {
        self.flush();
        self.show();
        self.bar.abandon();
        match self.failure {
            Some(failure) => Err(failure),
            None if self.errors > 0 => {
                let (input, errors, lines) = (shown_input(path), self.errors, counted(self.lines, "line"));
                Err(CliError::Failed(format!("{input}: {errors} of {lines} answered with an error")))
            }
            None => Ok(()),
        }
    }
}
