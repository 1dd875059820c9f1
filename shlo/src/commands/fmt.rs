//! `shlo fmt`: prints programs in their canonical form, the one that MLIR's tools print.

use std::path::PathBuf;

use clap::Args;
use stablehlo::syntax::lex::{TokenKind, tokens};
use stablehlo::syntax::{PrintOptions, print, sections};

use super::load::Source;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::source::{self, Place, ReadArgs, Wanted};

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo fmt model.mlir                  print to standard output
  shlo fmt - < model.mlir              the same from standard input
  shlo fmt model.mlirbc                bytecode or a portable artifact as text
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
    /// Files, directories of text files (with --write or --check), or `-` for standard input
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
    let (places, failures) = source::find(&arguments.paths, Wanted::Text);
    if let Some((place, failure)) = failures.into_iter().next() {
        return Err(failure.about(&place.name()));
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
            Err(failure) if places.len() == 1 => return Err(failure.about(&place.name())),
            Err(failure) => {
                exit = exit.max(failure.exit);
                if !failure.message.is_empty() {
                    output::say(format!("shlo: error: {}", failure.about(&place.name())));
                }
            }
        }
    }
    out.finish()?;
    Ok(exit)
}

fn format(place: &Place, arguments: &Arguments, out: &mut output::Stream<std::io::Stdout>) -> Result<Exit, Failure> {
    let source = Source::read(place)?;
    let Some(text) = source.text() else { return format_bytecode(&source, arguments, out) };
    let formatted = canonical(&source, arguments)?;
    if arguments.check {
        if formatted == text {
            return Ok(Exit::Success);
        }
        out.put(difference(&source.name, text, &formatted))?;
        return Ok(Exit::Finding);
    }
    match place {
        Place::File(path) if arguments.write => {
            if formatted != text {
                let comments = comments(text, arguments);
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

/// Bytecode has no canonical form to compare with or to be rewritten to; it can be printed.
fn format_bytecode(
    source: &Source,
    arguments: &Arguments,
    out: &mut output::Stream<std::io::Stdout>,
) -> Result<Exit, Failure> {
    if arguments.write || arguments.check {
        let flag = if arguments.write { "--write" } else { "--check" };
        let message = format!("this is bytecode, which {flag} is not for; `shlo convert` turns it into a text file");
        return Err(Failure::usage(message));
    }
    out.put(canonical(source, arguments)?)?;
    Ok(Exit::Success)
}

/// The canonical text of all programs of a file.
fn canonical(source: &Source, arguments: &Arguments) -> Result<String, Failure> {
    let mut complaints = source.complaints(Vec::new());
    let mut formatted = String::new();
    let mut invalid = false;
    for (number, program) in source.programs(arguments.read).enumerate() {
        let (verified, of_program) = program.check(arguments.read);
        invalid |= verified.is_none();
        complaints.add(of_program);
        if number > 0 {
            formatted.push_str("// -----\n");
        }
        if !invalid && (number == 0 || !program.is_blank()) {
            formatted.push_str(&print(&program.module, arguments.options()));
            if !formatted.ends_with('\n') {
                formatted.push('\n');
            }
        }
    }
    complaints.show()?;
    if invalid { Err(Failure::silent(complaints.exit())) } else { Ok(formatted) }
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
fn difference(name: &str, text: &str, formatted: &str) -> String {
    let mut diff = similar::TextDiff::configure();
    diff.timeout(std::time::Duration::from_millis(500));
    let diff = diff.diff_lines(text, formatted);
    let text = diff.unified_diff().context_radius(1).header(name, "canonical form").to_string();
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
