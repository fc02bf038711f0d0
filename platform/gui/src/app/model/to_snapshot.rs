//! The snapshot of a game that was saved.

use std::sync::Arc;

use tengen_arbiter::{ClockFace, Game, GameResult, Nanos, Termination};
use tengen_record::formats::ScoreSheet;
use tengen_record::{GameRecord, replay};
use tengen_rules::{BySeat, Color, Rule, Seat};

use super::GameData;
use super::game_data::{names, steps};
use crate::app::model::move_list::{decisions, display_name, handovers, time_used};
use crate::app::model::{Happenings, MoveRow, Phase, SeatInfo, Snapshot};

impl GameData {
    /// The snapshot of the game.
    ///
    /// # Errors
    /// When it is not a valid game; says why.
    pub fn snapshot(&self) -> Result<Snapshot, String> {
        match self {
            GameData::Record(record) => of_record(record),
            GameData::Sheet(sheet) => of_sheet(self, sheet),
        }
    }
}

fn of_record(record: &GameRecord) -> Result<Snapshot, String> {
    replay(record).map_err(|error| error.to_string())?;
    let header = &record.header;
    let history = &record.actions;
    let game = Game::replay(header.config(), history).map_err(|error| error.to_string())?;
    let seated = |seat: Seat| SeatInfo {
        accent: usize::from(seat == Seat::Second),
        name: names(header, seat),
        is_person: false,
        color: game.colors()[seat],
        control: header.seats[seat].time,
        clock: game.clock(seat).face(0),
        used: time_used(history, seat),
    };
    let row = |(index, (mv, answer)): (usize, (_, Option<usize>))| {
        let action = answer.map(|answer| &record.actions[answer]);
        MoveRow {
            ply: index + 1,
            mv,
            color: Color::of_ply(index),
            seat: action.map(|action| action.seat),
            spent: action.map(|action| action.spent),
            info: action.and_then(|action| action.info),
            is_substitute: action.is_some_and(|action| action.substituted),
        }
    };
    let steps = steps(record);
    let ends: Vec<usize> =
        steps.iter().map(|(_, answer)| answer.map_or(0, |index| index + 1)).collect();
    let mut happenings = Happenings::default();
    happenings
        .follow(history, ends.len(), |index, seat| display_name(header.player_of(index, seat)));
    let snapshot = Snapshot {
        happenings,
        handovers: Arc::new(handovers(header, &ends)),
        rule: header.rule,
        opening: header.opening.procedure,
        seats: BySeat::from_fn(seated),
        decisions: Arc::new(decisions(history, &ends)),
        rows: Arc::new(steps.into_iter().enumerate().map(row).collect()),
        detail: record.detail.clone(),
        ..Snapshot::blank(header.size)
    };
    Ok(ended(snapshot, Some(record.result)))
}

fn of_sheet(game_data: &GameData, sheet: &ScoreSheet) -> Result<Snapshot, String> {
    let moves = game_data.moves()?;
    let nodes: Vec<_> = sheet.tree.main_line().map(|id| sheet.tree.node(id)).collect();
    let played: Vec<_> = nodes.iter().filter(|node| node.played.is_some()).collect();
    let set_up = moves.len() - played.len();
    let seat = |color| if color == Color::Black { Seat::First } else { Seat::Second };
    let rows = moves.iter().enumerate().map(|(index, &mv)| {
        let node = index.checked_sub(set_up).map(|index| played[index]);
        let color = Color::of_ply(index);
        let spent = node.and_then(|node| node.spent);
        let info = node.and_then(|node| node.search());
        let (ply, seat) = (index + 1, node.map(|_| seat(color)));
        MoveRow { ply, mv, color, seat, spent, info, is_substitute: false }
    });
    let control = sheet.time.unwrap_or_default();
    let names = game_data.names();
    let rows: Vec<MoveRow> = rows.collect();
    let used = |seat: Seat| {
        let own = rows.iter().filter(|row| row.seat == Some(seat));
        own.filter_map(|row| row.spent).fold(0, Nanos::saturating_add)
    };
    let seated = |seat: Seat| SeatInfo {
        used: used(seat),
        name: names[seat].clone(),
        control,
        clock: ClockFace::of(&control),
        ..SeatInfo::blank(seat)
    };
    let (result, is_reason_known) = game_data.ending();
    let snapshot = Snapshot {
        rule: sheet.rule.unwrap_or(Rule::Freestyle),
        opening: sheet.opening.unwrap_or(tengen_rules::Procedure::None),
        seats: BySeat::from_fn(seated),
        rows: Arc::new(rows),
        is_reason_known,
        ..Snapshot::blank(sheet.size)
    };
    Ok(ended(snapshot, result))
}

fn ended(snapshot: Snapshot, result: Option<GameResult>) -> Snapshot {
    let counts = result.is_some_and(|result| result.termination != Termination::Aborted);
    let phase = if counts { Phase::Finished } else { Phase::Stopped };
    Snapshot { phase, result, ..snapshot }
}
