//! From a [`Module`](crate::ir::Module) to bytes.

mod lowering;
mod table;

pub(crate) use lowering::{Lowering, OpRecord};
pub(crate) use table::{AttrEntry, Piece, Table, TypeEntry};
