//! A Swiss as other pairing programs read it: the tournament report file of FIDE, TRF16 (FIDE
//! Handbook C.04, annex 2, "FIDE Data Exchange Format"), with columns counted from 1 there.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use super::{Event, EventError, Pairings, files};
use crate::EventFormat;

/// The longest name that a player has in it (columns 15 to 47).
const MOST_NAME: usize = 33;

impl Event {
    /// Writes a Swiss of one game a meeting as a tournament report file, with the rounds that are
    /// finished. The engines have their numbers by their seeding, and Black of a game, which
    /// begins, stands for White there.
    ///
    /// # Errors
    /// When the event is no such Swiss, or the file cannot be written.
    pub fn export_trf(&self, path: &Path) -> Result<(), EventError> {
        let text = self.trf()?;
        let refused = |source| {
            let (path, dir) = (path.to_owned(), self.dir.clone());
            EventError::Export { path, dir, source }
        };
        files::write_anywhere(path, &self.dir, |file| file.write_all(text.as_bytes()))
            .map_err(refused)
    }

    fn trf(&self) -> Result<String, EventError> {
        let is_swiss =
            self.config.stages.is_empty() && self.config.own.format == EventFormat::Swiss;
        if !is_swiss || self.config.games != 1 {
            let problem =
                "a TRF file has a Swiss with one game a meeting (--format swiss --games 1)";
            return Err(EventError::Act { dir: self.dir.clone(), problem: problem.to_owned() });
        }
        let labels = self.config.labels();
        let seeds = self.course.pool(0);
        let stages = self.course.stages(&labels);
        let stage = stages.first();
        let lines = stage.and_then(|stage| stage.tables.first()).map(|table| &table.lines[..]);
        let played = self.played_rounds()?;
        let number_of = |label: &String| {
            let place = seeds.iter().position(|&engine| labels[engine] == *label);
            place.map_or(0, |place| place + 1)
        };
        let mut text = format!("012 {}\n", self.title());
        if let Some(place) = &self.config.place {
            let _ = writeln!(text, "022 {place}");
        }
        let _ = writeln!(text, "062 {}", seeds.len());
        text += "092 Individual: Swiss-System (Dutch)\n";
        let _ = writeln!(text, "XXR {}", stage.and_then(|stage| stage.rounds).unwrap_or(0));
        let _ = writeln!(text, "XXC {}1", first_seat(&played, number_of));
        for (number, &engine) in (1..).zip(&seeds) {
            let label = &labels[engine];
            let line = lines.and_then(|lines| lines.iter().find(|line| line.engine == *label));
            let points = line.and_then(|line| line.points).unwrap_or(0.0);
            let place = line.map_or(0, |line| line.place);
            let name: String = label.chars().take(MOST_NAME).collect();
            let rating = self.config.engines[engine].rating;
            let rating = rating.map_or(String::new(), |rating| rating.to_string());
            let _ = write!(
                text,
                "001 {number:>4}      {name:<MOST_NAME$} {rating:>4} {:>3} {:>11} {:>10} \
                 {points:>4.1} {place:>4}",
                "", "", ""
            );
            for round in &played {
                text += &entry(round, label, number_of);
            }
            text.push('\n');
        }
        Ok(text)
    }

    /// The rounds of which every game is finished.
    fn played_rounds(&self) -> Result<Vec<Pairings>, EventError> {
        let mut played = Vec::new();
        let rounds = self.schedule().iter().map(|game| game.round).max().unwrap_or(0);
        for round in 1..=rounds {
            let pairings = self.pairings(Some(round))?;
            let is_over = |table: &super::PairedTable| table.finished == table.games.len() as u64;
            if !pairings.tables.iter().all(is_over) {
                break;
            }
            played.push(pairings);
        }
        Ok(played)
    }
}

/// Which seat the first player of the seeding was to have in the first round, as the top table of
/// it tells: of those before it every other one had the other seat.
fn first_seat(played: &[Pairings], number_of: impl Fn(&String) -> usize) -> &'static str {
    let Some(table) = played.first().and_then(|round| round.tables.first()) else {
        return "white";
    };
    let [first, second] = [&table.first, &table.second].map(&number_of);
    if (first < second) == (first.min(second) % 2 == 1) { "white" } else { "black" }
}

/// What a player did in a round: its opponent, its seat and its result. A game that counts for
/// neither is half a point for each, as in the standings of a Swiss.
fn entry(round: &Pairings, label: &String, number_of: impl Fn(&String) -> usize) -> String {
    for table in &round.tables {
        let sides = [(&table.first, &table.second, 'w'), (&table.second, &table.first, 'b')];
        for ((own, other, seat), made) in sides.into_iter().zip(table.points) {
            if own == label {
                let result = match made {
                    1.0 => '1',
                    _ if table.points == [0.0, 0.0] || made == 0.5 => '=',
                    _ => '0',
                };
                return format!("  {:>4} {seat} {result}", number_of(other));
            }
        }
    }
    // A bye by the draw, worth a win.
    "  0000 - U".to_owned()
}
