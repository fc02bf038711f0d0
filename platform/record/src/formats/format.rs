//! The file formats, and what each cannot hold.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use tengen_rules::Procedure;
use thiserror::Error;

use super::{FormatLoss, ScoreSheet};
use crate::GameRecord;

/// A way to write games down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// A [`GameRecord`], one object in a file.
    Json,
    /// [`GameRecord`]s, one a line.
    JsonLines,
    /// See [`sgf`](super::sgf). A file may hold many games.
    Sgf,
    /// See [`psq`](super::psq).
    Psq,
    /// See [`pgn`](super::pgn). Written alone; a file may hold many games.
    Pgn,
    /// [`Notation::Pos`](super::Notation::Pos), one game or position a line.
    Pos,
    /// [`Notation::Offset`](super::Notation::Offset), one game or position a line.
    Offset,
}

impl Format {
    pub const ALL: [Format; 7] = [
        Format::Json,
        Format::JsonLines,
        Format::Sgf,
        Format::Psq,
        Format::Pgn,
        Format::Pos,
        Format::Offset,
    ];

    /// Its name, which is the extension of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::JsonLines => "jsonl",
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::Pgn => "pgn",
            Format::Pos => "pos",
            Format::Offset => "offset",
        }
    }

    /// The format of files with this extension, in letters of either size.
    pub fn of_extension(extension: &str) -> Option<Format> {
        extension.to_ascii_lowercase().parse().ok()
    }

    /// Whether a file holds one game and no more.
    pub const fn is_single(self) -> bool {
        matches!(self, Format::Json | Format::Psq)
    }

    /// What a sheet has that this format cannot hold.
    pub fn lost(self, sheet: &ScoreSheet) -> BTreeSet<FormatLoss> {
        use Format::{Json, JsonLines, Offset, Pgn, Pos, Psq};
        let line = || sheet.tree.main_line().map(|id| sheet.tree.node(id));
        let nodes = || sheet.tree.preorder().map(|id| sheet.tree.node(id));
        let has_comment = nodes().any(|node| !node.comment.is_empty());
        let has_more =
            !sheet.properties.is_empty() || nodes().any(|node| !node.properties.is_empty());
        let players = !sheet.players.black.is_empty() || !sheet.players.white.is_empty();
        let opening = sheet.opening.unwrap_or(Procedure::None);
        let plain = opening == Procedure::None || opening.asks_moves_alone();
        let ending = sheet.outcome.and_then(|outcome| outcome.termination);
        let move_times = line().any(|node| node.spent.is_some() || node.clock.is_some());
        let set_up = matches!(self, Pos | Offset) && sheet.stones().is_err();
        let all: &[Format] = &[Json, JsonLines, Psq, Pgn, Pos, Offset];
        let losses: [(FormatLoss, &[Format], bool); 13] = [
            (FormatLoss::Moves, &[Pgn], sheet.moves().next().is_some()),
            (FormatLoss::Variations, all, sheet.tree.has_variations()),
            (FormatLoss::Comments, all, has_comment),
            (FormatLoss::Remarks, all, has_more),
            (FormatLoss::Opening, &[Psq, Pgn, Pos, Offset], opening != Procedure::None),
            (FormatLoss::Choices, &[Json, JsonLines], !plain),
            (FormatLoss::Termination, &[Psq], ending.is_some()),
            (FormatLoss::Result, &[Pos, Offset], sheet.outcome.is_some()),
            (FormatLoss::Players, &[Pos, Offset], players),
            (FormatLoss::Rule, &[Pos, Offset], sheet.rule.is_some()),
            (FormatLoss::TimeControl, &[Psq, Pgn, Pos, Offset], sheet.time.is_some()),
            (FormatLoss::MoveTimes, &[Pos, Offset], move_times),
            (FormatLoss::SetUpStones, &[Pos, Offset], set_up),
        ];
        let lost = losses.into_iter().filter(|(_, formats, is)| *is && formats.contains(&self));
        lost.map(|(what, ..)| what).collect()
    }

    /// What a record has that no [`ScoreSheet`] holds.
    pub fn lost_of_record(record: &GameRecord) -> BTreeSet<FormatLoss> {
        use tengen_arbiter::{Action, Policies};
        use tengen_rules::{Answer, Seat};
        let seats = &record.header.seats;
        let players = || Seat::ALL.into_iter().map(|seat| &seats[seat]);
        let decisions = record.actions.iter().any(|action| {
            !matches!(action.action, Action::Answer(Answer::Move(_)) | Action::Resign)
        });
        let refused = record.actions.iter().any(|action| !action.legal);
        let details = players().any(|player| {
            player.version.is_some() || player.hash.is_some() || !player.layers.is_empty()
        });
        let losses = [
            (FormatLoss::Decisions, decisions),
            (FormatLoss::RefusedAnswers, refused),
            (FormatLoss::Policies, record.header.policies != Policies::default()),
            (FormatLoss::Seed, record.header.seed != 0),
            (FormatLoss::Names, players().any(|player| player.name != player.id)),
            (FormatLoss::EngineDetails, details),
            (FormatLoss::SeatTimes, seats.first.time != seats.second.time),
            (FormatLoss::LastWords, record.detail.is_some()),
        ];
        losses.into_iter().filter(|(_, is)| *is).map(|(what, _)| what).collect()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a format: expected json, jsonl, sgf, psq, pgn, pos or offset")]
pub struct ParseFormatError;

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or(ParseFormatError)
    }
}
