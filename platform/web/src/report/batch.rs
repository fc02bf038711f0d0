//! Some games of a report, prepared together.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use tengen_record::{GameRecord, GameReplay};
use tengen_rules::{BySeat, OpeningError};
use tengen_tournament::{Event, EventError};

use crate::figures::Figures;
use crate::game_row::GameRow;
use crate::rating_curve::RatedGame;
use tengen_link::view::GameView;

/// How many replayable games are packed together: the page unpacks that many to show one.
const SHOWN: usize = 64;
/// The most games of a batch.
const GAMES: usize = 256;

/// Games that follow each other.
#[derive(Default)]
pub(super) struct Batch {
    games: Vec<BatchGame>,
    shown: usize,
}

struct BatchGame {
    record: GameRecord,
    seats: BySeat<usize>,
    /// Whether it is no evidence.
    is_again: bool,
    /// Whether it is to be replayed.
    is_shown: bool,
}

pub(super) struct BatchDone {
    pub figures: Figures,
    pub games: Vec<RatedGame>,
    pub rows: Vec<GameRow>,
    /// The games that are to be replayed: a JSON list, deflated, in base64.
    pub block: String,
}

impl Batch {
    /// All finished games of an event, at most so many of them to be replayed.
    pub fn all(event: &Event, most: u64) -> impl Iterator<Item = Result<Batch, EventError>> + '_ {
        let (schedule, finished) = (event.schedule(), event.tally().len());
        let mut records = event.records().peekable();
        std::iter::from_fn(move || {
            let mut batch = Batch::default();
            while batch.shown < SHOWN && batch.games.len() < GAMES {
                let Some(record) = records.next() else { break };
                let record = match record {
                    Ok(record) => record,
                    Err(error) => return Some(Err(error)),
                };
                let number = record.header.game.unwrap_or(0);
                // The store has checked it: a record of an event is in its schedule.
                let Some(scheduled) = schedule.get(number) else { continue };
                let is_shown = is_among(number, most, finished);
                batch.shown += usize::from(is_shown);
                let (seats, is_again) = (scheduled.seats, event.is_again(number));
                batch.games.push(BatchGame { record, seats, is_again, is_shown });
            }
            (!batch.games.is_empty()).then_some(Ok(batch))
        })
    }

    /// Plays the games again, counts them and packs those that are shown. An error has the number
    /// of its game.
    pub fn prepare(self, mut figures: Figures) -> Result<BatchDone, (u64, OpeningError)> {
        let (mut rows, mut games) = (Vec::new(), Vec::with_capacity(self.games.len()));
        let mut json = Vec::with_capacity(self.shown * 8192);
        json.push(b'[');
        for BatchGame { record, seats, is_again, is_shown } in &self.games {
            let number = record.header.game.unwrap_or(0);
            let replay = if *is_shown {
                let (view, replay) =
                    GameView::with_replay(record, *seats).map_err(|error| (number, error))?;
                if !rows.is_empty() {
                    json.push(b',');
                }
                serde_json::to_writer(&mut json, &view).expect("a vector takes every byte");
                rows.push(GameRow::new(record, *seats, replay.game()));
                replay
            } else {
                replayed(record).map_err(|error| (number, error))?
            };
            if !record.conditions.is_void {
                figures.add(record, *seats, replay.game());
            }
            games.push(RatedGame::new(record, *seats, *is_again));
        }
        json.push(b']');
        let block = if rows.is_empty() { String::new() } else { packed(&json) };
        Ok(BatchDone { figures, games, rows, block })
    }
}

/// Whether a game is among those that can be replayed: all of them, or every so many pairs, spread
/// evenly over the games that are finished. Both games of a pair are, or neither.
fn is_among(number: u64, most: u64, finished: u64) -> bool {
    if finished <= most {
        return true;
    }
    // The two games of a pair stand next to each other, the first with an odd number.
    let place = u128::from(number.saturating_sub(1) / 2);
    let (pairs, most) = (u128::from(finished.div_ceil(2)), u128::from(most / 2));
    let shown_before = |place: u128| (place * most / pairs).min(most);
    shown_before(place + 1) > shown_before(place)
}

fn replayed(record: &GameRecord) -> Result<GameReplay, OpeningError> {
    let mut replay = GameReplay::new(record.header.config())?;
    record.actions.iter().for_each(|entry| replay.act(entry));
    Ok(replay)
}

fn packed(json: &[u8]) -> String {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::new(4));
    let packed = packer.write_all(json).and_then(|()| packer.finish());
    STANDARD.encode(packed.expect("a vector takes every byte"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_no_greater_than_asked_and_spread_over_the_event() {
        for (games, most) in [(10_000, 10_000), (10_002, 10_000), (1_000_000, 10_000), (100, 10)] {
            let shown: Vec<u64> =
                (1..=games + 20).filter(|number| is_among(*number, most, games)).collect();
            if games <= most {
                continue;
            }
            assert_eq!(shown.len() as u64, most, "{games} {most}");
            assert!(shown.chunks(2).all(|pair| pair[0] % 2 == 1 && pair[1] == pair[0] + 1));
            let half = shown.iter().filter(|number| **number <= games / 2).count() as u64;
            assert!(half.abs_diff(most / 2) <= 2, "{games} {most}: {half}");
        }
    }
}
