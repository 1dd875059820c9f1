//! `convolution`: products of windows with a kernel, as products of matrices that are read in place.
//!
//! The input is first copied to where padding and the zeros of dilation are written out (unless there are none); after that
//! the elements of windows lie at fixed distances, and windows by kernel is a product whose left lines are windows and
//! whose contracting dimension runs over places and features. Where neighbours in the result are places instead of
//! features, the kernel is on the left and windows on the right.

mod depthwise;
mod holes;
mod padding;
mod phases;
mod winograd;

use stablehlo::element::ElementType;
use stablehlo::ir::Precision;
use stablehlo::ops::stablehlo::convolution::Convolution;

use self::holes::Holes;
use self::padding::{Padding, PaddingDim};
use self::phases::{Frame, phases};
use self::winograd::{Shape, Winograd};
use super::contraction::{Form, last, then, through};
use super::dot_general::{Axes, is_few, places, shifted, side};
use super::fused::Loop;
use super::gemm::choose::{Source, Target, product};
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::{Materialize, StridedCopy};
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::{BodyLowering, View, row_major};
use crate::quantized::is_in_order;

/// How many times the size of operands and result the padded input may have.
const MAX_GROWTH: usize = 16;
/// Bytes of padded input that are always fine.
const SMALL: usize = 1 << 24;

/// Windows along one spatial dimension.
#[derive(Copy, Clone, Debug)]
struct Window {
    n_windows: usize,
    size: usize,
    stride: usize,
    dilation: usize,
    base_dilation: usize,
    low: i64,
}

/// A convolution after padding.
#[derive(Debug)]
struct Padded {
    kernel: SlotId,
    padding: Option<Padding>,
    products: Vec<Box<dyn Kernel>>,
    /// What products leave out.
    holes: Option<Holes>,
    /// What is tried first.
    winograd: Option<Winograd>,
}

impl Kernel for Padded {
    fn run(&self, memory: &Memory, pool: &Pool) {
        if self.winograd.as_ref().is_some_and(|winograd| winograd.run(memory, pool)) {
            return;
        }
        if let Some(padding) = &self.padding {
            padding.run(memory, pool);
        }
        self.products.iter().for_each(|product| product.run(memory, pool));
        if let Some(holes) = &self.holes {
            holes.run(memory);
        }
    }

    fn packs(&self) -> Option<(SlotId, usize)> {
        match (&self.winograd, &self.products[..]) {
            (Some(winograd), _) => winograd.packs(),
            // What is on the right is the kernel, or the input.
            (None, [product]) => product.packs().filter(|(operand, _)| *operand == self.kernel),
            _ => None,
        }
    }

    fn packed(&mut self, slot: SlotId) -> Option<Box<dyn Kernel>> {
        match (&mut self.winograd, &mut self.products[..]) {
            (Some(winograd), _) => Some(winograd.packed(slot)),
            (None, [product]) => product.packed(slot),
            _ => None,
        }
    }

    fn finishes(&self) -> Option<SlotId> {
        // Results of one product only, whole when that has been done.
        let [product] = &self.products[..] else { return None };
        product.finishes().filter(|_| self.holes.is_none())
    }

    fn followed_by(&mut self, after: &Loop, to: SlotId) -> bool {
        let [product] = &mut self.products[..] else { return false };
        let can = self.winograd.as_mut().is_none_or(|winograd| winograd.followed_by(after, to));
        can && product.followed_by(after, to)
    }

    fn describe(&self) -> String {
        if let Some(winograd) = &self.winograd {
            return format!("convolution, {}", winograd.describe());
        }
        let padding = self.padding.as_ref().map_or(String::new(), |padding| format!(", {}", padding.describe()));
        let products: Vec<String> = self.products.iter().map(|product| product.describe()).collect();
        format!("convolution{padding}, {}", products.join(", "))
    }
}

/// The attribute `padding`, low and high for each dimension; empty when it is absent.
fn padding_of(cx: &BodyLowering<'_, '_, '_>, node: &Node) -> Option<Vec<i64>> {
    let module = cx.graph().module;
    let Some(attr) = module.property(node.op, "padding") else { return Some(Vec::new()) };
    Some(interpreter::Tensor::from(&stablehlo::ir::Literal::from_attr(module, attr)?).saturated_integers())
}

fn size(dim: i64) -> Option<usize> {
    usize::try_from(dim).ok()
}

/// Plans `convolution`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let module = cx.graph().module;
    let op = Convolution::new(module, node.op);
    let value = Val::Node(index, 0);
    let types = [cx.ty(node.operands[0]), cx.ty(node.operands[1]), cx.ty(value)];
    if types.iter().any(|ty| module.quantized(ty.ty).is_some() || ty.is_empty()) {
        return None;
    }
    let [lhs_element, rhs_element, result_element] = [types[0].element?, types[1].element?, types[2].element?];
    let numbers = op.dimension_numbers();
    let n_groups = size(op.feature_group_count())?;
    let n_batch_groups = size(op.batch_group_count())?;
    let group = *types[1].shape.get(size(numbers.kernel_input_feature_dimension)?)?;
    let n_features = *types[1].shape.get(size(numbers.kernel_output_feature_dimension)?)?;
    // Small groups are summed by a kernel of their own, in f32 or f64, with features beside each other.
    let has_groups = n_batch_groups == 1
        && !is_in_order(module, node.op)
        && depthwise::has_groups(cx.isa(), n_groups, group, n_features);
    let mut form = Form::new(lhs_element, rhs_element, result_element)?;
    if has_groups && form.sums.is_float() && form.sums != ElementType::F64 {
        form = Form::in_f32([lhs_element, rhs_element], result_element);
    }
    let elements = [last(&form.operands[0], lhs_element), last(&form.operands[1], rhs_element), form.sums];
    let (mut lhs_slot, mut lhs) = cx.computed(node.op, node.operands[0], &form.operands[0])?;
    let (rhs_slot, rhs) = cx.computed(node.op, node.operands[1], &form.operands[1])?;
    let features_last = |batch: i64, spatial: &[i64], feature: i64| {
        std::iter::once(batch).chain(spatial.iter().copied()).chain([feature]).map(size).collect::<Option<Vec<usize>>>()
    };
    let is_grouped = has_groups && form.sums.is_float();
    if is_grouped && lhs.strides.get(size(numbers.input_feature_dimension)?) != Some(&1) {
        let order = features_last(
            numbers.input_batch_dimension,
            &numbers.input_spatial_dimensions,
            numbers.input_feature_dimension,
        )?;
        (lhs_slot, lhs) = cx.reordered(node.op, (lhs_slot, lhs), &order, elements[0].byte_width());
    }
    let mut result = View::whole(value, &types[2].shape);
    let axis = |view: &View, dim: i64| Some((*view.shape.get(size(dim)?)?, *view.strides.get(size(dim)?)?));
    let axes = |view: &View, dims: &[i64]| dims.iter().map(|dim| axis(view, *dim)).collect::<Option<Axes>>();
    // Neighbours in the result are features, or places; where they are not, it is turned at the end.
    let is_places = |axes: &[(usize, isize)]| places(axes).iter().enumerate().all(|(at, place)| at as isize == *place);
    let by_features = |result: &View| {
        let feature = axis(result, numbers.output_feature_dimension)?;
        Some(feature.1 == 1 || feature.0 == 1)
    };
    let out_spatial = axes(&result, &numbers.output_spatial_dimensions)?;
    if !is_few(out_spatial.iter().map(|(size, _)| *size)) {
        return None;
    }
    let is_turned = !by_features(&result)? && (is_grouped || !is_places(&out_spatial));
    if is_turned {
        let order = features_last(
            numbers.output_batch_dimension,
            &numbers.output_spatial_dimensions,
            numbers.output_feature_dimension,
        )?;
        let sizes: Vec<usize> = order.iter().map(|dim| result.shape[*dim]).collect();
        order.iter().zip(row_major(&sizes)).for_each(|(dim, stride)| result.strides[*dim] = stride);
    }
    let by_features = by_features(&result)?;
    let out_spatial = axes(&result, &numbers.output_spatial_dimensions)?;
    let mut kernel_spatial = axes(&rhs, &numbers.kernel_spatial_dimensions)?;
    let in_spatial = axes(&lhs, &numbers.input_spatial_dimensions)?;
    let mut kernel_start = 0;
    for ((size, stride), reversed) in kernel_spatial.iter_mut().zip(op.window_reversal().unwrap_or(&[])) {
        if *reversed {
            kernel_start += (*size as isize - 1) * *stride;
            *stride = -*stride;
        }
    }
    let padding = padding_of(cx, node)?;
    let at = |list: Option<&[i64]>, dim: usize| list.and_then(|list| list.get(dim)).map_or(Some(1), |n| size(*n));
    let windows = (0..out_spatial.len()).map(|dim| {
        Some(Window {
            n_windows: out_spatial[dim].0,
            size: kernel_spatial[dim].0,
            stride: at(op.window_strides(), dim)?,
            dilation: at(op.rhs_dilation(), dim)?,
            base_dilation: at(op.lhs_dilation(), dim)?,
            low: padding.get(2 * dim).copied().unwrap_or(0),
        })
    });
    let windows = windows.collect::<Option<Vec<Window>>>()?;
    let conv = Parts {
        batch: axis(&lhs, numbers.input_batch_dimension)?,
        feature: axis(&lhs, numbers.input_feature_dimension)?,
        in_spatial,
        kernel_in: axis(&rhs, numbers.kernel_input_feature_dimension)?,
        kernel_out: axis(&rhs, numbers.kernel_output_feature_dimension)?,
        kernel_spatial,
        out_batch: axis(&result, numbers.output_batch_dimension)?,
        out_feature: axis(&result, numbers.output_feature_dimension)?,
        out_spatial,
        windows,
        n_groups,
        n_batch_groups,
        in_order: is_in_order(module, node.op),
    };
    let sizes = |axes: &Axes| axes.iter().map(|(size, _)| *size).collect::<Vec<_>>();
    let n_windows = sizes(&conv.out_spatial).into_iter().chain([conv.out_batch.0, n_groups, n_batch_groups]);
    let n_places = sizes(&conv.kernel_spatial).into_iter().chain([conv.kernel_in.0]);
    if !is_few(n_windows) || !is_few(n_places) || !is_few([conv.kernel_out.0]) {
        return None;
    }
    let (frames, phases) = phases(&conv, by_features)?;
    let (input, slot, offset, padding) = conv.padded(cx, lhs_slot, &lhs, &frames, by_features, elements[0])?;
    let reads = vec![lhs_slot, rhs_slot];
    let n_bytes = |element: ElementType| types[2].len() * element.byte_width();
    let made = match form.result.is_empty() && !is_turned {
        true => cx.output(value),
        false => cx.scratch(n_bytes(form.sums)),
    };
    let mut writes = vec![made];
    if padding.is_some() {
        writes.push(slot);
    }
    let isa = cx.isa();
    let products = phases.iter().map(|phase| {
        let start: isize = phase.starts.iter().zip(&input.spatial).map(|(start, stride)| start * stride).sum();
        let lhs = Placed { slot, element: elements[0], start: offset + start };
        let rhs =
            Placed { slot: rhs_slot, element: elements[1], start: rhs.offset + kernel_start + phase.kernel_start };
        let target = Placed { slot: writes[0], element: elements[2], start: phase.result_start };
        let depthwise = (by_features && n_batch_groups == 1 && !conv.in_order)
            .then(|| depthwise::plan(isa, &phase.parts, &input, lhs, rhs, target))
            .flatten();
        depthwise.or_else(|| phase.parts.product(&input, lhs, rhs, target, by_features, isa))
    });
    let products = products.collect::<Option<Vec<_>>>()?;
    let kernel = Placed { slot: rhs_slot, element: elements[1], start: rhs.offset + kernel_start };
    let placed = Placed { slot: writes[0], element: elements[2], start: 0 };
    let holes = Holes::new(&conv, &phases, kernel, placed);
    // Fewer multiplications have larger errors, which higher precisions forbid.
    let is_default = op.precision_config().unwrap_or_default().iter().all(|precision| *precision == Precision::Default);
    let is_float = elements == [ElementType::F32; 3];
    let operand = Placed { slot: lhs_slot, element: elements[0], start: lhs.offset };
    let winograd =
        (is_default && is_float && !conv.in_order).then(|| conv.winograd(cx, operand, kernel, placed)).flatten();
    writes.extend(winograd.iter().flat_map(Winograd::scratch));
    let mut planned: Planned =
        (Box::new(Padded { kernel: rhs_slot, padding, products, holes, winograd }), reads, writes);
    let mut stands = made;
    if !form.result.is_empty() {
        let to = if is_turned { cx.scratch(n_bytes(result_element)) } else { cx.output(value) };
        let after = cx.computing(types[2].len(), made, &form.result, to)?;
        planned = through(planned, made, after, to);
        stands = to;
    }
    if is_turned {
        let (to, shape) = (cx.output(value), &types[2].shape);
        let copy = StridedCopy::new(shape, &result.strides, &row_major(shape), result_element.byte_width(), isa);
        planned = then(planned, Box::new(Materialize { copy, from: stands, offset: 0, to }), to);
    }
    Some(planned)
}

/// Sizes and strides by role.
#[derive(Clone, Debug)]
struct Parts {
    batch: (usize, isize),
    feature: (usize, isize),
    in_spatial: Axes,
    kernel_in: (usize, isize),
    kernel_out: (usize, isize),
    kernel_spatial: Axes,
    out_batch: (usize, isize),
    out_feature: (usize, isize),
    out_spatial: Axes,
    windows: Vec<Window>,
    n_groups: usize,
    n_batch_groups: usize,
    /// Whether products are to be summed in the order of the places, of each its features.
    in_order: bool,
}

/// Strides of the input, padded or not.
#[derive(Debug)]
struct Input {
    batch: isize,
    feature: isize,
    spatial: Vec<isize>,
}

/// A slot, its type, and where in it a value begins.
#[derive(Copy, Clone, Debug)]
struct Placed {
    slot: SlotId,
    element: ElementType,
    start: isize,
}

impl Parts {
    /// The input with padding written out: its strides, slot and start, and what writes it.
    fn padded(
        &self,
        cx: &mut BodyLowering<'_, '_, '_>,
        slot: SlotId,
        view: &View,
        frames: &[Frame],
        by_features: bool,
        element: ElementType,
    ) -> Option<(Input, SlotId, isize, Option<Padding>)> {
        let width = element.byte_width();
        let is_inside = frames
            .iter()
            .zip(&self.in_spatial)
            .all(|(frame, (n, _))| frame.low == 0 && frame.dilation == 1 && frame.extent <= *n);
        if is_inside {
            let spatial = self.in_spatial.iter().map(|(_, stride)| *stride).collect();
            let input = Input { batch: self.batch.1, feature: self.feature.1, spatial };
            return Some((input, slot, view.offset, None));
        }
        let mut dims = vec![PaddingDim::plain(self.batch)];
        let spatial = frames.iter().zip(&self.in_spatial).map(|(frame, (n, stride))| PaddingDim {
            size: frame.extent,
            low: frame.low,
            dilation: frame.dilation,
            from: *n,
            stride: *stride,
        });
        let at_feature = if by_features { dims.len() + frames.len() } else { dims.len() };
        dims.extend(spatial);
        dims.insert(at_feature, PaddingDim::plain(self.feature));
        let sizes: Vec<usize> = dims.iter().map(|dim| dim.size).collect();
        let n = sizes.iter().try_fold(1usize, |n, size| n.checked_mul(*size))?;
        let bytes = n.checked_mul(width).filter(|bytes| *bytes <= isize::MAX as usize)?;
        let n_results =
            self.out_batch.0 * self.out_feature.0 * self.out_spatial.iter().map(|(n, _)| n).product::<usize>();
        let given = (view.len() + n_results).saturating_mul(width);
        if bytes > given.saturating_mul(MAX_GROWTH).max(SMALL) {
            return None;
        }
        let mut strides = row_major(&sizes).to_vec();
        let batch = strides.remove(0);
        let feature = strides.remove(at_feature - 1);
        let to = cx.scratch(bytes);
        let padding = Padding { from: slot, offset: view.offset, to, width, dims };
        Some((Input { batch, feature, spatial: strides }, to, 0, Some(padding)))
    }

    /// The convolution in fewer multiplications, if it is one that can be.
    fn winograd(
        &self,
        cx: &mut BodyLowering<'_, '_, '_>,
        input: Placed,
        kernel: Placed,
        result: Placed,
    ) -> Option<Winograd> {
        let is_plain =
            |window: &Window| (window.size, window.stride, window.dilation, window.base_dilation) == (3, 1, 1, 1);
        let ([rows, columns], [y, x], [kernel_y, kernel_x], [out_y, out_x]) =
            (&self.windows[..], &self.in_spatial[..], &self.kernel_spatial[..], &self.out_spatial[..])
        else {
            return None;
        };
        if self.n_groups * self.n_batch_groups != 1 || !is_plain(rows) || !is_plain(columns) {
            return None;
        }
        let mut shape = Shape {
            starts: [input.start, kernel.start, result.start],
            n_batches: self.batch.0,
            batch: [self.batch.1, self.out_batch.1],
            input: [*y, *x],
            low: [rows.low, columns.low],
            n_in: self.kernel_in.0,
            n_out: self.kernel_out.0,
            kernel: [kernel_y.1, kernel_x.1, self.kernel_in.1, self.kernel_out.1],
            result: [*out_y, *out_x],
        };
        let (isa, width) = (cx.isa(), input.element.byte_width());
        if !Winograd::is_worth(isa, &shape) {
            return None;
        }
        let mut slots = [input.slot, kernel.slot, result.slot];
        let mut copies = [None, None];
        // The order of a batch, two spatial dimensions and features, as they are and with features last.
        let sizes = [shape.n_batches, y.0, x.0, shape.n_in];
        if self.feature.1 != 1 {
            let (from, to) = ([self.batch.1, y.1, x.1, self.feature.1], row_major(&sizes));
            slots[0] = cx.scratch(sizes.iter().product::<usize>() * width);
            let copy = StridedCopy::new(&sizes, &from, &to, width, isa);
            let offset = input.start * width as isize;
            copies[0] = Some(Materialize { copy, from: input.slot, offset, to: slots[0] });
            (shape.starts[0], shape.batch[0]) = (0, to[0]);
            shape.input = [(y.0, to[1]), (x.0, to[2])];
        }
        let sizes = [shape.n_batches, out_y.0, out_x.0, shape.n_out];
        if self.out_feature.1 != 1 {
            let from = row_major(&sizes);
            slots[2] = cx.scratch(sizes.iter().product::<usize>() * width);
            (shape.starts[2], shape.batch[1]) = (0, from[0]);
            shape.result = [(out_y.0, from[1]), (out_x.0, from[2])];
            let to = [self.out_batch.1, out_y.1, out_x.1, self.out_feature.1];
            // In the order of what is written.
            let mut order = [0, 1, 2, 3];
            order.sort_by_key(|dim| -to[*dim]);
            let copy = StridedCopy::new(
                &order.map(|dim| sizes[dim]),
                &order.map(|dim| from[dim]),
                &order.map(|dim| to[dim]),
                width,
                isa,
            );
            copies[1] = Some(Materialize { copy, from: slots[2], offset: 0, to: result.slot });
        }
        Winograd::new(isa, slots, shape, copies, |bytes| cx.scratch(bytes))
    }

    /// The axes of the places of a window in the input.
    fn places(&self, input: &Input) -> Axes {
        let windows = self.windows.iter().zip(&input.spatial);
        windows.map(|(window, stride)| (window.size, (window.dilation as isize).wrapping_mul(*stride))).collect()
    }

    /// The axes of windows in the input.
    fn window_axes(&self, input: &Input) -> Axes {
        let windows = self.windows.iter().zip(&input.spatial);
        windows.map(|(window, stride)| (window.n_windows, (window.stride as isize).wrapping_mul(*stride))).collect()
    }

    /// The convolution as a product.
    fn product(
        &self,
        input: &Input,
        lhs: Placed,
        rhs: Placed,
        result: Placed,
        by_features: bool,
        isa: super::isa::Isa,
    ) -> Option<Box<dyn Kernel>> {
        let n_in = self.kernel_in.0;
        // Groups are of features, or of the batch; there is one of the one kind.
        let n_groups = self.n_groups * self.n_batch_groups;
        let n_out = self.kernel_out.0.checked_div(n_groups)?;
        let n_batch = self.batch.0.checked_div(self.n_batch_groups)?;
        let feature = (n_in, input.feature);
        let group_in = match self.n_batch_groups {
            1 => (n_groups, n_in as isize * input.feature),
            _ => (n_groups, n_batch as isize * input.batch),
        };
        let group_out = (n_groups, n_out as isize * self.kernel_out.1);
        let group_result = (n_groups, n_out as isize * self.out_feature.1);
        let order = |places: Axes, feature: (usize, isize)| {
            let mut axes = places;
            axes.insert(if by_features || self.in_order { axes.len() } else { 0 }, feature);
            axes
        };
        let contracting_in = order(self.places(input), feature);
        let contracting_kernel = order(self.kernel_spatial.clone(), self.kernel_in);
        let k = contracting_in.iter().map(|(size, _)| size).product();
        let batch = (n_batch, input.batch);
        let (mut windows, mut results) = (self.window_axes(input), self.out_spatial.clone());
        let (mut batches_in, mut batches_kernel, mut batches_result) =
            (vec![group_in], vec![group_out], vec![group_result]);
        if by_features {
            windows.insert(0, batch);
            results.insert(0, self.out_batch);
        } else {
            batches_in.insert(0, batch);
            batches_kernel.insert(0, (n_batch, 0));
            batches_result.insert(0, self.out_batch);
        }
        let lhs = Source {
            slot: lhs.slot,
            element: lhs.element,
            side: side(&windows, &contracting_in),
            batches: shifted(&places(&batches_in), lhs.start),
            factors: None,
        };
        let rhs = Source {
            slot: rhs.slot,
            element: rhs.element,
            side: side(&[(n_out, self.kernel_out.1)], &contracting_kernel),
            batches: shifted(&places(&batches_kernel), rhs.start),
            factors: None,
        };
        let rows = if by_features { places(&results) } else { places(&[(n_out, self.out_feature.1)]) };
        let batches = shifted(&places(&batches_result), result.start);
        let target = Target { slot: result.slot, element: result.element, batches, rows, in_order: self.in_order };
        if by_features { product(isa, k, lhs, rhs, target) } else { product(isa, k, rhs, lhs, target) }
    }
}
