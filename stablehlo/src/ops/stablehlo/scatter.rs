//! `scatter`: updates of slices at computed places.

use super::computation::{Reduction, accumulator_elements, check_reducer};
use super::dims::{DimSet, List, check_result_shapes, compatible, same_shape, same_sizes_along, show};
use super::index_vectors::IndexVectors;
use super::reduce::check_element_types;
use crate::ir::{DYNAMIC, ScatterDimensionNumbers, TypeId, ValueId};
use crate::ops::classes::{INTEGER_OR_INDEX_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, DefaultValue, Infer, Numerics, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};
use crate::vhlo::history::{Change, EQUAL_ELEMENT_TYPES, History, Step};

op! {
    /// Updates of slices at computed places.
    pub struct Scatter = "stablehlo" "scatter";
    operands {
        many I1 inputs: TENSOR;
        one I2 scatter_indices: INTEGER_OR_INDEX_TENSOR;
        many I3 updates: TENSOR;
    }
    attributes {
        required I4 scatter_dimension_numbers: ScatterDims;
        default I10 indices_are_sorted: Bool = DefaultValue::Bool(false);
        default I11 unique_indices: Bool = DefaultValue::Bool(false);
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I12 update_computation;
    }
    spec {
        summary: "Combines slices of `inputs` at `scatter_indices` with `updates`",
        anchor: "scatter",
        traits: &[Trait::Pure, Trait::SingleBlock],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL
            .steps(&[Step::new(
                1,
                1,
                &[Change::Attributes(&["input_batching_dims", "scatter_indices_batching_dims"])],
            )])
            .demands(EQUAL_ELEMENT_TYPES)
            .declared(),
    }
}

const NUMBERS: &str = "scatter_dimension_numbers";

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C5", "There are as many inputs as updates and results, at least one of each.", c5_counts),
    Constraint::rule("C1", "All inputs have the same shape.", c1_input_shapes),
    Constraint::rule("C3", "All updates have the same shape.", c3_update_shapes),
    Constraint::rule("C22", "index_vector_dim is a dimension of scatter_indices or the one after its last.", c22),
    Constraint::rule(
        "C23",
        "update_computation takes two values for each input and returns one, all 0-dimensional, with an element type \
         that the input's can be promoted to.",
        c23_update_computation,
    ),
    Constraint::rule("C6", "Each update has the element type of its input.", c6_element_types),
    Constraint::rule("C2", "Each dimension of inputs is an update window, an inserted or a batching dimension.", c2),
    Constraint::rule("C7", "update_window_dims ascend.", c7),
    Constraint::rule("C8", "update_window_dims are dimensions of updates.", c8),
    Constraint::rule("C9", "No dimension of inputs is inserted or batching twice.", c9),
    Constraint::rule("C10", "inserted_window_dims are sorted.", c10),
    Constraint::rule("C11", "inserted_window_dims are dimensions of inputs.", c11),
    Constraint::rule("C12", "input_batching_dims are sorted.", c12),
    Constraint::rule("C13", "input_batching_dims are dimensions of inputs.", c13),
    Constraint::rule("C14", "scatter_indices_batching_dims do not repeat.", c14),
    Constraint::rule("C15", "scatter_indices_batching_dims are dimensions of scatter_indices.", c15),
    Constraint::rule("C16", "index_vector_dim is not a batching dimension.", c16),
    Constraint::rule("C17", "inputs and scatter_indices have the same number of batching dimensions.", c17),
    Constraint::rule("C18", "Corresponding batching dimensions have the same size.", c18),
    Constraint::rule("C19", "scatter_dims_to_operand_dims has one entry per element of an index vector.", c19),
    Constraint::rule("C20", "No dimension of inputs is indexed twice, or both indexed and batching.", c20),
    Constraint::rule("C21", "scatter_dims_to_operand_dims names dimensions of inputs.", c21),
    Constraint::rule(
        "C4",
        "Updates have the dimensions of scatter_indices without that of index vectors, with those of windows put in at \
         update_window_dims; windows fit into inputs.",
        c4_update_shape,
    ),
    Constraint::rule("C24", "Each result has the shape of its input.", c24_result_shapes),
    Constraint::rule(
        "C25",
        "Results have the element types that update_computation returns.",
        c25_result_element_types,
    ),
];

/// What most rules look at.
struct Parts<'m> {
    inputs: &'m [ValueId],
    input: &'m [i64],
    indices: IndexVectors<'m>,
    updates: &'m [ValueId],
    update: &'m [i64],
    numbers: &'m ScatterDimensionNumbers,
}

impl<'m> Parts<'m> {
    /// The parts of the op under check; shapes are those of the first input and update.
    fn of(cx: &Cx<'m>) -> Self {
        let op = Scatter::new(cx.module, cx.op);
        let numbers = op.scatter_dimension_numbers();
        let first = |values: &[ValueId]| values.first().map_or(&[][..], |value| cx.shape(*value));
        Self {
            inputs: op.inputs(),
            input: first(op.inputs()),
            indices: IndexVectors {
                attr: NUMBERS,
                name: "scatter_indices",
                place: Place::Operand(op.inputs().len()),
                sizes: cx.shape(op.scatter_indices()),
                dim: numbers.index_vector_dim,
            },
            updates: op.updates(),
            update: first(op.updates()),
            numbers,
        }
    }

    fn update_window_dims(&self) -> List<'m> {
        List::new(NUMBERS, "update_window_dims", &self.numbers.update_window_dims)
    }

    fn inserted_window_dims(&self) -> List<'m> {
        List::new(NUMBERS, "inserted_window_dims", &self.numbers.inserted_window_dims)
    }

    fn input_batching_dims(&self) -> List<'m> {
        List::new(NUMBERS, "input_batching_dims", &self.numbers.input_batching_dims)
    }

    fn indices_batching_dims(&self) -> List<'m> {
        List::new(NUMBERS, "scatter_indices_batching_dims", &self.numbers.scatter_indices_batching_dims)
    }

    fn scatter_dims_to_operand_dims(&self) -> List<'m> {
        List::new(NUMBERS, "scatter_dims_to_operand_dims", &self.numbers.scatter_dims_to_operand_dims)
    }
}

fn c5_counts(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    let (n, n_updates, n_results) = (parts.inputs.len(), parts.updates.len(), cx.module.results(cx.op).len());
    ensure(n > 0, || Fault::new("there must be at least one input"))?;
    ensure(n == n_updates && n == n_results, || {
        Fault::new(format!("there must be as many inputs as updates and results, got {n}, {n_updates} and {n_results}"))
    })
}

fn c1_input_shapes(cx: &Cx<'_>) -> Verdict {
    same_shape(cx, (0..Parts::of(cx).inputs.len()).map(Place::Operand))
}

fn c3_update_shapes(cx: &Cx<'_>) -> Verdict {
    let n = Parts::of(cx).inputs.len();
    same_shape(cx, (n + 1..=2 * n).map(Place::Operand))
}

fn c6_element_types(cx: &Cx<'_>) -> Verdict {
    let inputs = Parts::of(cx).inputs;
    check_element_types(cx, inputs, inputs.len() + 1)
}

fn c22(cx: &Cx<'_>) -> Verdict {
    Parts::of(cx).indices.dim_in_range()
}

fn c23_update_computation(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    check_reducer(
        cx,
        &Reduction {
            name: "update_computation",
            region: 0,
            inputs: &cx.types(parts.inputs),
            init_values: &cx.types(parts.updates),
            elementwise: true,
            allowed_sizes: &[],
        },
    )
}

fn c2(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    let numbers = parts.numbers;
    let counts =
        [numbers.update_window_dims.len(), numbers.inserted_window_dims.len(), numbers.input_batching_dims.len()];
    ensure(counts.iter().sum::<usize>() == parts.input.len(), || {
        let [window, inserted, batching] = counts;
        let message = format!(
            "update_window_dims, inserted_window_dims and input_batching_dims must be as many as inputs have dimensions, \
             {}, got {window} + {inserted} + {batching}",
            parts.input.len()
        );
        Fault::new(message).at(Place::Attr(NUMBERS)).label(Place::Operand(0), format!("has rank {}", parts.input.len()))
    })
}

fn c7(cx: &Cx<'_>) -> Verdict {
    let dims = Parts::of(cx).update_window_dims();
    dims.sorted()?;
    dims.unique()
}

fn c8(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.update_window_dims().in_range(parts.update.len(), "updates")
}

fn c9(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.inserted_window_dims().distinct(parts.input_batching_dims())
}

fn c10(cx: &Cx<'_>) -> Verdict {
    Parts::of(cx).inserted_window_dims().sorted()
}

fn c11(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.inserted_window_dims().in_range(parts.input.len(), "inputs")
}

fn c12(cx: &Cx<'_>) -> Verdict {
    Parts::of(cx).input_batching_dims().sorted()
}

fn c13(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.input_batching_dims().in_range(parts.input.len(), "inputs")
}

fn c14(cx: &Cx<'_>) -> Verdict {
    Parts::of(cx).indices_batching_dims().unique()
}

fn c15(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.indices_batching_dims().in_range(parts.indices.sizes.len(), "scatter_indices")
}

fn c16(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.indices.dim_not_batching(parts.indices_batching_dims())
}

fn c17(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.input_batching_dims().same_length(parts.indices_batching_dims())
}

fn c18(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    let ours = (&parts.numbers.input_batching_dims[..], parts.input, "inputs");
    let theirs = (&parts.numbers.scatter_indices_batching_dims[..], parts.indices.sizes, "scatter_indices");
    same_sizes_along("batching", ours, theirs).map_err(|fault| {
        fault.at(Place::Attr(NUMBERS)).label(Place::Operand(0), "inputs").label(parts.indices.place, "scatter_indices")
    })
}

fn c19(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.indices.one_entry_per_element(parts.scatter_dims_to_operand_dims())
}

fn c20(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.scatter_dims_to_operand_dims().distinct(parts.input_batching_dims())
}

fn c21(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.scatter_dims_to_operand_dims().in_range(parts.input.len(), "inputs")
}

fn c4_update_shape(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    let numbers = parts.numbers;
    let fault = |message: String| {
        Fault::new(message)
            .at(Place::Operand(parts.inputs.len() + 1))
            .label(parts.indices.place, format!("has shape {}", show(parts.indices.sizes)))
            .label(Place::Operand(0), format!("has shape {}", show(parts.input)))
    };
    let mut batch = parts.indices.batch();
    let rank = numbers.update_window_dims.len() + parts.indices.batch().count();
    ensure(parts.update.len() == rank, || {
        fault(format!(
            "updates must have rank {rank}: the dimensions of windows and of scatter_indices without that of index \
             vectors; got {}",
            parts.update.len()
        ))
    })?;
    let taken = DimSet::new(parts.input.len(), &[&numbers.inserted_window_dims, &numbers.input_batching_dims]);
    let window_dims = DimSet::new(rank, &[&numbers.update_window_dims]);
    let mut windows = taken.others().map(|dim| parts.input[dim]);
    for (dim, size) in parts.update.iter().enumerate() {
        if window_dims.has(dim) {
            let limit = windows.next().unwrap_or(DYNAMIC);
            ensure(*size == DYNAMIC || limit == DYNAMIC || *size <= limit, || {
                fault(format!(
                    "windows must fit into inputs, got {size} for size {limit} in dimension {dim} of updates"
                ))
            })?;
        } else {
            let wanted = batch.next().map_or(DYNAMIC, |(_, size)| size);
            ensure(compatible(*size, wanted), || {
                fault(format!(
                    "dimension {dim} of updates must have the size of scatter_indices' dimension, {wanted}, got {size}"
                ))
            })?;
        }
    }
    Ok(())
}

fn c24_result_shapes(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

fn c25_result_element_types(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The shapes of the inputs with what update_computation returns.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let elements = accumulator_elements(cx, 0)?;
    let one = |(input, element): (&ValueId, TypeId)| cx.with_element(Inferred::Type(cx.ty(*input)), Some(element));
    Ok(Parts::of(cx).inputs.iter().zip(elements).map(one).collect())
}
