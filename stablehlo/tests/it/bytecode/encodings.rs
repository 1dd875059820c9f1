//! How attributes and types are encoded. Expected texts follow from the description of the format in `docs/bytecode.md`.

use stablehlo::bytecode::{Options, write};
use stablehlo::vhlo::Version;

use super::assemble::{File, module, varint, varints};
use super::{printed, read_file};

/// Puts strings, types and attributes in a file that the payload of an attribute of `dialect` refers to.
struct Case {
    file: File,
    dialect: u64,
}

impl Case {
    fn new() -> Self {
        Self { file: File::new(Vec::new()), dialect: 0 }
    }

    /// Of another dialect than `builtin`.
    fn of(dialect: &'static str) -> Self {
        let mut case = Self::new();
        let name = case.file.string(dialect);
        case.file.dialects.push(name);
        case.dialect = case.file.dialects.len() as u64 - 1;
        case
    }

    /// The number of `tensor<SIZExT>` where T is type number `element`.
    fn tensor(&mut self, size: u64, element: u64) -> u64 {
        self.file.ty(&[13, 1, size << 1, element])
    }

    /// The number of `iWIDTH`.
    fn integer(&mut self, width: u64) -> u64 {
        self.file.ty(&[0, width << 2])
    }

    /// The number of a string attribute.
    fn text(&mut self, text: &'static str) -> u64 {
        let string = self.file.string(text);
        self.file.attribute(&[2, string])
    }

    /// The text that the attribute with this payload has, or the code of what is wrong with it.
    fn read(mut self, payload: Vec<u8>) -> Result<String, &'static str> {
        let key = self.text("key");
        let dialect = self.dialect;
        self.file.attributes.push((dialect, payload, true));
        let value = self.file.attributes.len() as u64 - 1;
        let dictionary = self.file.attribute(&[1, 1, key, value]);
        self.show(dictionary)
    }

    /// The text of a type attribute of the type with this payload.
    fn read_type(mut self, payload: Vec<u8>) -> Result<String, &'static str> {
        let dialect = std::mem::take(&mut self.dialect);
        self.file.types.push((dialect, payload, true));
        let ty = self.file.types.len() as u64 - 1;
        self.read(varints(&[6, ty]))
    }

    fn show(mut self, dictionary: u64) -> Result<String, &'static str> {
        self.file.ir = module(6, 1, 0, &[&varint(1)[..], &[0x01], &varints(&[0, dictionary])].concat());
        let module = read_file(&self.file).map_err(|error| error.code)?;
        let text = printed(&module);
        let start = text.find("{key = ").unwrap() + "{key = ".len();
        let rest = text[start..].split('\n').next().unwrap();
        let shown = rest.strip_suffix("} : () -> () loc(#loc)").unwrap();
        // A location is an alias, which is defined elsewhere.
        let definition = text.lines().find_map(|line| line.strip_prefix(shown)?.strip_prefix(" = "));
        Ok(definition.unwrap_or(shown).to_owned())
    }
}

/// A payload: numbers, then a blob.
fn with_blob(numbers: &[u64], blob: &[u8]) -> Vec<u8> {
    [&varints(numbers)[..], &varint(blob.len() as u64), blob].concat()
}

/// The text of dense elements of `tensor<SIZExiWIDTH>`.
fn dense(size: u64, width: u64, blob: &[u8]) -> Result<String, &'static str> {
    let mut case = Case::new();
    let element = case.integer(width);
    let ty = case.tensor(size, element);
    let text = case.read(with_blob(&[18, ty], blob))?;
    Ok(text.split(" : ").next().unwrap().to_owned())
}

#[test]
fn booleans_are_packed_and_were_not() {
    for (size, blob, text) in [
        (3, &[0b101][..], "dense<[true, false, true]>"),
        (3, &[0xFF], "dense<true>"),
        (3, &[0], "dense<false>"),
        (3, &[0b111], "dense<true>"),
        (9, &[0xFF], "dense<true>"),
        (9, &[0], "dense<false>"),
        (9, &[0xFF, 1], "dense<true>"),
        (9, &[0xFE, 1], "dense<[false, true, true, true, true, true, true, true, true]>"),
        (1, &[0xFF], "dense<true>"),
        (1, &[1], "dense<true>"),
        (1, &[0], "dense<false>"),
        (0, &[], "dense<>"),
        // One byte each, as old files have it.
        (3, &[1, 0, 1], "dense<[true, false, true]>"),
        (3, &[0xFF, 0, 0xFF], "dense<[true, false, true]>"),
        (9, &[1], "dense<true>"),
        (2, &[1, 1], "dense<true>"),
    ] {
        assert_eq!(dense(size, 1, blob).as_deref(), Ok(text), "{size} {blob:?}");
    }
    for (size, blob) in [(3, &[1, 0][..]), (9, &[1, 0, 1]), (3, &[]), (17, &[0, 1])] {
        assert_eq!(dense(size, 1, blob), Err("bytecode/invalid-elements"), "{size} {blob:?}");
    }
}

#[test]
fn other_elements_take_whole_bytes() {
    assert_eq!(dense(2, 4, &[0x08, 0x07]).as_deref(), Ok("dense<[-8, 7]>"));
    assert_eq!(dense(2, 12, &[0xFF, 0x0F, 5, 0]).as_deref(), Ok("dense<[-1, 5]>"));
    assert_eq!(dense(2, 16, &[1, 2]).as_deref(), Ok("dense<513>"));
    assert_eq!(dense(2, 8, &[7, 7]).as_deref(), Ok("dense<7>"));
    assert_eq!(dense(0, 32, &[]).as_deref(), Ok("dense<>"));
    for blob in [&[][..], &[1, 2, 3], &[1, 2, 3, 4, 5]] {
        assert_eq!(dense(2, 16, blob), Err("bytecode/invalid-elements"), "{blob:?}");
    }
    // As many elements as there cannot be.
    assert_eq!(dense(1 << 62, 16, &[1, 2, 3]), Err("bytecode/invalid-elements"));
    assert_eq!(dense(1 << 62, 16, &[1, 2]).as_deref(), Ok("dense<513>"));
    // Elements must have a static shape of numbers.
    let mut case = Case::new();
    let ty = case.file.ty(&[18, 0]);
    assert_eq!(case.read(with_blob(&[18, ty], &[0; 4])), Err("bytecode/invalid-elements"));
}

#[test]
fn integers_are_zero_extended() {
    let integer = |width, bytes: &[u8]| {
        let mut case = Case::new();
        let ty = case.integer(width);
        case.read([&varints(&[8, ty])[..], bytes].concat())
    };
    assert_eq!(integer(1, &[1]).as_deref(), Ok("true"));
    assert_eq!(integer(8, &[0xFF]).as_deref(), Ok("-1 : i8"));
    assert_eq!(integer(4, &[0x08]).as_deref(), Ok("-8 : i4"));
    assert_eq!(integer(32, &[0xD0, 0xFF, 0xFF, 0xFF, 0x3F]).as_deref(), Ok("-1 : i32"));
    assert_eq!(integer(64, &[0x03]).as_deref(), Ok("-1 : i64"));
    // Two words: −1 and 0, each as a signed number.
    assert_eq!(integer(128, &[0x05, 0x03, 0x01]).as_deref(), Ok("18446744073709551615 : i128"));
    // 200 bits: four words, the last of eight bits.
    let words = [&[0x09, 0x03, 0x03, 0x03][..], &varint(0xFF << 1)].concat();
    assert_eq!(integer(200, &words).as_deref(), Ok("-1 : i200"));
    assert_eq!(integer(200, &[0x03, 0x15]).as_deref(), Ok("5 : i200"));
    assert_eq!(integer(200, &[0x07, 0x01, 0x01, 0x05]), Err("bytecode/unsupported"));
}

#[test]
fn lists_of_numbers_and_names() {
    let mut case = Case::new();
    let ty = case.integer(16);
    assert_eq!(case.read(with_blob(&[17, ty, 2], &[1, 0, 0xFF, 0xFF])).as_deref(), Ok("array<i16: 1, -1>"));
    let mut case = Case::new();
    let ty = case.integer(1);
    assert_eq!(case.read(with_blob(&[17, ty, 2], &[1, 0])).as_deref(), Ok("array<i1: true, false>"));
    for (width, count, blob) in [(16, 2, &[0; 3][..]), (4, 1, &[0]), (8, u64::MAX, &[0])] {
        let mut case = Case::new();
        let ty = case.integer(width);
        assert_eq!(case.read(with_blob(&[17, ty, count], blob)), Err("bytecode/invalid-elements"));
    }
    let mut case = Case::new();
    let [b, a] = [case.text("b"), case.text("a")];
    assert_eq!(case.read(varints(&[1, 2, b, 0, a, 0])).as_deref(), Ok("{a = #loc, b = #loc}"));
    let mut case = Case::new();
    let a = case.text("a");
    assert_eq!(case.read(varints(&[1, 2, a, 0, a, 0])), Err("bytecode/duplicate-key"));
    let mut case = Case::new();
    let a = case.text("a");
    let flat = case.file.attribute(&[4, a]);
    assert_eq!(case.read(varints(&[5, a, 2, flat, flat])).as_deref(), Ok("@a::@a::@a"));
    assert_eq!(Case::new().read(varints(&[5, 0, 0])), Err("bytecode/expected-string"));
    let mut case = Case::new();
    let a = case.text("a");
    assert_eq!(case.read(varints(&[5, a, 1, a])), Err("bytecode/expected-symbol"));
}

#[test]
fn distinct_attributes_are_as_many_as_their_entries() {
    let mut case = Case::new();
    let unit = case.file.attribute(&[7]);
    let [first, second] = [case.file.attribute(&[21, unit]), case.file.attribute(&[21, unit])];
    let text = case.read(varints(&[0, 3, first, second, first]));
    assert_eq!(text.as_deref(), Ok("[distinct[0]<>, distinct[1]<>, distinct[0]<>]"));
}

#[test]
fn ranges_leave_out_what_goes_without_saying() {
    let range = |numbers: &[u64]| {
        let mut case = Case::new();
        let file = case.text("f");
        case.read(varints(&[&[22, file, numbers.len() as u64][..], numbers].concat()))
    };
    assert_eq!(range(&[]).as_deref(), Ok("loc(\"f\":0:0)"));
    assert_eq!(range(&[3]).as_deref(), Ok("loc(\"f\":3:0)"));
    assert_eq!(range(&[3, 4]).as_deref(), Ok("loc(\"f\":3:4)"));
    assert_eq!(range(&[3, 4, 5]).as_deref(), Ok("loc(\"f\":3:4 to :5)"));
    assert_eq!(range(&[3, 4, 5, 6]).as_deref(), Ok("loc(\"f\":3:4 to 5:6)"));
    assert_eq!(range(&[1, 2, 3, 4, 5]), Err("bytecode/invalid-number"));
    assert_eq!(range(&[1 << 32]), Err("bytecode/invalid-number"));
    assert_eq!(Case::new().read(varints(&[10, 0, 9])), Err("bytecode/invalid-index"));
    let mut case = Case::new();
    let file = case.text("f");
    assert_eq!(case.read(varints(&[10, 0, file])), Err("bytecode/expected-location"));
}

#[test]
fn types() {
    let ty = |numbers: &[u64]| Case::new().read_type(varints(numbers));
    assert_eq!(ty(&[0, 9 << 2 | 2]).as_deref(), Ok("ui9"));
    assert_eq!(ty(&[0, 9 << 2 | 3]), Err("bytecode/invalid-type"));
    assert_eq!(ty(&[0, 1 << 26]), Err("bytecode/invalid-type"));
    assert_eq!(ty(&[32]).as_deref(), Ok("f8E8M0FNU"));
    assert_eq!(ty(&[33]), Err("bytecode/unknown-code"));
    assert_eq!(ty(&[13, 2, 4, u64::MAX, 0]).as_deref(), Ok("tensor<2x?xf32>"));
    assert_eq!(ty(&[13, 1, 3, 0]), Err("bytecode/invalid-type"));
    // Which dimensions are scalable is a byte each, or how many of the last ones.
    assert_eq!(ty(&[20, 2]).err(), Some("bytecode/truncated"));
    let flags = [&varints(&[20, 2])[..], &[0, 1], &varints(&[2, 4, 8, 0])].concat();
    assert_eq!(Case::new().read_type(flags).as_deref(), Ok("vector<2x[4]xf32>"));
    assert_eq!(ty(&[20, 1, 2, 4, 8, 0]).as_deref(), Ok("vector<2x[4]xf32>"));
    assert_eq!(ty(&[20, 3, 2, 4, 8, 0]), Err("bytecode/invalid-type"));
    assert_eq!(ty(&[19, 1, 0, 0]), Err("bytecode/invalid-type"));
    // A tensor of tensors.
    let mut case = Case::new();
    let inner = case.tensor(2, 0);
    assert_eq!(case.read_type(varints(&[9, inner])), Err("bytecode/invalid-type"));
    let mut case = Case::new();
    let inner = case.tensor(2, 0);
    assert_eq!(case.read_type(varints(&[13, 0, inner])), Err("bytecode/invalid-type"));
}

#[test]
fn attributes_of_the_dialects() {
    let read = |dialect, numbers: &[u64]| Case::of(dialect).read(varints(numbers));
    assert_eq!(read("stablehlo", &[1, 4, 3]).as_deref(), Ok("#stablehlo.channel_handle<handle = 2, type = -2>"));
    assert_eq!(read("stablehlo", &[8, 2]).as_deref(), Ok("#stablehlo<precision HIGHEST>"));
    assert_eq!(read("stablehlo", &[8, 3]), Err("bytecode/invalid-enum"));
    assert_eq!(read("stablehlo", &[10, 0]), Err("bytecode/invalid-enum"));
    // Arguments that were results once had number 0.
    assert_eq!(read("stablehlo", &[0, 0]), Err("bytecode/unknown-code"));
    assert_eq!(read("chlo", &[0, 5]).as_deref(), Ok("#chlo<comparison_direction LT>"));
    assert_eq!(read("chlo", &[2, 0]), Err("bytecode/unknown-code"));
    assert_eq!(read("elsewhere", &[0]), Err("bytecode/unknown-dialect"));
}

/// Newer than the Shardy that wrote `testdata/bytecode/shardy.native6.mlirbc`.
#[test]
fn shardings_say_how_they_are_reduced() {
    let sharding = |reduction| {
        let mut case = Case::of("sdy");
        let dialect = case.dialect;
        let [mesh, axis] = [case.text("m"), case.file.string("x")];
        let mesh = case.file.attribute(&[4, mesh]);
        case.file.attributes.push((dialect, varints(&[4, axis, 0]), true));
        let axis = case.file.attributes.len() as u64 - 1;
        case.read(varints(&[17, mesh, 0, 0, 1, axis, reduction]))
    };
    assert_eq!(sharding(0).as_deref(), Ok("#sdy.sharding<@m, [], unreduced={\"x\"}>"));
    assert_eq!(sharding(2).as_deref(), Ok("#sdy.sharding<@m, [], unreduced=max{\"x\"}>"));
    assert_eq!(sharding(4).as_deref(), Ok("#sdy.sharding<@m, [], unreduced=min{\"x\"}>"));
    assert_eq!(sharding(6), Err("bytecode/invalid-enum"));
}

/// One scale stands for a table that would fill the memory.
#[test]
fn tables_of_scales_are_bounded() {
    let quantized = |size: u64, storage_width: u64| {
        let mut case = Case::of("quant");
        let [storage, written] = [case.integer(8), case.integer(storage_width)];
        let [scales, zeros] = [case.tensor(size, 0), case.tensor(size, storage)];
        let mut dense = |payload| {
            case.file.attributes.push((0, payload, true));
            case.file.attributes.len() as u64 - 1
        };
        let scales = dense(with_blob(&[18, scales], &0.5f32.to_le_bytes()));
        let zeros = dense(with_blob(&[18, zeros], &[3]));
        case.read_type(varints(&[6, 1, written, 0, 255, 254, 1, 0, 1, 2, scales, zeros]))
    };
    assert_eq!(quantized(2, 8).as_deref(), Ok("!quant.uniform<i8:f32:{0:1}, {5.000000e-01:3, 5.000000e-01:3}>"));
    assert_eq!(quantized(1 << 40, 8), Err("bytecode/expansion"));
    assert_eq!(quantized(0, 8), Err("bytecode/invalid-type"));
    // Zero points must have the storage type.
    assert_eq!(quantized(2, 16), Err("bytecode/invalid-type"));
}

/// Every encoding of the dialects, by the bytes that jaxlib writes.
#[test]
fn all_encodings_are_written_as_jaxlib_writes_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/bytecode");
    for (program, format) in [("encodings", 6), ("shardy", 6), ("shardy", 4)] {
        let text = std::fs::read_to_string(folder.join(program).with_extension("mlir")).unwrap();
        let parsed = stablehlo::syntax::parse("-", &text);
        assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
        // The release of StableHLO in the jaxlib that wrote the files.
        let release = Version::new(1, 17, 0);
        let options = Options { format, producer: Options::MLIR_PRODUCER.to_owned(), release };
        let written = write(&parsed.module, &options).unwrap().into_bytes();
        let wanted = std::fs::read(folder.join(format!("{program}.native{format}.mlirbc"))).unwrap();
        assert!(written == wanted, "{program} {format}: {} bytes, {} wanted", written.len(), wanted.len());
    }
}

/// Text that Shardy would not have written stays text.
#[test]
fn shardings_of_another_form_are_text() {
    for (body, encoded) in [
        ("sharding<@m, [{\"x\"}]>", true),
        ("sharding<@m, [{ \"x\" , ? }p2], replicated={\"y\"}>", true),
        ("sharding<@m, [{?, \"x\"}]>", false),
        ("sharding<@m, [{\"x\"}]> more", false),
        ("mesh<[\"x\"=]>", false),
        ("mesh<[\"x\"=99999999999999999999]>", false),
        ("unheard_of<1>", false),
    ] {
        let text = format!("module attributes {{test.a = #sdy<{body}>}} {{}}");
        let parsed = stablehlo::syntax::parse("-", &text);
        assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
        let bytes = write(&parsed.module, &Options::default()).unwrap().into_bytes();
        let has_text =
            bytes.windows(5).any(|window| window == b"#sdy.") || bytes.windows(5).any(|window| window == b"#sdy<");
        assert_eq!(has_text, !encoded, "{body}");
        let again = stablehlo::bytecode::read(bytes, "-").unwrap();
        assert_eq!(printed(&again), printed(&parsed.module));
    }
}
