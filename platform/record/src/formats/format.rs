use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use tengen_rules::Procedure;
use thiserror::Error;

use super::ScoreSheet;
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
    /// Every format.
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

    /// What a sheet tells that is not told in this format.
    pub fn lost(self, sheet: &ScoreSheet) -> BTreeSet<&'static str> {
        let line = || sheet.tree.main_line().map(|id| sheet.tree.node(id));
        let has_comment =
            || sheet.tree.preorder().any(|id| !sheet.tree.node(id).comment.is_empty());
        let has_more = || {
            let mut nodes = sheet.tree.preorder().map(|id| sheet.tree.node(id));
            !sheet.properties.is_empty() || nodes.any(|node| !node.properties.is_empty())
        };
        let told = |text: &str| !text.is_empty();
        let players = told(&sheet.players.black) || told(&sheet.players.white);
        let opening = sheet.opening.unwrap_or(Procedure::None);
        let plain = matches!(opening, Procedure::None | Procedure::Pro | Procedure::LongPro);
        use Format::{Json, JsonLines, Offset, Pgn, Pos, Psq};
        let losses: [(&'static str, &[Format], bool); 12] = [
            ("the moves", &[Pgn], sheet.moves().next().is_some()),
            ("variations", &[Json, JsonLines, Psq, Pgn, Pos, Offset], sheet.tree.has_variations()),
            ("comments", &[Json, JsonLines, Psq, Pgn, Pos, Offset], has_comment()),
            ("remarks of other programs", &[Json, JsonLines, Psq, Pgn, Pos, Offset], has_more()),
            ("the opening procedure", &[Psq, Pgn, Pos, Offset], opening != Procedure::None),
            ("who chose what in the opening", &[Json, JsonLines], !plain),
            ("how the game ended", &[Psq], sheet.outcome.and_then(|o| o.termination).is_some()),
            ("the result", &[Pos, Offset], sheet.outcome.is_some()),
            ("the players", &[Pos, Offset], players),
            ("the rule", &[Pos, Offset], sheet.rule.is_some()),
            ("the time control", &[Psq, Pgn, Pos, Offset], sheet.time.is_some()),
            (
                "the time of each move",
                &[Pos, Offset],
                line().any(|node| node.spent.is_some() || node.clock.is_some()),
            ),
        ];
        let lost = losses.into_iter().filter(|(_, formats, is)| *is && formats.contains(&self));
        lost.map(|(what, ..)| what).collect()
    }

    /// What a record tells that no [`ScoreSheet`] does.
    pub fn lost_of_record(record: &GameRecord) -> BTreeSet<&'static str> {
        use tengen_arbiter::{Action, Policies};
        use tengen_rules::{Answer, Seat};
        let seats = &record.header.seats;
        let sitters = || Seat::ALL.into_iter().map(|seat| &seats[seat]);
        let decisions = record.actions.iter().any(|action| {
            !matches!(action.entry.action, Action::Answer(Answer::Move(_)) | Action::Resign)
        });
        let refused = record.actions.iter().any(|action| !action.entry.legal);
        let losses = [
            ("decisions other than moves", decisions),
            ("refused answers", refused),
            ("the event's policies", record.header.policies != Policies::default()),
            ("the seed", record.header.seed != 0),
            ("names beside ids", sitters().any(|sitter| sitter.name != sitter.id)),
            (
                "the engines' versions, hashes and sandboxes",
                sitters().any(|sitter| {
                    let told = sitter.version.is_some() || sitter.hash.is_some();
                    told || !sitter.layers.is_empty()
                }),
            ),
            ("times of either seat", seats.first.time != seats.second.time),
            ("the last words", record.detail.is_some()),
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
