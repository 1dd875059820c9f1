//! In which types a contraction is made: `dot_general` and `convolution` of element types that have no product of their own
//! bring their operands to types that have one, and the sums to the type of the result.

use stablehlo::element::ElementType;
use stablehlo::ir::{DotAlgorithm, FloatKind, Module, Type, TypeId};
use stablehlo::ops::OpKind;

use super::elementwise::{Detail, Operation};
use super::fused::Loop;
use super::gemm::choose::covers;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::{Kernel, Planned};

/// What is done to the elements of operands before and to sums after they are multiplied and added up.
#[derive(Clone, Debug)]
pub struct Form {
    /// To the left operand and to the right one, in order.
    pub operands: [Vec<Operation>; 2],
    /// The type of the sums.
    pub sums: ElementType,
    /// To the sums.
    pub result: Vec<Operation>,
}

/// The chain of operations with a conversion at its end.
fn convert(mut chain: Vec<Operation>, from: ElementType, to: ElementType) -> Vec<Operation> {
    let from = last(&chain, from);
    if from != to {
        chain.push(Operation { kind: OpKind::Convert, from, to, detail: Detail::None });
    }
    chain
}

/// The type of elements to which a chain has been done.
pub fn last(chain: &[Operation], element: ElementType) -> ElementType {
    chain.last().map_or(element, |operation| operation.to)
}

/// The type in which the interpreter adds up products; those of truth values are counted.
fn summed(lhs: ElementType, rhs: ElementType, result: ElementType) -> ElementType {
    match result {
        ElementType::I1 => ElementType::I32,
        result if result.is_integer() && result.bits() <= 32 => ElementType::I32,
        result if result.is_integer() => ElementType::I64,
        result if result.is_complex() => result,
        _ if [lhs, rhs, result].contains(&ElementType::F64) => ElementType::F64,
        _ => ElementType::F32,
    }
}

impl Form {
    /// The form of a contraction of these types; none when there is none.
    pub fn new(lhs: ElementType, rhs: ElementType, result: ElementType) -> Option<Self> {
        if covers(lhs, rhs, result) {
            return Some(Self { operands: [Vec::new(), Vec::new()], sums: result, result: Vec::new() });
        }
        let summed = summed(lhs, rhs, result);
        let operand = |element: ElementType| {
            // By way of the result's type where the kind of number changes.
            let changes = element.is_integer() != result.is_integer() || result == ElementType::I1;
            let chain = if changes { convert(Vec::new(), element, result) } else { Vec::new() };
            convert(chain, element, summed)
        };
        let sums = if covers(summed, summed, result) { result } else { summed };
        let form = Self { operands: [operand(lhs), operand(rhs)], sums, result: convert(Vec::new(), sums, result) };
        covers(summed, summed, sums).then_some(form)
    }

    /// The form with operands and sums in f32.
    pub fn in_f32(operands: [ElementType; 2], result: ElementType) -> Self {
        let operands = operands.map(|element| convert(Vec::new(), element, ElementType::F32));
        Self { operands, sums: ElementType::F32, result: convert(Vec::new(), ElementType::F32, result) }
    }

    /// The form of a `dot_general` with an algorithm. One of several operations, which add up to at least as much as the
    /// operands hold, is a product of the operands as they are: that is more precise than the sum of some of the parts.
    pub fn by_algorithm(
        module: &Module,
        algorithm: &DotAlgorithm,
        [lhs, rhs]: [ElementType; 2],
        result: ElementType,
    ) -> Option<Self> {
        let accumulated = module.scalar_element(algorithm.accumulation_type).filter(|element| element.is_float())?;
        let held = if accumulated == ElementType::F64 { ElementType::F64 } else { ElementType::F32 };
        let is_single = algorithm.num_primitive_operations <= 1;
        let operand = |element: ElementType, precision: TypeId| {
            if !element.is_float() {
                return None;
            }
            let is_tf32 = matches!(module.ty(precision), Type::Float(FloatKind::TF32));
            let precision = module.scalar_element(precision).filter(|element| element.is_float());
            let is_exact = precision == Some(element) && (element.bits() < 32 || element == held);
            Some(match precision {
                _ if !is_single || is_exact => Vec::new(),
                _ if is_tf32 => {
                    let mut chain = convert(Vec::new(), element, held);
                    let (kind, detail) = (OpKind::ReducePrecision, Detail::Precision(8, 10));
                    chain.push(Operation { kind, from: held, to: held, detail });
                    chain
                }
                Some(precision) => convert(convert(Vec::new(), element, held), element, precision),
                None => return None,
            })
        };
        let (lhs_chain, rhs_chain) =
            (operand(lhs, algorithm.lhs_precision_type)?, operand(rhs, algorithm.rhs_precision_type)?);
        let [a, b] = [last(&lhs_chain, lhs), last(&rhs_chain, rhs)];
        // Numbers of one narrow type have exact products.
        let is_narrow = a == b && held == ElementType::F32 && covers(a, b, accumulated);
        let common = if is_narrow { a } else { held };
        let operands = [convert(lhs_chain, lhs, common), convert(rhs_chain, rhs, common)];
        let sums = if accumulated == held && covers(common, common, result) { result } else { accumulated };
        let form = Self { operands, sums, result: convert(Vec::new(), sums, result) };
        covers(common, common, sums).then_some(form)
    }
}

/// A kernel and what is done after it.
#[derive(Debug)]
struct Sequence(Vec<Box<dyn Kernel>>);

impl Kernel for Sequence {
    fn run(&self, memory: &Memory, pool: &Pool) {
        self.0.iter().for_each(|kernel| kernel.run(memory, pool));
    }

    fn describe(&self) -> String {
        self.0.iter().map(|kernel| kernel.describe()).collect::<Vec<_>>().join("; ")
    }
}

/// A kernel that makes its results in a slot of its own, followed by one that puts them where they belong.
pub fn then((first, reads, mut writes): Planned, second: Box<dyn Kernel>, to: SlotId) -> Planned {
    writes.insert(0, to);
    (Box::new(Sequence(vec![first, second])), reads, writes)
}

/// A kernel whose results in `made` go through a loop to `to`.
pub fn through((mut kernel, reads, mut writes): Planned, made: SlotId, after: Loop, to: SlotId) -> Planned {
    if kernel.finishes() == Some(made) && kernel.followed_by(&after, made) {
        writes.insert(0, to);
        return (kernel, reads, writes);
    }
    then((kernel, reads, writes), Box::new(after), to)
}

#[cfg(test)]
mod tests {
    use interpreter::compare::Rule;

    use crate::testing::agrees_within;

    fn rule(ty: &str) -> Rule {
        match ty {
            "f64" | "f32" | "complex<f32>" => Rule { atol: 1e-5, rtol: 1e-5, ..Rule::EXACT },
            "bf16" | "f16" => Rule { atol: 0.05, rtol: 0.02, ..Rule::EXACT },
            "f8E4M3FN" | "f8E5M2" => Rule { atol: 0.3, rtol: 0.3, ..Rule::EXACT },
            _ => Rule::EXACT,
        }
    }

    fn dot(operand: &str, result: &str, attributes: &str) -> String {
        let (x, y, r) =
            (format!("tensor<6x9x{operand}>"), format!("tensor<9x5x{operand}>"), format!("tensor<6x5x{result}>"));
        format!(
            "func.func @main(%x: {x}, %y: {y}) -> {r} {{
               %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]{attributes} : ({x}, {y}) -> {r}
               return %0 : {r}
             }}"
        )
    }

    #[test]
    fn all_types_are_contracted() {
        for (operand, result) in [
            ("f8E4M3FN", "f8E4M3FN"),
            ("f8E5M2", "f32"),
            ("bf16", "f64"),
            ("f64", "f32"),
            ("i4", "i4"),
            ("ui4", "i32"),
            ("i64", "i16"),
            ("i16", "i64"),
            ("i8", "f32"),
            ("i1", "i1"),
            ("i1", "i32"),
            ("f32", "complex<f32>"),
        ] {
            agrees_within(&dot(operand, result, ""), 1, rule(result)).without_interpreter();
        }
    }

    #[test]
    fn algorithms_say_how_operands_are_rounded() {
        for (precision, accumulated, n, operand, result) in [
            ("f32", "f32", 1, "f32", "f32"),
            ("tf32", "f32", 1, "f32", "f32"),
            ("tf32", "f32", 3, "f32", "f32"),
            ("bf16", "f32", 1, "f32", "f32"),
            ("bf16", "f32", 6, "f32", "f32"),
            ("f16", "f32", 1, "f16", "f16"),
            ("f16", "f16", 1, "f16", "f32"),
            ("bf16", "f32", 1, "bf16", "bf16"),
            ("f64", "f64", 1, "f64", "f64"),
            ("f8E5M2", "f32", 1, "f8E5M2", "f32"),
            ("f8E5M2", "f32", 1, "f32", "bf16"),
        ] {
            let attributes = format!(
                ", precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = {precision}, \
                 rhs_precision_type = {precision}, accumulation_type = {accumulated}, lhs_component_count = 1, \
                 rhs_component_count = 1, num_primitive_operations = {n}, allow_imprecise_accumulation = false>"
            );
            let rule = if accumulated == "f16" { rule("f16") } else { rule(result) };
            agrees_within(&dot(operand, result, &attributes), 2, rule).without_interpreter();
        }
    }

    /// A convolution of 2 batches of 6 by 5 elements with kernels of 3 by 2.
    fn convolution(layouts: [&str; 3], [features, results, groups]: [usize; 3], ty: &str, result: &str) -> String {
        let shape = |layout: &str, features: [usize; 2], ty: &str| {
            let size = |dim: char| match dim {
                'b' => 2,
                'f' | 'i' => features[0],
                'o' => features[1],
                '0' if layout.contains('o') => 3,
                '1' if layout.contains('o') => 2,
                '0' => 6,
                _ => 5,
            };
            let sizes: Vec<String> = layout.chars().map(|dim| size(dim).to_string()).collect();
            format!("tensor<{}x{ty}>", sizes.join("x"))
        };
        let [x, w, y] = [
            shape(layouts[0], [features, 0], ty),
            shape(layouts[1], [features / groups, results], ty),
            shape(layouts[2], [results, 0], result),
        ];
        let spelled = layouts.map(|layout| layout.chars().map(String::from).collect::<Vec<_>>().join(", "));
        format!(
            "func.func @main(%x: {x}, %w: {w}) -> {y} {{
               %0 = stablehlo.convolution(%x, %w) dim_numbers = [{}]x[{}]->[{}], window = {{pad = [[1, 1], [0, 1]]}}
                 {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({x}, {w}) -> {y}
               return %0 : {y}
             }}",
            spelled[0], spelled[1], spelled[2]
        )
    }

    #[test]
    fn convolutions_of_all_types_and_layouts() {
        for layouts in [["b0f1", "0io1", "0f1b"], ["fb10", "oi01", "1bf0"], ["01bf", "10oi", "bf10"]] {
            agrees_within(&convolution(layouts, [4, 6, 2], "f32", "f32"), 3, rule("f32")).without_interpreter();
        }
        for (ty, result) in
            [("f8E5M2", "f32"), ("i4", "i4"), ("i64", "i32"), ("f64", "bf16"), ("complex<f32>", "complex<f32>")]
        {
            for layouts in [["b01f", "01io", "b01f"], ["bf01", "oi01", "bf01"]] {
                agrees_within(&convolution(layouts, [4, 6, 1], ty, result), 4, rule(result)).without_interpreter();
            }
        }
    }

    #[test]
    fn small_groups_of_all_floats_have_a_kernel_of_their_own() {
        for layouts in [["b01f", "01io", "b01f"], ["bf01", "oi01", "bf01"], ["bf01", "01io", "0f1b"]] {
            for (ty, result) in [("f32", "f32"), ("f64", "f64"), ("bf16", "bf16"), ("f16", "f32"), ("f32", "bf16")] {
                for [features, groups] in [[16, 16], [35, 35], [32, 8], [32, 16]] {
                    let mlir = convolution(layouts, [features, features, groups], ty, result);
                    let agreed = agrees_within(&mlir, 5, rule(result)).without_interpreter();
                    agreed.with("features in groups of");
                }
            }
        }
        agrees_within(&convolution(["bf01", "oi01", "bf01"], [32, 32, 32], "i32", "i32"), 6, Rule::EXACT)
            .without_interpreter();
    }
}
