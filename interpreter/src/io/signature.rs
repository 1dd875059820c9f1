//! What a function takes and gives, with the names under which files know it.

use stablehlo::ir::{AttrId, Attribute, LocId, Location, Module, OpId, TypeId};

use super::error::{InputError, Result};
use super::inputs::Argument;

/// The arguments of `function`. Their names are those of their locations, which is where frameworks put them; a path such
/// as `w['conv1.bias']` is called `conv1.bias`.
///
/// # Errors
/// `input/type` when the function takes something that is no tensor.
pub fn arguments(module: &Module, function: OpId) -> Result<Vec<Argument>> {
    let Some(body) = module.entry_block(function, 0) else {
        return Ok(Vec::new());
    };
    let arguments = module.block(body).arguments.iter().enumerate();
    let mut arguments: Vec<Argument> = arguments
        .map(|(index, value)| {
            let name = module.argument_info(body, index).location.and_then(|location| name(module, location));
            argument(module, module.value_type(*value), name, &format!("argument {index}"))
        })
        .collect::<Result<_>>()?;
    drop_ambiguous_names(&mut arguments);
    Ok(arguments)
}

/// The results of `function`, called `out_0`, `out_1` … as in files with recorded results.
///
/// # Errors
/// `input/type` when the function gives something that is no tensor.
pub fn results(module: &Module, function: OpId) -> Result<Vec<Argument>> {
    let ty = module.property(function, "function_type").map(|attr: AttrId| module.attr(attr));
    let Some(Attribute::Type(ty)) = ty else {
        return Ok(Vec::new());
    };
    let stablehlo::ir::Type::Function { results, .. } = module.ty(*ty) else {
        return Ok(Vec::new());
    };
    let results = results.iter().enumerate();
    results.map(|(index, ty)| argument(module, *ty, Some(format!("out_{index}")), &format!("result {index}"))).collect()
}

fn argument(module: &Module, ty: TypeId, name: Option<String>, what: &str) -> Result<Argument> {
    let (Some(element), Some(shape)) = (module.storage_element(ty), module.shape(ty)) else {
        let message = format!("{what} has type {}, which cannot be written here", module.display_type(ty));
        return Err(InputError::new("input/type", message));
    };
    let shape = shape.iter().map(|size| usize::try_from(*size).ok()).collect();
    Ok(Argument { name, element, shape })
}

/// The outermost name in a location, as files write it.
fn name(module: &Module, location: LocId) -> Option<String> {
    match module.location(location) {
        Location::Name { name, .. } => plain(std::str::from_utf8(name).ok()?),
        _ => None,
    }
}

/// `w['a']['b']` and `w.a.b` in the form `a.b`; a single word stays.
fn plain(path: &str) -> Option<String> {
    let Some((_, keys)) = path.split_once('[') else {
        return Some(path.to_owned());
    };
    let keys: Option<Vec<&str>> = keys
        .split('[')
        .map(|key| Some(key.strip_suffix(']')?.trim_matches(['\'', '"'])).filter(|key| !key.is_empty()))
        .collect();
    Some(keys?.join("."))
}

/// A name that two arguments have tells neither.
fn drop_ambiguous_names(arguments: &mut [Argument]) {
    let names: Vec<Option<String>> = arguments.iter().map(|argument| argument.name.clone()).collect();
    for argument in arguments {
        if names.iter().filter(|name| name.is_some() && **name == argument.name).count() > 1 {
            argument.name = None;
        }
    }
}

/// Which of `names`, those of the arrays in a file, are values for which arguments: by the arguments' own names, else by
/// their numbers in the forms `in_3`, `arg3`, `arg_3`, `input_3` and `3`.
pub fn matching<'n>(names: &'n [String], arguments: &[Argument]) -> Vec<(usize, &'n str)> {
    let find = |index: usize, argument: &Argument| {
        let own = names.iter().find(|name| Some(*name) == argument.name.as_ref());
        let numbered = || {
            let prefixes = ["in_", "arg", "arg_", "input_", ""];
            names.iter().find(|name| prefixes.iter().any(|prefix| **name == format!("{prefix}{index}")))
        };
        own.or_else(numbered).map(|name| (index, name.as_str()))
    };
    arguments.iter().enumerate().filter_map(|(index, argument)| find(index, argument)).collect()
}

#[cfg(test)]
mod tests {
    use stablehlo::element::ElementType;

    use super::*;

    #[test]
    fn names_of_paths() {
        assert_eq!(plain("images").as_deref(), Some("images"));
        assert_eq!(plain("w['conv1.bias']").as_deref(), Some("conv1.bias"));
        assert_eq!(plain("params['layer'][0]['kernel']").as_deref(), Some("layer.0.kernel"));
        assert_eq!(plain("x[").as_deref(), None);
        assert_eq!(plain("x[']").as_deref(), None);
    }

    #[test]
    fn arrays_find_their_arguments() {
        let argument = |name: Option<&str>| Argument {
            name: name.map(str::to_owned),
            element: ElementType::F32,
            shape: Vec::new(),
        };
        let arguments = [argument(Some("w")), argument(None), argument(Some("x"))];
        let names = ["in_0", "in_1", "w", "y"].map(str::to_owned);
        assert_eq!(matching(&names, &arguments), [(0, "w"), (1, "in_1")]);
    }
}
