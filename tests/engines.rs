//! `tengen engines`: what lies in the folder, and whether it keeps the contract.

mod common;

use common::{ALPHABETA, ALPHABETA_WASM, GREEDY, GREEDY_WASM, MINIMAL_C, ProgramRun, json, tengen};

const EXAMPLES: [&str; 8] = [
    GREEDY,
    ALPHABETA,
    MINIMAL_C,
    "nnue",
    GREEDY_WASM,
    ALPHABETA_WASM,
    "minimal-c-wasm",
    "nnue-wasm",
];

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
        // What a whole check looks at beyond that, the same source was asked as a library.
        let is_again = id.ends_with("-wasm") || id.starts_with("builtin:");
        let quick = is_again.then_some("--quick");
        let run = ProgramRun::of(&mut tengen(["engines", "check", id].into_iter().chain(quick)));
        run.done();
    }
}

/// It reads its weights wherever it is loaded: natively, as a module, among other engines and in a
/// folder of its own, and says so where there are none.
#[test]
fn the_network_finds_its_weights() {
    let folder = tempfile::TempDir::new().unwrap();
    let library = common::rust_library(std::path::Path::new(""), "nnue");
    let files = [library.to_str().unwrap(), "nnue.wasm", "nnue.weights"];
    for (place, files) in [("engines", &files[..]), ("own", &files), ("bare", &files[..2])] {
        std::fs::create_dir(folder.path().join(place)).unwrap();
        for file in files {
            let from = common::repository("engines").join(file);
            std::fs::copy(from, folder.path().join(place).join(file)).unwrap();
        }
    }
    let (mut said, dir) = (Vec::new(), folder.path().join("engines"));
    for place in ["engines", "own", "bare"] {
        for file in &files[..2] {
            let engine = folder.path().join(place).join(file);
            let ask = ["analyse", engine.to_str().unwrap(), "h8", "i9", "h9", "--nodes", "3000"];
            let flags = ["--json", "--dir", dir.to_str().unwrap()];
            let text = ProgramRun::of(&mut tengen(ask.into_iter().chain(flags))).done();
            assert_eq!(text.contains("tengen_fetch: nnue.weights"), place == "bare", "{text}");
            let answer: serde_json::Value =
                serde_json::from_str(text.lines().last().unwrap()).unwrap();
            said.push((place, format!("{} {}", answer["pv"], answer["eval"])));
        }
    }
    // The same search in all places, with the same network.
    let values = |place: &str| {
        said.iter().filter(|(at, _)| *at == place).map(|(_, text)| text).collect::<Vec<_>>()
    };
    assert_eq!(values("engines"), values("own"));
    assert_ne!(said[0].1, said[4].1, "the network changes what it thinks");
}

/// The answers that are kept.
#[cfg(unix)]
fn kept(cache: &std::path::Path) -> usize {
    std::fs::read_dir(cache.join("tengen/probes")).map_or(0, Iterator::count)
}

#[cfg(unix)]
#[test]
fn an_engine_is_run_once_until_it_changes() {
    let folder = tempfile::TempDir::new().unwrap();
    let (engines, cache) = (folder.path().join("engines"), folder.path().join("cache"));
    std::fs::create_dir(&engines).unwrap();
    let engine = engines.join("greedy.so");
    std::fs::copy(common::repository("engines/libgreedy.so"), &engine).unwrap();
    let list = || {
        let mut command = tengen(["engines", "list", "--dir", engines.to_str().unwrap()]);
        ProgramRun::of(command.env("XDG_CACHE_HOME", &cache)).done()
    };
    let first = list();
    // The answer and the file that it is of; and the same of the engine that is built in.
    assert_eq!(kept(&cache), 4);
    assert_eq!((list(), kept(&cache)), (first, 4));
    std::fs::copy(common::repository("engines/minimal-c.so"), &engine).unwrap();
    let text = list();
    assert!(text.contains("greedy ") && kept(&cache) == 6, "{text}");
}

#[test]
fn the_reader_may_stop_before_the_end() {
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
