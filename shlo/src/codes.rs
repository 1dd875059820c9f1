//! The codes that the interpreter and this crate report, in plain words; those of other crates stand beside what reports
//! them.

/// Codes and what they mean, in alphabetical order.
pub const CODES: &[(&str, &str)] = &[
    ("exec/bug", "The interpreter met a state that verified programs exclude: a bug of shlo."),
    ("exec/check-failed", "An op of the `check` dialect found that its operand is not what it should be."),
    ("exec/depth-limit", "Calls and regions are nested too deeply, for example by endless recursion."),
    ("exec/endless-loop", "A loop never ends: its condition holds and its body changes nothing."),
    ("exec/infeed-empty", "The program reads more from `infeed` than there is."),
    ("exec/input-count", "The function takes another number of inputs."),
    ("exec/input-type", "An input has another type than the function's argument."),
    ("exec/interrupted", "The run was interrupted by Ctrl-C."),
    ("exec/invalid-einsum", "The letters of `einsum_config` cannot be read or do not fit the operands."),
    ("exec/memory-limit", "Tensors would take more memory than `--max-memory` allows."),
    ("exec/missing-resource", "The bytes of a `dense_resource` are not in the file."),
    ("exec/negative-size", "A shape that the program computed has a negative size."),
    ("exec/no-body", "The function is only declared, so it cannot be run."),
    ("exec/no-entry", "There is no function to begin with: none, or several and none is called main."),
    ("exec/out-of-bounds", "An index that the program computed is outside of its tensor, where that is not allowed."),
    ("exec/rng-bounds", "`rng` is asked for a range or a deviation that makes no sense."),
    ("exec/rng-state", "The state of `rng_bit_generator` is not one that its algorithm has."),
    ("exec/shape-assertion", "An assertion about shapes that the program was exported with does not hold."),
    ("exec/shape-mismatch", "A value has another shape than the program says or an op needs."),
    ("exec/size-overflow", "A shape that the program computed has too many elements."),
    ("exec/step-limit", "More ops were executed than `--max-steps` allows."),
    ("exec/time-limit", "The run took longer than `--timeout` allows."),
    ("exec/unknown-custom-call", "The interpreter does not know what the target of the custom call does."),
    ("exec/unsupported", "The interpreter does not execute this op."),
    ("input/append", "Archives (.npz, .safetensors) cannot be appended to."),
    ("input/bin", "A raw file has another number of bytes than the type takes."),
    ("input/count", "A value has another number of elements than its type."),
    ("input/element", "A text is no element of the type."),
    ("input/file", "A file with values cannot be read."),
    ("input/generator", "The parameters of made-up values such as `rand:seed=7` are wrong."),
    ("input/list", "A file that lists values is no text, or lists name each other too deeply."),
    ("input/missing", "An argument has no value."),
    ("input/mlir", "A value in MLIR's notation, `dense<…> : tensor<…>`, is malformed."),
    ("input/npy", "A numpy file is malformed."),
    ("input/npy-type", "A numpy file has elements of a type that tensors do not have."),
    ("input/npz", "A numpy archive is malformed or has no array of the name."),
    ("input/safetensors", "A safetensors file is malformed or has no tensor of the name."),
    ("input/too-large", "A value would take more memory than is allowed."),
    ("input/too-many", "There are more values than arguments."),
    ("input/twice", "An argument gets two values."),
    ("input/type", "A value has another type than its argument, or its type must be written."),
    ("input/unknown-name", "No argument has the name that a value is for."),
    ("io/too-large", "Texts of 4 GiB and more are not read."),
    ("io/unreadable", "The file or directory cannot be read, or a directory holds no program."),
];

/// All codes that are not about a rule, also those of other crates.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    stablehlo::diag::codes::CODES.iter().chain(CODES).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// String literals `"exec/…"`, `"input/…"` and `"io/…"` in the sources are the codes that can be reported.
    #[test]
    fn every_code_in_the_sources_is_here() {
        let mut used = BTreeSet::new();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut directories = vec![here.join("src"), here.join("../interpreter/src")];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    directories.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("src/codes.rs")
                {
                    let source = std::fs::read_to_string(&path).unwrap();
                    used.extend(source.split('"').filter(|literal| is_code(literal)).map(str::to_owned));
                }
            }
        }
        let listed: BTreeSet<String> = CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(
            used.difference(&listed).collect::<Vec<_>>(),
            [""; 0],
            "codes without explanation in shlo/src/codes.rs"
        );
        assert_eq!(listed.difference(&used).collect::<Vec<_>>(), [""; 0], "codes that nothing reports");
    }

    fn is_code(literal: &str) -> bool {
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        ["exec/", "input/", "io/"]
            .iter()
            .any(|layer| literal.strip_prefix(layer).is_some_and(|name| !name.is_empty() && is_name(name)))
    }
}
