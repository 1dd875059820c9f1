//! What can be typed. Every command's flags stand with the command; here is only the list.

use clap::{Parser, Subcommand};

use crate::commands::{bench, compat, convert, explain, fmt, inspect, run, verify, version};

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "shlo", about = "The StableHLO toolkit", long_about = LONG_ABOUT, version, after_help = AFTER_HELP)]
#[command(disable_help_subcommand = false, max_term_width = 100)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check programs against the rules of the specification
    Verify(verify::Arguments),
    /// Print programs in their canonical form
    Fmt(fmt::Arguments),
    /// Run a program and print or compare its results
    Run(Box<run::Arguments>),
    /// Say how long a program takes
    Bench(Box<bench::Arguments>),
    /// Turn text, bytecode and portable artifacts into each other
    Convert(convert::Arguments),
    /// Say which versions of StableHLO can read a program, and what stands in the way of older ones
    Compat(compat::Arguments),
    /// Say what a file is made of: versions, sections, constants, ops
    Inspect(inspect::Arguments),
    /// Explain a rule, an op or a point of the semantics
    Explain(explain::Arguments),
    /// Say which version this is and what it implements
    Version(version::Arguments),
}

const LONG_ABOUT: &str = "\
The StableHLO toolkit: checks, prints, converts, runs and explains StableHLO programs, without LLVM or MLIR.
Files may be MLIR text, MLIR bytecode or portable artifacts; which of them is seen by their first bytes.";

const AFTER_HELP: &str = "\
Examples:
  shlo verify model.mlir               check a program; every complaint names the broken rule
  shlo fmt model.mlir                  print it in canonical form
  shlo run model.mlir --input @x.npy   run it
  shlo bench model.mlir                how long it takes
  shlo convert m.mlir -o m.mlirbc --to vhlo --target 1.9.0   what older tools can read
  shlo compat model.mlir               which versions can read it, and what stands in the way
  shlo inspect model.mlirbc            what a file is made of
  shlo explain pad_c2                  what a rule says, with examples

Exit codes: 0 done, 1 something was found, 2 wrong command line, 3 input unreadable or invalid,
4 not supported, 5 limit reached, 70 bug of shlo, 130 interrupted.
`shlo COMMAND --help` tells more about a command.";
