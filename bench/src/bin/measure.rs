//! Times this toolkit on files, for `compare_jaxlib.py`: a line of JSON per file, minima in seconds.
//!
//! `measure text FILE…` reads and verifies, then prints; `measure run FILE…` runs `@main` without arguments.

use std::io::Write;
use std::time::Instant;

use interpreter::{Config, Host};
use stablehlo::syntax::{PrintOptions, parse, print};
use stablehlo::verify::verify;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let mode = args.next().ok_or("usage: measure text|run FILE…")?;
    let mut out = std::io::stdout().lock();
    for path in args {
        let text = std::fs::read_to_string(&path)?;
        let line = match mode.as_str() {
            "text" => time_text(&text)?,
            "run" => time_run(&text)?,
            _ => return Err("usage: measure text|run FILE…".into()),
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

fn time_text(text: &str) -> Result<String, Failure> {
    let read = minimum(|| {
        let parsed = parse("-", text);
        let fine = parsed.diagnostics.is_empty() && verify(&parsed.module, text).is_ok();
        fine.then_some(()).ok_or_else(|| "the file does not verify".into())
    })?;
    let module = parse("-", text).module;
    let mut printed = 0;
    let write = minimum(|| {
        printed = print(&module, PrintOptions::default()).len();
        Ok(())
    })?;
    Ok(format!(r#"{{"parse_verify": {read}, "print": {write}, "printed_bytes": {printed}}}"#))
}

fn time_run(text: &str) -> Result<String, Failure> {
    let parsed = parse("-", text);
    let verified = verify(&parsed.module, text).map_err(|_| "the file does not verify")?;
    let function = interpreter::entry(verified.module())?;
    let run = minimum(|| {
        interpreter::run(verified, function, Vec::new(), &Config::default(), &mut Host::default())?;
        Ok(())
    })?;
    Ok(format!(r#"{{"run": {run}}}"#))
}
