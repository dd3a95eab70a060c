//! What a program is to its system: interrupts, a standard output that nobody reads, limits, progress.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use indicatif::{ProgressBar, ProgressStyle};

use privy_protocol::Stop;
use privy_rules::Variant;

/// The stop that an interrupt sets; long work looks at it and ends cleanly. A second interrupt ends the program at
/// once, and leaves the files as they are on the disk.
#[must_use]
pub fn interrupt_stop() -> Stop {
    INTERRUPTED.get_or_init(registered_stop).clone()
}

/// Set by interrupts, once something looks at it.
static INTERRUPTED: OnceLock<Stop> = OnceLock::new();

fn registered_stop() -> Stop {
    use signal_hook::consts;
    use signal_hook::flag::{register, register_conditional_shutdown};

    let interrupted = Arc::<AtomicBool>::default();
    let signals = [
        consts::SIGINT,
        consts::SIGTERM,
        #[cfg(unix)]
        consts::SIGHUP,
    ];
    for signal in signals {
        // In this order: the first signal sets the flag, the next one finds it set.
        let registered = register_conditional_shutdown(signal, 130, Arc::clone(&interrupted))
            .and_then(|_| register(signal, Arc::clone(&interrupted)));
        if let Err(error) = registered {
            log::warn!("an interrupt will end the program at once: {error}");
        }
    }
    Stop::from(interrupted)
}

/// Standard output. What nobody reads is not waited for after an interrupt: a write then fails as one that would block.
#[derive(Debug)]
pub struct InterruptibleOutput(io::Stdout);

impl Default for InterruptibleOutput {
    fn default() -> InterruptibleOutput {
        InterruptibleOutput(io::stdout())
    }
}

#[cfg(unix)]
impl Write for InterruptibleOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, poll};
        use rustix::io::Errno;
        use rustix::time::Timespec;

        /// Bytes for which a pipe has room when it has any.
        const PART: usize = 4096;
        let moment = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        loop {
            let has_room = match poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], Some(&moment)) {
                Err(Errno::INTR) => false,
                ready => ready? > 0,
            };
            if has_room {
                match rustix::io::write(&self.0, bytes.get(..PART).unwrap_or(bytes)) {
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    written => return Ok(written?),
                }
            } else if INTERRUPTED.get().is_some_and(Stop::is_set) {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "interrupted: nobody reads the output"));
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(not(unix))]
impl Write for InterruptibleOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Calls `act`, from a separate thread, when the other end of a pipe or terminal is closed. Files have no other end.
///
/// A write would fail then, but a long iteration, or a search without limit that has proved its result, writes nothing.
///
/// # Errors
/// When no thread can be started.
#[cfg(unix)]
pub fn when_unread(
    output: impl std::os::fd::AsFd + Send + 'static,
    act: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};

    std::thread::Builder::new().name("hangup".to_owned()).spawn(move || {
        // Without flags, only errors and hangups end the poll.
        let mut polled = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut polled, None) == Err(rustix::io::Errno::INTR) {}
        let [polled] = &polled;
        if polled.revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            act();
        }
    })?;
    Ok(())
}

/// A write beyond the limit of file sizes (`ulimit -f`) fails as one on a full disk does; without this the system ends
/// the program there.
pub fn outlive_limits() {
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::<AtomicBool>::default()) {
        log::warn!("a limit of file sizes may end the program: {error}");
    }
}

/// A progress bar of work on a variant, in a form of the crate `indicatif`; shown on standard error when that is a
/// terminal.
///
/// # Panics
/// When the template is none.
#[must_use]
pub fn progress_bar(bar: ProgressBar, template: &str, variant: &Variant) -> ProgressBar {
    bar.set_style(ProgressStyle::with_template(template).expect("templates are fixed texts"));
    bar.with_prefix(variant.id().to_owned())
}

/// A number with a comma before every three digits.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
