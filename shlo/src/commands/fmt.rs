//! `shlo fmt`: prints programs in their canonical form, the one that MLIR's tools print.

use std::path::PathBuf;

use clap::Args;
use stablehlo::syntax::lex::{TokenKind, tokens};
use stablehlo::syntax::{PrintOptions, print, sections};

use super::load::{Text, complain, programs, read_text};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::source::{self, Place, ReadArgs};

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo fmt model.mlir                  print to standard output
  shlo fmt - < model.mlir              the same from standard input
  shlo fmt --write a.mlir b.mlir       rewrite files in place
  shlo fmt --check src/                name the files that are not in canonical form, and how they differ
  shlo fmt --generic model.mlir        generic form: every op as \"dialect.op\"(…) <{…}> : (…) -> …
  shlo fmt --elide-larger-than 16 m.mlir   leave out large constants, for reading

Nothing is written when any program has an error. Programs separated by `// -----` stay so. Comments are no part of a
program and are lost; `--write` therefore refuses files with comments unless `--drop-comments` is given.

Exit codes: 0 done, 1 some files differ (--check) or would lose comments (--write), 3 a file cannot be read or is invalid, 4 not supported.";

/// Flags of `shlo fmt`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// Files, directories (with --write or --check), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Rewrite the files instead of printing them
    #[arg(short, long, conflicts_with = "check")]
    write: bool,
    /// Print only which files differ from their canonical form, and how
    #[arg(long)]
    check: bool,
    /// With --write: rewrite files although their comments are lost
    #[arg(long, requires = "write")]
    drop_comments: bool,
    /// Print every op in the generic form
    #[arg(long, visible_alias = "mlir-print-op-generic")]
    generic: bool,
    /// Print source locations
    #[arg(long, visible_aliases = ["print-debuginfo", "mlir-print-debuginfo"])]
    locations: bool,
    /// Print constants of more than N elements as `dense_resource<__elided__>`; the output cannot be run
    #[arg(long, value_name = "N", visible_alias = "mlir-elide-elementsattrs-if-larger")]
    elide_larger_than: Option<u64>,
    /// Leave out resources of more than N bytes; the output cannot be run
    #[arg(long, value_name = "N", visible_alias = "mlir-elide-resource-strings-if-larger")]
    elide_resources_larger_than: Option<u64>,
    /// Print constants of more than N elements in hexadecimal; -1 for never
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true)]
    #[arg(visible_alias = "mlir-print-elementsattrs-with-hex-if-larger")]
    hex_if_larger: i64,
    /// Name values after the names in their locations
    #[arg(long, visible_alias = "mlir-use-nameloc-as-prefix")]
    names_from_locations: bool,
    /// Print everything in place: no aliases for types, attributes and locations
    #[arg(long, visible_alias = "mlir-print-local-scope")]
    local_scope: bool,
    #[command(flatten)]
    read: ReadArgs,
}

impl Arguments {
    fn options(&self) -> PrintOptions {
        PrintOptions {
            generic: self.generic,
            locations: self.locations,
            elide_larger_than: self.elide_larger_than,
            elide_resources_larger_than: self.elide_resources_larger_than,
            hex_larger_than: u64::try_from(self.hex_if_larger).ok(),
            local_scope: self.local_scope,
            names_from_locations: self.names_from_locations,
        }
    }
}

/// Does it.
///
/// # Errors
/// When an input cannot be read or is invalid, or an output cannot be written.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let (places, failures) = source::find(&arguments.paths);
    if let Some((place, failure)) = failures.into_iter().next() {
        return Err(named(&place, failure));
    }
    if places.len() > 1 && !arguments.write && !arguments.check {
        return Err(Failure::usage("several files need --write or --check; only one can be printed"));
    }
    if arguments.write && places.contains(&Place::Stdin) {
        return Err(Failure::usage("standard input cannot be rewritten; leave out --write"));
    }
    if arguments.write {
        output::end_cleanly_on_interrupt();
    }
    let mut out = output::stdout();
    let mut exit = Exit::Success;
    for place in &places {
        match format(place, arguments, &mut out) {
            Ok(file_exit) => exit = exit.max(file_exit),
            // One file is not worth a second message, of many the others still count.
            Err(failure) if places.len() == 1 => return Err(named(place, failure)),
            Err(failure) => {
                exit = exit.max(failure.exit);
                if !failure.message.is_empty() {
                    output::say(format!("shlo: error: {}", named(place, failure)));
                }
            }
        }
    }
    out.finish()?;
    Ok(exit)
}

fn named(place: &Place, failure: Failure) -> Failure {
    match failure.message.is_empty() {
        true => failure,
        false => Failure::new(failure.exit, format!("{}: {}", place.name(), failure.message)),
    }
}

fn format(place: &Place, arguments: &Arguments, out: &mut output::Stream<std::io::Stdout>) -> Result<Exit, Failure> {
    let source = read_text(place)?;
    let formatted = canonical(&source, arguments)?;
    if arguments.check {
        if formatted == source.text {
            return Ok(Exit::Success);
        }
        out.put(difference(&source, &formatted))?;
        return Ok(Exit::Finding);
    }
    match place {
        Place::File(path) if arguments.write => {
            if formatted != source.text {
                let comments = comments(&source.text, arguments);
                if comments > 0 && !arguments.drop_comments {
                    let message =
                        format!("{comments} comments would be lost; pass --drop-comments to rewrite it anyway");
                    return Err(Failure::new(Exit::Finding, message));
                }
                output::replace_file(path, formatted.as_bytes())?;
            }
        }
        _ => out.put(formatted)?,
    }
    Ok(Exit::Success)
}

/// The canonical text of all programs of a file.
fn canonical(source: &Text, arguments: &Arguments) -> Result<String, Failure> {
    let mut complaints = Vec::new();
    let mut formatted = String::new();
    let mut invalid = false;
    for (number, program) in programs(source, arguments.read).enumerate() {
        let (verified, of_program) = program.check(source, arguments.read);
        invalid |= verified.is_none();
        complaints.extend(of_program);
        if number > 0 {
            formatted.push_str("// -----\n");
        }
        if !invalid {
            let blank = source.text[program.section].trim().is_empty();
            if !blank || number == 0 {
                formatted.push_str(&print(&program.module, arguments.options()));
                if !formatted.ends_with('\n') {
                    formatted.push('\n');
                }
            }
        }
    }
    complain(source, &complaints)?;
    if invalid { Err(Failure::silent(Exit::Input)) } else { Ok(formatted) }
}

/// How many comments a text has, section markers aside.
fn comments(text: &str, arguments: &Arguments) -> usize {
    let in_section = |section: std::ops::Range<usize>| {
        tokens(text[section].as_bytes()).filter(|token| token.kind == TokenKind::Comment).count()
    };
    sections(text, arguments.read.split()).into_iter().map(in_section).sum()
}

/// How many lines of a difference are shown.
const SHOWN: usize = 40;

/// The first places in which a file differs from its canonical form.
fn difference(source: &Text, formatted: &str) -> String {
    let mut diff = similar::TextDiff::configure();
    diff.timeout(std::time::Duration::from_millis(500));
    let diff = diff.diff_lines(source.text.as_str(), formatted);
    let text = diff.unified_diff().context_radius(1).header(&source.name, "canonical form").to_string();
    let mut lines = text.lines();
    let mut out = String::new();
    for line in lines.by_ref().take(SHOWN) {
        let shown: String = line.chars().take(200).collect();
        out.push_str(&shown);
        out.push_str(if shown.len() < line.len() { "…\n" } else { "\n" });
    }
    let left = lines.count();
    if left > 0 {
        out.push_str(&format!("({left} more lines)\n"));
    }
    out
}
