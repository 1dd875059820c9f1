//! Structure: what an op's declaration says about counts, types, attributes and regions.
//!
//! Everything that runs afterwards relies on it: the accessors of typed views never meet a missing part.

use super::attribute_kinds::{accepts, words};
use super::fault::{Fault, Place, Verdict, ensure};
use super::{Cx, regions};
use crate::ir::Dims;
use crate::ops::access;
use crate::ops::spec::{Arity, OpSpec, Presence, Trait, TypeClass};

/// Checks counts, attributes and regions: what accessors of typed views rely on.
pub(super) fn check(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    attributes(cx, spec)?;
    operand_count(cx, spec)?;
    result_count(cx, spec)?;
    ensure(cx.module.successors(cx.op).is_empty(), || {
        Fault::new(format!("`{}` has no successors", spec.name)).code("structure/successors")
    })?;
    regions::check(cx, spec)
}

/// Checks the types of operands and results, once their counts are known to be right.
pub(super) fn check_types(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    operand_types(cx, spec)?;
    result_types(cx, spec)
}

/// The code of a complaint about a declared part: its label, or a name by layer when the specification has none.
fn code_of(spec: &OpSpec, label: &str, otherwise: &'static str) -> String {
    if label.is_empty() { otherwise.to_owned() } else { spec.rule_code(label) }
}

fn attributes(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    let properties = cx.module.properties(cx.op);
    for (slot, declared) in spec.attributes.iter().enumerate() {
        match properties.get(slot).copied().flatten() {
            None if declared.presence == Presence::Required => {
                return Err(Fault::new(format!("attribute `{}` is missing", declared.name))
                    .help(format!("`{}` is {}", declared.name, words(declared.kind)))
                    .code(code_of(spec, declared.label, "structure/missing-attribute")));
            }
            Some(attr) if !accepts(cx.module, declared.kind, attr) => {
                let found = cx.module.display_attr(attr);
                let message = format!("attribute `{}` must be {}, got {found}", declared.name, words(declared.kind));
                return Err(Fault::new(message).at(Place::Attr(declared.name)).code(code_of(
                    spec,
                    declared.label,
                    "structure/attribute-kind",
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

fn operand_count(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    let found = cx.module.operands(cx.op).len();
    let segments = access::segments(cx.module, cx.op, spec, "operandSegmentSizes");
    check_segments(spec.has(Trait::OperandSegments), segments.as_ref(), spec.operands.len(), found, "operand")?;
    let fits = match spec.operands.is_empty() {
        true => found == 0,
        false => spec.operand_range(0, found, segments.as_deref()).is_some(),
    };
    ensure(fits, || {
        count("operand", "structure/operand-count", spec.operands.iter().map(|operand| operand.arity), found)
    })
}

fn result_count(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    let found = cx.module.results(cx.op).len();
    let segments = access::segments(cx.module, cx.op, spec, "resultSegmentSizes");
    check_segments(spec.has(Trait::ResultSegments), segments.as_ref(), spec.results.len(), found, "result")?;
    let fits = match spec.results.is_empty() {
        true => found == 0,
        false => spec.result_range(0, found, segments.as_deref()).is_some(),
    };
    ensure(fits, || count("result", "structure/result-count", spec.results.iter().map(|result| result.arity), found))
}

fn operand_types(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    let operands = cx.module.operands(cx.op);
    let segments = access::segments(cx.module, cx.op, spec, "operandSegmentSizes");
    for (index, operand) in spec.operands.iter().enumerate() {
        let range = spec.operand_range(index, operands.len(), segments.as_deref()).unwrap_or(0..0);
        for (at, value) in operands.iter().enumerate().take(range.end).skip(range.start) {
            let ty = cx.ty(*value);
            if !(operand.class.accepts)(cx.module, ty) {
                let fault = class_fault(cx, "operand", (at, operand.name), &operand.class, ty);
                let code = code_of(spec, operand.label, "structure/operand-type");
                return Err(fault.at(Place::Operand(at)).code(code));
            }
        }
    }
    Ok(())
}

fn result_types(cx: &Cx<'_>, spec: &OpSpec) -> Verdict {
    let results = cx.module.results(cx.op);
    let segments = access::segments(cx.module, cx.op, spec, "resultSegmentSizes");
    for (index, result) in spec.results.iter().enumerate() {
        let range = spec.result_range(index, results.len(), segments.as_deref()).unwrap_or(0..0);
        for (at, value) in results.iter().enumerate().take(range.end).skip(range.start) {
            let ty = cx.ty(value);
            if !(result.class.accepts)(cx.module, ty) {
                let fault = class_fault(cx, "result", (at, result.name), &result.class, ty);
                return Err(fault.at(Place::Result(at)).code("structure/result-type"));
            }
        }
    }
    Ok(())
}

fn class_fault(
    cx: &Cx<'_>,
    what: &str,
    (at, name): (usize, &str),
    class: &TypeClass,
    found: crate::ir::TypeId,
) -> Fault {
    Fault::new(format!("{what} #{at} (`{name}`) must be {}, got {}", class.words, cx.show(found)))
}

fn count(what: &str, code: &str, declared: impl Iterator<Item = Arity> + Clone, found: usize) -> Fault {
    let fixed = declared.clone().filter(|arity| *arity == Arity::One).count();
    let open = declared.count() - fixed;
    let wanted = match (fixed, open) {
        (0, 0) => "none".to_owned(),
        (fixed, 0) => fixed.to_string(),
        (0, open) => format!("a multiple of {open}"),
        (fixed, 1) => format!("at least {fixed}"),
        (fixed, open) => format!("{fixed} and a multiple of {open}"),
    };
    Fault::new(format!("wrong number of {what}s: expected {wanted}, got {found}")).code(code)
}

/// Segment sizes must be there, one per declared part, and add up.
fn check_segments(wanted: bool, segments: Option<&Dims>, declared: usize, values: usize, what: &str) -> Verdict {
    if !wanted {
        return Ok(());
    }
    let total =
        segments.map(|sizes| sizes.iter().try_fold(0usize, |sum, size| sum.checked_add(usize::try_from(*size).ok()?)));
    ensure(segments.is_some_and(|sizes| sizes.len() == declared) && total == Some(Some(values)), || {
        let found = segments.map_or_else(|| "none".to_owned(), |sizes| format!("{:?}", &sizes[..]));
        Fault::new(format!("{what} segment sizes must be {declared} numbers that add up to {values}, got {found}"))
            .code("structure/segment-sizes")
    })
}
