//! The pages for authors: every command on them is run, in order.
#![cfg(target_os = "linux")]

mod common;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{SPOILED, repository};
use tempfile::TempDir;

/// A block of code of a page.
struct CodeBlock {
    language: String,
    text: String,
}

/// The blocks of a page, or of one section of it: of its lines from `## SECTION` to the next such.
fn blocks(page: &str, section: Option<&str>) -> Vec<CodeBlock> {
    let text = fs::read_to_string(repository("docs").join(page)).unwrap();
    let mut is_wanted = section.is_none();
    let mut blocks: Vec<CodeBlock> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if let (Some(title), Some(section)) = (line.strip_prefix("## "), section) {
            is_wanted = title == section;
        }
        if !is_wanted {
            continue;
        }
        match (line.strip_prefix("```"), is_inside) {
            (Some(language), false) => {
                blocks.push(CodeBlock { language: language.to_owned(), text: String::new() });
                is_inside = true;
            }
            (Some(_), true) => is_inside = false,
            (None, true) => {
                let block = blocks.last_mut().unwrap();
                block.text += line;
                block.text += "\n";
            }
            (None, false) => {}
        }
    }
    blocks
}

/// The folders of programs, that of this `tengen` first.
fn path() -> OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_tengen")).parent().unwrap().to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    env::join_paths(std::iter::once(own).chain(env::split_paths(&others))).unwrap()
}

/// Runs a command as a reader would, but without waiting for questions.
fn run(command: &str, folder: &Path) {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).stdin(Stdio::null());
    shell.env("PATH", path()).env("CARGO_NET_OFFLINE", "true");
    shell.env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
    let output = shell.output().unwrap();
    // Games that a busy machine spoiled are no fault of the page.
    let is_done = matches!(output.status.code(), Some(0 | SPOILED));
    let (said, wrong) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(is_done, "{command}: {:?}\n{said}\n{wrong}", output.status);
}

/// Does what a page or a section of it says: its commands, and the code that it shows goes into
/// that file.
fn follow(page: &str, section: Option<&str>, code: Option<&str>) {
    let ground = TempDir::new().unwrap();
    let mut folder: PathBuf = ground.path().to_owned();
    let mut commands = 0;
    for CodeBlock { language, text } in blocks(page, section) {
        match (&*language, code) {
            ("sh", _) => {
                for line in text.lines() {
                    match line.strip_prefix("cd ") {
                        Some(inner) => folder.push(inner),
                        None => run(line, &folder),
                    }
                    commands += 1;
                }
            }
            ("rust", Some(file)) => fs::write(folder.join(file), text).unwrap(),
            _ => {}
        }
    }
    assert!(commands >= 4, "{page} {section:?} has {commands} commands");
}

fn is_there(program: &str, question: &str) -> bool {
    let asked = Command::new(program).arg(question).output();
    let is_there = asked.is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("note: no {program} here, so that page was not tried");
    }
    is_there
}

#[test]
fn the_guide_leads_to_a_rated_engine() {
    if is_there("rustup", "--version") {
        follow("guide.md", None, Some("src/lib.rs"));
    }
}

/// The guide in Chinese is shorter; what it has is the same but for comments, and need not be run.
#[test]
fn the_guide_in_chinese_is_a_part_of_the_guide() {
    let code = |blocks: &[CodeBlock], language: &str| -> Vec<String> {
        let blocks = blocks.iter().filter(|block| block.language == language);
        let lines = blocks.flat_map(|block| block.text.lines());
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        lines.map(|line| line.split("  #").next().unwrap().trim_end().to_owned()).collect()
    };
    let chinese = blocks("zh/authors.md", Some("从零到有等级分"));
    let guide = blocks("guide.md", None);
    assert_eq!(code(&chinese, "rust"), code(&guide, "rust"));
    let (commands, known) = (code(&chinese, "sh"), code(&guide, "sh"));
    assert!(commands.len() > 15);
    for command in commands {
        assert!(known.contains(&command), "not in the guide: {command}");
    }
}

#[test]
fn the_page_holds_for_c() {
    if is_there("make", "--version") && is_there("cc", "--version") {
        follow("languages.md", Some("C"), None);
    }
}

#[test]
fn the_page_holds_for_cpp() {
    if is_there("make", "--version") && is_there("c++", "--version") {
        follow("languages.md", Some("C++17"), None);
    }
}

#[test]
fn the_page_holds_for_zig() {
    if is_there("zig", "version") {
        follow("languages.md", Some("Zig"), None);
    }
}

#[test]
fn the_page_holds_for_python() {
    if is_there("python3", "--version") {
        follow("languages.md", Some("Python"), None);
    }
}

/// Its compiler comes from a registry of packages, which may be out of reach.
#[test]
fn the_page_holds_for_assemblyscript() {
    let registry = Command::new("npm").args(["view", "assemblyscript", "version"]).output();
    if registry.is_ok_and(|output| output.status.success()) {
        follow("languages.md", Some("AssemblyScript"), None);
    } else {
        eprintln!("note: no registry of npm here, so the page for AssemblyScript was not tried");
    }
}
