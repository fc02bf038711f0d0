//! The files of text engines: what each finds beside it, wherever it lies, and what it is told it
//! must not.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use common::{EngineBuilder, PATIENT, ask, in_game, point, setup};
use tengen_hosts::package::{discover, resolve};
use tengen_hosts::{CheckScope, EngineSpec, check, player, probe};

/// A brain in the language of the shell. `$answer` says what it plays, as a command; it begins
/// with what is put before.
fn brain(begin: &str, answer: &str) -> String {
    format!(
        r#"#!/bin/sh
{begin}
while read -r line; do
  case $line in
    START*|RESTART*) echo OK;;
    BEGIN*|TURN*|DONE*) {answer};;
    ABOUT*) echo 'name="Shell"';;
    END*) exit 0;;
  esac
done
"#
    )
}

/// Lays down a file, with folders.
fn lay(shop: &EngineBuilder, file: &str, text: &str, mode: u32) -> PathBuf {
    let path = shop.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

fn dir(shop: &EngineBuilder) -> PathBuf {
    shop.path().join("engines")
}

fn at(shop: &EngineBuilder, path: &Path) -> EngineSpec {
    resolve(path.to_str().unwrap(), &dir(shop)).unwrap()
}

/// Has it play a move, and gives that and what is said of it.
fn plays(shop: &EngineBuilder, spec: &EngineSpec) -> (String, Vec<String>) {
    let mut player = in_game(spec, &shop.settings());
    let reply = ask(&mut *player, &[], Some(PATIENT));
    let point = point(&reply).unwrap_or_else(|| panic!("{reply:?}"));
    (point.to_string(), player.take_said())
}

/// Whether denials are seen at all: not where there is no sandbox, or this process is watched
/// itself.
fn sees(shop: &EngineBuilder) -> bool {
    let spy = lay(shop, "spy/pbrain-spy", &brain("cat ../secret", "echo 7,7"), 0o755);
    lay(shop, "secret", "words", 0o644);
    !plays(shop, &at(shop, &spy)).1.is_empty()
}

/// Whether the kernel is one that this machine's tests hold to the full.
fn must_see(shop: &EngineBuilder) -> bool {
    let layers = probe(&shop.bad("GOOD"), &shop.settings()).unwrap().layers;
    layers.iter().any(|layer| layer == "landlock")
}

#[test]
fn a_brain_reads_what_lies_beside_it() {
    let shop = EngineBuilder::new();
    let answer = "if [ \"$(cat config.toml)\" = words ] && [ \"$(cat \"$0.note\")\" = more ]\n\
                  then echo 7,7; else echo 0,0; fi";
    for folder in ["Rapfi", "engines/package"] {
        let path = lay(&shop, &format!("{folder}/pbrain-rapfi"), &brain("", answer), 0o755);
        lay(&shop, &format!("{folder}/config.toml"), "words", 0o644);
        lay(&shop, &format!("{folder}/pbrain-rapfi.note"), "more", 0o644);
        assert_eq!(plays(&shop, &at(&shop, &path)).0, "h8", "{folder}");
    }
    let listing = discover(&dir(&shop)).unwrap();
    assert_eq!(plays(&shop, listing.get("package").unwrap()).0, "h8");
}

#[test]
fn a_command_starts_its_program_where_that_lies() {
    let shop = EngineBuilder::new();
    let answer =
        "if [ -f config.toml ] && [ \"$(cat \"$1\")\" = book ]\nthen echo 7,7; else echo 0,0; fi";
    lay(&shop, "Rapfi/pbrain-rapfi", &brain("", answer), 0o755);
    lay(&shop, "Rapfi/config.toml", "words", 0o644);
    lay(&shop, "book.txt", "book", 0o644);
    let words = "cmd:./Rapfi/pbrain-rapfi book.txt";
    let spec = tengen_hosts::package::command(words, Some(shop.path()), Some(&dir(&shop)));
    assert_eq!(plays(&shop, &spec.unwrap().unwrap()).0, "h8");
}

#[test]
fn a_bare_brain_reads_the_files_named_like_it_and_no_others() {
    let shop = EngineBuilder::new();
    let answer = r#"here=${0%/*}
      if [ "$(cat pbrain-x.ini)" = mine ] && [ "$(cat "$here/pbrain-x.ini")" = mine ]
      then if cat "$here/pbrain-y.ini"; then echo 1,1; else echo 7,7; fi
      else echo 0,0; fi"#;
    lay(&shop, "engines/pbrain-x", &brain("echo note > log.txt", answer), 0o755);
    lay(&shop, "engines/pbrain-x.ini", "mine", 0o644);
    lay(&shop, "engines/pbrain-y", &brain("", "echo 7,7"), 0o755);
    let other = lay(&shop, "engines/pbrain-y.ini", "yours", 0o644);
    let listing = discover(&dir(&shop)).unwrap();
    assert!(listing.refused.is_empty(), "{:?}", listing.refused);
    let (point, said) = plays(&shop, listing.get("pbrain-x").unwrap());
    if must_see(&shop) {
        assert_eq!(point, "h8");
    }
    if sees(&shop) {
        assert!(said.contains(&format!("was denied {}", other.display())), "{said:?}");
    }
    assert!(!dir(&shop).join("log.txt").exists(), "it writes in its own folder");
}

#[test]
fn a_denied_path_comes_first_in_what_is_said_of_a_failure() {
    let shop = EngineBuilder::new();
    if !must_see(&shop) || !sees(&shop) {
        return;
    }
    let secret = shop.path().join("secret").display().to_string();
    let begin = format!("cat {secret} > /dev/null || {{ echo trace >&2; exit 3; }}");
    let path = lay(&shop, "a/pbrain-a", &brain(&begin, "echo 7,7"), 0o755);
    let fault = player(&at(&shop, &path), &shop.settings()).new_game(&setup()).unwrap_err();
    let expected = format!("{secret}; exited with code 3; it said last:");
    assert!(fault.detail.starts_with("was denied "), "{}", fault.detail);
    assert!(fault.detail.contains(&expected), "{}", fault.detail);
    let error = probe(&at(&shop, &path), &shop.settings()).unwrap_err().to_string();
    assert!(error.contains("was denied ") && error.contains(&secret), "{error}");
}

#[test]
fn a_check_says_which_files_an_engine_reads_and_what_it_is_denied() {
    let shop = EngineBuilder::new();
    let sees = must_see(&shop) && sees(&shop);
    let begin = "cat ../secret; echo x > beside.txt; cat ../absent";
    let path = lay(&shop, "a/pbrain-a", &brain(begin, "echo 7,7"), 0o755);
    let steps = check(&at(&shop, &path), &shop.settings(), CheckScope::default());
    let detail =
        |name: &str| steps.iter().find(|step| step.name == name).map(|step| step.detail.clone());
    let folder = path.parent().unwrap().display().to_string();
    assert_eq!(detail("files").unwrap(), format!("reads {folder}/pbrain-a, {folder}/"));
    if sees {
        let secret = shop.path().join("secret").display().to_string();
        let denied = detail("denied").unwrap();
        for path in [secret, format!("{folder}/beside.txt (to write)")] {
            assert!(denied.contains(&path), "{path}: {denied}");
        }
        assert!(!denied.contains("absent"), "{denied}");
    }
}

#[test]
fn a_sibling_program_runs_where_the_manifest_says_so() {
    let shop = EngineBuilder::new();
    let answer = "if ./search; then echo 7,7; else echo 0,0; fi";
    let program = brain("", answer);
    let manifest = |helper: &str| {
        format!(
            "<engines><engine id=\"e\" kind=\"gomocup\"><program>pbrain-e</program>{helper}\
             </engine></engines>"
        )
    };
    let play = |folder: &str, helper: &str| {
        lay(&shop, &format!("{folder}/pbrain-e"), &program, 0o755);
        lay(&shop, &format!("{folder}/search"), "#!/bin/sh\nexit 0\n", 0o755);
        lay(&shop, &format!("{folder}/engine.xml"), &manifest(helper), 0o644);
        plays(&shop, &at(&shop, &shop.path().join(folder)))
    };
    assert_eq!(play("with", "<helper>search</helper>").0, "h8");
    if must_see(&shop) {
        let (point, said) = play("without", "");
        assert_eq!(point, "a15");
        if sees(&shop) {
            let search = shop.path().join("without/search");
            let expected = format!("was denied {} (to run)", search.display());
            assert!(said.contains(&expected), "{said:?}");
        }
    }
}

#[test]
fn what_goes_to_dev_null_goes() {
    let shop = EngineBuilder::new();
    let answer = "if echo x >/dev/null 2>&1 && cat /dev/null; then echo 7,7; else echo 0,0; fi";
    let path = lay(&shop, "a/pbrain-a", &brain("", answer), 0o755);
    assert_eq!(plays(&shop, &at(&shop, &path)).0, "h8");
}

#[test]
fn a_python_script_imports_what_lies_beside_it() {
    let shop = EngineBuilder::new();
    // As asyncio does, it makes a pair of sockets that joins no other process.
    let script = r#"#!/usr/bin/env python3
import sys, random, json, socket, net
socket.socketpair()
for line in sys.stdin:
    word = line.split()[:1]
    if word in (['START'], ['RESTART']): print('OK', flush=True)
    if word in (['BEGIN'], ['TURN']): print(net.MOVE, flush=True)
    if word == ['END']: break
"#;
    let path = lay(&shop, "a/pbrain-a", script, 0o755);
    lay(&shop, "a/net.py", "MOVE = open('weights.txt').read()\n", 0o644);
    lay(&shop, "a/weights.txt", "7,7", 0o644);
    assert_eq!(plays(&shop, &at(&shop, &path)).0, "h8");
    let folder = shop.path().join("a");
    let spec = tengen_hosts::package::command("cmd:python3 pbrain-a", Some(&folder), None);
    assert_eq!(plays(&shop, &spec.unwrap().unwrap()).0, "h8");
}
