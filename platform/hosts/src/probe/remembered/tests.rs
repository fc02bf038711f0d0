use tengen_arbiter::Failure;

use super::*;
use crate::SandboxGap;

fn sample() -> Probe {
    Probe {
        kind: EngineKind::Wasm,
        description: EngineDescription::parse("name A B\nrule renju 15..15\nthreads 1..8\n")
            .unwrap(),
        abi_minor: 3,
        exports: ExportSet::from_bits(5),
        layers: vec!["landlock".into(), "seccomp".into()],
        gaps: vec![SandboxGap { layer: "x".into(), reason: "none here".into() }],
        hash: "abc".into(),
        observed: ObservedSupport::default(),
    }
}

fn samples() -> [RememberedAnswer; 4] {
    let fault = Fault { failure: Failure::Stall, detail: "it loops".into() };
    [
        RememberedAnswer::Probe(Box::new(sample())),
        RememberedAnswer::Refused("no engine".into()),
        RememberedAnswer::Failed(fault),
        RememberedAnswer::Unusable("not on such boards".into()),
    ]
}

#[test]
fn an_answer_reads_as_it_was_written_and_damage_shows() {
    for answer in samples() {
        let bytes = to_bytes(&answer);
        assert_eq!(read(&bytes), Some(answer));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(read(&damaged), None, "{at}");
            assert_eq!(read(&bytes[..at]), None, "{at}");
        }
    }
}

#[test]
fn what_is_the_engines_doing_is_remembered_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let path = folder.path().join("engine.so");
    fs::write(&path, "no library").unwrap();
    let spec = EngineSpec::bare(path.clone(), EngineKind::Native);
    let mut settings = HostSettings::new(std::env::current_exe().unwrap());
    settings.cache = Some(cache.clone());
    let answers = || fs::read_dir(cache.join(FOLDER)).map_or(0, Iterator::count);
    let told = |settings: &HostSettings| match ask(&spec, settings, Some("walls")) {
        Err(HostError::Refused { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let first = told(&settings);
    assert_eq!(answers(), 2);
    // It is not even looked at: another answer lies in the place of its own.
    let contents = key(&spec, &settings, "walls", BY_CONTENTS).unwrap();
    let place = cache.join(FOLDER).join(contents);
    fs::write(&place, to_bytes(&RememberedAnswer::Refused("as before".into()))).unwrap();
    assert_eq!(told(&settings), "as before");
    // The same contents in other files, as after a copy.
    fs::rename(&path, folder.path().join("old")).unwrap();
    fs::write(&path, "no library").unwrap();
    assert_eq!(told(&settings), "as before");
    assert_eq!(answers(), 3);
    fs::write(&path, "another one").unwrap();
    assert_eq!(told(&settings), first);
    // What the machine could not do says nothing of the engine.
    let missing = EngineSpec::bare(folder.path().join("missing"), EngineKind::Native);
    let before = answers();
    assert!(matches!(ask(&missing, &settings, Some("walls")), Err(HostError::Read { .. })));
    assert_eq!(answers(), before);
}

#[test]
fn one_that_failed_is_asked_again_after_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("answer");
    fs::write(&place, "").unwrap();
    assert!(is_young(&place));
    let long_ago = std::time::SystemTime::now() - 2 * PATIENCE;
    fs::File::options().write(true).open(&place).unwrap().set_modified(long_ago).unwrap();
    assert!(!is_young(&place) && !is_young(&folder.path().join("none")));
    let failed: Vec<_> = samples().iter().map(RememberedAnswer::is_failure).collect();
    assert_eq!(failed, [false, true, true, true]);
}

#[test]
fn an_answer_is_that_of_the_files_as_they_lie_there() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("package");
    fs::create_dir(&package).unwrap();
    let engine = package.join("engine.so");
    fs::write(&engine, "one").unwrap();
    let mut spec = EngineSpec::bare(engine.clone(), EngineKind::Native);
    spec.folder = Some(package.clone());
    let settings = HostSettings::new(std::env::current_exe().unwrap());
    let mut keys = vec![key(&spec, &settings, "walls", BY_IDENTITY).unwrap()];
    assert_eq!(key(&spec, &settings, "walls", BY_IDENTITY).unwrap(), keys[0]);
    let changes = |keys: &mut Vec<String>, key: String| {
        assert!(!keys.contains(&key));
        keys.push(key);
    };
    changes(&mut keys, key(&spec, &settings, "fewer walls", BY_IDENTITY).unwrap());
    // Of the same size, and in the same place.
    fs::write(&engine, "two").unwrap();
    // Some kernels count files' times in milliseconds.
    let later = std::time::SystemTime::now() + Duration::from_secs(1);
    fs::File::options().write(true).open(&engine).unwrap().set_modified(later).unwrap();
    changes(&mut keys, key(&spec, &settings, "walls", BY_IDENTITY).unwrap());
    fs::write(package.join("weights"), "1").unwrap();
    changes(&mut keys, key(&spec, &settings, "walls", BY_IDENTITY).unwrap());
    spec.options.push(("Style".into(), "wild".into()));
    changes(&mut keys, key(&spec, &settings, "walls", BY_IDENTITY).unwrap());
    let other = HostSettings { require_sandbox: true, ..settings.clone() };
    changes(&mut keys, key(&spec, &other, "walls", BY_IDENTITY).unwrap());
    fs::remove_file(&engine).unwrap();
    assert_eq!(key(&spec, &settings, "walls", BY_IDENTITY), None);
}

/// With one name for both, each would overwrite the other, and every second list would ask the
/// engine.
#[test]
fn an_engine_without_files_has_two_names_too() {
    let own = EngineSpec::builtin(tengen_packages::BUILTINS[0]).unwrap();
    let settings = HostSettings::new(std::env::current_exe().unwrap());
    let names = [BY_IDENTITY, BY_CONTENTS].map(|way| key(&own, &settings, "walls", way).unwrap());
    assert_ne!(names[0], names[1]);
}
