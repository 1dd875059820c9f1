//! Reads programs, prints them in all modes, and compares with texts that another tool printed.
//!
//! `cargo run --release --example roundtrip -- FILE.mlir…`: beside `a.mlir` may stand `a.pretty`, `a.generic`, `a.loc`,
//! `a.genloc` and `a.local`, what MLIR printed for it. Says what differs, and whether our own text reads back and prints the
//! same.

#![allow(clippy::print_stdout, clippy::allow_attributes, reason = "an example that reports to the terminal")]

use std::path::Path;

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
}

fn main() {
    let mut tally = Tally::default();
    for path in std::env::args().skip(1) {
        one(Path::new(&path), &mut tally);
    }
    for (index, (name, ..)) in MODES.iter().enumerate() {
        say(&format!("{name}: {} of {} the same", tally.same[index], tally.compared[index]));
    }
    say(&format!("fixed points: {}", tally.fixed));
}

fn say(text: &str) {
    println!("{text}");
}

fn one(path: &Path, tally: &mut Tally) {
    let Ok(text) = std::fs::read_to_string(path) else {
        return say(&format!("==== {}: cannot be read as UTF-8", path.display()));
    };
    let parsed = parse("-", &text);
    if let Some(error) = parsed.errors().next() {
        return say(&format!("==== {}: {}", path.display(), error.message));
    }
    for (index, (name, generic, locations, local_scope)) in MODES.into_iter().enumerate() {
        let options = PrintOptions { generic, locations, local_scope, ..PrintOptions::default() };
        let printed = print(&parsed.module, options);
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
