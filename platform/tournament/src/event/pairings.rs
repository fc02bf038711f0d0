//! Who meets whom in a round, before and while it is played.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tengen_rules::Seat;

use super::{Event, EventError};
use crate::{EventFormat, FinishedGame, Schedule, ScheduledGame};

/// A round of an event: the tables, and the engines that play none of its games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pairings {
    /// Counted from 1, through all stages.
    pub round: u64,
    /// The rounds that are drawn so far, this one included.
    pub rounds: u64,
    /// The stage, counted from 1, where the event has several.
    pub stage: Option<u16>,
    /// Whether it is drawn, and waits for the referee to begin it.
    pub is_awaited: bool,
    pub tables: Vec<PairedTable>,
    /// Those that sit out, where every engine plays in other rounds.
    pub byes: Vec<String>,
}

/// Two engines that meet in a round.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PairedTable {
    /// Counted from 1.
    pub table: u64,
    /// The one that has the first seat in the first game: Black, where no opening procedure gives
    /// the colours.
    pub first: String,
    pub second: String,
    /// The numbers of their games.
    pub games: Vec<u64>,
    /// How many of these are finished.
    pub finished: u64,
    /// What both made in these; a void game gives nothing.
    pub points: [f64; 2],
}

impl Event {
    /// The pairings of a round; without a number, of the one that is played now: the first that is
    /// not finished, or the next one where the referee is to begin it, or else the last.
    ///
    /// # Errors
    /// When there is no such round, or the database cannot be read.
    pub fn pairings(&self, round: Option<u64>) -> Result<Pairings, EventError> {
        let next = if self.awaits_referee() { self.course.with_next_round() } else { None };
        let course = next.as_ref().unwrap_or(&self.course);
        let schedule = course.schedule();
        let gone = self.config.gone();
        let plays = |game: &ScheduledGame| {
            [game.seats.first, game.seats.second].iter().all(|engine| !gone.contains(engine))
        };
        let rounds = schedule.iter().filter(plays).map(|game| game.round).max().unwrap_or(0);
        let round = match round {
            Some(round) => round,
            None => self.open_round(schedule)?.unwrap_or(rounds),
        };
        if !(1..=rounds).contains(&round) {
            let problem = match rounds {
                0 => "it has no round".to_owned(),
                _ => format!("round {round}: rounds 1 to {rounds} are drawn"),
            };
            return Err(EventError::Act { dir: self.dir.clone(), problem });
        }
        let labels = self.config.labels();
        let games: Vec<ScheduledGame> =
            schedule.iter().filter(|game| game.round == round && plays(game)).collect();
        let mut tables: Vec<PairedTable> = Vec::new();
        let mut table_of: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for game in &games {
            let (first, second) = (game.seats.first, game.seats.second);
            let at = *table_of.entry([first.min(second), first.max(second)]).or_insert_with(|| {
                tables.push(PairedTable {
                    table: tables.len() as u64 + 1,
                    first: labels[first].clone(),
                    second: labels[second].clone(),
                    games: Vec::new(),
                    finished: 0,
                    points: [0.0; 2],
                });
                tables.len() - 1
            });
            let table = &mut tables[at];
            table.games.push(game.number);
            let Some(finished) = self.store.game(game.number).map(|game| game.finished()) else {
                continue;
            };
            table.finished += 1;
            let FinishedGame { seats, result, conditions, .. } = finished;
            for (points, name) in table.points.iter_mut().zip([&table.first, &table.second]) {
                *points += match result.winner {
                    _ if conditions.is_void => 0.0,
                    None => 0.5,
                    Some(winner) => f64::from(u8::from(labels[seats[winner]] == *name)),
                };
            }
        }
        let playing: BTreeSet<usize> =
            games.iter().flat_map(|game| Seat::ALL.map(|seat| game.seats[seat])).collect();
        let stage = games.first().map_or(0, |game| game.stage);
        let sits_out = |engine: &usize| !playing.contains(engine) && !gone.contains(engine);
        let byes = match course.is_drawn() {
            true => course.pool(stage),
            false if self.config.own.format == EventFormat::Gauntlet => Vec::new(),
            false => (0..labels.len()).collect(),
        };
        Ok(Pairings {
            round,
            rounds,
            stage: (self.config.stages.len() > 1).then_some(stage + 1),
            is_awaited: next.is_some() && games.iter().all(|game| game.number > self.tally.len()),
            tables,
            byes: byes.into_iter().filter(sits_out).map(|engine| labels[engine].clone()).collect(),
        })
    }

    /// The round of the first game that is not finished.
    fn open_round(&self, schedule: &Schedule) -> Result<Option<u64>, EventError> {
        let left = self.store.unfinished(schedule.len())?;
        let gone = self.config.gone();
        let mut games = left.into_iter().flatten().filter_map(|number| schedule.get(number));
        let open =
            games.find(|game| Seat::ALL.iter().all(|&seat| !gone.contains(&game.seats[seat])));
        Ok(open.map(|game| game.round))
    }
}
