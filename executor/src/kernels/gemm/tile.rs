//! Tiles: a few rows and columns of a product, summed in registers.
#![expect(clippy::needless_range_loop, reason = "loops over numbers of registers, which the compiler unrolls")]

use super::simd::{Arrays, Simd, Sum};

/// Rows of the largest tile of any machine.
pub const MAX_ROWS: usize = 12;
/// Columns of the widest tile of any machine.
pub const MAX_COLUMNS: usize = 32;

/// What a tile is made of.
#[derive(Debug)]
pub struct Tile<'t, S: Simd> {
    /// Each row of the left operand; rows that the tile does not have repeat the last.
    pub a: [*const S::In; MAX_ROWS],
    /// Stretches of the contracting dimension in the left operand: bytes from `a`, length in packed elements.
    pub stretches: &'t [(isize, usize)],
    /// Packed elements from one to the next along the contracting dimension in the left operand.
    pub a_step: isize,
    /// The right operand: rows of as many columns as the kernel has.
    pub b: *const S::In,
    /// Packed elements from one to the next along the contracting dimension in the right operand.
    pub b_step: usize,
    /// The results.
    pub c: *mut S::Acc,
    /// Where each row of the results begins, in elements from `c`.
    pub c_rows: &'t [isize],
    /// Columns that exist.
    pub n_columns: usize,
    /// Added to every row; may be null.
    pub init: *const S::Acc,
    /// Whether sums are added to what is there.
    pub accumulate: bool,
}

/// # Safety
/// All addresses are readable, or writable, for what the tile's sizes say; the machine has the instructions of `S`.
#[inline(always)]
unsafe fn tile_body<S: Simd, const ROWS: usize, const VECTORS: usize>(tile: &Tile<'_, S>) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[S::zero(); VECTORS]; ROWS];
        let mut b = tile.b;
        for (offset, len) in tile.stretches {
            let mut rows = [std::ptr::null(); ROWS];
            for i in 0..ROWS {
                rows[i] = tile.a[i].wrapping_byte_offset(*offset);
            }
            let mut at = 0isize;
            for _ in 0..*len {
                let mut columns = [S::zero(); VECTORS];
                for v in 0..VECTORS {
                    columns[v] = S::load(b.wrapping_add(v * S::LANES));
                }
                for i in 0..ROWS {
                    let row = S::splat(rows[i].wrapping_offset(at));
                    for v in 0..VECTORS {
                        sums[i][v] = S::fma(sums[i][v], row, columns[v]);
                    }
                }
                at = at.wrapping_add(tile.a_step);
                b = b.wrapping_add(tile.b_step);
            }
        }
        // Sums that are addressed by a variable would be kept in memory all the time; a copy is.
        let mut copy = [[S::Acc::default(); MAX_COLUMNS]; ROWS];
        for i in 0..ROWS {
            for v in 0..VECTORS {
                S::store_acc(copy[i].as_mut_ptr().add(v * S::LANES), sums[i][v]);
            }
        }
        store::<S>(tile, &copy);
    }
}

/// Stores the sums of a tile.
///
/// # Safety
/// As for [`tile_body`].
#[inline(always)]
unsafe fn store<S: Simd>(tile: &Tile<'_, S>, sums: &[[S::Acc; MAX_COLUMNS]]) {
    // SAFETY: the caller's promise.
    unsafe {
        for (row, sums) in tile.c_rows.iter().zip(sums) {
            let c = tile.c.offset(*row);
            let mut column = 0;
            while column + S::LANES <= tile.n_columns {
                let mut sum = S::load_acc(sums.as_ptr().add(column));
                if !tile.init.is_null() {
                    sum = S::add(sum, S::load_acc(tile.init.add(column)));
                }
                if tile.accumulate {
                    sum = S::add(sum, S::load_acc(c.add(column)));
                }
                S::store_acc(c.add(column), sum);
                column += S::LANES;
            }
            for column in column..tile.n_columns {
                let mut sum = sums[column];
                if !tile.init.is_null() {
                    sum += *tile.init.add(column);
                }
                if tile.accumulate {
                    sum += *c.add(column);
                }
                *c.add(column) = sum;
            }
        }
    }
}

/// Kinds of vectors with their compiled tiles.
///
/// # Safety
/// As for [`Simd`].
pub unsafe trait Tiles: Simd {
    /// Computes a tile of at least `n_rows` rows and `n_vectors` (1 or 2) vectors per row.
    ///
    /// # Safety
    /// All addresses are readable, or writable, for what the tile's sizes say; the machine has the instructions.
    unsafe fn tile(n_rows: usize, n_vectors: usize, tile: &Tile<'_, Self>);
}

macro_rules! tiles {
    ($(#[$feature:meta])* [$($generics:tt)*] $S:ty, $($rows:literal),*) => {
        // SAFETY: the functions are compiled for the instructions that `Simd` asks for.
        unsafe impl<$($generics)*> Tiles for $S {
            unsafe fn tile(n_rows: usize, n_vectors: usize, tile: &Tile<'_, Self>) {
                $(#[$feature])*
                unsafe fn run<S: Simd, const ROWS: usize, const VECTORS: usize>(tile: &Tile<'_, S>) {
                    // SAFETY: the caller's promise.
                    unsafe { tile_body::<S, ROWS, VECTORS>(tile) }
                }
                // SAFETY: the caller's promise.
                unsafe {
                    match n_vectors {
                        1 => {
                            $(if n_rows <= $rows { return run::<Self, $rows, 1>(tile); })*
                        }
                        _ => {
                            $(if n_rows <= $rows { return run::<Self, $rows, 2>(tile); })*
                        }
                    }
                }
            }
        }
    };
}
tiles!([T: Sum] Arrays<T>, 1, 2, 4);
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::simd::{F32x8, F32x16, F64x4, F64x8, I8x64, I32x8, I32x16, I64x8};
    use super::{Simd, Tile, Tiles, tile_body};
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] F32x16, 1, 2, 4, 6, 8, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] F64x8, 1, 2, 4, 8, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] I32x16, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] I64x8, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq,avx512vnni")] [] I8x64, 1, 2, 4, 8, 12);
    tiles!(#[target_feature(enable = "avx2,fma")] [] F32x8, 1, 2, 4, 6);
    tiles!(#[target_feature(enable = "avx2,fma")] [] F64x4, 1, 2, 4, 6);
    tiles!(#[target_feature(enable = "avx2,fma")] [] I32x8, 1, 2, 6);
}
