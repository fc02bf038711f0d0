use alloc::vec::Vec;

use super::Report;
use super::number::{Score, count, depths, digits, pv_move, score, span};

/// What the value of a word is.
#[derive(Clone, Copy)]
enum Meaning {
    Depth,
    Seldepth,
    Score,
    Nodes,
    /// With a unit.
    Time,
    /// In milliseconds.
    Millis,
    /// The number of a variation among several.
    Rank,
    /// Points up to the end.
    Line,
    /// A value that is of no use here.
    Skipped,
}

const WORDS: [(&str, Meaning); 37] = [
    ("depth", Meaning::Depth),
    ("seldepth", Meaning::Seldepth),
    ("sd", Meaning::Seldepth),
    ("ev", Meaning::Score),
    ("eval", Meaning::Score),
    ("evaluation", Meaning::Score),
    ("score", Meaning::Score),
    ("n", Meaning::Nodes),
    ("node", Meaning::Nodes),
    ("nodes", Meaning::Nodes),
    ("totalnodes", Meaning::Nodes),
    ("visit", Meaning::Nodes),
    ("visits", Meaning::Nodes),
    ("time", Meaning::Time),
    ("tm", Meaning::Millis),
    ("totaltime", Meaning::Millis),
    ("multipv", Meaning::Rank),
    ("pv", Meaning::Line),
    ("bestline", Meaning::Line),
    ("n/ms", Meaning::Skipped),
    ("n/s", Meaning::Skipped),
    ("nps", Meaning::Skipped),
    ("speed", Meaning::Skipped),
    ("v", Meaning::Skipped),
    ("w", Meaning::Skipped),
    ("d", Meaning::Skipped),
    ("stdev", Meaning::Skipped),
    ("prior", Meaning::Skipped),
    ("winrate", Meaning::Skipped),
    ("drawrate", Meaning::Skipped),
    ("hash", Meaning::Skipped),
    ("hashfull", Meaning::Skipped),
    ("temp", Meaning::Skipped),
    ("numpv", Meaning::Skipped),
    ("lcbvalue", Meaning::Skipped),
    ("optitime", Meaning::Skipped),
    ("maxtime", Meaning::Skipped),
];

/// Longer lines are not of any known form.
const LONGEST: usize = 4096;

pub(super) fn read(text: &str) -> Option<Report> {
    if text.len() > LONGEST {
        return None;
    }
    let mut report = Report::default();
    let ranked = ranked(text);
    let text = match ranked {
        Some((1, rest)) => rest,
        Some(_) => return None,
        None => text,
    };
    // A line that begins with an unknown word is about something else: `[Pondering] Depth 9`.
    let first = text.split_whitespace().next()?;
    if ranked.is_none() && meaning(first.trim_end_matches([',', ';'])).is_none() {
        return None;
    }
    for (index, segment) in text.split('|').enumerate() {
        let tokens = tokens(segment);
        if ranked.is_some() && read_bare(&tokens, index, &mut report) {
            continue;
        }
        read_words(&tokens, &mut report)?;
        // Between bars the line of play needs no word.
        let has_bars = index > 0;
        if has_bars && !report.is_empty() && report.pv.is_empty() {
            report.pv = whole_line(&tokens).unwrap_or_default();
        }
    }
    (!report.is_empty()).then_some(report)
}

/// `(2) rest`: one of several variations, best first.
fn ranked(text: &str) -> Option<(u64, &str)> {
    let (rank, rest) = text.trim_start().strip_prefix('(')?.split_once(')')?;
    Some((digits(rank)?, rest))
}

/// The words of a segment, without remarks in brackets and without commas behind words.
fn tokens(segment: &str) -> Vec<&str> {
    let mut in_remark = false;
    let mut tokens = Vec::new();
    for token in segment.split_whitespace() {
        in_remark |= token.starts_with('(') && pv_move(token).is_none();
        if !in_remark {
            tokens.push(token.trim_end_matches([',', ';']));
        }
        in_remark &= !token.ends_with(')');
    }
    tokens
}

/// The segments that have no words in `(1) 512 | 20-43 | I9`.
fn read_bare(tokens: &[&str], index: usize, report: &mut Report) -> bool {
    match (index, tokens) {
        (0, [token]) => score(token).map(|score| set_score(score, report)).is_some(),
        (_, [token]) if depths(token).is_some() => {
            set_depths(depths(token), report);
            true
        }
        _ => false,
    }
}

/// Takes words and their values from the front as long as they are known. None gives up the whole
/// line: it tells of another variation than the best.
fn read_words(mut tokens: &[&str], report: &mut Report) -> Option<()> {
    while let Some((&word, rest)) = tokens.split_first() {
        let Some((meaning, joined)) = meaning(word) else { return Some(()) };
        if let Meaning::Line = meaning {
            report.pv = joined.iter().chain(rest).copied().map_while(pv_move).collect();
            return Some(());
        }
        let (value, rest) = match joined {
            Some(value) => (value, rest),
            None => match rest.split_first() {
                Some((value, rest)) => (*value, rest),
                None => return Some(()),
            },
        };
        tokens = rest;
        match meaning {
            Meaning::Rank if digits(value).is_some_and(|rank| rank > 1) => return None,
            meaning => set(meaning, value, report),
        }
    }
    Some(())
}

/// What a word says of its value, and the value itself where it is joined to it, as in `depth=9`.
fn meaning(word: &str) -> Option<(Meaning, Option<&str>)> {
    let (name, joined) = match word.split_once(['=', ':']) {
        Some((name, value)) => (name, (!value.is_empty()).then_some(value)),
        None => (word, None),
    };
    let (_, meaning) = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some((*meaning, joined))
}

fn set(meaning: Meaning, value: &str, report: &mut Report) {
    let small = |text| digits(text).and_then(|number| u32::try_from(number).ok());
    match meaning {
        Meaning::Depth => set_depths(depths(value), report),
        Meaning::Seldepth => report.info.seldepth = small(value).unwrap_or(report.info.seldepth),
        Meaning::Score => {
            if let Some(score) = score(value) {
                set_score(score, report);
            }
        }
        Meaning::Nodes => report.info.nodes = count(value).unwrap_or(report.info.nodes),
        Meaning::Time => report.time_ms = span(value).or(report.time_ms),
        Meaning::Millis => report.time_ms = digits(value).or(span(value)).or(report.time_ms),
        Meaning::Rank | Meaning::Line | Meaning::Skipped => {}
    }
}

fn set_score(score: Score, report: &mut Report) {
    (report.info.eval, report.info.win_in) = match score {
        Score::Eval(eval) => (Some(eval), None),
        Score::WinIn(plies) => (None, Some(plies)),
    };
}

fn set_depths(depths: Option<(u32, u32)>, report: &mut Report) {
    if let Some((depth, seldepth)) = depths {
        (report.info.depth, report.info.seldepth) = (depth, seldepth.max(report.info.seldepth));
    }
}

/// A segment of points alone.
fn whole_line(tokens: &[&str]) -> Option<Vec<super::PvMove>> {
    tokens.iter().copied().map(pv_move).collect()
}
