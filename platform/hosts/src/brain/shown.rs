use std::path::{Path, PathBuf};
use std::{fs, io};

use tengen_packages::make_private;
use tengen_rules::{Rule, Size};

/// What the answers of a text engine have shown of what it plays: the protocol has no word by which
/// one could say so. It is kept by the hash of the engine's file, the newest answer in place of an
/// older one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// The boards for which it got ready, or did not.
    pub boards: Vec<(Size, bool)>,
    /// The rules that it was told and answered with ERROR, or without a word.
    pub rules: Vec<(Rule, bool)>,
}

impl Shown {
    /// What its answer to START showed.
    pub(super) fn board(&mut self, size: Size, plays: bool) {
        put(&mut self.boards, size, plays);
    }

    /// What it said to INFO rule, or did not.
    pub(super) fn rule(&mut self, rule: Rule, plays: bool) {
        put(&mut self.rules, rule, plays);
    }

    /// Adds to what is kept of an engine with that hash, and gives all of it.
    pub(crate) fn keep(self, folder: Option<&Path>, hash: &str) -> Shown {
        let Some(folder) = folder.map(|folder| folder.join("brains")) else { return self };
        let place = folder.join(hash);
        let mut kept = fs::read_to_string(&place).map(|text| read(&text)).unwrap_or_default();
        let before = kept.clone();
        self.boards.iter().for_each(|(size, plays)| kept.board(*size, *plays));
        self.rules.iter().for_each(|(rule, plays)| kept.rule(*rule, *plays));
        if kept != before
            && let Err(error) = write(&folder, &place, &kept)
        {
            log::warn!("{}: what the engine plays is not kept: {error}", place.display());
        }
        kept
    }
}

fn put<T: PartialEq>(known: &mut Vec<(T, bool)>, one: T, plays: bool) {
    match known.iter_mut().find(|(known, _)| *known == one) {
        Some((_, known)) => *known = plays,
        None => known.push((one, plays)),
    }
}

/// A line that is not understood says nothing.
fn read(text: &str) -> Shown {
    let mut shown = Shown::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [what, name, plays] = words[..] else { continue };
        let plays = plays == "yes";
        match what {
            "board" => drop(name.parse().map(|size| shown.board(size, plays))),
            "rule" => drop(name.parse().map(|rule| shown.rule(rule, plays))),
            _ => {}
        }
    }
    shown
}

/// Writes beside the place and moves it there, so that no reader sees half a file.
fn write(folder: &Path, place: &Path, shown: &Shown) -> io::Result<()> {
    make_private(folder)?;
    let word = |plays: bool| if plays { "yes" } else { "no" };
    let boards =
        shown.boards.iter().map(|(size, plays)| format!("board {size} {}\n", word(*plays)));
    let rules = shown.rules.iter().map(|(rule, plays)| format!("rule {rule} {}\n", word(*plays)));
    let beside: PathBuf = place.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&beside, boards.chain(rules).collect::<String>())?;
    fs::rename(&beside, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_answer_is_kept_for_each_file() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        let shows = |size: &str, plays| {
            let mut shown = Shown::default();
            shown.board(size.parse().unwrap(), plays);
            shown
        };
        let kept = |shown: Shown, hash| shown.keep(Some(&cache), hash).boards;
        let [small, large] = ["15", "20x15"].map(|size| size.parse::<Size>().unwrap());
        assert_eq!(kept(shows("15", true), "a"), [(small, true)]);
        assert_eq!(kept(shows("20x15", false), "a"), [(small, true), (large, false)]);
        assert_eq!(kept(shows("20x15", true), "a"), [(small, true), (large, true)]);
        assert_eq!(kept(Shown::default(), "b"), []);
        let mut minds = Shown::default();
        minds.rule(Rule::Caro, false);
        assert_eq!(minds.keep(Some(&cache), "a").rules, [(Rule::Caro, false)]);
        fs::write(cache.join("brains/a"), "board 15 perhaps so\nboard x yes\nrule caro no")
            .unwrap();
        assert_eq!(Shown::default().keep(Some(&cache), "a").rules, [(Rule::Caro, false)]);
        assert_eq!(shows("15", true).keep(None, "a").boards, [(small, true)]);
    }
}
