//! Fuzz targets: one module per target with a `run` that must come back, whatever bytes it gets.
//!
//! `libfuzzer/` wraps each in three lines for coverage-guided fuzzing; the smoke tests here run each on mutated seeds in
//! the ordinary test run. A seed that once failed belongs to `regressions/`.

pub mod notation;
pub mod parse;
pub mod verify_run;

#[cfg(test)]
mod mutate;

/// Programs that the mutations start from: the golden rules, the cases and the printer's experiments of this repository.
pub fn seeds() -> Vec<Vec<u8>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seeds = Vec::new();
    let mut folders: Vec<_> = ["stablehlo/rules", "testdata/cases", "testdata/printer", "fuzz/regressions"]
        .map(|folder| root.join(folder))
        .into();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                seeds.extend(stablehlo_sections(&bytes));
            }
        }
    }
    seeds
}

/// The sections of a file, split at its marks.
fn stablehlo_sections(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(bytes);
    text.split("// -----")
        .flat_map(|section| section.split("\n@@ "))
        .map(|section| section.as_bytes().to_vec())
        .collect()
}

#[cfg(test)]
pub(crate) fn smoke(run: fn(&[u8])) {
    let seeds = seeds();
    assert!(seeds.len() > 100, "the seeds are in the repository");
    let mut mutator = mutate::Mutator::new(7);
    for _ in 0..2000 {
        run(&mutator.mutate(&seeds));
    }
}
