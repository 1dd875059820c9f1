//! Times the parser and the verifier: `cargo run --release -p stablehlo --example parse_speed FILE…`

#![allow(clippy::print_stdout, clippy::allow_attributes, reason = "an example that reports to the terminal")]

use std::time::Instant;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path)?;
        let as_string = String::from_utf8_lossy(&text);
        let mut best = f64::INFINITY;
        let mut best_verify = f64::INFINITY;
        let mut summary = String::new();
        for _ in 0..5 {
            let start = Instant::now();
            let parsed = stablehlo::syntax::parse::parse_bytes(&path, &text);
            best = best.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let complaints = stablehlo::verify::verify(&parsed.module, &as_string).err();
            best_verify = best_verify.min(start.elapsed().as_secs_f64());
            let n_complaints = complaints.map_or(0, |complaints| complaints.len());
            summary = format!(
                "{} ops, {} faults, {n_complaints} complaints",
                parsed.module.n_ops(),
                parsed.diagnostics.len()
            );
            if let Some(first) = parsed.errors().next() {
                summary = format!("{summary}, first {}: {} at byte {}", first.code, first.message, first.span.start);
            }
        }
        let size = text.len() as f64 / 1e6;
        println!(
            "{path}: parsing {:.1} MB/s, {best:.3} s; verifying {:.1} MB/s, {best_verify:.3} s; both {:.1} MB/s; {summary}",
            size / best,
            size / best_verify,
            size / (best + best_verify)
        );
    }
    Ok(())
}
