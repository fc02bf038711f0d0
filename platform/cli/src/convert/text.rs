//! The text of a game in a format.

use std::collections::BTreeSet;

use tengen_record::formats::{Format, FormatLoss, Notation, ScoreSheet, pgn, psq, sgf};

/// A game in that format, and what of it was lost on the way.
pub(super) fn text(
    sheet: &ScoreSheet,
    to: Format,
    plies: Option<usize>,
    lost: &mut BTreeSet<FormatLoss>,
) -> anyhow::Result<String> {
    let text = match to {
        Format::Json | Format::JsonLines => sheet.to_record()?.to_json_line() + "\n",
        Format::Sgf => sgf::write(sheet),
        Format::Psq => psq::write(sheet)?,
        Format::Pgn => pgn::write(sheet),
        Format::Pos => line(sheet, Notation::Pos, plies)?,
        Format::Offset => line(sheet, Notation::Offset, plies)?,
    };
    lost.extend(to.lost(sheet));
    Ok(text)
}

fn line(sheet: &ScoreSheet, notation: Notation, plies: Option<usize>) -> anyhow::Result<String> {
    let mut stones = sheet.stones()?;
    stones.truncate(plies.unwrap_or(usize::MAX));
    Ok(notation.write(&stones, sheet.size) + "\n")
}
