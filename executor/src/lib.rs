//! The SIMD executor: programs as fast as the machine allows.
//!
//! A function with concrete shapes becomes a [`Plan`], which an [`Executor`] runs any number of times; a [`Program`] has a
//! plan for every list of shapes that it is called with. What an op means is
//! the interpreter's business; this crate is checked against it. An op without a kernel is left to the interpreter, which
//! [`Plan::left_to_interpreter`] tells; so is a program as a whole that cannot be planned, by [`run_once`].
//!
//! ```
//! use executor::{Executor, Isa, Plan};
//! use interpreter::{Config, Host, Tensor};
//! use stablehlo::ir::Literal;
//!
//! let text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
//!     %0 = stablehlo.multiply %x, %x : tensor<4xf32>
//!     %1 = stablehlo.add %0, %x : tensor<4xf32>
//!     return %1 : tensor<4xf32>
//! }";
//! let parsed = stablehlo::syntax::parse("example.mlir", text);
//! let module = stablehlo::verify::verify(&parsed.module, text).expect("the program is valid");
//! let function = interpreter::entry(&parsed.module)?;
//!
//! let plan = Plan::new(module, function, Isa::best())?;
//! assert!(plan.left_to_interpreter().is_empty());
//! let executor = Executor::new(2);
//! let x = Tensor::from_vec::<f32>(&[4], &[1.0, 2.0, 3.0, 4.0]).expect("four numbers");
//! let results = executor.run(&plan, &[Literal::from(&x)], &Config::default(), &mut Host::default())?;
//! assert_eq!(Tensor::from(&results[0]).to_vec::<f32>(), [2.0, 6.0, 12.0, 20.0]);
//!
//! // Again and again into the same memory.
//! let mut buffers = plan.output_buffers();
//! executor.run_into(&plan, &[Literal::from(&x)], &mut buffers, &Config::default(), &mut Host::default())?;
//! assert_eq!(buffers[0].bytes()[..4], 2f32.to_le_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Limits of [`Config`](interpreter::Config) hold between steps; the memory of a run is known before it and refused before
//! it is taken. A kernel that is at work is not interrupted.

pub mod graph;
pub mod kernels;
pub mod plan;
mod program;
mod quantized;
mod run;
pub mod specialise;
mod storage;
#[cfg(test)]
mod testing;

pub use kernels::isa::Isa;
pub use kernels::memory::Buffer;
pub use plan::{Plan, Port};
pub use program::Program;
pub use run::{Executor, Outcome, Watch, run_once};
pub use specialise::specialise;
