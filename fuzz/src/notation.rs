//! Tensors as text and files: npy, npz, safetensors, MLIR's and IREE's notations.

use bytes::Bytes;
use interpreter::io::{iree, mlir, npy, npz, weights};

/// Reads `bytes` in every notation.
pub fn run(bytes: &[u8]) {
    let _ = npy::read_all(bytes, None);
    for name in npz::names(bytes).unwrap_or_default() {
        let _ = npz::read(bytes, &name, None, 1 << 20);
    }
    let shared = Bytes::copy_from_slice(bytes);
    for name in weights::names(bytes).unwrap_or_default() {
        let _ = weights::read(&shared, &name, None);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = mlir::parse(text);
        if let Some((ty, elements)) = text.split_once('=')
            && let Some((element, shape)) = iree::parse_type(ty)
        {
            let _ = iree::parse_elements(element, &shape, elements, 1 << 20);
        }
    }
}

#[cfg(test)]
mod tests {
    use interpreter::Tensor;

    #[test]
    fn smoke() {
        crate::seeds::smoke(super::run);
        let tensor = Tensor::from_vec::<f32>(&[2, 2], &[1.0, 2.0, 3.0, 4.0]).unwrap();
        let npy = interpreter::io::npy::write(&tensor);
        let npz = interpreter::io::npz::write(&[("a".to_owned(), tensor.clone())], true).unwrap();
        let weights = interpreter::io::weights::write(&[("a".to_owned(), tensor)]).unwrap();
        let seeds = [npy, npz, weights, b"2x2xf32=1 2 3 4".to_vec(), b"dense<[1, 2]> : tensor<2xi4>".to_vec()];
        let mut mutator = crate::mutate::Mutator::new(11);
        for _ in 0..4000 {
            super::run(&mutator.mutate(&seeds));
        }
    }
}
