//! What a program itself says about where its ops came from, added to complaints about it.

use super::Diagnostic;
use crate::ir::{Module, OpId};

/// How many complaints get a note; nobody reads more.
const MAX_NOTED: usize = 200;

/// Adds to complaints about `module` the location that the op in question has, `from model.py:12:3`; for modules whose text
/// is not where they came from. Spans are those of [`Module::source`].
pub fn note_origins(module: &Module, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics.iter_mut().take(MAX_NOTED) {
        let location = op_at(module, diagnostic.span.start).and_then(|op| module.op(op).location());
        if let Some(place) = location.and_then(|location| module.describe_location(location)) {
            let note = format!("the op came from {place}");
            diagnostic.help = Some(match diagnostic.help.take() {
                Some(help) => format!("{help}\n{note}"),
                None => note,
            });
        }
    }
}

/// The innermost op that byte `offset` of the text belongs to.
pub fn op_at(module: &Module, offset: u32) -> Option<OpId> {
    let contains = |op: OpId| (module.source(op).start..module.source(op).end).contains(&offset);
    // A module that was not written around the ops contains them all the same.
    let mut found = Some(module.top()).filter(|op| contains(*op));
    let mut next = Some(module.top());
    while let Some(op) = next {
        let blocks = module.regions(op).iter().flat_map(|region| module.blocks(*region));
        next = blocks
            .filter_map(|block| {
                let ops = &module.block(*block).ops;
                let after = ops.partition_point(|op| module.source(*op).start <= offset);
                Some(*ops.get(after.checked_sub(1)?)?)
            })
            .find(|op| contains(*op));
        found = next.or(found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Span;
    use crate::syntax::parse;

    const PROGRAM: &str = r#"func.func @f(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %a : tensor<f32> loc("abs"("model.py":12:3))
  %1 = "stablehlo.case"(%c) ({
    %2 = stablehlo.negate %a : tensor<f32> loc("inner.py":1:2)
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32> loc(unknown)
  return %0 : tensor<f32>
}
"#;

    #[test]
    fn the_innermost_op_says_where_it_came_from() {
        let module = parse("a.mlir", PROGRAM).module;
        let at = |part: &str| PROGRAM.find(part).unwrap() as u32;
        let name = |part: &str| op_at(&module, at(part)).map(|op| module.op_name(op).to_owned());
        assert_eq!(name("%0 = ").as_deref(), Some("stablehlo.abs"));
        assert_eq!(name("%2 : t").as_deref(), Some("stablehlo.return"));
        assert_eq!(name("(%c)").as_deref(), Some("stablehlo.case"));
        assert_eq!(name("@f").as_deref(), Some("func.func"));
        assert_eq!(op_at(&module, u32::MAX), None);

        let complaint = |part: &str| Diagnostic::error("c", Span::new(at(part), at(part)), "m");
        let mut complaints = [complaint("%0 = "), complaint("(%c)"), complaint("%2 = ").with_help("try that")];
        note_origins(&module, &mut complaints);
        assert_eq!(complaints[0].help.as_deref(), Some("the op came from abs (model.py:12:3)"));
        assert_eq!(complaints[1].help, None);
        assert_eq!(complaints[2].help.as_deref(), Some("try that\nthe op came from inner.py:1:2"));
    }
}
