//! Reading of bytecode, by hand-made files and by files of other tools.

mod assemble;
mod encodings;
mod files;
mod hostile;
mod read;
mod writing;

use stablehlo::bytecode::Error;
use stablehlo::ir::Module;
use stablehlo::syntax::{PrintOptions, print};

use assemble::File;

fn read_file(file: &File) -> Result<Module, Error> {
    stablehlo::bytecode::read(file.bytes(), "test")
}

/// The module in generic form with locations.
fn printed(module: &Module) -> String {
    print(module, PrintOptions { generic: true, locations: true, ..PrintOptions::default() })
}

/// What reading says about a faulty file.
fn fault(file: &File) -> (&'static str, String) {
    let error = read_file(file).expect_err("the file is faulty");
    assert!(error.offset <= file.bytes().len() as u64, "{error:?}");
    (error.code, error.message)
}
