//! Times the verifier: `cargo run --release -p stablehlo --example verify_speed FILE…`

#![allow(clippy::print_stdout, clippy::allow_attributes, reason = "an example that reports to the terminal")]

use std::time::Instant;

use stablehlo::syntax::parse::parse_bytes;
use stablehlo::verify::verify;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let text = String::from_utf8_lossy(&bytes);
        let (mut parsing, mut verifying) = (f64::INFINITY, f64::INFINITY);
        let mut summary = String::new();
        for _ in 0..5 {
            let start = Instant::now();
            let parsed = parse_bytes(&path, &bytes);
            parsing = parsing.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let faults = verify(&parsed.module, &text).err().map_or(0, |faults| faults.len());
            verifying = verifying.min(start.elapsed().as_secs_f64());
            summary = format!("{} ops, {faults} faults", parsed.module.n_ops());
        }
        let speed = bytes.len() as f64 / 1e6 / (parsing + verifying);
        println!("{path}: parse {parsing:.3} s, verify {verifying:.3} s, {speed:.1} MB/s together, {summary}");
    }
    Ok(())
}
