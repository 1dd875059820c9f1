//! Attributes of the StableHLO and CHLO dialects.

use super::Printer;
use super::write::{push_dimension, push_i64, push_i64_list, push_string};
use crate::element::{FloatFormat, print_float};
use crate::ir::{
    AttrId, Attribute, ConvDimensionNumbers, DotAlgorithm, EnumKind, EnumValue, NameId, OutputOperandAlias,
    ResultAccuracy,
};

/// Fields of an attribute like `#stablehlo.gather<…>`, of which only those that say something are written.
enum Field<'a> {
    List(&'static str, &'a [i64]),
    Number(&'static str, i64),
}

impl Printer<'_> {
    /// An attribute of one of the dialects.
    pub(super) fn dialect_attribute(&mut self, attr: &Attribute) {
        match attr {
            Attribute::Enum(value) => self.enum_attribute(*value),
            Attribute::DotDimensionNumbers(dims) => self.fields(
                "#stablehlo.dot<",
                &[
                    Field::List("lhs_batching_dimensions", &dims.lhs_batching_dimensions),
                    Field::List("rhs_batching_dimensions", &dims.rhs_batching_dimensions),
                    Field::List("lhs_contracting_dimensions", &dims.lhs_contracting_dimensions),
                    Field::List("rhs_contracting_dimensions", &dims.rhs_contracting_dimensions),
                ],
            ),
            Attribute::RaggedDotDimensionNumbers(dims) => self.fields(
                "#chlo.ragged_dot<",
                &[
                    Field::List("lhs_batching_dimensions", &dims.lhs_batching_dimensions),
                    Field::List("rhs_batching_dimensions", &dims.rhs_batching_dimensions),
                    Field::List("lhs_contracting_dimensions", &dims.lhs_contracting_dimensions),
                    Field::List("rhs_contracting_dimensions", &dims.rhs_contracting_dimensions),
                    Field::List("lhs_ragged_dimensions", &dims.lhs_ragged_dimensions),
                    Field::List("rhs_group_dimensions", &dims.rhs_group_dimensions),
                ],
            ),
            Attribute::GatherDimensionNumbers(dims) => self.fields(
                "#stablehlo.gather<",
                &[
                    Field::List("offset_dims", &dims.offset_dims),
                    Field::List("collapsed_slice_dims", &dims.collapsed_slice_dims),
                    Field::List("operand_batching_dims", &dims.operand_batching_dims),
                    Field::List("start_indices_batching_dims", &dims.start_indices_batching_dims),
                    Field::List("start_index_map", &dims.start_index_map),
                    Field::Number("index_vector_dim", dims.index_vector_dim),
                ],
            ),
            Attribute::ScatterDimensionNumbers(dims) => self.fields(
                "#stablehlo.scatter<",
                &[
                    Field::List("update_window_dims", &dims.update_window_dims),
                    Field::List("inserted_window_dims", &dims.inserted_window_dims),
                    Field::List("input_batching_dims", &dims.input_batching_dims),
                    Field::List("scatter_indices_batching_dims", &dims.scatter_indices_batching_dims),
                    Field::List("scatter_dims_to_operand_dims", &dims.scatter_dims_to_operand_dims),
                    Field::Number("index_vector_dim", dims.index_vector_dim),
                ],
            ),
            Attribute::ConvDimensionNumbers(dims) => {
                self.out.push_str("#stablehlo.conv<");
                self.conv_dimension_numbers(dims);
                self.out.push('>');
            }
            Attribute::DotAlgorithm(algorithm) => {
                self.out.push_str("#stablehlo.dot_algorithm");
                self.dot_algorithm(algorithm);
            }
            Attribute::OutputOperandAlias(alias) => self.output_operand_alias(alias),
            Attribute::ChannelHandle { handle, ty } => {
                self.out.push_str("#stablehlo.channel_handle<handle = ");
                push_i64(&mut self.out, *handle);
                self.out.push_str(", type = ");
                push_i64(&mut self.out, *ty);
                self.out.push('>');
            }
            Attribute::Bounds(bounds) => {
                self.out.push_str("#stablehlo.bounds<");
                for (index, bound) in bounds.iter().enumerate() {
                    self.out.push_str(if index > 0 { ", " } else { "" });
                    push_dimension(&mut self.out, *bound);
                }
                self.out.push('>');
            }
            Attribute::ResultAccuracy(accuracy) => self.result_accuracy(accuracy),
            _ => self.mesh_attribute(attr),
        }
    }

    /// Attributes that name devices by mesh axes.
    fn mesh_attribute(&mut self, attr: &Attribute) {
        match attr {
            Attribute::SubAxisInfo { pre_size, size } => {
                self.out.push_str("#stablehlo<sub_axis_info");
                self.sub_axis_info(*pre_size, *size);
                self.out.push('>');
            }
            Attribute::AxisRef { name, sub_axis_info } => {
                self.out.push_str("#stablehlo.axis_ref");
                self.axis_ref(*name, *sub_axis_info);
            }
            Attribute::MeshAxis { name, size } => {
                self.out.push_str("#stablehlo.mesh_axis");
                self.mesh_axis(*name, *size);
            }
            Attribute::Mesh { axes, device_ids } => self.mesh(axes, *device_ids),
            Attribute::ReplicaGroupMeshAxes { mesh, axes } => {
                self.out.push_str("#stablehlo.replica_group_mesh_axes<mesh = ");
                self.attr(*mesh);
                self.out.push_str(", axes = ");
                self.attr(*axes);
                self.out.push('>');
            }
            // All other attributes are builtin ones, written by `attr_in_full`.
            _ => {}
        }
    }

    /// `open` the fields that say something `>`
    fn fields(&mut self, open: &str, fields: &[Field<'_>]) {
        self.out.push_str(open);
        let mut separator = "";
        for field in fields {
            match field {
                Field::List(_, []) | Field::Number(_, 0) => continue,
                Field::List(name, values) => {
                    self.out.extend([separator, name, " = ["]);
                    push_i64_list(&mut self.out, values);
                    self.out.push(']');
                }
                Field::Number(name, value) => {
                    self.out.extend([separator, name, " = "]);
                    push_i64(&mut self.out, *value);
                }
            }
            separator = ", ";
        }
        self.out.push('>');
    }

    fn enum_attribute(&mut self, value: EnumValue) {
        let (dialect, mnemonic) = value.kind().mnemonic();
        let word = value.word();
        match value.kind() {
            EnumKind::ResultAccuracyMode => self.out.extend(["#", dialect, ".", mnemonic, "<", word, ">"]),
            _ => self.out.extend(["#", dialect, "<", mnemonic, " ", word, ">"]),
        }
    }

    /// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, or the raw form when the numbers do not name every dimension once.
    pub fn conv_dimension_numbers(&mut self, dims: &ConvDimensionNumbers) {
        let input = layout(
            &dims.input_spatial_dimensions,
            [(dims.input_batch_dimension, "b"), (dims.input_feature_dimension, "f")],
        );
        let kernel = layout(
            &dims.kernel_spatial_dimensions,
            [(dims.kernel_input_feature_dimension, "i"), (dims.kernel_output_feature_dimension, "o")],
        );
        let output = layout(
            &dims.output_spatial_dimensions,
            [(dims.output_batch_dimension, "b"), (dims.output_feature_dimension, "f")],
        );
        match (input, kernel, output) {
            (Some(input), Some(kernel), Some(output)) => {
                self.out.extend(["[", &input, "]x[", &kernel, "]->[", &output, "]"]);
            }
            _ => self.raw_conv_dimension_numbers(dims),
        }
    }

    fn raw_conv_dimension_numbers(&mut self, dims: &ConvDimensionNumbers) {
        self.named_number("raw input_batch_dimension", dims.input_batch_dimension);
        self.named_number(", input_feature_dimension", dims.input_feature_dimension);
        self.named_list(", input_spatial_dimensions", &dims.input_spatial_dimensions);
        self.named_number(", kernel_input_feature_dimension", dims.kernel_input_feature_dimension);
        self.named_number(", kernel_output_feature_dimension", dims.kernel_output_feature_dimension);
        self.named_list(", kernel_spatial_dimensions", &dims.kernel_spatial_dimensions);
        self.named_number(", output_batch_dimension", dims.output_batch_dimension);
        self.named_number(", output_feature_dimension", dims.output_feature_dimension);
        self.named_list(", output_spatial_dimensions", &dims.output_spatial_dimensions);
    }

    fn named_number(&mut self, name: &str, value: i64) {
        self.out.extend([name, " = "]);
        push_i64(&mut self.out, value);
    }

    fn named_list(&mut self, name: &str, values: &[i64]) {
        self.out.extend([name, " = ["]);
        push_i64_list(&mut self.out, values);
        self.out.push(']');
    }

    /// `<lhs_precision_type = tf32, …>`
    pub fn dot_algorithm(&mut self, algorithm: &DotAlgorithm) {
        self.out.push_str("<lhs_precision_type = ");
        self.ty(algorithm.lhs_precision_type);
        self.out.push_str(", rhs_precision_type = ");
        self.ty(algorithm.rhs_precision_type);
        self.out.push_str(", accumulation_type = ");
        self.ty(algorithm.accumulation_type);
        for (name, value) in [
            ("lhs_component_count", algorithm.lhs_component_count),
            ("rhs_component_count", algorithm.rhs_component_count),
            ("num_primitive_operations", algorithm.num_primitive_operations),
        ] {
            self.out.extend([", ", name, " = "]);
            push_i64(&mut self.out, value);
        }
        self.out.push_str(", allow_imprecise_accumulation = ");
        self.out.push_str(if algorithm.allow_imprecise_accumulation { "true>" } else { "false>" });
    }

    fn output_operand_alias(&mut self, alias: &OutputOperandAlias) {
        self.named_list("#stablehlo.output_operand_alias<output_tuple_indices", &alias.output_tuple_indices);
        self.out.push_str(", operand_index = ");
        push_i64(&mut self.out, alias.operand_index);
        self.named_list(", operand_tuple_indices", &alias.operand_tuple_indices);
        self.out.push('>');
    }

    /// `#stablehlo.result_accuracy<…>`; zero fields are left out.
    fn result_accuracy(&mut self, accuracy: &ResultAccuracy) {
        self.out.push_str("#stablehlo.result_accuracy<");
        for (name, value) in [("atol = ", accuracy.atol.get()), ("rtol = ", accuracy.rtol.get())] {
            if value != 0.0 {
                self.out.push_str(name);
                print_float(u128::from(value.to_bits()), &FloatFormat::F64, &mut self.out);
                self.out.push_str(", ");
            }
        }
        if accuracy.ulps != 0 {
            self.out.push_str("ulps = ");
            push_i64(&mut self.out, accuracy.ulps);
            self.out.push_str(", ");
        }
        self.out.push_str("mode = ");
        self.enum_attribute(accuracy.mode.into());
        self.out.push('>');
    }

    /// `(1)2`
    fn sub_axis_info(&mut self, pre_size: i64, size: i64) {
        self.out.push('(');
        push_i64(&mut self.out, pre_size);
        self.out.push(')');
        push_i64(&mut self.out, size);
    }

    /// `<name = "x", sub_axis_info = (1)2>`
    fn axis_ref(&mut self, name: NameId, sub_axis_info: Option<AttrId>) {
        self.out.push_str("<name = ");
        push_string(&mut self.out, self.module.str(name).as_bytes());
        if let Some(info) = sub_axis_info {
            self.out.push_str(", sub_axis_info = ");
            match *self.module.attr(info) {
                Attribute::SubAxisInfo { pre_size, size } => self.sub_axis_info(pre_size, size),
                _ => self.attr(info),
            }
        }
        self.out.push('>');
    }

    /// `<name = "x", size = 2>`
    fn mesh_axis(&mut self, name: NameId, size: i64) {
        self.out.push_str("<name = ");
        push_string(&mut self.out, self.module.str(name).as_bytes());
        self.out.push_str(", size = ");
        push_i64(&mut self.out, size);
        self.out.push('>');
    }

    /// `#stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<…> : T>`
    fn mesh(&mut self, axes: &[AttrId], device_ids: Option<AttrId>) {
        self.out.push_str("#stablehlo.mesh<axes=[");
        for (index, axis) in axes.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            match *self.module.attr(*axis) {
                Attribute::MeshAxis { name, size } => self.mesh_axis(name, size),
                _ => self.attr(*axis),
            }
        }
        self.out.push(']');
        if let Some(device_ids) = device_ids {
            self.out.push_str(", device_ids=");
            self.attr(device_ids);
        }
        self.out.push('>');
    }
}

/// The dimensions in order: `b, 0, 1, f`; none unless every dimension is named exactly once.
fn layout(spatial: &[i64], others: [(i64, &str); 2]) -> Option<String> {
    let mut names = vec![String::new(); spatial.len() + others.len()];
    let spatial = spatial.iter().enumerate().map(|(index, dim)| (*dim, index.to_string()));
    for (dim, name) in spatial.chain(others.map(|(dim, name)| (dim, name.to_owned()))) {
        let slot = names.get_mut(usize::try_from(dim).ok()?)?;
        if !slot.is_empty() {
            return None;
        }
        *slot = name;
    }
    Some(names.join(", "))
}
