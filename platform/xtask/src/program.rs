//! The program and the engines together: a demo game, or a package.

use std::path::Path;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::engines;
use crate::process::{self, RELEASE, cargo};
use crate::steps::Steps;

/// The completion scripts: the shell, the file, and where it belongs below `/usr`.
pub(crate) const COMPLETIONS: [(&str, &str, &str); 3] = [
    ("bash", "tengen.bash", "share/bash-completion/completions/tengen"),
    ("zsh", "_tengen", "share/zsh/vendor-completions/_tengen"),
    ("fish", "tengen.fish", "share/fish/vendor_completions.d/tengen.fish"),
];

pub(crate) fn demo(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("engines", |notes| engines::build_examples(sh, notes))?;
    let program = steps.step("program", |_| process::build_program(sh, RELEASE))?;
    steps.step("tournament", |_| play(sh, &program))?;
    steps.summarise();
    let program = program.strip_prefix(sh.current_dir()).unwrap_or(&program).display();
    println!(
        "\nThe program is {program}. To save time it was built without the window.\n\
         To add the window:  cargo build --release\n\
         To open it:         {program} gui"
    );
    Ok(())
}

fn play(sh: &Shell, program: &Path) -> Result<()> {
    let out = process::clear_target(sh, "demo")?;
    // Native engines are always built, modules only where there is a toolchain.
    let is_built = |name: &&str| sh.path_exists(format!("engines/{name}.wasm"));
    let modules = ["alphabeta", "greedy"].into_iter().filter(is_built);
    let modules = modules.map(|name| format!("{name}-wasm"));
    let tournament = cmd!(
        sh,
        "{program} tournament run --engines alphabeta greedy minimal-c {modules...}
         --rule renju --opening swap2 --tc move=0.02 --games 4 --seed 1 --out {out}"
    );
    println!("   {tournament}");
    Ok(tournament.quiet().run()?)
}

/// The task `deb`: what `cargo deb` needs besides the program, and `cargo deb` itself. What is
/// installed where is said by `[package.metadata.deb]` in `Cargo.toml`.
pub(crate) fn deb(sh: &Shell, steps: &mut Steps) -> Result<()> {
    let is_there = process::succeeds(cargo(sh, "deb --version"));
    ensure!(is_there, "cargo-deb is missing; install it by `cargo install cargo-deb`");
    steps.step("engines", |notes| engines::build_examples(sh, notes))?;
    // As the program is distributed, with the window.
    let build = "build --bin tengen --profile dist";
    let program = steps.step("program", |_| process::build_program(sh, build))?;
    // Beside the program, where `Cargo.toml` names them.
    steps.step("pages", |_| write_pages(sh, &program, &program.with_file_name("pages")))?;
    // Engines are Cargo's as well, and would be built and stripped again.
    steps.step("package", |_| Ok(cargo(sh, "deb --no-build --no-strip").run()?))
}

/// Writes the manual pages and completions of a program into a folder.
pub(crate) fn write_pages(sh: &Shell, program: &Path, folder: &Path) -> Result<()> {
    sh.remove_path(folder)?;
    cmd!(sh, "{program} man --out {folder}/man").quiet().run()?;
    for (shell, file, _) in COMPLETIONS {
        let script = cmd!(sh, "{program} completions {shell}").output()?;
        sh.write_file(folder.join(file), script.stdout)?;
    }
    println!("   {}", folder.display());
    Ok(())
}
