//! A game as data: a record or a sheet.

use std::sync::Arc;

use tengen_arbiter::{GameResult, Termination};
use tengen_record::formats::{Node, ScoreSheet, SheetOutcome, sgf};
use tengen_record::{GameRecord, Header};
use tengen_rules::{BySeat, Color, Ending, Move, Point, Procedure, Rule, Seat};

use crate::app::model::Snapshot;
use crate::app::model::move_list::display_name;

/// The data of a game: a full record, or a sheet with less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameData {
    /// With every answer and clock.
    Record(Box<GameRecord>),
    /// As other programs store games.
    Sheet(Arc<ScoreSheet>),
}

/// A game as a row of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameSummary {
    /// Its number in its event, or its position in its file, from 1.
    pub number: u64,
    /// The players.
    pub names: BySeat<String>,
    /// The result, if known.
    pub result: Option<GameResult>,
    /// Whether it is known why the result is what it is.
    pub is_reason_known: bool,
    /// The number of stones.
    pub plies: usize,
}

impl GameData {
    pub fn of_snapshot(snapshot: &Snapshot) -> GameData {
        let mut sheet = ScoreSheet::new(snapshot.size);
        sheet.rule = Some(snapshot.rule);
        sheet.opening = Some(snapshot.opening).filter(|opening| opening.asks());
        for seated in [&snapshot.seats.first, &snapshot.seats.second] {
            sheet.players[seated.color].clone_from(&seated.name);
        }
        let control = snapshot.seats.first.control;
        sheet.time = Some(control).filter(|control| *control == snapshot.seats.second.control);
        sheet.outcome = snapshot.result.map(|result| SheetOutcome {
            winner: result.winner.map(|seat| snapshot.seats[seat].color),
            termination: Some(result.termination),
        });
        let mut last = sheet.tree.root();
        for row in snapshot.rows.iter() {
            let played = Some((row.color, row.mv));
            last = sheet.tree.add(last, Node { played, spent: row.spent, ..Node::default() });
        }
        GameData::Sheet(Arc::new(sheet))
    }

    /// Its summary; `place` is its number if it has none itself.
    pub fn line(&self, place: u64) -> GameSummary {
        let number = match self {
            GameData::Record(record) => record.header.game.unwrap_or(place),
            GameData::Sheet(_) => place,
        };
        let plies = self.moves().map_or(0, |moves| moves.len());
        let (result, is_reason_known) = self.ending();
        GameSummary { number, names: self.names(), result, is_reason_known, plies }
    }

    /// The players; Black is first if there are no seats.
    pub fn names(&self) -> BySeat<String> {
        match self {
            GameData::Record(record) => BySeat::from_fn(|seat| names(&record.header, seat)),
            GameData::Sheet(sheet) => BySeat {
                first: sheet.players[Color::Black].clone(),
                second: sheet.players[Color::White].clone(),
            },
        }
    }

    /// The result, as it is told or as the board shows it, and whether it is known why it is so:
    /// other programs may tell the winner alone.
    pub fn ending(&self) -> (Option<GameResult>, bool) {
        let sheet = match self {
            GameData::Record(record) => return (Some(record.result), true),
            GameData::Sheet(sheet) => sheet,
        };
        let Some(outcome) = sheet.outcome else { return (shown(sheet), true) };
        let seat = |color| if color == Color::Black { Seat::First } else { Seat::Second };
        let winner = outcome.winner.map(seat);
        let shown = || Some(shown(sheet).filter(|shown| shown.winner == winner)?.termination);
        let reason = outcome.termination.or_else(shown);
        let untold = match winner {
            Some(_) => Termination::Resignation,
            None => Termination::Agreement,
        };
        (Some(GameResult { winner, termination: reason.unwrap_or(untold) }), reason.is_some())
    }

    /// Its moves from the empty board. Stones set up come first, in some order.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn moves(&self) -> Result<Vec<Move>, String> {
        match self {
            GameData::Record(record) => Ok(moves_of(record)),
            GameData::Sheet(sheet) => {
                sheet.check().map_err(|error| error.to_string())?;
                let mut moves = set_up(&sheet.set_up.black, &sheet.set_up.white);
                moves.extend(sheet.moves().map(|(_, mv)| mv));
                Ok(moves)
            }
        }
    }

    /// Its sheet.
    ///
    /// # Errors
    /// When the record is not a valid game.
    pub fn sheet(&self) -> Result<ScoreSheet, String> {
        match self {
            GameData::Record(record) => {
                ScoreSheet::from_record(record).map_err(|error| error.to_string())
            }
            GameData::Sheet(sheet) => Ok((**sheet).clone()),
        }
    }

    /// As SGF, the richest format of other programs.
    ///
    /// # Errors
    /// When the record is not a valid game.
    pub fn to_sgf(&self) -> Result<String, String> {
        Ok(sgf::write(&self.sheet()?))
    }
}

/// Everyone who played on a seat of a record: `Anna → alphabeta`.
pub(super) fn names(header: &Header, seat: Seat) -> String {
    let names: Vec<_> = header.players(seat).map(display_name).collect();
    names.join(" → ")
}

/// The stones set up, black and white in turn.
pub fn set_up(black: &[Point], white: &[Point]) -> Vec<Move> {
    let place = |stones: &[Point], index: usize| stones.get(index).map(|&at| Move::Stone(at));
    let pair = |index| [place(black, index), place(white, index)];
    (0..black.len()).flat_map(pair).flatten().collect()
}

/// The plies of a record's answers.
fn moves_of(record: &GameRecord) -> Vec<Move> {
    steps(record).into_iter().map(|(mv, _)| mv).collect()
}

/// The plies of a record, each with the index of its answer; none for a book's.
pub fn steps(record: &GameRecord) -> Vec<(Move, Option<usize>)> {
    use tengen_arbiter::Action;
    use tengen_rules::Answer;
    let Header { opening, .. } = &record.header;
    let book = if opening.procedure == Procedure::Book { opening.book.as_slice() } else { &[] };
    let mut steps: Vec<_> = book.iter().map(|&at| (Move::Stone(at), None)).collect();
    for (index, entry) in record.actions.iter().enumerate() {
        let Action::Answer(answer) = &entry.action else { continue };
        if !entry.legal && !entry.substituted {
            continue;
        }
        match answer {
            Answer::Place(points) => {
                steps.extend(points.iter().map(|&at| (Move::Stone(at), Some(index))));
            }
            Answer::Pick(at) => steps.push((Move::Stone(*at), Some(index))),
            Answer::Move(mv) => steps.push((*mv, Some(index))),
            _ => {}
        }
    }
    steps
}

/// The result by the board alone; without a rule it is freestyle.
fn shown(sheet: &ScoreSheet) -> Option<GameResult> {
    let rule = Some(sheet.rule.unwrap_or(Rule::Freestyle));
    let (winner, termination) = match (ScoreSheet { rule, ..sheet.clone() }).check().ok()?? {
        Ending::Five(Color::Black) => (Some(Seat::First), Termination::Five),
        Ending::Five(Color::White) => (Some(Seat::Second), Termination::Five),
        Ending::BoardFull => (None, Termination::BoardFull),
        Ending::Foul(_) | Ending::Passes => return None,
    };
    Some(GameResult { winner, termination })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_that_is_not_told_is_the_one_on_the_board_or_none() {
        let game = |text: &str| {
            let sheet = sgf::read(text).next().unwrap().unwrap();
            let (result, is_reason_known) = GameData::Sheet(Arc::new(sheet)).ending();
            (result.map(|result| result.termination), is_reason_known)
        };
        let five = ";B[ah];W[aa];B[bh];W[ba];B[ch];W[ca];B[dh];W[da];B[eh]";
        assert_eq!(game(&format!("(;GM[4]SZ[15]RE[B+]{five})")), (Some(Termination::Five), true));
        assert_eq!(game(&format!("(;GM[4]SZ[15]{five})")), (Some(Termination::Five), true));
        let resigned = game("(;GM[4]SZ[15]RE[B+R];B[hh])");
        assert_eq!(resigned, (Some(Termination::Resignation), true));
        assert!(!game("(;GM[4]SZ[15]RE[B+];B[hh])").1);
        assert!(!game(&format!("(;GM[4]SZ[15]RE[W+]{five})")).1);
        assert!(!game("(;GM[4]SZ[15]RE[0];B[hh])").1);
        assert_eq!(game("(;GM[4]SZ[15];B[hh])"), (None, true));
    }
}
