//! Times the printer: `cargo run --release -p stablehlo --example print_speed FILE…`

#![allow(clippy::print_stdout, clippy::allow_attributes, reason = "an example that reports to the terminal")]

use std::time::Instant;

use stablehlo::syntax::{PrintOptions, parse, print};

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let module = parse(&path, &std::fs::read_to_string(&path)?).module;
        for (name, generic, locations) in
            [("pretty", false, false), ("generic", true, false), ("locations", false, true)]
        {
            let options = PrintOptions { generic, locations, ..PrintOptions::default() };
            let mut best = f64::INFINITY;
            let mut length = 0;
            for _ in 0..7 {
                let start = Instant::now();
                length = print(&module, options).len();
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!("{path} {name}: {:.1} MB/s, {best:.3} s, {} ops", length as f64 / 1e6 / best, module.n_ops());
        }
    }
    Ok(())
}
