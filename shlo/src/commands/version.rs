//! `shlo version`.

use clap::Args;
use serde_json::json;
use stablehlo::vhlo::{current_version, minimum_version};

use crate::exit::{Exit, Failure};
use crate::output;
use crate::report::to_json;

/// Flags of `shlo version`.
#[derive(Args, Debug, Clone, Copy)]
pub struct Arguments {
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Does it.
///
/// # Errors
/// When the output cannot be written.
pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let ops = stablehlo::ops::OpKind::ALL.len();
    let (oldest, newest) = (minimum_version(), current_version());
    let mut out = output::stdout();
    match arguments.json {
        true => out.put(to_json(&json!({
            "schema": 1,
            "name": "shlo",
            "version": version,
            "ops": ops,
            "stablehlo": { "oldest": oldest.to_string(), "current": newest.to_string() },
        })))?,
        false => out.put(format!("shlo {version} (StableHLO {oldest} to {newest}, {ops} ops)\n"))?,
    }
    out.finish()?;
    Ok(Exit::Success)
}
