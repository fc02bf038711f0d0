use tengen_arbiter::{Action, HistoryEntry, SearchInfo, Termination};
use tengen_rules::{Answer, ByColor, Color, Move, Procedure};

use super::{Node, Property, ScoreSheet, SheetOutcome, remark, sgf};
use crate::conditions::date_text;
use crate::replay::replay_game;
use crate::{GameRecord, PlayerHeader, ReplayError};

impl ScoreSheet {
    /// The sheet of a recorded game, which is played again for it.
    ///
    /// Engines are named by their ids and persons by their names, and stand by the colours they
    /// held at the end. Where a seat was handed over, its colour has all who played on it, and
    /// each of its moves who played it, in a property `BY[name:hash]`. What a player said of a
    /// search, and to people, becomes a comment. See [`Format::lost`](super::Format::lost) for
    /// what else is left out.
    ///
    /// # Errors
    /// When the record is not that of a game under its own rules.
    pub fn from_record(record: &GameRecord) -> Result<ScoreSheet, ReplayError> {
        let (game, replayed) = replay_game(record).map_err(ReplayError::Opening)?;
        let result = replayed?;
        let header = &record.header;
        let colors = game.colors();
        let holder = |color| header.names(game.holder(color));
        let mut sheet = ScoreSheet::new(header.size);
        sheet.rule = Some(header.rule);
        let procedure = header.opening.procedure;
        sheet.opening = Some(procedure).filter(|procedure| *procedure != Procedure::None);
        sheet.players = ByColor { black: holder(Color::Black), white: holder(Color::White) };
        let is_void = record.conditions.is_void;
        sheet.outcome = Some(SheetOutcome {
            winner: result.winner.map(|seat| colors[seat]).filter(|_| !is_void),
            termination: Some(if is_void { Termination::Aborted } else { result.termination }),
        });
        let date = record.conditions.began.and_then(date_text).unwrap_or_default();
        sheet.date = date.split('T').next().unwrap_or_default().to_owned();
        sheet.time = Some(header.seats.first.time).filter(|time| *time == header.seats.second.time);
        sheet.event = header.event.clone().unwrap_or_default();
        sheet.round = header.round.map(|round| round.to_string()).unwrap_or_default();
        sheet.name = header.game.map(|game| game.to_string()).unwrap_or_default();
        sheet.append(game.position().moves().iter().copied());
        sheet.note_actions(header.opening.book.len(), &record.actions);
        if !header.handovers.is_empty() {
            sheet.note_players(record);
        }
        Ok(sheet)
    }

    /// Puts times and searches to the moves they belong to. Of stones that were laid several at
    /// once, or offered by one seat and kept by the other, none has a time of its own.
    fn note_actions(&mut self, book: usize, actions: &[HistoryEntry]) {
        let moves: Vec<_> = self.tree.main_line().collect();
        let mut ply = book;
        for HistoryEntry { action, legal, spent, clock, info, pv, said, .. } in actions {
            let (Action::Answer(answer), true) = (action, legal) else { continue };
            match answer {
                Answer::Place(points) => ply += points.len(),
                Answer::Pick(_) => ply += 1,
                Answer::Move(_) => {
                    if let Some(id) = moves.get(ply) {
                        let comment = comment(info.as_ref(), pv, said);
                        let node = self.tree.node_mut(*id);
                        let played = node.played;
                        let (spent, clock) = (Some(*spent), *clock);
                        *node = Node { played, spent, clock, comment, ..Node::default() };
                    }
                    ply += 1;
                }
                _ => {}
            }
        }
    }

    /// Says of each move who played it.
    fn note_players(&mut self, record: &GameRecord) {
        let moves: Vec<_> = self.tree.main_line().collect();
        let mut ply = record.header.opening.book.len();
        for (index, entry) in record.actions.iter().enumerate() {
            let (Action::Answer(answer), true) = (&entry.action, entry.legal || entry.substituted)
            else {
                continue;
            };
            let laid = match answer {
                Answer::Place(points) => points.len(),
                Answer::Pick(_) | Answer::Move(_) => 1,
                _ => 0,
            };
            let by = record.header.player_of(index, entry.seat);
            for id in moves.iter().skip(ply).take(laid) {
                self.tree.node_mut(*id).properties.push(played_by(by));
            }
            ply += laid;
        }
    }
}

/// `BY[name]` of a person, `BY[name:hash]` of an engine; a colon of the name is escaped.
fn played_by(player: &PlayerHeader) -> Property {
    let name = sgf::escape(player.label()).replace(':', "\\:");
    let hash = player.hash.iter().map(|hash| format!(":{hash}"));
    let value = std::iter::once(name).chain(hash).collect();
    Property { name: "BY".to_owned(), values: vec![value] }
}

/// What a player said of its search, and then its own words, a line each.
fn comment(info: Option<&SearchInfo>, pv: &[Move], said: &[String]) -> String {
    let remark = info.map(|info| remark::write(info, pv)).filter(|remark| !remark.is_empty());
    let lines = remark.iter().map(String::as_str).chain(said.iter().map(String::as_str));
    lines.collect::<Vec<_>>().join("\n")
}
