use super::test_folder::TestFolder;
use super::*;

/// A manifest with this inside its root element.
fn manifest(inside: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<engines>\n{inside}\n</engines>\n")
}

fn wasm_engine(id: &str, inside: &str) -> String {
    format!("<engine id=\"{id}\" kind=\"wasm\">{inside}</engine>")
}

#[test]
fn bare_files_are_engines_and_the_rest_is_passed_over() {
    let folder = TestFolder::new()
        .with_native("libgreedy")
        .with_wasm("greedy.wasm")
        .with("README.md", "words")
        .with(".hidden.wasm", "")
        .with("pbrain-yixin.exe", "words")
        .with("hoshi.rar", "Rar!");
    assert_eq!(folder.ids(), ["greedy", "greedy-wasm"]);
    let refused = folder.refused();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(refused[0].starts_with("hoshi.rar: of archives only .zip is opened; unpack it"));
    let problem = crate::ProgramError::NoProgram;
    assert!(refused[1].starts_with(&format!("pbrain-yixin.exe: {problem}")), "{refused:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn libraries_of_other_systems_are_named_as_such() {
    let folder = TestFolder::new().with("a.dll", "MZ").with("b.dylib", "");
    let refused = folder.refused();
    assert!(refused[0].starts_with("a.dll: a .dll library is for another system"), "{refused:?}");
    assert!(refused[1].contains("here native engines are .so files"), "{refused:?}");
}

#[test]
fn a_bad_file_never_stops_the_rest() {
    let folder = TestFolder::new()
        .with_wasm("a.wasm")
        .with("b.wasm", "\0asm\x01\0\0\0\x7f")
        .with("c/engine.xml", "<engines")
        .with_wasm("d.wasm");
    assert_eq!(folder.ids(), ["a-wasm", "d-wasm"]);
    let refused = folder.refused();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(refused[0].starts_with("b.wasm: damaged: "), "{refused:?}");
    let manifest = refused[1].replace(std::path::MAIN_SEPARATOR, "/");
    assert!(manifest.starts_with("c/engine.xml: line 1: damaged XML"), "{refused:?}");
}

#[test]
fn a_folder_without_a_manifest_holds_one_library() {
    let folder = TestFolder::new()
        .with_wasm("hoshi-1.2/hoshi.wasm")
        .with("hoshi-1.2/weights.bin", "")
        .with("hoshi-1.2/LICENSE", "")
        .with_wasm("two/a.wasm")
        .with_wasm("two/b.wasm")
        .with("none/notes.txt", "");
    let listing = folder.listing();
    assert_eq!(listing.engines.len(), 1);
    let engine = &listing.engines[0];
    assert_eq!((engine.id.as_str(), engine.kind), ("hoshi-1.2", EngineKind::Wasm));
    assert_eq!(engine.folder.as_deref(), Some(&*folder.path("hoshi-1.2")));
    let refused = folder.refused();
    assert!(
        refused[0].starts_with("none: the folder holds neither engine.xml, nor"),
        "{refused:?}"
    );
    assert!(refused[1].starts_with("two: the folder holds several libraries (a.wasm, b.wasm)"));
}

#[test]
fn a_manifest_describes_several_engines() {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let suffix = std::env::consts::DLL_SUFFIX;
    let text = manifest(&format!(
        r#"<engine id="hoshi" name="Hoshi &amp; &#x661F;" kind="native">
             <library os="{os}" arch="s390x">libhoshi.s390x</library>
             <library os="{os}" arch="{arch}">lib/hoshi{suffix}</library>
             <option name="Depth"> 6 </option>
             <option name="Style">so&lt;lid</option>
             <limits memory-mib="350" threads="2"/>
           </engine>
           <!-- the same in a sandbox -->
           <engine id="hoshi-w" kind="wasm"><library>hoshi.wasm</library></engine>"#
    ));
    let folder = TestFolder::new()
        .with("h/engine.xml", text)
        .with_native("h/lib/hoshi")
        .with_wasm("h/hoshi.wasm");
    let listing = folder.listing();
    assert!(listing.refused.is_empty(), "{:?}", listing.refused);
    let home = folder.path("h");
    let expected = EngineSpec {
        id: "hoshi".to_owned(),
        name: Some("Hoshi & 星".to_owned()),
        kind: EngineKind::Native,
        path: home.join(format!("lib/hoshi{suffix}")),
        folder: Some(home.clone()),
        options: vec![("Depth".into(), "6".into()), ("Style".into(), "so<lid".into())],
        memory_mib: Some(350),
        threads: Some(2),
        ..EngineSpec::bare("".into(), EngineKind::Native)
    };
    assert_eq!(listing.engines[0], expected);
    let module = &listing.engines[1];
    assert_eq!((module.id.as_str(), module.name.as_deref()), ("hoshi-w", None));
    assert_eq!(module.path, home.join("hoshi.wasm"));
}

#[test]
fn an_engine_of_a_manifest_without_a_library_for_this_machine_is_refused_alone() {
    let text = manifest(
        r#"<engine id="far" kind="native">
             <library os="freebsd" arch="s390x">far.so</library>
           </engine>
           <engine id="here" kind="wasm"><library>here.wasm</library></engine>"#,
    );
    let folder = TestFolder::new().with("e/engine.xml", text).with_wasm("e/here.wasm");
    assert_eq!(folder.ids(), ["here"]);
    let refusal = folder.refusal();
    assert!(refusal.contains("line 3: engine `far` has no library for "), "{refusal}");
}

#[test]
fn a_path_out_of_the_folder_is_refused() {
    let paths = ["../a.wasm", "x/../../a.wasm", "..\\a.wasm", "C:\\a.wasm", "./../a.wasm", "a/.."];
    let absolute = TestFolder::new().with_wasm("a.wasm");
    let absolute_path = absolute.path("a.wasm").display().to_string();
    for path in paths.into_iter().chain([absolute_path.as_str()]) {
        let text = manifest(&wasm_engine("a", &format!("\n<library>{path}</library>")));
        let folder = TestFolder::new().with("e/engine.xml", text).with_wasm("a.wasm");
        let refusal = folder.refusal();
        assert!(refusal.contains("line 4: ") && refusal.contains("leads out of"), "{refusal}");
        assert_eq!(folder.ids(), ["a-wasm"]);
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_out_of_the_folder_is_refused() {
    let text = manifest(&wasm_engine("a", "<library>inner.wasm</library>"));
    let folder = TestFolder::new().with("e/engine.xml", text).with_wasm("outer.wasm");
    let link = folder.path("e/inner.wasm");
    std::os::unix::fs::symlink("../outer.wasm", &link).expect("a link");
    let refusal = folder.refusal();
    assert!(refusal.contains("leads out of the engine's folder"), "{refusal}");
    std::fs::remove_file(&link).expect("the link");
    let folder = folder.with_wasm("e/real.wasm");
    std::os::unix::fs::symlink("real.wasm", &link).expect("a link");
    assert_eq!(folder.ids(), ["a", "outer-wasm"], "a link within the folder is fine");
}

#[test]
fn the_later_of_two_equal_ids_is_refused() {
    let text = manifest(
        &[
            wasm_engine("a", "<library>x.wasm</library>"),
            wasm_engine("a", "<library>x.wasm</library>"),
        ]
        .concat(),
    );
    let folder = TestFolder::new().with("e/engine.xml", text).with_wasm("e/x.wasm");
    assert_eq!(folder.ids(), ["a"]);
    let refusal = folder.refusal();
    assert!(refusal.contains("the id `a` is taken by ") && refusal.contains("x.wasm; rename"));
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = TestFolder::new();
    let absent = folder.path("absent");
    let error = discover(&absent).expect_err("no such folder").to_string();
    assert!(error.starts_with("there is no folder ") && error.contains("--dir"), "{error}");
}

#[test]
fn names_resolve_to_ids_paths_and_builtins() {
    let folder = TestFolder::new().with_wasm("hoshi.wasm").with_wasm("tenuki/t.wasm");
    let id = |name: &str| resolve(name, folder.root()).map(|engine| engine.id);
    assert_eq!(id("hoshi-wasm").ok().as_deref(), Some("hoshi-wasm"));
    assert_eq!(id("tenuki").ok().as_deref(), Some("tenuki"));
    let path = |name: &str| folder.path(name).display().to_string();
    assert_eq!(id(&path("hoshi.wasm")).ok().as_deref(), Some("hoshi-wasm"));
    assert_eq!(id(&path("tenuki")).ok().as_deref(), Some("tenuki"));
    assert_eq!(id("builtin:alphabeta").ok().as_deref(), Some("builtin:alphabeta"));
    let absent = folder.path("absent");
    assert!(resolve("builtin:alphabeta", &absent).is_ok(), "a builtin needs no folder");
    assert!(resolve(&path("hoshi.wasm"), &absent).is_ok(), "a path needs no folder");
}

#[test]
fn a_name_that_is_not_there_gets_a_hint() {
    let folder = TestFolder::new().with_wasm("hoshi.wasm").with("broken.wasm", "x");
    let error = |name: &str| resolve(name, folder.root()).expect_err("no engine").to_string();
    assert!(error("hosi-wasm").ends_with("did you mean hoshi-wasm?"), "{}", error("hosi-wasm"));
    assert!(error("xyz").ends_with("there are hoshi-wasm"), "{}", error("xyz"));
    assert!(error("./xyz").contains("there is no engine `./xyz`"), "{}", error("./xyz"));
    assert!(error("broken-wasm").contains("not a WebAssembly module"), "{}", error("broken-wasm"));
    assert!(error("broken.wasm").contains("not a WebAssembly module"));
    assert!(error("builtin:x").ends_with("there is builtin:alphabeta"), "{}", error("builtin:x"));
}

#[test]
fn a_path_to_several_engines_asks_for_an_id() {
    let text = manifest(
        &[
            wasm_engine("a", "<library>x.wasm</library>"),
            wasm_engine("b", "<library>x.wasm</library>"),
        ]
        .concat(),
    );
    let folder = TestFolder::new().with("e/engine.xml", text).with_wasm("e/x.wasm");
    for path in ["e", "e/engine.xml"] {
        let path = folder.path(path).display().to_string();
        let error = resolve(&path, folder.root()).expect_err("two engines").to_string();
        let dir = folder.root().display();
        assert!(
            error.ends_with(&format!("(a, b); name one by its id, with --dir {dir}")),
            "{error}"
        );
    }
}
