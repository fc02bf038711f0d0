//! The catalogue for people, made of the tables that the tests run.

use std::fs;

use crate::common::repository;
use crate::exhibit::{ExpectedEnding, WindowsEnding};
use crate::{in_c, special, wasm};

/// What an engine ends in on Unix and on Windows.
type FormEnding = (ExpectedEnding, WindowsEnding);

const PAGE: &str = "docs/misbehaviour.md";

/// One row for every misdeed: what it ends in as a library, as a module, and as a text engine.
fn table() -> String {
    let mut rows: Vec<(&str, [Option<FormEnding>; 3])> = Vec::new();
    let all = in_c().chain(special::ALL).chain(wasm::ALL);
    for exhibit in all {
        let place = exhibit.form() as usize;
        let ending = (exhibit.ends, exhibit.on_windows);
        match rows.iter_mut().find(|(does, _)| *does == exhibit.does) {
            Some((_, ends)) => ends[place] = Some(ending),
            None => {
                let mut ends = [None; 3];
                ends[place] = Some(ending);
                rows.push((exhibit.does, ends));
            }
        }
    }
    let mut table =
        "| an engine that … | as a library | as WASM | as a text engine |\n|---|---|---|---|\n"
            .to_owned();
    for (does, ends) in rows {
        let [native, wasm, brain] = ends.map(cell);
        table += &format!("| {does} | {native} | {wasm} | {brain} |\n");
    }
    table
}

/// What a form of an engine ends in, and on Windows, where that differs.
fn cell(ending: Option<FormEnding>) -> String {
    let Some((ends, on_windows)) = ending else { return String::new() };
    let on_unix = words(ends);
    match on_windows {
        WindowsEnding::Other(ends) if words(ends) != on_unix => {
            format!("{on_unix}; Windows: {}", words(ends))
        }
        WindowsEnding::Same | WindowsEnding::Other(_) => on_unix,
        WindowsEnding::Nothing => format!("{on_unix} (Unix)"),
    }
}

fn words(ends: ExpectedEnding) -> String {
    match ends {
        ExpectedEnding::Plays => "plays on".to_owned(),
        ExpectedEnding::Loses(termination) => format!("`{}`", termination.name()),
        ExpectedEnding::Refused(_) => "refused before the event".to_owned(),
        ExpectedEnding::SetAside(_) => "skipped before the first game".to_owned(),
        ExpectedEnding::Walled(layers, termination) => {
            let layers = layers.join(" or ");
            format!("plays on with {layers}, `{}` without", termination.name())
        }
    }
}

#[test]
fn the_catalogue_is_complete_and_right() {
    let page = fs::read_to_string(repository(PAGE)).expect("the page is there");
    let table = table();
    assert!(page.contains(&table), "{PAGE} must hold this table:\n\n{table}");
}
