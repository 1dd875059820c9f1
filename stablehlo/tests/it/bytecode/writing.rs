//! Writing: bytes worked out by hand, the bytes that jaxlib writes, and that nothing is lost.

use std::path::{Path, PathBuf};

use stablehlo::bytecode::{Options, read, write};
use stablehlo::ir::Module;
use stablehlo::syntax::{PrintOptions, parse, print};
use stablehlo::vhlo::{Version, serialize_portable_artifact};

use super::printed;

fn module(text: &str) -> Module {
    let parsed = parse("-", text);
    assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
    parsed.module
}

fn options(format: u64) -> Options {
    // The release of StableHLO in the jaxlib that wrote the files.
    let release = Version::new(1, 17, 0);
    Options { format, producer: Options::MLIR_PRODUCER.to_owned(), release }
}

fn bytes(module: &Module, format: u64) -> bytes::Bytes {
    write(module, &options(format)).unwrap_or_else(|complaints| panic!("{complaints:?}")).into_bytes()
}

/// The sections of `docs/bytecode.md`, written down for a module that is empty.
#[test]
fn an_empty_module_by_hand() {
    let options = Options { producer: "me".to_owned(), ..Options::default() };
    let found = write(&module("module {}"), &options).unwrap().into_bytes();
    #[rustfmt::skip]
    let wanted = [
        // "MLïR", format 6, producer.
        0x4d, 0x4c, 0xef, 0x52, 0x0d, b'm', b'e', 0,
        // Dialects, 6 bytes: one, string 0, no version; one op name: of dialect 0, one, string 1, registered.
        0x01, 0x0d, 0x03, 0x01, 0x03, 0x01, 0x03, 0x07,
        // Offsets, 6 bytes: two attributes, no types; of dialect 0, two: 4 bytes encoded, 2 bytes encoded.
        0x03, 0x0d, 0x05, 0x01, 0x01, 0x05, 0x13, 0x0b,
        // Attributes, 6 bytes: a place (code 11) in the file that attribute 1 names, line 1, column 1; string 2.
        0x02, 0x0d, 0x17, 0x03, 0x03, 0x03, 0x05, 0x05,
        // The IR, 11 bytes: one op without arguments before it; name 0, has properties and regions, location 0, properties 0, one region,
        // isolated, which is a section of 3 bytes: one block, no values, no ops.
        0x04, 0x17, 0x05, 0x01, 0x50, 0x01, 0x01, 0x07, 0x04, 0x07, 0x03, 0x01, 0x01,
        // No groups of external resources, no resources.
        0x06, 0x03, 0x01, 0x05, 0x01,
        // Strings: three of 2, 7 and 8 bytes.
        0x00, 0x2b, 0x07, 0x05, 0x0f, 0x11,
        b'b', b'u', b'i', b'l', b't', b'i', b'n', 0, b'm', b'o', b'd', b'u', b'l', b'e', 0, b'-', 0,
        // Properties: one entry of two bytes, no name and no visibility.
        0x08, 0x09, 0x03, 0x05, 0x01, 0x01,
    ];
    assert_eq!(found[..], wanted[..]);
}

/// Programs, and what jaxlib made of them.
fn cases() -> Vec<(PathBuf, String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/bytecode");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap().to_owned();
        if let Some((program, version)) = name.strip_suffix(".mlirbc").and_then(|name| name.split_once('.')) {
            cases.push((folder.join(format!("{program}.mlir")), version.to_owned(), path));
        }
    }
    cases.sort();
    cases
}

#[test]
fn bytes_are_those_that_jaxlib_writes() {
    let cases = cases();
    assert!(cases.len() >= 25);
    for (program, version, file) in cases {
        // MLIR loses the properties of unregistered ops before format 5; here they become attributes.
        let name = file.file_name().and_then(|name| name.to_str()).unwrap();
        if name == "resources.native1.mlirbc" {
            continue;
        }
        let module = module(&std::fs::read_to_string(&program).unwrap());
        let found = match version.strip_prefix("native") {
            Some(format) => bytes(&module, format.parse().unwrap()),
            None => serialize_portable_artifact(&module, version.parse().unwrap()).unwrap().into_bytes(),
        };
        let wanted = std::fs::read(&file).unwrap();
        let differs = found.iter().zip(&wanted).position(|(found, wanted)| found != wanted);
        assert!(found == wanted, "{}: {differs:?} of {} and {}", file.display(), found.len(), wanted.len());
    }
}

/// The valid sections of the golden files of all ops, in every version of the format.
#[test]
fn what_is_written_reads_back_the_same() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut n_modules = 0;
    let folders = std::fs::read_dir(rules).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    for folder in folders {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            for section in text.split("// -----") {
                let parsed = parse("-", section);
                if !parsed.is_ok() || stablehlo::verify::verify(&parsed.module, section).is_err() {
                    continue;
                }
                n_modules += 1;
                for format in 0..=6 {
                    let written = bytes(&parsed.module, format);
                    let again =
                        read(written, "-").unwrap_or_else(|error| panic!("{} {format}: {error}", path.display()));
                    assert_eq!(printed(&again), printed(&parsed.module), "{} {format}", path.display());
                }
            }
        }
    }
    assert!(n_modules > 150, "{n_modules}");
}

/// Constants whose bytes are equal are one attribute of the file, however large they are.
#[test]
fn equal_large_constants_are_written_once() {
    let constant =
        |first: char| format!("stablehlo.constant dense<\"0x{first}{}\"> : tensor<512xi8>", "0".repeat(1023));
    let text = |b: char| format!("%0 = {}\n%1 = {}\n%2 = {}", constant('1'), constant('1'), constant(b));
    let size = |b| bytes(&module(&text(b)), 6).len();
    assert!(size('1') < 512 + 300, "{}", size('1'));
    assert!((2 * 512..2 * 512 + 300).contains(&size('2')), "{}", size('2'));
}

/// Large constants are not copied on the way from the module to the file.
#[test]
fn large_constants_are_shared_with_the_module() {
    let text = format!("%0 = stablehlo.constant dense<\"0x{}\"> : tensor<8192xi8>", "0102".repeat(4096));
    let first = bytes(&module(&text), 6);
    let read_back = read(first.clone(), "-").unwrap();
    let encoded = write(&read_back, &options(6)).unwrap();
    let shared = |chunk: &bytes::Bytes| first.as_ptr_range().contains(&chunk.as_ptr());
    assert_eq!(encoded.chunks().iter().filter(|chunk| shared(chunk)).map(|chunk| chunk.len()).sum::<usize>(), 8192);
    assert_eq!(encoded.size() as usize, encoded.into_bytes().len());
}

#[test]
fn resources_that_belong_to_no_dialect_are_kept() {
    let text = "module {}\n{-#\n  external_resources: {\n    tool: {\n      flag: true,\n      text: \"words\",\n      blob: \"0x08000000010203\"\n    }\n  }\n#-}\n";
    let whole = module(text);
    let again = read(bytes(&whole, 6), "-").unwrap();
    let text = |module: &Module| print(module, PrintOptions::default());
    assert_eq!(text(&again), text(&whole));
    assert!(text(&again).contains("words"));
}

#[test]
fn what_cannot_be_written_is_said() {
    let module = module("module {}");
    let complaints = write(&module, &options(7)).unwrap_err();
    assert_eq!(complaints[0].code, "bytecode/unsupported-version");
}
