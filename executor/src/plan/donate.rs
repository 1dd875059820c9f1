//! Inputs whose memory the results may have.
//!
//! A training step gets its weights and gives new ones; a decoder gets a cache and gives it with one row more. Exporters mark
//! such inputs by `tf.aliasing_output`, the number of the result, or `jax.buffer_donor`, any result of that type. In a plan
//! that honours this, input and result stand at one place, and what can be is done in place.

use stablehlo::ir::{Attribute, Module, OpId, TypeId};
use stablehlo::ops::func::function_type;

use super::lower::BodyLowering;
use crate::graph::Val;
use crate::kernels::fused::{Access, Input};
use crate::kernels::memory::SlotId;

/// For every result of `function` the input that is donated to it.
pub fn donations(module: &Module, function: OpId) -> Vec<Option<usize>> {
    let Some((inputs, results)) = function_type(module, function) else { return Vec::new() };
    let mut given: Vec<Option<usize>> = vec![None; results.len()];
    let attributes = module.property(function, "arg_attrs").map(|attr| module.attr(attr));
    let Some(Attribute::Array(dictionaries)) = attributes else { return given };
    let marks = |name: &'static str| {
        let marked = dictionaries.iter().enumerate();
        marked.filter_map(move |(input, dict)| Some((input, module.dict_get(*dict, name)?)))
    };
    // Those that say which result go first.
    for (input, mark) in marks("tf.aliasing_output") {
        let result = module.integer_attr(mark).and_then(|result| usize::try_from(result).ok());
        give(&mut given, inputs, results, input, result);
    }
    for (input, mark) in marks("jax.buffer_donor") {
        if module.integer_attr(mark).is_some_and(|flag| flag != 0) && !given.contains(&Some(input)) {
            let free = (0..results.len()).find(|at| given[*at].is_none() && inputs.get(input) == results.get(*at));
            give(&mut given, inputs, results, input, free);
        }
    }
    given
}

fn give(given: &mut [Option<usize>], inputs: &[TypeId], results: &[TypeId], input: usize, result: Option<usize>) {
    if let Some(result) = result
        && let Some(place @ None) = given.get_mut(result)
        && inputs.get(input) == results.get(result)
    {
        *place = Some(input);
    }
}

impl BodyLowering<'_, '_, '_> {
    /// Whether a slot may be written by the unit that is being lowered: whether nobody needs the donated input, or what has
    /// taken its place, any more.
    pub(super) fn may_overwrite(&self, slot: SlotId) -> bool {
        self.donated.get(&slot).is_none_or(|occupant| !self.is_needed(*occupant) && !self.reading.contains(occupant))
    }

    fn is_needed(&self, value: Val) -> bool {
        self.readers.get(&value).is_some_and(|n| *n > 0)
    }

    /// Lets a loop that reads a donated input element by element write its result over it, if it is not among those that
    /// steps after that of the result read.
    pub(super) fn overwrite_in_loop<'i>(
        &mut self,
        inputs: &[Input],
        mut read_later: impl Iterator<Item = &'i Input>,
        value: Val,
        width: usize,
    ) {
        let Some(slot) = self.want.get(&value).copied() else { return };
        let Some(occupant) = self.donated.get(&slot).copied() else { return };
        let is_of_slot = |input: &&Input| !matches!(input.access, Access::Iota { .. }) && input.slot == slot;
        let mut reads = inputs.iter().filter(is_of_slot);
        let is_same_place =
            |input: &Input| matches!(input.access, Access::Linear { offset: 0 }) && input.width == width;
        let is_done = !read_later.any(|input| is_of_slot(&input));
        if is_done && !self.is_needed(occupant) && reads.all(is_same_place) && !self.slots.contains_key(&value) {
            self.occupy(slot, value);
            self.slots.insert(value, slot);
        }
    }

    /// Notes that `value` stands where a donated input has stood.
    pub(super) fn occupy(&mut self, slot: SlotId, value: Val) {
        if let Some(occupant) = self.donated.get_mut(&slot) {
            *occupant = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use interpreter::{Config, Host, Tensor, Value};
    use stablehlo::ir::{Literal, OpId};
    use stablehlo::verify::Verified;

    use crate::testing::with_module;
    use crate::{Buffer, Executor, Isa, Plan};

    /// Runs with the donated inputs in the results' buffers; checks the results, and gives the plan in words.
    fn agrees(mlir: &str, inputs: &[Tensor]) -> String {
        with_module(mlir, |module, function| {
            let isas = Isa::ALL.iter().filter(|isa| isa.is_available() && **isa != Isa::best());
            isas.for_each(|isa| drop(agrees_on(module, function, inputs, *isa)));
            agrees_on(module, function, inputs, Isa::best())
        })
    }

    fn agrees_on(module: Verified<'_>, function: OpId, inputs: &[Tensor], isa: Isa) -> String {
        let values: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
        let expected = interpreter::run(module, function, values, &Config::default(), &mut Host::default()).unwrap();
        let plan = Plan::donating(module, function, isa).unwrap();
        let literals: Vec<Literal> = inputs.iter().map(Literal::from).collect();
        let executor = Executor::new(2);
        let check = |found: &[u8], index: usize| {
            let expected = expected.results[index].tensor().unwrap();
            assert_eq!(found, &Literal::from(expected).data()[..], "result {index}\n{plan}");
        };
        // Inputs that are kept.
        let kept = executor.run(&plan, &literals, &Config::default(), &mut Host::default()).unwrap();
        kept.iter().enumerate().for_each(|(index, found)| check(found.data(), index));
        // Inputs that are given away.
        let mut buffers: Vec<Buffer> = plan.output_buffers();
        let mut given: Vec<Option<Literal>> = literals.iter().cloned().map(Some).collect();
        for (result, input) in plan.donations().iter().enumerate() {
            if let Some(input) = input {
                buffers[result] = Buffer::of(literals[*input].data());
                given[*input] = None;
            }
        }
        executor.run_donated(&plan, &given, &mut buffers, &Config::default(), &mut Host::default()).unwrap();
        buffers.iter().enumerate().for_each(|(index, found)| check(found.bytes(), index));
        plan.to_string()
    }

    fn counting(shape: &[usize], from: f32) -> Tensor {
        let numbers: Vec<f32> = (0..shape.iter().product::<usize>()).map(|n| n as f32 + from).collect();
        Tensor::from_vec::<f32>(shape, &numbers).unwrap()
    }

    #[test]
    fn a_step_of_training_updates_in_place() {
        let mlir = "func.func @main(%w: tensor<300xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<300xf32>)
              -> (tensor<f32>, tensor<300xf32>) {
            %zero = stablehlo.constant dense<0.0> : tensor<f32>
            %rate = stablehlo.constant dense<0.5> : tensor<300xf32>
            %d = stablehlo.multiply %g, %rate : tensor<300xf32>
            %r = stablehlo.subtract %w, %d : tensor<300xf32>
            return %zero, %r : tensor<f32>, tensor<300xf32>
          }";
        let plan = agrees(mlir, &[counting(&[300], 1.0), counting(&[300], 7.0)]);
        assert!(plan.contains("output1 = loop 300: multiply subtract") && plan.contains("output1)"), "{plan}");
        assert_eq!(plan.matches(" = ").count(), 2, "{plan}");
    }

    #[test]
    fn a_cache_gets_its_row_in_place() {
        let mlir = "func.func @main(%cache: tensor<8x4xf32> {jax.buffer_donor = true}, %row: tensor<1x4xf32>, %at: tensor<i32>)
              -> tensor<8x4xf32> {
            %zero = stablehlo.constant dense<0> : tensor<i32>
            %0 = stablehlo.dynamic_update_slice %cache, %row, %at, %zero
              : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
            %1 = stablehlo.dynamic_update_slice %0, %row, %zero, %zero
              : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
            return %1 : tensor<8x4xf32>
          }";
        let at = Tensor::from_vec::<i32>(&[], &[5]).unwrap();
        let plan = agrees(mlir, &[counting(&[8, 4], 0.0), counting(&[1, 4], 100.0), at]);
        assert!(!plan.contains("copy") && plan.starts_with("plan"), "{plan}");
        assert_eq!(plan.matches(" = ").count(), 2, "{plan}");
    }

    #[test]
    fn what_is_still_needed_is_not_overwritten() {
        // The transpose reads all of the input when the first result is written; the input itself is given, too.
        let mlir = "func.func @main(%x: tensor<3x3xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<3x3xf32> {tf.aliasing_output = 1 : i32})
              -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
            %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
            %a = stablehlo.add %x, %t : tensor<3x3xf32>
            %b = stablehlo.transpose %y, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
            return %a, %b, %x : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
          }";
        agrees(mlir, &[counting(&[3, 3], 1.0), counting(&[3, 3], 50.0)]);
        let swap = "func.func @main(%x: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<3xf32> {tf.aliasing_output = 1 : i32})
              -> (tensor<3xf32>, tensor<3xf32>) {
            return %y, %x : tensor<3xf32>, tensor<3xf32>
          }";
        agrees(swap, &[counting(&[3], 1.0), counting(&[3], 50.0)]);
    }

    #[test]
    fn what_the_same_loop_reads_later_is_not_overwritten() {
        let mlir = "func.func @main(%x: tensor<700xf32> {tf.aliasing_output = 0 : i32})
              -> (tensor<700xf32>, tensor<700xf32>) {
            %r = stablehlo.add %x, %x : tensor<700xf32>
            %s = stablehlo.multiply %x, %r : tensor<700xf32>
            return %r, %s : tensor<700xf32>, tensor<700xf32>
          }";
        agrees(mlir, &[counting(&[700], -3.0)]);
    }

    #[test]
    fn loops_begin_with_donated_inputs() {
        let mlir = "func.func @main(%x: tensor<40xf32> {tf.aliasing_output = 0 : i32}) -> tensor<40xf32> {
            %i = stablehlo.constant dense<0> : tensor<i32>
            %r:2 = stablehlo.while(%v = %x, %k = %i) : tensor<40xf32>, tensor<i32>
              cond {
                %t = stablehlo.constant dense<3> : tensor<i32>
                %c = stablehlo.compare LT, %k, %t : (tensor<i32>, tensor<i32>) -> tensor<i1>
                stablehlo.return %c : tensor<i1>
              } do {
                %one = stablehlo.constant dense<1> : tensor<i32>
                %b = stablehlo.reverse %v, dims = [0] : tensor<40xf32>
                %w = stablehlo.add %v, %b : tensor<40xf32>
                %l = stablehlo.add %k, %one : tensor<i32>
                stablehlo.return %w, %l : tensor<40xf32>, tensor<i32>
              }
            return %r#0 : tensor<40xf32>
          }";
        agrees(mlir, &[counting(&[40], -3.0)]);
    }
}
