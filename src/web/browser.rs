//! The session for a page: lines in, lines out, on the page's one thread.
//!
//! The page writes the bytes of a line into [`line_buffer`] and calls [`answer`]; what the session says comes through
//! the imported function `write`, piece by piece, also while a search runs. Time is an import of `privy-protocol`. A
//! search can't be ended from outside: the page ends the worker that runs it.

use std::cell::RefCell;
use std::io::{self, Write};

use privy_engine::{Engine, session};
use privy_protocol::{LINE_LIMIT, LineAssembler};

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
    static FILE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static LINE: RefCell<Vec<u8>> = RefCell::new(vec![0; LINE_LIMIT + 1]);
}

#[allow(unsafe_code, reason = "the page reads what it is handed before the call returns")]
mod imported {
    #[link(wasm_import_module = "privy")]
    unsafe extern "C" {
        /// Takes a piece of the output.
        pub(super) fn write(bytes: *const u8, length: usize);
    }
}

/// The output of the session.
struct Page;

impl Write for Page {
    #[allow(unsafe_code, reason = "pointer and length are those of a slice")]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unsafe { imported::write(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the place for a line of `length` bytes; zero if that is too long.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn line_buffer(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| if length < line.len() { line.as_mut_ptr() } else { std::ptr::null_mut() })
}

/// Returns the place for a file of `length` bytes that [`load_file`] takes.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn file_buffer(length: usize) -> *mut u8 {
    FILE.with_borrow_mut(|file| {
        *file = vec![0; length];
        file.as_mut_ptr()
    })
}

/// Gives the file to the session: a table of its game, or a proof. 0 if it is neither.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn load_file() -> i32 {
    ENGINE.with_borrow_mut(|engine| i32::from(engine.get_or_insert_with(Engine::new).load_bytes(FILE.take()).is_ok()))
}

/// Copies the table of the game, if the session has one, to where [`file`] tells, and returns its length.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn table_bytes() -> usize {
    let table = ENGINE.with_borrow(|engine| engine.as_ref()?.table().ok()?.contents().ok());
    FILE.set(table.unwrap_or_default());
    FILE.with_borrow(Vec::len)
}

/// Returns where the copied table is.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn file() -> *const u8 {
    FILE.with_borrow(|file| file.as_ptr())
}

/// Answers the line of `length` bytes that the page has written. 0 after `quit`, else 1.
#[allow(unsafe_code, reason = "the page finds the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer(length: usize) -> i32 {
    let line = LINE.with_borrow(|line| {
        let mut assembler = LineAssembler::default();
        let (complete, _) = assembler.feed(line.get(..length).unwrap_or_default());
        complete.or_else(|| assembler.finish())
    });
    let Some(line) = line else { return 1 };
    ENGINE.with_borrow_mut(|engine| {
        let engine = engine.get_or_insert_with(Engine::new);
        i32::from(session::run_line(engine, line, Page).unwrap_or(false))
    })
}
