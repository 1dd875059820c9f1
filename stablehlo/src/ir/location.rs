//! MLIR locations and source spans.

use super::{AttrId, NameId};
use crate::arena::entity;

entity!(
    /// An interned [`Location`].
    LocId,
    "loc"
);

/// Where something came from, as the program itself says it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    /// `loc(unknown)`
    Unknown,
    /// `loc("f":1:2)`, `loc("f":1:2 to 3:4)`
    File(FileRange),
    /// `loc("name")`, `loc("name"(child))`
    Name {
        /// The name's bytes.
        name: Box<[u8]>,
        /// `unknown` when absent in text.
        child: LocId,
    },
    /// `loc(callsite(callee at caller))`
    CallSite {
        /// Where the code stands.
        callee: LocId,
        /// Where it was called from.
        caller: LocId,
    },
    /// `loc(fused<metadata>[a, b])`
    Fused {
        /// Metadata, if any.
        metadata: Option<AttrId>,
        /// The parts.
        locations: Box<[LocId]>,
    },
}

/// `"f":1:2 to 3:4`; equal ends are a point. Lines and columns count from 1, column 0 is "none".
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the words say it")]
pub struct FileRange {
    pub file: NameId,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// A range of bytes of the source text.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end: end.max(start) }
    }

    /// The span that covers both.
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Line and column, both counted from 1; columns count bytes, as MLIR does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the words say it")]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

/// The beginnings of the lines of a text, for turning byte offsets into lines and columns.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Indexes `text`.
    pub fn new(text: &[u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1));
        Self { starts }
    }

    /// Line and column of the byte at `offset`.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        LineColumn { line: line as u32, column: offset - self.starts.get(line - 1).copied().unwrap_or(0) + 1 }
    }

    /// The byte at which `line` (from 1) begins.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get((line as usize).checked_sub(1)?).copied()
    }
}
