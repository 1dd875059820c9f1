//! Reads programs, prints them in all modes, and compares with texts that another tool printed.
//!
//! `cargo run --release --example roundtrip -- FILE.mlir…`: beside `a.mlir` may stand `a.pretty`, `a.generic`, `a.loc`,
//! `a.genloc` and `a.local`, what MLIR printed for it. Says what differs, whether our own text reads back and prints the same,
//! and how fast reading and printing are.

use std::path::Path;
use std::time::{Duration, Instant};

use stablehlo::syntax::{PrintOptions, parse, print};

const MODES: [(&str, bool, bool, bool); 5] = [
    ("pretty", false, false, false),
    ("generic", true, false, false),
    ("loc", false, true, false),
    ("genloc", true, true, false),
    ("local", false, true, true),
];

#[derive(Default)]
struct Tally {
    same: [usize; MODES.len()],
    compared: [usize; MODES.len()],
    fixed: usize,
    reads: Duration,
    prints: Duration,
    bytes_read: usize,
    bytes_printed: usize,
}

fn main() {
    let mut tally = Tally::default();
    for path in std::env::args().skip(1) {
        one(Path::new(&path), &mut tally);
    }
    let per_second = |bytes: usize, time: Duration| bytes as f64 / time.as_secs_f64() / 1e6;
    for (index, (name, ..)) in MODES.iter().enumerate() {
        say(&format!("{name}: {} of {} the same", tally.same[index], tally.compared[index]));
    }
    say(&format!("fixed points: {}", tally.fixed));
    say(&format!(
        "read {:.0} MB/s, printed {:.0} MB/s",
        per_second(tally.bytes_read, tally.reads),
        per_second(tally.bytes_printed, tally.prints)
    ));
}

#[expect(clippy::print_stdout, reason = "this is a program")]
fn say(text: &str) {
    println!("{text}");
}

fn one(path: &Path, tally: &mut Tally) {
    let Ok(text) = std::fs::read_to_string(path) else {
        return say(&format!("==== {}: cannot be read as UTF-8", path.display()));
    };
    let start = Instant::now();
    let parsed = parse("-", &text);
    tally.reads += start.elapsed();
    tally.bytes_read += text.len();
    if let Some(error) = parsed.errors().next() {
        return say(&format!("==== {}: {}", path.display(), error.message));
    }
    for (index, (name, generic, locations, local_scope)) in MODES.into_iter().enumerate() {
        let options = PrintOptions { generic, locations, local_scope, ..PrintOptions::default() };
        let start = Instant::now();
        let printed = print(&parsed.module, options);
        if index == 0 {
            tally.prints += start.elapsed();
            tally.bytes_printed += printed.len();
        }
        if let Ok(wanted) = std::fs::read_to_string(path.with_extension(name)) {
            tally.compared[index] += 1;
            if printed == wanted {
                tally.same[index] += 1;
            } else {
                let at = wanted.lines().zip(printed.lines()).find(|(wanted, printed)| wanted != printed);
                let (wanted, printed) = at.unwrap_or(("(as far as it goes)", "the same"));
                say(&format!("==== {} {name}\nwanted  {wanted}\nprinted {printed}", path.display()));
            }
        }
        let again = parse("-", &printed);
        let reprinted = print(&again.module, options);
        match again.errors().next() {
            Some(error) => say(&format!("==== {} {name}: our text: {}", path.display(), error.message)),
            None if reprinted == printed => tally.fixed += 1,
            None => say(&format!("==== {} {name}: no fixed point", path.display())),
        }
    }
}
