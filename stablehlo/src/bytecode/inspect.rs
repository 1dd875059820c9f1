//! What a file says about itself, without making a module of it.

use std::collections::BTreeMap;

use super::cursor::Cursor;
use super::error::{Error, Result};
use super::read::container::{Container, ResourceGroup, SectionKind, header, nested_section, section};
use super::read::ops::{mask, skip_use_list_orders};
use crate::vhlo::Version;

/// What stands in a bytecode file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Who wrote it: `StableHLO_v1.17.0`, `MLIR23.0.0git` …
    pub producer: String,
    /// Version of the format, 0 to 6.
    pub format: u64,
    /// Dialects in the order of the file.
    pub dialects: Vec<DialectSummary>,
    /// Sections in the order of the file.
    pub sections: Vec<SectionSummary>,
    /// How many attributes the table has; locations count as such.
    pub n_attributes: usize,
    /// How many types the table has.
    pub n_types: usize,
    /// How many strings there are.
    pub n_strings: usize,
    /// Resources in the order of the file.
    pub resources: Vec<ResourceSummary>,
    /// Full names of ops and how many of each there are, by name.
    pub ops: Vec<(String, u64)>,
}

impl Summary {
    /// The version of StableHLO that the file is a portable artifact of, if it says that it is one.
    pub fn artifact_version(&self) -> Option<Version> {
        self.producer.strip_prefix("StableHLO_v")?.parse().ok()
    }

    /// How many ops there are.
    pub fn n_ops(&self) -> u64 {
        self.ops.iter().map(|(_, count)| count).sum()
    }
}

/// A dialect of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DialectSummary {
    /// Its namespace.
    pub name: String,
    /// The numbers that it wrote about its version, if any: `1.17.0`.
    pub version: Option<String>,
}

/// A section of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectionSummary {
    /// What it holds.
    pub kind: SectionKind,
    /// Where its contents begin, in bytes from the start of the file.
    pub offset: u64,
    /// Its contents, in bytes.
    pub size: u64,
}

/// A resource of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceSummary {
    /// The dialect or the provider that it belongs to.
    pub group: String,
    /// Its key.
    pub key: String,
    /// Its size in the file, in bytes; 0 when it is only declared.
    pub size: u64,
}

/// Summarizes `bytes`: attributes and types are not decoded, so that dialects which are not known here do no harm.
///
/// # Errors
/// The first fault of the container or the IR section: `bytecode/…`
pub fn inspect(bytes: &bytes::Bytes) -> Result<Summary> {
    let container = Container::read(bytes)?;
    let mut resources = Vec::new();
    container.resources(|entry| {
        let (ResourceGroup::External(group) | ResourceGroup::Dialect(group)) = entry.group;
        let size = entry.value.left() as u64;
        resources.push(ResourceSummary { group: group.to_owned(), key: entry.key.to_owned(), size });
        Ok(())
    })?;
    let sections = container.sections.iter().map(|(kind, body)| SectionSummary {
        kind: *kind,
        offset: body.offset(),
        size: body.left() as u64,
    });
    let dialects = container.dialects.iter().map(|dialect| {
        let version = dialect.version.clone().map(version).transpose()?;
        Ok(DialectSummary { name: dialect.name.to_owned(), version })
    });
    Ok(Summary {
        producer: String::from_utf8_lossy(container.producer).into_owned(),
        format: container.format,
        dialects: dialects.collect::<Result<_>>()?,
        sections: sections.collect(),
        n_attributes: container.attributes.len(),
        n_types: container.types.len(),
        n_strings: container.strings.len(),
        resources,
        ops: count_ops(&container)?,
    })
}

/// The section of `bytes` that byte `offset` belongs to, its contents or what comes before them, as far as that can be told.
pub fn section_at(bytes: &[u8], offset: u64) -> Option<SectionKind> {
    let mut cursor = Cursor::new(bytes, 0);
    header(&mut cursor).ok()?;
    let mut start = cursor.offset();
    while let Ok((kind, _)) = section(&mut cursor) {
        if (start..cursor.offset()).contains(&offset) {
            return Some(kind);
        }
        start = cursor.offset();
    }
    None
}

/// The numbers of a version with dots between them.
fn version(mut cursor: Cursor<'_>) -> Result<String> {
    let mut parts = Vec::new();
    while !cursor.is_empty() {
        parts.push(cursor.varint("the version of a dialect")?.to_string());
    }
    Ok(parts.join("."))
}

/// Counts the ops of the IR section by name.
fn count_ops(container: &Container<'_>) -> Result<Vec<(String, u64)>> {
    let mut counts = vec![0u64; container.ops.len()];
    scan(container, |op| counts[op] += 1)?;
    let mut by_name = BTreeMap::new();
    for (entry, count) in container.ops.iter().zip(counts).filter(|(_, count)| *count > 0) {
        let dialect = container.dialects[entry.dialect as usize].name;
        let name = match entry.mnemonic {
            "" => dialect.to_owned(),
            mnemonic => format!("{dialect}.{mnemonic}"),
        };
        *by_name.entry(name).or_insert(0) += count;
    }
    Ok(by_name.into_iter().collect())
}

/// Something that is open while ops are scanned.
enum Open<'a> {
    /// Ops of a block that are still to come.
    Ops(u64),
    /// Blocks of a region.
    Blocks(u64),
    /// Regions of an op.
    Regions(u64),
    /// The end of a section; what follows is read here.
    Section(Cursor<'a>),
}

/// Calls `visit` with the number of the name of each op.
fn scan(container: &Container<'_>, mut visit: impl FnMut(usize)) -> Result<()> {
    let format = container.format;
    let mut cursor = container.ir.clone();
    let (n_ops, _) = cursor.flagged("the outermost block")?;
    let mut open = vec![Open::Ops(n_ops)];
    while let Some(top) = open.last_mut() {
        match top {
            Open::Ops(0) | Open::Blocks(0) | Open::Regions(0) => {
                open.pop();
            }
            Open::Section(outer) => {
                cursor.finish("the section of an isolated region")?;
                cursor = outer.clone();
                open.pop();
            }
            Open::Ops(n) => {
                *n -= 1;
                if let Some((n, isolated)) = scan_op(container, &mut cursor, &mut visit)? {
                    if isolated && format >= 2 {
                        let section = nested_section(&mut cursor, SectionKind::Ir)?;
                        open.push(Open::Section(std::mem::replace(&mut cursor, section)));
                    }
                    open.push(Open::Regions(n));
                }
            }
            Open::Blocks(n) => {
                *n -= 1;
                let n_ops = scan_block(&mut cursor, format)?;
                open.push(Open::Ops(n_ops));
            }
            Open::Regions(n) => {
                *n -= 1;
                let n_blocks = cursor.varint("the number of blocks")?;
                if n_blocks > 0 {
                    cursor.varint("the number of values of a region")?;
                }
                open.push(Open::Blocks(n_blocks));
            }
        }
    }
    cursor.finish("the IR section")
}

/// Reads over a block up to its ops; how many those are.
fn scan_block(cursor: &mut Cursor<'_>, format: u64) -> Result<u64> {
    let (n_ops, has_arguments) = cursor.flagged("a block")?;
    if !has_arguments {
        return Ok(n_ops);
    }
    let n_arguments = cursor.count("the number of block arguments")?;
    for _ in 0..n_arguments {
        let has_location = match format {
            0..=3 => cursor.varint("the type of a block argument").map(|_| true)?,
            _ => cursor.flagged("the type of a block argument")?.1,
        };
        if has_location {
            cursor.varint("the location of a block argument")?;
        }
    }
    if format >= 3 && cursor.byte("whether there are use-list orders")? != 0 {
        skip_use_list_orders(cursor, n_arguments)?;
    }
    Ok(n_ops)
}

/// Reads over an op up to its regions; how many those are and whether they are isolated, if it has any.
fn scan_op(
    container: &Container<'_>,
    cursor: &mut Cursor<'_>,
    visit: &mut impl FnMut(usize),
) -> Result<Option<(u64, bool)>> {
    let offset = cursor.offset();
    let name = cursor.varint("the name of an op")?;
    match usize::try_from(name).ok().filter(|name| *name < container.ops.len()) {
        Some(name) => visit(name),
        None => {
            let message = format!("op name number {name}, but there are {} of them", container.ops.len());
            return Err(Error::new("bytecode/invalid-index", offset, message));
        }
    }
    let mask = cursor.byte("what an op has")?;
    cursor.varint("the location of an op")?;
    for (bit, what) in [(mask::ATTRIBUTES, "the attributes of an op"), (mask::PROPERTIES, "the properties of an op")] {
        if mask & bit != 0 {
            cursor.varint(what)?;
        }
    }
    let mut n_results = 0;
    for (bit, what) in [
        (mask::RESULTS, "the number of results"),
        (mask::OPERANDS, "the number of operands"),
        (mask::SUCCESSORS, "the number of successors"),
    ] {
        if mask & bit != 0 {
            let n = cursor.count(what)?;
            for _ in 0..n {
                cursor.varint(what)?;
            }
            n_results = if bit == mask::RESULTS { n } else { n_results };
        }
    }
    if mask & mask::USE_LIST_ORDERS != 0 {
        skip_use_list_orders(cursor, n_results)?;
    }
    match mask & mask::REGIONS {
        0 => Ok(None),
        _ => cursor.flagged("the number of regions").map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An artifact of jaxlib's; the numbers are those of a hand count of the program and of its sections.
    const CONTROL: &[u8] = include_bytes!("../../../testdata/bytecode/control.1.17.0.mlirbc");

    #[test]
    fn a_summary_covers_the_file() {
        let summary = inspect(&bytes::Bytes::from_static(CONTROL)).unwrap();
        assert_eq!(summary.producer, "StableHLO_v1.17.0");
        assert_eq!(summary.artifact_version(), Some(Version::new(1, 17, 0)));
        assert_eq!(summary.format, 6);
        let dialects: Vec<&str> = summary.dialects.iter().map(|dialect| dialect.name.as_str()).collect();
        assert_eq!(dialects, ["builtin", "vhlo"]);
        assert_eq!(summary.ops.iter().find(|(name, _)| name == "builtin.module").map(|(_, count)| *count), Some(1));
        assert_eq!(summary.n_ops(), summary.ops.iter().map(|(_, count)| count).sum());
        let last = summary.sections.last().unwrap();
        assert_eq!(last.offset + last.size, CONTROL.len() as u64);
    }

    #[test]
    fn every_byte_after_the_header_belongs_to_a_section() {
        let summary = inspect(&bytes::Bytes::from_static(CONTROL)).unwrap();
        for section in &summary.sections {
            for offset in section.offset..section.offset + section.size {
                assert_eq!(section_at(CONTROL, offset), Some(section.kind), "byte {offset}");
            }
            // The head of a section belongs to it too.
            assert_eq!(section_at(CONTROL, section.offset - 1), Some(section.kind));
        }
        assert_eq!(section_at(CONTROL, 0), None);
        assert_eq!(section_at(CONTROL, CONTROL.len() as u64), None);
        // What is cut off cannot be told; what comes before it can.
        let first = &summary.sections[0];
        assert_eq!(section_at(&CONTROL[..60], first.offset), Some(first.kind));
        assert_eq!(section_at(b"ML\xefR", 2), None);
        assert_eq!(section_at(b"", 0), None);
    }
}
