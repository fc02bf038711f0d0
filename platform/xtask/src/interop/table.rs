//! What is printed.

use std::fmt;

use super::encounter::Encounter;
use super::score::Score;
use super::tengen::Checks;

/// The head of the table; rows stand under it as they come.
pub(super) const HEAD: &str =
    "| engine | what | here | c-gomoku-cli | verdict |\n|---|---|---|---|---|";

/// A row of the table.
pub(super) struct Row {
    pub engine: String,
    pub what: String,
    here: String,
    there: String,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
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

impl Row {
    pub(super) fn check(engine: &str, checks: &Checks) -> Row {
        let verdict = if checks.is_same { Verdict::Good } else { Verdict::Worse };
        let here = match (checks.is_same, &checks.failed[..]) {
            (false, _) => format!("not the same in {} runs", checks.runs),
            (true, []) => format!("passed, {} runs", checks.runs),
            (true, failed) => format!("failed {}, {} runs", failed.join(", "), checks.runs),
        };
        Row::new(engine, "check".to_owned(), here, None, verdict)
    }

    pub(super) fn encounter(
        engine: &str,
        encounter: &Encounter,
        here: &Score,
        there: Option<&Score>,
    ) -> Row {
        let Encounter { rule, size, time, opponent } = encounter;
        let what = format!("{} {size}, {}, {}", rule.name(), time.name(), opponent.name());
        Row::new(engine, what, here.to_string(), there, judge(here, there))
    }

    pub(super) fn opening(engine: &str, opening: &str, here: &Score) -> Row {
        let what = format!("renju 15, opening {opening}");
        Row::new(engine, what, here.to_string(), None, judge(here, None))
    }

    fn new(
        engine: &str,
        what: String,
        here: String,
        there: Option<&Score>,
        verdict: Verdict,
    ) -> Row {
        let there = there.map(Score::to_string).unwrap_or_default();
        Row { engine: engine.to_owned(), what, here, there, verdict }
    }

    /// Whether something is wrong here that is right elsewhere.
    pub(super) fn is_worse(&self) -> bool {
        self.verdict == Verdict::Worse
    }
}

/// What the games of an engine say here, held against those elsewhere.
fn judge(here: &Score, there: Option<&Score>) -> Verdict {
    let Some(there) = there else {
        return match here.forfeits() {
            0 if here.trouble.is_none() => Verdict::Good,
            _ => Verdict::Forfeits,
        };
    };
    if here.forfeits() > there.forfeits() || here.trouble.is_some() && there.trouble.is_none() {
        return Verdict::Worse;
    }
    match (here.agrees(there), here.forfeits()) {
        (false, _) => Verdict::OtherScore,
        (true, 0) => Verdict::Good,
        (true, _) => Verdict::Forfeits,
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { engine, what, here, there, verdict } = self;
        let verdict = match verdict {
            Verdict::Good => "",
            Verdict::Forfeits => "forfeits",
            Verdict::OtherScore => "another score",
            Verdict::Worse => "WORSE HERE",
        };
        write!(f, "| {engine} | {what} | {here} | {there} | {verdict} |")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u32, losses: u32, forfeits: u32) -> Score {
        let mut score = Score { wins, losses, ..Score::default() };
        if forfeits > 0 {
            score.forfeit("protocol_error", forfeits);
        }
        score
    }

    #[test]
    fn a_forfeit_that_others_do_not_give_is_worse() {
        let judged = |here: Score, there: Option<Score>| judge(&here, there.as_ref());
        assert_eq!(judged(score(11, 1, 0), Some(score(10, 2, 0))), Verdict::Good);
        assert_eq!(judged(score(1, 11, 11), Some(score(11, 1, 0))), Verdict::Worse);
        assert_eq!(judged(score(11, 1, 1), Some(score(11, 1, 0))), Verdict::Worse);
        assert_eq!(judged(score(3, 1, 1), Some(score(3, 1, 1))), Verdict::Forfeits);
        assert_eq!(judged(score(1, 11, 0), Some(score(11, 1, 0))), Verdict::OtherScore);
        assert_eq!(judged(score(3, 1, 1), None), Verdict::Forfeits);
        assert_eq!(judged(score(3, 1, 0), None), Verdict::Good);
        let stuck = Score { trouble: Some("no games".to_owned()), ..Score::default() };
        assert_eq!(judged(stuck.clone(), Some(score(3, 1, 0))), Verdict::Worse);
        assert_eq!(judged(stuck.clone(), Some(stuck)), Verdict::Good);
    }
}
