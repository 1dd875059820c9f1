//! `interpreter/testdata/ops`: what each op does on a few values worked out by hand.
//!
//! Files are named after ops and hold programs separated by `// -----`. Each checks itself with the `check` dialect;
//! a program that must end in an error begins with `// error: <code>`.

use std::path::Path;

use stablehlo::syntax::sections::{Split, sections};

use crate::engine::DROPS_UNUSED;
use crate::harness::{End, run_text};

#[test]
fn programs_check_themselves() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../interpreter/testdata/ops");
    let mut failures = Vec::new();
    let mut n_run = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, section) in sections(&text, Split::MarkerLines).into_iter().enumerate() {
            let program = &text[section];
            n_run += 1;
            let expected = program.lines().find_map(|line| line.trim().strip_prefix("// error: "));
            let end = run_text(&name, program);
            let found = match (&end, expected) {
                (End::Results(..), None) => continue,
                // These programs end without results: whatever is no check is of no use.
                (End::Results(..), Some(code)) if DROPS_UNUSED && code != "exec/check-failed" => continue,
                (End::Failed(error), Some(code)) if error.code() == code => continue,
                (End::Results(..), Some(_)) => "no error".to_owned(),
                (End::Failed(error), _) => error.to_string(),
                (End::Rejected(why), _) => format!("rejected, {why}"),
            };
            failures.push(format!("{name}, program {number}: {found}"));
        }
    }
    assert!(n_run > 30, "{n_run} programs");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
