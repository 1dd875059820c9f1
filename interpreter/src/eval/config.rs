//! What a run is given besides the program: limits, and the world around it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stablehlo::ir::{Module, OpId};

use crate::tensor::Tensor;
use crate::value::Value;

/// Limits and choices.
#[derive(Clone, Debug)]
pub struct Config {
    /// Ops (and elements that are computed one by one) that may be executed.
    pub max_steps: u64,
    /// Bytes of tensor storage that may be alive at once.
    pub max_bytes: usize,
    /// How deep calls and regions may nest.
    pub max_depth: usize,
    /// Time after which a run ends.
    pub time_limit: Option<Duration>,
    /// Set to true from outside to end a run.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Whether to notice when a program leaves the ground on which implementations agree.
    pub strict: bool,
    /// Seed of `rng`.
    pub seed: u64,
}

impl Default for Config {
    /// No limit on steps and time, 16 GiB of storage.
    fn default() -> Self {
        Self {
            max_steps: u64::MAX,
            max_bytes: if usize::BITS > 32 { 16 << 30 } else { 1 << 30 },
            max_depth: 256,
            time_limit: None,
            cancel: None,
            strict: false,
            seed: 0,
        }
    }
}

/// The other end of a program's effects.
#[derive(Default)]
pub struct Host {
    /// What `infeed` reads, one entry per op, its results in order (without the token).
    pub infeed: VecDeque<Vec<Value>>,
    /// What `outfeed` wrote, one entry per op.
    pub outfeed: Vec<Vec<Value>>,
    /// What `interpreter.print` printed.
    pub printed: Vec<String>,
    /// What `interpreter.probe` recorded.
    pub probes: Vec<Probe>,
    /// How many random numbers the ops `rng` of the run have drawn; a run begins with none.
    pub n_drawn: u64,
    /// Is shown the results of every op.
    pub observer: Option<Box<dyn Observer>>,
}

/// A recorded value.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    /// The op's `probe_id`.
    pub id: String,
    /// The value at that time.
    pub value: Tensor,
}

/// Looks on while a program runs.
pub trait Observer {
    /// `op` has given `results`.
    fn op_done(&mut self, module: &Module, op: OpId, results: &[Value]);
}
