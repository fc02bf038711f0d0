//! `tengen engines`: what lies in the folder, and whether it keeps the contract.

mod common;

use common::{ALPHABETA, ALPHABETA_WASM, GREEDY, GREEDY_WASM, MINIMAL_C, ProgramRun, json, tengen};

const EXAMPLES: [&str; 6] =
    [GREEDY, ALPHABETA, MINIMAL_C, GREEDY_WASM, ALPHABETA_WASM, "minimal-c-wasm"];

#[test]
fn the_examples_are_listed_with_what_they_say_of_themselves() {
    let listing = json(["engines", "list", "--json"]);
    let engines = listing["engines"].as_array().unwrap();
    for id in EXAMPLES.into_iter().chain(["builtin:alphabeta"]) {
        let engine = engines.iter().find(|engine| engine["id"] == id).expect(id);
        assert!(engine["name"].is_string(), "{engine}");
        assert_eq!(engine["hash"].as_str().unwrap().len(), 64, "{engine}");
    }
}

#[test]
fn every_example_passes_its_check() {
    for id in EXAMPLES.into_iter().chain(["builtin:alphabeta"]) {
        let run = ProgramRun::of(&mut tengen(["engines", "check", id]));
        run.done();
    }
}

#[test]
fn nobody_need_read_on_to_the_end() {
    let book = "convert tests/data/formats/suite.txt - --from pos --to offset";
    let position = "rules forbidden tests/data/forbidden_named.jsonl";
    for arguments in ["engines list", "engines check greedy", "tournament list", book, position] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = tengen(arguments.split(' '));
        command.stdout(writer.try_clone().unwrap());
        let run = ProgramRun::of(&mut command);
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{arguments}");
        command.stderr(writer);
        assert_eq!(command.status().unwrap().code(), Some(0), "{arguments}");
    }
}
