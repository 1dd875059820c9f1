//! `dot_general`: contraction of chosen dimensions of two tensors, batched over others.

use super::dims::{DimSet, List, bound_at, bounded, check_result_shapes, same_sizes_along, show, size_at};
use super::precision;
use super::quantized_product::{Elements, has_zero_zero_points, quantization_dimension};
use crate::ir::{Attribute, DYNAMIC, Dims, DotDimensionNumbers, OpId, Precision, Shape, ValueId};
use crate::ops::classes::{ANY_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Syntax, Trait};
use crate::syntax::parse::lexical::{accept, accept_keyword};
use crate::syntax::parse::{Input, OpState, PResult, Parser, keyword, punct};
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};
use crate::vhlo::history::{Change, History, Step};

op! {
    /// Contraction of chosen dimensions of two tensors, batched over others.
    pub struct DotGeneral = "stablehlo" "dot_general";
    operands {
        one I1 lhs: TENSOR;
        one I2 rhs: ANY_TENSOR;
    }
    attributes {
        required I3 dot_dimension_numbers: DotDims;
        optional I7 precision_config: PrecisionConfig;
        optional I8 algorithm: DotAlgorithmAttr;
    }
    results {
        one result: ANY_TENSOR;
    }
    regions {}
    spec {
        summary: "Multiplies and sums over the contracting dimensions of `lhs` and `rhs`, for each index of the batching dimensions",
        syntax: Syntax::Custom { parse, print },
        words: &[("dot_dimension_numbers", "contracting_dims"), ("precision_config", "precision")],
        anchor: "dot_general",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL
            .steps(&[Step::new(
                1,
                6,
                &[Change::Attributes(&[
                    "lhs_precision_type",
                    "rhs_precision_type",
                    "accumulation_type",
                    "lhs_component_count",
                    "rhs_component_count",
                    "num_primitive_operations",
                    "allow_imprecise_accumulation",
                ])],
            )])
            .declared(),
    }
}

const NUMBERS: &str = "dot_dimension_numbers";
const LHS: Place = Place::Operand(0);
const RHS: Place = Place::Operand(1);

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "lhs and rhs have the same number of batching dimensions.", c1),
    Constraint::rule("C2", "lhs and rhs have the same number of contracting dimensions.", c2),
    Constraint::rule("C3", "No dimension of lhs is batching or contracting twice.", c3),
    Constraint::rule("C4", "No dimension of rhs is batching or contracting twice.", c4),
    Constraint::rule("C5", "lhs_batching_dimensions are dimensions of lhs.", c5),
    Constraint::rule("C6", "lhs_contracting_dimensions are dimensions of lhs.", c6),
    Constraint::rule("C7", "rhs_batching_dimensions are dimensions of rhs.", c7),
    Constraint::rule("C8", "rhs_contracting_dimensions are dimensions of rhs.", c8),
    Constraint::rule("C9", "Corresponding batching dimensions have the same size.", c9),
    Constraint::rule("C10", "Corresponding contracting dimensions have the same size.", c10),
    Constraint::rule("C11", "precision_config has one entry per operand.", c11),
    Constraint::rule(
        "C12",
        "The result has the batching dimensions, then the remaining ones of lhs, then the remaining ones of rhs.",
        c12_result_shape,
    ),
    Constraint::rule("C13", "Without quantization, operands have the same element type.", c13),
    Constraint::rule("C15", "All zero points of a quantized rhs are 0.", c15),
    Constraint::rule("C16", "Scales per axis of rhs are not per index of a contracting dimension.", c16),
    Constraint::rule("C14", "With quantization, rhs is quantized, and lhs exactly when the result is.", c14),
    Constraint::rule("C17", "Quantized lhs and rhs have the same storage type.", c17),
    Constraint::rule("C18", "Quantized lhs, rhs and result have the same expressed type.", c18),
    Constraint::rule("C19", "When lhs is quantized and rhs per tensor, the result is quantized per tensor.", c19),
    Constraint::rule("C20", "An unquantized lhs and the result have the expressed type of a quantized rhs.", c20),
    Constraint::rule("C21", "With an algorithm, the precision of both operands is DEFAULT.", c21),
    Constraint::rule("C22", "The algorithm splits lhs into at least one component.", c22),
    Constraint::rule("C23", "The algorithm splits rhs into at least one component.", c23),
    Constraint::rule("C24", "The algorithm has at least one primitive operation.", c24),
    // The specification leaves open what hardware can do; upstream rejects unknown algorithms.
    Constraint::rule("X1", "The algorithm is one that some hardware is known to have.", x1_known_algorithm),
];

fn op<'m>(cx: &Cx<'m>) -> DotGeneral<'m> {
    DotGeneral::new(cx.module, cx.op)
}

fn lhs_batching(numbers: &DotDimensionNumbers) -> List<'_> {
    List::new(NUMBERS, "lhs_batching_dimensions", &numbers.lhs_batching_dimensions)
}

fn rhs_batching(numbers: &DotDimensionNumbers) -> List<'_> {
    List::new(NUMBERS, "rhs_batching_dimensions", &numbers.rhs_batching_dimensions)
}

fn lhs_contracting(numbers: &DotDimensionNumbers) -> List<'_> {
    List::new(NUMBERS, "lhs_contracting_dimensions", &numbers.lhs_contracting_dimensions)
}

fn rhs_contracting(numbers: &DotDimensionNumbers) -> List<'_> {
    List::new(NUMBERS, "rhs_contracting_dimensions", &numbers.rhs_contracting_dimensions)
}

fn c1(cx: &Cx<'_>) -> Verdict {
    let numbers = op(cx).dot_dimension_numbers();
    lhs_batching(numbers).same_length(rhs_batching(numbers))
}

fn c2(cx: &Cx<'_>) -> Verdict {
    let numbers = op(cx).dot_dimension_numbers();
    lhs_contracting(numbers).same_length(rhs_contracting(numbers))
}

fn c3(cx: &Cx<'_>) -> Verdict {
    let numbers = op(cx).dot_dimension_numbers();
    lhs_batching(numbers).distinct(lhs_contracting(numbers))
}

fn c4(cx: &Cx<'_>) -> Verdict {
    let numbers = op(cx).dot_dimension_numbers();
    rhs_batching(numbers).distinct(rhs_contracting(numbers))
}

fn c5(cx: &Cx<'_>) -> Verdict {
    lhs_batching(op(cx).dot_dimension_numbers()).in_range(cx.rank(op(cx).lhs()), "lhs")
}

fn c6(cx: &Cx<'_>) -> Verdict {
    lhs_contracting(op(cx).dot_dimension_numbers()).in_range(cx.rank(op(cx).lhs()), "lhs")
}

fn c7(cx: &Cx<'_>) -> Verdict {
    rhs_batching(op(cx).dot_dimension_numbers()).in_range(cx.rank(op(cx).rhs()), "rhs")
}

fn c8(cx: &Cx<'_>) -> Verdict {
    rhs_contracting(op(cx).dot_dimension_numbers()).in_range(cx.rank(op(cx).rhs()), "rhs")
}

/// Passes when corresponding dimensions of both operands may have the same size.
fn same_sizes(cx: &Cx<'_>, kind: &str, lhs_dims: &[i64], rhs_dims: &[i64]) -> Verdict {
    let (lhs, rhs) = (cx.shape(op(cx).lhs()), cx.shape(op(cx).rhs()));
    same_sizes_along(kind, (lhs_dims, lhs, "lhs"), (rhs_dims, rhs, "rhs")).map_err(|fault| {
        fault.at(RHS).label(LHS, format!("has shape {}", show(lhs))).label(RHS, format!("has shape {}", show(rhs)))
    })
}

fn c9(cx: &Cx<'_>) -> Verdict {
    let numbers = op(cx).dot_dimension_numbers();
    same_sizes(cx, "batching", &numbers.lhs_batching_dimensions, &numbers.rhs_batching_dimensions)
}

fn c10(cx: &Cx<'_>) -> Verdict {
    let numbers = op(cx).dot_dimension_numbers();
    same_sizes(cx, "contracting", &numbers.lhs_contracting_dimensions, &numbers.rhs_contracting_dimensions)
}

fn c11(cx: &Cx<'_>) -> Verdict {
    precision::check_count(op(cx).precision_config().as_deref())
}

fn c12_result_shape(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

fn c13(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).operands_equal()
}

fn c14(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).quantized_together()
}

fn c15(cx: &Cx<'_>) -> Verdict {
    let rhs = Elements::of(cx).rhs();
    ensure(rhs.is_none_or(has_zero_zero_points), || {
        let found = cx.show(cx.element_type(op(cx).rhs()));
        Fault::new(format!("zero points of rhs must be 0, got {found}")).at(RHS)
    })
}

fn c16(cx: &Cx<'_>) -> Verdict {
    let dimension = Elements::of(cx).rhs().and_then(quantization_dimension);
    let contracting = &op(cx).dot_dimension_numbers().rhs_contracting_dimensions;
    ensure(dimension.is_none_or(|dimension| !contracting.contains(&dimension)), || {
        let message = format!(
            "the quantization dimension of rhs, {}, must not be among rhs_contracting_dimensions, {}",
            dimension.unwrap_or_default(),
            show(contracting)
        );
        Fault::new(message).at(RHS)
    })
}

fn c17(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).storage_types()
}

fn c18(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).expressed_types()
}

fn c19(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).granularity()
}

fn c20(cx: &Cx<'_>) -> Verdict {
    Elements::of(cx).weights_only()
}

fn c21(cx: &Cx<'_>) -> Verdict {
    let precisions = op(cx).precision_config().unwrap_or_default();
    let other = precisions.iter().find(|precision| **precision != Precision::Default);
    ensure(op(cx).algorithm().is_none() || other.is_none(), || {
        let found = other.map_or("", |precision| precision.word());
        Fault::new(format!("precision_config must be DEFAULT when there is an algorithm, got {found}"))
            .at(Place::Attr("precision_config"))
            .label(Place::Attr("algorithm"), "the algorithm")
    })
}

/// Reports the fault of the algorithm that belongs to the rule `label`.
fn algorithm(cx: &Cx<'_>, label: &str) -> Verdict {
    let fault = op(cx).algorithm().and_then(|algorithm| precision::algorithm_fault(cx.module, algorithm));
    match fault {
        Some((broken, message)) if broken == label => Err(Fault::new(message).at(Place::Attr("algorithm"))),
        _ => Ok(()),
    }
}

fn c22(cx: &Cx<'_>) -> Verdict {
    algorithm(cx, "C22")
}

fn c23(cx: &Cx<'_>) -> Verdict {
    algorithm(cx, "C23")
}

fn c24(cx: &Cx<'_>) -> Verdict {
    algorithm(cx, "C24")
}

fn x1_known_algorithm(cx: &Cx<'_>) -> Verdict {
    algorithm(cx, "X1")
}

/// Shape of the result; its element type does not follow from the operands.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = op(cx);
    let numbers = op.dot_dimension_numbers();
    let (mut shape, mut bounds) = (Shape::new(), Shape::new());
    let side = |value: ValueId| (cx.shape(value), cx.bounds(value));
    let ((lhs, lhs_bounds), (rhs, rhs_bounds)) = (side(op.lhs()), side(op.rhs()));
    for (lhs_dim, rhs_dim) in numbers.lhs_batching_dimensions.iter().zip(&numbers.rhs_batching_dimensions) {
        let (size, bound) = most_specific(
            (size_at(lhs, *lhs_dim), size_at(lhs_bounds, *lhs_dim)),
            (size_at(rhs, *rhs_dim), size_at(rhs_bounds, *rhs_dim)),
        )?;
        shape.push(size);
        bounds.push(bound);
    }
    let sides = [
        (lhs, lhs_bounds, &numbers.lhs_batching_dimensions, &numbers.lhs_contracting_dimensions),
        (rhs, rhs_bounds, &numbers.rhs_batching_dimensions, &numbers.rhs_contracting_dimensions),
    ];
    for (sizes, side_bounds, batching, contracting) in sides {
        for dim in DimSet::new(sizes.len(), &[batching, contracting]).others() {
            shape.push(sizes[dim]);
            bounds.push(bound_at(side_bounds, dim));
        }
    }
    Ok(vec![bounded(shape, bounds, None)])
}

/// Size and bound of a dimension of which two sides say something.
fn most_specific(lhs: (i64, i64), rhs: (i64, i64)) -> Result<(i64, i64), Fault> {
    let size = if lhs.0 == DYNAMIC { rhs.0 } else { lhs.0 };
    let bound = match (lhs.1, rhs.1) {
        (DYNAMIC, bound) | (bound, DYNAMIC) => bound,
        (a, b) => a.min(b),
    };
    if size == DYNAMIC {
        return Ok((DYNAMIC, bound));
    }
    ensure(bound == DYNAMIC || size <= bound, || {
        Fault::new(format!("a batching dimension has size {size} on one side and the bound {bound} on the other"))
    })?;
    Ok((size, DYNAMIC))
}

/// `%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, HIGH], algorithm = <…> : (T, U) -> V`
fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some(Attribute::DotDimensionNumbers(dims)) =
        module.property(op, "dot_dimension_numbers").map(|attr| module.attr(attr))
    else {
        return p.give_up();
    };
    p.out.push(' ');
    p.values(module.operands(op));
    p.out.push_str(", ");
    if !dims.lhs_batching_dimensions.is_empty() || !dims.rhs_batching_dimensions.is_empty() {
        p.out.push_str("batching_dims = ");
        p.i64_list(&dims.lhs_batching_dimensions);
        p.out.push_str(" x ");
        p.i64_list(&dims.rhs_batching_dimensions);
        p.out.push_str(", ");
    }
    p.out.push_str("contracting_dims = ");
    p.i64_list(&dims.lhs_contracting_dimensions);
    p.out.push_str(" x ");
    p.i64_list(&dims.rhs_contracting_dimensions);
    for (name, keyword) in [("precision_config", ", precision = "), ("algorithm", ", algorithm = ")] {
        if let Some(attr) = module.property(op, name) {
            p.out.push_str(keyword);
            p.bare_attr(attr);
        }
    }
    p.attr_dict(op, &["dot_dimension_numbers", "precision_config", "algorithm"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print`] writes.
fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.operand(i, state)?;
    let (i, ()) = punct!(i, ",")?;
    let (i, ()) = parser.operand(i, state)?;
    let (mut i, ()) = punct!(i, ",")?;
    let mut dims = DotDimensionNumbers::default();
    if let Some(rest) = accept_keyword(i, "batching_dims") {
        (i, (dims.lhs_batching_dimensions, dims.rhs_batching_dimensions)) = pair_of_lists(parser, rest)?;
        (i, ()) = punct!(i, ",")?;
    }
    (i, ()) = keyword!(i, "contracting_dims")?;
    (i, (dims.lhs_contracting_dimensions, dims.rhs_contracting_dimensions)) = pair_of_lists(parser, i)?;
    let dims = parser.module.intern_attr(Attribute::DotDimensionNumbers(Box::new(dims)));
    parser.set_attribute(state, "dot_dimension_numbers", dims);
    for (name, word) in [("precision_config", "precision"), ("algorithm", "algorithm")] {
        if let Some(rest) = accept(i, ",").and_then(|rest| accept_keyword(rest, word)) {
            (i, ()) = punct!(rest, "=")?;
            (i, ()) = parser.slot(i, state, name)?;
        }
    }
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Function)
}

/// `= [0] x [1]`
fn pair_of_lists<'s>(parser: &mut Parser<'s>, i: Input<'s>) -> PResult<'s, (Dims, Dims)> {
    let (i, ()) = punct!(i, "=")?;
    let (i, lhs) = parser.i64_list(i)?;
    let (i, ()) = keyword!(i, "x")?;
    let (i, rhs) = parser.i64_list(i)?;
    Ok((i, (lhs, rhs)))
}
