//! Ids of engines, from the names of their files.

use std::path::Path;

use super::path::file_name;
use super::{EngineKind, pick};

/// The longest id, in characters.
const MAX_LENGTH: usize = 64;

/// The id of a bare library, module or program.
pub(super) fn of_file(path: &Path, kind: EngineKind) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match kind {
        EngineKind::Gomocup | EngineKind::Sau => tidy(pick::stem(&file_name(path))),
        EngineKind::Wasm => tidy(&format!("{stem}-wasm")),
        EngineKind::Native | EngineKind::Builtin => {
            let bare = stem.strip_prefix("lib").filter(|rest| !rest.is_empty());
            tidy(bare.unwrap_or(&stem))
        }
    }
}

pub(super) fn of_folder(folder: &Path) -> String {
    tidy(&file_name(folder))
}

pub(super) fn of_archive(archive: &Path) -> String {
    tidy(&archive.file_stem().unwrap_or_default().to_string_lossy())
}

/// Whether a manifest may use this id.
pub(super) fn is_valid(id: &str) -> bool {
    (1..=MAX_LENGTH).contains(&id.chars().count())
        && id.chars().all(is_allowed)
        && id.starts_with(char::is_alphanumeric)
}

// It excludes path separators, `builtin:NAME`, the `NAME#2` of an engine named twice, and anything
// that a shell interprets.
fn is_allowed(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '+')
}

fn tidy(text: &str) -> String {
    let dashed: String =
        text.chars().take(MAX_LENGTH).map(|c| if is_allowed(c) { c } else { '-' }).collect();
    let start = dashed.trim_start_matches(|c: char| !c.is_alphanumeric());
    if start.is_empty() { "engine".to_owned() } else { start.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_from_names_alone() {
        let native = |path: &str| of_file(Path::new(path), EngineKind::Native);
        assert_eq!(native("engines/libgreedy.so"), "greedy");
        assert_eq!(native("greedy.dll"), "greedy");
        assert_eq!(native("lib.so"), "lib");
        assert_eq!(native("my engine#2.so"), "my-engine-2");
        assert_eq!(native("--help.so"), "help");
        assert_eq!(native("::.so"), "engine");
        assert_eq!(of_file(Path::new("greedy.wasm"), EngineKind::Wasm), "greedy-wasm");
        assert_eq!(of_folder(Path::new("engines/hoshi-1.2")), "hoshi-1.2");
        let brain = |path: &str| of_file(Path::new(path), EngineKind::Gomocup);
        assert_eq!(brain("pbrain-hoshi.exe"), "pbrain-hoshi");
        assert_eq!(brain("pbrain-hoshi-1.2"), "pbrain-hoshi-1.2");
        assert_eq!(brain("my brain.py"), "my-brain");
    }

    #[test]
    fn every_derived_id_is_valid() {
        for path in ["a/libx.so", "天元.so", "-.so", "a b.so", ".so", &"x".repeat(200)] {
            for kind in [EngineKind::Native, EngineKind::Wasm, EngineKind::Gomocup] {
                let id = of_file(Path::new(path), kind);
                assert!(is_valid(&id), "{path:?} gave {id:?}");
            }
        }
        assert!(!is_valid("") && !is_valid("builtin:x") && !is_valid("a/b") && !is_valid("-a"));
    }
}
