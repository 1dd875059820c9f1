//! From a named input to programs: reading, cutting into sections, parsing and verifying, with all complaints located in
//! the file.

use std::ops::Range;

use stablehlo::diag::{Diagnostic, Severity};
use stablehlo::ir::{Module, Span};
use stablehlo::syntax;
use stablehlo::verify::{self, Verified};

use crate::exit::{Exit, Failure};
use crate::source::{self, Content, Place, ReadArgs};

/// A file's text; not UTF-8 is a complaint, not a failure.
pub struct Text {
    /// What diagnostics call the file.
    pub name: String,
    /// The text, invalid bytes replaced.
    pub text: String,
    /// The complaint about invalid bytes.
    pub not_utf8: Option<Diagnostic>,
}

/// Reads an input that must be text.
///
/// # Errors
/// When it cannot be read, is too large, or is bytecode.
pub fn read_text(place: &Place) -> Result<Text, Failure> {
    let name = place.name();
    Ok(match source::read(place)? {
        Content::Text(text) => Text { name, text, not_utf8: None },
        Content::NotUtf8 { text, valid_up_to } => {
            let at = u32::try_from(valid_up_to).unwrap_or(u32::MAX);
            let complaint = Diagnostic::error("parse/not-utf-8", Span::new(at, at + 1), "the text is not UTF-8")
                .with_help("MLIR text is UTF-8; other bytes in strings are written as \\HH");
            Text { name, text, not_utf8: Some(complaint) }
        }
        Content::Bytecode => {
            let message = "this is MLIR bytecode, which is not supported yet; only the text form is";
            return Err(Failure::new(Exit::Unsupported, message));
        }
    })
}

/// A program of a file.
pub struct Program {
    /// What was understood of it; its spans count from the beginning of the section.
    pub module: Module,
    /// The bytes of the file that it stands in.
    pub section: Range<usize>,
    /// Complaints of the parser, located in the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl Program {
    /// Verifies it.
    ///
    /// # Errors
    /// All complaints, also those of the parser, located in the file.
    pub fn check(&self, source: &Text, arguments: ReadArgs) -> Result<Verified<'_>, Vec<Diagnostic>> {
        if self.is_invalid() {
            return Err(self.diagnostics.clone());
        }
        let text = &source.text[self.section.clone()];
        verify::verify_with(&self.module, text, arguments.verify()).map_err(|mut complaints| {
            relocate(&mut complaints, &self.section);
            self.diagnostics.iter().cloned().chain(complaints).collect()
        })
    }

    /// Whether the parser found errors.
    fn is_invalid(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// Parses every program of a text, one at a time.
pub fn programs(source: &Text, arguments: ReadArgs) -> impl Iterator<Item = Program> {
    let sections = match source.not_utf8 {
        // A binary file would only cause meaningless complaints about its syntax.
        Some(_) => Vec::new(),
        None => syntax::sections(&source.text, arguments.split()),
    };
    sections.into_iter().map(|section| {
        let syntax::Parsed { module, mut diagnostics } = syntax::parse(&source.name, &source.text[section.clone()]);
        relocate(&mut diagnostics, &section);
        Program { module, section, diagnostics }
    })
}

/// From places in a section to places in the file.
fn relocate(diagnostics: &mut [Diagnostic], section: &Range<usize>) {
    for diagnostic in diagnostics {
        diagnostic.span = in_file(diagnostic.span, section);
        for label in &mut diagnostic.labels {
            label.span = in_file(label.span, section);
        }
    }
}

/// The place in the file of a place in a section.
pub fn in_file(span: Span, section: &Range<usize>) -> Span {
    let by = u32::try_from(section.start).unwrap_or(u32::MAX);
    Span::new(span.start.saturating_add(by), span.end.saturating_add(by))
}
