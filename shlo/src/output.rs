//! Writing: to the standard streams, which may be closed at any time, and to files, which are never left half-written.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::exit::{Exit, Failure};

/// A standard stream. When its reader has gone away, the rest is dropped silently, so that the exit code stays that of
/// the job.
pub struct Stream<W: Write> {
    to: BufWriter<W>,
    closed: bool,
}

/// Standard output.
pub fn stdout() -> Stream<io::Stdout> {
    Stream { to: BufWriter::with_capacity(1 << 16, io::stdout()), closed: false }
}

/// Standard error.
pub fn stderr() -> Stream<io::Stderr> {
    Stream { to: BufWriter::new(io::stderr()), closed: false }
}

impl<W: Write> Stream<W> {
    /// Writes all of `text`.
    ///
    /// # Errors
    /// When the stream fails otherwise than by being closed, for example because a disk is full.
    pub fn put(&mut self, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        let result = if self.closed { Ok(()) } else { self.to.write_all(text.as_ref()) };
        self.settle(result)
    }

    /// Writes what `write` writes.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub fn put_with(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let result = if self.closed { Ok(()) } else { write(&mut self.to) };
        self.settle(result)
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub fn finish(&mut self) -> Result<(), Failure> {
        let result = if self.closed { Ok(()) } else { self.to.flush() };
        self.settle(result)
    }

    fn settle(&mut self, result: io::Result<()>) -> Result<(), Failure> {
        match result {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Failure::new(Exit::Input, format!("cannot write the output: {error}"))),
        }
    }
}

/// Says something on standard error; a closed stream is no reason to fail.
pub fn say(text: impl AsRef<str>) {
    let _ = writeln!(io::stderr(), "{}", text.as_ref());
}

/// Says something on the last line of the terminal, in the place of what was said so before.
pub fn say_over(text: &str) {
    let mut err = io::stderr();
    let _ = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
}

/// Whether to colour a stream: `CLICOLOR_FORCE` turns colours on, `NO_COLOR` off, otherwise a terminal gets them.
pub fn use_color(stream: &impl IsTerminal) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        return false;
    }
    set("CLICOLOR_FORCE") || (stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb"))
}

/// The temporary file that is being written, for the interrupt handler.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn set_unfinished(path: Option<PathBuf>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path;
}

/// From here on Ctrl-C removes a half-written temporary file and ends the process with 130.
pub fn end_cleanly_on_interrupt() {
    // Without a handler the signal ends the process at once: that is only less tidy.
    let _ = ctrlc::set_handler(end_interrupted);
}

/// From here on the first Ctrl-C sets what is returned, and the second ends the process with 130.
pub fn cancel_on_interrupt() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&cancel);
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            end_interrupted();
        }
    });
    cancel
}

fn end_interrupted() {
    if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(Exit::Interrupted as i32);
}

/// Replaces the file at `path` by `bytes`: writes a temporary file beside it and renames that.
///
/// # Errors
/// When the file system refuses; then the file is as it was.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace_file_with(path, |file| file.write_all(bytes))
}

/// Replaces the file at `path` by what `write` writes, as [`replace_file`] does.
///
/// # Errors
/// As [`replace_file`].
pub fn replace_file_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), Failure> {
    write_file(path, write).map_err(|error| cannot_write(path, &error))
}

/// Puts `bytes` behind what the file at `path` holds, if there is one; otherwise like [`replace_file`].
///
/// # Errors
/// As [`replace_file`].
pub fn append_to_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let append = |file: &mut File| {
        match File::open(path) {
            Ok(mut old) => drop(io::copy(&mut old, file)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        file.write_all(bytes)
    };
    replace_file_with(path, append)
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Input, format!("cannot write {}: {error}", path.display()))
}

fn write_file(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    // A symbolic link stays one: what it points to is replaced.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        // Pipes and devices are not replaced but written to; directories refuse that.
        return write(&mut File::options().write(true).open(&target)?);
    }
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = target.with_file_name(name);
    set_unfinished(Some(temporary.clone()));
    let written = write_and_rename(&temporary, &target, write);
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    set_unfinished(None);
    written
}

fn write_and_rename(
    temporary: &Path,
    target: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    write(&mut file)?;
    if let Ok(old) = std::fs::metadata(target) {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    std::fs::rename(temporary, target)
}
