//! Every seed, and every input that once broke a parser, is given to its target.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tengen_fuzz::TARGETS;

#[test]
fn every_target_holds_on_its_seeds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut folders: BTreeSet<String> = fs::read_dir(&seeds)
        .expect("the folder of seeds")
        .map(|folder| folder.expect("a folder").file_name().into_string().expect("a name"))
        .collect();
    for target in TARGETS {
        assert!(folders.remove(target.name), "{} has no seeds", target.name);
        (target.check)(b"");
        for file in fs::read_dir(seeds.join(target.name)).expect("seeds") {
            let path = file.expect("a seed").path();
            eprintln!("{}", path.display());
            (target.check)(&fs::read(&path).expect("a seed"));
        }
    }
    assert!(folders.is_empty(), "seeds of no target: {folders:?}");
}
