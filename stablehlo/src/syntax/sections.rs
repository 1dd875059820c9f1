//! Files that hold several programs, separated by `// -----`.

use std::ops::Range;

/// What separates the programs of a file.
pub const MARKER: &str = "// -----";

/// How a file is cut into programs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Split {
    /// At lines that hold nothing but the marker.
    #[default]
    MarkerLines,
    /// At every marker, wherever it stands, as MLIR's tools do it.
    Everywhere,
    /// Not at all.
    Never,
}

/// The byte ranges of the programs in `text`, in order; markers belong to none. There is always at least one, and blank
/// ones are kept.
pub fn sections(text: &str, split: Split) -> Vec<Range<usize>> {
    let mut sections = Vec::new();
    let mut start = 0;
    if split != Split::Never {
        for (at, marker) in text.match_indices(MARKER) {
            let end = at + marker.len();
            if split == Split::Everywhere || stands_alone(text, at, end) {
                sections.push(start..at);
                start = end;
            }
        }
    }
    sections.push(start..text.len());
    sections
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let before = bytes[..start].iter().rev().find(|byte| !blank(byte));
    let after = bytes[end..].iter().find(|byte| !blank(byte));
    matches!(before, None | Some(b'\n')) && matches!(after, None | Some(b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, split: Split) -> Vec<&str> {
        sections(text, split).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn marker_lines() {
        assert_eq!(texts("a\n// -----\nb\n  // -----\r\nc", Split::MarkerLines), ["a\n", "\nb\n  ", "\r\nc"]);
        assert_eq!(texts("a // -----\n// ------\n", Split::MarkerLines), ["a // -----\n// ------\n"]);
        assert_eq!(texts("", Split::MarkerLines), [""]);
        assert_eq!(texts("// -----", Split::MarkerLines), ["", ""]);
    }

    #[test]
    fn everywhere_and_never() {
        assert_eq!(texts("a // -----\n// ------\n", Split::Everywhere), ["a ", "\n", "-\n"]);
        assert_eq!(texts("a\n// -----\nb", Split::Never), ["a\n// -----\nb"]);
    }
}
