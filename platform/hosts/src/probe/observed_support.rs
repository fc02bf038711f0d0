//! What a text engine was seen to play.

use std::path::Path;
use std::{fs, io};

use tengen_packages::make_private;
use tengen_rules::{Rule, Size};

/// What the answers of a text engine have shown of what it plays: the protocol has no word for
/// that. It is stored by the hash of the engine's file, the newest answer in place of an older one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObservedSupport {
    /// The boards for which it got ready, or did not.
    pub boards: Vec<(Size, bool)>,
    /// The rules that it was sent and answered with ERROR, or not at all.
    pub rules: Vec<(Rule, bool)>,
}

impl ObservedSupport {
    /// What its answer to START showed.
    pub(super) fn board(&mut self, size: Size, plays: bool) {
        put(&mut self.boards, size, plays);
    }

    /// What it answered to INFO rule, or did not.
    pub(super) fn rule(&mut self, rule: Rule, plays: bool) {
        put(&mut self.rules, rule, plays);
    }

    /// Adds to what is stored for an engine with that hash, and gives all of it.
    pub(crate) fn merge_stored(self, folder: Option<&Path>, hash: &str) -> ObservedSupport {
        let Some(folder) = folder.map(|folder| folder.join("brains")) else { return self };
        let path = folder.join(hash);
        let mut stored = fs::read_to_string(&path).map(|text| read(&text)).unwrap_or_default();
        let before = stored.clone();
        self.boards.iter().for_each(|(size, plays)| stored.board(*size, *plays));
        self.rules.iter().for_each(|(rule, plays)| stored.rule(*rule, *plays));
        if stored != before
            && let Err(error) = write(&folder, &path, &stored)
        {
            log::warn!("{}: what the engine plays is not kept: {error}", path.display());
        }
        stored
    }
}

fn put<T: PartialEq>(known: &mut Vec<(T, bool)>, one: T, plays: bool) {
    match known.iter_mut().find(|(known, _)| *known == one) {
        Some((_, known)) => *known = plays,
        None => known.push((one, plays)),
    }
}

/// A line that is not understood says nothing.
fn read(text: &str) -> ObservedSupport {
    let mut observed = ObservedSupport::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [what, name, plays] = words[..] else { continue };
        let plays = plays == "yes";
        match what {
            "board" => drop(name.parse().map(|size| observed.board(size, plays))),
            "rule" => drop(name.parse().map(|rule| observed.rule(rule, plays))),
            _ => {}
        }
    }
    observed
}

/// No reader sees half a file.
fn write(folder: &Path, path: &Path, observed: &ObservedSupport) -> io::Result<()> {
    make_private(folder)?;
    let word = |plays: bool| if plays { "yes" } else { "no" };
    let boards =
        observed.boards.iter().map(|(size, plays)| format!("board {size} {}\n", word(*plays)));
    let rules =
        observed.rules.iter().map(|(rule, plays)| format!("rule {rule} {}\n", word(*plays)));
    let text: String = boards.chain(rules).collect();
    tengen_files::write(path, text.as_bytes(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_answer_is_kept_for_each_file() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        let shows = |size: &str, plays| {
            let mut observed = ObservedSupport::default();
            observed.board(size.parse().unwrap(), plays);
            observed
        };
        let stored =
            |observed: ObservedSupport, hash| observed.merge_stored(Some(&cache), hash).boards;
        let [small, large] = ["15", "20x15"].map(|size| size.parse::<Size>().unwrap());
        assert_eq!(stored(shows("15", true), "a"), [(small, true)]);
        assert_eq!(stored(shows("20x15", false), "a"), [(small, true), (large, false)]);
        assert_eq!(stored(shows("20x15", true), "a"), [(small, true), (large, true)]);
        assert_eq!(stored(ObservedSupport::default(), "b"), []);
        let mut minds = ObservedSupport::default();
        minds.rule(Rule::Caro, false);
        assert_eq!(minds.merge_stored(Some(&cache), "a").rules, [(Rule::Caro, false)]);
        fs::write(cache.join("brains/a"), "board 15 perhaps so\nboard x yes\nrule caro no")
            .unwrap();
        assert_eq!(
            ObservedSupport::default().merge_stored(Some(&cache), "a").rules,
            [(Rule::Caro, false)]
        );
        assert_eq!(shows("15", true).merge_stored(None, "a").boards, [(small, true)]);
    }
}
