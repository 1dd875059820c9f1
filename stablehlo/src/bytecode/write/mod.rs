//! From a [`Module`] to bytes.
//!
//! Every op is lowered to a record ([`lowering`]): its name, and entries of a [`Table`] for attributes, types and properties,
//! made by the [`Encoder`]. On the way all uses of entries are counted ([`plan`](mod@plan)), because what is used most gets
//! the shortest number ([`number`]). Then the sections are written ([`sections`], [`ir`]).
//!
//! Numbers, order of strings and everything else that a reader does not depend on are chosen as MLIR chooses them, so that
//! the bytes are those that MLIR writes for the same module.

mod bytes;
mod encoder;
mod ir;
mod isolation;
mod lowering;
mod native;
mod number;
mod places;
mod plan;
mod sections;
mod table;
mod uses;

use rustc_hash::FxHashMap;

pub use bytes::Encoded;
pub(crate) use encoder::{Encoder, Encodings, Result};
pub(crate) use lowering::{Lowering, OpRecord};
pub(crate) use table::{AttrEntry, Piece, PropertiesEntry, TypeEntry};

pub(crate) use self::native::Native;
use self::sections::{ExternalResources, File};
use super::{dialects, format};
use crate::diag::Diagnostic;
use crate::ir::{Module, Span};
use crate::vhlo::Version;

/// How a module is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The version of the format, at most 6.
    pub format: u64,
    /// What the file says about who wrote it.
    pub producer: String,
    /// The release of StableHLO that shall read the file: attributes that an op had not yet and that are absent leave no
    /// trace. Bytecode that is no portable artifact can only be read by a release that declares the same attributes.
    pub release: Version,
}

impl Options {
    /// What MLIR at the revision of the newest StableHLO release that was looked at calls itself.
    pub const MLIR_PRODUCER: &'static str = "MLIR23.0.0git";
}

impl Default for Options {
    /// The newest format, written by this crate.
    fn default() -> Self {
        let producer = concat!("shlo ", env!("CARGO_PKG_VERSION")).to_owned();
        Self { format: format::NEWEST, producer, release: Version::CURRENT }
    }
}

/// Writes a module as MLIR bytecode, its dialects as they are.
///
/// The module should be valid. Ops of dialects that are not known here are written as unregistered ones.
///
/// # Errors
/// A format version that is not known, and values that are defined nowhere.
pub fn write(module: &Module, options: &Options) -> std::result::Result<Encoded, Vec<Diagnostic>> {
    if options.format > format::NEWEST {
        let (wanted, newest) = (options.format, format::NEWEST);
        let message = format!("format version {wanted} is not known here; the newest one is {newest}");
        return Err(vec![Diagnostic::error("bytecode/unsupported-version", Span::default(), message)]);
    }
    let encoder = Encoder::new(module, dialects::NATIVE, dialects::NATIVE);
    write_with(encoder, &mut Native::new(options.format, options.release.release()), &options.producer, true)
}

/// The lowering of ops to themselves.
pub(crate) fn native(format: u64) -> Native {
    Native::new(format, Version::CURRENT)
}

/// Writes the module of `encoder` as `lowering` says. `external`: with the resources that belong to no dialect.
pub(crate) fn write_with(
    mut encoder: Encoder<'_>,
    lowering: &mut dyn Lowering,
    producer: &str,
    external: bool,
) -> std::result::Result<Encoded, Vec<Diagnostic>> {
    let module = encoder.module;
    let unknown = encoder.unknown_location();
    let mut plan = plan::plan(&mut encoder, lowering)?;
    let table = &mut encoder.table;
    let resources: FxHashMap<_, _> =
        module.resources.iter().map(|(key, resource)| (table.string(module.str(*key).as_bytes()), resource)).collect();
    let external = if external { ExternalResources::of(module, table) } else { ExternalResources::default() };
    let counter = std::mem::take(&mut plan.counter);
    let numbers = counter.number(table, |key| resources.contains_key(&key));
    let orders = uses::use_orders(module, &plan, lowering.rebuilds());
    let file = File {
        format: lowering.format(),
        producer,
        module,
        table,
        plan: &plan,
        numbers: &numbers,
        orders: &orders,
        unknown,
        resources: &resources,
        external: &external,
    };
    file.write().map_err(|complaint| vec![complaint])
}
