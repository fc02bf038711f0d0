//! Completions and manual pages, and what `tengen gui` says in a build without the window.

mod common;

use std::collections::BTreeSet;
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
        // It is longer than an argument may be.
        common::fed(bash.arg("--norc"), ask).done().trim().to_owned()
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

/// Everyday options fit on one screen, a line each; all are in the long help.
#[test]
fn the_short_help_of_an_event_is_one_screen() {
    for command in [&["match"][..], &["tournament", "run"], &["gui"]] {
        if command == ["gui"] && cfg!(not(feature = "gui")) {
            continue;
        }
        let help = |flag: &str| done(command.iter().copied().chain([flag]));
        let flags = |text: &str| -> BTreeSet<String> {
            let lines = text.lines().map(str::trim_start).filter(|line| line.starts_with("--"));
            lines.map(|line| line.split([' ', '[']).next().unwrap().to_owned()).collect()
        };
        let (short, long) = (help("-h"), help("--help"));
        assert!(short.lines().count() <= 50 && flags(&short).len() <= 30, "{short}");
        assert!(flags(&long).len() > 50 && flags(&long).is_superset(&flags(&short)), "{long}");
        let is_wrapped = |line: &&str| line.starts_with("             ");
        assert_eq!(short.lines().find(is_wrapped), None, "{short}");
    }
}

/// A flag of any command has one line there, and is explained in the long help.
#[test]
fn the_short_help_of_a_command_has_a_line_for_each_flag() {
    for command in [
        "tournament resume",
        "tournament extend",
        "tournament add",
        "tournament remove",
        "tournament report",
        "tournament list",
        "engines new",
        "engines list",
        "engines show",
        "engines check",
        "engines package",
        "analyse",
        "bench",
        "brain",
        "debug",
        "rate",
        "openings make",
        "openings check",
        "openings show",
        "doctor",
        "convert",
        "play",
        "serve",
        "worker",
    ] {
        let short = done(command.split(' ').chain(["-h"]));
        let flags = short.lines().filter(|line| line.trim_start().starts_with("--"));
        assert!(flags.count() <= 30, "{short}");
        let is_wrapped = |line: &&str| line.starts_with("             ");
        assert_eq!(short.lines().find(is_wrapped), None, "{short}");
        for word in ["sandbox", "debug-", "folder-limit"] {
            assert!(!short.contains(&format!("--{word}")), "{short}");
        }
    }
}

#[test]
fn any_key_of_an_event_file_is_set_on_the_command_line() {
    let folder = TempDir::new().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let engines = ["match", "builtin:alphabeta", "builtin:alphabeta", "--games", "2"];
    let run = |name: &str, more: &[&str]| {
        let out = out(name);
        let rest = more.iter().copied().chain(["--out", &out]);
        common::ProgramRun::of(&mut common::tengen(engines.into_iter().chain(rest)))
    };
    run("set", &["--set", "stall=7", "--set", "tc=nodes=12", "--set", "alike=board"]).done();
    run("flags", &["--tc", "nodes=9", "--stall", "7", "--passing", "--alike=board"]).done();
    let file =
        |name: &str| fs::read_to_string(folder.path().join(name).join("event.toml")).unwrap();
    for (name, line) in [
        ("set", "tc = \"nodes=12\""),
        ("set", "stall = 7.0"),
        ("flags", "stall = 7.0"),
        ("flags", "passing = true"),
        ("set", "alike = \"board\""),
        ("flags", "alike = \"board\""),
    ] {
        assert!(file(name).lines().any(|one| one == line), "no `{line}` in:\n{}", file(name));
    }
    run("wrong", &["--set", "stal=7"]).refused(2, &["stal=7", "unknown field", "`stall`"]);
    run("wrong", &["--set", "stall=soon"]).refused(2, &["stall=soon", "seconds"]);
    run("wrong", &["--set", "stall"]).refused(2, &["KEY=VALUE", "stall=600"]);
}
