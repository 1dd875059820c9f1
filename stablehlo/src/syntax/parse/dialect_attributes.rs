//! Attributes of the `stablehlo` and `chlo` dialects.

use smallvec::SmallVec;

use super::attributes::{expect_bool, int64_or_dynamic};
use super::error::{Checked, PResult, expected, fault, fault_with_help};
use super::lexical::{self, Input, accept, accept_digits, accept_keyword, int64, peek, skip};
use super::numbers::f64_literal;
use super::{Parser, keyword, punct};
use crate::diag::Diagnostic;
use crate::ir::{
    AttrId, Attribute, ConvDimensionNumbers, Dims, DotAlgorithm, DotDimensionNumbers, EnumKind, EnumValue, F64,
    GatherDimensionNumbers, OutputOperandAlias, RaggedDotDimensionNumbers, ResultAccuracy, ResultAccuracyMode,
    ScatterDimensionNumbers, TypeId,
};
use crate::ops::stablehlo::dot_general::DotGeneral;

/// Fields of an attribute that have been read, by their number.
pub(super) type Seen = u32;

impl<'s> Parser<'s> {
    /// `#stablehlo.name<…>` or `#stablehlo<name …>`, the same for `chlo`.
    pub(super) fn dialect_attribute(
        &mut self,
        at: Input<'s>,
        dialect: &'static str,
        dotted: bool,
    ) -> PResult<'s, AttrId> {
        let body = &at[1 + dialect.len() + 1..];
        let (rest, word) = lexical::bare_id(body)?;
        let name = std::str::from_utf8(word).unwrap_or_default();
        let (rest, attr) = self.dialect_attribute_body(rest, at, dialect, name)?;
        match dotted {
            true => Ok((rest, attr)),
            false => {
                let (rest, ()) = punct!(rest, ">")?;
                Ok((rest, attr))
            }
        }
    }

    /// What follows the mnemonic of a dialect's attribute.
    fn dialect_attribute_body(
        &mut self,
        i: Input<'s>,
        at: Input<'s>,
        dialect: &'static str,
        name: &str,
    ) -> PResult<'s, AttrId> {
        let kind = EnumKind::ALL.iter().copied().find(|kind| kind.mnemonic() == (dialect, name));
        if let Some(kind) = kind {
            return self.enum_attribute_body(i, kind);
        }
        match (dialect, name) {
            ("stablehlo", "dot") => self.dot_dimension_numbers(i),
            ("stablehlo", "gather") => self.gather_dimension_numbers(i),
            ("stablehlo", "scatter") => self.scatter_dimension_numbers(i),
            ("stablehlo", "conv") => self.conv_attribute(i),
            ("stablehlo", "dot_algorithm") => self.dot_algorithm(i),
            ("stablehlo", "output_operand_alias") => self.output_operand_alias(i),
            ("stablehlo", "channel_handle") => self.channel_handle(i),
            ("stablehlo", "bounds") => self.bounds(i),
            ("stablehlo", "type_extensions") => self.type_extensions(i),
            ("stablehlo", "result_accuracy") => self.result_accuracy(i),
            ("stablehlo", "sub_axis_info") => self.sub_axis_info(i),
            ("stablehlo", "axis_ref") => self.axis_ref(i),
            ("stablehlo", "mesh_axis") => self.mesh_axis(i),
            ("stablehlo", "mesh") => self.mesh(i),
            ("stablehlo", "replica_group_mesh_axes") => self.replica_group_mesh_axes(i),
            ("chlo", "ragged_dot") => self.ragged_dot_dimension_numbers(i),
            _ => {
                let message = format!("unknown attribute `{name}` in dialect `{dialect}`");
                Err(fault(at, "parse/unknown-attribute", message))
            }
        }
    }

    /// ` WORD`, except for `result_accuracy_mode<WORD>`.
    fn enum_attribute_body(&mut self, i: Input<'s>, kind: EnumKind) -> PResult<'s, AttrId> {
        if kind == EnumKind::ResultAccuracyMode {
            let (i, ()) = punct!(i, "<")?;
            let (i, attr) = self.enum_word(i, kind)?;
            let (i, ()) = punct!(i, ">")?;
            return Ok((i, attr));
        }
        self.enum_word(i, kind)
    }

    /// A word of an enumeration.
    pub fn enum_word(&mut self, i: Input<'s>, kind: EnumKind) -> PResult<'s, AttrId> {
        let at = skip(i);
        let Some((rest, word)) = lexical::accept_word(at) else {
            return Err(expected(at, "parse/expected-keyword", "a word of the enumeration"));
        };
        match std::str::from_utf8(word).ok().and_then(|word| kind.value(word)) {
            Some(value) => Ok((rest, self.module.intern_attr(Attribute::Enum(value)))),
            None => {
                let (dialect, mnemonic) = kind.mnemonic();
                let message = format!("`{}` is no {dialect}.{mnemonic}", String::from_utf8_lossy(word));
                let help = format!("one of {}", kind.words().join(", "));
                Err(fault_with_help(at, "parse/invalid-enum", message, help))
            }
        }
    }

    /// `'<' (name '=' value (',' name '=' value)* ','?)? '>'` in any order, each name at most once.
    pub(super) fn fields(
        &mut self,
        i: Input<'s>,
        names: &[&'static str],
        each: impl FnMut(&mut Self, usize, Input<'s>) -> PResult<'s, ()>,
    ) -> PResult<'s, Seen> {
        let (i, ()) = punct!(i, "<")?;
        self.fields_until_end(i, names, each)
    }

    /// [`Self::fields`] behind their `<`.
    fn fields_until_end(
        &mut self,
        mut i: Input<'s>,
        names: &[&'static str],
        mut each: impl FnMut(&mut Self, usize, Input<'s>) -> PResult<'s, ()>,
    ) -> PResult<'s, Seen> {
        let mut seen = 0;
        loop {
            if let Some(rest) = accept(i, ">") {
                return Ok((rest, seen));
            }
            let at = skip(i);
            let (rest, word) = lexical::bare_id(at)?;
            let Some(index) = names.iter().position(|name| name.as_bytes() == word) else {
                let message = format!("unexpected field `{}`", String::from_utf8_lossy(word));
                return Err(fault_with_help(
                    at,
                    "parse/unknown-field",
                    message,
                    format!("one of {}", names.join(", ")),
                ));
            };
            if seen & (1 << index) != 0 {
                return Err(fault(at, "parse/duplicate-key", format!("field `{}` is given twice", names[index])));
            }
            seen |= 1 << index;
            let (rest, ()) = punct!(rest, "=")?;
            let (rest, ()) = each(self, index, rest)?;
            match accept(rest, ",") {
                Some(rest) => i = rest,
                None => {
                    let (rest, ()) = punct!(rest, ">")?;
                    return Ok((rest, seen));
                }
            }
        }
    }

    pub(super) fn all_fields(at: Input<'s>, names: &[&'static str], seen: Seen, required: usize) -> Checked<'s, ()> {
        match (0..required).find(|index| seen & (1 << index) == 0) {
            None => Ok(()),
            Some(index) => Err(fault(at, "parse/missing-field", format!("field `{}` is missing", names[index]))),
        }
    }

    /// Fields that are lists, the last of them possibly a number.
    fn dims_fields<const N: usize>(&mut self, i: Input<'s>, names: &[&'static str]) -> PResult<'s, ([Dims; N], i64)> {
        let mut lists: [Dims; N] = std::array::from_fn(|_| Dims::new());
        let mut number = 0;
        let (i, _) = self.fields(i, names, |parser, index, i| match lists.get_mut(index) {
            Some(list) => {
                let (i, read) = parser.i64_list_with_dynamic(i)?;
                *list = read;
                Ok((i, ()))
            }
            None => {
                let (i, read) = int64(i)?;
                number = read;
                Ok((i, ()))
            }
        })?;
        Ok((i, (lists, number)))
    }

    fn dot_dimension_numbers(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
        ];
        let (i, ([lhs_batching, rhs_batching, lhs_contracting, rhs_contracting], _)) =
            self.dims_fields::<4>(i, NAMES)?;
        let attr = Attribute::DotDimensionNumbers(Box::new(DotDimensionNumbers {
            lhs_batching_dimensions: lhs_batching,
            rhs_batching_dimensions: rhs_batching,
            lhs_contracting_dimensions: lhs_contracting,
            rhs_contracting_dimensions: rhs_contracting,
        }));
        Ok((i, self.module.intern_attr(attr)))
    }

    fn ragged_dot_dimension_numbers(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
            "lhs_ragged_dimensions",
            "rhs_group_dimensions",
        ];
        let (i, (lists, _)) = self.dims_fields::<6>(i, NAMES)?;
        let [lhs_batching, rhs_batching, lhs_contracting, rhs_contracting, ragged, group] = lists;
        let attr = Attribute::RaggedDotDimensionNumbers(Box::new(RaggedDotDimensionNumbers {
            lhs_batching_dimensions: lhs_batching,
            rhs_batching_dimensions: rhs_batching,
            lhs_contracting_dimensions: lhs_contracting,
            rhs_contracting_dimensions: rhs_contracting,
            lhs_ragged_dimensions: ragged,
            rhs_group_dimensions: group,
        }));
        Ok((i, self.module.intern_attr(attr)))
    }

    fn gather_dimension_numbers(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &[
            "offset_dims",
            "collapsed_slice_dims",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "start_index_map",
            "index_vector_dim",
        ];
        let (i, (lists, index_vector_dim)) = self.dims_fields::<5>(i, NAMES)?;
        let [offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map] =
            lists;
        let attr = Attribute::GatherDimensionNumbers(Box::new(GatherDimensionNumbers {
            offset_dims,
            collapsed_slice_dims,
            operand_batching_dims,
            start_indices_batching_dims,
            start_index_map,
            index_vector_dim,
        }));
        Ok((i, self.module.intern_attr(attr)))
    }

    fn scatter_dimension_numbers(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &[
            "update_window_dims",
            "inserted_window_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "scatter_dims_to_operand_dims",
            "index_vector_dim",
        ];
        let (i, (lists, index_vector_dim)) = self.dims_fields::<5>(i, NAMES)?;
        let [window, inserted, input_batching, indices_batching, to_operand] = lists;
        let attr = Attribute::ScatterDimensionNumbers(Box::new(ScatterDimensionNumbers {
            update_window_dims: window,
            inserted_window_dims: inserted,
            input_batching_dims: input_batching,
            scatter_indices_batching_dims: indices_batching,
            scatter_dims_to_operand_dims: to_operand,
            index_vector_dim,
        }));
        Ok((i, self.module.intern_attr(attr)))
    }

    /// `'<' ('raw' fields | convolution-dimensions) '>'`
    fn conv_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (rest, ()) = punct!(i, "<")?;
        if let Some(rest) = accept_keyword(rest, "raw") {
            return self.raw_conv_attribute(rest);
        }
        let (rest, numbers) = self.convolution_dimensions(rest)?;
        let (rest, ()) = punct!(rest, ">")?;
        Ok((rest, self.module.intern_attr(Attribute::ConvDimensionNumbers(Box::new(numbers)))))
    }

    /// The long form: every field by name; behind `<raw`.
    fn raw_conv_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &[
            "input_batch_dimension",
            "input_feature_dimension",
            "input_spatial_dimensions",
            "kernel_input_feature_dimension",
            "kernel_output_feature_dimension",
            "kernel_spatial_dimensions",
            "output_batch_dimension",
            "output_feature_dimension",
            "output_spatial_dimensions",
        ];
        let mut numbers = ConvDimensionNumbers::default();
        let (i, _) = self.fields_until_end(i, NAMES, |parser, index, mut i| {
            match index {
                0 => (i, numbers.input_batch_dimension) = int64(i)?,
                1 => (i, numbers.input_feature_dimension) = int64(i)?,
                2 => (i, numbers.input_spatial_dimensions) = parser.i64_list_with_dynamic(i)?,
                3 => (i, numbers.kernel_input_feature_dimension) = int64(i)?,
                4 => (i, numbers.kernel_output_feature_dimension) = int64(i)?,
                5 => (i, numbers.kernel_spatial_dimensions) = parser.i64_list_with_dynamic(i)?,
                6 => (i, numbers.output_batch_dimension) = int64(i)?,
                7 => (i, numbers.output_feature_dimension) = int64(i)?,
                _ => (i, numbers.output_spatial_dimensions) = parser.i64_list_with_dynamic(i)?,
            }
            Ok((i, ()))
        })?;
        Ok((i, self.module.intern_attr(Attribute::ConvDimensionNumbers(Box::new(numbers)))))
    }

    /// convolution-dimensions: `[b, 0, f]x[0, i, o]->[b, 0, f]`
    pub fn convolution_dimensions(&mut self, i: Input<'s>) -> PResult<'s, ConvDimensionNumbers> {
        let (i, (input, input_spatial)) = convolution_dims(i, [b'b', b'f'])?;
        let (i, ()) = keyword!(i, "x")?;
        let (i, (kernel, kernel_spatial)) = convolution_dims(i, [b'i', b'o'])?;
        let (i, ()) = punct!(i, "->")?;
        let (i, (output, output_spatial)) = convolution_dims(i, [b'b', b'f'])?;
        let numbers = ConvDimensionNumbers {
            input_batch_dimension: input[0],
            input_feature_dimension: input[1],
            input_spatial_dimensions: input_spatial,
            kernel_input_feature_dimension: kernel[0],
            kernel_output_feature_dimension: kernel[1],
            kernel_spatial_dimensions: kernel_spatial,
            output_batch_dimension: output[0],
            output_feature_dimension: output[1],
            output_spatial_dimensions: output_spatial,
        };
        Ok((i, numbers))
    }

    /// `<lhs_precision_type = tf32, …>`, all fields required.
    pub(super) fn dot_algorithm(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &[
            "lhs_precision_type",
            "rhs_precision_type",
            "accumulation_type",
            "lhs_component_count",
            "rhs_component_count",
            "num_primitive_operations",
            "allow_imprecise_accumulation",
        ];
        let at = i;
        let mut types: [Option<TypeId>; 3] = [None; 3];
        let mut numbers = [0; 3];
        let mut imprecise = false;
        let (i, seen) = self.fields(i, NAMES, |parser, index, mut i| {
            match index {
                0..=2 => {
                    let (rest, ty) = parser.type_(i)?;
                    types[index] = Some(ty);
                    i = rest;
                }
                3..=5 => (i, numbers[index - 3]) = int64(i)?,
                _ => (i, imprecise) = expect_bool(i)?,
            }
            Ok((i, ()))
        })?;
        Self::all_fields(at, NAMES, seen, NAMES.len())?;
        let [Some(lhs), Some(rhs), Some(accumulation)] = types else {
            return Err(expected(at, "parse/expected-type", "types"));
        };
        let algorithm = DotAlgorithm {
            lhs_precision_type: lhs,
            rhs_precision_type: rhs,
            accumulation_type: accumulation,
            lhs_component_count: numbers[0],
            rhs_component_count: numbers[1],
            num_primitive_operations: numbers[2],
            allow_imprecise_accumulation: imprecise,
        };
        // Upstream checks algorithms where they are read, so this is the line that users expect the complaint on.
        if let Some((label, message)) = crate::ops::stablehlo::precision::algorithm_fault(&self.module, &algorithm) {
            let code = DotGeneral::SPEC.rule_code(label);
            self.report(Diagnostic::error(code, self.span(at, i), message));
        }
        Ok((i, self.module.intern_attr(Attribute::DotAlgorithm(algorithm))))
    }

    fn output_operand_alias(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &["output_tuple_indices", "operand_index", "operand_tuple_indices"];
        let at = i;
        let mut alias = OutputOperandAlias {
            output_tuple_indices: Dims::new(),
            operand_index: 0,
            operand_tuple_indices: Dims::new(),
        };
        let (i, seen) = self.fields(i, NAMES, |parser, index, mut i| {
            match index {
                0 => (i, alias.output_tuple_indices) = parser.i64_list_with_dynamic(i)?,
                1 => (i, alias.operand_index) = int64(i)?,
                _ => (i, alias.operand_tuple_indices) = parser.i64_list_with_dynamic(i)?,
            }
            Ok((i, ()))
        })?;
        Self::all_fields(at, NAMES, seen, NAMES.len())?;
        Ok((i, self.module.intern_attr(Attribute::OutputOperandAlias(Box::new(alias)))))
    }

    fn channel_handle(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &["handle", "type"];
        let at = i;
        let mut values = [0; 2];
        let (i, seen) = self.fields(i, NAMES, |_, index, i| {
            let (i, value) = int64(i)?;
            values[index] = value;
            Ok((i, ()))
        })?;
        Self::all_fields(at, NAMES, seen, NAMES.len())?;
        Ok((i, self.module.intern_attr(Attribute::ChannelHandle { handle: values[0], ty: values[1] })))
    }

    /// `<4, ?>`
    fn bounds(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (mut i, ()) = punct!(i, "<")?;
        let mut bounds = Dims::new();
        while peek(i) != b'>' {
            let (rest, bound) = int64_or_dynamic(i)?;
            bounds.push(bound);
            i = rest;
            match accept(i, ",") {
                Some(rest) => i = rest,
                None => break,
            }
        }
        let (i, ()) = punct!(i, ">")?;
        Ok((i, self.module.intern_attr(Attribute::Bounds(bounds))))
    }

    /// `<bounds = [4, ?]>`, the long form of bounds.
    fn type_extensions(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, ()) = keyword!(i, "bounds")?;
        let (i, ()) = punct!(i, "=")?;
        let (i, bounds) = self.i64_list_with_dynamic(i)?;
        let (i, ()) = punct!(i, ">")?;
        Ok((i, self.module.intern_attr(Attribute::Bounds(bounds))))
    }

    fn result_accuracy(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &["mode", "atol", "rtol", "ulps"];
        let at = i;
        let mut accuracy =
            ResultAccuracy { atol: F64::new(0.0), rtol: F64::new(0.0), ulps: 0, mode: ResultAccuracyMode::Default };
        let (i, seen) = self.fields(i, NAMES, |parser, index, mut i| {
            match index {
                0 => (i, accuracy.mode) = parser.result_accuracy_mode(i)?,
                1 | 2 => {
                    let (rest, value) = f64_literal(i)?;
                    *if index == 1 { &mut accuracy.atol } else { &mut accuracy.rtol } = F64::new(value);
                    i = rest;
                }
                _ => (i, accuracy.ulps) = int64(i)?,
            }
            Ok((i, ()))
        })?;
        Self::all_fields(at, NAMES, seen, 1)?;
        Ok((i, self.module.intern_attr(Attribute::ResultAccuracy(accuracy))))
    }

    fn result_accuracy_mode(&mut self, i: Input<'s>) -> PResult<'s, ResultAccuracyMode> {
        let at = i;
        let (i, attr) = match peek(i) {
            b'#' => self.attribute(i)?,
            _ => self.enum_word(i, EnumKind::ResultAccuracyMode)?,
        };
        match self.module.attr(attr) {
            Attribute::Enum(EnumValue::ResultAccuracyMode(mode)) => Ok((i, *mode)),
            _ => Err(fault(at, "parse/expected-attribute", "expected a result_accuracy_mode")),
        }
    }
}

/// One of the three lists of convolution-dimensions: positions of the two named dimensions, and of the spatial ones.
fn convolution_dims(i: Input<'_>, names: [u8; 2]) -> PResult<'_, ([i64; 2], Dims)> {
    const CODE: &str = "parse/convolution-dimensions";
    let start = skip(i);
    let (mut i, ()) = punct!(i, "[")?;
    let mut named = [None; 2];
    // Dimension and position; positions are below the number of items.
    let mut spatial: SmallVec<[(i64, i64); 6]> = SmallVec::new();
    let mut position = 0;
    loop {
        let at = skip(i);
        if let Some((rest, digits)) = accept_digits(at) {
            let dim =
                std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<i64>().ok()).unwrap_or(i64::MAX);
            spatial.push((dim, position));
            i = rest;
        } else if let Some(rest) = accept(at, "?") {
            i = rest;
        } else {
            let (rest, word) = lexical::bare_id(at)?;
            let which = match word {
                [letter] => names.iter().position(|name| name == letter),
                _ => None,
            };
            match which {
                Some(which) if named[which].is_none() => named[which] = Some(position),
                _ => {
                    let message = format!(
                        "unexpected dimension {}, expecting {} or {}",
                        String::from_utf8_lossy(word),
                        names[0] as char,
                        names[1] as char
                    );
                    return Err(fault(at, CODE, message));
                }
            }
            i = rest;
        }
        position += 1;
        match accept(i, ",") {
            Some(rest) => i = rest,
            None => break,
        }
    }
    let [Some(first), Some(second)] = named else {
        let missing = names[usize::from(named[0].is_some())] as char;
        return Err(fault(start, CODE, format!("expected dimension {missing} not specified")));
    };
    let (i, ()) = punct!(i, "]")?;
    spatial.sort_unstable();
    for (index, (dim, _)) in spatial.iter().enumerate() {
        if *dim != index as i64 {
            let message = match *dim < index as i64 {
                true => format!("duplicate entries for spatial dimension {dim}"),
                false => format!("expected spatial dimension {index} not specified"),
            };
            return Err(fault(start, CODE, message));
        }
    }
    Ok((i, ([first, second], spatial.iter().map(|(_, position)| *position).collect())))
}
