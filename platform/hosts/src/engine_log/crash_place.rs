//! Where an engine of machine code died, in words: the function, and those that called it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::panic_notice::is_foreign;
use crate::platform::{CrashCall, CrashReport};
use crate::symbols;

/// The calls that stand in the first line, and in all.
const FIRST: usize = 3;
const MOST: usize = 12;

/// ` at address 0x10 in evaluate (eval.c:42), called from search (search.c:120)`.
pub(super) fn words(report: &CrashReport, symbols: Option<&(PathBuf, PathBuf)>) -> String {
    let mut words = String::new();
    match report.address {
        Some(_) if report.is_overflow => words += ", for its stack was full,",
        Some(address) => {
            let _ = write!(words, " at address {address:#x}");
        }
        None => {}
    }
    let calls = calls(report, symbols);
    let [first, callers @ ..] = &calls[..] else { return words };
    let _ = write!(words, " in {first}");
    let (near, far) = callers.split_at(callers.len().min(FIRST - 1));
    if !near.is_empty() {
        let _ = write!(words, ", called from {}", near.join(", "));
    }
    if !far.is_empty() {
        let _ = write!(words, "; called before that:\n{}", far.join("\n"));
    }
    words
}

/// The innermost call, whether or not it is the engine's, and the engine's own calls.
fn calls(report: &CrashReport, symbols: Option<&(PathBuf, PathBuf)>) -> Vec<String> {
    let own = report.calls.iter().filter(|call| call.is_engines());
    let addresses: Vec<u64> = own.map(|call| call.offset).collect();
    let file = symbols.map_or(Path::new(""), |(_, file)| file);
    let mut named = match symbols {
        Some((program, file)) => symbols::functions(program, file, &addresses).into_iter(),
        None => vec![Vec::new(); addresses.len()].into_iter(),
    };
    let mut calls: Vec<String> = Vec::new();
    for (number, call) in report.calls.iter().enumerate() {
        let CrashCall { file: library, offset } = call;
        let names = match call.is_engines() {
            true => named.next().unwrap_or_default(),
            // The system's way to end a process says nothing.
            false if number == 0 && library != "?" && !report.is_abort() => {
                vec![format!("{library}+{offset:#x}")]
            }
            false => continue,
        };
        if call.is_engines() && names.is_empty() {
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            calls.push(format!("{file}+{offset:#x}"));
        }
        calls.extend(names.into_iter().filter(|name| !is_foreign(name)));
    }
    // A function that calls itself is named once.
    calls.dedup();
    calls.truncate(MOST);
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_without_names_is_an_address_in_a_file() {
        let call = |file: &str, offset| CrashCall { file: file.to_owned(), offset };
        let calls = vec![call("libc.so.6", 16), call("engine", 255), call("host", 1)];
        let report = CrashReport { signal: 11, address: Some(8), is_overflow: false, calls };
        let file = Some((PathBuf::from("/nowhere/tengen"), PathBuf::from("/own/libmine.so")));
        let told = words(&report, file.as_ref());
        assert_eq!(told, " at address 0x8 in libc.so.6+0x10, called from libmine.so+0xff");
        let full = CrashReport { is_overflow: true, calls: Vec::new(), ..report };
        assert_eq!(words(&full, None), ", for its stack was full,");
    }
}
