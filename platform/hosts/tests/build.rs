//! Builds of engines in the sandbox.
#![cfg(target_os = "linux")]

use std::time::Duration;

use tengen_hosts::{HostSettings, build};

#[test]
fn a_build_writes_in_its_folder_alone_and_is_told_with_its_output() {
    let (source, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = dunce::canonicalize(source.path()).unwrap();
    let settings = || HostSettings::new(env!("CARGO_BIN_EXE_tengen-host"));
    let run = |command: &str, patience| {
        let mut said = Vec::new();
        let built = build(command, &folder, settings(), patience, &mut said);
        (built.map_err(|error| error.to_string()), String::from_utf8(said).unwrap())
    };
    let minute = Duration::from_secs(60);
    let made = "printf '#!/bin/sh\\necho made' > run.sh && chmod +x run.sh && ./run.sh";
    assert_eq!(run(made, minute), (Ok(()), "made\n".to_owned()));
    let failed = run("echo what is wrong >&2; exit 3", minute);
    assert!(failed.0.as_ref().is_err_and(|why| why.contains('3')), "{failed:?}");
    assert_eq!(failed.1, "what is wrong\n");
    let stray = other.path().join("stray");
    let stopped = run(&format!("echo x > {}", stray.display()), minute);
    assert!(stopped.0.is_err() && !stray.exists(), "{stopped:?}");
    let open = HostSettings { left_out: vec!["net_ns".to_owned()], ..settings() };
    let open = HostSettings { require_sandbox: true, ..open };
    let refused = build("touch made", &folder, open, minute, &mut Vec::new()).unwrap_err();
    assert!(refused.to_string().contains("lacks net_ns"), "{refused}");
    assert!(!folder.join("made").exists());
    let late = run("sleep 60", Duration::from_millis(200)).0.unwrap_err();
    assert!(late.contains("still at work"), "{late}");
}
