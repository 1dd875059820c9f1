//! Attributes of the `stablehlo` dialect that describe meshes of devices.

use super::error::{PResult, expected, fault};
use super::lexical::{self, Input, accept, int64, peek};
use super::{Parser, punct};
use crate::ir::{AttrId, Attribute};

impl<'s> Parser<'s> {
    /// `(1)2`
    pub(super) fn sub_axis_info(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "(")?;
        let (i, pre_size) = int64(i)?;
        let (i, ()) = punct!(i, ")")?;
        let (i, size) = int64(i)?;
        Ok((i, self.module.intern_attr(Attribute::SubAxisInfo { pre_size, size })))
    }

    pub(super) fn axis_ref(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &["name", "sub_axis_info"];
        let at = i;
        let (mut name, mut sub_axis_info) = (None, None);
        let (i, seen) = self.fields(i, NAMES, |parser, index, i| match index {
            0 => {
                let (rest, text) = lexical::string_literal(i)?;
                name = Some(parser.name_of_bytes(i, &text)?);
                Ok((rest, ()))
            }
            _ => {
                let (rest, info) = match peek(i) {
                    b'#' => parser.attribute(i)?,
                    _ => parser.sub_axis_info(i)?,
                };
                sub_axis_info = Some(info);
                Ok((rest, ()))
            }
        })?;
        Self::all_fields(at, NAMES, seen, 1)?;
        let Some(name) = name else {
            return Err(expected(at, "parse/expected-string", "a name"));
        };
        Ok((i, self.module.intern_attr(Attribute::AxisRef { name, sub_axis_info })))
    }

    pub(super) fn mesh_axis(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &["name", "size"];
        let at = i;
        let (mut name, mut size) = (None, 0);
        let (i, seen) = self.fields(i, NAMES, |parser, index, mut i| {
            if index == 0 {
                let (rest, text) = lexical::string_literal(i)?;
                name = Some(parser.name_of_bytes(i, &text)?);
                i = rest;
            } else {
                (i, size) = int64(i)?;
            }
            Ok((i, ()))
        })?;
        Self::all_fields(at, NAMES, seen, NAMES.len())?;
        let Some(name) = name else {
            return Err(expected(at, "parse/expected-string", "a name"));
        };
        Ok((i, self.module.intern_attr(Attribute::MeshAxis { name, size })))
    }

    pub(super) fn mesh(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &["axes", "device_ids"];
        let at = i;
        let (mut axes, mut device_ids) = (Vec::new(), None);
        let (i, seen) = self.fields(i, NAMES, |parser, index, i| {
            if index == 1 {
                let (rest, attr) = parser.attribute(i)?;
                device_ids = Some(attr);
                return Ok((rest, ()));
            }
            let (mut i, ()) = punct!(i, "[")?;
            while peek(i) != b']' {
                let (rest, axis) = match peek(i) {
                    b'<' => parser.mesh_axis(i)?,
                    _ => parser.attribute(i)?,
                };
                axes.push(axis);
                i = rest;
                match accept(i, ",") {
                    Some(rest) => i = rest,
                    None => break,
                }
            }
            punct!(i, "]")
        })?;
        Self::all_fields(at, NAMES, seen, 1)?;
        Ok((i, self.module.intern_attr(Attribute::Mesh { axes: axes.into(), device_ids })))
    }

    pub(super) fn replica_group_mesh_axes(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        const NAMES: &[&str] = &["mesh", "axes"];
        let at = i;
        let mut parts = [None; 2];
        let (i, _) = self.fields(i, NAMES, |parser, index, i| {
            let (i, attr) = parser.attribute(i)?;
            parts[index] = Some(attr);
            Ok((i, ()))
        })?;
        let [Some(mesh), Some(axes)] = parts else {
            return Err(fault(at, "parse/missing-field", "both `mesh` and `axes` must be given"));
        };
        if !matches!(self.module.attr(axes), Attribute::Array(_)) {
            return Err(fault(at, "parse/expected-attribute", "expected an array of axes"));
        }
        Ok((i, self.module.intern_attr(Attribute::ReplicaGroupMeshAxes { mesh, axes })))
    }
}
