//! A `while` as what machine code is made of.

use crate::kernels::dynamic_slice::WindowOf;
use crate::kernels::fused::Loop;
use crate::kernels::memory::SlotId;
use crate::kernels::{Copy, Kernel};

/// What is done in a round, in order.
pub enum Work<'w> {
    /// A loop.
    Loop(&'w Loop),
    /// A window at a computed place.
    Window(WindowOf<'w>),
    /// A copy of a slot.
    Copy(&'w Copy),
}

impl<'w> Work<'w> {
    /// What a kernel does, if it is anything that a round may consist of.
    pub fn of(kernel: &'w dyn Kernel) -> Option<Self> {
        kernel.window().map(Work::Window).or_else(|| kernel.copy().map(Work::Copy))
    }
}

/// A `while` to be compiled.
pub struct While<'w> {
    /// What computes the condition.
    pub cond: Vec<Work<'w>>,
    /// The condition.
    pub pred: SlotId,
    /// What a round does.
    pub body: Vec<Work<'w>>,
    /// Slots that change places after each round.
    pub swaps: &'w [(SlotId, SlotId)],
}
