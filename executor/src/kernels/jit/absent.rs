//! No machine code: this architecture has step functions only.

use super::super::fused::Loop;
use super::super::isa::Isa;
use super::super::memory::{Memory, SlotId};
use super::super::{Copy, Kernel, dynamic_slice::WindowOf};

/// Machine code, of which there is none.
#[derive(Clone, Debug)]
pub enum Machine {}

impl Machine {
    /// None.
    pub fn new<'c>(_: &Loop, _: Isa, _: impl Fn(SlotId) -> Option<&'c [u8]>) -> Option<Self> {
        None
    }

    /// Whether elements are stored past the caches.
    pub fn is_streaming(&self) -> bool {
        match *self {}
    }

    /// Bytes of code.
    pub fn size(&self) -> usize {
        match *self {}
    }

    /// Runs.
    ///
    /// # Safety
    /// It is never called.
    pub unsafe fn run(&self, _: &[*mut u8], _: &[*mut u8], _: usize, _: usize) {
        match *self {}
    }
}

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

/// Machine code of a `while`, of which there is none.
#[derive(Clone, Debug)]
pub enum Rounds {}

impl Rounds {
    /// None.
    pub fn new<'c>(
        _: &While<'_>,
        _: Isa,
        _: impl Fn(SlotId) -> Option<&'c [u8]>,
        _: impl Fn(SlotId) -> usize,
    ) -> Option<Self> {
        None
    }

    /// Runs.
    pub fn run(&self, _: &Memory, _: u64) -> (u64, bool) {
        match *self {}
    }

    /// Bytes of code.
    pub fn size(&self) -> usize {
        match *self {}
    }
}
