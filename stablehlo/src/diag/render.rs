//! Drawing a diagnostic: the lines of the source with what is wrong in them, for terminals.
//!
//! ariadne draws; here is what keeps it safe. It gets a short excerpt, never the file: only lines with labels, long lines
//! cut around the labels, control characters made visible, so that the cost does not depend on the size of the file. Spans
//! are snapped to character boundaries (ariadne panics on others), and the line numbers of the excerpt are replaced by
//! those of the file afterwards.

use std::borrow::Cow;

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind, Source};

use super::{Diagnostic, Severity};
use crate::ir::{LineIndex, Span};

/// How to draw.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct RenderOptions {
    /// Whether to use the colours of terminals.
    pub color: bool,
}

/// Lines that are longer than this, in bytes, are cut around the labels.
const LONG_LINE: usize = 160;
/// How much of a cut line is shown before and after the ends of a label.
const CONTEXT: usize = 50;
/// How much of a label is shown in a cut line.
const LONGEST_LABEL: usize = 80;
/// How many places are drawn; more would not help.
const MAX_LABELS: usize = 12;

/// Draws the place of `diagnostic` and its labels in `text`, with its help; the message and the code are left to the
/// caller. `name` is what the file is called, `lines` the index of `text`.
pub fn render(name: &str, text: &str, lines: &LineIndex, diagnostic: &Diagnostic, options: RenderOptions) -> String {
    let mut places = vec![Marked::new(text, lines, diagnostic.span, None, true)];
    for label in diagnostic.labels.iter().take(MAX_LABELS) {
        match places.iter_mut().find(|place| place.span == label.span && place.message.is_none()) {
            Some(same) => same.message = Some(&label.message),
            None => places.push(Marked::new(text, lines, label.span, Some(&label.message), false)),
        }
    }
    places.sort_by_key(|place| (place.line, place.start, place.end));
    let excerpt = Excerpt::new(text, lines, &places);
    let drawing = draw(&excerpt, &places, diagnostic, options);
    let head = lines.line_column(places.iter().find(|place| place.primary).map_or(0, |place| place.start as u32));
    let title = format!("{}:{}:{}", sanitize(name), head.line, head.column);
    renumber(&drawing, &excerpt, &title)
}

/// The line of `text` that contains `offset`, without its end.
pub fn line_text<'t>(text: &'t str, lines: &LineIndex, offset: u32) -> &'t str {
    let offset = offset.min(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let line = lines.line_column(offset).line;
    let (start, end) = line_range(text, lines, line);
    &text[start..end]
}

/// `text` with control characters (among them escape sequences of terminals and marks that reorder text) made visible.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if text.chars().any(|c| shown(c) != c) { text.chars().map(shown).collect::<String>().into() } else { text.into() }
}

/// What stands for a character in a drawing.
fn shown(c: char) -> char {
    match c {
        '\t' => '\t',
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    }
}

/// A place in the text, as far as it is drawn: inside one line, between characters.
struct Marked<'d> {
    span: Span,
    line: u32,
    start: usize,
    end: usize,
    message: Option<&'d str>,
    primary: bool,
}

impl<'d> Marked<'d> {
    fn new(text: &str, lines: &LineIndex, span: Span, message: Option<&'d str>, primary: bool) -> Self {
        let offset = span.start.min(u32::try_from(text.len()).unwrap_or(u32::MAX));
        let line = lines.line_column(offset).line;
        let (line_start, line_end) = line_range(text, lines, line);
        let start = text.floor_char_boundary((offset as usize).clamp(line_start, line_end));
        let end = text.ceil_char_boundary((span.end as usize).clamp(start, line_end));
        Self { span, line, start, end, message, primary }
    }
}

/// First byte of a line and the byte of its end (`\n` or `\r\n` excluded).
fn line_range(text: &str, lines: &LineIndex, line: u32) -> (usize, usize) {
    let start = (lines.line_start(line).unwrap_or(0) as usize).min(text.len());
    let end = lines.line_start(line.saturating_add(1)).map_or(text.len(), |next| next as usize - 1).min(text.len());
    let end = if text[start..end].ends_with('\r') { end - 1 } else { end };
    (start, end.max(start))
}

/// The lines that are drawn.
struct Excerpt {
    text: String,
    /// For every line of `text` the number of the line it stands for; none for gaps.
    numbers: Vec<Option<u32>>,
    /// For every place its bytes in `text`.
    ranges: Vec<std::ops::Range<usize>>,
}

impl Excerpt {
    /// `places` must be sorted by line.
    fn new(text: &str, lines: &LineIndex, places: &[Marked<'_>]) -> Self {
        let mut excerpt =
            Excerpt { text: String::new(), numbers: Vec::new(), ranges: Vec::with_capacity(places.len()) };
        for group in places.chunk_by(|a, b| a.line == b.line) {
            let line = group[0].line;
            if excerpt.numbers.last().is_some_and(|last| last.is_some_and(|last| last + 1 < line)) {
                excerpt.numbers.push(None);
                excerpt.text.push('\n');
            }
            excerpt.numbers.push(Some(line));
            excerpt.push_line(text, line_range(text, lines, line), group);
            excerpt.text.push('\n');
        }
        excerpt
    }

    /// Adds the parts of a line that `places` need and notes where those went.
    fn push_line(&mut self, text: &str, (start, end): (usize, usize), places: &[Marked<'_>]) {
        // For every character that was copied, and every end of a part: its offset in `text` and in the excerpt.
        let mut copied: Vec<(usize, usize)> = Vec::new();
        let parts = parts(text, start, end, places);
        let mut at = start;
        for part in &parts {
            if part.start > at {
                self.text.push('…');
            }
            for (offset, c) in text[part.clone()].char_indices() {
                copied.push((part.start + offset, self.text.len()));
                self.text.push(shown(c));
            }
            copied.push((part.end, self.text.len()));
            at = part.end;
        }
        if at < end {
            self.text.push('…');
        }
        let place = |offset: usize| {
            let index = copied.partition_point(|(source, _)| *source < offset).min(copied.len().saturating_sub(1));
            copied.get(index).map_or(self.text.len(), |(_, excerpt)| *excerpt)
        };
        let ranges: Vec<_> = places.iter().map(|marked| place(marked.start)..place(marked.end)).collect();
        self.ranges.extend(ranges);
    }
}

/// The parts of a line that are shown: all of it, or what is around the labels.
fn parts(text: &str, start: usize, end: usize, places: &[Marked<'_>]) -> Vec<std::ops::Range<usize>> {
    if end - start <= LONG_LINE {
        return std::iter::once(start..end).collect();
    }
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    for place in places {
        let shown_end = place.end.min(place.start.saturating_add(LONGEST_LABEL));
        let from = text.floor_char_boundary(place.start.saturating_sub(CONTEXT).max(start));
        let to = text.ceil_char_boundary(shown_end.saturating_add(CONTEXT).min(end));
        let from = if from - start < CONTEXT / 2 { start } else { from };
        match parts.last_mut() {
            Some(last) if from <= last.end + 8 => last.end = last.end.max(to),
            _ => parts.push(from..to),
        }
    }
    parts
}

fn draw(excerpt: &Excerpt, places: &[Marked<'_>], diagnostic: &Diagnostic, options: RenderOptions) -> String {
    let primary_color = match diagnostic.severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Remark | Severity::Note => Color::Cyan,
    };
    let config = Config::new()
        .with_index_type(IndexType::Byte)
        .with_char_set(CharSet::Unicode)
        .with_tab_width(2)
        .with_color(options.color);
    let head = places.iter().position(|place| place.primary).and_then(|index| excerpt.ranges.get(index).cloned());
    let mut report = Report::build(ReportKind::Error, head.unwrap_or(0..0)).with_config(config);
    for (place, range) in places.iter().zip(&excerpt.ranges) {
        let color = if place.primary { primary_color } else { Color::Blue };
        let label = Label::new(range.clone()).with_color(color);
        report.add_label(match place.message {
            Some(message) => label.with_message(sanitize(message)),
            None if place.primary => label.with_message("here"),
            None => label,
        });
    }
    if let Some(help) = &diagnostic.help {
        report.set_help(sanitize_lines(help));
    }
    let mut drawing = Vec::new();
    match report.finish().write(Source::from(excerpt.text.as_str()), &mut drawing) {
        Ok(()) => String::from_utf8_lossy(&drawing).into_owned(),
        Err(_) => String::new(),
    }
}

fn sanitize_lines(text: &str) -> String {
    text.lines().map(sanitize).collect::<Vec<_>>().join("\n")
}

/// Drops ariadne's title, puts `place` into its head, and gives the lines the numbers that they have in the file.
fn renumber(drawing: &str, excerpt: &Excerpt, place: &str) -> String {
    let widest = |numbers: &mut dyn Iterator<Item = usize>| numbers.max().unwrap_or(1).to_string().len();
    let drawn = widest(&mut std::iter::once(excerpt.numbers.len()));
    let wanted = widest(&mut excerpt.numbers.iter().flatten().map(|number| *number as usize));
    let mut out = String::with_capacity(drawing.len() + 64);
    for (index, line) in drawing.lines().skip(1).enumerate() {
        let line = line.trim_end();
        let line = if index == 0 { with_title(line, place) } else { Cow::Borrowed(line) };
        match line_number(&line) {
            Some((number_at, number, rest)) => {
                let actual = excerpt.numbers.get(number.wrapping_sub(1)).copied().flatten().unwrap_or(0);
                out.push_str(line[..number_at].trim());
                out.push_str(&format!(" {actual:>wanted$}{rest}"));
            }
            None if line.contains("──╯") && index > 0 => {
                let at = line.find('─').unwrap_or(0);
                out.push_str(&line[..at]);
                out.push_str(&"─".repeat(wanted.saturating_sub(drawn)));
                out.push_str(&line[at..]);
            }
            None => {
                out.push_str(&" ".repeat(wanted.saturating_sub(drawn)));
                out.push_str(&line);
            }
        }
        out.push('\n');
    }
    out
}

/// The head line with another place between its brackets.
fn with_title<'l>(line: &'l str, place: &str) -> Cow<'l, str> {
    match (line.find("<unknown>:"), line.rfind(' ')) {
        (Some(from), Some(to)) if from < to => format!("{}{place}{}", &line[..from], &line[to..]).into(),
        _ => line.into(),
    }
}

/// The line number in the margin of a drawn line: where it begins, itself, and what follows it.
fn line_number(line: &str) -> Option<(usize, usize, &str)> {
    let mut rest = line.trim_start_matches(' ');
    if let Some(escaped) = rest.strip_prefix("\x1b[") {
        rest = escaped.split_once('m')?.1.trim_start_matches(' ');
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let after = &rest[digits..];
    after.trim_start_matches(' ').starts_with('│').then_some((line.len() - rest.len(), number, after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drawn(text: &str, diagnostic: &Diagnostic) -> String {
        render("a.mlir", text, &LineIndex::new(text.as_bytes()), diagnostic, RenderOptions::default())
    }

    fn span_of(text: &str, part: &str) -> Span {
        let start = text.find(part).unwrap();
        Span::new(start as u32, (start + part.len()) as u32)
    }

    const PAD: &str = "func.func @f(%a: tensor<2xf16>) {\n  // nothing\n  %0 = stablehlo.pad %a, interior = [-1]\n}\n";

    #[test]
    fn labels_on_other_lines_and_help() {
        let diagnostic = Diagnostic::error("pad_c3", span_of(PAD, "-1"), "negative")
            .with_label(span_of(PAD, "tensor<2xf16>"), "dimension 0 of this operand")
            .with_help("interior padding is not negative");
        insta::assert_snapshot!(drawn(PAD, &diagnostic));
    }

    #[test]
    fn numbers_of_far_lines() {
        let text = format!("{}%x = first\n{}%y = second\n", "\n".repeat(9), "\n".repeat(12345));
        let diagnostic =
            Diagnostic::error("c", span_of(&text, "second"), "m").with_label(span_of(&text, "first"), "declared here");
        insta::assert_snapshot!(drawn(&text, &diagnostic));
    }

    #[test]
    fn long_lines_are_cut_around_the_labels() {
        let text = format!("%0 = dense<\"0x{}\"> : tensor<1xf99>, {} %last", "0".repeat(1 << 20), "é".repeat(5000));
        let diagnostic =
            Diagnostic::error("c", span_of(&text, "f99"), "m").with_label(span_of(&text, "%last"), "and this");
        insta::assert_snapshot!(drawn(&text, &diagnostic));
    }

    #[test]
    fn a_label_that_covers_a_huge_constant() {
        let text = format!("%0 = \"{}\" : i1", "é".repeat(1 << 20));
        let out = drawn(&text, &Diagnostic::error("c", Span::new(5, text.len() as u32 - 5), "m"));
        assert!(out.len() < 2000, "{} bytes", out.len());
        assert!(out.starts_with("   ╭─[ a.mlir:1:6 ]\n"), "{out}");
    }

    #[test]
    fn control_characters_and_end_of_text() {
        let text = "%0 = \x1b[31mred\u{202e}\u{2028}x\r\n\tend";
        let end = text.len() as u32;
        let diagnostic = Diagnostic::error("c", Span::new(end, end), "m").with_label(Span::new(5, 6), "escape\x07");
        insta::assert_snapshot!(drawn(text, &diagnostic));
    }

    #[test]
    fn empty_text() {
        insta::assert_snapshot!(drawn("", &Diagnostic::error("c", Span::new(0, 0), "m")));
    }

    #[test]
    fn colours_do_not_change_the_text() {
        let text = format!("{}{PAD}", "\n".repeat(98));
        let diagnostic = Diagnostic::error("pad_c3", span_of(&text, "-1"), "negative")
            .with_label(span_of(&text, "tensor<2xf16>"), "this")
            .with_help("help");
        let colored =
            render("a.mlir", &text, &LineIndex::new(text.as_bytes()), &diagnostic, RenderOptions { color: true });
        let mut plain = String::new();
        let mut rest = colored.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            plain.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        plain.push_str(rest);
        let trimmed = |text: &str| text.lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>();
        assert_eq!(trimmed(&plain), drawn(&text, &diagnostic));
    }

    proptest! {
        /// Any text and any spans, also reversed, beyond the end and inside characters, give a drawing that names the place.
        #[test]
        fn never_panics(
            text in "([ -~]|é|…|𝔘|\t|\r|\n|\x1b|\u{2028}|\u{0085}|\u{202e}|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa){0,60}",
            spans in proptest::collection::vec((0u32..400, 0u32..400), 1..6),
            color: bool,
        ) {
            let mut diagnostic = Diagnostic::error("c", Span { start: spans[0].0, end: spans[0].1 }, "m").with_help("h\nh");
            for (index, (start, end)) in spans[1..].iter().enumerate() {
                diagnostic = diagnostic.with_label(Span { start: *start, end: *end }, format!("label {index}"));
            }
            let lines = LineIndex::new(text.as_bytes());
            let out = render("f", &text, &lines, &diagnostic, RenderOptions { color });
            prop_assert!(out.contains("[ f:") || out.contains(" f:"), "{}", out);
            for index in 0..spans.len() - 1 {
                prop_assert!(out.contains(&format!("label {index}")), "label {} is missing:\n{}", index, out);
            }
        }
    }
}
