//! Which of several programs plays an event, by their names.
//!
//! Packages made for Gomocup hold one program for all leagues, or several. This is the rule of
//! Gomocup's own judge (`test_zip_rules.py` of GomocupJudge), extended by the instruction sets that
//! engines are built for, and by every rule and size that Tengen plays:
//!
//! 1. From the name, in small letters, the extension is dropped, then words of architecture at its
//!    end: `64`, `x64`, `x86_64`, `x86-64`, `amd64`, `32`, `x86`, `win32`, `win64` and instruction
//!    sets (`sse`, `avx2`, …), one after the other.
//! 2. What is left may end in `_RULE-SIZE`, `_RULE` or `_SIZE`, with `-` as good as `_` before the
//!    rule. RULE is `freestyle`, `standard`, `renju` or `caro`, SIZE is `15` or `20`.
//! 3. Rule and size named and right go before the rule alone, that before the size alone, that
//!    before a name with neither. A program named for another rule or size is not played; only when
//!    all are does each count as a name with neither.
//! 4. Among equals, one that needs an instruction set this processor lacks goes last; then a name
//!    that holds `64` goes first on a 64-bit processor, and last on another; then the newer
//!    instruction set goes first; then the order of the names decides.

use std::cmp::Reverse;

use tengen_rules::{Rule, Size};

mod processor;
#[cfg(test)]
mod tests;

pub use processor::Processor;
use processor::SETS;

/// Words of architecture at the end of a name, none the end of an earlier one.
const ARCHITECTURES: [&str; 9] =
    ["x86_64", "x86-64", "amd64", "win64", "x64", "win32", "x86", "64", "32"];

/// The sides that a name may end in: those of Gomocup's boards.
const SIZES: [u8; 2] = [15, 20];

/// The place in `names`, the names of files, of the program for games by this rule on boards of
/// this size; None only when there is no name. The module says by which rule.
///
/// ```
/// use tengen_packages::{Processor, pick};
/// use tengen_rules::{Rule, Size};
/// let names = ["pbrain-hoshi.exe", "pbrain-hoshi_renju.exe", "pbrain-hoshi64.exe"];
/// let picked = |rule| pick(&names, rule, Size::STANDARD, Processor::PLAIN_64);
/// assert_eq!(picked(Rule::Renju), Some(1));
/// assert_eq!(picked(Rule::Standard), Some(2));
/// ```
pub fn pick(names: &[&str], rule: Rule, size: Size, processor: Processor) -> Option<usize> {
    let titles: Vec<ProgramName> = names.iter().map(|name| ProgramName::of(name)).collect();
    let suits = |title: &ProgramName| title.suits(rule, size);
    let best = titles.iter().map(suits).max()?;
    let rank = |place: &usize| {
        let title = &titles[*place];
        let is_able = title.set.is_none_or(|set| processor.has(set));
        let is_wide = title.is_wide == processor.is_64_bit;
        (Reverse(is_able), Reverse(is_wide), Reverse(title.set), names[*place])
    };
    (0..names.len()).filter(|place| suits(&titles[*place]) == best).min_by_key(rank)
}

/// What a file name says of its program.
#[derive(PartialEq, Eq, Debug)]
struct ProgramName {
    rule: Option<Rule>,
    side: Option<u8>,
    is_wide: bool,
    /// The place in [`SETS`] of the newest instruction set that is named.
    set: Option<usize>,
}

impl ProgramName {
    fn of(name: &str) -> ProgramName {
        let name = name.to_lowercase();
        let is_wide = name.contains("64");
        let (stem, set) = without_architecture(stem(&name));
        let (rule, side) = league(stem);
        ProgramName { rule, side, is_wide, set }
    }

    /// How well it suits an event: 0 not at all, 1 as well as any, and more the more it names.
    fn suits(&self, rule: Rule, size: Size) -> u8 {
        let is_side = |side| size.width() == side && size.height() == side;
        match (self.rule.map(|named| named == rule), self.side.map(is_side)) {
            (Some(false), _) | (_, Some(false)) => 0,
            (Some(true), Some(true)) => 4,
            (Some(true), None) => 3,
            (None, Some(true)) => 2,
            (None, None) => 1,
        }
    }
}

/// A file name without the extension of a program or a script. Any other dot is part of the name,
/// as in `pbrain-hoshi-1.2`.
pub(super) fn stem(name: &str) -> &str {
    const EXTENSIONS: [&str; 8] = ["exe", "py", "jar", "sh", "pl", "rb", "bat", "cmd"];
    match name.rsplit_once('.') {
        Some((stem, extension))
            if EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)) =>
        {
            stem
        }
        _ => name,
    }
}

/// What the names of an engine's programs have in common: the name without `pbrain-`, extension,
/// words of architecture, rule and size, in small letters.
pub(super) fn family(name: &str) -> String {
    let name = name.to_lowercase();
    let name = name.strip_prefix("pbrain-").unwrap_or(&name);
    let (mut stem, _) = without_architecture(stem(name));
    let (rule, side) = league(stem);
    let words = [side.map(|side| side.to_string()), rule.map(|rule| rule.name().to_owned())];
    for word in words.into_iter().flatten() {
        stem = stem.strip_suffix(&*word).map_or(stem, |rest| rest.trim_end_matches(['_', '-']));
    }
    stem.to_owned()
}

fn without_architecture(mut stem: &str) -> (&str, Option<usize>) {
    let mut set = None;
    loop {
        let known = |word: &str| -> Option<&str> {
            let rest = stem.strip_suffix(word)?;
            // `64` may follow anything; the other words stand apart.
            let apart = rest.strip_suffix(['_', '-', '.']);
            apart.or((word == "64").then_some(rest))
        };
        if let Some(rest) = ARCHITECTURES.iter().find_map(|word| known(word)) {
            stem = rest;
        } else if let Some((place, rest)) =
            (0..SETS.len()).rev().find_map(|place| Some((place, known(SETS[place])?)))
        {
            set = set.max(Some(place));
            stem = rest;
        } else {
            return (stem, set);
        }
    }
}

/// The rule and the side that a stem ends in.
fn league(stem: &str) -> (Option<Rule>, Option<u8>) {
    let rule = |stem: &str| {
        Rule::ALL.into_iter().find(|rule| {
            stem.strip_suffix(rule.name()).is_some_and(|rest| rest.ends_with(['_', '-']))
        })
    };
    let side = |text: &str| SIZES.into_iter().find(|side| *text == side.to_string());
    if let Some((before, last)) = stem.rsplit_once('-')
        && let (Some(rule), Some(side)) = (rule(before), side(last))
    {
        return (Some(rule), Some(side));
    }
    match rule(stem) {
        Some(rule) => (Some(rule), None),
        None => (None, stem.rsplit_once('_').and_then(|(_, last)| side(last))),
    }
}
