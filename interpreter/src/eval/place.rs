//! Where an op stands, in words.

use stablehlo::ir::{Module, OpId};

/// `stablehlo.add`, with the location that the program itself gives it.
pub fn describe(module: &Module, op: OpId) -> String {
    let name = module.op_name(op);
    match module.op(op).location().and_then(|location| module.describe_location(location)) {
        Some(place) => format!("{name}, {place}"),
        None => name.to_owned(),
    }
}
