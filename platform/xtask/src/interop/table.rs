//! What is printed.

use std::fmt;

use super::encounter::Match;
use super::score::InteropScore;
use super::tengen::CheckResults;

/// The head of the table; rows stand under it as they come.
pub(super) const HEAD: &str =
    "| engine | what | here | c-gomoku-cli | verdict |\n|---|---|---|---|---|";

/// A row of the table.
pub(super) struct InteropRow {
    pub engine: String,
    pub what: String,
    here: String,
    there: String,
    verdict: InteropVerdict,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InteropVerdict {
    /// Nothing to be said against it.
    Good,
    /// The engine forfeited games, as it did elsewhere, or where nothing else says whose fault it
    /// was.
    Forfeits,
    /// The scores differ by more than their errors.
    OtherScore,
    /// It forfeited here what it did not elsewhere, or came off worse.
    Worse,
}

impl InteropRow {
    pub(super) fn check(engine: &str, checks: &CheckResults) -> InteropRow {
        let verdict = if checks.is_same { InteropVerdict::Good } else { InteropVerdict::Worse };
        let here = match (checks.is_same, &checks.failed[..]) {
            (false, _) => format!("not the same in {} runs", checks.runs),
            (true, []) => format!("passed, {} runs", checks.runs),
            (true, failed) => format!("failed {}, {} runs", failed.join(", "), checks.runs),
        };
        InteropRow::new(engine, "check".to_owned(), here, None, verdict)
    }

    pub(super) fn encounter(
        engine: &str,
        encounter: &Match,
        here: &InteropScore,
        there: Option<&InteropScore>,
    ) -> InteropRow {
        let Match { rule, size, time, opponent } = encounter;
        let what = format!("{} {size}, {}, {}", rule.name(), time.name(), opponent.name());
        InteropRow::new(engine, what, here.to_string(), there, judge(here, there))
    }

    pub(super) fn opening(engine: &str, opening: &str, here: &InteropScore) -> InteropRow {
        let what = format!("renju 15, opening {opening}");
        InteropRow::new(engine, what, here.to_string(), None, judge(here, None))
    }

    fn new(
        engine: &str,
        what: String,
        here: String,
        there: Option<&InteropScore>,
        verdict: InteropVerdict,
    ) -> InteropRow {
        let there = there.map(InteropScore::to_string).unwrap_or_default();
        InteropRow { engine: engine.to_owned(), what, here, there, verdict }
    }

    /// Whether something is wrong here that is right elsewhere.
    pub(super) fn is_worse(&self) -> bool {
        self.verdict == InteropVerdict::Worse
    }
}

/// What the games of an engine say here, held against those elsewhere.
fn judge(here: &InteropScore, there: Option<&InteropScore>) -> InteropVerdict {
    let Some(there) = there else {
        return match here.forfeits() {
            0 if here.trouble.is_none() => InteropVerdict::Good,
            _ => InteropVerdict::Forfeits,
        };
    };
    if here.forfeits() > there.forfeits() || here.trouble.is_some() && there.trouble.is_none() {
        return InteropVerdict::Worse;
    }
    match (here.agrees(there), here.forfeits()) {
        (false, _) => InteropVerdict::OtherScore,
        (true, 0) => InteropVerdict::Good,
        (true, _) => InteropVerdict::Forfeits,
    }
}

impl fmt::Display for InteropRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InteropRow { engine, what, here, there, verdict } = self;
        let verdict = match verdict {
            InteropVerdict::Good => "",
            InteropVerdict::Forfeits => "forfeits",
            InteropVerdict::OtherScore => "another score",
            InteropVerdict::Worse => "WORSE HERE",
        };
        write!(f, "| {engine} | {what} | {here} | {there} | {verdict} |")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u32, losses: u32, forfeits: u32) -> InteropScore {
        let mut score = InteropScore { wins, losses, ..InteropScore::default() };
        if forfeits > 0 {
            score.forfeit("protocol_error", forfeits);
        }
        score
    }

    #[test]
    fn a_forfeit_that_others_do_not_give_is_worse() {
        let judged = |here: InteropScore, there: Option<InteropScore>| judge(&here, there.as_ref());
        assert_eq!(judged(score(11, 1, 0), Some(score(10, 2, 0))), InteropVerdict::Good);
        assert_eq!(judged(score(1, 11, 11), Some(score(11, 1, 0))), InteropVerdict::Worse);
        assert_eq!(judged(score(11, 1, 1), Some(score(11, 1, 0))), InteropVerdict::Worse);
        assert_eq!(judged(score(3, 1, 1), Some(score(3, 1, 1))), InteropVerdict::Forfeits);
        assert_eq!(judged(score(1, 11, 0), Some(score(11, 1, 0))), InteropVerdict::OtherScore);
        assert_eq!(judged(score(3, 1, 1), None), InteropVerdict::Forfeits);
        assert_eq!(judged(score(3, 1, 0), None), InteropVerdict::Good);
        let stuck =
            InteropScore { trouble: Some("no games".to_owned()), ..InteropScore::default() };
        assert_eq!(judged(stuck.clone(), Some(score(3, 1, 0))), InteropVerdict::Worse);
        assert_eq!(judged(stuck.clone(), Some(stuck)), InteropVerdict::Good);
    }
}
