//! Completions and manual pages, and what `tengen gui` says in a build without the window.

mod common;

use std::fs;

use common::done;
use tempfile::TempDir;

#[test]
fn every_shell_has_completions_with_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = done(["completions", shell]);
        for word in ["tournament", "resume", "openings-symmetries", "completions"] {
            assert!(script.contains(word), "no `{word}` for {shell}");
        }
    }
    #[cfg(unix)]
    common::ProgramRun::of(&mut common::tengen(["completions", "tcsh"]))
        .refused(2, &["tcsh", "bash, elvish, fish, powershell, zsh"]);
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_commands_and_flags() {
    let script = done(["completions", "bash"]);
    let complete = |words: &[&str]| {
        let last = words.last().unwrap();
        let ask = format!(
            "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_tengen tengen '{last}' x\n\
             echo \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len() - 1
        );
        let mut bash = std::process::Command::new("bash");
        common::ProgramRun::of(bash.args(["--norc", "-c", &ask])).done().trim().to_owned()
    };
    assert_eq!(complete(&["tengen", "tour"]), "tournament");
    assert_eq!(complete(&["tengen", "tournament", "res"]), "resume");
    assert_eq!(complete(&["tengen", "match", "--openings-sy"]), "--openings-symmetries");
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("man1");
    done(["man", "--out", pages.to_str().unwrap()]);
    let page = |name: &str| fs::read_to_string(pages.join(name)).expect(name);
    let main = page("tengen.1");
    assert_eq!(main, done(["man"]));
    for part in [".TH tengen 1", "tengen\\-match(1)", "Exit codes"] {
        assert!(main.contains(part), "no `{part}` in:\n{main}");
    }
    let resume = page("tengen-tournament-resume.1");
    for part in ["\\fBtengen tournament resume\\fR", "\\-\\-repair", ".SH EXAMPLES\n.nf\n"] {
        assert!(resume.contains(part), "no `{part}` in:\n{resume}");
    }
    let commands = ["match", "gui", "brain", "doctor", "convert", "rules-replay", "engines-check"];
    for command in commands {
        page(&format!("tengen-{command}.1"));
    }
}

#[cfg(not(feature = "gui"))]
#[test]
fn a_build_without_the_window_says_how_to_get_one() {
    for arguments in [&["gui"][..], &["gui", "greedy", "alphabeta", "--rule", "renju"]] {
        let run = common::ProgramRun::of(&mut common::tengen(arguments.iter().copied()));
        run.refused(2, &["no window", "cargo build --release", "tengen gui"]);
    }
}
