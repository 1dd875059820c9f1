//! No machine code: this architecture has step functions only.

use stablehlo::ops::OpKind;

use super::super::fused::{Loop, Reg};
use super::super::isa::Isa;
use super::super::memory::{Memory, SlotId};
use super::works::While;

/// Machine code, of which there is none.
#[derive(Clone, Debug)]
pub enum Machine {}

impl Machine {
    /// None.
    pub fn new<'c>(_: &Loop, _: Isa, _: impl Fn(SlotId) -> Option<&'c [u8]>) -> Option<Self> {
        None
    }

    /// None.
    pub fn folding<'c>(_: &Loop, _: (Reg, OpKind), _: Isa, _: impl Fn(SlotId) -> Option<&'c [u8]>) -> Option<Self> {
        None
    }

    /// Bytes of accumulators.
    pub fn accumulators(&self) -> usize {
        match *self {}
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
    pub unsafe fn run(&self, _: u64, _: &[*mut u8], _: &[*mut u8], _: usize, _: usize) {
        match *self {}
    }
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
