//! The sections of a file, taken apart as far as no attribute, type or op is needed.

use crate::bytecode::cursor::Cursor;
use crate::bytecode::error::{Error, Result};
use crate::bytecode::read::entries::Entry;

/// The first bytes of every file.
pub(crate) const MAGIC: [u8; 4] = [0x4d, 0x4c, 0xef, 0x52];

/// The newest format that is read.
pub(crate) const NEWEST_FORMAT: u64 = crate::bytecode::format::NEWEST;

/// Largest size, in bytes, of a section other than those that hold constants.
const MAX_SECTION: u64 = 1 << 30;

/// What a section holds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum SectionKind {
    /// All strings.
    String = 0,
    /// Names of dialects and ops.
    Dialect = 1,
    /// The attributes and types.
    AttrType = 2,
    /// Where each attribute and type begins and whose it is.
    AttrTypeOffset = 3,
    /// The ops.
    Ir = 4,
    /// Blobs and other values beside the ops.
    Resource = 5,
    /// Names of the resources.
    ResourceOffset = 6,
    /// The version of a dialect, inside [`SectionKind::Dialect`].
    DialectVersions = 7,
    /// Inherent attributes of ops, from format 5.
    Properties = 8,
}

impl SectionKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [SectionKind; 9] = [
        SectionKind::String,
        SectionKind::Dialect,
        SectionKind::AttrType,
        SectionKind::AttrTypeOffset,
        SectionKind::Ir,
        SectionKind::Resource,
        SectionKind::ResourceOffset,
        SectionKind::DialectVersions,
        SectionKind::Properties,
    ];

    /// The name of the section: `String`, `AttrTypeOffset` …
    pub fn name(self) -> &'static str {
        match self {
            SectionKind::String => "String",
            SectionKind::Dialect => "Dialect",
            SectionKind::AttrType => "AttrType",
            SectionKind::AttrTypeOffset => "AttrTypeOffset",
            SectionKind::Ir => "IR",
            SectionKind::Resource => "Resource",
            SectionKind::ResourceOffset => "ResourceOffset",
            SectionKind::DialectVersions => "DialectVersions",
            SectionKind::Properties => "Properties",
        }
    }
}

/// A dialect of the file.
#[derive(Clone, Debug)]
pub(crate) struct Dialect<'a> {
    pub(crate) name: &'a str,
    /// What the dialect wrote about its version: a few numbers.
    pub(crate) version: Option<Cursor<'a>>,
}

/// The name of an op in the file.
#[derive(Clone, Debug)]
pub(crate) struct OpEntry<'a> {
    /// An index into the dialects.
    pub(crate) dialect: u32,
    /// The name without the dialect; the op is named like the dialect when it is empty.
    pub(crate) mnemonic: &'a str,
    /// Whether the op was registered where the file was written; formats before 5 do not say.
    pub(crate) registered: Option<bool>,
}

/// A file taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Container<'a> {
    pub(crate) file: &'a bytes::Bytes,
    pub(crate) format: u64,
    pub(crate) producer: &'a [u8],
    /// Sections in the order of the file.
    pub(crate) sections: Vec<(SectionKind, Cursor<'a>)>,
    pub(crate) strings: Vec<&'a [u8]>,
    pub(crate) dialects: Vec<Dialect<'a>>,
    pub(crate) ops: Vec<OpEntry<'a>>,
    pub(crate) attributes: Vec<Entry<'a>>,
    pub(crate) types: Vec<Entry<'a>>,
    /// Properties as their ops encode them.
    pub(crate) properties: Vec<&'a [u8]>,
    pub(crate) ir: Cursor<'a>,
}

/// Where `part` of `file` begins.
pub(crate) fn offset_in(file: &bytes::Bytes, part: &[u8]) -> u64 {
    (part.as_ptr() as usize).saturating_sub(file.as_ptr() as usize) as u64
}

impl<'a> Container<'a> {
    /// Takes `file` apart.
    pub(crate) fn read(file: &'a bytes::Bytes) -> Result<Self> {
        let mut cursor = Cursor::new(file, 0);
        let (format, producer) = header(&mut cursor)?;
        let mut container = Self {
            file,
            format,
            producer,
            sections: Vec::new(),
            strings: Vec::new(),
            dialects: Vec::new(),
            ops: Vec::new(),
            attributes: Vec::new(),
            types: Vec::new(),
            properties: Vec::new(),
            ir: cursor.clone(),
        };
        while !cursor.is_empty() {
            let offset = cursor.offset();
            let (kind, body) = section(&mut cursor)?;
            if container.section(kind).is_some() {
                let message = format!("the {} section stands in the file twice", kind.name());
                return Err(Error::new("bytecode/duplicate-section", offset, message));
            }
            container.sections.push((kind, body));
        }
        let end = cursor.offset();
        let required = |container: &Self, kind| container.section(kind).ok_or_else(|| missing(kind, end));
        container.strings = strings(required(&container, SectionKind::String)?)?;
        container.read_dialects(required(&container, SectionKind::Dialect)?)?;
        let payload = required(&container, SectionKind::AttrType)?;
        container.read_entries(required(&container, SectionKind::AttrTypeOffset)?, payload)?;
        container.ir = required(&container, SectionKind::Ir)?;
        match container.section(SectionKind::Properties) {
            Some(section) => container.properties = properties(section)?,
            None if format >= 5 => return Err(missing(SectionKind::Properties, end)),
            None => {}
        }
        Ok(container)
    }

    /// The section of a kind, if the file has one.
    pub(crate) fn section(&self, kind: SectionKind) -> Option<Cursor<'a>> {
        self.sections.iter().find(|(other, _)| *other == kind).map(|(_, body)| body.clone())
    }

    /// A string by the index that `cursor` reads, as a name.
    fn name(&self, cursor: &mut Cursor<'a>, what: &str) -> Result<&'a str> {
        let offset = cursor.offset();
        let index = cursor.varint(what)?;
        self.name_at(index, what, offset)
    }

    /// A string as a name; names have a greatest length so that many uses of one cost no more than the file has bytes.
    fn name_at(&self, index: u64, what: &str, offset: u64) -> Result<&'a str> {
        let string = self.string_at(index, what, offset)?;
        if string.len() > MAX_NAME {
            let message = format!("{what} has at most {MAX_NAME} bytes, got {}", string.len());
            return Err(Error::new("bytecode/invalid-string", offset, message));
        }
        std::str::from_utf8(string)
            .map_err(|_| Error::new("bytecode/invalid-string", offset, format!("{what} is not UTF-8")))
    }

    /// A string by its index.
    pub(crate) fn string_at(&self, index: u64, what: &str, offset: u64) -> Result<&'a [u8]> {
        usize::try_from(index).ok().and_then(|at| self.strings.get(at).copied()).ok_or_else(|| {
            let message = format!("{what} is string number {index}, but there are {} strings", self.strings.len());
            Error::new("bytecode/invalid-index", offset, message)
        })
    }

    /// The dialect section: dialects, then ops by dialect.
    fn read_dialects(&mut self, mut cursor: Cursor<'a>) -> Result<()> {
        for _ in 0..cursor.count("the number of dialects")? {
            let offset = cursor.offset();
            let (index, has_version) = match self.format {
                0 => (cursor.varint("a dialect")?, false),
                _ => cursor.flagged("a dialect")?,
            };
            let name = self.name_at(index, "the name of a dialect", offset)?;
            let version = match has_version {
                true => Some(nested_section(&mut cursor, SectionKind::DialectVersions)?),
                false => None,
            };
            self.dialects.push(Dialect { name, version });
        }
        if self.format >= 4 {
            cursor.varint("the number of op names")?;
        }
        while !cursor.is_empty() {
            let dialect = self.dialect(&mut cursor)?;
            for _ in 0..cursor.count("the number of op names")? {
                let offset = cursor.offset();
                let (index, registered) = match self.format {
                    0..=4 => (cursor.varint("an op name")?, None),
                    _ => {
                        let (index, registered) = cursor.flagged("an op name")?;
                        (index, Some(registered))
                    }
                };
                let mnemonic = self.name_at(index, "an op name", offset)?;
                self.ops.push(OpEntry { dialect, mnemonic, registered });
            }
        }
        Ok(())
    }

    fn dialect(&self, cursor: &mut Cursor<'a>) -> Result<u32> {
        let offset = cursor.offset();
        let index = cursor.varint("a dialect")?;
        match u32::try_from(index) {
            Ok(at) if (at as usize) < self.dialects.len() => Ok(at),
            _ => {
                let message = format!("dialect number {index}, but there are {} dialects", self.dialects.len());
                Err(Error::new("bytecode/invalid-index", offset, message))
            }
        }
    }

    /// The offset section: the sizes of all attributes, then of all types, by dialect.
    fn read_entries(&mut self, mut offsets: Cursor<'a>, mut payload: Cursor<'a>) -> Result<()> {
        let n_attributes = offsets.count("the number of attributes")?;
        let n_types = offsets.count("the number of types")?;
        self.attributes = self.entry_groups(n_attributes, &mut offsets, &mut payload, "attributes")?;
        self.types = self.entry_groups(n_types, &mut offsets, &mut payload, "types")?;
        offsets.finish("the AttrTypeOffset section")?;
        payload.finish("the AttrType section")
    }

    fn entry_groups(
        &self,
        n: usize,
        offsets: &mut Cursor<'a>,
        payload: &mut Cursor<'a>,
        what: &str,
    ) -> Result<Vec<Entry<'a>>> {
        offsets.fits(n as u64, what, offsets.offset())?;
        let mut entries = Vec::with_capacity(n);
        while entries.len() < n {
            let dialect = self.dialect(offsets)?;
            let offset = offsets.offset();
            let size = offsets.count("the number of entries of a dialect")?;
            if size > n - entries.len() {
                let message = format!("{size} {what} of a dialect, but only {} of all are left", n - entries.len());
                return Err(Error::new("bytecode/invalid-number", offset, message));
            }
            for _ in 0..size {
                let (size, encoded) = offsets.flagged("the size of an entry")?;
                let bytes = payload.take(size, "an entry of the table of attributes and types")?;
                entries.push(Entry { bytes, dialect, encoded });
            }
        }
        Ok(entries)
    }

    /// The groups of the ResourceOffset section, which count their entries in the Resource section.
    pub(crate) fn resource_sections(&self) -> Result<Option<(Cursor<'a>, Cursor<'a>)>> {
        let end = self.file.len() as u64;
        match (self.section(SectionKind::ResourceOffset), self.section(SectionKind::Resource)) {
            (Some(offsets), Some(values)) => Ok(Some((offsets, values))),
            (None, None) => Ok(None),
            (Some(_), None) => Err(missing(SectionKind::Resource, end)),
            (None, Some(_)) => Err(missing(SectionKind::ResourceOffset, end)),
        }
    }

    /// Walks the resources: for each its group (a provider's name, or a dialect), key, kind and bytes.
    pub(crate) fn resources(&self, mut visit: impl FnMut(ResourceEntry<'a>) -> Result<()>) -> Result<()> {
        let Some((mut offsets, mut values)) = self.resource_sections()? else {
            return Ok(());
        };
        for _ in 0..offsets.count("the number of providers of external resources")? {
            let group = self.name(&mut offsets, "the provider of external resources")?;
            self.resource_group(ResourceGroup::External(group), &mut offsets, &mut values, &mut visit)?;
        }
        while !offsets.is_empty() {
            let dialect = self.dialect(&mut offsets)?;
            let group = ResourceGroup::Dialect(self.dialects[dialect as usize].name);
            self.resource_group(group, &mut offsets, &mut values, &mut visit)?;
        }
        values.finish("the Resource section")
    }

    fn resource_group(
        &self,
        group: ResourceGroup<'a>,
        offsets: &mut Cursor<'a>,
        values: &mut Cursor<'a>,
        visit: &mut impl FnMut(ResourceEntry<'a>) -> Result<()>,
    ) -> Result<()> {
        for _ in 0..offsets.count("the number of resources of a group")? {
            let offset = offsets.offset();
            let key = self.name(offsets, "the key of a resource")?;
            let size = offsets.varint("the size of a resource")?;
            let kind = offsets.byte("the kind of a resource")?;
            let value = values.part(size, "a resource")?;
            visit(ResourceEntry { group, key, kind, value, offset })?;
        }
        Ok(())
    }
}

/// Whose a resource is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ResourceGroup<'a> {
    External(&'a str),
    Dialect(&'a str),
}

/// A resource; without bytes it is only declared.
#[derive(Clone, Debug)]
pub(crate) struct ResourceEntry<'a> {
    pub(crate) group: ResourceGroup<'a>,
    pub(crate) key: &'a str,
    /// 0 blob, 1 bool, 2 string.
    pub(crate) kind: u8,
    pub(crate) value: Cursor<'a>,
    /// Where its entry stands in the file.
    pub(crate) offset: u64,
}

/// Longest name of a dialect, an op or a resource, in bytes.
const MAX_NAME: usize = 1 << 12;

/// Magic number, format version and producer.
pub(crate) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<(u64, &'a [u8])> {
    let magic = cursor.take(4, "the magic number").ok();
    if magic != Some(&MAGIC[..]) {
        return Err(Error::new(
            "bytecode/not-bytecode",
            0,
            "the file does not begin with MLIR bytecode's magic number",
        ));
    }
    let offset = cursor.offset();
    let format = cursor.varint("the format version")?;
    if format > NEWEST_FORMAT {
        let message = format!("format version {format} is not known here; the newest one is {NEWEST_FORMAT}");
        return Err(Error::new("bytecode/unsupported-version", offset, message));
    }
    Ok((format, cursor.c_string("the producer")?))
}

#[cold]
fn missing(kind: SectionKind, offset: u64) -> Error {
    Error::new("bytecode/missing-section", offset, format!("the file has no {} section", kind.name()))
}

/// The next section: id, length, perhaps an alignment with padding, body.
pub(crate) fn section<'a>(cursor: &mut Cursor<'a>) -> Result<(SectionKind, Cursor<'a>)> {
    let offset = cursor.offset();
    let id = cursor.byte("the number of a section")?;
    let Some(kind) = SectionKind::ALL.get(usize::from(id & 0x7f)).copied() else {
        let message = format!("there is no kind of section with number {}", id & 0x7f);
        return Err(Error::new("bytecode/unknown-section", offset, message));
    };
    let size = cursor.varint("the size of a section")?;
    if id & 0x80 != 0 {
        let alignment = cursor.varint("the alignment of a section")?;
        cursor.align(alignment, "a section")?;
    }
    let body = cursor.part(size, kind.name())?;
    if size > MAX_SECTION && !matches!(kind, SectionKind::AttrType | SectionKind::Resource) {
        let message = format!("the {} section has {size} bytes; at most {MAX_SECTION} are read", kind.name());
        return Err(Error::new("bytecode/too-large", offset, message));
    }
    Ok((kind, body))
}

/// The next section, which must be of this kind.
pub(crate) fn nested_section<'a>(cursor: &mut Cursor<'a>, wanted: SectionKind) -> Result<Cursor<'a>> {
    let offset = cursor.offset();
    let (kind, body) = section(cursor)?;
    if kind != wanted {
        let message = format!("expected a nested {} section, got a {} section", wanted.name(), kind.name());
        return Err(Error::new("bytecode/unexpected-section", offset, message));
    }
    Ok(body)
}

/// The string section: the sizes from the last string to the first, then the strings, each with a NUL at its end.
fn strings(mut cursor: Cursor<'_>) -> Result<Vec<&[u8]>> {
    let n = cursor.count("the number of strings")?;
    let mut sizes = Vec::with_capacity(n);
    for _ in 0..n {
        sizes.push((cursor.offset(), cursor.varint("the size of a string")?));
    }
    let mut strings = Vec::with_capacity(n);
    for (offset, size) in sizes.into_iter().rev() {
        let bytes = cursor.take(size, "a string")?;
        match bytes.split_last() {
            Some((0, string)) => strings.push(string),
            _ => return Err(Error::new("bytecode/invalid-string", offset, "a string does not end with a NUL")),
        }
    }
    cursor.finish("the String section")?;
    Ok(strings)
}

/// The properties section: how many, then each with its size.
fn properties(mut cursor: Cursor<'_>) -> Result<Vec<&[u8]>> {
    let n = cursor.count("the number of properties")?;
    let mut all = Vec::with_capacity(n);
    for _ in 0..n {
        all.push(cursor.blob("properties")?);
    }
    cursor.finish("the Properties section")?;
    Ok(all)
}
