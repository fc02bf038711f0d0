//! The news of the tables of an event that this process plays, as viewers get them.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tengen_arbiter::{GameResult, HistoryEntry};
use tengen_record::Header;
use tengen_rules::{BySeat, Seat};
use tengen_tournament::{EventFollower, FollowedGame, GameNews, SearchNews, TableCursor};

use tengen_link::view::TurnView;

pub(super) struct News {
    pub at: Instant,
    pub table: usize,
    /// The game, where the table is told from its start.
    pub begun: Option<Box<Begun>>,
    /// The actions since the last news, or since the start.
    pub entries: Vec<HistoryEntry>,
    pub turn: TurnView,
    pub over: Option<(GameResult, Option<String>)>,
    /// What an engine that thinks said; nothing else is news then.
    pub search: Option<SearchNews>,
}

pub(super) struct Begun {
    pub header: Header,
    pub seats: BySeat<usize>,
}

impl News {
    /// The next news of a table, after what viewers were already told.
    pub fn next(from: &EventFollower, table: usize, told: &mut TableCursor) -> Option<News> {
        let GameNews { game, is_begun, actions } = from.news(table, told)?;
        let FollowedGame { scheduled, since, .. } = &game;
        let begun = match is_begun {
            true => {
                let (config, seats) = (from.config(), scheduled.seats);
                // One of an engine that was added a moment ago may not be known yet.
                if Seat::ALL.iter().any(|&seat| seats[seat] >= config.engines.len()) {
                    *told = TableCursor::default();
                    return None;
                }
                Some(Box::new(Begun { header: config.header(scheduled), seats }))
            }
            false => None,
        };
        let (at, turn) = (*since, turn(&game));
        let (over, search) = (game.end, None);
        Some(News { at, table, begun, entries: actions, turn, over, search })
    }

    /// What the engine that thinks at a table said, if that is new.
    pub fn of_search(from: &EventFollower, table: usize, told: &mut u64) -> Option<News> {
        let search = Some(from.search(table, told)?);
        let (begun, entries, turn, over) = (None, Vec::new(), TurnView::default(), None);
        Some(News { at: Instant::now(), table, begun, entries, turn, over, search })
    }
}

/// Which seat is asked, and what is on the clocks.
fn turn(game: &FollowedGame) -> TurnView {
    let ago = u64::try_from(game.since.elapsed().as_millis()).unwrap_or(u64::MAX);
    TurnView { asked: game.turn, since: now().saturating_sub(ago), ..TurnView::of(game.clocks) }
}

/// The date in milliseconds.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
