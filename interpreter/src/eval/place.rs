//! Where an op stands, in words.

use stablehlo::ir::{Module, OpId, Span};

/// The op's name in the source text, where MLIR's tools point.
pub fn span(module: &Module, op: OpId) -> Span {
    let source = module.source(op);
    let length = u32::try_from(module.op_name(op).len()).unwrap_or(0);
    Span::new(source.name, source.name.saturating_add(length).min(source.end))
}

/// `stablehlo.add`, with the location that the program itself gives it.
pub fn describe(module: &Module, op: OpId) -> String {
    let name = module.op_name(op);
    match module.op(op).location().and_then(|location| module.describe_location(location)) {
        Some(place) => format!("{name}, {place}"),
        None => name.to_owned(),
    }
}
