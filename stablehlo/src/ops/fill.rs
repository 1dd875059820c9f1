//! Values that readers put into property slots: declared defaults, and the one form of segment sizes.

use super::spec::{AttrKind, DefaultValue, OpSpec, Presence};
use crate::ir::{AttrId, Attribute, Dims, F64, Module, ResultAccuracy, ResultAccuracyMode, Signedness, Type};

/// A declared default as an attribute of the declared kind.
pub(crate) fn default_value(module: &mut Module, value: DefaultValue, kind: AttrKind) -> AttrId {
    let mut integer = |width, value| {
        let ty = module.intern_type(Type::Integer { width, signedness: Signedness::Signless });
        Attribute::Integer { ty, value }
    };
    let attr = match value {
        DefaultValue::Bool(value) => integer(1, i128::from(value)),
        DefaultValue::I64(value) => integer(64, i128::from(value)),
        DefaultValue::I32(value) => integer(32, i128::from(value)),
        DefaultValue::EmptyString => Attribute::String { value: Box::default(), ty: None },
        DefaultValue::EmptyArray if kind == AttrKind::I64Array => Attribute::DenseI64Array(Dims::new()),
        DefaultValue::EmptyArray => Attribute::Array(Box::default()),
        DefaultValue::EmptyDictionary => Attribute::Dictionary(Box::default()),
        DefaultValue::DefaultAccuracy => Attribute::ResultAccuracy(ResultAccuracy {
            atol: F64::new(0.0),
            rtol: F64::new(0.0),
            ulps: 0,
            mode: ResultAccuracyMode::Default,
        }),
    };
    module.intern_attr(attr)
}

/// Gives empty property slots the values that the op always has.
pub(crate) fn fill_defaults(module: &mut Module, spec: &OpSpec, properties: &mut [Option<AttrId>]) {
    for (attr, slot) in spec.attributes.iter().zip(properties) {
        if let Presence::Filled(value) = attr.presence
            && slot.is_none()
        {
            *slot = Some(default_value(module, value, attr.kind));
        }
    }
}

/// Segment sizes are `array<i32: …>` outside and a list of i64 in a slot; all other properties are kept as they are.
pub(crate) fn normalize_property(module: &mut Module, name: &str, value: AttrId) -> AttrId {
    if name != "operandSegmentSizes" && name != "resultSegmentSizes" {
        return value;
    }
    let Attribute::DenseArray { element, bytes } = module.attr(value) else {
        return value;
    };
    if !matches!(module.ty(*element), Type::Integer { width: 32, .. }) {
        return value;
    }
    let sizes = bytes.chunks_exact(4).map(|size| i64::from(i32::from_le_bytes([size[0], size[1], size[2], size[3]])));
    let sizes: Dims = sizes.collect();
    module.intern_attr(Attribute::DenseI64Array(sizes))
}
