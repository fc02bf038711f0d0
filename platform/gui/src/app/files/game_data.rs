use std::sync::Arc;

use tengen_arbiter::{GameResult, Termination};
use tengen_record::formats::{Node, ScoreSheet, SheetOutcome, sgf};
use tengen_record::{GameRecord, Header};
use tengen_rules::{BySeat, Color, Move, Point, Procedure, Seat};

use crate::app::{GameForm, Snapshot};

/// A game that is written down: as a record with all that happened, or as a sheet with less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameData {
    /// With every answer and every clock.
    Record(Box<GameRecord>),
    /// As other programs write games down.
    Sheet(Arc<ScoreSheet>),
}

/// One game of many, in a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameSummary {
    /// Its number in its event, or its place in its file, from 1.
    pub number: u64,
    /// Who sat where.
    pub names: BySeat<String>,
    /// How it ended, if that is known.
    pub result: Option<GameResult>,
    /// The stones on the board.
    pub plies: usize,
}

impl GameData {
    /// The game of a table, as far as the table shows it.
    pub fn of_snapshot(snapshot: &Snapshot) -> GameData {
        let mut sheet = ScoreSheet::new(snapshot.size);
        sheet.rule = Some(snapshot.rule);
        sheet.opening = Some(snapshot.opening)
            .filter(|opening| !matches!(opening, Procedure::None | Procedure::Book));
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

    /// It in a line; `place` is its number where it says none itself.
    pub fn line(&self, place: u64) -> GameSummary {
        let number = match self {
            GameData::Record(record) => record.header.game.unwrap_or(place),
            GameData::Sheet(_) => place,
        };
        let plies = self.moves().map_or(0, |moves| moves.len());
        GameSummary { number, names: self.names(), result: self.result(), plies }
    }

    /// Who sat where; Black sits first where no seats are told.
    pub fn names(&self) -> BySeat<String> {
        match self {
            GameData::Record(record) => record.header.seats.as_ref().map(|player_header| {
                if player_header.name.is_empty() {
                    player_header.id.clone()
                } else {
                    player_header.name.clone()
                }
            }),
            GameData::Sheet(sheet) => BySeat {
                first: sheet.players[Color::Black].clone(),
                second: sheet.players[Color::White].clone(),
            },
        }
    }

    /// How it ended, if that is told.
    pub fn result(&self) -> Option<GameResult> {
        match self {
            GameData::Record(record) => Some(record.result),
            GameData::Sheet(sheet) => sheet.outcome.map(|outcome| {
                let seat = |color| if color == Color::Black { Seat::First } else { Seat::Second };
                let winner = outcome.winner.map(seat);
                let untold = if winner.is_some() {
                    Termination::Resignation
                } else {
                    Termination::Agreement
                };
                let shown = sheet.check().ok().flatten().map(|_| Termination::Five);
                let termination = outcome.termination.or(shown.filter(|_| winner.is_some()));
                GameResult { winner, termination: termination.unwrap_or(untold) }
            }),
        }
    }

    /// Its moves from the empty board. Stones that were set up come first, in some order.
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
    /// When the record is not that of a game.
    pub fn sheet(&self) -> Result<ScoreSheet, String> {
        match self {
            GameData::Record(record) => {
                ScoreSheet::from_record(record).map_err(|error| error.to_string())
            }
            GameData::Sheet(sheet) => Ok((**sheet).clone()),
        }
    }

    /// It as SGF, which says the most of what other programs read.
    ///
    /// # Errors
    /// When the record is not that of a game.
    pub fn to_sgf(&self) -> Result<String, String> {
        Ok(sgf::write(&self.sheet()?))
    }

    /// A game to play from its position after so many plies.
    pub fn setup_at(&self, plies: usize) -> Option<GameForm> {
        let moves = self.moves().ok()?;
        let points: Option<Vec<Point>> = moves.iter().take(plies).map(|mv| mv.point()).collect();
        let (rule, size) = match self {
            GameData::Record(record) => (record.header.rule, record.header.size),
            GameData::Sheet(sheet) => (sheet.rule.unwrap_or(GameForm::default().rule), sheet.size),
        };
        let setup =
            GameForm { rule, width: size.width(), height: size.height(), ..GameForm::default() };
        Some(setup.with_book(points?))
    }
}

/// The stones that are set up, Black's and White's in turn.
pub fn set_up(black: &[Point], white: &[Point]) -> Vec<Move> {
    let place = |stones: &[Point], index: usize| stones.get(index).map(|&at| Move::Stone(at));
    let pair = |index| [place(black, index), place(white, index)];
    (0..black.len()).flat_map(pair).flatten().collect()
}

/// The plies that a record's answers laid.
fn moves_of(record: &GameRecord) -> Vec<Move> {
    steps(record).into_iter().map(|(mv, _)| mv).collect()
}

/// The plies of a record, each with the place of the answer that laid it; none for a book's.
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
