//! Records that come from outside of this process, judged by the rules of their event.

use tengen_arbiter::{CpuStats, ForfeitCause, HistoryEntry, Nanos, Termination};
use tengen_record::{Conditions, GameRecord, ReplayError, pack, replay};
use thiserror::Error;

use super::records::{header, scaled, stones};
use crate::store::StoredGame;
use crate::{EventConfig, ScheduledGame, record_line};

/// Why a record is not that of a game of an event.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    #[error("its players, rule, clock, opening or seed are not those of the event")]
    Header,
    #[error("it has a span, a count or a text that no game has")]
    Excess,
    #[error("its times are scaled, and those of the event are not")]
    Scale,
    #[error("it has a ruling, and only a referee of the event gives one")]
    Ruling,
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// The most characters that say how a game ended, and the most often that one is played again.
const MOST_DETAIL: usize = 4000;
const MOST_REPLAYS: u32 = 1000;
/// The longest time that a game may have to do with: a year, in nanoseconds.
const LONGEST: Nanos = 365 * 86400 * 1_000_000_000;

/// A game as it is stored, from its record.
///
/// # Errors
/// When the record is not that of this game of the event.
pub(super) fn judged(
    record: GameRecord,
    config: &EventConfig,
    scheduled: &ScheduledGame,
) -> Result<StoredGame, RecordFault> {
    if scaled(header(config, scheduled), record.worker.as_ref()) != record.header {
        return Err(RecordFault::Header);
    }
    if record.ruling.is_some() || record.result.termination == Termination::Ruling {
        return Err(RecordFault::Ruling);
    }
    if config.scale_time.is_none() && record.worker.as_ref().is_some_and(|it| !it.scale.is_one()) {
        return Err(RecordFault::Scale);
    }
    let duration = record.actions.iter().map(HistoryEntry::span).fold(0, u64::saturating_add);
    if duration > LONGEST || !is_bounded(&record.conditions, record.detail.as_deref()) {
        return Err(RecordFault::Excess);
    }
    Ok(StoredGame {
        number: scheduled.number,
        seats: scheduled.seats,
        result: replay(&record)?,
        plies: stones(&record),
        duration,
        packed: pack(&record.actions),
        line: record_line(&record),
        is_again: false,
        detail: record.detail,
        conditions: record.conditions,
        worker: record.worker,
        ruling: None,
    })
}

/// Whether what is told of a game beside its moves is no more than the database has room for.
fn is_bounded(conditions: &Conditions, detail: Option<&str>) -> bool {
    let Conditions { forfeit, replays, stopped, began, .. } = *conditions;
    let spans = forfeit.map(|ForfeitCause { cpu_stats, .. }| {
        let CpuStats { cpu, waited, asleep, suspended, .. } = cpu_stats;
        [cpu, waited, asleep, suspended]
    });
    let mut spans = spans.into_iter().flatten().chain([stopped]);
    spans.all(|span| span <= LONGEST)
        && replays <= MOST_REPLAYS
        && began.is_none_or(|began| i64::try_from(began).is_ok())
        && detail.is_none_or(|detail| detail.chars().count() <= MOST_DETAIL)
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Cause;

    use super::*;

    #[test]
    fn what_does_not_fit_into_the_database_is_no_record() {
        let usual = Conditions::default();
        assert!(is_bounded(&usual, Some("Illegal move")));
        assert!(!is_bounded(&usual, Some(&"x".repeat(MOST_DETAIL + 1))));
        assert!(!is_bounded(&Conditions { stopped: u64::MAX, ..usual }, None));
        assert!(!is_bounded(&Conditions { began: Some(u64::MAX), ..usual }, None));
        assert!(!is_bounded(&Conditions { replays: u32::MAX, ..usual }, None));
        let cpu_stats = CpuStats { waited: u64::MAX, ..CpuStats::default() };
        let forfeit = Some(ForfeitCause { cause: Cause::Engine, cpu_stats });
        assert!(!is_bounded(&Conditions { forfeit, ..usual }, None));
    }
}
