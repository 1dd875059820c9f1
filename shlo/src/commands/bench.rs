//! `shlo bench`: how long a program takes.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use interpreter::{Config, Host};
use serde_json::json;
use stablehlo::verify::verify;

use super::load::Source;
use super::run::engine::{Engine, Ready, SimdArgs, specialised};
use super::run::timing::{Repeat, duration, measure};
use super::run::values::ValueArgs;
use super::run::{diagnostic, entry, exit_of, parse_seconds, parse_size};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::to_json;
use crate::source::{Place, ReadArgs};

const EXAMPLES: &str = "\
Examples:
  shlo bench model.mlir                          on random inputs, with all processors
  shlo bench model.mlir --threads 1 --seconds 5  more patiently, on one
  shlo bench model.mlir --engine reference       the interpreter
  shlo bench model.mlir --input @x.npz --format json

Times are those of one run, from inputs in memory to results in memory. On a machine that does other things too, compare
minima. `shlo run --profile FILE` says where the time goes.";

/// Flags of `shlo bench`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// The program: a file, text or bytecode, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What executes it
    #[arg(long, value_enum, default_value = "simd", value_name = "ENGINE")]
    engine: Engine,
    #[command(flatten)]
    simd: SimdArgs,
    /// The function to run; by default main, else the only one
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[command(flatten)]
    values: ValueArgs,
    /// Run for about SECONDS, but at least three times
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "1")]
    seconds: Duration,
    /// Run N times instead
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
    /// How the times are printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Form,
    /// Stop when tensors take more than SIZE bytes; K, M, G are powers of 1024
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<usize>,
    /// Stop when one run takes more than SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    #[command(flatten)]
    read: ReadArgs,
}

/// Forms of the times.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Form {
    /// For people.
    #[default]
    Text,
    /// One JSON document, times in seconds.
    Json,
}

/// Does it.
///
/// # Errors
/// When the program cannot be read, is invalid, or does not run to its end.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let place = Place::named(&arguments.file);
    let start = Instant::now();
    let source = Source::read(&place).map_err(|failure| failure.about(&place.name()))?;
    let program = source.only_program(arguments.read)?;
    let (verified, complaints) = program.check(arguments.read);
    complaints.show()?;
    let Some(verified) = verified else { return Err(Failure::silent(complaints.exit())) };
    let read = start.elapsed();
    let function = entry(&program.module, arguments.function.as_deref())?;
    let default = Config::default();
    let config = Config {
        max_bytes: arguments.max_memory.unwrap_or(default.max_bytes),
        time_limit: arguments.timeout,
        cancel: Some(output::cancel_on_interrupt()),
        ..default
    };
    let inputs = match arguments.values.has_inputs() {
        true => arguments.values.inputs(&program.module, function, config.max_bytes)?,
        false => ValueArgs::random(&program.module, function, config.max_bytes)?,
    };
    let start = Instant::now();
    let shaped = specialised(arguments.engine, verified, function, &inputs);
    let shaped = shaped.as_ref().and_then(|module| verify(module, "").ok());
    let ready = Ready::new(arguments.engine, arguments.simd, shaped.unwrap_or(verified), function)?;
    let planned = start.elapsed();
    let repeat = arguments.runs.map_or(Repeat::For(arguments.seconds), |n| Repeat::times(n as usize));
    let mut host = Host::default();
    let (timing, outcome) = match measure(&ready, &inputs, &config, &mut host, repeat) {
        Ok(measured) => measured,
        Err(error) => {
            let sheet = program.sheet();
            sheet.complaints(vec![diagnostic(&error, &sheet)]).show()?;
            return Ok(exit_of(&error));
        }
    };
    let (threads, left) = match &ready {
        Ready::Planned(plan, _, executor) => (executor.n_threads(), plan.left_to_interpreter()),
        Ready::Reference(..) | Ready::Unplanned(..) => (1, Vec::new()),
    };
    let unplanned = match &ready {
        Ready::Unplanned(_, _, why) => Some(why),
        _ => None,
    };
    let mut out = output::stdout();
    if arguments.format == Form::Json {
        let mut document = timing.json();
        document["schema"] = json!(1);
        document["engine"] = json!(arguments.engine.name());
        document["threads"] = json!(threads);
        document["read_s"] = json!(read.as_secs_f64());
        document["plan_s"] = json!(planned.as_secs_f64());
        document["peak_bytes"] = json!(outcome.peak_bytes);
        document["unplanned"] = json!(unplanned);
        let left = left.iter().map(|left| json!({ "op": left.name, "steps": left.count, "why": left.why }));
        document["left_to_interpreter"] = left.collect();
        out.put(to_json(&document))?;
    } else {
        let engine = arguments.engine.name();
        out.put(format!("{engine} engine, {threads} threads: {}\n", timing.text()))?;
        out.put(format!("read and verified in {}, planned in {}\n", duration(read), duration(planned)))?;
        if let Some(why) = unplanned {
            out.put(format!("the whole program is left to the interpreter: {why}\n"))?;
        }
        for left in left {
            out.put(format!("left to the interpreter: {} ({}x), {}\n", left.name, left.count, left.why))?;
        }
    }
    out.finish()?;
    Ok(Exit::Success)
}
