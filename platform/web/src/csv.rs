//! The games of an event as a table for other programs.

use std::io::{self, Write};
use std::path::Path;

use tengen_files::AtomicFile;
use tengen_record::{GameRecord, GameReplay};
use tengen_rules::{Color, Seat};
use tengen_tournament::{Event, ScheduledGame};

use crate::ReportError;

const COLUMNS: &str = "game,round,pair,first,second,black,white,winner,result,termination,stones,\
                       seconds,began,spoiled,void,moves";

/// Writes the finished games of an event as CSV (RFC 4180), a line each in the order of their
/// numbers, and says how many they are. The file appears when it is whole.
///
/// `winner` is `black`, `white` or empty, and `result` says the same of the first seat: `1`, `0.5`
/// or `0`. `began` is in seconds since the beginning of 1970, and `moves` has every stone in order.
///
/// # Errors
/// When the event cannot be read, or the file not written.
pub fn write_csv(event: &Event, path: &Path) -> Result<u64, ReportError> {
    let unwritable = |source: io::Error| ReportError::File { path: path.to_owned(), source };
    let mut file = AtomicFile::create(path).map_err(unwritable)?;
    file.write_all(format!("{COLUMNS}\r\n").as_bytes()).map_err(unwritable)?;
    let schedule = event.schedule();
    let mut games = 0;
    for record in event.records() {
        let record = record?;
        let number = record.header.game.unwrap_or(0);
        let Some(scheduled) = schedule.get(number) else { continue };
        let line = line(&record, &scheduled).map_err(|source| {
            let dir = event.dir().to_owned();
            ReportError::Game { dir, number, source }
        })?;
        file.write_all(line.as_bytes()).map_err(unwritable)?;
        games += 1;
    }
    file.finish().map_err(unwritable)?;
    Ok(games)
}

fn line(
    record: &GameRecord,
    scheduled: &ScheduledGame,
) -> Result<String, tengen_rules::OpeningError> {
    let mut replay = GameReplay::new(record.header.config())?;
    record.actions.iter().for_each(|entry| replay.act(entry));
    let game = replay.game();
    let stones: Vec<String> = game
        .position()
        .moves()
        .iter()
        .filter_map(|mv| mv.point().map(|point| point.to_string()))
        .collect();
    let (colors, seats) = (game.colors(), &record.header.seats);
    let holder = |color: Color| {
        let seat = if colors.first == color { Seat::First } else { Seat::Second };
        seats[seat].id.clone()
    };
    let winner = record.result.winner.map_or("", |seat| colors[seat].name());
    let result = match record.result.winner {
        Some(Seat::First) => "1",
        Some(Seat::Second) => "0",
        None => "0.5",
    };
    let spent: u64 = record.actions.iter().map(|action| action.spent).sum();
    let conditions = &record.conditions;
    let fields = [
        scheduled.number.to_string(),
        scheduled.round.to_string(),
        scheduled.pair.to_string(),
        seats.first.id.clone(),
        seats.second.id.clone(),
        holder(Color::Black),
        holder(Color::White),
        winner.to_owned(),
        result.to_owned(),
        record.result.termination.name().to_owned(),
        stones.len().to_string(),
        format!("{:.3}", spent as f64 / 1e9),
        conditions.began.map(|began| began.to_string()).unwrap_or_default(),
        conditions.is_spoiled().to_string(),
        conditions.is_void.to_string(),
        stones.join(" "),
    ];
    Ok(csv_line(fields))
}

/// A line of comma-separated values (RFC 4180) with its end. A value that a spreadsheet would take
/// for a formula gets an apostrophe before it.
pub fn csv_line<T: AsRef<str>>(fields: impl IntoIterator<Item = T>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|field| quoted(field.as_ref())).collect();
    fields.join(",") + "\r\n"
}

/// A field, quoted as in RFC 4180. A value that a spreadsheet would take for a formula gets an
/// apostrophe before it: names come from strangers.
fn quoted(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let field = if is_formula { format!("'{field}") } else { field.to_owned() };
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_with_a_separator_is_quoted() {
        assert_eq!(quoted("hoshi"), "hoshi");
        assert_eq!(quoted("ho,\"shi\"\n"), "\"ho,\"\"shi\"\"\n\"");
    }

    #[test]
    fn no_name_is_a_formula() {
        assert_eq!(quoted("=1+2"), "'=1+2");
        assert_eq!(quoted("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
        for first in ['+', '-', '\t'] {
            assert_eq!(quoted(&format!("{first}1")), format!("'{first}1"));
        }
        assert_eq!(quoted("\r=1"), "\"'\r=1\"");
        assert_eq!(quoted("hoshi-2"), "hoshi-2");
    }
}
