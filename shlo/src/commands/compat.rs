//! `shlo compat`: which versions of StableHLO a program can be written for.

use std::cmp::Reverse;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value as Json, json};
use stablehlo::ir::Module;
use stablehlo::vhlo::{
    Requirement, Version, current_version, minimum_version, oldest_version, requirements, version_from_requirement,
};

use super::load::Source;
use super::target;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::table::{Align, table};
use crate::report::{AnswerFormat, to_json};
use crate::source::{Place, ReadArgs};

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo compat model.mlir                  the oldest version that can read it, and what older ones lack
  shlo compat model.mlir --target 1.5.0   whether 1.5.0 can; exit code 1 if not
  shlo compat model.mlir --target week12  whether readers of the last twelve weeks can
  shlo compat model.mlirbc --format json | jq -r .oldest

An artifact of a version can be read by that version and all later ones, so what counts is the oldest version that has
everything the program uses. `shlo convert --target` writes it. The version that an artifact was written for plays no role
here; `shlo inspect` tells it.

Exit codes: 0 the target (without --target: the current version) can express the program, 1 it cannot, 3 the program
cannot be read or is invalid, 4 not supported.";

/// Flags of `shlo compat`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// The program: a file, text or bytecode, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The version in question: 1.9.0, or current, week4, week12, max
    #[arg(long, value_name = "VERSION", value_parser = target::parse)]
    target: Option<Version>,
    /// How it is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: AnswerFormat,
    #[command(flatten)]
    read: ReadArgs,
}

/// Does it.
///
/// # Errors
/// When the program cannot be read or is invalid.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let place = Place::named(&arguments.file);
    let about = |failure: Failure| failure.about(&place.name());
    let source = Source::read(&place).map_err(about)?;
    let program = source.only_valid_program(arguments.read).map_err(about)?;
    let mut needs = requirements(&program.module);
    // The newest first, and before them what no version has.
    needs.sort_by_key(|need| Reverse((need.version.is_none(), need.version)));
    let answer = Answer { file: &source.name, module: &program.module, needs: &needs, target: arguments.target };
    let mut out = output::stdout();
    out.put(match arguments.format {
        AnswerFormat::Text => answer.text(),
        AnswerFormat::Json => to_json(&answer.json()),
    })?;
    out.finish()?;
    Ok(if answer.is_possible(arguments.target.unwrap_or_else(current_version)) { Exit::Success } else { Exit::Finding })
}

struct Answer<'a> {
    file: &'a str,
    module: &'a Module,
    needs: &'a [Requirement],
    target: Option<Version>,
}

impl Answer<'_> {
    fn is_possible(&self, target: Version) -> bool {
        self.needs.iter().all(|need| need.allows(target))
    }

    /// What stands in the way of the target; without one, of the oldest version.
    fn blockers(&self) -> impl Iterator<Item = &Requirement> {
        let target = self.target.unwrap_or_else(minimum_version);
        self.needs.iter().filter(move |need| !need.allows(target))
    }

    fn text(&self) -> String {
        let file = self.file;
        let mut out = match (self.target, oldest_version(self.needs)) {
            (_, None) => format!("{file}: no version of StableHLO's portable artifacts can express this program\n"),
            (None, Some(oldest)) => format!("{file}: StableHLO {oldest} and newer\n"),
            (Some(target), Some(_)) if self.is_possible(target) => format!("{file}: {target} can express this\n"),
            (Some(target), Some(oldest)) => {
                format!("{file}: {target} cannot express this; the oldest version that can is {oldest}\n")
            }
        };
        if self.target.is_none() {
            let word = |(word, requirement)| {
                let version = version_from_requirement(requirement);
                format!("{word} ({version}): {}", if self.is_possible(version) { "yes" } else { "no" })
            };
            out.push_str(&format!("  {}\n", target::WORDS.map(word).join("   ")));
        }
        let row = |need: &Requirement| {
            let place = match self.module.describe_origin(need.op) {
                Some(origin) => format!("{}, {origin}", need.place),
                None => need.place.clone(),
            };
            let version = need.version.map_or("none".to_owned(), |version| version.to_string());
            [version, need.what.clone(), (need.more + 1).to_string(), place]
        };
        let rows: Vec<_> = self.blockers().map(row).collect();
        if !rows.is_empty() {
            let head =
                [("needs", Align::Left), ("what", Align::Left), ("places", Align::Right), ("first at", Align::Left)];
            out.push('\n');
            out.push_str(&table(head, rows));
        }
        out
    }

    fn json(&self) -> Json {
        let text = |version: Option<Version>| version.map(|version| version.to_string());
        let blocker = |need: &Requirement| {
            let source = self.module.source(need.op);
            let at = (source.end > 0).then(|| self.module.lines.line_column(source.name));
            json!({
                "version": text(need.version),
                "what": need.what,
                "place": need.place,
                "op": self.module.op_name(need.op),
                "line": at.map(|at| at.line),
                "column": at.map(|at| at.column),
                "location": self.module.describe_origin(need.op),
                "places": need.more + 1,
            })
        };
        let word = |(word, requirement): (&str, _)| {
            let version = version_from_requirement(requirement);
            (word.to_owned(), json!({ "version": version.to_string(), "possible": self.is_possible(version) }))
        };
        json!({
            "schema": 1,
            "file": self.file,
            "oldest": text(oldest_version(self.needs)),
            "current": current_version().to_string(),
            "target": text(self.target),
            "possible": self.is_possible(self.target.unwrap_or_else(current_version)),
            "readers": target::WORDS.map(word).into_iter().collect::<serde_json::Map<_, _>>(),
            "blockers": self.blockers().map(blocker).collect::<Vec<_>>(),
        })
    }
}
