//! `shlo run`: runs a program and prints or compares its results.

mod both;
pub mod engine;
mod show;
pub mod timing;
pub mod values;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use interpreter::compare::{Comparison, Rule, compare};
use interpreter::{Config, ErrorKind, EvalError, Host, Outcome, Tensor, Value};
use serde_json::{Value as Json, json};
use stablehlo::diag::{Diagnostic, Severity};
use stablehlo::element::ElementType;
use stablehlo::ir::{Module, OpId};
use stablehlo::verify::{Verified, verify};

use self::engine::{Engine, Ready, SimdArgs, specialised};
use self::timing::{Repeat, Timing, measure};
use self::values::{NOTATIONS, ValueArgs};
use self::watch::{Profile, Progress, Watches};
use super::load::{Program, Sheet, Source};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::to_json;
use crate::source::{Place, ReadArgs};

const EXAMPLES: &str = "\
Examples:
  shlo run model.mlir                                    run @main, or the only function
  shlo run model.mlir --input @x.npy --input 3.5         values for its arguments, in order
  shlo run model.mlir --params weights.safetensors --input images=@x.npy   values by name
  shlo run model.mlir --input rand:seed=7 --output @y.npz
  shlo run model.mlir --input @x.npy --expect @y.npy --rtol 1e-5
  shlo run model.mlir --strict                           where the result depends on choices left open
  shlo run model.mlir --engine reference                 the specification's results, the same bits everywhere
  shlo run model.mlir --check                            whether the engines agree
  shlo run model.mlir --bench                            how long it takes; see also shlo bench
  shlo run model.mlir --explain                          how it is executed

The simd engine, which is used when nothing is said, is fast; the reference engine computes what the specification says, with
the same bits on every machine. The environment variable SHLO_ISA (baseline, avx2, avx512) limits the vector instructions
that the simd engine uses. Programs of a file that are separated by `// -----` are run one after the other.";

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 a check op failed, a result is not as expected or the engines disagree, 3 the program or an input is invalid, 4 an op is
not supported, 5 a limit was reached, 130 interrupted.";

/// Flags of `shlo run`.
#[derive(Args, Debug)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{NOTATIONS}\n\n{EXIT_CODES}"))]
#[command(group = ArgGroup::new("compared").args(["expects", "check"]).multiple(true))]
pub struct Arguments {
    /// The program: a file, text or bytecode, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What executes it; by default the simd engine, with --strict the reference
    #[arg(long, value_enum, value_name = "ENGINE")]
    engine: Option<Engine>,
    #[command(flatten)]
    simd: SimdArgs,
    /// Run on the other engine too and compare the results: exactly where no sum can be in another order, else within the
    /// tolerance
    #[arg(long)]
    check: bool,
    /// Run N times (without N: for a second) and print the times instead of the results
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    bench: Option<usize>,
    /// Write the time of every step to FILE, in the form of Chrome's trace events
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Print the plan, and what is left to the interpreter and why, instead of running
    #[arg(long, conflicts_with_all = ["check", "bench", "profile"])]
    explain: bool,
    /// The function to run; by default main, else the only one
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[command(flatten)]
    values: ValueArgs,
    #[command(flatten)]
    tolerance: Tolerance,
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

/// When a result counts as the expected one.
#[derive(Args, Clone, Copy, Debug)]
struct Tolerance {
    /// With --expect or --check: absolute tolerance; without any of these flags it depends on the element type
    #[arg(long, value_name = "X", requires = "compared")]
    atol: Option<f64>,
    /// With --expect or --check: tolerance relative to the expected value
    #[arg(long, value_name = "X", requires = "compared")]
    rtol: Option<f64>,
    /// With --expect or --check: tolerance in units in the last place
    #[arg(long, value_name = "N", requires = "compared")]
    ulp: Option<u64>,
    /// With --expect or --check: no tolerance
    #[arg(long, requires = "compared", conflicts_with_all = ["atol", "rtol", "ulp"])]
    exact: bool,
}

impl Tolerance {
    fn is_given(self) -> bool {
        self.exact || self.atol.is_some() || self.rtol.is_some() || self.ulp.is_some()
    }

    fn rule(self, element: ElementType) -> Rule {
        if !self.is_given() {
            return Rule::default_for(element);
        }
        Rule { atol: self.atol.unwrap_or(0.0), rtol: self.rtol.unwrap_or(0.0), ulp: self.ulp.unwrap_or(0) }
    }
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

/// Reads a number of bytes such as `512M`.
pub fn parse_size(text: &str) -> Result<usize, String> {
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

/// Reads a number of seconds.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "out of range".to_owned())
}

impl Arguments {
    /// The engine that was chosen.
    fn engine(&self) -> Engine {
        self.engine.unwrap_or(if self.strict { Engine::Reference } else { Engine::Simd })
    }

    /// What the engine that was chosen cannot do.
    fn check_engine(&self) -> Result<(), Failure> {
        if self.engine() == Engine::Simd {
            return match self.strict {
                true => Err(Failure::usage(
                    "--strict needs --engine reference: the simd engine does not notice such points",
                )),
                false => Ok(()),
            };
        }
        let simd_only = [
            (self.profile.is_some(), "--profile"),
            (self.explain, "--explain"),
            (self.simd.threads.is_some() && !self.check, "--threads"),
        ];
        match simd_only.iter().find(|(is_given, _)| *is_given) {
            Some((_, flag)) => Err(Failure::usage(format!("{flag} needs --engine simd"))),
            None => Ok(()),
        }
    }

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
    arguments.check_engine()?;
    let place = Place::named(&arguments.file);
    let source = Source::read(&place).map_err(|failure| failure.about(&place.name()))?;
    let config = arguments.config(output::cancel_on_interrupt());
    let mut out = output::stdout();
    let mut exit = Exit::Success;
    let mut documents = Vec::new();
    let sections: Vec<Program<'_>> = source.programs(arguments.read).collect();
    let mut checked = Vec::with_capacity(sections.len());
    let mut complaints = source.complaints(Vec::new());
    for section in &sections {
        let (verified, of_section) = section.check(arguments.read);
        complaints.add(of_section);
        checked.extend(verified.map(|verified| (verified, section)));
    }
    complaints.show()?;
    if checked.len() < sections.len() {
        return Err(Failure::silent(complaints.exit()));
    }
    // Parts that hold nothing but comments are no programs.
    let several = checked.len() > 1;
    checked.retain(|(verified, _)| !several || !verified.module().top_ops().is_empty());
    for (verified, section) in checked {
        let (section_exit, document) = run_section(section, verified, arguments, &config, &mut out)?;
        exit = exit.max(section_exit);
        documents.extend(document);
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

type Out = output::Stream<std::io::Stdout>;

/// Runs one program of the file; its exit code and, if asked for, its part of the JSON document.
fn run_section(
    section: &Program<'_>,
    verified: Verified<'_>,
    arguments: &Arguments,
    config: &Config,
    out: &mut Out,
) -> Result<(Exit, Option<Json>), Failure> {
    let module = &section.module;
    let function = entry(module, arguments.function.as_deref())?;
    let is_text = arguments.format == Form::Text;
    let inputs = arguments.values.inputs(module, function, config.max_bytes);
    // A plan is for one list of shapes.
    let given = inputs.as_deref().unwrap_or_default();
    let shaped = specialised(arguments.engine(), verified, function, given);
    let shaped = shaped.as_ref().and_then(|module| verify(module, "").ok());
    let ready = Ready::new(arguments.engine(), arguments.simd, shaped.unwrap_or(verified), function)?;
    if arguments.explain {
        let text = ready.explain();
        if is_text {
            out.put(&text)?;
        }
        return Ok((Exit::Success, (!is_text).then(|| json!({ "schema": 1, "plan": text }))));
    }
    let inputs = inputs?;
    let kept = arguments.check.then(|| inputs.clone());
    let mut host = Host::default();
    let ran = match arguments.bench {
        Some(n) => measure(&ready, &inputs, config, &mut host, Repeat::times(n))
            .map(|(timing, outcome)| (outcome, Some(timing))),
        None => run_watched(&ready, inputs, arguments, config, &mut host)?.map(|outcome| (outcome, None)),
    };
    if is_text {
        host.printed.iter().try_for_each(|line| out.put(format!("{line}\n")))?;
    }
    let (outcome, timing) = match ran {
        Ok(ran) => ran,
        Err(error) => {
            out.finish()?;
            let sheet = section.sheet();
            sheet.complaints(vec![diagnostic(&error, &sheet)]).show()?;
            return Ok((exit_of(&error), (!is_text).then(|| show::failed(&sheet, &error, &host))));
        }
    };
    check_written_size(&outcome.results, arguments, config)?;
    let sheet = (!outcome.touched.is_empty()).then(|| section.sheet());
    if let (true, Some(sheet)) = (is_text, &sheet) {
        report_touched(sheet, &outcome)?;
    }
    let comparisons = comparisons(module, function, &outcome.results, arguments, config)?;
    finish(&outcome.results, comparisons.as_deref(), timing.as_ref(), arguments, out)?;
    let mut agree = comparisons.iter().flatten().flatten().all(Comparison::passes);
    let mut document = (!is_text).then(|| show::succeeded(sheet.as_ref(), &outcome, &host, comparisons.as_deref()));
    if let (Some(document), Some(timing)) = (&mut document, &timing) {
        document["bench"] = timing.json();
    }
    if let Some(inputs) = kept {
        let other = Ready::new(arguments.engine().other(), arguments.simd, verified, function)?;
        let check = both::check(section, &other, &outcome, &host, inputs, arguments, config);
        agree &= check.agree();
        if let Some(document) = &mut document {
            document["check"] = check.json();
        } else {
            out.put(check.text())?;
        }
    }
    Ok((if agree { Exit::Success } else { Exit::Finding }, document))
}

/// Runs once, with progress and, if asked for, a profile. The outer error is that of writing the profile.
fn run_watched(
    ready: &Ready<'_>,
    inputs: Vec<Value>,
    arguments: &Arguments,
    config: &Config,
    host: &mut Host,
) -> Result<Result<Outcome, EvalError>, Failure> {
    let profile = arguments.profile.is_some().then(Profile::new);
    let mut watches = Watches { profile, progress: Progress::on_terminal() };
    let outcome = match watches.is_empty() {
        true => ready.run(inputs, config, host, None),
        false => ready.run(inputs, config, host, Some(&mut watches)),
    };
    if let (Some(path), Some(profile)) = (&arguments.profile, watches.profile.take()) {
        output::replace_file(path, to_json(&profile.document()).as_bytes())?;
    }
    Ok(outcome)
}

/// Refuses to write results out that are far larger in writing than they were in the run: a splat of 16 GiB takes a few
/// bytes until each of its elements is written.
fn check_written_size(results: &[Value], arguments: &Arguments, config: &Config) -> Result<(), Failure> {
    if arguments.format == Form::Text && !arguments.values.has_outputs() {
        return Ok(());
    }
    // Text and files are put together in memory, where text takes several times the bytes of the elements.
    let limit = config.max_bytes / 4;
    let size: usize = results.iter().map(show::size).fold(0, usize::saturating_add);
    if size > limit {
        let message = format!("the results have {size} bytes; at most {limit} are written (--max-memory raises that)");
        return Err(Failure::new(Exit::Resource, message));
    }
    Ok(())
}

/// How results compare with what `--expect` says they must be, if it says so; none for those that may be anything.
fn comparisons(
    module: &Module,
    function: OpId,
    results: &[Value],
    arguments: &Arguments,
    config: &Config,
) -> Result<Option<Vec<Option<Comparison>>>, Failure> {
    if !arguments.values.has_expectations() {
        return Ok(None);
    }
    let expectations = arguments.values.expectations(module, function, results, config.max_bytes)?;
    let one = |(result, expected): (&Value, &Option<Tensor>)| match (result, expected) {
        (Value::Tensor(result), Some(expected)) => {
            Some(compare(result, expected, arguments.tolerance.rule(result.element())))
        }
        _ => None,
    };
    Ok(Some(results.iter().zip(&expectations).map(one).collect()))
}

/// Writes and prints results.
fn finish(
    results: &[Value],
    comparisons: Option<&[Option<Comparison>]>,
    timing: Option<&Timing>,
    arguments: &Arguments,
    out: &mut Out,
) -> Result<(), Failure> {
    let is_text = arguments.format == Form::Text;
    for (index, comparison) in comparisons.unwrap_or_default().iter().enumerate() {
        if let (true, Some(comparison)) = (is_text, comparison) {
            let verdict = if comparison.passes() { "as expected" } else { "NOT as expected" };
            out.put(format!("result {index}: {verdict}: {comparison}\n"))?;
        }
    }
    if arguments.values.has_outputs() {
        arguments.values.write(results, out)?;
    } else if is_text && comparisons.is_none() && timing.is_none() {
        for (index, result) in results.iter().enumerate() {
            out.put(format!("result {index}: {}\n", show::describe(result)))?;
        }
    }
    if let (true, Some(timing)) = (is_text, timing) {
        out.put(format!("{}\n", timing.text()))?;
    }
    Ok(())
}

/// The function that the run begins with.
///
/// # Errors
/// When there is no such function, or no one knows which is meant.
pub fn entry(module: &Module, name: Option<&str>) -> Result<OpId, Failure> {
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

/// How the process ends after an error of a run.
pub fn exit_of(error: &EvalError) -> Exit {
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
pub fn diagnostic(error: &EvalError, sheet: &Sheet<'_, '_>) -> Diagnostic {
    let message = match error.calls() {
        [] | [_] => error.message().to_owned(),
        calls => format!("{} (called from {})", error.message(), calls[1..].join(", ")),
    };
    let span = error.op().map(|op| sheet.span(op)).unwrap_or_default();
    let mut diagnostic = Diagnostic::error(error.code(), span, message);
    if !error.location().is_empty() {
        diagnostic = diagnostic.with_help(format!("it happened at {}", error.location()));
    }
    diagnostic
}

/// Says at which ops the results depend on choices that the specification leaves open.
fn report_touched(sheet: &Sheet<'_, '_>, outcome: &Outcome) -> Result<(), Failure> {
    let remark = |touch: &interpreter::eval::Touch| {
        let topic = interpreter::semantics::point(touch.point).map_or("", |point| point.topic);
        let message = format!("the result depends on a choice that the specification leaves open: {topic}");
        let mut diagnostic = Diagnostic::error(touch.point, sheet.span(touch.op), message)
            .with_help(format!("`shlo explain {}` says what is chosen here and elsewhere", touch.point));
        diagnostic.severity = Severity::Remark;
        diagnostic
    };
    let remarks = outcome.touched.iter().map(remark).collect();
    sheet.complaints(remarks).show()
}
