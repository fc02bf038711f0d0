//! The file formats, and what each cannot hold.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use tengen_rules::{Procedure, Size};
use thiserror::Error;

use super::{FormatLoss, Notation, ScoreSheet, board, ccgc, charset, renlib, rif, suite};
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
    /// See [`ccgc`](super::ccgc). Its files are named `.txt`, as those of others are.
    Ccgc,
    /// See [`renlib`](super::renlib).
    Lib,
    /// See [`rif`](super::rif). Read alone; a file has many games.
    Rif,
}

impl Format {
    pub const ALL: [Format; 10] = [
        Format::Json,
        Format::JsonLines,
        Format::Sgf,
        Format::Psq,
        Format::Pgn,
        Format::Pos,
        Format::Offset,
        Format::Ccgc,
        Format::Lib,
        Format::Rif,
    ];

    /// Its name, which is the extension of its files; for those of the Chinese contests see
    /// [`Format::extension`].
    pub const fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::JsonLines => "jsonl",
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::Pgn => "pgn",
            Format::Pos => "pos",
            Format::Offset => "offset",
            Format::Ccgc => "ccgc",
            Format::Lib => "lib",
            Format::Rif => "rif",
        }
    }

    /// What its files end in.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Ccgc => "txt",
            other => other.name(),
        }
    }

    /// The format of files with this extension, in letters of either size. What ends in `txt` may
    /// be of many: see [`Format::guess`].
    pub fn of_extension(extension: &str) -> Option<Format> {
        match &*extension.to_ascii_lowercase() {
            "xml" => Some(Format::Rif),
            "txt" => Some(Format::Ccgc),
            extension => extension.parse().ok(),
        }
    }

    /// The format of a file, by how it begins; none if it begins as none does.
    pub fn guess(bytes: &[u8]) -> Option<Format> {
        if renlib::begins(bytes) {
            return Some(Format::Lib);
        }
        let whole = charset::decode(&bytes[..bytes.len().min(1 << 20)]).text;
        let text = whole.trim_start_matches('\u{feff}').trim_start();
        if ccgc::begins(text) {
            return Some(Format::Ccgc);
        }
        if board::begins(bytes) {
            return Some(Format::Pos);
        }
        // Older systems fill up the end of a text.
        if text.trim_end_matches(['\0', '\u{1a}']).contains('\0') {
            return None;
        }
        if text.starts_with('{') {
            return Some(Format::JsonLines);
        }
        if rif::begins(text) {
            return Some(Format::Rif);
        }
        if text.starts_with('(') || text.contains("(;") {
            return Some(Format::Sgf);
        }
        if text.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("piskvorky")) {
            return Some(Format::Psq);
        }
        let is_comment = |line: &str| line.is_empty() || line.starts_with('#');
        let first = text.lines().map(str::trim).find(|line| !is_comment(line))?;
        let is_line = |side: u8| {
            let size = Size::new(side, side).ok();
            let stones = size.and_then(|size| suite::read_line(first, size).ok().flatten());
            stones.is_some()
        };
        // The sides of boards tried for bare points.
        [15, 20, Size::MAX].into_iter().any(is_line).then(|| match Notation::of(first) {
            Notation::Pos => Format::Pos,
            Notation::Offset => Format::Offset,
        })
    }

    /// Whether games can be read from it.
    pub const fn is_read(self) -> bool {
        !matches!(self, Format::Pgn)
    }

    /// Whether games can be written in it.
    pub const fn is_written(self) -> bool {
        !matches!(self, Format::Rif)
    }

    /// Whether a file holds one game and no more.
    pub const fn is_single(self) -> bool {
        matches!(self, Format::Json | Format::Psq | Format::Ccgc | Format::Lib)
    }

    /// What a sheet has that this format cannot hold.
    pub fn lost(self, sheet: &ScoreSheet) -> BTreeSet<FormatLoss> {
        use Format::{Ccgc, Json, JsonLines, Lib, Offset, Pgn, Pos, Psq};
        let line = || sheet.tree.main_line().map(|id| sheet.tree.node(id));
        let nodes = || sheet.tree.preorder().map(|id| sheet.tree.node(id));
        let has_comment = nodes().any(|node| !node.comment.is_empty());
        let kept: &[&str] = match self {
            Ccgc => &["BEGAN", "PC", "MARK"],
            Lib => &["LB", "HO", "START"],
            _ => &[],
        };
        let all_properties = nodes().flat_map(|node| &node.properties).chain(&sheet.properties);
        let has_more = all_properties.into_iter().any(|property| !kept.contains(&&*property.name));
        let players = !sheet.players.black.is_empty() || !sheet.players.white.is_empty();
        let opening = sheet.opening.unwrap_or(Procedure::None);
        let plain = opening == Procedure::None || opening.asks_moves_alone();
        let ending = sheet.outcome.and_then(|outcome| outcome.termination);
        let move_times = line().any(|node| node.spent.is_some() || node.clock.is_some());
        let set_up = matches!(self, Pos | Offset) && sheet.stones().is_err();
        let all: &[Format] = &[Json, JsonLines, Psq, Pgn, Pos, Offset, Ccgc];
        let bare: &[Format] = &[Pos, Offset, Lib];
        let losses: [(FormatLoss, &[Format], bool); 13] = [
            (FormatLoss::Moves, &[Pgn], sheet.moves().next().is_some()),
            (FormatLoss::Variations, all, sheet.tree.has_variations()),
            (FormatLoss::Comments, all, has_comment),
            (FormatLoss::Remarks, &[Json, JsonLines, Psq, Pgn, Pos, Offset, Ccgc, Lib], has_more),
            (FormatLoss::Opening, &[Psq, Pgn, Pos, Offset, Ccgc, Lib], opening != Procedure::None),
            (FormatLoss::Choices, &[Json, JsonLines], !plain),
            (FormatLoss::Termination, &[Psq, Ccgc, Lib], ending.is_some()),
            (FormatLoss::Result, bare, sheet.outcome.is_some()),
            (FormatLoss::Players, bare, players),
            (FormatLoss::Rule, &[Pos, Offset, Ccgc, Lib], sheet.rule.is_some()),
            (FormatLoss::TimeControl, &[Psq, Pgn, Pos, Offset, Ccgc, Lib], sheet.time.is_some()),
            (FormatLoss::MoveTimes, &[Pos, Offset, Ccgc, Lib], move_times),
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
#[error("not a format: expected json, jsonl, sgf, psq, pgn, pos, offset, ccgc, lib or rif")]
pub struct ParseFormatError;

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or(ParseFormatError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_by_how_it_begins() {
        let (contest, ..) = encoding_rs::GB18030.encode("{[C5][黑 B][白 W][先手胜];B(H,8)}");
        let table: [(&[u8], Option<Format>); 14] = [
            (&contest, Some(Format::Ccgc)),
            (b"[C5][a][b][];['B(H,8)']", Some(Format::Ccgc)),
            (b"{\"format\":1}", Some(Format::JsonLines)),
            (b"\xffRenLib\xff\x03\x04", Some(Format::Lib)),
            (b"<?xml version=\"1.0\"?><database>", Some(Format::Rif)),
            (b"a letter\n(;GM[4])", Some(Format::Sgf)),
            (b"Piskvorky 15x15, 0:0, 0\n", Some(Format::Psq)),
            (b"h8i9\n", Some(Format::Pos)),
            (b"0,0, 1,1\n", Some(Format::Offset)),
            (b".....\n.X...\n..O..\n...X.\n.....\n", Some(Format::Pos)),
            (&[2, 112, 98], Some(Format::Pos)),
            (b"buy milk", None),
            (b"\x7fELF\0\0", None),
            (b"", None),
        ];
        for (bytes, format) in table {
            assert_eq!(Format::guess(bytes), format, "{bytes:?}");
        }
    }

    #[test]
    fn names_and_extensions_are_of_their_formats() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!(Format::of_extension(format.extension()), Some(format));
        }
    }
}
