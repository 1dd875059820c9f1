//! Finding and reading the files that a command line names.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use clap::Args;
use stablehlo::bytecode::is_bytecode;
use stablehlo::syntax::Split;
use stablehlo::verify::VerifyOptions;

use crate::exit::{Exit, Failure};

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Place {
    /// What an argument names: `-` is standard input.
    pub fn named(path: &Path) -> Self {
        if path.as_os_str() == "-" { Place::Stdin } else { Place::File(path.to_owned()) }
    }

    /// What diagnostics call it.
    pub fn name(&self) -> String {
        match self {
            Place::Stdin => "<stdin>".to_owned(),
            Place::File(path) => path.display().to_string(),
        }
    }
}

/// An input as it was read.
#[derive(Clone, Debug)]
pub enum Content {
    /// MLIR text.
    Text(String),
    /// MLIR text that is not UTF-8 everywhere, which is legal in strings and comments.
    Bytes(Vec<u8>),
    /// MLIR bytecode; a file's is mapped into memory, not read.
    Bytecode(Bytes),
}

/// The largest text that spans can address, and the most that is read into memory.
const LARGEST: u64 = u32::MAX as u64;

/// What is looked for in directories.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Files in text form: `.mlir`.
    Text,
    /// Also those in bytecode: `.mlirbc`, `.mlir.bc`, and `.bc` where that is not LLVM's.
    Any,
}

impl Wanted {
    fn includes(self, path: &Path) -> bool {
        let Some(name) = path.file_name().map(|name| name.as_encoded_bytes()) else { return false };
        let is_any = || name.ends_with(b".mlirbc") || name.ends_with(b".mlir.bc") || is_bytecode_file(name, path);
        name.ends_with(b".mlir") || (self == Wanted::Any && is_any())
    }
}

fn is_bytecode_file(name: &[u8], path: &Path) -> bool {
    let mut magic = [0; 4];
    let mut reads = || File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok();
    name.ends_with(b".bc") && reads() && is_bytecode(&magic)
}

/// The inputs that `paths` name: files as they are, directories with all wanted files below them in order of their names,
/// `-` for standard input.
///
/// # Errors
/// One for each path that does not exist, cannot be listed, or is a directory without any wanted file.
pub fn find(paths: &[PathBuf], wanted: Wanted) -> (Vec<Place>, Vec<(Place, Failure)>) {
    let (mut places, mut failures) = (Vec::new(), Vec::new());
    for path in paths {
        if path.as_os_str() == "-" {
            if !places.contains(&Place::Stdin) {
                places.push(Place::Stdin);
            }
        } else if path.is_dir() {
            let before = (places.len(), failures.len());
            walk(path, wanted, &mut places, &mut failures);
            if (places.len(), failures.len()) == before {
                failures.push((Place::File(path.clone()), Failure::new(Exit::Input, "no program in this directory")));
            }
        } else {
            places.push(Place::File(path.clone()));
        }
    }
    (places, failures)
}

/// Directories are visited with a list, not recursively; links to directories are not followed, so there are no cycles.
fn walk(root: &Path, wanted: Wanted, places: &mut Vec<Place>, failures: &mut Vec<(Place, Failure)>) {
    let mut files = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        let entries = match std::fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                let failure = Failure::new(Exit::Input, format!("cannot list this directory: {error}"));
                failures.push((Place::File(directory), failure));
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !hidden => directories.push(path),
                Ok(kind) if !kind.is_dir() && wanted.includes(&path) => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    places.extend(files.into_iter().map(Place::File));
}

/// Reads an input once and says what it is, by its first bytes and never by its name.
///
/// # Errors
/// When it cannot be read, or is a text (or comes from a pipe) and larger than 4 GiB.
pub fn read(place: &Place) -> Result<Content, Failure> {
    let content = match place {
        Place::Stdin => read_all(io::stdin().lock(), 0, LARGEST).map(content),
        Place::File(path) => File::open(path).and_then(read_or_map),
    };
    content.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => Failure::new(Exit::Resource, "larger than 4 GiB"),
        _ => Failure::new(Exit::Input, format!("cannot read: {}", reason(&error))),
    })
}

fn content(bytes: Vec<u8>) -> Content {
    if is_bytecode(&bytes) {
        return Content::Bytecode(bytes.into());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Content::Text(text),
        Err(error) => Content::Bytes(error.into_bytes()),
    }
}

/// Bytecode is mapped, so that constants which nobody looks at are never read; text, all of which is looked at, is read.
fn read_or_map(mut file: File) -> io::Result<Content> {
    let metadata = file.metadata()?;
    let mut start = Vec::with_capacity(4);
    Read::by_ref(&mut file).take(4).read_to_end(&mut start)?;
    if is_bytecode(&start) && metadata.is_file() {
        // Some file systems cannot map; there it is read.
        if let Ok(bytes) = map(&file) {
            return Ok(Content::Bytecode(bytes));
        }
    }
    read_all(start.chain(file), metadata.len(), LARGEST).map(content)
}

/// The bytes of a file without reading them.
#[expect(unsafe_code, reason = "there is no safe way to map a file")]
fn map(file: &File) -> io::Result<Bytes> {
    // SAFETY: the mapping is read-only and lives as long as the `Bytes` made of it, so nothing here changes it or outlives
    // it. What cannot be excluded is that another process writes into the file meanwhile; nobody who maps files can. The
    // reader takes the bytes as numbers, checks each where it uses it, and copies what it keeps, constants aside, which are
    // plain numbers too. Only the check that a name is UTF-8 happens in place, right before the name is copied. A file that
    // is cut short ends the process with a signal.
    let mapped = unsafe { memmap2::Mmap::map(file)? };
    Ok(Bytes::from_owner(mapped))
}

/// Size from which on a file of arrays is mapped: taking memory page by page costs more than reading.
const MAPPED: u64 = 1 << 20;

/// The bytes of a file. A large one is mapped, so that arrays that nobody asks for are never read, and others but once.
///
/// # Errors
/// When it cannot be read; [`ErrorKind::FileTooLarge`] when it has more than `limit` bytes, or never ends.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Bytes> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file()
        && (MAPPED..=limit).contains(&metadata.len())
        && let Ok(bytes) = map(&file)
    {
        return Ok(bytes);
    }
    read_all(file, metadata.len(), limit).map(Bytes::from)
}

/// Reads to the end, at most `limit` bytes, of which about `expected` are to come.
fn read_all(from: impl Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let room = expected.min(limit).saturating_add(1);
    bytes.try_reserve_exact(usize::try_from(room).map_err(|_| ErrorKind::OutOfMemory)?)?;
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("more than {limit} bytes")));
    }
    Ok(bytes)
}

/// The operating system's words without the error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Flags that say how files are read.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ReadArgs {
    /// Cut at every `// -----`, also inside a line, as MLIR's tools do; by default only lines that hold nothing else cut
    #[arg(long, conflicts_with = "no_split_input_file")]
    split_input_file: bool,
    /// Take every file as one program, whatever it contains
    #[arg(long)]
    no_split_input_file: bool,
    /// Accept ops of dialects that are not known here; they are not looked into
    #[arg(long)]
    allow_unregistered_dialect: bool,
}

impl ReadArgs {
    /// How files are cut into programs.
    pub fn split(self) -> Split {
        match (self.split_input_file, self.no_split_input_file) {
            (true, _) => Split::Everywhere,
            (_, true) => Split::Never,
            _ => Split::MarkerLines,
        }
    }

    /// What the verifier lets pass.
    pub fn verify(self) -> VerifyOptions {
        VerifyOptions { allow_unregistered: self.allow_unregistered_dialect }
    }
}
