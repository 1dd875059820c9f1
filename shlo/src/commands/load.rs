//! From a named input to programs: reading, cutting into sections, parsing and verifying.
//!
//! Complaints point into something that the user can look at: the file's text, the text form of a module that was
//! bytecode, or the bytes themselves.

use std::borrow::Cow;
use std::ops::Range;

use bytes::Bytes;
use stablehlo::bytecode;
use stablehlo::diag::origin::note_origins;
use stablehlo::diag::{Diagnostic, Severity};
use stablehlo::ir::{LineIndex, Module, OpId, Span};
use stablehlo::syntax::{self, PrintOptions, parse::parse_bytes, print_with_sources};
use stablehlo::verify::{self, Verified};

use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::{Finding, Format, Origin, Reporter, Style};
use crate::source::{self, Content, Place, ReadArgs};

/// A file as it was read.
pub struct Source {
    /// What diagnostics call the file.
    pub name: String,
    form: Form,
}

enum Form {
    Text {
        /// The text; bytes that are not UTF-8 are shown as `?`, so that offsets stay.
        text: String,
        /// The bytes themselves, where they are not UTF-8.
        bytes: Option<Vec<u8>>,
    },
    Bytecode(Bytes),
}

impl Source {
    /// Reads an input.
    ///
    /// # Errors
    /// When it cannot be read or is too large.
    pub fn read(place: &Place) -> Result<Self, Failure> {
        let form = match source::read(place)? {
            Content::Text(text) => Form::Text { text, bytes: None },
            Content::Bytes(bytes) => Form::Text { text: shown(&bytes), bytes: Some(bytes) },
            Content::Bytecode(bytes) => Form::Bytecode(bytes),
        };
        Ok(Self { name: place.name(), form })
    }

    /// The text of the file; none when it is bytecode.
    pub fn text(&self) -> Option<&str> {
        match &self.form {
            Form::Text { text, .. } => Some(text),
            Form::Bytecode(_) => None,
        }
    }

    /// The bytes of the file when it is bytecode.
    pub fn bytecode(&self) -> Option<&Bytes> {
        match &self.form {
            Form::Text { .. } => None,
            Form::Bytecode(bytes) => Some(bytes),
        }
    }

    /// Reads every program of the file, one at a time.
    pub fn programs(&self, arguments: ReadArgs) -> impl Iterator<Item = Program<'_>> {
        let sections = match &self.form {
            Form::Text { text, .. } => syntax::sections(text, arguments.split()),
            Form::Bytecode(_) => vec![Range::default()],
        };
        sections.into_iter().map(|section| self.program(section))
    }

    fn program(&self, section: Range<usize>) -> Program<'_> {
        match &self.form {
            Form::Text { text, bytes } => {
                let bytes = bytes.as_deref().unwrap_or(text.as_bytes());
                let syntax::Parsed { module, mut diagnostics } = parse_bytes(&self.name, &bytes[section.clone()]);
                relocate(&mut diagnostics, section.start);
                Program { module, source: self, section, faults: self.complaints(diagnostics) }
            }
            Form::Bytecode(bytes) => {
                let (module, faults) = match bytecode::read(bytes.clone(), &self.name) {
                    Ok(module) => (module, self.complaints(Vec::new())),
                    Err(fault) => (Module::new(&self.name), self.fault(bytes, &fault)),
                };
                Program { module, source: self, section, faults }
            }
        }
    }

    /// Reads the only program of the file and verifies it.
    ///
    /// # Errors
    /// As [`Source::only_program`], also for a program that is invalid.
    pub fn only_valid_program(&self, arguments: ReadArgs) -> Result<Program<'_>, Failure> {
        let program = self.only_program(arguments)?;
        if let (None, complaints) = program.check(arguments) {
            complaints.show()?;
            return Err(Failure::silent(complaints.exit()));
        }
        Ok(program)
    }

    /// Reads the only program of the file; parts that hold nothing but comments do not count.
    ///
    /// # Errors
    /// When there are several, or the reader complains; that has been shown then.
    pub fn only_program(&self, arguments: ReadArgs) -> Result<Program<'_>, Failure> {
        let mut programs = self.programs(arguments);
        let first = programs.next().ok_or_else(|| Failure::new(Exit::Input, "there is no program"))?;
        let others: Vec<Program<'_>> =
            programs.filter(|program| program.faults.has_errors() || !program.module.top_ops().is_empty()).collect();
        if !others.is_empty() {
            let count = 1 + others.len();
            let message = format!("{count} programs, separated by `// -----`; this command takes one at a time");
            return Err(Failure::usage(message));
        }
        first.faults.show()?;
        if first.faults.has_errors() { Err(Failure::silent(first.faults.exit())) } else { Ok(first) }
    }

    /// Complaints about the text of the file.
    pub fn complaints(&self, diagnostics: Vec<Diagnostic>) -> Complaints<'_> {
        let subject = Subject::Text { text: self.text().unwrap_or("").into(), origin: Origin::Source };
        Complaints { name: &self.name, subject, diagnostics }
    }

    /// The complaint that the bytes of the file are no module.
    pub fn fault(&self, bytes: &Bytes, fault: &bytecode::Error) -> Complaints<'_> {
        let diagnostic = Diagnostic::error(fault.code, Span::default(), &fault.message);
        let subject = Subject::Bytes { bytes: bytes.clone(), fault: fault.clone() };
        Complaints { name: &self.name, subject, diagnostics: vec![diagnostic] }
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
pub struct Program<'s> {
    /// What was understood of it; its spans count from the beginning of the section.
    pub module: Module,
    source: &'s Source,
    /// The part of the text that it stands in.
    section: Range<usize>,
    /// What the reader complains about.
    faults: Complaints<'s>,
}

impl<'s> Program<'s> {
    /// Verifies it: the program if it is valid, and all complaints, also those of the reader.
    pub fn check(&self, arguments: ReadArgs) -> (Option<Verified<'_>>, Complaints<'s>) {
        if self.faults.has_errors() {
            return (None, self.faults.clone());
        }
        let text = self.source.text().map_or("", |text| &text[self.section.clone()]);
        match verify::verify_with(&self.module, text, arguments.verify()) {
            Ok(verified) => (Some(verified), self.faults.clone()),
            Err(_) if self.source.bytecode().is_some() => (None, self.check_as_text(arguments)),
            Err(mut broken_rules) => {
                relocate(&mut broken_rules, self.section.start);
                let mut complaints = self.faults.clone();
                complaints.diagnostics.extend(broken_rules);
                (None, complaints)
            }
        }
    }

    /// Verifies a module that was bytecode, for complaints that point into its text.
    fn check_as_text(&self, arguments: ReadArgs) -> Complaints<'s> {
        let sheet = self.sheet();
        let broken_rules = verify::verify_with(&sheet.module, sheet.text(), arguments.verify()).err();
        sheet.locate(broken_rules.unwrap_or_default())
    }

    /// Whether its part of the file holds nothing.
    pub fn is_blank(&self) -> bool {
        self.source.text().is_some_and(|text| text[self.section.clone()].trim().is_empty())
    }

    /// The text that its ops stand in; for bytecode it is made here, which takes time.
    pub fn sheet(&self) -> Sheet<'s, '_> {
        let name = &self.source.name;
        if let Some(text) = self.source.text() {
            let subject = Subject::Text { text: text.into(), origin: Origin::Source };
            return Sheet { name, subject, module: Cow::Borrowed(&self.module), start: self.section.start };
        }
        let (text, sources) = print_with_sources(&self.module, FOR_READING);
        let mut module = self.module.clone();
        module.set_text(text.as_bytes(), sources);
        let subject = Subject::Text { text: text.into(), origin: Origin::AsText };
        Sheet { name, subject, module: Cow::Owned(module), start: 0 }
    }
}

/// How bytecode is printed for complaints: nobody wants to see large constants there.
const FOR_READING: PrintOptions = PrintOptions {
    generic: false,
    locations: false,
    elide_larger_than: Some(32),
    elide_resources_larger_than: Some(32),
    hex_larger_than: None,
    local_scope: false,
    names_from_locations: false,
};

/// A text, and the ops of a program that stand in it.
pub struct Sheet<'s, 'p> {
    name: &'s str,
    subject: Subject<'s>,
    module: Cow<'p, Module>,
    /// Where the program begins in the text.
    start: usize,
}

impl<'s> Sheet<'s, '_> {
    fn text(&self) -> &str {
        match &self.subject {
            Subject::Text { text, .. } => text,
            Subject::Bytes { .. } => "",
        }
    }

    /// The program, with the places that its ops have in the text.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Where the name of an op stands in the text.
    pub fn span(&self, op: OpId) -> Span {
        in_file(self.module.name_span(op), self.start)
    }

    /// The lines of the text.
    pub fn lines(&self) -> LineIndex {
        LineIndex::new(self.text().as_bytes())
    }

    /// Complaints about places in the program.
    pub fn locate(&self, mut diagnostics: Vec<Diagnostic>) -> Complaints<'s> {
        if self.origin() == Origin::AsText {
            note_origins(&self.module, &mut diagnostics);
        }
        relocate(&mut diagnostics, self.start);
        self.complaints(diagnostics)
    }

    fn origin(&self) -> Origin {
        match self.subject {
            Subject::Text { origin, .. } => origin,
            Subject::Bytes { .. } => Origin::Source,
        }
    }

    /// Complaints about places in the text.
    pub fn complaints(&self, diagnostics: Vec<Diagnostic>) -> Complaints<'s> {
        Complaints { name: self.name, subject: self.subject.clone(), diagnostics }
    }
}

/// Complaints about a file, with what they point into.
#[derive(Clone)]
pub struct Complaints<'s> {
    name: &'s str,
    subject: Subject<'s>,
    /// The complaints.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone)]
enum Subject<'s> {
    Text { text: Cow<'s, str>, origin: Origin },
    Bytes { bytes: Bytes, fault: bytecode::Error },
}

impl Complaints<'_> {
    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Makes warnings of the errors among them.
    pub fn soften(&mut self) {
        for diagnostic in &mut self.diagnostics {
            diagnostic.severity = diagnostic.severity.max(Severity::Warning);
        }
    }

    /// Adds complaints about the same file. A file that is not text holds one program only, so what its complaints point
    /// into is what all of them do.
    pub fn add(&mut self, others: Self) {
        self.diagnostics.extend(others.diagnostics);
        self.subject = others.subject;
    }

    /// The complaints ready to be reported.
    pub fn findings(&self, style: Style) -> Vec<Finding> {
        match &self.subject {
            Subject::Text { text, origin } => style.findings(self.name, *origin, text, &self.diagnostics),
            Subject::Bytes { bytes, fault } => {
                self.diagnostics.iter().map(|it| style.fault(self.name, bytes, fault.offset, it)).collect()
            }
        }
    }

    /// Writes them to standard error, for commands whose output is something else.
    ///
    /// # Errors
    /// When standard error cannot be written.
    pub fn show(&self) -> Result<(), Failure> {
        let style = Style { format: Format::Text, color: output::use_color(&std::io::stderr()) };
        let mut err = output::stderr();
        err.put(Reporter::new(style).add(self.findings(style)))?;
        err.finish()
    }

    /// How a command ends that cannot go on because of them.
    pub fn exit(&self) -> Exit {
        match &self.subject {
            Subject::Bytes { fault, .. } if fault.is_unsupported() => Exit::Unsupported,
            _ => Exit::Input,
        }
    }
}

/// From places in a section to places in the file.
fn relocate(diagnostics: &mut [Diagnostic], start: usize) {
    for diagnostic in diagnostics {
        diagnostic.span = in_file(diagnostic.span, start);
        for label in &mut diagnostic.labels {
            label.span = in_file(label.span, start);
        }
    }
}

/// The place in the file of a place in a section.
fn in_file(span: Span, start: usize) -> Span {
    let by = u32::try_from(start).unwrap_or(u32::MAX);
    Span::new(span.start.saturating_add(by), span.end.saturating_add(by))
}
