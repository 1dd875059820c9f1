//! `shlo version`.

use clap::Args;
use serde_json::json;

use crate::exit::{Exit, Failure};
use crate::output;

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
    let mut out = output::stdout();
    match arguments.json {
        true => {
            out.put(crate::report::to_json(&json!({ "schema": 1, "name": "shlo", "version": version, "ops": ops })))?
        }
        false => out.put(format!("shlo {version} ({ops} ops)\n"))?,
    }
    out.finish()?;
    Ok(Exit::Success)
}
