//! The codes of complaints that are not about a rule of an op, in plain words.
//!
//! Codes of ops' rules (`pad_c2`) are in [`rules`](super::rules). Every other code that this crate reports stands here, and
//! no more; a test reads the sources and compares.

/// Codes and what they mean, in alphabetical order.
pub const CODES: &[(&str, &str)] = &[
    ("attribute/mesh-axes", "Replica groups by mesh axes name a mesh and axes that this mesh has."),
    (
        "attribute/result-accuracy",
        "Tolerances of `result_accuracy` are not negative, and all zero unless the mode is TOLERANCE.",
    ),
    ("bytecode/cycle", "An attribute or type of the file contains itself."),
    ("bytecode/duplicate-key", "A dictionary of the file has a key twice."),
    ("bytecode/duplicate-section", "The file has a section twice."),
    ("bytecode/expansion", "What the file tells once and uses many times would be too large when written out."),
    ("bytecode/expected-dictionary", "Attributes or properties of an op are not a dictionary."),
    ("bytecode/expected-location", "The file has another attribute where a location must be."),
    ("bytecode/expected-string", "The file has another attribute where a string must be."),
    ("bytecode/expected-symbol", "The file has another attribute where a symbol must be."),
    ("bytecode/invalid-alignment", "An alignment is not a power of two."),
    ("bytecode/invalid-attribute", "A part of an attribute is not what it must be."),
    (
        "bytecode/invalid-elements",
        "Elements are not as many bytes as their type takes, or their type has no elements that can be stored.",
    ),
    ("bytecode/invalid-enum", "A number stands for none of the words of an enumeration."),
    (
        "bytecode/invalid-index",
        "A number names an attribute, type, string, name, block or value that the file does not have.",
    ),
    ("bytecode/invalid-ir", "The outermost block of the file is not as it must be."),
    ("bytecode/invalid-mask", "An op has parts that this format does not have."),
    ("bytecode/invalid-number", "A number is too large for what it counts, or a flag is neither 0 nor 1."),
    ("bytecode/invalid-padding", "The bytes that fill up to an alignment are not 0xCB."),
    ("bytecode/invalid-string", "A name is not UTF-8, or a string does not end as it must."),
    ("bytecode/invalid-text", "An attribute or type is given as text that cannot be read."),
    ("bytecode/invalid-type", "A type of the file does not exist: its width, sizes or parts are not possible."),
    ("bytecode/missing-section", "The file lacks a section that it must have."),
    ("bytecode/not-bytecode", "The bytes do not begin as MLIR bytecode begins."),
    ("bytecode/too-deep", "Attributes, types, locations or regions are nested too deeply."),
    ("bytecode/too-large", "A section, other than those of constants, is larger than what is read."),
    ("bytecode/too-many-values", "A region defines more values than it says."),
    ("bytecode/trailing-bytes", "Something is followed by bytes that do not belong to it."),
    ("bytecode/truncated", "The bytes end before what they tell is complete."),
    ("bytecode/undefined-value", "A value is used that nothing defines."),
    ("bytecode/unexpected-section", "A section stands where another one must be."),
    (
        "bytecode/unknown-code",
        "A dialect has no attribute or type with this number: the file is newer than this reader, or damaged.",
    ),
    ("bytecode/unknown-dialect", "Only a dialect that is not known here can read this attribute or type."),
    ("bytecode/unknown-op", "A dialect has no op of this name: the file is newer than this reader, or damaged."),
    ("bytecode/unknown-properties", "Only a dialect that is not known here can read the properties of this op."),
    ("bytecode/unknown-section", "The file has a section with a number that has no meaning."),
    (
        "bytecode/unsupported",
        "The file has something that is possible but not read here, such as integers whose values need more than 128 bits.",
    ),
    ("bytecode/unsupported-version", "The version of the format is not known here."),
    ("bytecode/unwritable", "An op lacks an attribute without which it has no form in bytecode, or has one too many."),
    (
        "dialect/unregistered",
        "The op belongs to a dialect that is not known here. `--allow-unregistered-dialect` keeps such ops, unchecked.",
    ),
    ("expected/missing", "With `--verify-diagnostics`: a comment expects a complaint that did not come."),
    ("expected/unexpected", "With `--verify-diagnostics`: no comment expects this complaint."),
    ("parse/alias-expansion", "Aliases that contain aliases stand for more than could be written out."),
    ("parse/alias-redefinition", "An alias (`#name = …`, `!name = …`) is defined twice."),
    (
        "parse/convolution-dimensions",
        "The dimension numbers of a convolution, `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, are malformed.",
    ),
    ("parse/distinct-mismatch", "`distinct[n]` names one attribute; it is written with two different values."),
    ("parse/duplicate-identifier", "A name is used twice in an affine map or set."),
    ("parse/duplicate-key", "A dictionary or a structured attribute names the same entry twice."),
    ("parse/expected-affine", "An affine expression, map or set is expected here."),
    ("parse/expected-attribute", "An attribute is expected here."),
    (
        "parse/expected-attribute-name",
        "The name of an attribute is expected here: an identifier, a keyword or a string.",
    ),
    ("parse/expected-block", "The label of a block, `^name`, is expected here."),
    ("parse/expected-body", "A function body between braces holds at least one op."),
    ("parse/expected-bool", "`true` or `false` is expected here."),
    ("parse/expected-dictionary", "The properties of an op, `<{…}>`, are a dictionary."),
    ("parse/expected-dimension", "A dimension of a shape, `4x` or `?x`, is expected here."),
    (
        "parse/expected-element",
        "An element of a constant is expected here: a number, `true`, `false`, a complex pair or a string.",
    ),
    ("parse/expected-elements", "A constant is expected here: `dense<…> : tensor<…>` or the like."),
    ("parse/expected-float", "A floating-point number is expected here; whole numbers have a dot, `1.0`."),
    ("parse/expected-integer", "An integer is expected here."),
    ("parse/expected-keyword", "A certain word, or any identifier, is expected here."),
    ("parse/expected-location", "A location, `loc(…)`, is expected here."),
    ("parse/expected-number", "A number is expected here."),
    ("parse/expected-operand", "An operand, `%name`, is expected here."),
    ("parse/expected-operation", "An op is expected here: its name, or the names of its results and `=`."),
    ("parse/expected-punctuation", "A certain sign, such as a comma or a bracket, is expected here."),
    ("parse/expected-string", "A string in double quotes is expected here."),
    ("parse/expected-symbol", "A symbol, `@name`, is expected here."),
    (
        "parse/expected-text",
        "The pretty form of this op continues with the given text; `shlo explain OP` shows an example of it.",
    ),
    ("parse/expected-type", "A type is expected here."),
    ("parse/expected-value", "A value, `%name`, is expected here."),
    ("parse/float-format", "A float format is expected here: `e5m10` has 5 bits of exponent and 10 of mantissa."),
    ("parse/inferred-attribute", "The attribute follows from other parts of the op and must not be written."),
    ("parse/integer-range", "The integer does not fit its type."),
    ("parse/integer-width", "The width of an integer type is out of range."),
    ("parse/invalid-alias", "The name of an alias must not contain a dot: such names are kept for dialects."),
    ("parse/invalid-blob", "The bytes of a resource are not a hexadecimal string that begins with the alignment."),
    (
        "parse/invalid-bounds",
        "The bounds of a tensor type do not fit its shape: one for each dimension, `?` where the size is known.",
    ),
    ("parse/invalid-dimension", "The size of a dimension is not allowed in this type."),
    ("parse/invalid-element-type", "A tensor, vector, complex or array type cannot have elements of this type."),
    (
        "parse/invalid-elements",
        "The elements of a constant do not fit its type: their number, nesting or kind is wrong.",
    ),
    ("parse/invalid-enum", "The word is none of those of its enumeration."),
    ("parse/invalid-float", "The number cannot be read as a value of its type."),
    ("parse/invalid-hex", "A hexadecimal string has another character than a digit or an odd number of them."),
    ("parse/invalid-memref", "The layout or memory space of a memref type is malformed."),
    ("parse/invalid-name", "A name or the body of a dialect's type or attribute is not valid text."),
    ("parse/invalid-number-type", "Numbers have an integer, index or float type."),
    ("parse/invalid-operation-name", "The name of an op is `dialect.mnemonic`."),
    (
        "parse/invalid-quantized-type",
        "A `!quant.…` type is malformed: storage, range, expressed type, scales or zero points are wrong.",
    ),
    ("parse/missing-field", "A structured attribute lacks an entry that it must have."),
    ("parse/no-custom-form", "This op has only the generic form, `\"dialect.op\"(…) : (…) -> …`."),
    ("parse/not-affine", "The expression is not affine: products and divisions need a constant or symbol."),
    ("parse/number-of-types", "There are as many types as values; here their numbers differ."),
    ("parse/operand-count", "The number of operands differs from the number of their types."),
    ("parse/padding", "Padding of a convolution has two numbers, low and high, for each spatial dimension."),
    ("parse/reduce-applies", "The compact form of `reduce` takes an op with one result that combines two values."),
    ("parse/repeated-field", "A field of a window is given twice."),
    ("parse/reported", "An op could not be read; the complaint about it stands elsewhere."),
    ("parse/result-count", "The number of results that are named differs from the number that the op has."),
    ("parse/syntax", "The text does not continue as the grammar says."),
    ("parse/too-deep", "Brackets, types or regions are nested too deeply to be read safely."),
    (
        "parse/too-large",
        "Texts of 4 GiB and more are not read, nor numbers of very wide types that take too much memory.",
    ),
    ("parse/unbalanced", "A bracket has no counterpart."),
    ("parse/undefined-alias", "The alias (`#name`, `!name`) is not defined."),
    ("parse/undefined-identifier", "The name is none of the dimensions and symbols of the affine map or set."),
    ("parse/unexpected-label", "The first block of this region cannot have a label."),
    ("parse/unknown-attribute", "The dialect has no attribute of this name."),
    ("parse/unknown-custom-form", "The dialect is not known here, so its ops can only be read in the generic form."),
    ("parse/unknown-dialect", "The dialect is not known here."),
    ("parse/unknown-escape", "A string has an escape sequence other than `\\n`, `\\t`, `\\\\`, `\\\"` and `\\HH`."),
    ("parse/unknown-field", "A structured attribute has no entry of this name."),
    ("parse/unknown-op", "The dialect has no op of this name."),
    ("parse/unknown-type", "The dialect has no type of this name."),
    ("parse/unterminated-string", "A string has no closing quote on its line."),
    ("quantized_tensor_type_c11", "The quantization dimension of a quantized type is not negative."),
    ("quantized_tensor_type_c12", "The quantization dimension of a quantized tensor type is less than its rank."),
    (
        "quantized_tensor_type_c13",
        "A per-axis quantized tensor type has one scale per index of its quantization dimension.",
    ),
    (
        "quantized_tensor_type_c3",
        "The storage range of a quantized type is an ascending part of what its storage type can hold.",
    ),
    ("quantized_tensor_type_c4", "The scales of a quantized type are numbers of its expressed type, which is a float."),
    ("quantized_tensor_type_c5", "The scales of a quantized type are positive."),
    ("quantized_tensor_type_c6", "The scales of a quantized type are finite."),
    ("quantized_tensor_type_c7", "The zero points of a quantized type lie in its storage range."),
    ("ssa/block-redefinition", "Two blocks of a region have the same label."),
    ("ssa/invalid-result-number", "`%name#n` asks for a result that the op does not have."),
    ("ssa/not-isolated", "A region that sees no values from outside, such as a function's, uses one."),
    ("ssa/out-of-scope", "The value is defined in a region that does not reach this use."),
    ("ssa/redefinition", "Two values have the same name."),
    ("ssa/type-mismatch", "The type written at a use differs from the type of the value."),
    ("ssa/undefined-block", "A successor is no block of the region."),
    ("ssa/undefined-value", "The value is not defined anywhere."),
    ("ssa/use-before-definition", "The value is used before it is defined."),
    ("structure/attribute-kind", "An attribute has another kind of value than the op declares."),
    ("structure/empty-block", "A block has no ops, although it must end with a terminator."),
    ("structure/missing-attribute", "An attribute that the op must have is missing."),
    ("structure/op", "The op does not have the structure that it declares."),
    ("structure/operand-count", "The op has another number of operands than it declares."),
    ("structure/operand-type", "An operand has a type that the op does not take."),
    ("structure/region-count", "The op has another number of regions than it declares."),
    ("structure/result-count", "The op has another number of results than it declares."),
    ("structure/result-type", "A result has a type that the op does not give."),
    ("structure/segment-sizes", "The sizes of the groups of operands or results do not add up to their number."),
    ("structure/single-block", "The region must have exactly one block."),
    ("structure/successors", "The op has successors although it declares none."),
    ("structure/terminator", "A block does not end with the op that it must end with."),
    ("symbol/outside-table", "An op that defines a symbol, such as a function, must stand directly in a module."),
    ("symbol/redefinition", "Two ops of a module define the same symbol."),
    ("symbol/undefined", "The symbol is not defined in the module."),
    ("type/bounds-length", "A tensor type has another number of bounds than dimensions."),
    ("type/bounds-static", "A tensor type has a bound for a dimension whose size is known."),
    ("type/complex-part", "The parts of a complex type are floats (or integers, which StableHLO does not use)."),
    ("type/future-element", "A future stands for ranked tensors and nothing else."),
    ("type/negative-size", "A tensor type has a negative size."),
    ("type/tensor-element", "A tensor type has elements of a type that tensors cannot have."),
    ("type/vector-size", "A vector type has a size below 1."),
    ("vhlo/invalid-attribute", "An attribute of an op of a portable artifact has a value that the op does not take."),
    ("vhlo/missing-attribute", "An op of a portable artifact lacks an attribute that this version of the op has."),
    (
        "vhlo/needs-newer-version",
        "Something in the program came after the version that the artifact is written for. `shlo compat` lists all of it.",
    ),
    ("vhlo/not-portable", "Portable artifacts have nothing to hold this: only StableHLO and functions are portable."),
    ("vhlo/target", "Artifacts cannot be written for this version: it is older or newer than all that there are."),
];

/// What a code means.
pub fn find(code: &str) -> Option<&'static str> {
    CODES.binary_search_by(|(known, _)| (*known).cmp(code)).ok().map(|index| CODES[index].1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn sorted_and_unique() {
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(find("parse/syntax"), Some("The text does not continue as the grammar says."));
        assert_eq!(find("parse/synta"), None);
    }

    /// String literals of the form `"layer/name"` in the sources of this crate are the codes that it can report.
    #[test]
    fn every_code_in_the_sources_is_here() {
        let layers: BTreeSet<&str> = CODES.iter().filter_map(|(code, _)| code.split('/').next()).collect();
        let (mut used, mut literals) = (BTreeSet::new(), BTreeSet::new());
        let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    directories.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs")
                    && !path.ends_with("diag/codes.rs")
                {
                    let source = std::fs::read_to_string(&path).unwrap();
                    for literal in source.split('"') {
                        literals.insert(literal.to_owned());
                        let is_name = |part: &str| {
                            part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
                        };
                        match literal.split_once('/') {
                            Some((layer, name)) if layers.contains(layer) && !name.is_empty() && is_name(name) => {
                                used.insert(literal.to_owned());
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        let listed: BTreeSet<String> = CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
        let missing: Vec<&String> = used.difference(&listed).collect();
        assert!(missing.is_empty(), "codes without explanation in diag/codes.rs: {missing:?}");
        let stale: Vec<&String> = listed.difference(&literals).collect();
        assert!(stale.is_empty(), "codes that nothing reports: {stale:?}");
    }
}
