//! What upstream's tools demand of `custom_call`; the specification leaves it to the implementation.

use super::dims::same_sizes;
use super::foreign::CustomCall;
use super::tuples::elements as tuple_elements;
use crate::ir::{AttrId, Attribute, OutputOperandAlias, Type, TypeId};
use crate::verify::{Cx, Fault, Integers, Place, Verdict, ensure};

pub(super) fn x1_layouts(cx: &Cx<'_>) -> Verdict {
    let op = CustomCall::new(cx.module, cx.op);
    let (operand_layouts, result_layouts) = match (op.operand_layouts(), op.result_layouts()) {
        (None, None) => return Ok(()),
        (Some(operands), Some(results)) => (operands, results),
        (operands, _) => {
            let given = if operands.is_some() { "operand_layouts" } else { "result_layouts" };
            return Err(Fault::new(format!(
                "layouts must be given for operands and results or for neither, got only {given}"
            ))
            .at(Place::Attr(given)));
        }
    };
    let (operands, results) = (cx.operand_types(), cx.result_types());
    // The one tuple that a call may return has a layout for each of its elements.
    let results = match results[..] {
        [only] => tuple_elements(cx, only).map_or(results, <[TypeId]>::to_vec),
        _ => results,
    };
    check_layouts(cx, ("operand", "operand_layouts"), &operands, operand_layouts)?;
    check_layouts(cx, ("result", "result_layouts"), &results, result_layouts)
}

fn check_layouts(cx: &Cx<'_>, (what, attr): (&str, &'static str), types: &[TypeId], layouts: &[AttrId]) -> Verdict {
    let fault = |message: String| Fault::new(message).at(Place::Attr(attr));
    ensure(types.len() == layouts.len(), || {
        fault(format!("expected one layout per {what}, {}, got {}", types.len(), layouts.len()))
    })?;
    for (index, (ty, layout)) in types.iter().zip(layouts).enumerate() {
        let shown = || cx.module.display_attr(*layout).to_string();
        ensure(tuple_elements(cx, *ty).is_none(), || {
            fault(format!("{what} #{index} is a tuple, which cannot have a layout"))
        })?;
        let dims = Integers::of(cx.module, *layout);
        let n_dims = dims.as_ref().map_or(0, Integers::count);
        if matches!(cx.module.ty(*ty), Type::UnrankedTensor { .. } | Type::MemRef { shape: None, .. }) {
            continue;
        }
        let Some(rank) = cx.module.rank(*ty) else {
            ensure(n_dims == 0, || {
                fault(format!("only tensors have layouts: {what} #{index} has type {}, got {}", cx.show(*ty), shown()))
            })?;
            continue;
        };
        let mut sorted = dims.and_then(|dims| dims.to_vec(rank)).unwrap_or_default();
        sorted.sort_unstable();
        ensure(n_dims == rank && sorted.iter().copied().eq(0..rank as i64), || {
            fault(format!(
                "the layout of {what} #{index} of type {} must be a permutation of [0, {rank}), got {}",
                cx.show(*ty),
                shown()
            ))
        })?;
    }
    Ok(())
}

/// The part of a type that tuple indices lead to.
fn part(cx: &Cx<'_>, mut ty: TypeId, indices: &[i64]) -> Option<TypeId> {
    for index in indices {
        ty = *tuple_elements(cx, ty)?.get(usize::try_from(*index).ok()?)?;
    }
    Some(ty)
}

/// The part of the results that indices lead to; several results count as a tuple.
fn result_part(cx: &Cx<'_>, indices: &[i64]) -> Option<TypeId> {
    let results = cx.result_types();
    match (&results[..], indices) {
        ([only], _) => part(cx, *only, indices),
        (all, [first, rest @ ..]) => part(cx, *all.get(usize::try_from(*first).ok()?)?, rest),
        _ => None,
    }
}

fn aliases<'m>(cx: &Cx<'m>) -> impl Iterator<Item = &'m OutputOperandAlias> + use<'m> {
    let module = cx.module;
    let attrs = CustomCall::new(module, cx.op).output_operand_aliases().unwrap_or(&[]);
    attrs.iter().filter_map(move |attr| match module.attr(*attr) {
        Attribute::OutputOperandAlias(alias) => Some(&**alias),
        _ => None,
    })
}

fn alias_fault(message: String) -> Fault {
    Fault::new(message).at(Place::Attr("output_operand_aliases"))
}

pub(super) fn x2_aliases(cx: &Cx<'_>) -> Verdict {
    let operands = cx.module.operands(cx.op);
    for alias in aliases(cx) {
        let operand = usize::try_from(alias.operand_index).ok().and_then(|index| operands.get(index));
        let Some(operand) = operand else {
            let n = operands.len();
            return Err(alias_fault(format!("operand_index must be in range [0, {n}), got {}", alias.operand_index)));
        };
        let Some(from) = part(cx, cx.ty(*operand), &alias.operand_tuple_indices) else {
            let message = "operand_tuple_indices lead to nothing";
            return Err(alias_fault(format!("{message}: operand has type {}", cx.show(cx.ty(*operand)))));
        };
        let Some(to) = result_part(cx, &alias.output_tuple_indices) else {
            let found = super::dims::show(&alias.output_tuple_indices);
            return Err(alias_fault(format!("output_tuple_indices lead to nothing: there is no result part {found}")));
        };
        ensure(from == to, || {
            alias_fault(format!("aliased parts must have the same type, got {} and {}", cx.show(from), cx.show(to)))
        })?;
    }
    Ok(())
}

pub(super) fn x3_backend_config(cx: &Cx<'_>) -> Verdict {
    let op = CustomCall::new(cx.module, cx.op);
    let version = op.api_version().unwrap_or(1);
    ensure((0..=4).contains(&version), || {
        Fault::new(format!("api_version must be in range [0, 4], got {version}"))
            .at(Place::Attr("api_version"))
            .code("custom_call_i5")
    })?;
    let Some(config) = op.backend_config() else {
        return Ok(());
    };
    let is_dictionary = matches!(cx.module.attr(config), Attribute::Dictionary(_));
    ensure(is_dictionary == (version == 4), || {
        let wanted = if version == 4 { "a dictionary" } else { "a string" };
        Fault::new(format!(
            "backend_config must be {wanted} with api_version {version}, got {}",
            cx.module.display_attr(config)
        ))
        .at(Place::Attr("backend_config"))
    })
}

pub(super) fn x4_buffers(cx: &Cx<'_>) -> Verdict {
    let op = CustomCall::new(cx.module, cx.op);
    match op.call_target_name() {
        b"CreateBuffer" => {
            ensure(op.inputs().is_empty(), || {
                Fault::new(format!("CreateBuffer takes no operands, got {}", op.inputs().len()))
            })?;
            match cx.result_types()[..] {
                [only] if is_buffer(cx, only) => Ok(()),
                _ => Err(Fault::new("CreateBuffer gives one memref")),
            }
        }
        b"Pin" => converts(cx, "Pin", (false, "tensor"), (true, "memref")),
        b"Unpin" => converts(cx, "Unpin", (true, "memref"), (false, "tensor")),
        _ => buffers_are_aliased(cx),
    }
}

fn is_buffer(cx: &Cx<'_>, ty: TypeId) -> bool {
    matches!(cx.module.ty(ty), Type::MemRef { .. })
}

fn is_tensor(cx: &Cx<'_>, ty: TypeId) -> bool {
    matches!(cx.module.ty(ty), Type::RankedTensor(_) | Type::UnrankedTensor { .. })
}

/// One operand of one kind becomes one result of another kind, of the same shape and element type.
fn converts(
    cx: &Cx<'_>,
    name: &str,
    (from_buffer, from_words): (bool, &str),
    (to_buffer, to_words): (bool, &str),
) -> Verdict {
    let operands = cx.operand_types();
    let fits = |ty: TypeId, buffer: bool| if buffer { is_buffer(cx, ty) } else { is_tensor(cx, ty) };
    let (&[from], &[to]) = (&operands[..], &cx.result_types()[..]) else {
        return Err(Fault::new(format!("{name} takes one {from_words} and gives one {to_words}")));
    };
    ensure(fits(from, from_buffer) && fits(to, to_buffer), || {
        let found = format!("got {} and {}", cx.show(from), cx.show(to));
        Fault::new(format!("{name} takes a {from_words} and gives a {to_words}, {found}"))
    })?;
    let same_shape = match (cx.module.shape(from), cx.module.shape(to)) {
        (Some(a), Some(b)) => same_sizes(a, b),
        _ => true,
    };
    ensure(same_shape && cx.module.element_type(from) == cx.module.element_type(to), || {
        let found = format!("got {} and {}", cx.show(from), cx.show(to));
        Fault::new(format!("{name} keeps shape and element type, {found}"))
    })
}

/// Results that are buffers are operands given back.
fn buffers_are_aliased(cx: &Cx<'_>) -> Verdict {
    let mut outputs = rustc_hash::FxHashSet::default();
    let mut inputs = rustc_hash::FxHashSet::default();
    for alias in aliases(cx) {
        if !result_part(cx, &alias.output_tuple_indices).is_some_and(|ty| is_buffer(cx, ty)) {
            continue;
        }
        ensure(outputs.insert(&alias.output_tuple_indices[..]), || {
            let part = super::dims::show(&alias.output_tuple_indices);
            alias_fault(format!("the memref at {part} of the results is aliased twice"))
        })?;
        ensure(inputs.insert((alias.operand_index, &alias.operand_tuple_indices[..])), || {
            alias_fault(format!("a memref of operand #{} is aliased twice", alias.operand_index))
        })?;
    }
    let results = cx.result_types();
    let mut pending: Vec<(TypeId, Vec<i64>)> = match results[..] {
        [only] => vec![(only, Vec::new())],
        _ => results.iter().enumerate().map(|(index, ty)| (*ty, vec![index as i64])).collect(),
    };
    while let Some((ty, indices)) = pending.pop() {
        if let Some(elements) = tuple_elements(cx, ty) {
            pending.extend(elements.iter().enumerate().map(|(at, ty)| {
                let mut indices = indices.clone();
                indices.push(at as i64);
                (*ty, indices)
            }));
            continue;
        }
        ensure(!is_buffer(cx, ty) || outputs.contains(&indices[..]), || {
            alias_fault(format!("the memref at {} of the results must be aliased", super::dims::show(&indices)))
        })?;
    }
    Ok(())
}
