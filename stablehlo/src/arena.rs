//! Typed arenas: vectors addressed by small typed ids.
//!
//! Every entity of the IR has its own id type, four bytes with a niche (so `Option<ValueId>` is four bytes too).
//! Ids are meaningful only together with the [`Module`](crate::ir::Module) that made them.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// An id that addresses an [`Arena`].
pub trait Entity: Copy + Eq {
    /// The id of position `index`; arenas hold fewer than 2³² − 1 items.
    fn from_index(index: usize) -> Self;
    /// The position this id addresses.
    fn index(self) -> usize;
}

/// Packs a position into the non-zero form that ids are made of.
pub(crate) fn pack(index: usize) -> NonZeroU32 {
    let raw = u32::try_from(index).ok().and_then(|index| index.checked_add(1)).and_then(NonZeroU32::new);
    raw.expect("sources are limited to 4 GiB, so an arena never holds 2^32 - 1 items")
}

/// Declares an id type.
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(std::num::NonZeroU32);

        impl $crate::arena::Entity for $name {
            fn from_index(index: usize) -> Self {
                Self($crate::arena::pack(index))
            }
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0.get() - 1)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0.get() - 1)
            }
        }
    };
}
pub(crate) use entity;

/// A growing vector of `T` addressed by `I`.
#[derive(Clone)]
pub struct Arena<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I: Entity, T> Arena<I, T> {
    /// An empty arena.
    pub const fn new() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }

    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All ids in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// Makes room for `additional` more items.
    pub fn reserve(&mut self, additional: usize) {
        self.items.reserve(additional);
    }
}

impl<I: Entity, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Entity, T> Index<I> for Arena<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Entity, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Entity + fmt::Debug, T: fmt::Debug> fmt::Debug for Arena<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))).finish()
    }
}

/// A table beside an [`Arena`]: one `T` per id, default where nothing was set.
#[derive(Clone, Debug)]
pub struct SideMap<I, T> {
    items: Vec<T>,
    default: T,
    ids: PhantomData<fn() -> I>,
}

impl<I: Entity, T: Clone> SideMap<I, T> {
    /// A table in which every id has `default`.
    pub const fn new(default: T) -> Self {
        Self { items: Vec::new(), default, ids: PhantomData }
    }

    /// Sets the entry of `id`.
    pub fn set(&mut self, id: I, item: T) {
        let index = id.index();
        if index >= self.items.len() {
            self.items.resize(index + 1, self.default.clone());
        }
        self.items[index] = item;
    }
}

impl<I: Entity, T: Clone + Default> Default for SideMap<I, T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<I: Entity, T> Index<I> for SideMap<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        self.items.get(id.index()).unwrap_or(&self.default)
    }
}

/// A run of entries in one of the module's pools of lists.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Run {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    /// Appends `items` to `pool` as a run.
    pub(crate) fn push<T>(pool: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Run {
        let start = pool.len();
        pool.extend(items);
        Run { start: start as u32, len: (pool.len() - start) as u32 }
    }
}
