//! `shlo inspect`: says what a file is made of.

use std::cmp::Reverse;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};
use stablehlo::bytecode::{self, SectionSummary, Summary};
use stablehlo::ir::{Census, Constant, Module};

use super::load::{Complaints, Source};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::table::{Align, table};
use crate::report::{AnswerFormat, counted, to_json};
use crate::source::{Place, ReadArgs};

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo inspect model.mlirbc            who wrote it, for which version, where the bytes are, which ops it has
  shlo inspect model.mlirbc --top 50   more of its constants and ops
  shlo inspect model.mlir              the same as far as text has it
  shlo inspect model.mlirbc --format json | jq -r .stablehlo_version

Nothing is verified. A file whose dialects are not known here is described as far as the format allows.

Exit codes: 0 done, 3 the file cannot be read or is malformed, 4 not supported.";

/// Flags of `shlo inspect`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// The file, bytecode or text, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How it is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: AnswerFormat,
    /// How many constants, resources, functions and ops are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    read: ReadArgs,
}

/// What is known of a file.
struct Facts<'s> {
    name: &'s str,
    bytes: usize,
    /// Of bytecode: what the container says.
    summary: Option<Summary>,
    /// What the program says, if it could be read.
    program: Option<(Module, Census)>,
}

/// Does it.
///
/// # Errors
/// When the file cannot be read or is malformed.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let place = Place::named(&arguments.file);
    let source = Source::read(&place).map_err(|failure| failure.about(&place.name()))?;
    let (facts, complaints) = facts(&source, arguments)?;
    let mut out = output::stdout();
    out.put(match arguments.format {
        AnswerFormat::Text => facts.text(arguments.top),
        AnswerFormat::Json => to_json(&facts.json(arguments.top)),
    })?;
    out.finish()?;
    match complaints {
        Some(complaints) => {
            complaints.show()?;
            Ok(complaints.exit())
        }
        None => Ok(Exit::Success),
    }
}

/// What is known of a file, and why that is not everything.
fn facts<'s>(source: &'s Source, arguments: &Arguments) -> Result<(Facts<'s>, Option<Complaints<'s>>), Failure> {
    let counted = |module: Module| {
        let census = Census::of(&module);
        (module, census)
    };
    let Some(bytes) = source.bytecode() else {
        let program = source.only_program(arguments.read).map_err(|failure| failure.about(&source.name))?;
        let program = Some(counted(program.module));
        let bytes = source.text().map_or(0, str::len);
        return Ok((Facts { name: &source.name, bytes, summary: None, program }, None));
    };
    let summary = bytecode::inspect(bytes).map_err(|fault| {
        let complaints = source.fault(bytes, &fault);
        complaints.show().err().unwrap_or_else(|| Failure::silent(complaints.exit()))
    })?;
    let (program, complaints) = match bytecode::read(bytes.clone(), &source.name) {
        Ok(module) => (Some(counted(module)), None),
        Err(fault) => (None, Some(source.fault(bytes, &fault))),
    };
    Ok((Facts { name: &source.name, bytes: bytes.len(), summary: Some(summary), program }, complaints))
}

impl Facts<'_> {
    fn kind(&self) -> &'static str {
        match &self.summary {
            None => "text",
            Some(summary) if summary.artifact_version().is_some() => "portable-artifact",
            Some(_) => "bytecode",
        }
    }

    /// Ops as the file calls them, the most frequent first.
    fn ops(&self) -> Vec<(&str, u64)> {
        let of_program = || self.program.as_ref().map(|(_, census)| &census.ops);
        let ops = self.summary.as_ref().map(|summary| &summary.ops).or_else(of_program);
        let mut ops: Vec<(&str, u64)> =
            ops.into_iter().flatten().map(|(name, count)| (name.as_str(), *count)).collect();
        ops.sort_by_key(|(name, count)| (Reverse(*count), *name));
        ops
    }

    /// Constants, the largest first.
    fn constants(&self) -> Vec<&Constant> {
        let mut constants: Vec<&Constant> = self.program.iter().flat_map(|(_, census)| &census.constants).collect();
        constants.sort_by_key(|constant| Reverse(constant.bytes));
        constants
    }

    fn constant_bytes(&self) -> u64 {
        self.constants().iter().map(|constant| constant.bytes).sum()
    }

    fn functions(&self) -> &[(String, String)] {
        self.program.as_ref().map_or(&[], |(_, census)| &census.functions)
    }

    fn percent(&self, bytes: u64) -> f64 {
        (bytes as f64) * 100.0 / (self.bytes.max(1) as f64)
    }

    // ---------------------------------------------------------------- for people

    fn text(&self, top: usize) -> String {
        let mut out = self.head();
        if let Some(summary) = &self.summary {
            out.push_str(&self.sections(&summary.sections));
            let resources: Vec<_> = summary.resources.iter().collect();
            let row = |it: &&bytecode::ResourceSummary| [it.size.to_string(), it.group.clone(), it.key.clone()];
            let head = [("bytes", Align::Right), ("of", Align::Left), ("key", Align::Left)];
            out.push_str(&listed("resources", &resources, top, head, row));
        }
        let row = |it: &(String, String)| [format!("@{}", it.0), abridged(&it.1, 90)];
        out.push_str(&listed("functions", self.functions(), top, [("name", Align::Left), ("type", Align::Left)], row));
        let row = |it: &&Constant| {
            [it.bytes.to_string(), it.n_uses.to_string(), abridged(&it.ty, 40), self.where_is(it).unwrap_or_default()]
        };
        let head = [("bytes", Align::Right), ("uses", Align::Right), ("type", Align::Left), ("at", Align::Left)];
        out.push_str(&listed("largest constants", &self.constants(), top, head, row));
        let ops = self.ops();
        let total: u64 = ops.iter().map(|(_, count)| count).sum();
        let row = |(name, count): &(&str, u64)| {
            [count.to_string(), format!("{:.1}%", *count as f64 * 100.0 / total.max(1) as f64), (*name).to_owned()]
        };
        let head = [("count", Align::Right), ("", Align::Right), ("op", Align::Left)];
        out.push_str(&listed("ops", &ops, top, head, row));
        out
    }

    /// What the file is, in a few lines.
    fn head(&self) -> String {
        let mut lines = Vec::new();
        let mut what = match self.kind() {
            "text" => "MLIR text".to_owned(),
            "bytecode" => "MLIR bytecode".to_owned(),
            _ => "portable artifact".to_owned(),
        };
        if let Some(summary) = &self.summary {
            if let Some(version) = summary.artifact_version() {
                what.push_str(&format!(" of StableHLO {version}"));
            }
            lines.push(("producer", summary.producer.clone()));
            lines.push(("format", format!("bytecode version {}", summary.format)));
            let dialect = |it: &bytecode::DialectSummary| match &it.version {
                Some(version) => format!("{} {version}", it.name),
                None => it.name.clone(),
            };
            lines.push(("dialects", summary.dialects.iter().map(dialect).collect::<Vec<_>>().join(", ")));
            let counts = format!(
                "{} and locations, {}, {}",
                counted(summary.n_attributes as u64, "attribute"),
                counted(summary.n_types as u64, "type"),
                counted(summary.n_strings as u64, "string"),
            );
            lines.push(("tables", counts));
        }
        let mut program = counted(self.ops().iter().map(|(_, count)| count).sum(), "op");
        if let Some((_, census)) = &self.program {
            let functions = counted(census.functions.len() as u64, "function");
            let constants = counted(census.constants.len() as u64, "constant");
            let bytes = counted(self.constant_bytes(), "byte");
            program.push_str(&format!(" in {functions}, {constants} of {bytes}"));
        }
        lines.push(("program", program));
        let mut out = format!("{}: {what}, {}\n", self.name, counted(self.bytes as u64, "byte"));
        out.extend(lines.iter().map(|(key, value)| format!("  {key:<9} {}\n", abridged(value, 200))));
        out
    }

    fn sections(&self, sections: &[SectionSummary]) -> String {
        let row = |(name, offset, size): (&str, String, u64)| {
            [name.to_owned(), offset, size.to_string(), format!("{:.1}%", self.percent(size))]
        };
        let inside: u64 = sections.iter().map(|section| section.size).sum();
        let around = (self.bytes as u64).saturating_sub(inside);
        let rows = sections.iter().map(|it| (it.kind.name(), it.offset.to_string(), it.size));
        let rows = rows.chain([("(around them)", String::new(), around)]).map(row);
        let head = [("section", Align::Left), ("offset", Align::Right), ("bytes", Align::Right), ("", Align::Right)];
        format!("\nsections\n{}", table(head, rows))
    }

    /// Where a constant comes from.
    fn where_is(&self, constant: &Constant) -> Option<String> {
        self.program.as_ref().and_then(|(module, _)| module.describe_origin(constant.op))
    }

    // ---------------------------------------------------------------- for programs

    fn json(&self, top: usize) -> Json {
        let summary = self.summary.as_ref();
        let sections = |summary: &Summary| {
            let one = |it: &SectionSummary| {
                let percent = (self.percent(it.size) * 10.0).round() / 10.0;
                json!({ "name": it.kind.name(), "offset": it.offset, "bytes": it.size, "percent": percent })
            };
            summary.sections.iter().map(one).collect::<Vec<_>>()
        };
        let constant = |it: &Constant| {
            let op = self.program.as_ref().map(|(module, _)| module.op_name(it.op));
            json!({
                "op": op, "type": it.ty, "bytes": it.bytes, "uses": it.n_uses, "resource": it.resource,
                "location": self.where_is(it),
            })
        };
        let ops = self.ops();
        json!({
            "schema": 1,
            "file": self.name,
            "kind": self.kind(),
            "bytes": self.bytes,
            "producer": summary.map(|it| &it.producer),
            "stablehlo_version": summary.and_then(Summary::artifact_version).map(|version| version.to_string()),
            "format_version": summary.map(|it| it.format),
            "dialects": summary.map(|it| it.dialects.iter().map(|dialect| {
                json!({ "name": dialect.name, "version": dialect.version })
            }).collect::<Vec<_>>()),
            "sections": summary.map(sections),
            "resources": summary.map(|it| it.resources.iter().map(|resource| {
                json!({ "group": resource.group, "key": resource.key, "bytes": resource.size })
            }).collect::<Vec<_>>()),
            "counts": {
                "ops": ops.iter().map(|(_, count)| count).sum::<u64>(),
                "functions": self.program.as_ref().map(|(_, census)| census.functions.len()),
                "constants": self.program.as_ref().map(|(_, census)| census.constants.len()),
                "constant_bytes": self.program.as_ref().map(|_| self.constant_bytes()),
                "attributes": summary.map(|it| it.n_attributes),
                "types": summary.map(|it| it.n_types),
                "strings": summary.map(|it| it.n_strings),
            },
            "functions": self.functions().iter().map(|(name, ty)| json!({ "name": name, "type": ty })).collect::<Vec<_>>(),
            "constants": self.constants().into_iter().take(top).map(constant).collect::<Vec<_>>(),
            "ops": ops.iter().map(|(name, count)| json!({ "name": name, "count": count })).collect::<Vec<_>>(),
        })
    }
}

/// A titled table of the first `top` of `items`; nothing when there are none.
fn listed<T, const N: usize>(
    title: &str,
    items: &[T],
    top: usize,
    head: [(&str, Align); N],
    row: impl Fn(&T) -> [String; N],
) -> String {
    if items.is_empty() || top == 0 {
        return String::new();
    }
    let mut out = format!("\n{title}\n{}", table(head, items.iter().take(top).map(row)));
    if items.len() > top {
        out.push_str(&format!("  … and {} more\n", items.len() - top));
    }
    out
}

/// The beginning of a long text.
fn abridged(text: &str, length: usize) -> String {
    let mut start: String = text.chars().take(length).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}
