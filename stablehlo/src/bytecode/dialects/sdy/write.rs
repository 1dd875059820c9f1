//! From text to encodings.

use smallvec::SmallVec;

use super::{FACTOR_KINDS, REDUCTIONS, code};
use crate::bytecode::dialects::{Payload, list, signed_list};
use crate::bytecode::write::{AttrEntry, Encoder, Piece};
use crate::ir::{AttrId, Attribute};

/// The entry of an attribute; none when it is another dialect's, or its text has not the form that Shardy gives it.
pub(in super::super) fn write_attr(e: &mut Encoder<'_>, attr: AttrId) -> Option<AttrEntry> {
    let Attribute::Opaque { dialect, body, ty: None } = e.module.attr(attr) else { return None };
    if e.module.str(*dialect) != "sdy" {
        return None;
    }
    // A mnemonic ends where its body begins, and each body begins in its own way.
    let end = body.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(body.len());
    let (mnemonic, rest) = body.split_at(end);
    let mut text = Text { rest };
    let entry = match mnemonic {
        "manual_axes" => text.manual_axes(e)?,
        "mesh_axis" => text.mesh_axis(e)?,
        "mesh" => text.mesh(e)?,
        "sub_axis_info" => text.sub_axis_info(e)?,
        "axis_ref" => text.axis_ref(e)?,
        "dimension_sharding" => text.dimension_sharding(e)?,
        "sharding" => text.sharding(e)?.0,
        "sharding_per_value" => text.sharding_per_value(e)?,
        "tensor_mapping" => text.tensor_mapping(e)?,
        "op_sharding_rule" => text.op_sharding_rule(e)?,
        "axis_ref_list" => text.axis_ref_list(e)?,
        "list_of_axis_ref_lists" => {
            let lists = text.list(e, "[", "]", Text::axis_ref_list)?;
            attrs(e, code::LIST_OF_AXIS_REF_LISTS, lists)
        }
        "all_to_all_param" => text.all_to_all_param(e)?,
        "all_to_all_param_list" => {
            let parameters = text.list(e, "[", "]", Text::all_to_all_param)?;
            attrs(e, code::ALL_TO_ALL_PARAM_LIST, parameters)
        }
        _ => return None,
    };
    text.rest.trim().is_empty().then_some(entry)
}

/// Entries of a list.
type Attrs = SmallVec<[AttrEntry; 4]>;

fn attr_list(attrs: Attrs) -> Payload {
    list(attrs.into_iter().map(Piece::Attr))
}

/// The entry of an attribute that is a list of others.
fn attrs(e: &mut Encoder<'_>, code: u64, attrs: Attrs) -> AttrEntry {
    e.table.attr("sdy", code, attr_list(attrs))
}

/// Text that has not been taken apart yet; none of what is read means that the text has another form.
struct Text<'t> {
    rest: &'t str,
}

impl<'t> Text<'t> {
    /// Takes `word`, if it is next.
    fn accept(&mut self, word: &str) -> bool {
        match self.rest.trim_start().strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, word: &str) -> Option<()> {
        self.accept(word).then_some(())
    }

    /// `"text"` without escapes.
    fn string(&mut self) -> Option<&'t str> {
        self.expect("\"")?;
        let (string, rest) = self.rest.split_once('"')?;
        self.rest = rest;
        (!string.contains('\\')).then_some(string)
    }

    fn number(&mut self) -> Option<i64> {
        let text = self.rest.trim_start();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()) + text.len() - digits.len();
        self.rest = &text[end..];
        text[..end].parse().ok()
    }

    /// Items with commas between them, in these brackets.
    fn items<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<SmallVec<[T; 4]>> {
        self.expect(open)?;
        let mut items = SmallVec::new();
        if self.accept(close) {
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if self.accept(close) {
                return Some(items);
            }
            self.expect(",")?;
        }
    }

    fn list(
        &mut self,
        e: &mut Encoder<'_>,
        open: &str,
        close: &str,
        item: fn(&mut Self, &mut Encoder<'_>) -> Option<AttrEntry>,
    ) -> Option<Attrs> {
        self.items(open, close, |text| item(text, e))
    }

    fn manual_axes(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let axes = self.items("{", "}", |text| Some(e.string_attr(text.string()?.as_bytes())))?;
        Some(attrs(e, code::MANUAL_AXES, axes))
    }

    fn mesh_axis(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let name = e.table.string(self.string()?.as_bytes());
        self.expect("=")?;
        Some(e.table.attr("sdy", code::MESH_AXIS, [Piece::String(name), Piece::Signed(self.number()?)]))
    }

    fn mesh(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        self.expect("<")?;
        let mut payload = attr_list(self.list(e, "[", "]", Self::mesh_axis)?);
        let ids = match self.accept(",") {
            true => {
                self.expect("device_ids")?;
                self.expect("=")?;
                self.items("[", "]", Self::number)?
            }
            false => SmallVec::new(),
        };
        self.expect(">")?;
        payload.extend(signed_list(&ids));
        Some(e.table.attr("sdy", code::MESH, payload))
    }

    /// `(1)2`
    fn sub_axis_info(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        self.expect("(")?;
        let pre_size = Piece::Signed(self.number()?);
        self.expect(")")?;
        Some(e.table.attr("sdy", code::SUB_AXIS_INFO, [pre_size, Piece::Signed(self.number()?)]))
    }

    /// `"a"`, `"a":(1)2`
    fn axis_ref(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let name = e.table.string(self.string()?.as_bytes());
        let info = if self.accept(":") { Some(self.sub_axis_info(e)?) } else { None };
        Some(e.table.attr("sdy", code::AXIS_REF, [Piece::String(name), Piece::OptionalAttr(info)]))
    }

    fn axis_ref_list(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let axes = self.list(e, "{", "}", Self::axis_ref)?;
        Some(attrs(e, code::AXIS_REF_LIST, axes))
    }

    /// `{"a", ?}p1`
    fn dimension_sharding(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let mut is_closed = true;
        let axes = self.items("{", "}", |text| {
            if is_closed && text.accept("?") {
                is_closed = false;
                return Some(None);
            }
            // Nothing follows the question mark.
            if is_closed { text.axis_ref(e).map(Some) } else { None }
        })?;
        let mut payload = attr_list(axes.into_iter().flatten().collect());
        payload.push(Piece::Byte(u8::from(is_closed)));
        let priority = match self.accept("p") {
            true => u64::try_from(self.number()?).ok()? << 1 | 1,
            false => 0,
        };
        payload.push(Piece::Varint(priority));
        Some(e.table.attr("sdy", code::DIMENSION_SHARDING, payload))
    }

    /// `<@mesh, [{"a"}, {}], replicated={"b"}, unreduced={"c"}>`; says whether there are unreduced axes.
    fn sharding(&mut self, e: &mut Encoder<'_>) -> Option<(AttrEntry, bool)> {
        self.expect("<")?;
        let mesh = if self.accept("mesh") { self.mesh(e)? } else { self.symbol(e)? };
        self.expect(",")?;
        let mut payload: Payload = [Piece::Attr(mesh)].into_iter().collect();
        payload.extend(attr_list(self.list(e, "[", "]", Self::dimension_sharding)?));
        let (mut replicated, mut unreduced, mut reduction) = (Attrs::new(), Attrs::new(), 0);
        while self.accept(",") {
            if unreduced.is_empty() && replicated.is_empty() && self.accept("replicated=") {
                replicated = self.list(e, "{", "}", Self::axis_ref)?;
            } else {
                self.expect("unreduced=")?;
                reduction = (1..REDUCTIONS.len()).find(|number| self.accept(REDUCTIONS[*number])).unwrap_or(0);
                unreduced = self.list(e, "{", "}", Self::axis_ref)?;
            }
        }
        self.expect(">")?;
        payload.extend(attr_list(replicated));
        let is_unreduced = !unreduced.is_empty();
        let code = match (is_unreduced, reduction) {
            (false, _) => code::SHARDING,
            (true, 0) => code::SHARDING_2,
            (true, _) => code::SHARDING_3,
        };
        if is_unreduced {
            payload.extend(attr_list(unreduced));
        }
        if code == code::SHARDING_3 {
            payload.push(Piece::Signed(reduction as i64));
        }
        Some((e.table.attr("sdy", code, payload), is_unreduced))
    }

    /// `@mesh`, `@"my mesh"`
    fn symbol(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        self.expect("@")?;
        let name = match self.rest.starts_with('"') {
            true => self.string()?,
            false => {
                let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
                let (name, rest) = self.rest.split_at(self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len()));
                self.rest = rest;
                name
            }
        };
        Some(crate::bytecode::dialects::write_symbol(e, name))
    }

    fn sharding_per_value(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        self.expect("<")?;
        let mut is_unreduced = false;
        let shardings = self.items("[", "]", |text| {
            let (sharding, unreduced) = text.sharding(e)?;
            is_unreduced |= unreduced;
            Some(sharding)
        })?;
        self.expect(">")?;
        let code = if is_unreduced { code::SHARDING_PER_VALUE_2 } else { code::SHARDING_PER_VALUE };
        Some(attrs(e, code, shardings))
    }

    /// `i` to `z`, `z_1` …; none when no factor is next.
    fn factor(&mut self) -> Option<i64> {
        let text = self.rest.trim_start();
        let first = text.bytes().next().filter(|byte| (b'i'..=b'z').contains(byte))?;
        self.rest = &text[1..];
        let last = i64::from(b'z' - b'i');
        match self.rest.strip_prefix('_') {
            Some(rest) if first == b'z' => {
                self.rest = rest;
                self.number()?.checked_add(last)
            }
            _ => Some(i64::from(first - b'i')),
        }
    }

    /// `ij`
    fn dim_mapping(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let factors: Vec<i64> = std::iter::from_fn(|| self.factor()).collect();
        Some(e.table.attr("sdy", code::DIM_MAPPING, signed_list(&factors)))
    }

    fn tensor_mapping(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let dims = self.list(e, "[", "]", Self::dim_mapping)?;
        Some(attrs(e, code::TENSOR_MAPPING, dims))
    }

    /// `<([i, k], [k, j])->([i, j]) {i=2, j=3, k=4} reduction={k}, custom>`
    fn op_sharding_rule(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        self.expect("<")?;
        let operands = self.list(e, "(", ")", Self::tensor_mapping)?;
        self.expect("->")?;
        let results = self.list(e, "(", ")", Self::tensor_mapping)?;
        let mut next = 0;
        let size = |text: &mut Self| {
            // Factors are named in order.
            (text.factor()? == next).then_some(())?;
            next += 1;
            text.expect("=")?;
            text.number()
        };
        let sizes = if self.rest.trim_start().starts_with('{') { self.items("{", "}", size)? } else { SmallVec::new() };
        let mut payload = signed_list(&sizes);
        payload.extend(attr_list(operands));
        payload.extend(attr_list(results));
        for kind in FACTOR_KINDS {
            let factors = match self.accept(kind) {
                true => {
                    self.expect("=")?;
                    self.items("{", "}", Self::factor)?
                }
                false => SmallVec::new(),
            };
            payload.extend(signed_list(&factors));
        }
        let is_custom = self.accept(",");
        if is_custom {
            self.expect("custom")?;
        }
        self.expect(">")?;
        payload.push(Piece::Byte(u8::from(is_custom)));
        Some(e.table.attr("sdy", code::OP_SHARDING_RULE, payload))
    }

    /// `{"a"}: 0->1`
    fn all_to_all_param(&mut self, e: &mut Encoder<'_>) -> Option<AttrEntry> {
        let mut payload = attr_list(self.list(e, "{", "}", Self::axis_ref)?);
        self.expect(":")?;
        payload.push(Piece::Signed(self.number()?));
        self.expect("->")?;
        payload.push(Piece::Signed(self.number()?));
        Some(e.table.attr("sdy", code::ALL_TO_ALL_PARAM, payload))
    }
}
