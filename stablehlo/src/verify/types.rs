//! Rules for types and attributes that hold wherever they occur.
//!
//! The specification states them for quantized tensor types (`quantized_tensor_type_c3` …, section "Types"); the others
//! are the builtin types' own (`type/…`, `attribute/…`). Each type and attribute of a module is looked at once.

use super::fault::{Fault, Place, Verdict, ensure};
use crate::arena::SideMap;
use crate::element::FloatFormat;
use crate::ir::{
    AttrId, Attribute, DYNAMIC, Module, OpId, QuantizationParameters, QuantizedType, RankedTensor, ResultAccuracy,
    ResultAccuracyMode, ScaleZeroPoint, Type, TypeId,
};

/// What is known about the types and attributes of one module.
#[derive(Clone, Debug, Default)]
pub struct TypeRules {
    types: SideMap<TypeId, State>,
    attributes: SideMap<AttrId, State>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
enum State {
    #[default]
    Unknown,
    Good,
    Bad,
}

impl State {
    fn of(verdict: &Verdict) -> Self {
        if verdict.is_ok() { State::Good } else { State::Bad }
    }
}

impl TypeRules {
    /// Checks the types of all values that `op` takes, gives or declares, and its attributes.
    ///
    /// # Errors
    /// The first broken rule, with its code.
    pub fn check_op(&mut self, module: &Module, op: OpId) -> Verdict {
        for (index, operand) in module.operands(op).iter().enumerate() {
            self.check_type(module, module.value_type(*operand)).map_err(|fault| fault.at(Place::Operand(index)))?;
        }
        for (index, result) in module.results(op).iter().enumerate() {
            self.check_type(module, module.value_type(result)).map_err(|fault| fault.at(Place::Result(index)))?;
        }
        for (index, region) in module.regions(op).iter().enumerate() {
            for argument in module.blocks(*region).iter().flat_map(|block| &module.block(*block).arguments) {
                self.check_type(module, module.value_type(*argument))
                    .map_err(|fault| fault.at(Place::Region(index)))?;
            }
        }
        module.properties(op).iter().flatten().try_for_each(|attr| self.check_attribute(module, *attr))?;
        module.op(op).attributes().map_or(Ok(()), |attributes| self.check_attribute(module, attributes))
    }

    /// Checks a type and all types inside it.
    ///
    /// # Errors
    /// The first broken rule, with its code.
    pub fn check_type(&mut self, module: &Module, ty: TypeId) -> Verdict {
        match self.types[ty] {
            State::Good => return Ok(()),
            State::Bad => return type_verdict(module, ty),
            State::Unknown => {}
        }
        let verdict = type_verdict(module, ty);
        self.types.set(ty, State::of(&verdict));
        verdict
    }

    /// Checks an attribute and all attributes and types inside it.
    ///
    /// # Errors
    /// The first broken rule, with its code.
    pub fn check_attribute(&mut self, module: &Module, attr: AttrId) -> Verdict {
        match self.attributes[attr] {
            State::Good => return Ok(()),
            State::Bad => return self.attribute_verdict(module, attr),
            State::Unknown => {}
        }
        let verdict = self.attribute_verdict(module, attr);
        self.attributes.set(attr, State::of(&verdict));
        verdict
    }

    /// Nested attributes are visited with an explicit stack: hostile texts nest deeply.
    fn attribute_verdict(&mut self, module: &Module, attr: AttrId) -> Verdict {
        let mut pending = vec![attr];
        while let Some(attr) = pending.pop() {
            match module.attr(attr) {
                Attribute::Array(values) => pending.extend(values),
                Attribute::Dictionary(entries) => pending.extend(entries.iter().map(|(_, attr)| *attr)),
                Attribute::Type(ty) => self.check_type(module, *ty)?,
                Attribute::DenseElements(elements) => self.check_type(module, elements.ty)?,
                Attribute::DenseResource { ty, .. } => self.check_type(module, *ty)?,
                Attribute::ResultAccuracy(accuracy) => result_accuracy(accuracy)?,
                Attribute::ReplicaGroupMeshAxes { mesh, axes } => mesh_axes(module, *mesh, *axes)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The rules of one type and of those inside it.
fn type_verdict(module: &Module, ty: TypeId) -> Verdict {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match module.ty(ty) {
            Type::RankedTensor(tensor) => {
                ranked_tensor(module, ty, tensor)?;
                pending.push(tensor.element);
            }
            Type::UnrankedTensor { element } => {
                tensor_element(module, ty, *element)?;
                pending.push(*element);
            }
            Type::Complex(part) => {
                complex_part(module, ty, *part)?;
            }
            Type::Quantized(quantized) => quantized_type(module, ty, quantized)?,
            Type::Tuple(types) => pending.extend(types),
            Type::Future(types) => {
                ensure(types.iter().all(|ty| module.tensor(*ty).is_some()), || {
                    fault(module, ty, "type/future-element", "must hold ranked tensors")
                })?;
                pending.extend(types);
            }
            Type::Function { inputs, results } => pending.extend(inputs.iter().chain(results)),
            Type::Vector { shape, element, .. } => {
                ensure(shape.iter().all(|size| *size > 0), || {
                    fault(module, ty, "type/vector-size", "has a size below 1")
                })?;
                pending.push(*element);
            }
            Type::MemRef { element, .. } => pending.push(*element),
            _ => {}
        }
    }
    Ok(())
}

fn fault(module: &Module, ty: TypeId, code: &str, what: &str) -> Fault {
    Fault::new(format!("type {} {what}", module.display_type(ty))).code(code)
}

/// `complex<T>` is made of integers or floats.
fn complex_part(module: &Module, ty: TypeId, part: TypeId) -> Verdict {
    ensure(matches!(module.ty(part), Type::Integer { .. } | Type::Float(_)), || {
        fault(module, ty, "type/complex-part", "must have parts of integer or float type")
    })
}

/// What tensors can hold in MLIR; what StableHLO's ops take is narrower and said by their declarations.
fn tensor_element(module: &Module, ty: TypeId, element: TypeId) -> Verdict {
    let holds = !matches!(
        module.ty(element),
        Type::RankedTensor(_)
            | Type::UnrankedTensor { .. }
            | Type::MemRef { .. }
            | Type::Tuple(_)
            | Type::Function { .. }
            | Type::None
            | Type::BuiltinToken
    );
    ensure(holds, || {
        fault(
            module,
            ty,
            "type/tensor-element",
            &format!("cannot have elements of type {}", module.display_type(element)),
        )
    })
}

fn ranked_tensor(module: &Module, ty: TypeId, tensor: &RankedTensor) -> Verdict {
    tensor_element(module, ty, tensor.element)?;
    if let Some(dim) = tensor.shape.iter().position(|size| *size < 0 && *size != DYNAMIC) {
        return Err(fault(module, ty, "type/negative-size", &format!("has a negative size in dimension {dim}")));
    }
    if let Some(bounds) = module.bounds(ty) {
        check_bounds(module, ty, &tensor.shape, bounds)?;
    }
    match module.quantized(ty).map(|quantized| &quantized.parameters) {
        Some(QuantizationParameters::PerAxis { dimension, entries }) => {
            per_axis_fits(module, ty, &tensor.shape, *dimension, entries.len())
        }
        _ => Ok(()),
    }
}

/// Bounds are one per dimension, and only where the size is unknown.
fn check_bounds(module: &Module, ty: TypeId, shape: &[i64], bounds: &[i64]) -> Verdict {
    ensure(bounds.len() == shape.len(), || {
        let what = format!("has {} bounds, expected one per dimension: {}", bounds.len(), shape.len());
        fault(module, ty, "type/bounds-length", &what).help("write ? for the bound of a dimension that has none")
    })?;
    let both = bounds.iter().zip(shape).position(|(bound, size)| *bound != DYNAMIC && *size != DYNAMIC);
    match both {
        None => Ok(()),
        Some(dim) => {
            let what = format!("has a bound {} for dimension {dim} whose size {} is known", bounds[dim], shape[dim]);
            Err(fault(module, ty, "type/bounds-static", &what).help("write ? for the bound of a static dimension"))
        }
    }
}

/// C12 and C13 of quantized tensor types.
fn per_axis_fits(module: &Module, ty: TypeId, shape: &[i64], dimension: i32, scales: usize) -> Verdict {
    // A negative dimension breaks C11, which is a rule of the element type.
    let Ok(dim) = usize::try_from(dimension) else { return Ok(()) };
    let Some(size) = shape.get(dim) else {
        let what = format!("has quantization dimension {dimension}, expected less than its rank {}", shape.len());
        return Err(fault(module, ty, "quantized_tensor_type_c12", &what));
    };
    ensure(*size == DYNAMIC || i64::try_from(scales) == Ok(*size), || {
        let what =
            format!("has {scales} scales, expected one per index of dimension {dimension}, whose size is {size}");
        fault(module, ty, "quantized_tensor_type_c13", &what)
    })
}

/// C3 to C11 of quantized tensor types; the others hold by construction.
fn quantized_type(module: &Module, ty: TypeId, quantized: &QuantizedType) -> Verdict {
    let (min, max) = (quantized.storage.min, quantized.storage.max);
    let is_integer = matches!(module.ty(quantized.storage.ty), Type::Integer { .. });
    let range = module.storage_range(quantized.storage.ty, quantized.storage.signed);
    if let Some((least, greatest)) = range.filter(|_| is_integer) {
        ensure(least <= min && min < max && max <= greatest, || {
            let what = format!("has storage range {min}:{max}, expected an ascending part of {least}:{greatest}");
            fault(module, ty, "quantized_tensor_type_c3", &what)
        })?;
    }
    let entries = match &quantized.parameters {
        QuantizationParameters::PerTensor(entry) => std::slice::from_ref(entry),
        QuantizationParameters::PerAxis { dimension, entries } => {
            ensure(*dimension >= 0, || {
                let what = format!("has quantization dimension {dimension}, expected at least 0");
                fault(module, ty, "quantized_tensor_type_c11", &what)
            })?;
            entries
        }
        QuantizationParameters::SubChannel { entries, .. } => entries,
    };
    let format = match module.ty(quantized.expressed) {
        Type::Float(kind) => kind.format(),
        _ => return Err(fault(module, ty, "quantized_tensor_type_c4", "must have an expressed type that is a float")),
    };
    entries.iter().try_for_each(|entry| {
        scale(module, ty, quantized, format, *entry)?;
        ensure((min..=max).contains(&entry.zero_point), || {
            let what = format!("has zero point {}, expected one in the storage range {min}:{max}", entry.zero_point);
            fault(module, ty, "quantized_tensor_type_c7", &what)
        })
    })
}

/// C4 to C6: a scale is a positive finite number of the expressed type.
fn scale(
    module: &Module,
    ty: TypeId,
    quantized: &QuantizedType,
    format: &FloatFormat,
    entry: ScaleZeroPoint,
) -> Verdict {
    let scale = entry.scale.get();
    ensure(scale > 0.0 || scale.is_nan(), || {
        fault(module, ty, "quantized_tensor_type_c5", &format!("has scale {scale:e}, expected a positive one"))
    })?;
    ensure(scale.is_finite(), || {
        fault(module, ty, "quantized_tensor_type_c6", &format!("has scale {scale:e}, expected a finite one"))
    })?;
    let (least, greatest) = positive_range(format);
    ensure(least <= scale && scale <= greatest, || {
        let expressed = module.display_type(quantized.expressed);
        let what = format!("has scale {scale:e}, expected one in the range of {expressed}: {least:e} to {greatest:e}");
        fault(module, ty, "quantized_tensor_type_c4", &what)
    })
}

/// Least and greatest positive finite numbers of a format, as near as f64 can say.
fn positive_range(format: &FloatFormat) -> (f64, f64) {
    let (least, greatest) = (format.to_f64(format.min_positive()), format.to_f64(format.max_finite(false)));
    (least.max(f64::from_bits(1)), greatest.min(f64::MAX))
}

/// Tolerances are not negative, and all zero unless the mode uses them.
fn result_accuracy(accuracy: &ResultAccuracy) -> Verdict {
    let (atol, rtol) = (accuracy.atol.get(), accuracy.rtol.get());
    ensure(!atol.is_sign_negative() && !rtol.is_sign_negative() && accuracy.ulps >= 0, || {
        let message = format!("tolerances must not be negative, got atol {atol}, rtol {rtol}, ulps {}", accuracy.ulps);
        Fault::new(message).code("attribute/result-accuracy")
    })?;
    let unused = atol == 0.0 && rtol == 0.0 && accuracy.ulps == 0;
    ensure(unused || accuracy.mode == ResultAccuracyMode::Tolerance, || {
        let mode = accuracy.mode.word();
        let message = format!("mode {mode} takes no tolerances, got atol {atol}, rtol {rtol}, ulps {}", accuracy.ulps);
        Fault::new(message).code("attribute/result-accuracy").help("tolerances belong to the mode TOLERANCE")
    })
}

/// Groups of replicas given by axes of a mesh name axes that the mesh has.
fn mesh_axes(module: &Module, mesh: AttrId, axes: AttrId) -> Verdict {
    let complain = |message: String| Err(Fault::new(message).code("attribute/mesh-axes"));
    let known = match module.attr(mesh) {
        Attribute::Mesh { axes, .. } => axes,
        Attribute::SymbolRef { nested, .. } if nested.is_empty() => return Ok(()),
        _ => return complain(format!("mesh must be a symbol or a mesh, got {}", module.display_attr(mesh))),
    };
    let Attribute::Array(axes) = module.attr(axes) else {
        return complain(format!("axes must be an array, got {}", module.display_attr(axes)));
    };
    for axis in axes {
        let Attribute::AxisRef { name, .. } = module.attr(*axis) else {
            return complain(format!("axes must be axis references, got {}", module.display_attr(*axis)));
        };
        let named =
            |known: &AttrId| matches!(module.attr(*known), Attribute::MeshAxis { name: known, .. } if known == name);
        if !known.iter().any(named) {
            return complain(format!("the mesh has no axis \"{}\"", module.str(*name)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{F64, FloatKind, RankedTensor, Signedness, StorageType};

    #[test]
    fn ranges_of_floats() {
        assert_eq!(positive_range(&FloatFormat::F32), (f64::from(f32::from_bits(1)), f64::from(f32::MAX)));
        assert_eq!(positive_range(&FloatFormat::F64), (f64::from_bits(1), f64::MAX));
        assert_eq!(positive_range(&FloatFormat::F16), (2f64.powi(-24), 65504.0));
        assert_eq!(positive_range(&FloatFormat::F8E4M3FN), (2f64.powi(-9), 448.0));
        assert_eq!(positive_range(&FloatFormat::F8E4M3FNUZ), (2f64.powi(-10), 240.0));
        assert_eq!(positive_range(&FloatFormat::F4E2M1FN), (0.5, 6.0));
        assert_eq!(positive_range(&FloatFormat::F8E8M0FNU), (2f64.powi(-127), 2f64.powi(127)));
    }

    /// The code of the rule that `tensor<2x3x!quant.uniform<…>>` breaks; empty when it breaks none.
    fn verdict(expressed: FloatKind, range: (i64, i64), parameters: QuantizationParameters) -> String {
        let mut module = Module::new("test");
        let ty = module.intern_type(Type::Integer { width: 8, signedness: Signedness::Signless });
        let expressed = module.intern_type(Type::Float(expressed));
        let storage = StorageType { ty, signed: true, min: range.0, max: range.1 };
        let element = module.intern_type(Type::Quantized(Box::new(QuantizedType { storage, expressed, parameters })));
        let tensor = RankedTensor { shape: [2, 3].into_iter().collect(), element, encoding: None };
        let ty = module.intern_type(Type::RankedTensor(tensor));
        let mut rules = TypeRules::default();
        let first = rules.check_type(&module, ty).map_err(|fault| fault.0.code.unwrap_or_default());
        let again = rules.check_type(&module, ty).map_err(|fault| fault.0.code.unwrap_or_default());
        assert_eq!(first, again, "the answer is remembered");
        first.err().unwrap_or_default()
    }

    fn entry(scale: f64, zero_point: i64) -> ScaleZeroPoint {
        ScaleZeroPoint { scale: F64::new(scale), zero_point }
    }

    #[test]
    fn quantized_tensor_types() {
        use FloatKind::{F16, F32};
        use QuantizationParameters::{PerAxis, PerTensor};
        let full = (-128, 127);
        let per_axis = |dimension, n| PerAxis { dimension, entries: vec![entry(0.5, 1); n].into() };
        assert_eq!(verdict(F32, full, PerTensor(entry(0.5, 127))), "");
        assert_eq!(verdict(F32, full, per_axis(1, 3)), "");
        assert_eq!(verdict(F32, (5, 5), PerTensor(entry(0.5, 5))), "quantized_tensor_type_c3");
        assert_eq!(verdict(F32, (-129, 5), PerTensor(entry(0.5, 5))), "quantized_tensor_type_c3");
        assert_eq!(verdict(F16, full, PerTensor(entry(65505.0, 0))), "quantized_tensor_type_c4");
        assert_eq!(verdict(F16, full, PerTensor(entry(4.96e-8, 0))), "quantized_tensor_type_c4");
        assert_eq!(verdict(F32, full, PerTensor(entry(0.0, 0))), "quantized_tensor_type_c5");
        assert_eq!(verdict(F32, full, PerTensor(entry(f64::INFINITY, 0))), "quantized_tensor_type_c6");
        assert_eq!(verdict(F32, full, PerTensor(entry(f64::NAN, 0))), "quantized_tensor_type_c6");
        assert_eq!(verdict(F32, full, PerTensor(entry(0.5, 128))), "quantized_tensor_type_c7");
        assert_eq!(verdict(F32, (-1, 5), PerTensor(entry(0.5, -2))), "quantized_tensor_type_c7");
        assert_eq!(verdict(F32, full, per_axis(2, 3)), "quantized_tensor_type_c12");
        assert_eq!(verdict(F32, full, per_axis(1, 2)), "quantized_tensor_type_c13");
    }
}
