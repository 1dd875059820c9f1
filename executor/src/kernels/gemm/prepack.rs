//! Right operands that are packed once, for all runs or for all rounds of a loop.

use super::blocks::block_k;
use super::tile::Tiles;
use super::{Operand, Product};
use crate::kernels::Kernel;
use crate::kernels::memory::{ALIGN, Memory, SlotId};
use crate::kernels::pool::Pool;

/// Where panels stand in a packed operand: product by product of the batch, block by block along the contracting dimension,
/// panel by panel. After all of them the sums of columns, for vectors with a [correction](super::simd::Simd::CORRECTION).
#[derive(Copy, Clone, Debug)]
pub struct Layout {
    n_batches: usize,
    n_panels: usize,
    /// Packed elements along the contracting dimension, in all and of a block.
    n_groups: usize,
    block: usize,
    /// Columns of a panel.
    panel: usize,
    /// Bytes of a packed element, and of a sum if there are any.
    width: usize,
    sum: usize,
    n_blocks: usize,
}

impl Layout {
    pub(super) fn of<S: Tiles>(product: &Product<S>) -> Self {
        let (panel, n_groups, block) = (2 * S::LANES, product.k.div_ceil(S::GROUP), block_k::<S>(product.k));
        Self {
            n_batches: product.result_batches.len(),
            n_panels: product.n_columns().div_ceil(panel),
            n_groups,
            block,
            n_blocks: n_groups.div_ceil(block),
            panel,
            width: size_of::<S::In>(),
            sum: if S::CORRECTION.is_some() { size_of::<S::Acc>() } else { 0 },
        }
    }

    /// Bytes of a panel of one block.
    fn panel_bytes(&self, group: usize) -> usize {
        self.block.min(self.n_groups - group) * self.panel * self.width
    }

    fn batch_bytes(&self) -> usize {
        self.n_panels * self.n_groups * self.panel * self.width
    }

    fn panels_bytes(&self) -> usize {
        (self.n_batches * self.batch_bytes()).next_multiple_of(ALIGN)
    }

    /// Bytes of all; none when these are too many to be counted.
    pub fn bytes(&self) -> Option<usize> {
        let columns = self.n_panels.checked_mul(self.panel)?.checked_mul(self.n_batches)?;
        let panels = columns.checked_mul(self.n_groups)?.checked_mul(self.width)?;
        let sums = columns.checked_mul(self.n_blocks)?.checked_mul(self.sum)?;
        panels.checked_add(ALIGN)?.checked_add(sums)
    }

    /// Where the panel of a number begins in the block that begins with `group`.
    pub fn panel(&self, batch: usize, group: usize, index: usize) -> usize {
        batch * self.batch_bytes() + group * self.n_panels * self.panel * self.width + index * self.panel_bytes(group)
    }

    /// Where the sums of its columns begin.
    pub fn sums(&self, batch: usize, group: usize, index: usize) -> usize {
        if self.sum == 0 {
            return 0;
        }
        let block = batch * self.n_blocks + group / self.block;
        self.panels_bytes() + (block * self.n_panels + index) * self.panel * self.sum
    }
}

/// Brings a right operand to where it stands packed.
#[derive(Debug)]
pub(super) struct Packing<S: Tiles> {
    pub operand: Operand<S::In>,
    pub layout: Layout,
    pub to: SlotId,
    /// Length of the contracting dimension.
    pub k: usize,
}

#[derive(Copy, Clone)]
struct Addresses(*const u8, *mut u8);
// SAFETY: threads write disjoint panels.
unsafe impl Send for Addresses {}
// SAFETY: as above.
unsafe impl Sync for Addresses {}

impl Addresses {
    fn from(self) -> *const u8 {
        self.0
    }

    fn to(self) -> *mut u8 {
        self.1
    }
}

impl<S: Tiles> Packing<S> {
    /// One panel of all blocks.
    fn panel(&self, addresses: Addresses, batch: usize, index: usize) {
        let (operand, layout) = (&self.operand, &self.layout);
        let lines = &operand.side.lines;
        let lines = &lines[index * layout.panel..lines.len().min((index + 1) * layout.panel)];
        let base = addresses.from().wrapping_offset(operand.batches[batch] * operand.width as isize);
        for group in (0..layout.n_groups).step_by(layout.block) {
            let n_groups = layout.block.min(layout.n_groups - group);
            let k = (group * S::GROUP, ((group + n_groups) * S::GROUP).min(self.k));
            // SAFETY: lines lie inside the operand, and the layout has room for the panel and its sums.
            unsafe {
                let to = addresses.to().add(layout.panel(batch, group, index)).cast::<S::In>();
                (operand.panel)(base, &operand.side, lines, k, to, layout.panel);
                if let Some(factor) = S::CORRECTION {
                    let sums = addresses.to().add(layout.sums(batch, group, index)).cast::<S::Acc>();
                    S::column_sums(to, n_groups, factor, sums);
                    for column in 0..layout.panel {
                        *sums.add(column) = -*sums.add(column);
                    }
                }
            }
        }
    }
}

impl<S: Tiles> Kernel for Packing<S> {
    fn run(&self, memory: &Memory, pool: &Pool) {
        /// Elements of panels that are worth a thread.
        const GRAIN: usize = 1 << 15;
        let addresses = Addresses(memory.address(self.operand.slot), memory.address(self.to));
        let (layout, n) = (&self.layout, self.layout.n_batches * self.layout.n_panels);
        let grain = GRAIN / (layout.panel * layout.n_groups).max(1) + 1;
        pool.split(n, grain, &|panels| {
            panels.for_each(|index| self.panel(addresses, index / layout.n_panels, index % layout.n_panels));
        });
    }

    fn describe(&self) -> String {
        let Layout { n_batches, n_panels, panel, .. } = self.layout;
        format!("packing of {n_batches}x{}x{n_panels} panels of {panel} columns", self.k)
    }
}
