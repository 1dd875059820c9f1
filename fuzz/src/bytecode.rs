//! The reader of bytecode: any bytes give a module or a fault with a place in them; what reads can be looked at, and what
//! verifies is written to bytes that read to the same program.

use bytes::Bytes;
use stablehlo::bytecode::{Options, inspect, read, write};
use stablehlo::ir::Module;
use stablehlo::syntax::{PrintOptions, print};
use stablehlo::verify::verify;
use stablehlo::vhlo::{Version, serialize_portable_artifact};

/// Reads `bytes` as bytecode.
///
/// # Panics
/// When a fault lies outside the file, a file that reads cannot be inspected, or writing is not the inverse of reading.
pub fn run(bytes: &[u8]) {
    let file = Bytes::copy_from_slice(bytes);
    let summary = inspect(&file);
    let module = match read(file, "-") {
        Ok(module) => module,
        Err(error) => {
            assert!(error.offset <= bytes.len() as u64, "{error:?}");
            return;
        }
    };
    assert!(summary.is_ok(), "a file that reads can be inspected: {summary:?}");
    let text = printed(&module);
    if verify(&module, "").is_err() {
        return;
    }
    for format in [0, 3, 6] {
        let written = match write(&module, &Options { format, ..Options::default() }) {
            Ok(written) => written.into_bytes(),
            Err(faults) => {
                // The rules of other dialects are not known: their ops may lack what they must have.
                assert!(faults.iter().all(|fault| fault.code == "bytecode/unwritable"), "{faults:?}");
                return;
            }
        };
        let again = read(written, "-").expect("what was written can be read");
        // Old formats have one dictionary for all attributes, so that an op may come back with fewer.
        if format == 6 {
            assert_eq!(printed(&again), text, "writing is the inverse of reading");
        }
    }
    for target in [Version::MINIMUM, Version::CURRENT] {
        if let Ok(artifact) = serialize_portable_artifact(&module, target) {
            read(artifact.into_bytes(), "-").expect("an artifact can be read");
        }
    }
}

fn printed(module: &Module) -> String {
    print(module, PrintOptions { generic: true, locations: true, ..PrintOptions::default() })
}

#[cfg(test)]
mod tests {
    #[test]
    fn smoke() {
        crate::seeds::smoke_bytecode(super::run);
    }
}
