//! Resources: blobs beside the ops, named by attributes or by tools outside.

use super::container::{Container, ResourceEntry, ResourceGroup};
use super::entries::Budget;
use crate::bytecode::cursor::Cursor;
use crate::bytecode::error::{Error, Result};
use crate::ir::{Blob, ExternalResource, Module, NameId, Resource};

/// Puts the resources of a file into `module`; gives the keys of the dialects' ones, which handles count.
pub(super) fn read_resources(
    container: &Container<'_>,
    module: &mut Module,
    budget: &mut Budget,
) -> Result<Vec<NameId>> {
    let mut keys = Vec::new();
    container.resources(|entry| {
        let key = module.name(entry.key);
        match entry.group {
            ResourceGroup::Dialect("builtin") => {
                keys.push(key);
                if !entry.value.is_empty() {
                    expect_kind(&entry, 0)?;
                    let blob = blob(container, entry.value)?;
                    module.resources.insert(key, blob);
                }
            }
            ResourceGroup::Dialect(dialect) => {
                let message = format!("dialect `{dialect}` has resources; only those of `builtin` are known here");
                return Err(Error::new("bytecode/unsupported", entry.offset, message));
            }
            ResourceGroup::External(group) => {
                let group = module.name(group);
                let value = external(container, &entry, budget)?;
                module.external_resources.entry(group).or_default().extend(value.map(|value| (key, value)));
            }
        }
        Ok(())
    })?;
    Ok(keys)
}

fn expect_kind(entry: &ResourceEntry<'_>, wanted: u8) -> Result<()> {
    if entry.kind == wanted {
        return Ok(());
    }
    let message = format!("resource `{}` is a value of kind {}; a blob is of kind {wanted}", entry.key, entry.kind);
    Err(Error::new("bytecode/unsupported", entry.offset, message))
}

/// A value of a provider outside; none when it is only declared.
fn external(
    container: &Container<'_>,
    entry: &ResourceEntry<'_>,
    budget: &mut Budget,
) -> Result<Option<ExternalResource>> {
    let mut cursor = entry.value.clone();
    if cursor.is_empty() {
        return Ok(None);
    }
    let value = match entry.kind {
        0 => return blob(container, cursor).map(|blob| Some(ExternalResource::Blob(blob))),
        1 => ExternalResource::Bool(cursor.byte("the value of a resource")? != 0),
        2 => {
            let offset = cursor.offset();
            let index = cursor.varint("the value of a resource")?;
            let string = container.string_at(index, "the value of a resource", offset)?;
            budget.charge(string.len() as u64, offset)?;
            ExternalResource::String(string.into())
        }
        kind => {
            let message = format!("resource `{}` has a value of kind {kind}; kinds are 0 to 2", entry.key);
            return Err(Error::new("bytecode/invalid-number", entry.offset, message));
        }
    };
    cursor.finish("a resource")?;
    Ok(Some(value))
}

/// Alignment, size, padding, data; the data share the file.
fn blob(container: &Container<'_>, mut cursor: Cursor<'_>) -> Result<Resource> {
    let offset = cursor.offset();
    let alignment = cursor.varint("the alignment of a blob")?;
    let size = cursor.varint("the size of a blob")?;
    cursor.align(alignment.max(1), "a blob")?;
    let bytes = cursor.take(size, "a blob")?;
    cursor.finish("a resource")?;
    let Ok(alignment) = u32::try_from(alignment) else {
        let message = format!("the alignment of a blob is {alignment}; it has at most 32 bits");
        return Err(Error::new("bytecode/invalid-alignment", offset, message));
    };
    Ok(Resource { alignment, data: Blob::new(container.file.slice_ref(bytes)) })
}
