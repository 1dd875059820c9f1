//! The table of attributes and types, whose entries are decoded when they are first asked for.
//!
//! An entry names other entries by index, in any order and to any depth. Decoding is not recursive: a decoder that meets an
//! entry which is not there yet notes it and goes on as well as it can; its result is thrown away, and it runs again when
//! what it missed has been decoded.

use crate::bytecode::cursor::Cursor;
use crate::bytecode::error::{Error, Result};
use crate::ir::{AttrId, Attribute, Blob, LocId, Module, TypeId};

/// Why decoding an entry ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something is wrong.
    Error(Error),
    /// Another entry must be decoded first; [`Decoder`] has noted which.
    Missing,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

/// An entry of the table as the offset section describes it.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    /// Which dialect's, an index into the dialect section.
    pub(crate) dialect: u32,
    /// Whether the dialect has encoded it; else it is text.
    pub(crate) encoded: bool,
    /// Its bytes.
    pub(crate) bytes: Cursor<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State<T> {
    Waiting,
    /// On the stack of entries being decoded.
    Busy,
    Done(T),
}

/// All entries of one kind.
#[derive(Debug)]
pub(crate) struct Entries<'a, T> {
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) states: Vec<State<T>>,
}

impl<'a, T: Copy> Entries<'a, T> {
    pub(crate) fn new(entries: Vec<Entry<'a>>) -> Self {
        let states = vec![State::Waiting; entries.len()];
        Self { entries, states }
    }

    /// The state of entry `index`, which the cursor has just read.
    fn state(&self, index: u64, what: &str, offset: u64, kind: &str) -> Result<(usize, State<T>)> {
        match usize::try_from(index).ok().and_then(|at| Some((at, *self.states.get(at)?))) {
            Some(found) => Ok(found),
            None => {
                let n = self.states.len();
                let message = format!("{what} is {kind} number {index}, but the table has {n} of them");
                Err(Error::new("bytecode/invalid-index", offset, message))
            }
        }
    }
}

/// Which entry is meant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum EntryId {
    Attr(usize),
    Type(usize),
}

/// Reads the payload of one entry.
///
/// Attributes that are not there yet read as `unit`, types stop the decoding ([`Stop::Missing`]), because what follows may
/// depend on them; either way [`Decoder::missing`] says what was missed.
pub(crate) struct Decoder<'d, 'a> {
    /// Where results are interned.
    pub(crate) module: &'d mut Module,
    /// What is left of the payload.
    pub(crate) cursor: Cursor<'a>,
    pub(crate) file: &'d bytes::Bytes,
    pub(crate) strings: &'d [&'a [u8]],
    pub(crate) attributes: &'d Entries<'a, AttrId>,
    pub(crate) types: &'d Entries<'a, TypeId>,
    /// Keys of the dialects' resources, which handles count.
    pub(crate) resources: &'d [&'a [u8]],
    pub(crate) missing: Vec<EntryId>,
}

impl<'a> Decoder<'_, 'a> {
    /// An attribute by its index.
    pub(crate) fn attr(&mut self, what: &str) -> std::result::Result<AttrId, Stop> {
        let offset = self.cursor.offset();
        let index = self.cursor.varint(what)?;
        self.attr_at(index, what, offset)
    }

    fn attr_at(&mut self, index: u64, what: &str, offset: u64) -> std::result::Result<AttrId, Stop> {
        let (index, state) = self.attributes.state(index, what, offset, "attribute")?;
        Ok(match state {
            State::Done(attr) => attr,
            State::Busy => {
                return Err(Error::new("bytecode/cycle", offset, format!("{what} contains itself")).into());
            }
            State::Waiting => {
                self.missing.push(EntryId::Attr(index));
                self.module.intern_attr(Attribute::Unit)
            }
        })
    }

    /// An attribute that may be absent.
    pub(crate) fn optional_attr(&mut self, what: &str) -> std::result::Result<Option<AttrId>, Stop> {
        let offset = self.cursor.offset();
        match self.cursor.flagged(what)? {
            (index, true) => self.attr_at(index, what, offset).map(Some),
            (0, false) => Ok(None),
            (index, false) => {
                let message = format!("{what} is absent, yet has number {index}");
                Err(Error::new("bytecode/invalid-number", offset, message).into())
            }
        }
    }

    /// A list of attributes.
    pub(crate) fn attrs(&mut self, what: &str) -> std::result::Result<Vec<AttrId>, Stop> {
        let n = self.cursor.count(what)?;
        (0..n).map(|_| self.attr(what)).collect()
    }

    fn peek_type(&mut self, what: &str) -> std::result::Result<Option<TypeId>, Stop> {
        let offset = self.cursor.offset();
        let index = self.cursor.varint(what)?;
        let (index, state) = self.types.state(index, what, offset, "type")?;
        Ok(match state {
            State::Done(ty) => Some(ty),
            State::Busy => {
                return Err(Error::new("bytecode/cycle", offset, format!("{what} contains itself")).into());
            }
            State::Waiting => {
                self.missing.push(EntryId::Type(index));
                None
            }
        })
    }

    /// A type by its index.
    pub(crate) fn ty(&mut self, what: &str) -> std::result::Result<TypeId, Stop> {
        self.peek_type(what)?.ok_or(Stop::Missing)
    }

    /// A list of types.
    pub(crate) fn types(&mut self, what: &str) -> std::result::Result<Vec<TypeId>, Stop> {
        let n = self.cursor.count(what)?;
        let mut types = Vec::with_capacity(n);
        for _ in 0..n {
            types.extend(self.peek_type(what)?);
        }
        if types.len() == n { Ok(types) } else { Err(Stop::Missing) }
    }

    /// A string of the string section.
    pub(crate) fn string(&mut self, what: &str) -> Result<&'a [u8]> {
        let offset = self.cursor.offset();
        let index = self.cursor.varint(what)?;
        usize::try_from(index).ok().and_then(|at| self.strings.get(at).copied()).ok_or_else(|| {
            let message = format!("{what} is string number {index}, but there are {} strings", self.strings.len());
            Error::new("bytecode/invalid-index", offset, message)
        })
    }

    /// A string that must be UTF-8, such as a name.
    pub(crate) fn name(&mut self, what: &str) -> Result<&'a str> {
        let offset = self.cursor.offset();
        let bytes = self.string(what)?;
        std::str::from_utf8(bytes)
            .map_err(|_| Error::new("bytecode/invalid-string", offset, format!("{what} is not UTF-8")))
    }

    /// A list of signed numbers.
    pub(crate) fn signed_list<C: FromIterator<i64>>(&mut self, what: &str) -> Result<C> {
        let n = self.cursor.count(what)?;
        (0..n).map(|_| self.cursor.signed(what)).collect()
    }

    /// A blob, shared with the file.
    pub(crate) fn blob(&mut self, what: &str) -> Result<Blob> {
        let bytes = self.cursor.blob(what)?;
        Ok(self.share(bytes))
    }

    /// Bytes of the file as a blob that shares them.
    pub(crate) fn share(&self, bytes: &'a [u8]) -> Blob {
        Blob::new(self.file.slice_ref(bytes))
    }

    /// A location, which is an attribute in bytecode.
    pub(crate) fn location(&mut self, what: &str) -> std::result::Result<LocId, Stop> {
        let offset = self.cursor.offset();
        let attr = self.attr(what)?;
        match self.module.attr(attr) {
            Attribute::Location(location) => Ok(*location),
            _ if !self.missing.is_empty() => Err(Stop::Missing),
            _ => Err(Error::new("bytecode/expected-location", offset, format!("{what} is not a location")).into()),
        }
    }
}
