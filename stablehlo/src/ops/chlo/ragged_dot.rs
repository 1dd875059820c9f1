//! `chlo.ragged_dot`: a contraction in which one dimension falls into groups of given sizes.
//!
//! The kind of that dimension makes three modes: rows of the result in groups, each with its own right-hand matrix
//! (`[b, m, k] · [g, b, k, n]`), a contracted dimension in groups, each with its own result (`[g, b, m, n]`), and a
//! batching dimension in groups.

use crate::ir::{RaggedDotDimensionNumbers, Shape};
use crate::ops::classes::INTEGER_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Numerics, Trait};
use crate::ops::stablehlo::dims::{DimSet, List, check_result_shapes, compatible, same_sizes_along, show, size_at};
use crate::ops::stablehlo::precision;
use crate::ops::value_classes::CHLO_TENSOR;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// A contraction over groups of rows.
    pub struct RaggedDot = "chlo" "ragged_dot";
    operands { one _ lhs: CHLO_TENSOR; one _ rhs: CHLO_TENSOR; one _ group_sizes: INTEGER_TENSOR; }
    attributes {
        required _ ragged_dot_dimension_numbers: RaggedDotDims;
        optional _ precision_config: ChloPrecisionConfig;
    }
    results { one result: CHLO_TENSOR; }
    regions {}
    spec {
        summary: "Contracts `lhs` with `rhs`, where one dimension of `lhs` falls into groups of the sizes `group_sizes`",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint {
                label: "C1",
                text: "lhs, rhs and group_sizes are ranked, and there is no more than one precision per operand.",
                check: Check::Fn(c1_ranked),
            },
            Constraint {
                label: "C2",
                text: "lhs and rhs have as many batching and as many contracting dimensions as each other.",
                check: Check::Fn(c2_lengths),
            },
            Constraint {
                label: "C3",
                text: "All dimensions named exist, and none is named twice for one operand.",
                check: Check::Fn(c3_dimensions),
            },
            Constraint {
                label: "C4",
                text: "Batching and contracting dimensions have the same sizes on both sides.",
                check: Check::Fn(c4_sizes),
            },
            Constraint {
                label: "C5",
                text: "lhs has exactly one ragged dimension.",
                check: Check::Fn(c5_ragged),
            },
            Constraint {
                label: "C6",
                text: "group_sizes has one dimension, the groups, or in front of it those dimensions of lhs that go before the ragged one: the batching dimensions and the ones of its own kind.",
                check: Check::Fn(c6_group_sizes),
            },
            Constraint {
                label: "C7",
                text: "The group dimensions of rhs exist and are neither batching nor contracting.",
                check: Check::Fn(c7_group_dimensions),
            },
            Constraint {
                label: "C8",
                text: "rhs has one group dimension, of the number of groups, when rows of lhs are ragged, and none otherwise.",
                check: Check::Fn(c8_one_group),
            },
            Constraint {
                label: "C9",
                text: "The result has the number of groups, if a contracting dimension is ragged, then the batching dimensions, then what is left of lhs and of rhs.",
                check: Check::Fn(c9_result),
            },
        ],
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
    }
}

const NUMBERS: &str = "ragged_dot_dimension_numbers";

/// What the ragged dimension of `lhs` is otherwise.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Mode {
    Free,
    Contracting,
    Batching,
}

fn op<'m>(cx: &Cx<'m>) -> RaggedDot<'m> {
    RaggedDot::new(cx.module, cx.op)
}

fn numbers<'m>(cx: &Cx<'m>) -> &'m RaggedDotDimensionNumbers {
    op(cx).ragged_dot_dimension_numbers()
}

fn list<'a>(name: &'static str, dims: &'a [i64]) -> List<'a> {
    List::new(NUMBERS, name, dims)
}

/// Batching and contracting dimensions of both sides, with their names.
fn lists(numbers: &RaggedDotDimensionNumbers) -> [List<'_>; 4] {
    [
        list("lhs_batching_dimensions", &numbers.lhs_batching_dimensions),
        list("rhs_batching_dimensions", &numbers.rhs_batching_dimensions),
        list("lhs_contracting_dimensions", &numbers.lhs_contracting_dimensions),
        list("rhs_contracting_dimensions", &numbers.rhs_contracting_dimensions),
    ]
}

fn c1_ranked(cx: &Cx<'_>) -> Verdict {
    for (index, operand) in cx.module.operands(cx.op).iter().enumerate() {
        let ty = cx.ty(*operand);
        ensure(cx.module.tensor(ty).is_some(), || {
            Fault::new(format!("operand #{index} must be ranked, got {}", cx.show(ty))).at(Place::Operand(index))
        })?;
    }
    precision::check_count(op(cx).precision_config().as_deref())
}

fn c2_lengths(cx: &Cx<'_>) -> Verdict {
    let [lhs_batching, rhs_batching, lhs_contracting, rhs_contracting] = lists(numbers(cx));
    lhs_batching.same_length(rhs_batching)?;
    lhs_contracting.same_length(rhs_contracting)
}

fn c3_dimensions(cx: &Cx<'_>) -> Verdict {
    let [lhs_batching, rhs_batching, lhs_contracting, rhs_contracting] = lists(numbers(cx));
    lhs_batching.distinct(lhs_contracting)?;
    rhs_batching.distinct(rhs_contracting)?;
    for (list, value, name) in [
        (lhs_batching, op(cx).lhs(), "lhs"),
        (lhs_contracting, op(cx).lhs(), "lhs"),
        (rhs_batching, op(cx).rhs(), "rhs"),
        (rhs_contracting, op(cx).rhs(), "rhs"),
    ] {
        list.in_range(cx.rank(value), name)?;
    }
    Ok(())
}

fn c4_sizes(cx: &Cx<'_>) -> Verdict {
    let [lhs_batching, rhs_batching, lhs_contracting, rhs_contracting] = lists(numbers(cx));
    let (lhs, rhs) = (cx.shape(op(cx).lhs()), cx.shape(op(cx).rhs()));
    for (kind, ours, theirs) in
        [("batching", lhs_batching, rhs_batching), ("contracting", lhs_contracting, rhs_contracting)]
    {
        same_sizes_along(kind, (ours.dims, lhs, "lhs"), (theirs.dims, rhs, "rhs"))
            .map_err(|fault| fault.at(Place::Attr(NUMBERS)))?;
    }
    Ok(())
}

fn c5_ragged(cx: &Cx<'_>) -> Verdict {
    let ragged = list("lhs_ragged_dimensions", &numbers(cx).lhs_ragged_dimensions);
    ragged.length(1, "the ragged dimension")?;
    ragged.in_range(cx.rank(op(cx).lhs()), "lhs")
}

/// The ragged dimension and its kind, once it is known to be the only one.
fn ragged(cx: &Cx<'_>) -> (i64, Mode) {
    let numbers = numbers(cx);
    let ragged = numbers.lhs_ragged_dimensions.first().copied().unwrap_or(0);
    let mode = if numbers.lhs_batching_dimensions.contains(&ragged) {
        Mode::Batching
    } else if numbers.lhs_contracting_dimensions.contains(&ragged) {
        Mode::Contracting
    } else {
        Mode::Free
    };
    (ragged, mode)
}

/// Sizes that `group_sizes` may have in front of the groups.
fn prefix(cx: &Cx<'_>) -> Shape {
    let numbers = numbers(cx);
    let (ragged, mode) = ragged(cx);
    let (batching, contracting) = (&numbers.lhs_batching_dimensions, &numbers.lhs_contracting_dimensions);
    let before = |dims: &[i64]| dims.iter().copied().take_while(|dim| *dim != ragged).collect::<Vec<_>>();
    let dims: Vec<i64> = match mode {
        Mode::Batching => before(batching),
        Mode::Contracting => batching.iter().copied().chain(before(contracting)).collect(),
        Mode::Free => {
            let taken = DimSet::new(usize::try_from(ragged).unwrap_or(0), &[batching, contracting]);
            batching.iter().copied().chain(taken.others().map(|dim| dim as i64)).collect()
        }
    };
    let lhs = cx.shape(op(cx).lhs());
    dims.into_iter().map(|dim| size_at(lhs, dim)).collect()
}

fn c6_group_sizes(cx: &Cx<'_>) -> Verdict {
    let found = cx.shape(op(cx).group_sizes());
    let prefix = prefix(cx);
    let place = Place::Operand(2);
    ensure(found.len() == 1 || found.len() == prefix.len() + 1, || {
        let wanted = prefix.len() + 1;
        let or_one = if wanted == 1 { "" } else { " or 1" };
        Fault::new(format!("group_sizes must have rank {wanted}{or_one}, got {}", found.len())).at(place)
    })?;
    let fits = found.len() == 1 || found.iter().zip(&prefix).all(|(a, b)| compatible(*a, *b));
    ensure(fits, || {
        Fault::new(format!(
            "group_sizes must have sizes {} in front of the groups, got shape {}",
            show(&prefix),
            show(found)
        ))
        .at(place)
        .label(Place::Operand(0), format!("has shape {}", show(cx.shape(op(cx).lhs()))))
    })
}

/// Number of groups.
fn n_groups(cx: &Cx<'_>) -> i64 {
    cx.shape(op(cx).group_sizes()).last().copied().unwrap_or(1)
}

fn c7_group_dimensions(cx: &Cx<'_>) -> Verdict {
    let [_, rhs_batching, _, rhs_contracting] = lists(numbers(cx));
    let group = list("rhs_group_dimensions", &numbers(cx).rhs_group_dimensions);
    group.in_range(cx.rank(op(cx).rhs()), "rhs")?;
    group.distinct(rhs_batching)?;
    group.distinct(rhs_contracting)
}

fn c8_one_group(cx: &Cx<'_>) -> Verdict {
    let group = list("rhs_group_dimensions", &numbers(cx).rhs_group_dimensions);
    if ragged(cx).1 != Mode::Free {
        return group.length(0, "as the ragged dimension is batching or contracting");
    }
    group.length(1, "as the ragged dimension is neither batching nor contracting")?;
    let (wanted, found) = (n_groups(cx), size_at(cx.shape(op(cx).rhs()), group.dims[0]));
    ensure(compatible(wanted, found), || {
        let message = format!("the group dimension of rhs must have one entry per group, {wanted}, got {found}");
        Fault::new(message).at(Place::Operand(1)).label(Place::Operand(2), format!("has {wanted} groups"))
    })
}

fn c9_result(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let numbers = numbers(cx);
    let (lhs, rhs) = (cx.shape(op(cx).lhs()), cx.shape(op(cx).rhs()));
    let mut shape = Shape::new();
    if ragged(cx).1 == Mode::Contracting {
        shape.push(n_groups(cx));
    }
    shape.extend(numbers.lhs_batching_dimensions.iter().map(|dim| size_at(lhs, *dim)));
    push_free(&mut shape, lhs, &[&numbers.lhs_batching_dimensions, &numbers.lhs_contracting_dimensions]);
    let taken: [&[i64]; 3] =
        [&numbers.rhs_batching_dimensions, &numbers.rhs_contracting_dimensions, &numbers.rhs_group_dimensions];
    push_free(&mut shape, rhs, &taken);
    Ok(vec![Inferred::tensor(shape, cx.element_type(op(cx).lhs()))])
}

/// Appends the sizes of the dimensions that none of the lists `taken` names.
fn push_free(shape: &mut Shape, sizes: &[i64], taken: &[&[i64]]) {
    shape.extend(DimSet::new(sizes.len(), taken).others().map(|dim| sizes[dim]));
}
