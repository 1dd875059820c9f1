//! VHLO: what portable artifacts are written in.
//!
//! A type of VHLO is one of ours under another code, and an attribute is too, except that VHLO has no symbols (they are
//! strings), no unit (a truth value) and no arrays of numbers (they are tensors): which of those a string or a tensor was
//! follows from the op it belongs to, see [`vhlo::read`](crate::vhlo::read).

pub(crate) mod codes;
mod read;
pub(crate) mod write;

pub(super) use read::{read_attr, read_type};

use crate::bytecode::write::Encodings;

/// VHLO's encodings; it has no locations of its own.
pub(crate) const ENCODINGS: Encodings =
    Encodings { attr: write::write_attr, ty: write::write_type, location: super::builtin::write_location };
