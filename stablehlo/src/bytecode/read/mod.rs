//! From bytes to a [`Module`](crate::ir::Module).

mod entries;

pub(crate) use entries::{Decoder, Stop};
