//! Findings of a run and the forms in which they are reported.

mod github;
mod json;
mod sarif;
pub mod table;
mod text;

use std::borrow::Cow;

use clap::ValueEnum;
use serde::Serialize;
use stablehlo::diag::hex::{byte_in_words, render_bytes};
use stablehlo::diag::render::{RenderOptions, line_text, render, sanitize};
use stablehlo::diag::{Diagnostic, Severity};
use stablehlo::ir::{LineIndex, Span};

use crate::exit::Failure;

/// How findings are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// For people, and for editors that know the first line of MLIR's diagnostics.
    #[default]
    Text,
    /// One object: {"diagnostics": […]}.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands that GitHub shows beside the code.
    Github,
}

/// How an answer is written that is no list of findings.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum AnswerFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON document.
    Json,
}

/// A place in a file: lines and columns from 1, columns counted in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Region {
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}

/// What the lines and columns of a finding count in.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The file.
    Source,
    /// The text form of a file in bytecode.
    AsText,
    /// Nothing: the fault is at this byte of the file.
    Byte(u64),
}

/// A remark about a place.
#[derive(Clone, Debug, Serialize)]
pub struct Remark {
    /// Where.
    #[serde(flatten)]
    pub region: Region,
    /// What about it.
    pub message: String,
}

/// A diagnostic with everything that reporting it needs; the text it is about is no longer there.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The file as the user named it.
    pub file: String,
    /// Where; none when the file could not be read.
    pub region: Option<Region>,
    /// What `region` is about.
    pub origin: Origin,
    /// How bad it is.
    pub severity: Severity,
    /// Stable code.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// Further places.
    pub labels: Vec<Remark>,
    /// What to do about it.
    pub help: Option<String>,
    /// The drawing of the source lines; empty unless the report is text.
    pub drawing: String,
    /// The beginning of the source line, for recognising the finding in another version of the file.
    pub source_line: String,
}

impl Finding {
    /// The place in the file itself, for reports that are shown beside it: its beginning where the file has no lines.
    fn region_in_file(&self) -> Option<Region> {
        match self.origin {
            Origin::Source => self.region,
            Origin::AsText | Origin::Byte(_) => Some(START),
        }
    }

    /// The message and the help, for reports that are shown beside the file.
    fn message_for_file(&self) -> String {
        let mut message = self.message.clone();
        if let (Origin::AsText, Some(region)) = (self.origin, self.region) {
            message.push_str(&format!(", at {}:{} of the file as text", region.line, region.column));
        }
        if let Some(help) = &self.help {
            message.push('\n');
            message.push_str(help);
        }
        message
    }
}

/// The beginning of a file.
const START: Region = Region { line: 1, column: 1, end_line: 1, end_column: 1 };

/// How many findings of a file are drawn; the others get one line.
const MAX_DRAWINGS: usize = 100;

/// What findings need to be prepared for.
#[derive(Copy, Clone, Debug)]
pub struct Style {
    /// The form of the report.
    pub format: Format,
    /// Whether it is coloured.
    pub color: bool,
}

impl Style {
    /// Turns diagnostics about `text`, which is the file or what it says, into findings.
    pub fn findings(self, file: &str, origin: Origin, text: &str, diagnostics: &[Diagnostic]) -> Vec<Finding> {
        if diagnostics.is_empty() {
            return Vec::new();
        }
        let lines = LineIndex::new(text.as_bytes());
        let units = if self.format == Format::Sarif { str_utf16 } else { str::len };
        let region = |span| region(text, &lines, span, units);
        let finding = |(number, diagnostic): (usize, &Diagnostic)| Finding {
            file: file.to_owned(),
            region: Some(region(diagnostic.span)),
            origin,
            severity: diagnostic.severity,
            code: diagnostic.code.clone(),
            message: diagnostic.message.clone(),
            labels: diagnostic
                .labels
                .iter()
                .map(|label| Remark { region: region(label.span), message: label.message.clone() })
                .collect(),
            help: diagnostic.help.clone(),
            drawing: if self.format == Format::Text && number < MAX_DRAWINGS {
                render(&file_name(file, origin), text, &lines, diagnostic, RenderOptions { color: self.color })
            } else {
                String::new()
            },
            source_line: line_text(text, &lines, diagnostic.span.start).chars().take(200).collect(),
        };
        diagnostics.iter().enumerate().map(finding).collect()
    }

    /// Turns a fault at byte `offset` of a file into a finding.
    pub fn fault(self, file: &str, bytes: &[u8], offset: u64, fault: &Diagnostic) -> Finding {
        let section = stablehlo::bytecode::section_at(bytes, offset).map(|kind| format!("section {}", kind.name()));
        let drawing = match self.format {
            Format::Text => render_bytes(file, bytes, offset, section.as_deref(), RenderOptions { color: self.color }),
            _ => String::new(),
        };
        Finding {
            file: file.to_owned(),
            region: Some(START),
            origin: Origin::Byte(offset),
            severity: fault.severity,
            code: fault.code.clone(),
            message: format!("{}, at {}", fault.message, byte_in_words(offset)),
            labels: Vec::new(),
            help: fault.help.clone(),
            drawing,
            source_line: String::new(),
        }
    }
}

/// What a file is called where people read lines and columns.
fn file_name(file: &str, origin: Origin) -> Cow<'_, str> {
    match origin {
        Origin::AsText => format!("{file} (as text)").into(),
        Origin::Source | Origin::Byte(_) => file.into(),
    }
}

/// A finding about a file as a whole.
pub fn file_finding(file: &str, code: &str, failure: &Failure) -> Finding {
    Finding {
        file: file.to_owned(),
        region: None,
        origin: Origin::Source,
        severity: Severity::Error,
        code: code.to_owned(),
        message: failure.message.clone(),
        labels: Vec::new(),
        help: None,
        drawing: String::new(),
        source_line: String::new(),
    }
}

/// Lines and columns of a span; `units` is what columns count.
fn region(text: &str, lines: &LineIndex, span: Span, units: fn(&str) -> usize) -> Region {
    let place = |offset: u32| {
        let offset = text.floor_char_boundary(offset as usize);
        let line = lines.line_column(u32::try_from(offset).unwrap_or(u32::MAX)).line;
        let start = lines.line_start(line).unwrap_or(0) as usize;
        (line, u32::try_from(units(text.get(start..offset).unwrap_or(""))).unwrap_or(u32::MAX).saturating_add(1))
    };
    let ((line, column), (end_line, end_column)) = (place(span.start), place(span.end.max(span.start)));
    Region { line, column, end_line, end_column }
}

/// SARIF counts columns in UTF-16 units, everything else here in bytes.
fn str_utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Writes findings in one of the forms; texts come out piece by piece, in the order of the files.
pub struct Reporter {
    style: Style,
    kept: Vec<Finding>,
    /// Errors so far.
    pub errors: usize,
    /// Warnings so far.
    pub warnings: usize,
}

impl Reporter {
    /// A report of this style.
    pub fn new(style: Style) -> Self {
        Self { style, kept: Vec::new(), errors: 0, warnings: 0 }
    }

    /// Adds findings and gives what can be written at once.
    pub fn add(&mut self, findings: Vec<Finding>) -> String {
        self.errors += findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        self.warnings += findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
        match self.style.format {
            Format::Text => findings.iter().map(|finding| text::finding(finding, self.style.color)).collect(),
            Format::Github => findings.iter().map(github::finding).collect(),
            Format::Json | Format::Sarif => {
                self.kept.extend(findings);
                String::new()
            }
        }
    }

    /// What is left to write.
    pub fn finish(self) -> String {
        match self.style.format {
            Format::Text | Format::Github => String::new(),
            Format::Json => json::document(&self.kept),
            Format::Sarif => sarif::document(&self.kept),
        }
    }
}

/// `1 op`, `2 ops`
pub fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// `value` as one line of JSON.
pub fn to_json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string(value).expect("the keys of all documents are strings");
    text.push('\n');
    text
}
