//! Tiles: a few rows and columns of a product, summed in registers.
#![expect(clippy::needless_range_loop, reason = "loops over numbers of registers, which the compiler unrolls")]

use super::simd::{Arrays, Simd, Sum};

/// Rows of the largest tile of any machine.
pub const MAX_ROWS: usize = 12;
/// Bytes of a cache line.
pub(super) const LINE: usize = 64;
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
    /// Added to every row if the kind of vector has a [correction](Simd::CORRECTION).
    pub init: *const S::Acc,
    /// Whether sums are added to what is there.
    pub accumulate: bool,
    /// What is fetched into the cache on the way, two lines for each step along the contracting dimension, and how many bytes
    /// these pairs are apart. Any address will do.
    pub ahead: (*const u8, isize),
}

/// Asks for a cache line that will be needed soon; any address will do.
#[inline(always)]
fn fetch(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of the architecture, and fetches of addresses that do not exist do nothing.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// [`fetch`] for what will be needed later: not into the first cache.
#[inline(always)]
fn fetch_ahead(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: as above.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// # Safety
/// All addresses are readable, or writable, for what the tile's sizes say; the machine has the instructions of `S`.
#[inline(always)]
unsafe fn tile_body<S: Simd, const ROWS: usize, const VECTORS: usize>(tile: &Tile<'_, S>) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[S::zero(); VECTORS]; ROWS];
        let is_whole = tile.c_rows.len() == ROWS && tile.n_columns == VECTORS * S::LANES;
        if is_whole {
            for i in 0..ROWS {
                let c = tile.c.wrapping_offset(*tile.c_rows.get_unchecked(i));
                for v in 0..VECTORS {
                    fetch(c.wrapping_add(v * S::LANES).cast());
                }
                fetch(c.wrapping_add(VECTORS * S::LANES - 1).cast());
            }
        }
        if S::IN_ORDER && tile.accumulate {
            sums = sums_so_far::<S, ROWS, VECTORS>(tile);
        }
        let mut b = tile.b;
        let (mut ahead, ahead_step) = tile.ahead;
        for (offset, len) in tile.stretches {
            let mut rows = [std::ptr::null(); ROWS];
            for i in 0..ROWS {
                rows[i] = tile.a[i].wrapping_byte_offset(*offset);
            }
            let mut at = 0isize;
            for _ in 0..*len {
                fetch_ahead(ahead);
                fetch_ahead(ahead.wrapping_add(LINE));
                ahead = ahead.wrapping_offset(ahead_step);
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
        if is_whole {
            for i in 0..ROWS {
                let c = tile.c.offset(*tile.c_rows.get_unchecked(i));
                for v in 0..VECTORS {
                    let (mut sum, at) = (sums[i][v], v * S::LANES);
                    if S::CORRECTION.is_some() {
                        sum = S::add(sum, S::load_acc(tile.init.add(at)));
                    }
                    if tile.accumulate && !S::IN_ORDER {
                        sum = S::add(sum, S::load_acc(c.add(at)));
                    }
                    S::store_acc(c.add(at), sum);
                }
            }
            return;
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

/// The sums that stand where a tile will store its own.
///
/// # Safety
/// As for [`tile_body`].
#[inline(always)]
unsafe fn sums_so_far<S: Simd, const ROWS: usize, const VECTORS: usize>(tile: &Tile<'_, S>) -> [[S::V; VECTORS]; ROWS] {
    let mut copy = [[S::Acc::default(); MAX_COLUMNS]; ROWS];
    // SAFETY: the caller's promise.
    unsafe {
        for (row, copy) in tile.c_rows.iter().zip(&mut copy) {
            std::ptr::copy_nonoverlapping(tile.c.offset(*row), copy.as_mut_ptr(), tile.n_columns);
        }
        let mut sums = [[S::zero(); VECTORS]; ROWS];
        for i in 0..ROWS {
            for v in 0..VECTORS {
                sums[i][v] = S::load_acc(copy[i].as_ptr().add(v * S::LANES));
            }
        }
        sums
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
                if S::CORRECTION.is_some() {
                    sum = S::add(sum, S::load_acc(tile.init.add(column)));
                }
                if tile.accumulate && !S::IN_ORDER {
                    sum = S::add(sum, S::load_acc(c.add(column)));
                }
                S::store_acc(c.add(column), sum);
                column += S::LANES;
            }
            for column in column..tile.n_columns {
                let mut sum = sums[column];
                if S::CORRECTION.is_some() {
                    sum += *tile.init.add(column);
                }
                if tile.accumulate && !S::IN_ORDER {
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

    /// The sums of a packed panel's columns, each times `factor`: a tile of one row that is the same all along.
    ///
    /// # Safety
    /// The panel has `n_groups` rows of two vectors, and there is room for as many sums; the machine has the instructions.
    unsafe fn column_sums(panel: *const Self::In, n_groups: usize, factor: Self::In, to: *mut Self::Acc);
}

/// # Safety
/// As for [`Tiles::column_sums`].
#[inline(always)]
unsafe fn column_sums_body<S: Simd>(panel: *const S::In, n_groups: usize, factor: S::In, to: *mut S::Acc) {
    // SAFETY: the caller's promise.
    unsafe {
        let factor = S::splat(&factor);
        let mut sums = [S::zero(); 2];
        for group in 0..n_groups {
            for v in 0..2 {
                let columns = S::load(panel.add((2 * group + v) * S::LANES));
                sums[v] = S::fma(sums[v], factor, columns);
            }
        }
        for v in 0..2 {
            S::store_acc(to.add(v * S::LANES), sums[v]);
        }
    }
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

            unsafe fn column_sums(panel: *const Self::In, n_groups: usize, factor: Self::In, to: *mut Self::Acc) {
                $(#[$feature])*
                unsafe fn run<S: Simd>(panel: *const S::In, n_groups: usize, factor: S::In, to: *mut S::Acc) {
                    // SAFETY: the caller's promise.
                    unsafe { column_sums_body::<S>(panel, n_groups, factor, to) }
                }
                // SAFETY: the caller's promise.
                unsafe { run::<Self>(panel, n_groups, factor, to) }
            }
        }
    };
}
tiles!([T: Sum] Arrays<T>, 1, 2, 4);
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::simd::{
        Bf16x32, F32x8, F32x16, F32x16InOrder, F64x4, F64x8, I8U8x64, I8x64, I32x8, I32x16, I64x8, U8I8x64, U8U8x64,
    };
    use super::{Simd, Tile, Tiles, column_sums_body, tile_body};
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] F32x16, 1, 2, 4, 6, 8, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] F64x8, 1, 2, 4, 8, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] I32x16, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] I64x8, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq,avx512vnni")] [] I8x64, 1, 2, 4, 8, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq,avx512vnni")] [] U8I8x64, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq,avx512vnni")] [] I8U8x64, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq,avx512vnni")] [] U8U8x64, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq")] [] F32x16InOrder, 1, 4, 12);
    tiles!(#[target_feature(enable = "avx512f,avx512dq,avx512bf16")] [] Bf16x32, 1, 2, 4, 6, 8, 12);
    tiles!(#[target_feature(enable = "avx2,fma")] [] F32x8, 1, 2, 4, 6);
    tiles!(#[target_feature(enable = "avx2,fma")] [] F64x4, 1, 2, 4, 6);
    tiles!(#[target_feature(enable = "avx2,fma")] [] I32x8, 1, 2, 6);
}
