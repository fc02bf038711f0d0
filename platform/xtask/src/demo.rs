//! `cargo xtask demo`.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::engines;
use crate::process::{self, RELEASE};
use crate::steps::Steps;

/// The task `demo`.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
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
