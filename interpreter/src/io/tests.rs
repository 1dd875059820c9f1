//! Files in `testdata/io` were written by numpy 2, ml_dtypes and safetensors for Python.

use bytes::Bytes;
use proptest::prelude::*;
use stablehlo::element::ElementType::{self, *};

use super::inputs::{Argument, read_inputs};
use super::outputs::{Format, render};
use super::*;
use crate::element::bf16;
use crate::tensor::Tensor;

const LIMIT: usize = 1 << 20;

fn file(name: &str) -> Bytes {
    std::fs::read(format!("{}/testdata/io/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap().into()
}

fn npy_file(name: &str, element: Option<ElementType>) -> Tensor {
    let mut tensors = npy::read_all(&file(name), element).unwrap();
    assert_eq!(tensors.len(), 1);
    tensors.remove(0)
}

#[test]
fn npy_of_numpy() {
    let tensor = npy_file("f32_fortran.npy", None);
    assert_eq!((tensor.shape(), tensor.to_vec::<f32>()), (&[2, 3][..], vec![0., 1., 2., 3., 4., 5.]));
    assert_eq!(npy_file("i16_big_endian.npy", None).to_vec::<i16>(), [1, -2, 300]);
    let bools = npy_file("bool_scalar.npy", None);
    assert_eq!((bools.element(), bools.rank(), bools.get::<bool>(0)), (I1, 0, true));
}

#[test]
fn npy_of_ml_dtypes() {
    let expected: Vec<bf16> = [1.5, -2.0, f32::INFINITY].map(bf16::from_f32).into();
    assert_eq!(npy_file("bf16.npy", None).to_vec::<bf16>(), expected);
    assert_eq!(npy_file("f8E4M3FN.npy", Some(F8E4M3FN)).data()[..], [0x3c, 0xfe, 0x7f]);
    assert_eq!(npy_file("i4.npy", Some(I4)).integers(), [-8, 7, -1]);
    let error = npy::read_all(&file("i4.npy"), None).unwrap_err();
    assert_eq!(error.code(), "input/npy-type");
}

#[test]
fn npy_accepts_names_and_records_as_types() {
    for descr in ["'bfloat16'", "[('bfloat16', '<V2')]", "'<V2'", "\"<V2\""] {
        let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (1,), }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend([0xc0, 0x3f]);
        let tensor = npy::read(&mut &bytes[..], None).unwrap();
        assert_eq!((tensor.element(), tensor.get::<bf16>(0).to_f32()), (BF16, 1.5), "{descr}");
    }
}

#[test]
fn npy_round_trips_every_element_type() {
    for &element in ElementType::ALL {
        let tensor = Tensor::splat(element, &[2, 3], vec![0; element.byte_width()]).unwrap();
        let file = npy::write(&tensor);
        assert_eq!((file.len() - 6 * element.byte_width()) % 64, 0, "{element}");
        assert_eq!(npy::read_all(&file, Some(element)).unwrap(), [tensor], "{element}");
    }
}

#[test]
fn hostile_headers_are_errors() {
    let cases: &[&[u8]] = &[
        b"",
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00\xff\xff{",
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
        b"\x93NUMPY\x09\x00\x00\x00",
        b"\x93NUMPY\x01\x00\x04\x00{}\n\n",
        b"\x93NUMPY\x01\x00\x48\x00{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        b"\x93NUMPY\x01\x00\x52\x00{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 16)}  ",
        b"\x93NUMPY\x01\x00\x3e\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1000,)}    ",
        b"\x93NUMPY\x01\x00\x3b\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,)}     ",
        b"\x93NUMPY\x01\x00\x3b\x00{'descr': [('a'], 'fortran_order': False, 'shape': (1,)}   ",
    ];
    for case in cases {
        let error = npy::read(&mut &case[..], None).unwrap_err();
        assert!(error.code().starts_with("input/npy"), "{error}");
    }
}

#[test]
fn archives() {
    let npz_file = file("two.npz");
    assert_eq!(npz::names(&npz_file).unwrap(), ["x", "y"]);
    let x = npz::read(&npz_file, "x", None, 1000).unwrap();
    assert_eq!((x.shape(), x.to_vec::<i32>()), (&[2, 2][..], vec![1, 2, 3, 4]));
    assert_eq!(npz::read(&npz_file, "x", None, 100).unwrap_err().code(), "input/too-large");
    assert_eq!(npz::read(&npz_file, "z", None, 100).unwrap_err().code(), "input/npz");

    let written = npz::write(&[("a".into(), x.clone()), ("b".into(), Tensor::scalar(1.5f64))], true).unwrap();
    assert_eq!(npz::names(&written).unwrap(), ["a", "b"]);
    assert_eq!(npz::read(&written, "a", None, 1000).unwrap(), x);

    let weights_file = file("two.safetensors");
    assert_eq!(weights::names(&weights_file).unwrap(), ["b", "w"]);
    assert_eq!(weights::read(&weights_file, "w", None).unwrap().to_vec::<f32>(), [1.5, 2.5]);
    let four = Tensor::new(I4, &[2], vec![0xf, 7]).unwrap();
    let written = weights::write(&[("q".into(), four.clone())]).unwrap();
    assert_eq!(weights::read(&written.into(), "q", Some(I4)).unwrap(), four);
}

#[test]
fn iree_notation() {
    let parse = |ty: &str, elements: &str| {
        let (element, shape) = iree::parse_type(ty).unwrap();
        iree::parse_elements(element, &shape, elements, LIMIT)
    };
    assert_eq!(parse("2x3xf32", "[1 2 3][4 5 6]").unwrap().to_vec::<f32>(), [1., 2., 3., 4., 5., 6.]);
    assert_eq!(parse("3xs32", "1, -2 ,3").unwrap().to_vec::<i32>(), [1, -2, 3]);
    assert_eq!(parse("4xpred", "1 0 true false").unwrap().to_vec::<bool>(), [true, false, true, false]);
    assert_eq!(parse("f32", ".5").unwrap().to_vec::<f32>(), [0.5]);
    assert_eq!(parse("2xf32", "-inf 0x7fc00000").unwrap().data()[..], [0, 0, 0x80, 0xff, 0, 0, 0xc0, 0x7f]);
    assert_eq!(parse("complex<f32>", "(1,-2)").unwrap().data()[..], [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
    assert_eq!(parse("1000x1000x1000xf32", "2").unwrap().splat_value::<f32>(), Some(2.0));
    assert_eq!(parse("2xi8", "127 -128").unwrap().to_vec::<i8>(), [127, -128]);
    assert_eq!(parse("2xf8E4M3FN", "448 -1.5").unwrap().data()[..], [0x7e, 0xbc]);
    for (ty, elements, code) in [
        ("2xi8", "128 0", "input/element"),
        ("2xui4", "-1", "input/element"),
        ("i8", "--1", "input/element"),
        ("i8", "-0x-1", "input/element"),
        ("i8", "0x", "input/element"),
        ("i64", "--170141183460469231731687303715884105728", "input/element"),
        ("2xf32", "1 2 3", "input/count"),
        ("2xf32", "1 x", "input/element"),
        ("f4E2M1FN", "inf", "input/element"),
        ("1000x1000x1000xf32", "2 3", "input/too-large"),
        ("complex<f32>", "(1)", "input/element"),
    ] {
        assert_eq!(parse(ty, elements).unwrap_err().code(), code, "{ty}={elements}");
    }
    assert_eq!(iree::parse_type("2x?xf32"), None);
    assert_eq!(iree::parse_type("x"), None);
}

#[test]
fn printing() {
    let tensor = Tensor::from_vec(&[2, 2], &[1.0f32, -0.0, f32::NAN, 1e20]).unwrap();
    assert_eq!(iree::print(&tensor), "2x2xf32=[1 -0][nan 1e20]");
    assert_eq!(
        mlir::print(&tensor),
        "dense<[[1.000000e+00, -0.000000e+00], [0x7FC00000, 1.000000e+20]]> : tensor<2x2xf32>"
    );
    assert_eq!(iree::print(&Tensor::scalar(7i64)), "i64=7");
    assert_eq!(mlir::print(&Tensor::scalar(true)), "dense<true> : tensor<i1>");
    assert_eq!(mlir::print(&Tensor::full(&[3, 5], 2i8)), "dense<2> : tensor<3x5xi8>");
    assert_eq!(mlir::print(&Tensor::from_vec::<i8>(&[0], &[]).unwrap()), "dense<> : tensor<0xi8>");
    assert_eq!(iree::print(&Tensor::from_vec(&[3], &[0.1f32, 16777216.0, 1e-10]).unwrap()), "3xf32=0.1 16777216 1e-10");
    let deep = Tensor::from_vec(&[1, 2, 1], &[1i32, 2]).unwrap();
    assert_eq!(mlir::print(&deep), "dense<[[[1], [2]]]> : tensor<1x2x1xi32>");
}

fn argument(name: &str, element: ElementType, shape: &[usize]) -> Argument {
    Argument { name: Some(name.into()), element, shape: shape.iter().map(|size| Some(*size)).collect() }
}

fn inputs(texts: &[&str], arguments: &[Argument]) -> error::Result<Vec<Tensor>> {
    let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
    let mut read_file = |path: &str| match path {
        "list" => Ok(Bytes::from_static(b"# two inputs\n--input=x=2xf32=1 2\n\ny=@two.npz:y\n")),
        "loop" => Ok(Bytes::from_static(b"@loop\n")),
        "raw.bin" => Ok(Bytes::from_static(&[1, 0, 0, 0, 2, 0, 0, 0])),
        path if path.starts_with("two.") || path.ends_with(".npy") => Ok(file(path)),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    read_inputs(&texts, arguments, &mut read_file, LIMIT)
}

#[test]
fn inputs_by_place_and_name() {
    let (x, y) = (argument("x", F32, &[2]), argument("y", ComplexF32, &[1]));
    let values = inputs(&["y=(1,2)", "2xf32=1 2"], &[x.clone(), y.clone()]).unwrap();
    assert_eq!(values[0].to_vec::<f32>(), [1., 2.]);
    assert_eq!(values, inputs(&["@list"], &[x.clone(), y.clone()]).unwrap());
    assert_eq!(inputs(&["zeros"], std::slice::from_ref(&x)).unwrap()[0].splat_value::<f32>(), Some(0.0));
    assert_eq!(inputs(&["x=iota"], std::slice::from_ref(&x)).unwrap()[0].to_vec::<f32>(), [0., 1.]);
    assert_eq!(inputs(&["splat:0.5"], std::slice::from_ref(&x)).unwrap()[0].splat_value::<f32>(), Some(0.5));
    let raw = inputs(&["@raw.bin"], &[argument("r", I32, &[2])]).unwrap();
    assert_eq!(raw[0].to_vec::<i32>(), [1, 2]);
    let named = inputs(&["@two.npz"], &[y.clone(), argument("x", I32, &[2, 2])]).unwrap();
    assert_eq!(named[1].to_vec::<i32>(), [1, 2, 3, 4]);
    let bf16s = inputs(&["@bf16.npy"], &[argument("b", BF16, &[3])]).unwrap();
    assert_eq!(bf16s[0].len(), 3);
    let open = Argument { name: None, element: F32, shape: vec![None] };
    assert_eq!(inputs(&["3xf32=1 2 3"], std::slice::from_ref(&open)).unwrap()[0].shape(), [3]);
    assert_eq!(inputs(&["rand"], std::slice::from_ref(&open)).unwrap_err().code(), "input/type");
    assert_eq!(inputs(&["5xf32=rand:seed=3"], &[open]).unwrap()[0].len(), 5);
    for (texts, code) in [
        (&["zeros", "zeros", "zeros"][..], "input/too-many"),
        (&["zeros"], "input/missing"),
        (&["x=zeros", "x=zeros"], "input/twice"),
        (&["3xf32=1"], "input/type"),
        (&["f64=1"], "input/type"),
        (&["@nothing"], "input/file"),
        (&["@loop"], "input/list"),
        (&["zz=1"], "input/unknown-name"),
        (&["rand:nonsense"], "input/generator"),
    ] {
        assert_eq!(inputs(texts, &[x.clone(), y.clone()]).unwrap_err().code(), code, "{texts:?}");
    }
}

#[test]
fn generated_inputs_are_the_same_everywhere() {
    let values =
        |text: &str, element, shape: &[usize]| generate::generate(text, element, shape, LIMIT).unwrap().unwrap();
    // SplitMix64 from seed 0 begins with e220a8397b1dcdaf.
    let first = values("rand", F64, &[1]).get::<f64>(0);
    assert_eq!(first, -1.0 + 2.0 * (0xe220a8397b1dcdafu64 >> 11) as f64 * 2f64.powi(-53));
    let normal = values("rand:seed=7,dist=normal", F32, &[10000]).to_vec::<f32>();
    let mean = normal.iter().sum::<f32>() / 1e4;
    let deviation = (normal.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 1e4).sqrt();
    assert!(mean.abs() < 0.05 && (deviation - 1.0).abs() < 0.05, "{mean} {deviation}");
    assert!(values("rand:min=3,max=5", I32, &[1000]).integers().iter().all(|value| (3..5).contains(value)));
    let special = values("special", F32, &[30]).to_vec::<f32>();
    for wanted in [f32::INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45, -1.0] {
        assert!(special.contains(&wanted), "{wanted}");
    }
    assert!(special.iter().any(|value| value.is_nan()));
    let large = values("large", F32, &[1000]).to_vec::<f32>();
    assert!(large.iter().all(|value| value.is_finite()));
    assert!(large.iter().any(|value| value.abs() > 1e30) && large.iter().any(|value| value.abs() < 1e-30));
    // The exponents go down to those of the denormals, and no number is lost there.
    let large = values("large", F64, &[1000]).to_vec::<f64>();
    assert!(large.iter().all(|value| *value != 0.0) && large.iter().any(|value| value.is_subnormal()));
    for &element in ElementType::ALL {
        for text in ["zeros", "ones", "iota", "rand", "rand:dist=normal", "large", "special"] {
            assert_eq!(values(text, element, &[7]).len(), 7, "{text} {element}");
        }
    }
    let too_large = generate::generate("rand", F32, &[1 << 40], LIMIT).unwrap();
    assert_eq!(too_large.unwrap_err().code(), "input/too-large");
}

#[test]
fn results_behind_results() {
    let format = Format::of_path(std::path::Path::new("out.npy")).unwrap();
    let bytes = render(&[("r".to_owned(), Tensor::scalar(1i32))], format).unwrap();
    assert!(format.can_append());
    assert_eq!(npy::read_all(&bytes.repeat(2), None).unwrap().len(), 2);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0usize..200) {
        let _ = npy::read_all(&bytes, Some(F32));
        let _ = npz::names(&bytes);
        let _ = weights::names(&bytes);
        // A good file with a piece of it replaced.
        let mut file = npy::write(&Tensor::full(&[2, 2], 1f32));
        let end = (cut + bytes.len()).min(file.len());
        let cut = cut.min(end);
        file.splice(cut..end, bytes.iter().copied());
        let _ = npy::read_all(&file, None);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        let _ = iree::parse_type(&text);
        let _ = iree::parse_elements(F32, &[2], &text, LIMIT);
        let _ = inputs(&[&text], &[argument("x", F32, &[2])]);
    }

    #[test]
    fn iree_text_reads_back(values in proptest::collection::vec(any::<f32>(), 4)) {
        let tensor = Tensor::from_vec(&[2, 2], &values).unwrap();
        let text = iree::print(&tensor);
        let (ty, elements) = text.split_once('=').unwrap();
        let (element, shape) = iree::parse_type(ty).unwrap();
        let back = iree::parse_elements(element, &shape, elements, LIMIT).unwrap().to_vec::<f32>();
        for (a, b) in values.iter().zip(back) {
            prop_assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()));
        }
    }
}
