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

/// The line that [`LineIndex::line_column_near`] found last.
#[derive(Clone, Default, Debug)]
pub struct LineCursor(usize);

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

    /// How many lines there are.
    pub fn n_lines(&self) -> usize {
        self.starts.len()
    }

    /// Line and column of the byte at `offset`.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        LineColumn { line: line as u32, column: offset - self.starts.get(line - 1).copied().unwrap_or(0) + 1 }
    }

    /// The same as [`LineIndex::line_column`], faster when offsets come in order: `cursor` remembers the line found last.
    pub fn line_column_near(&self, offset: u32, cursor: &mut LineCursor) -> LineColumn {
        const N_NEAR: usize = 8;
        let near = self.starts.get(cursor.0..).unwrap_or_default();
        let ahead = near.iter().take(N_NEAR).take_while(|start| **start <= offset).count();
        if ahead == 0 || (ahead == N_NEAR && near.len() > N_NEAR) {
            let place = self.line_column(offset);
            cursor.0 = place.line as usize - 1;
            return place;
        }
        cursor.0 += ahead - 1;
        LineColumn { line: cursor.0 as u32 + 1, column: offset - near[ahead - 1] + 1 }
    }

    /// The byte at which `line` (from 1) begins.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get((line as usize).checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_give_the_same_places() {
        let text = "ab\n\nc\n\n\n\n\n\n\n\n\n\nd\ne";
        let index = LineIndex::new(text.as_bytes());
        let mut cursor = LineCursor::default();
        let forth = 0..text.len() as u32;
        for offset in forth.clone().chain(forth.clone().rev()).chain([0, 17, 3, 17]) {
            assert_eq!(index.line_column_near(offset, &mut cursor), index.line_column(offset), "{offset}");
        }
        assert_eq!(index.line_column(3), LineColumn { line: 2, column: 1 });
    }
}
