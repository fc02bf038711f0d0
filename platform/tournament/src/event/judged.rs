//! Records that come from outside of this process, judged by the rules of their event.

use tengen_arbiter::HistoryEntry;
use tengen_record::{GameRecord, ReplayError, pack, replay};
use thiserror::Error;

use super::records::{header, scaled, stones};
use crate::store::StoredGame;
use crate::{EventConfig, ScheduledGame, record_line};

/// Why a record is not that of a game of an event.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    #[error("its players, rule, clock, opening or seed are not those of the event")]
    Header,
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

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
    Ok(StoredGame {
        number: scheduled.number,
        seats: scheduled.seats,
        result: replay(&record)?,
        plies: stones(&record),
        duration: record.actions.iter().map(HistoryEntry::span).fold(0, u64::saturating_add),
        packed: pack(&record.actions),
        line: record_line(&record),
        is_again: false,
        detail: record.detail,
        conditions: record.conditions,
        worker: record.worker,
    })
}
