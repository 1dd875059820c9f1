//! Regions, blocks and labels.

use rustc_hash::FxHashMap;

use super::error::{PResult, expected, fault};
use super::lexical::{Input, accept, accept_suffix_id, peek, skip};
use super::{Argument, Parser, punct};
use crate::diag::Diagnostic;
use crate::ir::{BlockArgument, BlockId, RegionId, Span};

/// Blocks of the region being read, by label.
pub(super) struct Labels<'s> {
    region: RegionId,
    blocks: FxHashMap<&'s [u8], Label>,
}

struct Label {
    block: BlockId,
    /// Where it was defined, or else first used.
    span: Span,
    defined: bool,
}

impl<'s> Parser<'s> {
    /// region: `'{' entry-block? block* '}'`, inside an op with a pretty form: names from outside are visible.
    ///
    /// `arguments` are the entry block's, read elsewhere; without them the entry block may have a label of its own.
    pub fn region(&mut self, i: Input<'s>, arguments: &[Argument<'s>]) -> PResult<'s, RegionId> {
        self.region_in(i, arguments, false)
    }

    /// region, from whose inside nothing of the outside is visible when it is `isolated`.
    pub(super) fn region_in(
        &mut self,
        i: Input<'s>,
        arguments: &[Argument<'s>],
        isolated: bool,
    ) -> PResult<'s, RegionId> {
        let (i, ()) = punct!(i, "{")?;
        let region = self.module.new_region();
        if arguments.is_empty()
            && let Some(rest) = accept(i, "}")
        {
            return Ok((rest, region));
        }
        let (i, ()) = self.nested(i, |parser, i| {
            let scope = parser.open_scope(isolated);
            parser.labels.push(Labels { region, blocks: FxHashMap::default() });
            let result = parser.region_body(i, region, arguments);
            if let Some(labels) = parser.labels.pop() {
                parser.report_undefined_labels(labels);
            }
            parser.close_scope(&scope);
            result
        })?;
        let (i, ()) = punct!(i, "}")?;
        Ok((i, region))
    }

    fn region_body(&mut self, mut i: Input<'s>, region: RegionId, arguments: &[Argument<'s>]) -> PResult<'s, ()> {
        if peek(i) != b'^' || !arguments.is_empty() {
            if peek(i) == b'^' && arguments.iter().any(|argument| argument.name.is_some()) {
                let message = "a region with named arguments cannot begin with a block label";
                return Err(fault(i, "parse/unexpected-label", message));
            }
            let block = self.module.new_block(region);
            for argument in arguments {
                self.add_block_argument(block, argument);
            }
            (i, ()) = self.block_body(i, block)?;
        }
        while peek(i) == b'^' {
            let start = skip(i);
            i = match self.block(start, region) {
                Ok((rest, ())) => rest,
                Err(error) => self.recover(start, error)?,
            };
        }
        Ok((i, ()))
    }

    /// Adds an argument to a block and gives it its name.
    pub fn add_block_argument(&mut self, block: BlockId, argument: &Argument<'s>) {
        let info = BlockArgument { span: argument.span, location: None };
        let value = self.module.add_argument(block, argument.ty, info);
        let index = self.module.block(block).arguments.len() - 1;
        self.set_argument_location(block, index, argument.location);
        if let Some(name) = argument.name {
            self.define_values(name, argument.span, value, 1);
        }
    }

    /// block: `block-label operation*` with `block-label: block-id ('(' arguments ')')? ':'`
    fn block(&mut self, i: Input<'s>, region: RegionId) -> PResult<'s, ()> {
        let at = skip(i);
        let Some((i, name)) = accept_suffix_id(at, b'^') else {
            return Err(expected(at, "parse/expected-block", "a block label"));
        };
        let span = self.span(at, i);
        let block = self.define_label(name, span, region);
        let mut i = i;
        if let Some(rest) = accept(i, "(") {
            let (rest, arguments) = self.arguments_until(rest, ")", "`)`")?;
            for argument in &arguments {
                self.add_block_argument(block, argument);
            }
            i = rest;
        }
        let (i, ()) = punct!(i, ":")?;
        self.block_body(i, block)
    }

    /// The ops of a block.
    fn block_body(&mut self, mut i: Input<'s>, block: BlockId) -> PResult<'s, ()> {
        loop {
            let start = skip(i);
            i = match start.first() {
                None | Some(b'}' | b'^') => return Ok((start, ())),
                Some(_) => match self.operation(start, block) {
                    Ok((rest, ())) => rest,
                    Err(error) => self.recover(start, error)?,
                },
            };
        }
    }

    /// The block that begins with this label; blocks stand in the order of their labels.
    fn define_label(&mut self, name: &'s [u8], span: Span, region: RegionId) -> BlockId {
        let label = self.labels.last_mut().and_then(|labels| labels.blocks.get_mut(name));
        match label {
            Some(label) if !label.defined => {
                label.defined = true;
                label.span = span;
                let block = label.block;
                self.module.append_block(block);
                block
            }
            Some(label) => {
                let message = format!("redefinition of block `^{}`", String::from_utf8_lossy(name));
                let diagnostic =
                    Diagnostic::error("ssa/block-redefinition", span, message).with_label(label.span, "defined here");
                self.report(diagnostic);
                self.module.new_block(region)
            }
            None => {
                let block = self.module.new_block(region);
                if let Some(labels) = self.labels.last_mut() {
                    labels.blocks.insert(name, Label { block, span, defined: true });
                }
                block
            }
        }
    }

    /// successor: a block-id, possibly of a block that comes later.
    pub fn successor(&mut self, i: Input<'s>) -> PResult<'s, BlockId> {
        let at = skip(i);
        let Some((rest, name)) = accept_suffix_id(at, b'^') else {
            return Err(expected(at, "parse/expected-block", "a block label"));
        };
        let span = self.span(at, rest);
        let Some(labels) = self.labels.last_mut() else {
            return Err(fault(at, "ssa/undefined-block", "there are no blocks outside of regions"));
        };
        let module = &mut self.module;
        let region = labels.region;
        let label = labels.blocks.entry(name);
        let label = label.or_insert_with(|| Label { block: module.new_detached_block(region), span, defined: false });
        Ok((rest, label.block))
    }

    fn report_undefined_labels(&mut self, labels: Labels<'s>) {
        let mut undefined: Vec<_> = labels.blocks.into_iter().filter(|(_, label)| !label.defined).collect();
        undefined.sort_by_key(|(_, label)| label.span.start);
        for (name, label) in undefined {
            let message = format!("reference to undefined block `^{}`", String::from_utf8_lossy(name));
            self.report(Diagnostic::error("ssa/undefined-block", label.span, message));
        }
    }
}
