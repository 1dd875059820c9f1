//! The table of attributes and types, whose entries are decoded when they are first asked for.
//!
//! An entry names other entries by index, in any order and to any depth. Decoding is not recursive: a decoder that meets an
//! entry which is not there yet notes it and goes on as well as it can; its result is thrown away, and it runs again when
//! what it missed has been decoded.
//!
//! Entries share their parts, so that a small file can describe things that are huge when written out. What is copied out of
//! the file is counted ([`Budget`]), and things that are too deep or too large written out are refused.

use rustc_hash::FxHashMap;

use super::container::{Container, offset_in};
use crate::bytecode::cursor::Cursor;
use crate::bytecode::dialects;
use crate::bytecode::error::{Error, Result};
use crate::ir::{AttrId, Attribute, Blob, Extent, LocId, Location, Module, NameId, TypeId};
use crate::syntax::parse::{parse_attribute_into, parse_type_into};

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
#[derive(Copy, Clone, Debug)]
pub(crate) struct Entry<'a> {
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// Which dialect's, an index into the dialect section.
    pub(crate) dialect: u32,
    /// Whether the dialect has encoded it; else it is text.
    pub(crate) encoded: bool,
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

    /// The state of entry `index`, which was read at `offset`.
    #[inline]
    fn state(&self, index: u64, what: &str, offset: u64, kind: &str) -> Result<(usize, State<T>)> {
        match usize::try_from(index).ok().and_then(|at| Some((at, *self.states.get(at)?))) {
            Some(found) => Ok(found),
            None => Err(self.no_entry(index, what, offset, kind)),
        }
    }

    #[cold]
    fn no_entry(&self, index: u64, what: &str, offset: u64, kind: &str) -> Error {
        let n = self.states.len();
        let message = format!("{what} is {kind} number {index}, but the table has {n} of them");
        Error::new("bytecode/invalid-index", offset, message)
    }
}

/// Which entry is meant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum EntryId {
    Attr(usize),
    /// An attribute that must be a location.
    Location(usize),
    Type(usize),
}

/// Deepest nesting of types and attributes: as in text.
const MAX_DEPTH: u32 = 256;

/// Deepest nesting of a location: stacks of calls are deeper than anything else.
const MAX_LOCATION_DEPTH: u32 = 4096;

/// How much of what a file shares may be written out, in multiples of its size.
///
/// Measured on artifacts of JAX, names and types written out are at most ten times the file.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
    most: u64,
}

impl Budget {
    pub(crate) fn new(file_size: usize) -> Self {
        let most = (file_size as u64).saturating_mul(64).saturating_add(1 << 21);
        Self { left: most, most }
    }

    /// Counts `n` more.
    pub(crate) fn charge(&mut self, n: u64, offset: u64) -> Result<()> {
        match self.left.checked_sub(n) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                let message = format!("the parts that the file shares are more than {} when written out", self.most);
                Err(Error::new("bytecode/expansion", offset, message))
            }
        }
    }
}

/// The tables of a file and what has been decoded of them.
#[derive(Debug)]
pub(crate) struct Tables<'a> {
    pub(crate) container: Container<'a>,
    /// Names that strings were interned as.
    names: Vec<Option<NameId>>,
    attributes: Entries<'a, AttrId>,
    types: Entries<'a, TypeId>,
    /// Locations among the attributes. Most attributes of a file are locations that only ops and other locations name; such
    /// ones are not interned as attributes.
    locations: Vec<Option<LocId>>,
    /// Names that string attributes were interned as.
    attr_names: FxHashMap<AttrId, NameId>,
    /// Keys of the dialects' resources, which handles count.
    pub(crate) resources: Vec<NameId>,
    pub(crate) budget: Budget,
    stack: Vec<EntryId>,
}

impl<'a> Tables<'a> {
    /// The tables of `container` with nothing decoded.
    pub(crate) fn new(mut container: Container<'a>) -> Self {
        let attributes = Entries::new(std::mem::take(&mut container.attributes));
        Self {
            names: vec![None; container.strings.len()],
            locations: vec![None; attributes.entries.len()],
            attr_names: FxHashMap::default(),
            attributes,
            types: Entries::new(std::mem::take(&mut container.types)),
            resources: Vec::new(),
            budget: Budget::new(container.file.len()),
            stack: Vec::new(),
            container,
        }
    }

    /// How many attributes the file has, locations included.
    pub(crate) fn n_attributes(&self) -> usize {
        self.attributes.entries.len()
    }

    /// Attribute number `index`, which `what` named at `offset`.
    #[inline]
    pub(crate) fn attr(&mut self, module: &mut Module, index: u64, what: &str, offset: u64) -> Result<AttrId> {
        let (at, state) = self.attributes.state(index, what, offset, "attribute")?;
        if let State::Done(attr) = state {
            return Ok(attr);
        }
        self.decode(module, EntryId::Attr(at))?;
        match self.attributes.states[at] {
            State::Done(attr) => Ok(attr),
            _ => Err(contains_itself(what, offset)),
        }
    }

    /// Type number `index`, which `what` named at `offset`.
    #[inline]
    pub(crate) fn ty(&mut self, module: &mut Module, index: u64, what: &str, offset: u64) -> Result<TypeId> {
        let (at, state) = self.types.state(index, what, offset, "type")?;
        if let State::Done(ty) = state {
            return Ok(ty);
        }
        self.decode(module, EntryId::Type(at))?;
        match self.types.states[at] {
            State::Done(ty) => Ok(ty),
            _ => Err(contains_itself(what, offset)),
        }
    }

    /// Attribute number `index` as a location.
    #[inline]
    pub(crate) fn location(&mut self, module: &mut Module, index: u64, what: &str, offset: u64) -> Result<LocId> {
        if let Some(Some(location)) = usize::try_from(index).ok().and_then(|at| self.locations.get(at)) {
            return Ok(*location);
        }
        let (at, _) = self.attributes.state(index, what, offset, "attribute")?;
        self.decode(module, EntryId::Location(at))?;
        self.locations[at].ok_or_else(|| not_a_location(what, offset))
    }

    /// Decodes `id` and everything that it needs.
    fn decode(&mut self, module: &mut Module, id: EntryId) -> Result<()> {
        self.stack.clear();
        self.stack.push(id);
        while let Some(id) = self.stack.last().copied() {
            let missing = match id {
                EntryId::Attr(at) | EntryId::Location(at) if matches!(self.attributes.states[at], State::Done(_)) => {
                    Vec::new()
                }
                EntryId::Type(at) if matches!(self.types.states[at], State::Done(_)) => Vec::new(),
                EntryId::Location(at) if self.locations[at].is_some() => Vec::new(),
                EntryId::Attr(at) if let Some(location) = self.locations[at] => {
                    self.attributes.states[at] = State::Done(module.intern_attr(Attribute::Location(location)));
                    Vec::new()
                }
                EntryId::Attr(at) | EntryId::Location(at) => {
                    self.attributes.states[at] = State::Busy;
                    self.decode_attr(module, at, matches!(id, EntryId::Location(_)))?
                }
                EntryId::Type(at) => {
                    self.types.states[at] = State::Busy;
                    self.decode_type(module, at)?
                }
            };
            if missing.is_empty() {
                self.stack.pop();
            } else {
                self.stack.extend(missing);
            }
        }
        Ok(())
    }

    /// Decodes one attribute, or tells what it needs first. A location is not interned as an attribute if only the location
    /// is wanted.
    fn decode_attr(&mut self, module: &mut Module, at: usize, location_only: bool) -> Result<Vec<EntryId>> {
        let entry = self.attributes.entries[at];
        let offset = offset_in(self.container.file, entry.bytes);
        let attr = if entry.encoded {
            let (dialect, mut decoder) = self.decoder(module, entry, at);
            match finished(read_attr(dialect, &mut decoder), decoder)? {
                Ok(Attribute::Location(location)) if location_only => {
                    self.check_extent(module.location_extent(location), MAX_LOCATION_DEPTH, offset)?;
                    self.locations[at] = Some(location);
                    self.attributes.states[at] = State::Waiting;
                    return Ok(Vec::new());
                }
                Ok(attr) => module.intern_attr(attr),
                Err(missing) => return Ok(missing),
            }
        } else {
            let text = text_of(Cursor::new(entry.bytes, offset))?;
            parse_attribute_into(module, text).map_err(|message| invalid_text(text, offset, "attribute", &message))?
        };
        let deepest = match module.attr(attr) {
            Attribute::Location(location) => {
                self.locations[at] = Some(*location);
                MAX_LOCATION_DEPTH + 1
            }
            _ => MAX_DEPTH,
        };
        self.check_extent(module.attr_extent(attr), deepest, offset)?;
        self.attributes.states[at] = State::Done(attr);
        Ok(Vec::new())
    }

    /// Decodes one type, or tells what it needs first.
    fn decode_type(&mut self, module: &mut Module, at: usize) -> Result<Vec<EntryId>> {
        let entry = self.types.entries[at];
        let offset = offset_in(self.container.file, entry.bytes);
        let ty = if entry.encoded {
            let (dialect, mut decoder) = self.decoder(module, entry, at);
            match finished(read_type(dialect, &mut decoder), decoder)? {
                Ok(ty) => module.intern_type(ty),
                Err(missing) => return Ok(missing),
            }
        } else {
            let text = text_of(Cursor::new(entry.bytes, offset))?;
            parse_type_into(module, text).map_err(|message| invalid_text(text, offset, "type", &message))?
        };
        self.check_extent(module.type_extent(ty), MAX_DEPTH, offset)?;
        self.types.states[at] = State::Done(ty);
        Ok(Vec::new())
    }

    fn check_extent(&self, extent: Extent, deepest: u32, offset: u64) -> Result<()> {
        if extent.depth > deepest {
            let message = format!("more than {deepest} levels of nesting");
            return Err(Error::new("bytecode/too-deep", offset, message));
        }
        if u64::from(extent.nodes) > self.budget.most {
            let message = format!("an attribute or type with {} parts when written out", extent.nodes);
            return Err(Error::new("bytecode/expansion", offset, message));
        }
        Ok(())
    }

    fn decoder<'d>(&'d mut self, module: &'d mut Module, entry: Entry<'a>, at: usize) -> (&'a str, Decoder<'d, 'a>) {
        let decoder = Decoder {
            module,
            cursor: Cursor::new(entry.bytes, offset_in(self.container.file, entry.bytes)),
            file: self.container.file,
            strings: &self.container.strings,
            names: &mut self.names,
            attributes: &self.attributes,
            types: &self.types,
            locations: &self.locations,
            attr_names: &mut self.attr_names,
            resources: &self.resources,
            budget: &mut self.budget,
            entry: at,
            missing: Vec::new(),
        };
        (self.container.dialects[entry.dialect as usize].name, decoder)
    }
}

fn read_attr(dialect: &str, d: &mut Decoder<'_, '_>) -> std::result::Result<Attribute, Stop> {
    let code = d.cursor.varint("the code of an attribute")?;
    dialects::read_attr(dialect, code, d)
}

fn read_type(dialect: &str, d: &mut Decoder<'_, '_>) -> std::result::Result<crate::ir::Type, Stop> {
    let code = d.cursor.varint("the code of a type")?;
    dialects::read_type(dialect, code, d)
}

/// What a decoder has come to: the thing, or the entries that it missed (whatever it made of the rest then).
fn finished<T>(
    read: std::result::Result<T, Stop>,
    decoder: Decoder<'_, '_>,
) -> Result<std::result::Result<T, Vec<EntryId>>> {
    if !decoder.missing.is_empty() {
        return Ok(Err(decoder.missing));
    }
    match read {
        Ok(value) => {
            decoder.cursor.finish("an entry of the table of attributes and types")?;
            Ok(Ok(value))
        }
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Missing) => Err(decoder.cursor.error("bytecode/cycle", "an entry waits for nothing")),
    }
}

/// The text of an entry that is text.
fn text_of(mut cursor: Cursor<'_>) -> Result<&[u8]> {
    let text = cursor.c_string("the text of an attribute or type")?;
    cursor.finish("the text of an attribute or type")?;
    Ok(text)
}

fn invalid_text(text: &[u8], offset: u64, kind: &str, message: &str) -> Error {
    let shown: String = String::from_utf8_lossy(text).chars().take(60).collect();
    Error::new("bytecode/invalid-text", offset, format!("the text of {kind} `{shown}` cannot be read: {message}"))
}

#[cold]
fn contains_itself(what: &str, offset: u64) -> Error {
    Error::new("bytecode/cycle", offset, format!("{what} contains itself"))
}

#[cold]
fn not_a_location(what: &str, offset: u64) -> Error {
    Error::new("bytecode/expected-location", offset, format!("{what} is not a location"))
}

#[cold]
fn not_utf8(what: &str, offset: u64) -> Error {
    Error::new("bytecode/invalid-string", offset, format!("{what} is not UTF-8"))
}

/// Reads the payload of one entry.
///
/// Attributes that are not there yet read as `unit`, types stop the decoding ([`Stop::Missing`]), because what follows may
/// depend on them; either way [`Decoder::missing`] says what was missed, and whatever is returned is not looked at.
pub(crate) struct Decoder<'d, 'a> {
    /// Where results are interned.
    pub(crate) module: &'d mut Module,
    /// What is left of the payload.
    pub(crate) cursor: Cursor<'a>,
    file: &'d bytes::Bytes,
    strings: &'d [&'a [u8]],
    names: &'d mut [Option<NameId>],
    attributes: &'d Entries<'a, AttrId>,
    types: &'d Entries<'a, TypeId>,
    locations: &'d [Option<LocId>],
    /// Names that string attributes were interned as.
    pub(crate) attr_names: &'d mut FxHashMap<AttrId, NameId>,
    resources: &'d [NameId],
    budget: &'d mut Budget,
    /// Number of the entry in its table: the identity of distinct attributes.
    pub(crate) entry: usize,
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
                return Err(contains_itself(what, offset).into());
            }
            State::Waiting => {
                self.missing.push(EntryId::Attr(index));
                self.module.intern_attr(Attribute::Unit)
            }
        })
    }

    /// Stops when an entry that was asked for is not there yet.
    pub(crate) fn complete(&self) -> std::result::Result<(), Stop> {
        if self.missing.is_empty() { Ok(()) } else { Err(Stop::Missing) }
    }

    /// An attribute that may be absent.
    pub(crate) fn optional_attr(&mut self, what: &str) -> std::result::Result<Option<AttrId>, Stop> {
        let offset = self.cursor.offset();
        match self.cursor.optional(what)? {
            Some(index) => self.attr_at(index, what, offset).map(Some),
            None => Ok(None),
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
                return Err(contains_itself(what, offset).into());
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

    fn string_index(&mut self, what: &str) -> Result<usize> {
        let offset = self.cursor.offset();
        let index = self.cursor.varint(what)?;
        usize::try_from(index).ok().filter(|at| *at < self.strings.len()).ok_or_else(|| {
            let message = format!("{what} is string number {index}, but there are {} strings", self.strings.len());
            Error::new("bytecode/invalid-index", offset, message)
        })
    }

    /// A string of the string section; what is read so often that it would fill the memory is an error.
    pub(crate) fn string(&mut self, what: &str) -> Result<&'a [u8]> {
        let offset = self.cursor.offset();
        let index = self.string_index(what)?;
        self.budget.charge(self.strings[index].len() as u64, offset)?;
        Ok(self.strings[index])
    }

    /// Counts `n` bytes that are copied out of another entry: see [`Budget`].
    pub(crate) fn charge(&mut self, n: usize) -> Result<()> {
        self.budget.charge(n as u64, self.cursor.offset())
    }

    /// A string that must be UTF-8, interned.
    pub(crate) fn name_id(&mut self, what: &str) -> Result<NameId> {
        let offset = self.cursor.offset();
        let index = self.string_index(what)?;
        if let Some(name) = self.names[index] {
            return Ok(name);
        }
        let text = std::str::from_utf8(self.strings[index]).map_err(|_| not_utf8(what, offset))?;
        let name = self.module.name(text);
        self.names[index] = Some(name);
        Ok(name)
    }

    /// The key of a resource, by its handle.
    pub(crate) fn resource(&mut self, what: &str) -> Result<NameId> {
        let offset = self.cursor.offset();
        let index = self.cursor.varint(what)?;
        usize::try_from(index).ok().and_then(|at| self.resources.get(at).copied()).ok_or_else(|| {
            let n = self.resources.len();
            Error::new("bytecode/invalid-index", offset, format!("{what} is resource number {index} of {n}"))
        })
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

    /// A location, which is an attribute in bytecode; `unknown` when it is not there yet.
    pub(crate) fn location(&mut self, what: &str) -> std::result::Result<LocId, Stop> {
        let offset = self.cursor.offset();
        let index = self.cursor.varint(what)?;
        let (at, state) = self.attributes.state(index, what, offset, "attribute")?;
        match (self.locations[at], state) {
            (Some(location), _) => Ok(location),
            (None, State::Waiting) => {
                self.missing.push(EntryId::Location(at));
                Ok(self.module.intern_location(Location::Unknown))
            }
            (None, State::Busy) => Err(contains_itself(what, offset).into()),
            (None, State::Done(_)) => Err(not_a_location(what, offset).into()),
        }
    }
}
