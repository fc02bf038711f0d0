use tengen_rules::{Move, Point, Size};
use thiserror::Error;

use super::{Format, Notation, RecordError, ScoreSheet, ccgc, pgn, psq, renlib, sgf};

/// What keeps a game out of a format that has stones in the order laid, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WriteError {
    /// Stones that were set up, in no order.
    #[error("stones are set up before the first move, which this format cannot say; use sgf")]
    SetUp,
    #[error("move {ply} is a pass, which this format cannot say; use sgf")]
    Pass {
        /// The move, counted from 1.
        ply: usize,
    },
    #[error("it is a game on a board of {size}, and this format has boards of 15 alone; use sgf")]
    Size { size: Size },
}

/// Why a game cannot be written in a format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("files of RenLib are bytes and no text: save one")]
    NoText,
    #[error("{0} is read alone; use sgf")]
    NotWritten(Format),
}

impl Format {
    /// A game in this format, as the bytes of a file.
    ///
    /// # Errors
    /// When the format cannot hold it, or is not written.
    pub fn bytes(self, sheet: &ScoreSheet) -> Result<Vec<u8>, FormatError> {
        match self {
            Format::Ccgc => Ok(ccgc::write(sheet)?),
            Format::Lib => Ok(renlib::write(sheet)?),
            other => other.text(sheet).map(String::into_bytes),
        }
    }

    /// A game in this format, as a text.
    ///
    /// # Errors
    /// When the format cannot hold it, is not written, or is no text.
    pub fn text(self, sheet: &ScoreSheet) -> Result<String, FormatError> {
        let line = |notation: Notation| {
            sheet.stones().map(|stones| notation.write(&stones, sheet.size) + "\n")
        };
        Ok(match self {
            Format::Json | Format::JsonLines => sheet.to_record()?.to_json_line() + "\n",
            Format::Sgf => sgf::write(sheet),
            Format::Psq => psq::write(sheet)?,
            Format::Pgn => pgn::write(sheet),
            Format::Pos => line(Notation::Pos)?,
            Format::Offset => line(Notation::Offset)?,
            Format::Ccgc => ccgc::text(sheet)?,
            Format::Lib => return Err(FormatError::NoText),
            Format::Rif => return Err(FormatError::NotWritten(self)),
        })
    }
}

impl ScoreSheet {
    /// The stones of the main line in the order laid, if they are all there is to it.
    ///
    /// # Errors
    /// When stones are set up, or a player passes.
    pub fn stones(&self) -> Result<Vec<Point>, WriteError> {
        if !self.set_up.black.is_empty() || !self.set_up.white.is_empty() {
            return Err(WriteError::SetUp);
        }
        let moves = (1..).zip(self.moves());
        let stone = |(ply, (_, mv))| match mv {
            Move::Stone(point) => Ok(point),
            Move::Pass => Err(WriteError::Pass { ply }),
        };
        moves.map(stone).collect()
    }
}
