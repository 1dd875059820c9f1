//! Regions: how many there are, how many blocks they have and how those end.

use super::Cx;
use super::fault::{Fault, Place, Verdict, ensure};
use crate::ir::{BlockId, OpId, OpName};
use crate::ops::OpKind;
use crate::ops::func::function_type;
use crate::ops::spec::{Arity, OpSpec, Trait};

/// Checks the regions of an op, and that the op ends its block if it is a terminator.
pub(super) fn check(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    if spec.has(Trait::Terminator) {
        let last = cx.module.op(cx.op).parent().and_then(|block| cx.module.terminator(block));
        ensure(last == Some(cx.op), || {
            Fault::new(format!("`{}` must be the last op of its block", spec.name)).code("structure/terminator")
        })?;
    }
    let regions = cx.module.regions(cx.op);
    let fixed = spec.regions.iter().filter(|region| region.arity == Arity::One).count();
    let open = fixed < spec.regions.len();
    ensure(regions.len() == fixed || (open && regions.len() > fixed), || {
        let least = if open { "at least " } else { "" };
        Fault::new(format!("wrong number of regions: expected {least}{fixed}, got {}", regions.len()))
            .code("structure/region-count")
    })?;
    for (index, region) in regions.iter().enumerate() {
        let blocks = cx.module.blocks(*region);
        let declared = spec.regions.get(index).or(spec.regions.last());
        if spec.has(Trait::SingleBlock) {
            ensure(blocks.len() == 1, || {
                let name = declared.map_or("body", |region| region.name);
                let code = match declared.map(|region| region.label) {
                    None | Some("") => "structure/single-block".to_owned(),
                    Some(label) => spec.rule_code(label),
                };
                Fault::new(format!("region `{name}` must have exactly one block, got {}", blocks.len()))
                    .at(Place::Region(index))
                    .code(code)
            })?;
        }
        if !spec.has(Trait::NoTerminator) {
            for block in blocks {
                check_end(cx, spec, index, *block)?;
            }
        }
    }
    Ok(())
}

/// Checks that what `last` returns are the results of the function under check, if it is one.
fn check_function_results(cx: &Cx<'_>, last: OpId) -> Verdict {
    let Some((_, results)) = function_type(cx.module, cx.op) else { return Ok(()) };
    let returned = cx.module.operands(last).iter().map(|value| cx.module.value_type(*value));
    ensure(returned.eq(results.iter().copied()), || {
        Fault::new("the function must return values of its result types")
            .label(Place::Other(last), "the last op of the function")
            .code("structure/terminator")
    })
}

/// Checks that a block ends as the op around it wants.
fn check_end(cx: &Cx<'_>, spec: &OpSpec, index: usize, block: BlockId) -> Verdict {
    let Some(last) = cx.module.terminator(block) else {
        return Err(Fault::new("a block must not be empty: it ends with a terminator")
            .at(Place::Region(index))
            .code("structure/empty-block"));
    };
    let OpName::Known(kind) = cx.module.op(last).name() else {
        return Ok(());
    };
    ensure(spec.terminators.contains(&kind), || {
        let wanted = spec.terminators.first().map_or("a terminator", |wanted| wanted.name());
        Fault::new(format!("the region must end with `{wanted}`, got `{}`", kind.name()))
            .at(Place::Region(index))
            .label(Place::Other(last), "the last op of the block")
            .code("structure/terminator")
    })?;
    // `func.return` looks at its function by itself.
    if kind == OpKind::Return { check_function_results(cx, last) } else { Ok(()) }
}
