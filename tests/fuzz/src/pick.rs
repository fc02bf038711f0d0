//! The same program of a package is picked in whatever order they are listed.

use tengen_packages::{Processor, pick};
use tengen_rules::Rule;

use crate::bytes::ByteChoices;

pub(crate) fn check(bytes: &[u8]) {
    let mut choices = ByteChoices(bytes);
    let (rule, size) = (choices.one_of(&Rule::ALL), choices.size());
    let plain = choices.one_of(&[Processor::PLAIN_32, Processor::PLAIN_64]);
    let processor = choices.one_of(&[plain, plain.with(&["avx2"]), plain.with(&["avx512"])]);
    let Ok(text) = str::from_utf8(choices.0) else { return };
    let mut names: Vec<_> = text.lines().collect();
    let picked = |names: &[&str]| pick(names, rule, size, processor).map(|at| names[at].to_owned());
    let first = picked(&names);
    assert_eq!(first.is_some(), !names.is_empty());
    names.reverse();
    assert_eq!(picked(&names), first);
    let Some(first) = first else { return };
    assert_eq!(picked(&[&first]).as_deref(), Some(&*first));
    // The choice is the same without a program that was not picked.
    for dropped in names.iter().filter(|name| **name != first).take(8) {
        let rest: Vec<_> = names.iter().copied().filter(|name| name != dropped).collect();
        assert_eq!(picked(&rest).as_deref(), Some(&*first), "without {dropped}");
    }
}
