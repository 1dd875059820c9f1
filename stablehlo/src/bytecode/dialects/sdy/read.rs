//! From encodings to text.

use super::{FACTOR_KINDS, REDUCTIONS, code};
use crate::bytecode::dialects::unknown_code;
use crate::bytecode::error::Error;
use crate::bytecode::read::{Decoder, Stop};
use crate::ir::{AttrId, Attribute};
use crate::syntax::print::write::{push_i64, push_i64_list, push_string, push_symbol, push_u64};

/// Reads an attribute.
pub(in super::super) fn read_attr(code: u64, d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    let mut text = Text { out: String::new() };
    match code {
        code::MANUAL_AXES => text.manual_axes(d)?,
        code::MESH_AXIS => text.mesh_axis(d)?,
        code::MESH => text.mesh(d)?,
        code::SUB_AXIS_INFO => text.sub_axis_info(d)?,
        code::AXIS_REF => text.axis_ref(d)?,
        code::DIMENSION_SHARDING => text.dimension_sharding(d)?,
        code::SHARDING | code::SHARDING_2 | code::SHARDING_3 => text.sharding(code, d)?,
        code::SHARDING_PER_VALUE | code::SHARDING_PER_VALUE_2 => {
            text.out.push_str("sharding_per_value<");
            text.bracketed("[", "sharding", "]", d)?;
            text.out.push('>');
        }
        code::DIM_MAPPING => text.dim_mapping(d)?,
        code::TENSOR_MAPPING => text.bracketed("tensor_mapping[", "dim_mapping", "]", d)?,
        code::OP_SHARDING_RULE => text.op_sharding_rule(d)?,
        code::AXIS_REF_LIST => text.bracketed("axis_ref_list{", "axis_ref", "}", d)?,
        code::LIST_OF_AXIS_REF_LISTS => text.bracketed("list_of_axis_ref_lists[", "axis_ref_list", "]", d)?,
        code::ALL_TO_ALL_PARAM => text.all_to_all_param(d)?,
        code::ALL_TO_ALL_PARAM_LIST => text.bracketed("all_to_all_param_list[", "all_to_all_param", "]", d)?,
        _ => return Err(unknown_code("sdy", "attribute", code, d).into()),
    }
    d.complete()?;
    d.charge(text.out.len())?;
    Ok(Attribute::Opaque { dialect: d.module.name("sdy"), body: text.out.into(), ty: None })
}

/// The text of an attribute behind `#sdy.`, its mnemonic first. Parts stand in it without theirs.
struct Text {
    out: String,
}

impl Text {
    /// The text of a part, without its mnemonic.
    fn part(&mut self, attr: AttrId, mnemonic: &str, offset: u64, d: &Decoder<'_, '_>) -> Result<(), Error> {
        if let Attribute::Opaque { dialect, body, .. } = d.module.attr(attr)
            && d.module.str(*dialect) == "sdy"
            && let Some(text) = body.strip_prefix(mnemonic)
        {
            self.out.push_str(text);
            return Ok(());
        }
        Err(Error::new("bytecode/invalid-attribute", offset, format!("a part is not an `#sdy.{mnemonic}`")))
    }

    /// A list of parts between these texts.
    fn bracketed(&mut self, open: &str, mnemonic: &str, close: &str, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.out.push_str(open);
        self.parts(mnemonic, d)?;
        self.out.push_str(close);
        Ok(())
    }

    /// A list of parts; says whether there were any.
    fn parts(&mut self, mnemonic: &str, d: &mut Decoder<'_, '_>) -> Result<bool, Stop> {
        let offset = d.cursor.offset();
        let parts = d.attrs(mnemonic)?;
        d.complete()?;
        for (index, part) in parts.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            let start = self.out.len();
            self.part(*part, mnemonic, offset, d)?;
            d.charge(self.out.len() - start)?;
        }
        Ok(!parts.is_empty())
    }

    fn manual_axes(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        let offset = d.cursor.offset();
        let axes = d.attrs("a manual axis")?;
        d.complete()?;
        self.out.push_str("manual_axes{");
        for (index, axis) in axes.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            let Some(name) = d.module.string_bytes(*axis) else {
                return Err(Error::new("bytecode/expected-string", offset, "a manual axis is not a string").into());
            };
            push_string(&mut self.out, name);
            let length = name.len();
            d.charge(length)?;
        }
        self.out.push('}');
        Ok(())
    }

    fn mesh_axis(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.out.push_str("mesh_axis");
        push_string(&mut self.out, d.string("the name of an axis")?);
        self.out.push('=');
        push_i64(&mut self.out, d.cursor.signed("the size of an axis")?);
        Ok(())
    }

    fn mesh(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.bracketed("mesh<[", "mesh_axis", "]", d)?;
        let ids: Vec<i64> = d.signed_list("the device ids of a mesh")?;
        if !ids.is_empty() {
            self.out.push_str(", device_ids=[");
            push_i64_list(&mut self.out, &ids);
            self.out.push(']');
        }
        self.out.push('>');
        Ok(())
    }

    fn sub_axis_info(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.out.push_str("sub_axis_info(");
        push_i64(&mut self.out, d.cursor.signed("the size before a part of an axis")?);
        self.out.push(')');
        push_i64(&mut self.out, d.cursor.signed("the size of a part of an axis")?);
        Ok(())
    }

    fn axis_ref(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.out.push_str("axis_ref");
        push_string(&mut self.out, d.string("the name of an axis")?);
        let offset = d.cursor.offset();
        let info = d.optional_attr("the part of an axis")?;
        d.complete()?;
        if let Some(info) = info {
            self.out.push(':');
            self.part(info, "sub_axis_info", offset, d)?;
        }
        Ok(())
    }

    /// `{"a", ?}p1`
    fn dimension_sharding(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.out.push_str("dimension_sharding{");
        let any = self.parts("axis_ref", d)?;
        if !d.bool("whether a dimension is closed")? {
            self.out.push_str(if any { ", ?" } else { "?" });
        }
        self.out.push('}');
        if let Some(priority) = d.cursor.optional("the priority of a dimension")? {
            self.out.push('p');
            push_u64(&mut self.out, priority);
        }
        Ok(())
    }

    /// `<@mesh, [{"a"}, {}], replicated={"b"}, unreduced={"c"}>`
    fn sharding(&mut self, code: u64, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        let offset = d.cursor.offset();
        let mesh = d.attr("the mesh of a sharding")?;
        d.complete()?;
        self.out.push_str("sharding<");
        match d.module.attr(mesh) {
            Attribute::SymbolRef { root, nested } if nested.is_empty() => {
                push_symbol(&mut self.out, d.module.str(*root));
            }
            _ => {
                self.out.push_str("mesh");
                self.part(mesh, "mesh", offset, d)?;
            }
        }
        self.bracketed(", [", "dimension_sharding", "]", d)?;
        self.axes(", replicated={", d)?;
        if code != code::SHARDING {
            let start = self.out.len();
            self.axes(", unreduced={", d)?;
            if code == code::SHARDING_3 {
                self.reduction(start, d)?;
            }
        }
        self.out.push('>');
        Ok(())
    }

    /// A list of axes that is left out when it is empty.
    fn axes(&mut self, open: &str, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        let start = self.out.len();
        self.out.push_str(open);
        if self.parts("axis_ref", d)? {
            self.out.push('}');
        } else {
            self.out.truncate(start);
        }
        Ok(())
    }

    /// How the unreduced axes whose text begins at `start` are reduced.
    fn reduction(&mut self, start: usize, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        let offset = d.cursor.offset();
        let number = d.cursor.signed("the reduction of a sharding")?;
        let Some(word) = usize::try_from(number).ok().and_then(|number| REDUCTIONS.get(number)) else {
            return Err(Error::new("bytecode/invalid-enum", offset, format!("there is no reduction {number}")).into());
        };
        if let Some(brace) = self.out[start..].find('{') {
            self.out.insert_str(start + brace, word);
        }
        Ok(())
    }

    /// `ij`
    fn dim_mapping(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.out.push_str("dim_mapping");
        let factors: Vec<i64> = d.signed_list("the factors of a dimension")?;
        factors.iter().for_each(|factor| self.factor(*factor));
        Ok(())
    }

    /// `i` to `z`, then `z_1`, `z_2` …
    fn factor(&mut self, factor: i64) {
        match u8::try_from(factor) {
            Ok(factor) if factor <= b'z' - b'i' => self.out.push(char::from(b'i' + factor)),
            _ => {
                self.out.push_str("z_");
                push_i64(&mut self.out, factor.wrapping_sub(i64::from(b'z' - b'i')));
            }
        }
    }

    /// `<([i, k], [k, j])->([i, j]) {i=2, j=3, k=4} reduction={k}, custom>`
    fn op_sharding_rule(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        let sizes: Vec<i64> = d.signed_list("the sizes of factors")?;
        self.bracketed("op_sharding_rule<(", "tensor_mapping", ")->(", d)?;
        self.parts("tensor_mapping", d)?;
        self.out.push(')');
        for (index, size) in sizes.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { " {" });
            self.factor(index as i64);
            self.out.push('=');
            push_i64(&mut self.out, *size);
        }
        self.out.push_str(if sizes.is_empty() { "" } else { "}" });
        for kind in FACTOR_KINDS {
            let factors: Vec<i64> = d.signed_list(kind)?;
            for (index, factor) in factors.iter().enumerate() {
                match index {
                    0 => self.out.extend([" ", kind, "={"]),
                    _ => self.out.push_str(", "),
                }
                self.factor(*factor);
            }
            self.out.push_str(if factors.is_empty() { "" } else { "}" });
        }
        if d.bool("whether a rule is custom")? {
            self.out.push_str(", custom");
        }
        self.out.push('>');
        Ok(())
    }

    /// `{"a"}: 0->1`
    fn all_to_all_param(&mut self, d: &mut Decoder<'_, '_>) -> Result<(), Stop> {
        self.bracketed("all_to_all_param{", "axis_ref", "}: ", d)?;
        push_i64(&mut self.out, d.cursor.signed("the source dimension")?);
        self.out.push_str("->");
        push_i64(&mut self.out, d.cursor.signed("the target dimension")?);
        Ok(())
    }
}
