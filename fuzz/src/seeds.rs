//! What the smoke tests run the targets on.

use std::path::Path;

use stablehlo::syntax::{Split, sections};

use crate::mutate::Mutator;

/// Runs a target on every input that once failed and on mutated programs.
pub(crate) fn smoke(run: fn(&[u8])) {
    let regressions = files("fuzz/regressions");
    regressions.iter().for_each(|bytes| run(bytes));
    let mut seeds: Vec<Vec<u8>> =
        ["stablehlo/rules", "testdata/cases", "testdata/printer"].iter().flat_map(|folder| programs(folder)).collect();
    assert!(seeds.len() > 100, "the seeds are in the repository");
    seeds.extend(regressions);
    let mut mutator = Mutator::new(7);
    for _ in 0..2000 {
        run(&mutator.mutate(&seeds));
    }
}

/// Runs a target on every input that once failed and on mutated bytecode.
pub(crate) fn smoke_bytecode(run: fn(&[u8])) {
    let mut seeds = files("testdata/bytecode");
    seeds.extend(files("fuzz/regressions"));
    seeds.retain(|bytes| stablehlo::bytecode::is_bytecode(bytes));
    assert!(seeds.len() > 10, "the seeds are in the repository");
    seeds.iter().for_each(|bytes| run(bytes));
    let mut mutator = Mutator::new(7);
    for _ in 0..2000 {
        run(&mutator.mutate_bytes(&seeds));
    }
}

/// The programs of a folder of this repository: the sections of its files and, in the printer's experiments, what stands
/// between lines that begin with `@`.
fn programs(folder: &str) -> Vec<Vec<u8>> {
    let mut programs = Vec::new();
    for file in files(folder) {
        let text = String::from_utf8_lossy(&file);
        for section in sections(&text, Split::MarkerLines) {
            let mut program = Vec::new();
            for line in text[section].split_inclusive('\n') {
                match line.starts_with('@') {
                    true => programs.push(std::mem::take(&mut program)),
                    false => program.extend(line.bytes()),
                }
            }
            programs.push(program);
        }
    }
    programs.retain(|program| !program.trim_ascii().is_empty());
    programs
}

/// The files below a folder of this repository, in order of their names; none when there is no such folder.
fn files(folder: &str) -> Vec<Vec<u8>> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}
