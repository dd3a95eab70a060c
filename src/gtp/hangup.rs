//! Noticing that nobody reads the answers any more.
//!
//! A write that fails would tell it too, but a long iteration, or a search without limit that has proved its result,
//! writes nothing: the process would go on for nobody as long as its input stays open.

use std::io;
use std::os::fd::AsFd;
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

/// Calls `act`, from a thread of its own, when the other end of a pipe or terminal is closed. Files have no other end.
///
/// # Errors
/// When no thread can be started.
pub fn when_unread(output: impl AsFd + Send + 'static, act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("hangup".to_owned()).spawn(move || {
        // Without flags to wait for, only errors and hangups end the waiting.
        let mut polled = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut polled, None) == Err(Errno::INTR) {}
        let [polled] = &polled;
        if polled.revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            act();
        }
    })?;
    Ok(())
}
