//! A function with the plans that its calls have needed so far.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use interpreter::{Config, EvalError, Host, Value};
use self_cell::self_cell;
use stablehlo::ir::{Literal, Module, OpId};
use stablehlo::verify::{Verified, verify};

use crate::graph::Unplanned;
use crate::kernels::isa::Isa;
use crate::plan::Plan;
use crate::run::{Executor, Outcome};
use crate::specialise::{for_shapes, is_rewritten};

/// The most plans that are kept; the one that was used least recently goes first.
const MAX_PLANS: usize = 64;

/// Sizes of all inputs.
type Shapes = Vec<Vec<usize>>;
type Planned<'m> = Result<Plan<'m>, Unplanned>;

self_cell!(
    /// A copy of the module for certain sizes, and its plan.
    struct Shaped {
        owner: Module,
        #[covariant]
        dependent: Planned,
    }
);

/// A function that can be called with any inputs that fit it, by any number of threads.
///
/// A plan is for one list of input shapes. A function whose sizes are all known has one plan, which is made at its first
/// call. For others a plan is made for every list of shapes that comes ([`specialise`](crate::specialise())), and kept for
/// the next call with
/// the same.
///
/// ```
/// use executor::{Executor, Isa, Program};
/// use interpreter::{Config, Host, Tensor};
/// use stablehlo::ir::Literal;
///
/// let text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
///     %0 = stablehlo.add %x, %x : tensor<?xf32>
///     return %0 : tensor<?xf32>
/// }";
/// let parsed = stablehlo::syntax::parse("example.mlir", text);
/// let module = stablehlo::verify::verify(&parsed.module, text).expect("the program is valid");
/// let program = Program::new(module, interpreter::entry(&parsed.module)?, Isa::best());
/// let executor = Executor::new(1);
/// for n in [3, 5, 3] {
///     let x = Tensor::from_vec::<f32>(&[n], &vec![1.5; n]).expect("n numbers");
///     let results = program.run(&executor, &[Literal::from(&x)], &Config::default(), &mut Host::default())?;
///     assert_eq!(Tensor::from(&results[0]).to_vec::<f32>(), vec![3.0; n]);
/// }
/// assert_eq!(program.n_plans(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Program<'m> {
    module: Verified<'m>,
    function: OpId,
    isa: Isa,
    /// Whether plans are made of copies of the module, in which sizes are known and types plain.
    is_rewritten: bool,
    /// The plan of the module as it is.
    fixed: OnceLock<Planned<'m>>,
    /// Those for certain sizes, the one that was used last at the end.
    shaped: Mutex<Vec<(Shapes, Arc<Shaped>)>>,
}

impl<'m> Program<'m> {
    /// A program without plans.
    pub fn new(module: Verified<'m>, function: OpId, isa: Isa) -> Self {
        let is_rewritten = is_rewritten(module.module(), function);
        Self { module, function, isa, is_rewritten, fixed: OnceLock::new(), shaped: Mutex::default() }
    }

    /// Number of plans that are kept.
    pub fn n_plans(&self) -> usize {
        usize::from(self.fixed.get().is_some()) + self.shaped.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What `use_plan` makes of the plan for inputs of these shapes, which is made if there is none yet.
    ///
    /// # Errors
    /// Programs that only the interpreter runs.
    pub fn with_plan<R>(&self, shapes: &[Vec<usize>], use_plan: impl FnOnce(&Plan<'_>) -> R) -> Result<R, Unplanned> {
        match self.shaped(shapes) {
            Some(shaped) => {
                shaped.with_dependent(|_, planned| planned.as_ref().map(use_plan).map_err(Unplanned::clone))
            }
            None => {
                let fixed = self.fixed.get_or_init(|| Plan::new(self.module, self.function, self.isa));
                fixed.as_ref().map(use_plan).map_err(Unplanned::clone)
            }
        }
    }

    /// The copy for these shapes; none when there is nothing to be replaced, and when sizes contradict each other, which a
    /// run of the module as it is will say better.
    fn shaped(&self, shapes: &[Vec<usize>]) -> Option<Arc<Shaped>> {
        if !self.is_rewritten {
            return None;
        }
        let mut kept = self.shaped.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().rposition(|(known, _)| known == shapes) {
            let found = kept.remove(at);
            let shaped = found.1.clone();
            kept.push(found);
            return Some(shaped);
        }
        drop(kept);
        // Others go on while this one is made; two threads may make the same one.
        let module = for_shapes(self.module, self.function, shapes)?;
        let shaped = Shaped::try_new(module, |module| {
            verify(module, "").map(|module| Plan::new(module, self.function, self.isa)).map_err(drop)
        });
        let shaped = Arc::new(shaped.ok()?);
        let mut kept = self.shaped.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(known, _)| known != shapes);
        if kept.len() >= MAX_PLANS {
            kept.remove(0);
        }
        kept.push((shapes.to_vec(), shaped.clone()));
        Some(shaped)
    }

    /// Runs the function on the storage of its inputs; the storage of its results.
    ///
    /// # Errors
    /// As for [`Executor::run`]; programs that only the interpreter runs are refused, with the reason.
    pub fn run(
        &self,
        executor: &Executor,
        inputs: &[Literal],
        config: &Config,
        host: &mut Host,
    ) -> Result<Vec<Literal>, EvalError> {
        let shapes: Shapes = inputs.iter().map(|input| input.shape().to_vec()).collect();
        let ran = self.with_plan(&shapes, |plan| executor.run(plan, inputs, config, host));
        ran.unwrap_or_else(|unplanned| Err(EvalError::unsupported(unplanned.to_string())))
    }

    /// Runs the function as [`interpreter::run`] does; on the interpreter if it cannot be planned or if the plan takes more
    /// memory than `config` allows.
    ///
    /// # Errors
    /// As for [`interpreter::run`].
    pub fn run_values(
        &self,
        executor: &Executor,
        inputs: Vec<Value>,
        config: &Config,
        host: &mut Host,
    ) -> Result<Outcome, EvalError> {
        let shapes = inputs.iter().map(|input| input.tensor().map_or(Vec::new(), |tensor| tensor.shape().to_vec()));
        let shapes: Shapes = shapes.collect();
        let mut inputs = Some(inputs);
        let ran = self.with_plan(&shapes, |plan| {
            if plan.run_bytes() > config.max_bytes {
                // The interpreter may do with less: large values of one element repeated are cheap there.
                return Err(Unplanned(format!("a run would take {} bytes, more than the limit", plan.run_bytes())));
            }
            Ok(executor.run_values(plan, inputs.take().unwrap_or_default(), config, host, None))
        });
        match ran.and_then(|ran| ran) {
            Ok(ran) => Ok(Outcome { outcome: ran?, unplanned: None }),
            Err(unplanned) => {
                let inputs = inputs.take().unwrap_or_default();
                let outcome = interpreter::run(self.module, self.function, inputs, config, host)?;
                Ok(Outcome { outcome, unplanned: Some(unplanned) })
            }
        }
    }
}

impl fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, isa, is_rewritten, .. } = self;
        write!(f, "Program {{ {function:?}, {isa:?}, is_rewritten: {is_rewritten}, n_plans: {} }}", self.n_plans())
    }
}

#[cfg(test)]
mod tests {
    use interpreter::{Config, Host, Tensor, Value};

    use super::{MAX_PLANS, Program};
    use crate::testing::with_module;
    use crate::{Executor, Isa};

    fn ones(n: usize) -> Vec<Value> {
        vec![Value::Tensor(Tensor::from_vec::<f32>(&[n], &vec![1.0; n]).unwrap())]
    }

    /// Doubles its input and adds up what comes of it.
    const SUM: &str = "func.func @main(%x: tensor<?xf32>) -> tensor<f32> {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.add %x, %x : tensor<?xf32>
        %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
        return %1 : tensor<f32>
      }";

    #[test]
    fn threads_share_plans() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Program<'static>>();
        with_module(SUM, |module, function| {
            let program = Program::new(module, function, Isa::best());
            let executor = Executor::new(2);
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let (program, executor) = (&program, &executor);
                    scope.spawn(move || {
                        for round in 0..20 {
                            let n = 1 + (thread + round) % 5;
                            let (config, mut host) = (Config::default(), Host::default());
                            let done = program.run_values(executor, ones(n), &config, &mut host).unwrap();
                            assert!(done.unplanned.is_none());
                            let sum = done.outcome.results[0].tensor().unwrap().to_vec::<f32>();
                            assert_eq!(sum, [2.0 * n as f32]);
                        }
                    });
                }
            });
            assert_eq!(program.n_plans(), 5);
        });
    }

    #[test]
    fn old_plans_go() {
        with_module(SUM, |module, function| {
            let program = Program::new(module, function, Isa::best());
            for n in 0..MAX_PLANS + 3 {
                let steps = program.with_plan(&[vec![n]], |plan| plan.inputs()[0].shape[0]).unwrap();
                assert_eq!(steps, n);
            }
            assert_eq!(program.n_plans(), MAX_PLANS);
        });
    }

    #[test]
    fn sizes_inside_follow_from_constants() {
        // All types of the function are known, and those of what happens inside are not.
        let mlir = "func.func @main(%x: tensor<6xf32>) -> tensor<2x3xf32> {
            %size = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
            %0 = stablehlo.dynamic_reshape %x, %size : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
            %1 = stablehlo.negate %0 : tensor<?x3xf32>
            %2 = stablehlo.dynamic_reshape %1, %size : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
            return %2 : tensor<2x3xf32>
          }";
        with_module(mlir, |module, function| {
            let program = Program::new(module, function, Isa::best());
            let left = program.with_plan(&[vec![6]], |plan| plan.left_to_interpreter().len()).unwrap();
            assert_eq!(left, 0);
            let (config, mut host) = (Config::default(), Host::default());
            let done = program.run_values(&Executor::new(1), ones(6), &config, &mut host).unwrap();
            let negated = done.outcome.results[0].tensor().unwrap();
            assert_eq!((negated.shape(), negated.to_vec::<f32>()), (&[2, 3][..], vec![-1.0; 6]));
        });
    }

    #[test]
    fn computed_sizes_that_contradict_types_are_errors() {
        for (op, operand, ty) in [
            ("dynamic_reshape", "%x, ", "(tensor<6xf32>, tensor<2xi32>) -> tensor<3x2xf32>"),
            ("dynamic_iota", "", "(tensor<2xi32>) -> tensor<3x2xf32>"),
            ("dynamic_broadcast_in_dim", "%y, ", "(tensor<2xf32>, tensor<2xi32>) -> tensor<3x2xf32>"),
        ] {
            let attribute = match op {
                "dynamic_iota" => ", dim = 0",
                "dynamic_broadcast_in_dim" => ", dims = [1]",
                _ => "",
            };
            let mlir = format!(
                "func.func @main(%x: tensor<6xf32>) -> tensor<3x2xf32> {{
                   %half = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
                   %ones = stablehlo.constant dense<1> : tensor<2xi32>
                   %size = stablehlo.add %half, %ones : tensor<2xi32>
                   %y = stablehlo.slice %x [0:2] : (tensor<6xf32>) -> tensor<2xf32>
                   %0 = stablehlo.{op} {operand}%size{attribute} : {ty}
                   return %0 : tensor<3x2xf32>
                 }}"
            );
            with_module(&mlir, |module, function| {
                let program = Program::new(module, function, Isa::best());
                let (config, mut host) = (Config::default(), Host::default());
                assert!(program.run_values(&Executor::new(1), ones(6), &config, &mut host).is_err(), "{op}");
            });
        }
    }

    #[test]
    fn what_contradicts_itself_is_the_interpreters_to_say() {
        let mlir = "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
            %0 = stablehlo.add %x, %y : tensor<?xf32>
            return %0 : tensor<?xf32>
          }";
        with_module(mlir, |module, function| {
            let program = Program::new(module, function, Isa::best());
            let inputs = [ones(2), ones(3)].concat();
            let (config, mut host) = (Config::default(), Host::default());
            assert!(program.run_values(&Executor::new(1), inputs, &config, &mut host).is_err());
        });
    }
}
