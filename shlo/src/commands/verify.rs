//! `shlo verify`: checks programs against the rules of the specification.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use clap::Args;
use stablehlo::verify::expected;

use super::load::Source;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::{Finding, Format, Reporter, Style, counted, file_finding};
use crate::source::{self, Place, ReadArgs, Wanted};

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo verify model.mlir                    one file
  shlo verify model.mlirbc                  bytecode, or a portable artifact of any version
  shlo verify src/ tests/                   all .mlir and .mlirbc files below two directories
  cat model.mlir | shlo verify -            standard input
  shlo verify . --format sarif > out.sarif  for code scanning
  shlo verify . --format github             complaints beside the code in a pull request

Every complaint ends with a code in brackets, `pad_c2` for rule C2 of op pad; `shlo explain pad_c2` says what it means.

Complaints about bytecode point into its text form (`model.mlirbc (as text)`), or to the byte that is wrong.

Exit codes: 0 all programs are valid, 1 some are not, 3 a file could not be read, 4 a file in bytecode is of a newer format or
has dialects that are not known here.";

/// Flags of `shlo verify`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// Files, directories (all .mlir, .mlirbc and .mlir.bc files below them), or `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How complaints are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// How many files are checked at once; by default as many as there are processors
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Compare complaints with the comments `// expected-error@+1 {{…}}`, and complain only where they differ
    #[arg(long)]
    verify_diagnostics: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// Does it.
///
/// # Errors
/// When the report cannot be written.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let style = Style { format: arguments.format, color: output::use_color(&std::io::stdout()) };
    let mut out = output::stdout();
    let mut reporter = Reporter::new(style);
    let mut exit = Exit::Success;
    let (places, failures) = source::find(&arguments.paths, Wanted::Any);
    for (place, failure) in failures {
        exit = exit.max(failure.exit);
        out.put(reporter.add(vec![failed(&place, &failure)]))?;
    }
    let check = |place: &Place| check_file(place, arguments, style);
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    in_order(&places, arguments.jobs.map_or_else(processors, usize::from), check, |(file_exit, findings)| {
        exit = exit.max(file_exit);
        out.put(reporter.add(findings))
    })?;
    let (errors, warnings) = (reporter.errors, reporter.warnings);
    out.put(reporter.finish())?;
    out.finish()?;
    if arguments.format == Format::Text && errors + warnings > 0 {
        output::say(format!(
            "{}, {} in {}",
            counted(errors as u64, "error"),
            counted(warnings as u64, "warning"),
            counted(places.len() as u64, "file")
        ));
    }
    Ok(exit)
}

fn failed(place: &Place, failure: &Failure) -> Finding {
    let code = match failure.exit {
        Exit::Resource => "io/too-large",
        _ => "io/unreadable",
    };
    file_finding(&place.name(), code, failure)
}

fn check_file(place: &Place, arguments: &Arguments, style: Style) -> (Exit, Vec<Finding>) {
    let source = match Source::read(place) {
        Ok(source) => source,
        Err(failure) => return (failure.exit, vec![failed(place, &failure)]),
    };
    let mut complaints = source.complaints(Vec::new());
    for program in source.programs(arguments.read) {
        complaints.add(program.check(arguments.read).1);
    }
    if arguments.verify_diagnostics {
        let mismatches = expected::compare(source.text().unwrap_or_default(), &complaints.diagnostics);
        complaints.diagnostics = mismatches.iter().map(expected::Mismatch::to_diagnostic).collect();
    }
    let exit = match complaints.exit() {
        _ if !complaints.has_errors() => Exit::Success,
        Exit::Unsupported => Exit::Unsupported,
        _ => Exit::Finding,
    };
    (exit, complaints.findings(style))
}

/// Calls `work` for all items on up to `jobs` threads, and `take` with the results in the order of the items.
fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let jobs = jobs.min(items.len());
    if jobs <= 1 {
        return items.iter().try_for_each(|item| take(work(item)));
    }
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (send, next, work) = (send.clone(), &next, &work);
            let job = move || {
                while let Some((index, item)) = next_item(items, next) {
                    if send.send((index, work(item))).is_err() {
                        break;
                    }
                }
            };
            std::thread::Builder::new()
                .stack_size(crate::STACK)
                .spawn_scoped(scope, job)
                .map_err(|error| Failure::new(Exit::Resource, format!("cannot start a thread: {error}")))?;
        }
        drop(send);
        let mut waiting = std::collections::BTreeMap::new();
        let mut wanted = 0;
        for (index, result) in receive {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&wanted) {
                take(result)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

fn next_item<'i, T>(items: &'i [T], next: &AtomicUsize) -> Option<(usize, &'i T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, items.get(index)?))
}
