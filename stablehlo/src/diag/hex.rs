//! Drawing a fault in bytes: the bytes around it, for terminals.

use std::fmt::Write;

use super::render::{RenderOptions, sanitize};

/// How many bytes stand in a line.
const PER_LINE: usize = 16;
/// How many lines are shown before the one with the fault.
const LINES_BEFORE: usize = 2;

/// Draws the place of a fault at byte `offset` of `bytes`, which are called `name`; `section` is what they belong to there,
/// if that is known. An offset at or beyond the end points behind the last byte.
pub fn render_bytes(name: &str, bytes: &[u8], offset: u64, section: Option<&str>, options: RenderOptions) -> String {
    let at = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let line_at = at / PER_LINE * PER_LINE;
    let first = line_at.saturating_sub(LINES_BEFORE * PER_LINE);
    let width = format!("{:x}", bytes.len()).len().max(4);
    let section = section.map(|section| format!(", in {}", sanitize(section))).unwrap_or_default();
    let margin = " ".repeat(width + 4);
    let mut out = format!("{margin}╭─[ {}, {}{section} ]\n{margin}│\n", sanitize(name), byte_in_words(offset));
    for start in (first..=line_at).step_by(PER_LINE) {
        let line = &bytes[start..(start + PER_LINE).min(bytes.len())];
        // Writing to a String cannot fail, here and below.
        let _ = write!(out, " 0x{start:0width$x} │");
        for index in 0..PER_LINE {
            out.push_str(if index == PER_LINE / 2 { "  " } else { " " });
            match line.get(index) {
                Some(byte) => drop(write!(out, "{byte:02x}")),
                None => out.push_str("  "),
            }
        }
        out.push_str("  ");
        out.extend(line.iter().map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '·',
        }));
        out.push('\n');
    }
    let column = at - line_at;
    let indent = 1 + 3 * column + usize::from(column >= PER_LINE / 2);
    let (on, off) = if options.color { ("\x1b[31m", "\x1b[0m") } else { ("", "") };
    let what = if at == bytes.len() { "the end" } else { "here" };
    let _ = writeln!(out, "{margin}│{}{on}━━ {what}{off}", " ".repeat(indent));
    let _ = writeln!(out, "{}╯", "─".repeat(width + 4));
    out
}

/// `byte 1234 (0x4d2)`
pub fn byte_in_words(offset: u64) -> String {
    format!("byte {offset} ({offset:#x})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(bytes: &[u8], offset: u64) -> String {
        render_bytes("a.mlirbc", bytes, offset, Some("section IR"), RenderOptions::default())
    }

    #[test]
    fn the_bytes_around_a_fault() {
        let bytes: Vec<u8> = (0x30..0x90).collect();
        let expected = "       \u{20}╭─[ a.mlirbc, byte 59 (0x3b), in section IR ]
        │
 0x0010 │ 40 41 42 43 44 45 46 47  48 49 4a 4b 4c 4d 4e 4f  @ABCDEFGHIJKLMNO
 0x0020 │ 50 51 52 53 54 55 56 57  58 59 5a 5b 5c 5d 5e 5f  PQRSTUVWXYZ[\\]^_
 0x0030 │ 60 61 62 63 64 65 66 67  68 69 6a 6b 6c 6d 6e 6f  `abcdefghijklmno
        │                                   ━━ here
────────╯
";
        assert_eq!(drawn(&bytes, 59), expected);
    }

    #[test]
    fn the_end_of_the_bytes_and_what_lies_beyond() {
        for offset in [3, 4, u64::MAX] {
            let out = drawn(b"ML\xef", offset);
            assert!(out.contains(" 0x0000 │ 4d 4c ef                                          ML·\n"), "{out}");
            assert!(out.contains("        │          ━━ the end\n"), "{out}");
        }
        assert!(drawn(b"", 0).contains("        │ ━━ the end\n"));
        // The end right behind a full line is at the beginning of the next.
        assert!(drawn(&[0; 16], 16).contains(" 0x0010 │"));
    }
}
