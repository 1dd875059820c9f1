//! Times the parser: `cargo run --release -p stablehlo --example parse_speed FILE…`

#![allow(clippy::print_stdout, clippy::allow_attributes, reason = "an example that reports to the terminal")]

use std::time::Instant;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path)?;
        let mut best = f64::INFINITY;
        let mut summary = String::new();
        for _ in 0..5 {
            let start = Instant::now();
            let parsed = stablehlo::syntax::parse::parse_bytes(&path, &text);
            best = best.min(start.elapsed().as_secs_f64());
            summary = format!("{} ops, {} faults", parsed.module.n_ops(), parsed.diagnostics.len());
            if let Some(first) = parsed.errors().next() {
                summary = format!("{summary}, first {}: {} at byte {}", first.code, first.message, first.span.start);
            }
        }
        println!("{path}: {:.1} MB/s, {:.3} s, {summary}", text.len() as f64 / 1e6 / best, best);
    }
    Ok(())
}
