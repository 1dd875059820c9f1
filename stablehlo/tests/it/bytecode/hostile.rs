//! Files made to harm: deep, cyclic, huge when written out, promising more than they hold.

use super::assemble::{File, module, varint, varints};
use super::{fault, read_file};

fn op(mask: u8, rest: &[u64]) -> Vec<u8> {
    [&varint(1)[..], &[mask], &varint(0), &varints(rest)].concat()
}

/// A file with one op whose attributes are a dictionary with the attribute number `attribute` under the name "a".
fn with_attribute(make: impl FnOnce(&mut File) -> u64) -> File {
    let mut file = File::new(Vec::new());
    let attribute = make(&mut file);
    let name = file.string("a");
    let name = file.attribute(&[2, name]);
    let dictionary = file.attribute(&[1, 1, name, attribute]);
    file.ir = module(6, 1, 0, &op(0x01, &[dictionary]));
    file
}

#[test]
fn cycles() {
    // An array that holds itself, and two that hold each other.
    for cycle in [&[1][..], &[2, 1]] {
        let file = with_attribute(|file| {
            for next in cycle {
                file.attribute(&[0, 1, *next]);
            }
            1
        });
        assert_eq!(fault(&file).0, "bytecode/cycle");
    }
    let mut file = File::new(module(6, 0, 0, &[]));
    file.attributes[0].1 = varints(&[10, 0, 0]);
    assert_eq!(fault(&file).0, "bytecode/cycle");
    file.attributes[0].1 = varint(15);
    let ty = file.ty(&[9, 1]);
    file.ir = module(6, 1, 1, &op(0x02, &[1, ty]));
    assert_eq!(fault(&file).0, "bytecode/cycle");
}

/// An attribute in `n` arrays, one in the other; the outermost comes first in the table.
fn nested_arrays(n: u64, width: u64) -> File {
    with_attribute(|file| {
        for level in 0..n {
            let parts: Vec<u64> = std::iter::repeat_n(level + 2, width as usize).collect();
            file.attribute(&[&[0, width][..], &parts].concat());
        }
        file.attribute(&[7]);
        1
    })
}

#[test]
fn depth_and_sharing() {
    read_file(&nested_arrays(200, 1)).unwrap();
    for deep in [nested_arrays(300, 1), nested_arrays(100_000, 1)] {
        assert_eq!(fault(&deep).0, "bytecode/too-deep");
    }
    // Twenty levels of two are a million parts, which is bearable; forty are not.
    read_file(&nested_arrays(20, 2)).unwrap();
    assert_eq!(fault(&nested_arrays(40, 2)).0, "bytecode/expansion");
    // Nor is a bearable one that a thousand ops have.
    let mut file = nested_arrays(20, 2);
    let dictionary = file.attributes.len() as u64 - 1;
    file.ir = module(6, 1000, 0, &op(0x01, &[dictionary]).repeat(1000));
    assert_eq!(fault(&file).0, "bytecode/expansion");
}

#[test]
fn locations_nest_deeper_than_attributes() {
    let chain = |n: u64| {
        let mut file = File::new(module(6, 0, 0, &[]));
        file.attributes[0].1 = varints(&[10, 1, n]);
        for level in 1..n {
            file.attribute(&[10, level + 1, n]);
        }
        file.attribute(&[15]);
        file
    };
    read_file(&chain(4000)).unwrap();
    assert_eq!(fault(&chain(100_000)).0, "bytecode/too-deep");
}

#[test]
fn regions_nest_as_deep_as_in_text() {
    let nest = |n: usize| {
        let mut ops = Vec::new();
        for _ in 0..n {
            ops.extend(op(0x10, &[2, 1, 0, 2]));
        }
        ops.extend(op(0, &[]));
        File::new(module(6, 1, 0, &ops))
    };
    read_file(&nest(200)).unwrap();
    assert_eq!(fault(&nest(300)).0, "bytecode/too-deep");
}

#[test]
fn promises_are_checked_before_memory_is_taken() {
    const MANY: u64 = 1 << 40;
    for ops in [
        op(0x02, &[MANY]),
        op(0x04, &[MANY]),
        op(0x08, &[MANY]),
        op(0x10, &[MANY << 1]),
        op(0x10, &[2, MANY]),
        op(0x10, &[2, 1, MANY]),
        op(0x10, &[2, 1, 0, MANY << 1]),
        op(0x10, &[2, 1, 0, 1, MANY]),
        op(0x22, &[1, 0, MANY << 1]),
    ] {
        assert_eq!(fault(&File::new(module(6, 1, 0, &ops))).0, "bytecode/truncated");
    }
    // Each region promises as many values as there are bytes left: all together are too many.
    let mut ops = Vec::new();
    for _ in 0..100 {
        ops.extend(op(0x10, &[2, 1, 400, 2]));
    }
    ops.extend(op(0, &[]).repeat(200));
    assert_eq!(fault(&File::new(module(6, 1, 0, &ops))).0, "bytecode/truncated");
    for payload in [&[0, MANY][..], &[1, MANY], &[12, MANY], &[17, 0, MANY]] {
        let file = with_attribute(|file| file.attribute(payload));
        assert_eq!(fault(&file).0, "bytecode/truncated", "{payload:?}");
    }
}

#[test]
fn long_strings_are_not_copied_again_and_again() {
    // Typed strings of a megabyte: each of a hundred types would have a copy.
    let text: &'static str = Box::leak("x".repeat(1 << 20).into_boxed_str());
    let file = with_attribute(|file| {
        let string = file.string(text);
        let strings: Vec<u64> = (0..200)
            .map(|width| {
                let ty = file.ty(&[0, width << 2]);
                file.attribute(&[3, string, ty])
            })
            .collect();
        file.attribute(&[&[0, 200][..], &strings].concat())
    });
    assert_eq!(fault(&file).0, "bytecode/expansion");
}
