//! Times this toolkit for `compare_jaxlib.py`: a line of JSON per file, minima in seconds.
//!
//! `measure text FILE…` reads and verifies, then prints; `measure bytecode FILE…` writes and reads bytecode and portable
//! artifacts for the version that comes before the files; `measure run FILE…` runs `@main` without arguments; `measure
//! workloads` lists the programs of single ops.

use std::io::Write;
use std::time::Instant;

use interpreter::{Config, Host};
use serde_json::{Value, json};
use stablehlo::bytecode::{self, Encoded, Options};
use stablehlo::diag::Diagnostic;
use stablehlo::syntax::{PrintOptions, parse, print};
use stablehlo::verify::verify;
use stablehlo::vhlo::{Version, current_version, serialize_portable_artifact};

type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "usage: measure text|run FILE…, measure bytecode VERSION FILE…, or measure workloads";

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let mode = args.next().ok_or(USAGE)?;
    let mut out = std::io::stdout().lock();
    if mode == "workloads" {
        for workload in bench::workloads() {
            let (program, baseline) = (workload.program(), workload.baseline());
            let (name, units) = (workload.name, workload.units);
            writeln!(out, "{}", json!({ "name": name, "units": units, "program": program, "baseline": baseline }))?;
        }
        return Ok(());
    }
    let target: Version = match mode.as_str() {
        "bytecode" => args.next().ok_or(USAGE)?.parse()?,
        _ => current_version(),
    };
    for path in args {
        let text = std::fs::read_to_string(&path)?;
        let line = match mode.as_str() {
            "text" => time_text(&text)?,
            "bytecode" => time_bytecode(&text, target)?,
            "run" => time_run(&text)?,
            _ => return Err(USAGE.into()),
        };
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The smallest time of a few calls: at least three, at least half a second.
fn minimum(mut call: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    let (begin, mut best, mut n) = (Instant::now(), f64::INFINITY, 0);
    while n < 3 || (begin.elapsed().as_secs_f64() < 0.5 && n < 1000) {
        let start = Instant::now();
        call()?;
        best = best.min(start.elapsed().as_secs_f64());
        n += 1;
    }
    Ok(best)
}

fn time_text(text: &str) -> Result<Value, Failure> {
    let read = minimum(|| {
        let parsed = parse("-", text);
        let fine = parsed.diagnostics.is_empty() && verify(&parsed.module, text).is_ok();
        fine.then_some(()).ok_or_else(|| "the file does not verify".into())
    })?;
    let module = parse("-", text).module;
    let write = minimum(|| {
        std::hint::black_box(print(&module, PrintOptions::default()));
        Ok(())
    })?;
    Ok(json!({ "parse_verify": read, "print": write }))
}

fn time_bytecode(text: &str, target: Version) -> Result<Value, Failure> {
    let module = parse("-", text).module;
    let refused = |refusals: Vec<Diagnostic>| refusals.first().map_or(String::new(), |first| first.message.clone());
    let options = Options { release: target, ..Options::default() };
    let native = || bytecode::write(&module, &options).map(Encoded::into_bytes).map_err(refused);
    let portable = || serialize_portable_artifact(&module, target).map(Encoded::into_bytes).map_err(refused);
    let read = |bytes: &bytes::Bytes| {
        minimum(|| {
            std::hint::black_box(bytecode::read(bytes.clone(), "-")?);
            Ok(())
        })
    };
    let time = |write: &dyn Fn() -> Result<bytes::Bytes, String>| {
        minimum(|| {
            std::hint::black_box(write()?);
            Ok(())
        })
    };
    let (write_native, write_portable) = (time(&native)?, time(&portable)?);
    let (read_native, read_portable) = (read(&native()?)?, read(&portable()?)?);
    Ok(json!({
        "write_bytecode": write_native, "read_bytecode": read_native,
        "write_artifact": write_portable, "read_artifact": read_portable,
    }))
}

fn time_run(text: &str) -> Result<Value, Failure> {
    let parsed = parse("-", text);
    let verified = verify(&parsed.module, text).map_err(|_| "the file does not verify")?;
    let function = interpreter::entry(verified.module())?;
    let run = minimum(|| {
        interpreter::run(verified, function, Vec::new(), &Config::default(), &mut Host::default())?;
        Ok(())
    })?;
    Ok(json!({ "run": run }))
}
