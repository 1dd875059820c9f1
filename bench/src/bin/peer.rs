//! The executor as a peer of a benchmark: one JSON object per line on standard input, one answer per line on standard
//! output, after a first `{"ok": true}`.
//!
//! | request | answer |
//! |---|---|
//! | `{"cmd": "load", "workdir": …, "w": {"name", "mlir", "inputs", "outputs"}}` | `{"compile_s": …, "err": …}` |
//! | `{"cmd": "check", …}` (the same) | `{"err": …}` |
//! | `{"cmd": "run", "secs": …}` | `{"times": [[wall_s, cpu_s], …]}`, at least two calls |
//! | `{"cmd": "unload"}` | `{}` |
//!
//! Anything else, and what fails, is answered by `{"error": …}`. Inputs are `NAME.in.npz`, expected results `NAME.out.npz`
//! in the work folder; bf16 and f16 stand there as u16. The error is the largest |a − b| / (1 + |b|).
//!
//! `peer [--threads N] [--isa baseline|avx2|avx512]`

use std::io::{BufRead, Lines, StdinLock, Write};
use std::path::Path;
use std::time::Instant;

use bench::process_seconds;
use bytes::Bytes;
use executor::{Buffer, Executor, Isa, Plan};
use interpreter::element::{Complex, ElementType};
use interpreter::io::{iree, npz};
use interpreter::{Config, Host, Tensor, dispatch_float};
use serde_json::{Value as Json, json};
use stablehlo::ir::Literal;
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

type Failure = Box<dyn std::error::Error>;

/// Most calls in one `run`.
const MAX_CALLS: usize = 3000;

fn main() -> Result<(), Failure> {
    let mut n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut isa = Isa::best();
    let mut arguments = std::env::args().skip(1);
    while let Some(flag) = arguments.next() {
        let value = arguments.next().ok_or("every flag takes a value")?;
        match flag.as_str() {
            "--threads" => n_threads = value.parse()?,
            "--isa" => isa = value.parse()?,
            _ => return Err(format!("unknown flag {flag}; usage: peer [--threads N] [--isa NAME]").into()),
        }
    }
    if !isa.is_available() {
        return Err(format!("this machine does not have {isa}").into());
    }
    let executor = Executor::new(n_threads);
    answer(&json!({ "ok": true }).to_string())?;
    let mut requests = std::io::stdin().lock().lines();
    let mut request = next(&mut requests)?;
    while let Some(now) = request {
        request = match now["cmd"].as_str() {
            Some("load") => match session(&now, &executor, isa, &mut requests) {
                Ok(following) => following,
                Err(error) => {
                    answer(&json!({ "error": error.to_string() }).to_string())?;
                    next(&mut requests)?
                }
            },
            Some("unload") => {
                answer("{}")?;
                next(&mut requests)?
            }
            _ => {
                answer(&json!({ "error": "nothing is loaded" }).to_string())?;
                next(&mut requests)?
            }
        };
    }
    Ok(())
}

fn answer(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

type Requests<'l> = Lines<StdinLock<'l>>;

fn next(requests: &mut Requests<'_>) -> Result<Option<Json>, Failure> {
    let Some(line) = requests.next() else { return Ok(None) };
    Ok(Some(serde_json::from_str(&line?)?))
}

/// Loads a program and answers until it is unloaded; the request after that.
///
/// # Errors
/// When the program cannot be loaded; nothing has been answered then.
fn session(load: &Json, executor: &Executor, isa: Isa, requests: &mut Requests<'_>) -> Result<Option<Json>, Failure> {
    let folder = Path::new(text_of(load, "workdir")?);
    let workload = &load["w"];
    let text = std::fs::read_to_string(folder.join(text_of(workload, "mlir")?))?;
    let mut compile_s = f64::INFINITY;
    // What others do when they compile a text: read it, check it, make it ready. The first time warms up.
    for _ in 0..2 {
        let start = Instant::now();
        prepared(&text, isa, |_| Ok(()))?;
        compile_s = compile_s.min(start.elapsed().as_secs_f64());
    }
    let name = text_of(workload, "name")?;
    let inputs = arrays(&folder.join(format!("{name}.in.npz")), "arg", &workload["inputs"])?;
    // Like the peers' own memory: aligned for vectors.
    let inputs: Vec<Literal> = inputs.iter().filter_map(aligned).collect();
    let expected = arrays(&folder.join(format!("{name}.out.npz")), "out", &workload["outputs"])?;
    prepared(&text, isa, |plan| {
        let call = || executor.run(plan, &inputs, &Config::default(), &mut Host::default());
        let checked = || -> Result<String, Failure> { Ok(number(error(&call()?, &expected))) };
        let first = checked()?;
        answer(&format!("{{\"compile_s\": {compile_s}, \"err\": {first}}}"))?;
        loop {
            let Some(request) = next(requests)? else { return Ok(None) };
            let reply = match request["cmd"].as_str() {
                Some("load") => return Ok(Some(request)),
                Some("unload") => {
                    answer("{}")?;
                    return next(requests);
                }
                Some("check") => checked().map(|err| format!("{{\"err\": {err}}}")),
                Some("run") => timed(&request, || Ok(call().map(drop)?)),
                _ => Err("unknown request".into()),
            };
            answer(&reply.unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string()))?;
        }
    })
}

fn text_of<'j>(object: &'j Json, key: &str) -> Result<&'j str, Failure> {
    object[key].as_str().ok_or_else(|| format!("the request has no {key}").into())
}

/// Reads, verifies and plans a program.
fn prepared<R>(text: &str, isa: Isa, then: impl FnOnce(&Plan<'_>) -> Result<R, Failure>) -> Result<R, Failure> {
    let parsed = parse("-", text);
    let verified = match verify(&parsed.module, text) {
        Ok(verified) if parsed.diagnostics.is_empty() => verified,
        Ok(_) => return Err(parsed.diagnostics[0].message.clone().into()),
        Err(faults) => return Err(faults[0].message.clone().into()),
    };
    let function = interpreter::entry(&parsed.module).map_err(|error| error.message().to_owned())?;
    then(&Plan::new(verified, function, isa)?)
}

/// Calls for as long as the request says; wall and processor time of each call.
fn timed(request: &Json, mut call: impl FnMut() -> Result<(), Failure>) -> Result<String, Failure> {
    let seconds = request["secs"].as_f64().unwrap_or(0.0);
    let (begin, mut times) = (Instant::now(), Vec::new());
    while times.len() < 2 || begin.elapsed().as_secs_f64() < seconds && times.len() < MAX_CALLS {
        let (start, used) = (Instant::now(), process_seconds());
        call()?;
        times.push([start.elapsed().as_secs_f64(), process_seconds() - used]);
    }
    Ok(json!({ "times": times }).to_string())
}

/// The arrays `PREFIX0`, `PREFIX1`, … of an archive, in the types that the manifest gives them.
fn arrays(path: &Path, prefix: &str, types: &Json) -> Result<Vec<Tensor>, Failure> {
    let archive = std::fs::read(path)?;
    let types = types.as_array().ok_or("the manifest lists no types")?;
    let array = |(index, ty): (usize, &Json)| -> Result<Tensor, Failure> {
        let tensor = npz::read(&archive, &format!("{prefix}{index}"), None, u64::MAX)?;
        let dtype = text_of(ty, "dtype")?;
        let element = iree::parse_type(dtype).map(|(element, _)| element);
        Ok(match element {
            // Types that numpy does not have are stored as integers.
            Some(element @ (ElementType::BF16 | ElementType::F16)) => {
                Tensor::new(element, tensor.shape(), tensor.data().clone()).ok_or("an array of another size")?
            }
            _ => tensor,
        })
    };
    types.iter().enumerate().map(array).collect()
}

fn aligned(tensor: &Tensor) -> Option<Literal> {
    Literal::new(tensor.element(), tensor.shape().to_vec(), Bytes::from_owner(Buffer::of(tensor.data())))
}

/// JSON has no infinity, but the reader of these lines does.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { "Infinity".to_owned() }
}

/// The largest |a − b| / (1 + |b|); infinite where only one is a number, or shapes differ.
fn error(results: &[Literal], expected: &[Tensor]) -> f64 {
    if results.len() != expected.len() {
        return f64::INFINITY;
    }
    results.iter().zip(expected).map(|(result, expected)| error_of(&Tensor::from(result), expected)).fold(0.0, f64::max)
}

fn error_of(result: &Tensor, expected: &Tensor) -> f64 {
    if (result.element(), result.shape()) != (expected.element(), expected.shape()) {
        return f64::INFINITY;
    }
    let mut worst = 0.0f64;
    let mut see = |difference: f64, size: f64| {
        let scaled = difference / (1.0 + size);
        worst = worst.max(if scaled.is_nan() { f64::INFINITY } else { scaled });
    };
    let complex = |tensor: &Tensor, index| match tensor.element() {
        ElementType::ComplexF32 => {
            let z = tensor.get::<Complex<f32>>(index);
            (f64::from(z.re), f64::from(z.im))
        }
        _ => {
            let z = tensor.get::<Complex<f64>>(index);
            (z.re, z.im)
        }
    };
    let real = |tensor: &Tensor, index| {
        let float = dispatch_float!(tensor.element(), T => interpreter::element::Float::to_f64(tensor.get::<T>(index)));
        float.unwrap_or_else(|| tensor.integer(index).unwrap_or(0) as f64)
    };
    for index in 0..expected.len() {
        if result.element_bytes(index) == expected.element_bytes(index) {
            continue;
        }
        if expected.element().is_complex() {
            let (a, b) = (complex(result, index), complex(expected, index));
            if a != b {
                see((a.0 - b.0).hypot(a.1 - b.1), b.0.hypot(b.1));
            }
        } else {
            let (a, b) = (real(result, index), real(expected, index));
            if a != b {
                see((a - b).abs(), b.abs());
            }
        }
    }
    worst
}
