//! What each construct of the format means. Expected texts follow from the description of the format in `docs/bytecode.md`.

use super::assemble::{File, module, section, varint, varints};
use super::{fault, printed, read_file};

/// Ops of `test.op` at the unknown location: a mask and what it says.
fn op(mask: u8, rest: &[u64]) -> Vec<u8> {
    [&varint(1)[..], &[mask], &varint(0), &varints(rest)].concat()
}

#[test]
fn an_empty_module_in_every_format() {
    for format in 0..=6 {
        let mut file = File::new(module(format, 0, 0, &[]));
        file.format = format;
        let module = read_file(&file).unwrap();
        assert_eq!(printed(&module), "\"builtin.module\"() ({\n^bb0:\n}) : () -> () loc(#loc)\n#loc = loc(unknown)\n");
    }
    let mut file = File::new(module(6, 0, 0, &[]));
    file.format = 7;
    assert_eq!(fault(&file).0, "bytecode/unsupported-version");
}

#[test]
fn operands_may_come_before_their_definitions() {
    // %0 = op(%1); %1 = op(%0)
    let ops = [op(0x06, &[1, 0, 1, 1]), op(0x06, &[1, 0, 1, 0])].concat();
    let module_ = read_file(&File::new(module(6, 2, 2, &ops))).unwrap();
    let text = printed(&module_);
    assert!(text.contains("%0 = \"test.op\"(%1) : (f32) -> f32"), "{text}");
    assert!(text.contains("%1 = \"test.op\"(%0) : (f32) -> f32"), "{text}");
    // The second value is announced but never defined.
    let (code, message) = fault(&File::new(module(6, 1, 2, &ops[..7])));
    assert_eq!(
        (code, message.as_str()),
        ("bytecode/undefined-value", "value number 1 is used but never defined in its region")
    );
    // More values than announced; a number beyond all.
    assert_eq!(fault(&File::new(module(6, 2, 1, &ops))).0, "bytecode/undefined-value");
    let ops = [op(0x02, &[1, 0]), op(0x02, &[1, 0])].concat();
    assert_eq!(fault(&File::new(module(6, 2, 1, &ops))).0, "bytecode/too-many-values");
}

#[test]
fn nested_regions_number_on_behind_the_whole_region_around_them() {
    // An op with two plain regions of one op each: both results have number 2, and 1 is defined after them.
    let inner = [op(0x06, &[1, 0, 1, 1]), op(0x04, &[1, 2])].concat();
    let region = [&varints(&[1, 1, 4])[..], &inner].concat();
    let outer = [op(0x12, &[1, 0, 4]), region.clone(), region, op(0x02, &[1, 0])].concat();
    let text = printed(&read_file(&File::new(module(6, 2, 2, &outer))).unwrap());
    let wanted = "%0 = \"test.op\"() ({
    %3 = \"test.op\"(%1) : (f32) -> f32 loc(#loc)
    \"test.op\"(%3) : (f32) -> () loc(#loc)
  }, {
    %2 = \"test.op\"(%1) : (f32) -> f32 loc(#loc)
    \"test.op\"(%2) : (f32) -> () loc(#loc)
  }) : () -> f32 loc(#loc)
  %1 = \"test.op\"() : () -> f32 loc(#loc)";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn isolated_regions_begin_at_zero_in_a_section_of_their_own() {
    // %0 = op() ({ %0 = op(); op(%0) }), isolated.
    let inner = [op(0x02, &[1, 0]), op(0x04, &[1, 0])].concat();
    let region = [&varints(&[1, 1, 4])[..], &inner].concat();
    for format in [1, 2, 6] {
        let nested = if format >= 2 { section(4, &region) } else { region.clone() };
        let mut file = File::new(module(format, 1, 1, &[op(0x12, &[1, 0, 3]), nested].concat()));
        file.format = format;
        let text = printed(&read_file(&file).unwrap());
        assert!(text.contains("({\n    %1 = \"test.op\"() : () -> f32 loc(#loc)\n    \"test.op\"(%1)"), "{text}");
    }
    // The value outside is out of reach.
    let region = [&varints(&[1, 0, 2])[..], &op(0x04, &[1, 0])].concat();
    let file = File::new(module(6, 1, 1, &[op(0x12, &[1, 0, 3]), section(4, &region)].concat()));
    assert_eq!(fault(&file).0, "bytecode/undefined-value");
}

#[test]
fn successors_are_blocks_of_the_region() {
    // Two blocks; the first jumps to the second, which has an argument of a known location, and that to the first.
    let blocks =
        [&varints(&[2, 1, 2])[..], &op(0x08, &[2, 1, 0]), &varints(&[3, 1, 1, 0]), &[0], &op(0x04, &[1, 0])].concat();
    let ir = |blocks: &[u8]| module(6, 1, 0, &[&op(0x10, &[2])[..], blocks].concat());
    let text = printed(&read_file(&File::new(ir(&blocks))).unwrap());
    assert!(text.contains("\"test.op\"()[^bb1, ^bb0] : () -> () loc(#loc)\n  ^bb1(%0: f32 loc(unknown)):"), "{text}");
    let wrong = [&varints(&[1, 0, 2])[..], &op(0x08, &[1, 1])].concat();
    let (code, message) = fault(&File::new(ir(&wrong)));
    assert_eq!(
        (code, message.as_str()),
        ("bytecode/invalid-index", "a successor is block number 1, but its region has 1")
    );
}

#[test]
fn block_arguments_have_locations_by_the_format() {
    // Type 0 and location 2, in a block of one op and one argument; from format 3, no use-list orders.
    for (format, argument, orders) in [(1, [0, 2], &[][..]), (3, [0, 2], &[0]), (4, [1, 2], &[0]), (6, [1, 2], &[0])] {
        let block = [&varints(&[1, 1, 3, 1])[..], &varints(&argument), orders, &op(0, &[])].concat();
        let mut file = File::new(module(format, 1, 0, &[op(0x10, &[2]), block].concat()));
        file.format = format;
        let name = file.string("place");
        file.attribute(&[2, name]);
        file.attribute(&[14, 1, 0]);
        let text = printed(&read_file(&file).unwrap());
        assert!(text.contains("^bb0(%arg0: f32 loc(\"place\")):"), "{format}: {text}");
    }
}

#[test]
fn use_list_orders_are_read_over() {
    // Two results used by one op each way round; the order of the uses of both follows.
    let ops =
        [[&op(0x22, &[2, 0, 0])[..], &varints(&[2, 0, 4, 1, 0, 1, 5, 0, 1])].concat(), op(0x04, &[4, 0, 1, 1, 0])];
    let text = printed(&read_file(&File::new(module(6, 2, 2, &ops.concat()))).unwrap());
    assert!(text.contains("\"test.op\"(%0#0, %0#1, %0#1, %0#0)"), "{text}");
    let ops = [&op(0x22, &[2, 0, 0])[..], &varints(&[1, 2, 4, 1, 0])].concat();
    assert_eq!(fault(&File::new(module(6, 1, 2, &ops))).0, "bytecode/invalid-index");
    let ops = [&op(0x22, &[1, 0])[..], &varints(&[7, 1, 0, 1])].concat();
    assert_eq!(fault(&File::new(module(6, 1, 1, &ops))).0, "bytecode/invalid-number");
}

#[test]
fn attributes_of_ops_before_and_after_properties() {
    // A module named "m" with a discardable attribute, in format 4 as one dictionary, in format 6 with properties.
    for format in [4, 6] {
        let mut file = File::new(Vec::new());
        file.format = format;
        let strings = ["m", "sym_name", "test.unit"].map(|text| file.string(text));
        let [m, sym_name, key] = strings.map(|string| file.attribute(&[2, string]));
        let unit = file.attribute(&[7]);
        let dictionary = match format {
            4 => file.attribute(&[1, 2, sym_name, m, key, unit]),
            _ => file.attribute(&[1, 1, key, unit]),
        };
        let mask = if format == 4 { 0x11 } else { 0x51 };
        let mut ir = [&varint(2)[..], &varint(0), &[mask], &varints(&[0, dictionary])].concat();
        if format == 6 {
            file.properties = vec![varints(&[m << 1 | 1, 0])];
            ir.extend(varint(0));
        }
        ir.extend(varint(3));
        ir.extend(section(4, &varints(&[1, 0, 0])));
        file.ir = ir;
        let text = printed(&read_file(&file).unwrap());
        assert!(text.starts_with("\"builtin.module\"() <{sym_name = \"m\"}> ({"), "{text}");
        assert!(text.contains("}) {test.unit} : () -> ()"), "{text}");
    }
}

#[test]
fn properties_of_ops_that_are_not_known() {
    // Not registered where it was written: an attribute. Registered: only its dialect can tell.
    let mut file = File::new(module(6, 1, 0, &op(0x40, &[0])));
    file.attribute(&[7]);
    file.properties = vec![varint(1)];
    let text = printed(&read_file(&file).unwrap());
    assert!(text.contains("\"test.op\"() <unit> : () -> ()"), "{text}");
    file.ops[1].2 = true;
    let (code, message) = fault(&file);
    assert_eq!(code, "bytecode/unknown-properties");
    assert!(message.contains("`test.op`") && message.contains("dialect `test`"), "{message}");
    file.ops[1].0 = 2;
    assert_eq!(fault(&file), ("bytecode/unknown-op", "there is no op `func.op` in dialect `func`".to_owned()));
}

#[test]
fn entries_as_text() {
    let mut file = File::new(module(6, 1, 1, &op(0x03, &[3, 1, 1])));
    let name = file.string("a");
    file.attribute(&[2, name]);
    file.attributes.push((1, b"#test.thing<1>".to_vec(), false));
    file.attribute(&[1, 1, 1, 2]);
    file.types.push((1, b"!test.kind".to_vec(), false));
    let text = printed(&read_file(&file).unwrap());
    assert!(text.contains("%0 = \"test.op\"() {a = #test.thing<1>} : () -> !test.kind"), "{text}");
    file.types[1].1 = b"tensor<".to_vec();
    let (code, message) = fault(&file);
    assert_eq!(code, "bytecode/invalid-text");
    assert!(message.contains("`tensor<`"), "{message}");
    file.types[1].2 = true;
    assert_eq!(fault(&file).0, "bytecode/unknown-dialect");
}

#[test]
fn resources_of_dialects_and_of_others() {
    // A blob of alignment 4 at whatever offset, a declared one; outside: a bool, a string, a blob.
    let mut file = File::new(module(6, 1, 0, &op(0x01, &[0])));
    let [tool, on, text, raw, big, later] =
        ["tool", "on", "text", "raw", "big", "later"].map(|string| file.string(string));
    let place = file.attribute(&[15]);
    let key = file.attribute(&[2, big]);
    let ty = file.ty(&[13, 1, 4, 0]);
    let resource = file.attribute(&[16, ty, 0]);
    let dictionary = file.attribute(&[1, 1, key, resource]);
    file.ir = module(6, 1, 0, &op(0x01, &[dictionary]));
    let _ = place;
    let blob = |data: &[u8]| [&varints(&[1, data.len() as u64])[..], data].concat();
    let kind = |key: u64, value: &[u8], kind: u8| [&varints(&[key, value.len() as u64])[..], &[kind]].concat();
    let values = [vec![1], varint(text), blob(b"xy"), blob(&[0, 0, 128, 63, 0, 0, 0, 64])];
    let offsets = [
        varints(&[1, tool, 3]),
        kind(on, &values[0], 1),
        kind(text, &values[1], 2),
        kind(raw, &values[2], 0),
        varints(&[0, 2]),
        kind(big, &values[3], 0),
        kind(later, &[], 0),
    ];
    file.others = vec![(6, offsets.concat()), (5, values.concat())];
    let module = read_file(&file).unwrap();
    let text = printed(&module);
    assert!(text.contains("dense_resource<big> : tensor<2xf32>"), "{text}");
    let wanted = "big: \"0x010000000000803F00000040\"";
    assert!(text.contains(wanted), "{text}");
    assert!(
        text.contains("on: true") && text.contains("text: \"text\"") && text.contains("raw: \"0x010000007879\""),
        "{text}"
    );
    assert_eq!(module.resources.len(), 1);
    file.others.pop();
    assert_eq!(fault(&file).0, "bytecode/missing-section");
}

#[test]
fn alignment_pads_with_a_fixed_byte() {
    let file = File::new(module(6, 0, 0, &[])).bytes();
    // The producer is "test", so that the first section begins at byte 10; it is moved to a multiple of 8.
    let (head, tail) = file.split_at(10);
    let (size, body) = (tail[1], &tail[2..]);
    let aligned = |padding: u8| [head, &[tail[0] | 0x80, size, 0x11, padding, padding, padding], body].concat();
    stablehlo::bytecode::read(aligned(0xcb).into(), "test").unwrap();
    let error = stablehlo::bytecode::read(aligned(0).into(), "test").unwrap_err();
    assert_eq!((error.code, error.offset), ("bytecode/invalid-padding", 13));
}

#[test]
fn what_the_container_refuses() {
    let good = File::new(module(6, 0, 0, &[]));
    let read = |bytes: &[u8]| stablehlo::bytecode::read(bytes.to_vec().into(), "test").map(|_| ()).map_err(|e| e.code);
    assert_eq!(read(b"module {}"), Err("bytecode/not-bytecode"));
    assert_eq!(read(b""), Err("bytecode/not-bytecode"));
    let bytes = good.bytes();
    for (more, code) in [
        (section(9, &[]), "bytecode/unknown-section"),
        (section(0, &[1]), "bytecode/duplicate-section"),
        (vec![1], "bytecode/truncated"),
    ] {
        assert_eq!(read(&[&bytes[..], &more].concat()), Err(code));
    }
    for (mask, code) in
        [(0x80, "bytecode/invalid-mask"), (0x40, "bytecode/invalid-index"), (0x01, "bytecode/invalid-index")]
    {
        let ir = module(6, 1, 0, &op(mask, &[9]));
        assert_eq!(fault(&File::new(ir)).0, code);
    }
    let mut file = good.clone();
    file.attributes[0].1 = varint(7);
    assert_eq!(fault(&file), ("bytecode/expected-location", "the location of an op is not a location".to_owned()));
    file.attributes[0].1 = varints(&[15, 0]);
    assert_eq!(fault(&file).0, "bytecode/trailing-bytes");
    file.attributes[0].1 = varint(99);
    assert_eq!(fault(&file).0, "bytecode/unknown-code");
    file.attributes[0].0 = 1;
    assert_eq!(fault(&file).0, "bytecode/unknown-dialect");
}
