//! `reduce`: folding of dimensions with a function.

use super::computation::{Reduction, accumulator_elements, check_reducer};
use super::dims::{DimSet, List, bound_at, bounded, check_result_shapes, same_shape};
use crate::ir::{
    Attribute, BlockArgument, NewOp, OpId, OpName, OpSource, RankedTensor, RegionId, Shape, Span, Type, ValueId,
};
use crate::ops::OpKind;
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Arity, Constraint, Infer, Numerics, Syntax, Trait};
use crate::syntax::parse::lexical::{accept, accept_keyword, bare_id, skip};
use crate::syntax::parse::{Input, OpState, PResult, Parser, TrailingLocation, fault, keyword, punct};
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};
use crate::vhlo::history::{EQUAL_ELEMENT_TYPES, History};

op! {
    /// Folding of dimensions with a function.
    pub struct Reduce = "stablehlo" "reduce";
    operands {
        many I1 inputs: TENSOR;
        many I2 init_values: TENSOR;
    }
    attributes {
        required I3 dimensions: I64Array;
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I4 body;
    }
    spec {
        summary: "Folds `inputs` along `dimensions` with `body`, beginning with `init_values`",
        syntax: Syntax::Custom { parse, print },
        // `(%a init: %x), (%b init: %y)`
        operand_places: Some(|index, n| if index < n / 2 { 2 * index } else { 2 * (index - n / 2) + 1 }),
        anchor: "reduce",
        traits: &[Trait::Pure, Trait::SingleBlock],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL.demands(EQUAL_ELEMENT_TYPES).declared(),
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C3", "There are as many inputs, initial values and results, at least one of each.", c3_counts),
    Constraint::rule("C1", "All inputs have the same shape.", c1_input_shapes),
    Constraint::rule("C4", "dimensions are dimensions of the inputs.", c4_in_range),
    Constraint::rule("C5", "dimensions does not name a dimension twice.", c5_unique),
    Constraint::rule(
        "C6",
        "body takes two values for each input and returns one, all 0-dimensional, with an element type that the input's \
         can be promoted to.",
        c6_body,
    ),
    Constraint::rule("C2", "Each initial value has the element type of its input.", c2_element_types),
    Constraint::rule("C7", "Results have the inputs' dimensions without the reduced ones.", c7_result_shapes),
    Constraint::rule("C8", "Results have the element types that body returns.", c8_result_element_types),
];

fn op<'m>(cx: &Cx<'m>) -> Reduce<'m> {
    Reduce::new(cx.module, cx.op)
}

/// Passes when there are `n` inputs, initial values and results each, and `n` is not 0.
pub fn check_counts(cx: &Cx<'_>, inputs: &[ValueId], init_values: &[ValueId]) -> Verdict {
    let n_results = cx.module.results(cx.op).len();
    ensure(!inputs.is_empty(), || Fault::new("there must be at least one input"))?;
    ensure(inputs.len() == init_values.len() && inputs.len() == n_results, || {
        let (n, n_init) = (inputs.len(), init_values.len());
        Fault::new(format!(
            "there must be as many inputs as initial values and results, got {n}, {n_init} and {n_results}"
        ))
    })
}

/// Passes when each operand from number `first` on has the element type of its partner in `inputs`.
pub fn check_element_types(cx: &Cx<'_>, inputs: &[ValueId], first: usize) -> Verdict {
    (0..inputs.len())
        .try_for_each(|index| cx.same_element_type(&[Place::Operand(index), Place::Operand(first + index)]))
}

fn c3_counts(cx: &Cx<'_>) -> Verdict {
    check_counts(cx, op(cx).inputs(), op(cx).init_values())
}

fn c1_input_shapes(cx: &Cx<'_>) -> Verdict {
    same_shape(cx, (0..op(cx).inputs().len()).map(Place::Operand))
}

fn dimensions<'m>(cx: &Cx<'m>) -> List<'m> {
    List::new("dimensions", "dimensions", op(cx).dimensions())
}

fn c4_in_range(cx: &Cx<'_>) -> Verdict {
    dimensions(cx).in_range(cx.rank(op(cx).inputs()[0]), "the inputs")
}

fn c5_unique(cx: &Cx<'_>) -> Verdict {
    dimensions(cx).unique()
}

/// The reduced dimensions as a set.
fn reduced(cx: &Cx<'_>) -> DimSet {
    DimSet::new(cx.rank(op(cx).inputs()[0]), &[op(cx).dimensions()])
}

/// Sizes of the first input without the reduced dimensions.
fn kept_sizes(cx: &Cx<'_>) -> Shape {
    let shape = cx.shape(op(cx).inputs()[0]);
    reduced(cx).others().map(|dim| shape[dim]).collect()
}

fn c6_body(cx: &Cx<'_>) -> Verdict {
    check_reducer(
        cx,
        &Reduction {
            name: "body",
            region: 0,
            inputs: &cx.types(op(cx).inputs()),
            init_values: &cx.types(op(cx).init_values()),
            elementwise: false,
            allowed_sizes: &kept_sizes(cx),
        },
    )
}

fn c2_element_types(cx: &Cx<'_>) -> Verdict {
    check_element_types(cx, op(cx).inputs(), op(cx).inputs().len())
}

fn c7_result_shapes(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

fn c8_result_element_types(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The first input's shape without the reduced dimensions, with what body returns.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let first = op(cx).inputs()[0];
    let shape = kept_sizes(cx);
    let bounds: Shape = reduced(cx).others().map(|dim| bound_at(cx.bounds(first), dim)).collect();
    let elements = accumulator_elements(cx, 0)?;
    Ok(elements.into_iter().map(|element| bounded(shape.clone(), bounds.clone(), Some(element))).collect())
}

/// `(%x init: %i), (%y init: %j) applies stablehlo.add across dimensions = [0] {…} : (T, U) -> V`, or without `applies` and
/// with the body on a line of its own: `reducer(%a: T, %b: T) (%c: U, %d: U)  {…}`.
fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let operands = module.operands(op);
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let dimensions = module.property(op, "dimensions").map(|attr| module.attr(attr));
    let (Some(Attribute::DenseI64Array(dimensions)), [body]) = (dimensions, module.regions(op)) else {
        return p.give_up();
    };
    let [block] = *module.blocks(*body) else { return p.give_up() };
    let arguments = &module.block(block).arguments;
    if inputs.is_empty() || inputs.len() != inits.len() || arguments.len() != operands.len() {
        return p.give_up();
    }
    for (index, (input, init)) in inputs.iter().zip(inits).enumerate() {
        p.out.push_str(if index > 0 { ", (" } else { "(" });
        p.value(*input);
        p.out.push_str(" init: ");
        p.value(*init);
        p.out.push(')');
    }
    let applied = applied_op(p, op, *body);
    if let Some(applied) = applied {
        p.out.extend([" applies ", applied.name()]);
    }
    p.out.push_str(" across dimensions = ");
    p.i64_list(dimensions);
    p.attr_dict(op, &["dimensions"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
    if applied.is_some() {
        return;
    }
    p.out.push('\n');
    p.indentation();
    p.out.push_str(" reducer");
    for index in 0..inputs.len() {
        p.out.push('(');
        p.block_argument(block, index, arguments[index]);
        p.out.push_str(", ");
        let second = index + inputs.len();
        p.block_argument(block, second, arguments[second]);
        p.out.push_str(") ");
    }
    p.out.push(' ');
    p.region(*body, false, false);
}

/// The op that the short form names: the body does nothing but apply it to the two arguments, in order.
fn applied_op(p: &Printer<'_>, op: OpId, body: RegionId) -> Option<OpKind> {
    let module = p.module;
    let [block] = *module.blocks(body) else { return None };
    let block = module.block(block);
    let ([first, second], [inner, last]) = (&block.arguments[..], &block.ops[..]) else { return None };
    let kind = module.kind(*inner).filter(|kind| can_apply(*kind))?;
    let result = module.result(*inner)?;
    let input = module.tensor(module.value_type(*module.operands(op).first()?))?;
    let ty = module.value_type(result);
    let is_scalar = module
        .tensor(ty)
        .is_some_and(|tensor| tensor.shape.is_empty() && tensor.encoding.is_none() && tensor.element == input.element);
    let fits = is_scalar
        && module.operands(*inner) == [*first, *second]
        && module.value_type(*first) == ty
        && module.value_type(*second) == ty
        && module.kind(*last) == Some(OpKind::Return)
        && module.operands(*last) == [result];
    fits.then_some(kind)
}

/// A commutative op of two operands and one result.
fn can_apply(kind: OpKind) -> bool {
    let spec = kind.spec();
    spec.dialect == "stablehlo"
        && spec.has(Trait::Commutative)
        && spec.regions.is_empty()
        && spec.operands.len() == 2
        && spec.operands.iter().all(|operand| operand.arity == Arity::One)
        && spec.results.len() == 1
}

/// Reads either of the forms that [`print`] writes.
fn parse<'s>(parser: &mut Parser<'s>, mut i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    // Upstream takes the place behind the name for the op's.
    let place = parser.module.implied_location(parser.offset(skip(i)));
    state.location = TrailingLocation::Known(parser.module.intern_location(place));
    let mut inits = Vec::new();
    loop {
        (i, ()) = punct!(i, "(")?;
        (i, ()) = parser.operand(i, state)?;
        (i, ()) = keyword!(i, "init")?;
        (i, ()) = punct!(i, ":")?;
        let init;
        (i, init) = parser.ssa_use(i)?;
        inits.push(init);
        (i, ()) = punct!(i, ")")?;
        match accept(i, ",") {
            Some(rest) => i = rest,
            None => break,
        }
    }
    state.operands.extend(inits);
    let applied_at = accept_keyword(i, "applies");
    let mut applied = None;
    if let Some(at) = applied_at {
        let kind;
        (i, kind) = applied_kind(at)?;
        applied = Some(kind);
    }
    (i, ()) = keyword!(i, "across")?;
    (i, ()) = keyword!(i, "dimensions")?;
    (i, ()) = punct!(i, "=")?;
    (i, ()) = parser.slot(i, state, "dimensions")?;
    (i, ()) = parser.attribute_dictionary(i, state)?;
    (i, ()) = parser.types(i, state, TypeForm::Function)?;
    let region = match applied {
        Some(kind) => implied_body(parser, i, state, kind),
        None => reducer(parser, i),
    };
    let (i, region) = region?;
    state.regions.push(region);
    Ok((i, ()))
}

/// The name of the op after `applies`.
fn applied_kind(i: Input<'_>) -> PResult<'_, OpKind> {
    let (rest, word) = bare_id(i)?;
    let kind = std::str::from_utf8(word).ok().and_then(crate::ops::find);
    match kind.filter(|kind| can_apply(*kind)) {
        Some(kind) => Ok((rest, kind)),
        None => {
            let message = "`applies` wants a commutative op of the stablehlo dialect with two operands and one result";
            Err(fault(skip(i), "parse/reduce-applies", message))
        }
    }
}

/// `reducer(%a: T, %b: T) (%c: U, %d: U) {…}`
fn reducer<'s>(parser: &mut Parser<'s>, i: Input<'s>) -> PResult<'s, RegionId> {
    let (mut i, ()) = keyword!(i, "reducer")?;
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    while let Some(rest) = accept(i, "(") {
        let (rest, first) = parser.argument(rest)?;
        let (rest, ()) = punct!(rest, ",")?;
        let (rest, second) = parser.argument(rest)?;
        (i, ()) = punct!(rest, ")")?;
        firsts.push(first);
        seconds.push(second);
    }
    firsts.extend(seconds);
    parser.region(i, &firsts)
}

/// The body that `applies` stands for; its parts have the location of the `reduce`.
fn implied_body<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &OpState<'s>, kind: OpKind) -> PResult<'s, RegionId> {
    let element = state.operand_types.first().and_then(|ty| parser.module.element_type(*ty));
    let Some(element) = element else {
        return Err(fault(skip(i), "parse/expected-type", "`applies` needs an operand of tensor type"));
    };
    let scalar = RankedTensor { shape: Shape::new(), element, encoding: None };
    let ty = parser.module.intern_type(Type::RankedTensor(scalar));
    // The location of the `reduce` comes next; whoever called this reads it again.
    let (_, written) = parser.trailing_location(i)?;
    let location = if written == TrailingLocation::None { state.location } else { written };
    let source = OpSource { start: state.name_at, name: state.name_at, end: parser.offset(i) };
    let module = &mut parser.module;
    let region = module.new_region();
    let block = module.new_block(region);
    let info = BlockArgument { span: Span::new(source.name, source.end), location: None };
    let arguments = [module.add_argument(block, ty, info), module.add_argument(block, ty, info)];
    let properties = vec![None; kind.spec().attributes.len()];
    let inner = module.create_op(&NewOp {
        operands: &arguments,
        result_types: &[ty],
        properties: &properties,
        source,
        ..NewOp::new(OpName::Known(kind))
    });
    module.append_op(block, inner);
    let results: Vec<_> = module.results(inner).iter().collect();
    let last = NewOp { operands: &results, source, ..NewOp::new(OpName::Known(OpKind::Return)) };
    let last = module.create_op(&last);
    module.append_op(block, last);
    for op in [inner, last] {
        parser.set_op_location(op, location);
    }
    for index in 0..arguments.len() {
        parser.set_argument_location(block, index, location);
    }
    Ok((i, region))
}
