//! Laws of printing: what is printed reads back as the same, whatever it is.

use proptest::prelude::*;
use stablehlo::arena::Entity as _;
use stablehlo::element::ElementType;
use stablehlo::ir::*;
use stablehlo::syntax::{PrintOptions, parse, print};

/// What a random attribute is made from.
#[derive(Clone, Debug)]
enum Recipe {
    Unit,
    Integer(u32, Signedness, i64),
    Float(usize, u64),
    String(Vec<u8>),
    Symbol(String, Vec<String>),
    Array(Vec<Recipe>),
    Dictionary(Vec<(String, Recipe)>),
    Location(Box<Place>),
    Map(i64, i64),
    Distinct(u32, Box<Recipe>),
}

#[derive(Clone, Debug)]
enum Place {
    Unknown,
    File(String, u32, u32, u32, u32),
    Name(Vec<u8>, Box<Place>),
    Call(Box<Place>, Box<Place>),
    Fused(Option<Box<Recipe>>, Vec<Place>),
}

fn place() -> impl Strategy<Value = Place> {
    let leaf = prop_oneof![
        Just(Place::Unknown),
        ("[a-z./ ]{1,6}", 0..9u32, 0..9u32, 0..3u32, 0..9u32)
            .prop_map(|(file, line, column, more, end)| { Place::File(file, line, column, line + more, end) }),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (prop::collection::vec(any::<u8>(), 1..4), inner.clone())
                .prop_map(|(name, child)| Place::Name(name, Box::new(child))),
            (inner.clone(), inner.clone()).prop_map(|(callee, caller)| Place::Call(Box::new(callee), Box::new(caller))),
            prop::collection::vec(inner, 1..4).prop_map(|parts| Place::Fused(Some(Box::new(Recipe::Map(1, 2))), parts)),
        ]
    })
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let signedness = prop_oneof![Just(Signedness::Signless), Just(Signedness::Signed), Just(Signedness::Unsigned)];
    let leaf = prop_oneof![
        Just(Recipe::Unit),
        (1..=64u32, signedness, any::<i64>()).prop_map(|(width, sign, value)| Recipe::Integer(width, sign, value)),
        (0..FloatKind::ALL.len(), any::<u64>()).prop_map(|(kind, bits)| Recipe::Float(kind, bits)),
        prop::collection::vec(any::<u8>(), 0..8).prop_map(Recipe::String),
        ("[a-z $.0-9]{1,4}", prop::collection::vec("[A-Z-]{1,3}", 0..2))
            .prop_map(|(root, rest)| Recipe::Symbol(root, rest)),
        place().prop_map(|place| Recipe::Location(Box::new(place))),
        (-3..3i64, -3..3i64).prop_map(|(factor, term)| Recipe::Map(factor, term)),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Recipe::Array),
            prop::collection::btree_map("[a-z0-9._ -]{1,5}", inner.clone(), 0..4)
                .prop_map(|entries| Recipe::Dictionary(entries.into_iter().collect())),
            (0..3u32, inner).prop_map(|(id, value)| Recipe::Distinct(id, Box::new(value))),
        ]
    })
}

fn build(module: &mut Module, recipe: &Recipe) -> AttrId {
    let attr = match recipe {
        Recipe::Unit => Attribute::Unit,
        Recipe::Integer(width, signedness, value) => {
            let ty = module.intern_type(Type::Integer { width: *width, signedness: *signedness });
            let shift = 64 - width;
            let value = match signedness {
                Signedness::Unsigned => i128::from((*value as u64) << shift >> shift),
                _ => i128::from(value << shift >> shift),
            };
            Attribute::Integer { ty, value }
        }
        Recipe::Float(kind, bits) => {
            let kind = FloatKind::ALL[*kind];
            let ty = module.intern_type(Type::Float(kind));
            // Patterns of the wide formats that 64 bits reach are enough.
            Attribute::Float { ty, bits: u128::from(*bits) & kind.format().bit_mask() }
        }
        Recipe::String(bytes) => Attribute::String { value: bytes.clone().into(), ty: None },
        Recipe::Symbol(root, nested) => {
            let root = module.name(root);
            Attribute::SymbolRef { root, nested: nested.iter().map(|name| module.name(name)).collect() }
        }
        Recipe::Array(values) => Attribute::Array(values.iter().map(|value| build(module, value)).collect()),
        Recipe::Dictionary(entries) => {
            let entries = entries.iter().map(|(name, value)| (module.name(name), build(module, value))).collect();
            return module.dictionary(entries);
        }
        Recipe::Location(place) => Attribute::Location(locate(module, place)),
        Recipe::Map(factor, term) => {
            let product = AffineExpr::Binary(
                AffineOp::Mul,
                Box::new(AffineExpr::Dim(0)),
                Box::new(AffineExpr::Constant(factor + 7)),
            );
            let sum = AffineExpr::Binary(AffineOp::Add, Box::new(product), Box::new(AffineExpr::Constant(term + 7)));
            Attribute::AffineMap(Box::new(AffineMap { dims: 1, symbols: 1, results: vec![sum, AffineExpr::Symbol(0)] }))
        }
        Recipe::Distinct(id, value) => {
            let value = build(module, value);
            // One identity has one value.
            Attribute::Distinct { id: value.index() as u32 * 3 + id, value }
        }
    };
    module.intern_attr(attr)
}

/// Makes a location as readers do: `fused` without metadata does not occur here, and one in another of the same metadata
/// is merged with it.
fn locate(module: &mut Module, place: &Place) -> LocId {
    let location = match place {
        Place::Unknown => Location::Unknown,
        Place::File(file, line, column, end_line, end_column) => {
            let file = module.name(file);
            Location::File(FileRange {
                file,
                line: *line,
                column: *column,
                end_line: *end_line,
                end_column: *end_column,
            })
        }
        Place::Name(name, child) => Location::Name { name: name.clone().into(), child: locate(module, child) },
        Place::Call(callee, caller) => {
            Location::CallSite { callee: locate(module, callee), caller: locate(module, caller) }
        }
        Place::Fused(metadata, parts) => {
            let metadata = metadata.as_ref().map(|metadata| build(module, metadata));
            let mut locations = Vec::new();
            for part in parts {
                let part = locate(module, part);
                let merged = match module.location(part) {
                    Location::Fused { metadata: inner, locations } if *inner == metadata => locations.to_vec(),
                    _ => vec![part],
                };
                for part in merged {
                    if !module.is_unknown_location(part) && !locations.contains(&part) {
                        locations.push(part);
                    }
                }
            }
            if locations.is_empty() {
                locations.push(module.intern_location(Location::Unknown));
            }
            Location::Fused { metadata, locations: locations.into() }
        }
    };
    module.intern_location(location)
}

/// Prints, reads and prints again.
fn check(module: &Module) -> Result<(), TestCaseError> {
    for (generic, locations, local_scope) in
        [(false, false, false), (true, false, false), (false, true, false), (true, true, false), (false, true, true)]
    {
        let options = PrintOptions { generic, locations, local_scope, ..PrintOptions::default() };
        let printed = print(module, options);
        let parsed = parse("-", &printed);
        let faults: Vec<_> = parsed.errors().map(|error| error.message.clone()).collect();
        prop_assert!(faults.is_empty(), "{faults:?}\n{printed}");
        prop_assert_eq!(print(&parsed.module, options), printed);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn attributes_and_locations_read_back(recipe in recipe(), place in place()) {
        let mut module = Module::new("-");
        let value = build(&mut module, &recipe);
        let key = module.name("x.y");
        let attributes = module.dictionary(vec![(key, value)]);
        let location = locate(&mut module, &place);
        let top = module.top();
        module.set_attributes(top, Some(attributes));
        module.set_location(top, Some(location));
        check(&module)?;
    }

    #[test]
    fn elements_read_back(
        which in 0..ElementType::ALL.len(),
        shape in prop::collection::vec(0..4i64, 0..4),
        bytes in prop::collection::vec(any::<u8>(), 1..48),
        splat: bool,
        hex_larger_than in prop_oneof![Just(None), (0..20u64).prop_map(Some)],
    ) {
        let element = ElementType::ALL[which];
        let mut module = Module::new("-");
        let element_type = module.element_type_id(element);
        let ty = module.tensor_type(&shape, element_type);
        let count = if splat { 1 } else { shape.iter().product::<i64>() as usize };
        let data: Vec<u8> = (0..count * element.byte_width())
            .map(|index| canonical(element, index, bytes[index % bytes.len()]))
            .collect();
        let attr = module.intern_attr(Attribute::DenseElements(DenseElements { ty, data: Blob::new(data), splat }));
        let key = module.name("x.y");
        let attributes = module.dictionary(vec![(key, attr)]);
        let top = module.top();
        module.set_attributes(top, Some(attributes));
        let options = PrintOptions { hex_larger_than, ..PrintOptions::default() };
        let printed = print(&module, options);
        let parsed = parse("-", &printed);
        let faults: Vec<_> = parsed.errors().map(|error| error.message.clone()).collect();
        prop_assert!(faults.is_empty(), "{faults:?}\n{printed}");
        let again = parsed.module.discardable(parsed.module.top(), "x.y").unwrap();
        let (first, second) = (Literal::from_attr(&module, attr).unwrap(), Literal::from_attr(&parsed.module, again).unwrap());
        prop_assert_eq!(first.len(), second.len());
        for index in 0..first.len() {
            prop_assert_eq!(first.element_bytes(index), second.element_bytes(index), "{}", printed);
        }
        prop_assert_eq!(print(&parsed.module, options), printed);
    }
}

/// A byte as storage has it: unused high bits are zero.
fn canonical(element: ElementType, index: usize, byte: u8) -> u8 {
    let bits = element.bits();
    if bits >= 8 || !index.is_multiple_of(element.byte_width()) {
        return byte;
    }
    let shift = 8 - bits;
    byte << shift >> shift
}

/// Whatever the depth, printing ends, and what readers accept is printed in full.
#[test]
fn deep_nesting() {
    for depth in [200, 5000] {
        let mut module = Module::new("-");
        let mut attr = module.intern_attr(Attribute::Unit);
        for _ in 0..depth {
            attr = module.intern_attr(Attribute::Array(Box::new([attr])));
        }
        let shown = module.display_attr(attr).to_string();
        assert_eq!(shown.contains("..."), depth > 1000);
        let key = module.name("x.y");
        let attributes = module.dictionary(vec![(key, attr)]);
        let top = module.top();
        module.set_attributes(top, Some(attributes));
        let text = print(&module, PrintOptions { locations: true, ..PrintOptions::default() });
        assert_eq!(text.contains("..."), depth > 1000);
    }
}

/// The same for ops in regions of ops.
#[test]
fn deep_regions() {
    for depth in [100, 5000] {
        let mut module = Module::new("-");
        let name = module.name("x.y");
        let mut inner = None;
        for _ in 0..depth {
            let region = module.new_region();
            let block = module.new_block(region);
            if let Some(op) = inner {
                module.append_op(block, op);
            }
            inner = Some(module.create_op(&NewOp { regions: &[region], ..NewOp::new(OpName::Opaque(name)) }));
        }
        let body = module.entry_block(module.top(), 0).unwrap();
        module.append_op(body, inner.unwrap());
        for generic in [false, true] {
            let text = print(&module, PrintOptions { generic, locations: true, ..PrintOptions::default() });
            assert_eq!(text.contains("..."), depth > 1000);
        }
    }
}
