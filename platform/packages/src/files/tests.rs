//! Which files belong to which engine. A program here is a script, recognised by its permissions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::test_folder::TestFolder;
use crate::{EngineSpec, command, discover, resolve};

/// A folder of engines, with a folder around it.
fn ground() -> TestFolder {
    let ground = TestFolder::new();
    fs::create_dir(ground.dir()).expect("a folder of engines");
    ground
}

impl TestFolder {
    fn dir(&self) -> PathBuf {
        self.path("engines")
    }

    fn with_file(self, file: &str) -> TestFolder {
        self.with(file, "words")
    }

    fn at(&self, path: &str) -> EngineSpec {
        let name = self.path(path).display().to_string();
        resolve(&name, &self.dir()).expect("an engine")
    }

    fn typed(&self, words: &str) -> EngineSpec {
        let spec = command(words, Some(self.root()), Some(&self.dir()));
        spec.expect("a command").expect("an engine")
    }

    fn paths<const N: usize>(&self, files: [&str; N]) -> [PathBuf; N] {
        files.map(|file| self.path(file))
    }
}

#[test]
fn a_program_that_is_named_by_its_path_has_the_files_beside_it() {
    let ground = ground()
        .with_program("Rapfi/pbrain-rapfi")
        .with_file("Rapfi/config.toml")
        .with_file("secret");
    let engine = ground.at("Rapfi/pbrain-rapfi");
    assert_eq!(engine.folder, Some(ground.path("Rapfi")));
    assert_eq!(engine.readable(), ground.paths(["Rapfi/pbrain-rapfi", "Rapfi"]));
    for words in ["cmd:./Rapfi/pbrain-rapfi -x 1", "cmd:Rapfi/pbrain-rapfi"] {
        let engine = ground.typed(words);
        assert_eq!(engine.folder, Some(ground.path("Rapfi")), "{words}");
        assert_eq!(engine.typed_in, Some(ground.path("")), "{words}");
        assert!(!engine.readable().contains(&ground.path("")), "{words}");
    }
}

#[test]
fn in_the_folder_of_engines_the_files_named_like_a_brain_are_its_own() {
    let ground = ground()
        .with_program("engines/pbrain-x")
        .with_file("engines/pbrain-x.ini")
        .with_file("engines/pbrain-x.data/book")
        .with_program("engines/pbrain-xy")
        .with_program("engines/pbrain-x.2")
        .with_file("engines/pbrain-xy.ini")
        .with_file("engines/notes.txt");
    let files = ["engines/pbrain-x", "engines/pbrain-x.data", "engines/pbrain-x.ini"];
    let listing = discover(&ground.dir()).expect("a readable folder");
    let engine = listing.get("pbrain-x").expect("an engine");
    assert_eq!((&engine.folder, engine.readable()), (&None, ground.paths(files).to_vec()));
    assert!(listing.refused.is_empty(), "an engine's own file is none: {:?}", listing.refused);
    for engine in [ground.at("engines/pbrain-x"), ground.typed("cmd:./engines/pbrain-x")] {
        assert_eq!((&engine.folder, engine.readable()), (&None, ground.paths(files).to_vec()));
    }
}

#[test]
fn a_manifest_in_the_folder_of_engines_names_more() {
    let manifest = "<engines><engine id=\"x\" kind=\"gomocup\"><program>pbrain-x</program>\
                    <file>weights.bin</file><helper>search</helper></engine></engines>";
    let ground = ground()
        .with("engines/engine.xml", manifest)
        .with_program("engines/pbrain-x")
        .with_program("engines/search")
        .with_program("engines/pbrain-y")
        .with_file("engines/weights.bin");
    let listing = discover(&ground.dir()).expect("a readable folder");
    let ids: Vec<_> = listing.engines.iter().map(|engine| engine.id.as_str()).collect();
    assert_eq!(ids, ["pbrain-y", "x"], "what the manifest names is not found twice");
    let engine = listing.get("x").expect("an engine");
    let files = ["engines/pbrain-x", "engines/search", "engines/weights.bin"];
    assert_eq!((&engine.folder, engine.readable()), (&None, ground.paths(files).to_vec()));
    assert_eq!(engine.runnable(), ground.paths(["engines/pbrain-x", "engines/search"]));
}

#[test]
fn a_package_runs_what_its_manifest_calls_a_helper() {
    let manifest = |inside: &str| {
        format!(
            "<engines><engine id=\"x\" kind=\"gomocup\"><program>pbrain-x</program>{inside}\
             </engine></engines>"
        )
    };
    let of = |inside: &str| {
        let ground = ground()
            .with("engines/x/engine.xml", manifest(inside))
            .with_program("engines/x/pbrain-x")
            .with_program("engines/x/bin/search");
        let listing = discover(&ground.dir()).expect("a readable folder");
        let seen = match listing.get("x") {
            Some(engine) => Ok(engine.runnable()),
            None => Err(listing.refused[0].to_string()),
        };
        (seen, ground)
    };
    let (seen, ground) = of("");
    assert_eq!(seen.expect("an engine"), ground.paths(["engines/x/pbrain-x"]));
    let (seen, ground) = of("<helper>bin/search</helper>");
    assert_eq!(
        seen.expect("an engine"),
        ground.paths(["engines/x/pbrain-x", "engines/x/bin/search"])
    );
    for inside in ["<helper>../y</helper>", "<file>/etc/passwd</file>"] {
        let error = of(inside).0.expect_err("it leads out");
        assert!(error.contains("leads out of the engine's folder"), "{error}");
    }
    assert!(of("<helper/>").0.expect_err("no name").contains("not a value of <helper>"));
}

#[test]
fn a_folder_that_is_kept_for_other_things_is_no_package() {
    let shared = |folder: &str| super::is_shared(Path::new(folder), None);
    for folder in ["/", "/usr", "/usr/bin", "/bin", "/etc", "/etc/x/y", "/tmp", "/home"] {
        assert!(shared(folder), "{folder}");
    }
    let home = std::env::home_dir().expect("a home");
    assert!(shared(&home.display().to_string()));
    assert!(shared(&std::env::temp_dir().display().to_string()));
    let ground = ground().with_program("x/pbrain-x");
    assert!(!shared(&ground.path("x").display().to_string()));
}

#[test]
fn the_words_of_a_command_open_what_they_name() {
    let ground = ground()
        .with_program("venv/bin/python")
        .with_file("mine/brain.py")
        .with_file("mine/net.py")
        .with_file("engines/lone.py")
        .with_file("engines/other.py")
        .with_program("solver/solve")
        .with_file("book.txt");
    let engine = ground.typed("cmd:./venv/bin/python mine/brain.py");
    assert_eq!(engine.folder, Some(ground.path("")), "a script is named from where it is typed");
    let engine = ground.typed("cmd:./solver/solve book.txt solve");
    let book = ground.path("book.txt").display().to_string();
    let (_, arguments) = engine.command().expect("a text engine");
    assert_eq!(arguments, [book.as_str(), "solve"], "found wherever it is started");
    assert_eq!(engine.folder, Some(ground.path("solver")));
    // The folder of engines is no script's own either.
    let in_dir = command("cmd:sh lone.py", Some(&ground.dir()), Some(&ground.dir()));
    let engine = in_dir.expect("a command").expect("sh is there");
    let lone = ground.path("engines/lone.py");
    assert_eq!((&engine.folder, &engine.reads), (&None, &vec![lone.clone()]));
    assert_eq!(engine.command().expect("a text engine").1, [lone.as_os_str()]);
}

#[test]
fn the_interpreter_of_a_script_is_found_in_path() {
    let ground = ground().with_mode("a/pbrain-a", "#!/usr/bin/env -S sh -e\n", 0o755).with_mode(
        "b/pbrain-b",
        "#!/somewhere/bin/python -u\n",
        0o755,
    );
    let sh = super::command::in_path("sh").expect("a shell in PATH");
    assert!(ground.at("a/pbrain-a").installations().contains(&sh));
    let opened = ground.at("b/pbrain-b").installations();
    assert!(!opened.iter().any(|path| path.starts_with("/somewhere")), "{opened:?}");
}

#[test]
fn files_named_like_a_library_or_its_engine_are_its_own() {
    let library = format!("engines/libx.{}", std::env::consts::DLL_EXTENSION);
    let ground = ground()
        .with_file(&library)
        .with_file("engines/x.wasm")
        .with_file("engines/x.weights")
        .with_file("engines/x.data/book")
        .with_file("engines/libx.ini")
        .with_file("engines/xy.weights")
        .with_file("engines/y.weights");
    // The folder is read once for both.
    let names = super::FolderNames::default();
    let own = |file: &str| super::named_like(&ground.path(file), &names);
    let files = [library.as_str(), "engines/libx.ini", "engines/x.data", "engines/x.weights"];
    let mut found = own(&library);
    found.sort();
    let mut expected = ground.paths(files).to_vec();
    expected.sort();
    assert_eq!(found, expected);
    let files = ["engines/x.data", "engines/x.wasm", "engines/x.weights"];
    let mut found = own("engines/x.wasm");
    found.sort();
    assert_eq!(found, ground.paths(files));
    // Wherever it lies, if it is found as a file.
    let typed = ground.with_file("elsewhere/x.wasm").with_file("elsewhere/x.weights");
    let bare = EngineSpec::bare(typed.path("elsewhere/x.wasm"), crate::EngineKind::Wasm);
    let files = typed.paths(["elsewhere/x.wasm", "elsewhere/x.weights"]);
    assert_eq!(bare.among(Some(&typed.dir())).readable(), files);
}

#[test]
fn a_program_by_its_path_has_no_folder_in_which_another_engine_lies() {
    let sh = || fs::read("/bin/sh").expect("a program");
    let ground = ground()
        .with_program("crowd/pbrain-a")
        .with_file("crowd/pbrain-a.ini")
        .with_program("crowd/pbrain-b")
        .with_file("crowd/pbrain-b.ini")
        .with_file("crowd/book.txt")
        .with_program("alone/pbrain-a")
        .with_program("alone/pbrain-a_renju")
        .with_program("alone/pbrain-a64")
        .with_program("alone/build.sh")
        .with_file("alone/config.toml")
        .with_mode("tools/one", "", 0o755)
        .with_mode("tools/two", "", 0o755)
        .with_file("tools/one.weights");
    for tool in ["tools/one", "tools/two"] {
        fs::write(ground.path(tool), sh()).expect("a program");
    }
    let own = ground.paths(["crowd/pbrain-a", "crowd/pbrain-a.ini"]).to_vec();
    for engine in [ground.at("crowd/pbrain-a"), ground.typed("cmd:./crowd/pbrain-a")] {
        assert_eq!((&engine.folder, engine.readable()), (&None, own.clone()));
        assert!(engine.unread[0].contains("pbrain-b is another engine's"), "{:?}", engine.unread);
    }
    let engine = ground.typed("cmd:./crowd/pbrain-a book.txt");
    let named = ground.paths(["crowd/pbrain-a", "crowd/book.txt", "crowd/pbrain-a.ini"]).to_vec();
    assert_eq!((&engine.folder, engine.readable()), (&None, named));
    let typed = command("cmd:sh pbrain-a", Some(&ground.path("crowd")), Some(&ground.dir()));
    let engine = typed.expect("a command").expect("sh is there");
    assert_eq!((&engine.folder, &engine.reads), (&None, &own));
    let engine = ground.at("tools/one");
    assert_eq!(engine.readable(), ground.paths(["tools/one", "tools/one.weights"]));
    // Scripts may be its tools, and other leagues and processors are the same engine.
    let engine = ground.at("alone/pbrain-a");
    assert_eq!((engine.folder, engine.unread.len()), (Some(ground.path("alone")), 0));
}

#[test]
fn a_link_beside_an_engine_leads_to_no_file_elsewhere() {
    use std::os::unix::fs::symlink;
    let library = format!("engines/libx.{}", std::env::consts::DLL_EXTENSION);
    let other = format!("engines/liby.{}", std::env::consts::DLL_EXTENSION);
    let ground = ground()
        .with_file(&library)
        .with_file(&other)
        .with_file("engines/x.real")
        .with_file("engines/package/net.bin")
        .with_file("engines/x.data/net.bin")
        .with_file("engines/y.weights")
        .with_file("secret/key");
    let link = |name: &str, target: &Path| symlink(target, ground.path(name)).expect("a link");
    link("engines/x.key", &ground.path("secret/key"));
    link("engines/x.parent", Path::new("../secret/key"));
    link("engines/x.folder", &ground.path("secret"));
    link("engines/x.chain", Path::new("x.key"));
    link("engines/x.theirs", Path::new("y.weights"));
    link("engines/x.proc", Path::new("/proc/self/root/etc/shadow"));
    link("engines/x.near", Path::new("x.real"));
    link("engines/x.package", Path::new("package/net.bin"));
    link("engines/x.weights", Path::new("x.data/net.bin"));
    link("engines/x.so.1", &fs::read_dir("/usr/lib").unwrap().next().unwrap().unwrap().path());
    let names = super::FolderNames::default();
    let bare = EngineSpec::bare(ground.path(&library), crate::EngineKind::Native);
    let engine = bare.among_others(Some(&ground.dir()), &names);
    let own = [
        &*library,
        "engines/x.data",
        "engines/x.near",
        "engines/x.real",
        "engines/x.so.1",
        "engines/x.weights",
    ];
    assert_eq!(engine.readable(), ground.paths(own));
    assert_eq!(engine.unread.len(), 7, "{:?}", engine.unread);
    assert!(engine.unread[0].contains("copy that file here"), "{:?}", engine.unread);
}

#[test]
fn opponents_that_are_named_by_their_paths_are_kept_apart() {
    let ground = ground()
        .with_program("bots/a.py")
        .with_program("bots/b.py")
        .with_file("bots/net.bin")
        .with_file("bots/a.ini")
        .with_program("mine/play")
        .with_file("mine/book.txt");
    let file = |name: &str| crate::engine_file(name, Some(ground.root()));
    let other = ground.path("bots/b.py");
    assert_eq!(file("bots/b.py"), Some(other.clone()));
    assert_eq!(file("cmd:sh bots/b.py -x"), Some(other.clone()));
    assert_eq!(file("cmd:./mine/play book.txt"), Some(ground.path("mine/play")));
    assert_eq!([file("greedy"), file("bots"), file("cmd:sh -c x")], [None, None, None]);
    let alone = ground.at("bots/a.py");
    assert_eq!(alone.folder, Some(ground.path("bots")), "a script may be its own tool");
    let engine = alone.apart_from(std::slice::from_ref(&other));
    let own = ground.paths(["bots/a.py", "bots/a.ini"]).to_vec();
    assert_eq!((&engine.folder, engine.readable()), (&None, own));
    assert!(engine.unread[0].contains("b.py is another engine's"), "{:?}", engine.unread);
    let typed = ground.typed("cmd:sh bots/a.py bots/net.bin").apart_from(&[other]);
    assert!(!typed.reads.contains(&ground.path("bots")), "{:?}", typed.reads);
    // From where it was typed it does not see the other either.
    let typed = ground.typed("cmd:sh mine/play").apart_from(&[ground.path("bots/b.py")]);
    assert_eq!(typed.strangers, [dunce::canonicalize(ground.path("bots")).expect("it is there")]);
    let same = ground.at("mine/play").apart_from(&[ground.path("mine/play")]);
    assert_eq!(same.folder, Some(ground.path("mine")));
}
