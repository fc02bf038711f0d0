//! Reads a line that reports a search.

use alloc::vec::Vec;

use super::SearchReport;
use super::number::{ParsedScore, count, depths, digits, pv_move, score, span};

/// What the value of a word is.
#[derive(Clone, Copy)]
enum ValueKind {
    Depth,
    Seldepth,
    ParsedScore,
    Nodes,
    /// With a unit.
    Time,
    Millis,
    /// The number of a variation among several.
    Rank,
    /// Points up to the end.
    Line,
    /// A value that is of no use here.
    Skipped,
}

const WORDS: [(&str, ValueKind); 37] = [
    ("depth", ValueKind::Depth),
    ("seldepth", ValueKind::Seldepth),
    ("sd", ValueKind::Seldepth),
    ("ev", ValueKind::ParsedScore),
    ("eval", ValueKind::ParsedScore),
    ("evaluation", ValueKind::ParsedScore),
    ("score", ValueKind::ParsedScore),
    ("n", ValueKind::Nodes),
    ("node", ValueKind::Nodes),
    ("nodes", ValueKind::Nodes),
    ("totalnodes", ValueKind::Nodes),
    ("visit", ValueKind::Nodes),
    ("visits", ValueKind::Nodes),
    ("time", ValueKind::Time),
    ("tm", ValueKind::Millis),
    ("totaltime", ValueKind::Millis),
    ("multipv", ValueKind::Rank),
    ("pv", ValueKind::Line),
    ("bestline", ValueKind::Line),
    ("n/ms", ValueKind::Skipped),
    ("n/s", ValueKind::Skipped),
    ("nps", ValueKind::Skipped),
    ("speed", ValueKind::Skipped),
    ("v", ValueKind::Skipped),
    ("w", ValueKind::Skipped),
    ("d", ValueKind::Skipped),
    ("stdev", ValueKind::Skipped),
    ("prior", ValueKind::Skipped),
    ("winrate", ValueKind::Skipped),
    ("drawrate", ValueKind::Skipped),
    ("hash", ValueKind::Skipped),
    ("hashfull", ValueKind::Skipped),
    ("temp", ValueKind::Skipped),
    ("numpv", ValueKind::Skipped),
    ("lcbvalue", ValueKind::Skipped),
    ("optitime", ValueKind::Skipped),
    ("maxtime", ValueKind::Skipped),
];

/// Longer lines are not of any known form.
const LONGEST: usize = 4096;

pub(super) fn read(text: &str) -> Option<SearchReport> {
    if text.len() > LONGEST {
        return None;
    }
    let mut report = SearchReport::default();
    let ranked = ranked(text);
    let text = match ranked {
        Some((1, rest)) => rest,
        Some(_) => return None,
        None => text,
    };
    // A line that begins with an unknown word is about something else: `[Pondering] Depth 9`.
    let first = text.split_whitespace().next()?;
    if ranked.is_none() && value_kind(first.trim_end_matches([',', ';'])).is_none() {
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

/// The segments without words, as in `(1) 512 | 20-43 | I9`.
fn read_bare(tokens: &[&str], index: usize, report: &mut SearchReport) -> bool {
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
/// line: it reports another variation than the best.
fn read_words(mut tokens: &[&str], report: &mut SearchReport) -> Option<()> {
    while let Some((&word, rest)) = tokens.split_first() {
        let Some((value_kind, joined)) = value_kind(word) else { return Some(()) };
        if let ValueKind::Line = value_kind {
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
        match value_kind {
            ValueKind::Rank if digits(value).is_some_and(|rank| rank > 1) => return None,
            value_kind => set(value_kind, value, report),
        }
    }
    Some(())
}

/// What a word says of its value, and the value itself where it is joined to it, as in `depth=9`.
fn value_kind(word: &str) -> Option<(ValueKind, Option<&str>)> {
    let (name, joined) = match word.split_once(['=', ':']) {
        Some((name, value)) => (name, (!value.is_empty()).then_some(value)),
        None => (word, None),
    };
    let (_, value_kind) = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some((*value_kind, joined))
}

fn set(value_kind: ValueKind, value: &str, report: &mut SearchReport) {
    let small = |text| digits(text).and_then(|number| u32::try_from(number).ok());
    match value_kind {
        ValueKind::Depth => set_depths(depths(value), report),
        ValueKind::Seldepth => report.info.seldepth = small(value).unwrap_or(report.info.seldepth),
        ValueKind::ParsedScore => {
            if let Some(score) = score(value) {
                set_score(score, report);
            }
        }
        ValueKind::Nodes => report.info.nodes = count(value).unwrap_or(report.info.nodes),
        ValueKind::Time => report.time_ms = span(value).or(report.time_ms),
        ValueKind::Millis => report.time_ms = digits(value).or(span(value)).or(report.time_ms),
        ValueKind::Rank | ValueKind::Line | ValueKind::Skipped => {}
    }
}

fn set_score(score: ParsedScore, report: &mut SearchReport) {
    (report.info.eval, report.info.win_in) = match score {
        ParsedScore::Eval(eval) => (Some(eval), None),
        ParsedScore::WinIn(plies) => (None, Some(plies)),
    };
}

fn set_depths(depths: Option<(u32, u32)>, report: &mut SearchReport) {
    if let Some((depth, seldepth)) = depths {
        (report.info.depth, report.info.seldepth) = (depth, seldepth.max(report.info.seldepth));
    }
}

/// A segment of points alone.
fn whole_line(tokens: &[&str]) -> Option<Vec<super::PvMove>> {
    tokens.iter().copied().map(pv_move).collect()
}
