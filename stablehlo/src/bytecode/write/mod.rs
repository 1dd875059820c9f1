//! From a [`Module`](crate::ir::Module) to bytes.

mod encoder;
mod lowering;
mod table;

pub(crate) use encoder::{Encoder, Encodings, Result};
pub(crate) use lowering::{Lowering, OpRecord};
pub(crate) use table::{AttrEntry, Piece, PropertiesEntry, StringEntry, Table, TypeEntry};
