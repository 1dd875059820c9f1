//! Files that other tools wrote: `testdata/bytecode`, and upstream's own where a checkout is named.

use std::path::{Path, PathBuf};

use stablehlo::bytecode::{Summary, inspect, read};
use stablehlo::ir::Module;
use stablehlo::ops::spec::Presence;
use stablehlo::syntax::{PrintOptions, parse, print};

use super::printed;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/bytecode")
}

/// The files whose names end like this, in order.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_str().is_some_and(|path| path.ends_with(end)));
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap()
}

/// What jaxlib printed after reading the same file.
fn expected(path: &Path) -> String {
    let exact = path.with_extension("txt");
    let program = path.with_file_name(format!("{}.txt", name(path).split('.').next().unwrap()));
    std::fs::read_to_string(if exact.exists() { exact } else { program }).unwrap()
}

/// Shows the first line that differs.
fn assert_same(found: &str, wanted: &str, name: &str) {
    if let Some((number, (found, wanted))) =
        found.lines().zip(wanted.lines()).enumerate().find(|(_, (found, wanted))| found != wanted)
    {
        panic!("{name}:{}\n found {found}\nwanted {wanted}", number + 1);
    }
    assert_eq!(found.len(), wanted.len(), "{name}");
}

#[test]
fn files_read_as_jaxlib_reads_them() {
    let paths = files(&folder(), ".mlirbc");
    assert!(paths.len() >= 19);
    for path in paths {
        let bytes = bytes::Bytes::from(std::fs::read(&path).unwrap());
        let module = read(bytes, name(&path)).unwrap_or_else(|error| panic!("{}: {error}", name(&path)));
        assert_same(&printed(&module), &expected(&path), name(&path));
    }
}

/// Every prefix of a file is refused with a place in it, and no change of one byte does harm.
#[test]
fn damaged_files_are_refused_in_an_orderly_way() {
    for path in files(&folder(), ".mlirbc") {
        let whole = bytes::Bytes::from(std::fs::read(&path).unwrap());
        for end in 0..whole.len() {
            let error = read(whole.slice(..end), "test").expect_err("a prefix is not a file");
            assert!(error.code.starts_with("bytecode/") && error.offset <= end as u64, "{end}: {error:?}");
        }
        let mut damaged = whole.to_vec();
        for at in 0..whole.len() {
            let change = [0x01, 0x02, 0x80, 0xff][at % 4];
            damaged[at] ^= change;
            match read(damaged.clone().into(), "test") {
                Err(error) => assert!(error.offset <= damaged.len() as u64, "{at}: {error:?}"),
                Ok(module) => drop(printed(&module)),
            }
            let _ = inspect(&damaged.clone().into());
            damaged[at] ^= change;
        }
    }
}

#[test]
fn large_constants_share_the_file() {
    let path = folder().join("resources.native6.mlirbc");
    let bytes = bytes::Bytes::from(std::fs::read(path).unwrap());
    let module = read(bytes.clone(), "test").unwrap();
    let (_, resource) = module.resources.iter().next().unwrap();
    assert_eq!((resource.alignment, &resource.data[..]), (8, &[1, 0, 0, 0, 2, 0, 0, 0][..]));
    assert!(bytes.as_ptr_range().contains(&resource.data.as_ptr()));
}

// Expected: the format version is the byte behind the magic number, half of it less one half; the program has these ops.
#[test]
fn a_file_tells_what_is_in_it() {
    let summary = |file: &str| inspect(&std::fs::read(folder().join(file)).unwrap().into()).unwrap();
    let artifact = summary("control.1.17.0.mlirbc");
    assert_eq!((artifact.producer.as_str(), artifact.format), ("StableHLO_v1.17.0", 6));
    let names: Vec<&str> = artifact.dialects.iter().map(|dialect| dialect.name.as_str()).collect();
    assert_eq!(names, ["builtin", "vhlo"]);
    let count = |summary: &Summary, op: &str| summary.ops.iter().find(|(name, _)| name == op).map(|(_, n)| *n);
    assert_eq!(count(&artifact, "vhlo.func_v1"), Some(3));
    assert_eq!(count(&artifact, "vhlo.return_v1"), Some(8));
    assert_eq!(count(&artifact, "vhlo.compare_v1"), Some(2));
    assert_eq!(count(&summary("control.native6.mlirbc"), "stablehlo.constant"), Some(6));
    let old = summary("control.0.9.0.mlirbc");
    assert_eq!((old.format, old.ops.len()), (0, artifact.ops.len()));
    let resources = summary("resources.native6.mlirbc").resources;
    assert_eq!((resources[0].group.as_str(), resources[0].key.as_str()), ("builtin", "blob"));
    let last = artifact.sections.last().unwrap();
    let size = std::fs::metadata(folder().join("control.1.17.0.mlirbc")).unwrap().len();
    assert_eq!(last.offset + last.size, size);
}

/// Takes out what is written although it is the default: artifacts do not tell the difference.
fn drop_defaults(module: &mut Module) {
    let mut ops = Vec::new();
    module.walk(module.top(), |op| ops.push(op));
    for op in ops {
        let attributes = module.kind(op).map_or(&[][..], |kind| kind.spec().attributes);
        for (slot, attr) in attributes.iter().enumerate() {
            let value = module.properties(op)[slot];
            if let (Presence::Default(default), Some(value)) = (attr.presence, value)
                && default.is(module, value)
            {
                module.set_property(op, slot, None);
            }
        }
    }
}

/// Upstream's artifacts of every release read to the program of their text twin.
#[test]
fn artifacts_of_all_releases() {
    let Some(checkout) = std::env::var_os("STABLEHLO_UPSTREAM") else {
        return;
    };
    for path in files(&Path::new(&checkout).join("stablehlo/tests/vhlo"), ".mlir.bc") {
        let module = read(std::fs::read(&path).unwrap().into(), name(&path));
        let twin = std::fs::read_to_string(path.with_extension("")).unwrap();
        match module {
            Ok(module) => {
                let options = PrintOptions { generic: true, ..PrintOptions::default() };
                let mut parsed = parse("twin.mlir", &twin);
                assert!(parsed.is_ok(), "{}: {:?}", name(&path), parsed.diagnostics.first());
                drop_defaults(&mut parsed.module);
                assert_same(&print(&module, options), &print(&parsed.module, options), name(&path));
            }
            Err(error) => assert_eq!((name(&path), error.code), ("invalid_vhlo_future.mlir.bc", "bytecode/unknown-op")),
        }
    }
}
