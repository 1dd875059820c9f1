//! The binary as its users see it: what it prints and how it ends.

#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

mod bytecode;
mod convert;
mod engines;
mod explain;
mod fmt;
mod hostile;
mod run;
mod usage;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of the binary gave.
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    fn new(output: Output) -> Self {
        Self {
            code: output.status.code().expect("the process exits by itself"),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// Standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    /// Everything, for snapshots.
    pub fn everything(&self) -> String {
        format!("exit: {}\n--- stdout\n{}--- stderr\n{}", self.code, self.out, self.err)
    }
}

/// A command in directory `dir` with an environment that does not depend on who runs the tests.
pub fn command(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shlo"));
    command.args(arguments).current_dir(dir);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "COLUMNS", "SHLO_ISA"] {
        command.env_remove(name);
    }
    command
}

/// Runs the binary in `dir`.
pub fn shlo_in(dir: &Path, arguments: &[&str]) -> Ran {
    Ran::new(command(dir, arguments).stdin(Stdio::null()).output().expect("the binary runs"))
}

/// Runs the binary.
pub fn shlo(arguments: &[&str]) -> Ran {
    shlo_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
}

/// Runs the binary with `text` as its standard input.
pub fn shlo_with_input(arguments: &[&str], text: &[u8]) -> Ran {
    let mut command = command(Path::new(env!("CARGO_MANIFEST_DIR")), arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_vec();
    // The binary may end without reading everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&text)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran::new(output)
}

/// A directory for one test, empty at first and removed at its end.
pub struct Directory(PathBuf);

impl Directory {
    /// An empty directory; `name` must differ between tests.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("it-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, with its directories.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// Runs the binary in it.
    pub fn shlo(&self, arguments: &[&str]) -> Ran {
        shlo_in(&self.0, arguments)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program that is right.
pub const RIGHT: &str = "\
func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
";

/// A program that breaks rule `pad_c3`.
pub const WRONG: &str = "\
func.func @main(%a: tensor<2xf16>, %v: tensor<f16>) -> tensor<2xf16> {
  %0 = stablehlo.pad %a, %v, low = [0], high = [0], interior = [-1] : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}
";

/// A program that cannot be parsed.
pub const BROKEN: &str = "func.func @main( {\n";
