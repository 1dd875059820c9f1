//! Operations: results, generic form, dispatch to pretty forms, and making the op.

use smallvec::SmallVec;

use super::error::{Checked, PResult, SyntaxError, cut, expected, fault, fault_with_help};
use super::lexical::{self, Input, accept, accept_digits, accept_suffix_id, peek, separated, skip};
use super::{OpState, Parser, TrailingLocation, Use, forms, punct};
use crate::diag::Diagnostic;
use crate::ir::{Attribute, BlockId, NewOp, OpName, OpSource, Span, ValueId};
use crate::ops::spec::{Syntax, Trait};
use crate::ops::{self, OpKind, fill};

/// `%name` or `%name:2` in front of an op.
#[derive(Copy, Clone)]
struct ResultName<'s> {
    name: &'s [u8],
    span: Span,
    count: u32,
}

type ResultNames<'s> = SmallVec<[ResultName<'s>; 2]>;

impl<'s> Parser<'s> {
    /// operation: `op-result-list? (generic-operation | custom-operation) trailing-location?`, appended to `block`.
    pub(super) fn operation(&mut self, i: Input<'s>, block: BlockId) -> PResult<'s, ()> {
        let start = skip(i);
        let mut results = ResultNames::new();
        let (i, ()) = self.op_result_list(start, &mut results)?;
        let outcome = self.operation_after_results(i, start, &results, block);
        if outcome.is_err() {
            for result in &results {
                self.poison_name(result.name, result.span);
            }
        }
        outcome
    }

    /// op-result-list: `op-result (',' op-result)* '='` with `op-result: value-id (':' integer)?`; nothing when there is no
    /// `%`.
    fn op_result_list(&mut self, mut i: Input<'s>, results: &mut ResultNames<'s>) -> PResult<'s, ()> {
        if peek(i) != b'%' {
            return Ok((i, ()));
        }
        loop {
            let at = skip(i);
            let Some((rest, name)) = accept_suffix_id(at, b'%') else {
                return Err(expected(at, "parse/expected-value", "an SSA value"));
            };
            let mut result = ResultName { name, span: self.span(at, rest), count: 1 };
            i = rest;
            if let Some(rest) = accept(i, ":") {
                let Some((rest, digits)) = accept_digits(rest) else {
                    return Err(expected(rest, "parse/expected-integer", "the number of results"));
                };
                let count = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
                result.count = match count {
                    Some(count) if count > 0 => count,
                    _ => return Err(fault(i, "parse/result-count", "a result pack needs at least one value")),
                };
                i = rest;
            }
            results.push(result);
            match accept(i, ",") {
                Some(rest) => i = rest,
                None => break,
            }
        }
        punct!(i, "=")
    }

    fn operation_after_results(
        &mut self,
        i: Input<'s>,
        start: Input<'s>,
        results: &[ResultName<'s>],
        block: BlockId,
    ) -> PResult<'s, ()> {
        let name_at = skip(i);
        let mut state = OpState { name_at: self.offset(name_at), ..OpState::default() };
        let (i, name) = match name_at.first() {
            Some(b'"') => self.generic_operation(name_at, &mut state)?,
            Some(byte) if lexical::begins_word(*byte) => self.custom_operation(name_at, &mut state)?,
            _ => return Err(expected(name_at, "parse/expected-operation", "an operation")),
        };
        let (i, location) = cut(self.trailing_location(i))?;
        let location = if location == TrailingLocation::None { state.location } else { location };
        let source = OpSource { start: self.offset(start), name: state.name_at, end: self.offset(i) };
        if let Err(error) = self.make_op(name, &mut state, results, source, location, block) {
            // The text of the op is understood: reading goes on right behind it.
            self.report_error(&error);
            for result in results {
                self.poison_name(result.name, result.span);
            }
        }
        Ok((i, ()))
    }

    /// Turns what was read into an op at the end of `block`.
    fn make_op(
        &mut self,
        name: OpName,
        state: &mut OpState<'s>,
        results: &[ResultName<'s>],
        source: OpSource,
        location: TrailingLocation<'s>,
        block: BlockId,
    ) -> Checked<'s, ()> {
        let n_results = state.result_types.len();
        let at = &self.source[source.name as usize..];
        self.check_result_count(n_results, results, at)?;
        if state.operands.len() != state.operand_types.len() {
            let message = format!(
                "number of operands and types do not match: got {} operands and {} types",
                state.operands.len(),
                state.operand_types.len()
            );
            return Err(fault(at, "parse/operand-count", message));
        }
        self.fill_defaults(state);
        let mut operands: SmallVec<[ValueId; 8]> = SmallVec::new();
        let mut fixups = SmallVec::new();
        for (index, (operand, ty)) in state.operands.iter().zip(&state.operand_types).enumerate() {
            operands.push(self.resolve_ssa_use(operand, *ty, index as u32, &mut fixups));
        }
        let attributes = match state.attributes.is_empty() {
            true => None,
            false => Some(self.module.dictionary(state.attributes.to_vec())),
        };
        let op = self.module.create_op(&NewOp {
            name,
            operands: &operands,
            result_types: &state.result_types,
            properties: &state.properties,
            attributes,
            regions: &state.regions,
            successors: &state.successors,
            location: None,
            source,
        });
        self.module.append_op(block, op);
        if !fixups.is_empty() {
            self.add_fixups(op, &fixups);
        }
        self.set_op_location(op, location);
        let values = self.module.results(op);
        let mut next = 0;
        for result in results {
            if let Some(first) = values.get(next) {
                self.define_values(result.name, result.span, first, result.count);
            }
            next += result.count as usize;
        }
        Ok(())
    }

    fn check_result_count(&self, n_results: usize, results: &[ResultName<'s>], at: Input<'s>) -> Checked<'s, ()> {
        let named: u64 = results.iter().map(|result| u64::from(result.count)).sum();
        if results.is_empty() || named == n_results as u64 {
            return Ok(());
        }
        let message = match n_results {
            0 => "cannot name an operation with no results".to_owned(),
            1 => format!("operation defines 1 result but was provided {named} to bind"),
            n => format!("operation defines {n} results but was provided {named} to bind"),
        };
        Err(fault(at, "parse/result-count", message))
    }

    /// Gives empty property slots the values that the op always has.
    fn fill_defaults(&mut self, state: &mut OpState<'s>) {
        let Some(spec) = state.spec else {
            return;
        };
        state.properties.resize(spec.attributes.len(), None);
        fill::fill_defaults(&mut self.module, spec, &mut state.properties);
    }

    /// generic-operation: `"name" '(' value-use-list? ')' successor-list? dictionary-properties? region-list?
    /// dictionary-attribute? ':' function-type`
    fn generic_operation(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, OpName> {
        let name_at = i;
        let (i, name) = lexical::string_literal(i)?;
        let Some(name) = std::str::from_utf8(&name).ok().filter(|name| !name.is_empty()) else {
            return Err(fault(name_at, "parse/invalid-operation-name", "empty or malformed operation name"));
        };
        let name = match ops::find(name) {
            Some(kind) => self.start_known(kind, state),
            None => {
                if let Some((dialect, mnemonic)) = name.split_once('.')
                    && ops::is_registered_dialect(dialect)
                {
                    return Err(self.unknown_operation(name_at, dialect, mnemonic));
                }
                OpName::Opaque(self.module.name(name))
            }
        };
        let (i, ()) = cut(self.generic_operation_after_name(i, state))?;
        Ok((i, name))
    }

    fn generic_operation_after_name(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let (i, ()) = punct!(i, "(")?;
        let (i, ()) = self.operands(i, state)?;
        let (mut i, ()) = punct!(i, ")")?;
        if peek(i) == b'[' {
            (i, ()) = self.successor_list(i, state)?;
        }
        let mut has_properties = false;
        if let Some(rest) = accept(i, "<") {
            has_properties = true;
            (i, ()) = self.dictionary_properties(rest, state)?;
            (i, ()) = punct!(i, ">")?;
        }
        if peek(i) == b'('
            && let Some(mut rest) = accept(i, "(")
        {
            let isolated = state.spec.is_some_and(|spec| spec.has(Trait::IsolatedFromAbove));
            let function = state.spec.is_some_and(|spec| spec.name == OpKind::Func.name());
            self.open_functions += u32::from(function);
            loop {
                let region = self.region_in(rest, &[], isolated);
                let (after, region) = match region {
                    Ok(read) => read,
                    Err(error) => {
                        self.open_functions -= u32::from(function);
                        return Err(error);
                    }
                };
                state.regions.push(region);
                match accept(after, ",") {
                    Some(after) => rest = after,
                    None => {
                        i = after;
                        break;
                    }
                }
            }
            self.open_functions -= u32::from(function);
            (i, ()) = punct!(i, ")")?;
        }
        if peek(i) == b'{' {
            (i, ()) = self.attribute_dictionary_into(i, state, has_properties)?;
        }
        let (i, ()) = punct!(i, ":")?;
        self.function_types_into(i, state)
    }

    /// dictionary-properties: an attribute in `<…>`; for registered ops its entries are the inherent attributes, and
    /// entries with other names vanish.
    fn dictionary_properties(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let at = i;
        if state.spec.is_some() && peek(i) == b'{' {
            return self.properties_into(i, state);
        }
        let (i, attr) = self.attribute(i)?;
        let Some(spec) = state.spec else {
            state.properties.push(Some(attr));
            return Ok((i, ()));
        };
        let Attribute::Dictionary(entries) = self.module.attr(attr).clone() else {
            return Err(fault(at, "parse/expected-dictionary", "properties of a registered op must be a dictionary"));
        };
        for (name, value) in entries {
            if let Some(slot) = spec.attribute_slot(self.module.str(name)) {
                state.properties[slot] = Some(self.normalize_property(spec.attributes[slot].name, value));
            }
        }
        Ok((i, ()))
    }

    /// custom-operation: a bare name, then whatever the op's declaration says.
    fn custom_operation(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, OpName> {
        let name_at = i;
        let (i, word) = lexical::bare_id(i)?;
        let kind = match self.op_names.get(word) {
            Some(kind) => *kind,
            None => {
                let written = std::str::from_utf8(word).unwrap_or_default();
                let Some(kind) = self.find_custom(written) else {
                    return self.foreign_operation(i, name_at, written, state);
                };
                // Names without a dialect mean different ops in different places.
                if written.contains('.') {
                    self.op_names.insert(word, kind);
                }
                kind
            }
        };
        let name = self.start_known(kind, state);
        let outer = std::mem::replace(&mut self.default_dialect, kind.spec().default_dialect);
        let result = self.custom_syntax(i, name_at, kind, state);
        self.default_dialect = outer;
        let (i, ()) = cut(result)?;
        Ok((i, name))
    }

    fn custom_syntax(
        &mut self,
        i: Input<'s>,
        name_at: Input<'s>,
        kind: OpKind,
        state: &mut OpState<'s>,
    ) -> PResult<'s, ()> {
        match kind.spec().syntax {
            Syntax::Form(parts) => forms::form(self, i, parts, state),
            Syntax::Custom { parse, .. } => parse(self, i, state),
            Syntax::Generic => {
                let message = format!("op `{}` has no custom form", kind.name());
                let help = format!("write it in the generic form: \"{}\"(…) …", kind.name());
                Err(fault_with_help(name_at, "parse/no-custom-form", message, help))
            }
        }
    }

    /// The registered op that a bare name means.
    fn find_custom(&self, written: &str) -> Option<OpKind> {
        if written.contains('.') {
            return ops::find(written);
        }
        let mut name: SmallVec<[u8; 64]> = SmallVec::from_slice(self.default_dialect.as_bytes());
        name.push(b'.');
        name.extend_from_slice(written.as_bytes());
        ops::find(std::str::from_utf8(&name).ok()?)
    }

    /// Prepares `state` for an op of a registered kind.
    fn start_known(&mut self, kind: OpKind, state: &mut OpState<'s>) -> OpName {
        let spec = kind.spec();
        state.spec = Some(spec);
        state.properties.resize(spec.attributes.len(), None);
        OpName::Known(kind)
    }

    /// The complaint about an op that the registry does not have.
    pub(super) fn unknown_operation(
        &self,
        name_at: Input<'s>,
        dialect: &str,
        mnemonic: &str,
    ) -> nom::Err<SyntaxError<'s>> {
        let message = format!("unregistered operation `{dialect}.{mnemonic}` found in dialect `{dialect}`");
        match super::recover::did_you_mean(dialect, mnemonic) {
            Some(name) => fault_with_help(name_at, "parse/unknown-op", message, format!("did you mean `{name}`?")),
            None => fault(name_at, "parse/unknown-op", message),
        }
    }

    /// value-use: `%name` or `%name#1`
    pub fn ssa_use(&mut self, i: Input<'s>) -> PResult<'s, Use<'s>> {
        match self.accept_ssa_use(i) {
            Some(read) => Ok(read),
            None => Err(expected(i, "parse/expected-operand", "an SSA operand")),
        }
    }

    /// value-use, if one is next.
    #[inline]
    pub fn accept_ssa_use(&mut self, i: Input<'s>) -> Option<(Input<'s>, Use<'s>)> {
        let at = skip(i);
        let (mut rest, name) = accept_suffix_id(at, b'%')?;
        let mut number = 0;
        if peek(rest) == b'#'
            && let Some((after, digits)) = accept_suffix_id(rest, b'#')
        {
            // A number too large is no number of a result either.
            number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(u32::MAX);
            rest = after;
        }
        let span = Span::new(self.offset(at), self.offset(rest));
        Some((rest, Use { name, number, span }))
    }

    /// successor-list: `'[' block-id (',' block-id)* ']'`
    fn successor_list(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let (i, ()) = punct!(i, "[")?;
        let (i, ()) = separated(i, |i| {
            let (i, block) = self.successor(i)?;
            state.successors.push(block);
            Ok((i, ()))
        })?;
        punct!(i, "]")
    }

    /// Adds a diagnostic unless there are too many.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < super::recover::MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        } else {
            self.gave_up = true;
        }
    }
}
