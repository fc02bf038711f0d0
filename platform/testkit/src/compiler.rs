//! The C compiler of tests.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::Command;

use serde_json::json;

/// The variable with the address where something compiles for these tests. Tests that run under
/// Wine cannot start a compiler of the machine; `cargo xtask windows` sets it.
const ADDRESS: &str = "TENGEN_COMPILER";

/// Compiles C by `cc`, or by the machine that runs these tests under Wine.
///
/// # Panics
///
/// If there is no compiler, or what it is given does not compile.
pub fn compile_c(words: impl IntoIterator<Item = impl AsRef<OsStr>>) {
    let words: Vec<_> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
    let Ok(address) = std::env::var(ADDRESS) else {
        let status = Command::new("cc").args(&words).status();
        let status = status.expect("a C compiler named cc, which these tests need");
        assert!(status.success(), "cc fails with {words:?}");
        return;
    };
    let words: Vec<_> = words.iter().map(|word| word.to_str().expect("words are text")).collect();
    let mut stream = TcpStream::connect(address).expect("cargo xtask windows listens");
    let folder = std::env::current_dir().expect("a working folder");
    let question = json!({ "folder": folder, "words": words }).to_string();
    stream.write_all(question.as_bytes()).expect("it reads");
    stream.shutdown(Shutdown::Write).expect("it is a connection");
    let mut problem = String::new();
    stream.read_to_string(&mut problem).expect("it answers");
    assert!(problem.is_empty(), "the compiler fails with {words:?}:\n{problem}");
}

/// The same of a source and the header of the SDK, whose paths are from this repository's root.
pub fn compile_source(source: &str, to: &Path, flags: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (source, include) = (root.join(source), root.join("engine-sdk/include"));
    let paths = [source.as_path(), Path::new("-I"), &include, Path::new("-o"), to];
    let paths = paths.iter().map(|path| path.as_os_str());
    // What Windows has no library of its own for, as threads, is in no folder that an engine sees.
    let whole = if cfg!(windows) { &["-static", "-lws2_32", "-lpthread"][..] } else { &[] };
    compile_c(paths.chain([flags, whole].concat().iter().map(OsStr::new)));
}
