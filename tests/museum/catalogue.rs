//! The catalogue for people, made of the tables that the tests run.

use std::fs;

use crate::common::repository;
use crate::exhibit::ExpectedEnding;
use crate::{in_c, special, wasm};

const PAGE: &str = "docs/misbehaviour.md";

/// One row for every misdeed: what it ends in as a library, as a module, and as a text engine.
fn table() -> String {
    let mut rows: Vec<(&str, [Option<ExpectedEnding>; 3])> = Vec::new();
    let all = in_c().chain(special::ALL).chain(wasm::ALL);
    for exhibit in all {
        let place = exhibit.form() as usize;
        match rows.iter_mut().find(|(does, _)| *does == exhibit.does) {
            Some((_, ends)) => ends[place] = Some(exhibit.ends),
            None => {
                let mut ends = [None; 3];
                ends[place] = Some(exhibit.ends);
                rows.push((exhibit.does, ends));
            }
        }
    }
    let mut table =
        "| an engine that … | as a library | as WASM | as a text engine |\n|---|---|---|---|\n"
            .to_owned();
    for (does, ends) in rows {
        let [native, wasm, brain] = ends.map(words);
        table += &format!("| {does} | {native} | {wasm} | {brain} |\n");
    }
    table
}

fn words(ends: Option<ExpectedEnding>) -> String {
    match ends {
        None => String::new(),
        Some(ExpectedEnding::Plays) => "plays on".to_owned(),
        Some(ExpectedEnding::Loses(termination)) => format!("`{}`", termination.name()),
        Some(ExpectedEnding::Refused(_)) => "refused before the event".to_owned(),
        Some(ExpectedEnding::SetAside(_)) => "skipped before the first game".to_owned(),
        Some(ExpectedEnding::Walled(layers, termination)) => {
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
