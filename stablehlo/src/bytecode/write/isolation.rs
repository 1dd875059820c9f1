//! Which ops see no values from outside.
//!
//! The regions of such ops become sections of their own, and their values are numbered from zero. Apart from functions and
//! modules, whose kind says so, this is found out by looking at all uses inside.

use crate::arena::Entity;
use crate::ir::{BlockId, Module, OpId, RegionId, ValueDef, ValueId};
use crate::ops::spec::Trait;

/// An op whose regions are being visited.
struct Frame {
    op: OpId,
    /// Whether it may still turn out that the op is not isolated, or that one of the ops around it is not.
    open: bool,
    /// What is visited next.
    region: usize,
    block: usize,
    at: usize,
}

/// For each op of `module`, by id, whether it has regions that see no values from outside.
pub(super) fn isolated_ops(module: &Module) -> Vec<bool> {
    let mut isolated = vec![false; module.n_ops()];
    let mut stack: Vec<Frame> = Vec::new();
    enter(module, module.top(), &mut stack, &mut isolated);
    while let Some(frame) = stack.last_mut() {
        let Some((region, block)) = current(module, frame) else {
            stack.pop();
            continue;
        };
        let Some(op) = module.block(block).ops.get(frame.at).copied() else {
            frame.block += 1;
            frame.at = 0;
            continue;
        };
        frame.at += 1;
        if frame.open {
            for operand in module.operands(op) {
                let defined = region_of(module, *operand);
                if defined != Some(region) {
                    mark(module, &mut stack, &mut isolated, defined);
                }
            }
        }
        if !module.regions(op).is_empty() {
            enter(module, op, &mut stack, &mut isolated);
        }
    }
    isolated
}

fn enter(module: &Module, op: OpId, stack: &mut Vec<Frame>, isolated: &mut [bool]) {
    let by_kind = module.kind(op).is_some_and(|kind| kind.spec().has(Trait::IsolatedFromAbove));
    isolated[op.index()] = true;
    stack.push(Frame { op, open: !by_kind, region: 0, block: 0, at: 0 });
}

/// The region and block that `frame` stands in; none behind the last one.
fn current(module: &Module, frame: &mut Frame) -> Option<(RegionId, BlockId)> {
    loop {
        let region = *module.regions(frame.op).get(frame.region)?;
        match module.blocks(region).get(frame.block) {
            Some(block) => return Some((region, *block)),
            None => {
                frame.region += 1;
                frame.block = 0;
            }
        }
    }
}

/// The region that `value` is defined in; none where its op stands nowhere.
fn region_of(module: &Module, value: ValueId) -> Option<RegionId> {
    let block = match module.definition(value) {
        ValueDef::Argument { block, .. } => block,
        ValueDef::Result { op, .. } => module.op(op).parent()?,
    };
    Some(module.block(block).parent())
}

/// A value of region `defined` is used in the innermost region: no op between the two is isolated.
fn mark(module: &Module, stack: &mut [Frame], isolated: &mut [bool], defined: Option<RegionId>) {
    let owner = defined.and_then(|region| module.region_parent(region));
    let outer = stack.iter().rposition(|frame| !frame.open || Some(frame.op) == owner);
    let open = outer.is_some_and(|outer| stack[outer].open);
    for frame in &mut stack[outer.map_or(0, |outer| outer + 1)..] {
        frame.open = open;
        isolated[frame.op.index()] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_reach_outwards_to_the_owner() {
        let text = r#"func.func @f(%x: i32) {
  %y = "a.outer"() ({
    %z = "a.middle"() ({
      "a.inner"() ({
        "a.use"(%k) : (i32) -> ()
      }) : () -> ()
      "a.free"() ({
        %l = "a.def"() : () -> i32
        "a.use"(%l) : (i32) -> ()
      }) : () -> ()
    }) : () -> i32
    %k = "a.def"() : () -> i32
  }) : () -> i32
  "a.capture"() ({
    "a.empty"() ({
    }) : () -> ()
    "a.use"(%x) : (i32) -> ()
  }) : () -> ()
  return
}"#;
        let parsed = crate::syntax::parse("-", text);
        assert_eq!(parsed.diagnostics, []);
        let module = &parsed.module;
        let isolated = isolated_ops(module);
        let mut found = Vec::new();
        module.walk(module.top(), |op| {
            if !module.regions(op).is_empty() {
                found.push((module.op_name(op), isolated[op.index()]));
            }
        });
        let wanted = [
            ("builtin.module", true),
            ("func.func", true),
            ("a.outer", true),
            ("a.middle", false),
            ("a.inner", false),
            ("a.free", true),
            ("a.capture", false),
            ("a.empty", true),
        ];
        assert_eq!(found, wanted);
    }
}
