//! `shlo run`: runs a program and prints or compares its results.

mod show;
mod values;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};
use interpreter::{Config, ErrorKind, EvalError, Host, Outcome, Tensor, Value, io};
use serde_json::{Value as Json, json};
use stablehlo::diag::{Diagnostic, Severity};
use stablehlo::ir::{LineIndex, Module, OpId};
use stablehlo::verify::Verified;

use super::load::{Program, Text, in_file, programs, read_text};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::{Format, Reporter, Style, to_json};
use crate::source::{Place, ReadArgs};

const AFTER_LONG_HELP: &str = "\
Examples:
  shlo run model.mlir                         run @main, or the only function
  shlo run model.mlir --function f            run @f

The reference engine computes what the specification says, with the same bits on every machine. Programs of a file that
are separated by `// -----` are run one after the other.

Exit codes: 0 done, 1 a check op failed, 3 the program or an input is invalid, 4 an op is not supported, 5 a limit was
reached, 130 interrupted.";

/// Flags of `shlo run`.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Arguments {
    /// The program: a file, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What executes it
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: Engine,
    /// The function to run; by default main, else the only one
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// How results are printed; hexadecimal bytes in JSON are row-major and little-endian
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Form,
    /// Report every point that the specification leaves open and that the run depends on
    #[arg(long)]
    strict: bool,
    /// Seed of the op `rng`
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Stop after N ops
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Stop when tensors take more than SIZE bytes; K, M, G are powers of 1024
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<usize>,
    /// Stop after SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    #[command(flatten)]
    read: ReadArgs,
}

/// What executes programs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Engine {
    /// The reference interpreter.
    #[default]
    Reference,
}

/// Forms of the results.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Form {
    /// For people, in MLIR's notation; large tensors are abridged.
    #[default]
    Text,
    /// One JSON document.
    Json,
}

fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor: usize = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        other => return Err(format!("unknown unit `{other}`")),
    };
    let number: usize = digits.parse().map_err(|_| "expected a number of bytes such as 512M".to_owned())?;
    number.checked_mul(factor).ok_or_else(|| "too large".to_owned())
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "out of range".to_owned())
}

impl Arguments {
    fn config(&self, cancel: Arc<AtomicBool>) -> Config {
        let default = Config::default();
        Config {
            max_steps: self.max_steps.unwrap_or(default.max_steps),
            max_bytes: self.max_memory.unwrap_or(default.max_bytes),
            time_limit: self.timeout,
            cancel: Some(cancel),
            strict: self.strict,
            seed: self.seed,
            ..default
        }
    }
}

/// Does it.
///
/// # Errors
/// When the program cannot be read, is invalid, or does not run to its end.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Engine::Reference = arguments.engine;
    let place = if arguments.file.as_os_str() == "-" { Place::Stdin } else { Place::File(arguments.file.clone()) };
    let source = read_text(&place)
        .map_err(|failure| Failure::new(failure.exit, format!("{}: {}", place.name(), failure.message)))?;
    let config = arguments.config(output::cancel_on_interrupt());
    let mut out = output::stdout();
    let mut exit = Exit::Success;
    let mut documents = Vec::new();
    let sections: Vec<Program> = programs(&source, arguments.read).collect();
    let mut checked = Vec::with_capacity(sections.len());
    let mut complaints: Vec<Diagnostic> = source.not_utf8.iter().cloned().collect();
    for section in &sections {
        match section.check(&source, arguments.read) {
            Ok(verified) => {
                complaints.extend(section.diagnostics.iter().cloned());
                checked.push((verified, section));
            }
            Err(errors) => complaints.extend(errors),
        }
    }
    if complain(&source, complaints.iter())? {
        return Err(Failure::silent(Exit::Input));
    }
    // Parts that hold nothing but comments are no programs.
    let several = checked.len() > 1;
    checked.retain(|(verified, _)| !several || !verified.module().top_ops().is_empty());
    for (verified, section) in checked {
        let (section_exit, document) = run_section(&source, section, verified, arguments, &config, &mut out)?;
        exit = exit.max(section_exit);
        documents.push(document);
        if section_exit == Exit::Interrupted {
            break;
        }
    }
    if arguments.format == Form::Json {
        let document =
            if several { json!({ "schema": 1, "sections": documents }) } else { documents.pop().unwrap_or_default() };
        out.put(to_json(&document))?;
    }
    out.finish()?;
    Ok(exit)
}

/// Writes diagnostics to standard error; whether there is an error among them.
fn complain<'d>(source: &Text, diagnostics: impl Iterator<Item = &'d Diagnostic>) -> Result<bool, Failure> {
    let diagnostics: Vec<Diagnostic> = diagnostics.cloned().collect();
    let style = Style { format: Format::Text, color: output::use_color(&std::io::stderr()) };
    let mut err = output::stderr();
    err.put(Reporter::new(style).add(style.findings(&source.name, &source.text, &diagnostics)))?;
    err.finish()?;
    Ok(diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error))
}

type Out = output::Stream<std::io::Stdout>;

/// Runs one program of the file; its exit code and its part of the JSON document.
fn run_section(
    source: &Text,
    section: &Program,
    verified: Verified<'_>,
    arguments: &Arguments,
    config: &Config,
    out: &mut Out,
) -> Result<(Exit, Json), Failure> {
    let module = &section.module;
    let function = entry(module, arguments.function.as_deref())?;
    let mut host = Host::default();
    let outcome = interpreter::run(verified, function, Vec::new(), config, &mut host);
    let range = &section.section;
    for line in &host.printed {
        if arguments.format == Form::Text {
            out.put(format!("{line}\n"))?;
        }
    }
    match outcome {
        Ok(outcome) => {
            let document = succeeded(source, module, &outcome, &host, range);
            if arguments.format == Form::Text {
                report_touched(source, module, &outcome, range)?;
                for (index, result) in outcome.results.iter().enumerate() {
                    out.put(format!("result {index}: {}\n", describe(result)))?;
                }
            }
            Ok((Exit::Success, document))
        }
        Err(error) => {
            out.finish()?;
            let document = failed(source, &error, &host, range);
            complain(source, std::iter::once(&diagnostic(&error, range)))?;
            Ok((exit_of(&error), document))
        }
    }
}

/// The function that the run begins with.
fn entry(module: &Module, name: Option<&str>) -> Result<OpId, Failure> {
    let found = match name {
        Some(name) => module.function(name.trim_start_matches('@')),
        None => interpreter::entry(module).ok(),
    };
    found.ok_or_else(|| {
        let is_function = |op: &&OpId| module.op_name(**op) == "func.func";
        let name_of = |op: &OpId| module.property(*op, "sym_name").and_then(|attr| module.string_attr(attr));
        let names: Vec<String> =
            module.top_ops().iter().filter(is_function).filter_map(name_of).map(|name| format!("@{name}")).collect();
        let there = match names.is_empty() {
            true => "the module has no function".to_owned(),
            false => format!("the functions are {}", names.join(", ")),
        };
        match name {
            Some(name) => Failure::usage(format!("there is no function @{}; {there}", name.trim_start_matches('@'))),
            None if names.is_empty() => Failure::new(Exit::Input, there),
            None => Failure::usage(format!("no function is called @main; choose one with --function; {there}")),
        }
    })
}

fn exit_of(error: &EvalError) -> Exit {
    match error.kind() {
        _ if error.code() == "exec/bug" => Exit::Internal,
        ErrorKind::Invalid => Exit::Input,
        ErrorKind::Check => Exit::Finding,
        ErrorKind::Unsupported => Exit::Unsupported,
        ErrorKind::Resource => Exit::Resource,
        ErrorKind::Interrupted => Exit::Interrupted,
    }
}

/// An error of the run as a complaint about the program.
fn diagnostic(error: &EvalError, section: &Range<usize>) -> Diagnostic {
    let message = match error.calls() {
        [] | [_] => error.message().to_owned(),
        calls => format!("{} (called from {})", error.message(), calls[1..].join(", ")),
    };
    let mut diagnostic = Diagnostic::error(error.code(), in_file(error.span(), section), message);
    if !error.location().is_empty() {
        diagnostic = diagnostic.with_help(format!("it happened at {}", error.location()));
    }
    diagnostic
}

/// Says at which ops the results depend on choices that the specification leaves open.
fn report_touched(source: &Text, module: &Module, outcome: &Outcome, section: &Range<usize>) -> Result<(), Failure> {
    let remark = |touch: &interpreter::eval::Touch| {
        let topic = interpreter::semantics::point(touch.point).map_or("", |point| point.topic);
        let message = format!("the result depends on a choice that the specification leaves open: {topic}");
        let mut diagnostic = Diagnostic::error(touch.point, in_file(module.source(touch.op).span(), section), message)
            .with_help(format!("`shlo explain {}` says what is chosen here and elsewhere", touch.point));
        diagnostic.severity = Severity::Remark;
        diagnostic
    };
    let remarks: Vec<Diagnostic> = outcome.touched.iter().map(remark).collect();
    complain(source, remarks.iter()).map(|_| ())
}
