//! The resource section `{-# … #-}`.

use super::Printer;
use super::write::{push_hex, push_key, push_string};
use crate::ir::{ExternalResource, Resource};

impl Printer<'_> {
    /// Blobs that were mentioned while printing, and external resources; nothing when there are none.
    pub(super) fn resource_section(&mut self) {
        let module = self.module;
        let used = std::mem::take(&mut self.used_resources);
        let limit = self.options.elide_resources_larger_than.unwrap_or(u64::MAX);
        let fits = |size: usize| size as u64 <= limit;
        let blobs: Vec<_> = used
            .iter()
            .filter_map(|key| Some((module.str(*key), module.resources.get(key)?)))
            .filter(|(_, resource)| fits(resource.data.len()))
            .collect();
        let external_fits = |value: &ExternalResource| match value {
            ExternalResource::Bool(_) => true,
            ExternalResource::String(text) => fits(text.len()),
            ExternalResource::Blob(resource) => fits(resource.data.len()),
        };
        let groups: Vec<(_, Vec<_>)> = module
            .external_resources
            .iter()
            .map(|(name, group)| (name, group.iter().filter(|(_, value)| external_fits(value)).collect()))
            .filter(|(_, group): &(_, Vec<_>)| !group.is_empty())
            .collect();
        if blobs.is_empty() && groups.is_empty() {
            return;
        }
        self.out.push_str("\n{-#\n");
        if !blobs.is_empty() {
            self.out.push_str("  dialect_resources: {\n    builtin: {\n");
            for (index, (key, resource)) in blobs.iter().enumerate() {
                self.entry_start(index, 6, key);
                self.blob(resource);
            }
            self.out.push_str("\n    }\n  }");
        }
        if !groups.is_empty() {
            self.out.push_str(if blobs.is_empty() { "" } else { ",\n" });
            self.out.push_str("  external_resources: {\n");
            for (index, (name, group)) in groups.iter().enumerate() {
                self.entry_start(index, 4, module.str(**name));
                self.out.push_str("{\n");
                for (index, (key, value)) in group.iter().enumerate() {
                    self.entry_start(index, 6, module.str(**key));
                    match value {
                        ExternalResource::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
                        ExternalResource::String(text) => push_string(&mut self.out, text),
                        ExternalResource::Blob(resource) => self.blob(resource),
                    }
                }
                self.out.push_str("\n    }");
            }
            self.out.push_str("\n  }");
        }
        self.out.push_str("\n#-}\n");
    }

    /// `key: ` after a comma when it is not the first.
    fn entry_start(&mut self, index: usize, indent: usize, key: &str) {
        self.out.push_str(if index > 0 { ",\n" } else { "" });
        self.repeat(" ", indent);
        push_key(&mut self.out, key);
        self.out.push_str(": ");
    }

    /// `"0x…"`: alignment, then bytes; empty data has alignment 0.
    fn blob(&mut self, resource: &Resource) {
        let alignment = if resource.data.is_empty() { 0 } else { resource.alignment };
        self.out.push_str("\"0x");
        push_hex(&mut self.out, &alignment.to_le_bytes());
        push_hex(&mut self.out, &resource.data);
        self.out.push('"');
    }
}
