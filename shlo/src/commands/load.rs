//! From a named input to programs: reading, cutting into sections, parsing and verifying, with all complaints located in
//! the file.

use std::ops::Range;

use stablehlo::diag::{Diagnostic, Severity};
use stablehlo::ir::{Module, Span};
use stablehlo::syntax::{self, parse::parse_bytes};
use stablehlo::verify::{self, Verified};

use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::{Format, Reporter, Style};
use crate::source::{self, Content, Place, ReadArgs};

/// A file's text.
pub struct Text {
    /// What diagnostics call the file.
    pub name: String,
    /// The text; bytes that are not UTF-8 are shown as `?`, so that offsets stay.
    pub text: String,
    /// The bytes themselves, where they are not UTF-8.
    bytes: Option<Vec<u8>>,
}

/// Reads an input that must be text.
///
/// # Errors
/// When it cannot be read, is too large, or is bytecode.
pub fn read_text(place: &Place) -> Result<Text, Failure> {
    let name = place.name();
    match source::read(place)? {
        Content::Text(text) => Ok(Text { name, text, bytes: None }),
        Content::Bytes(bytes) => Ok(Text { name, text: shown(&bytes), bytes: Some(bytes) }),
        Content::Bytecode => {
            let message = "this is MLIR bytecode, which is not supported yet; only the text form is";
            Err(Failure::new(Exit::Unsupported, message))
        }
    }
}

/// The bytes as text of the same length.
fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    text
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
    /// Verifies it: the program if it is valid, and all complaints, also those of the parser, located in the file.
    pub fn check(&self, source: &Text, arguments: ReadArgs) -> (Option<Verified<'_>>, Vec<Diagnostic>) {
        let mut complaints = self.diagnostics.clone();
        if has_errors(&complaints) {
            return (None, complaints);
        }
        let text = &source.text[self.section.clone()];
        match verify::verify_with(&self.module, text, arguments.verify()) {
            Ok(verified) => (Some(verified), complaints),
            Err(mut broken_rules) => {
                relocate(&mut broken_rules, &self.section);
                complaints.extend(broken_rules);
                (None, complaints)
            }
        }
    }
}

/// Whether there is an error among complaints.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// Writes complaints to standard error, for commands whose output is something else.
///
/// # Errors
/// When standard error cannot be written.
pub fn complain(source: &Text, diagnostics: &[Diagnostic]) -> Result<(), Failure> {
    let style = Style { format: Format::Text, color: output::use_color(&std::io::stderr()) };
    let mut err = output::stderr();
    err.put(Reporter::new(style).add(style.findings(&source.name, &source.text, diagnostics)))?;
    err.finish()
}

/// Parses every program of a text, one at a time.
pub fn programs(source: &Text, arguments: ReadArgs) -> impl Iterator<Item = Program> {
    let sections = syntax::sections(&source.text, arguments.split());
    sections.into_iter().map(|section| {
        let bytes = source.bytes.as_deref().unwrap_or(source.text.as_bytes());
        let syntax::Parsed { module, mut diagnostics } = parse_bytes(&source.name, &bytes[section.clone()]);
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
