//! A game in a format.

use std::collections::BTreeSet;

use tengen_record::formats::{Format, FormatLoss, Notation, ScoreSheet};

/// A game in that format, and what of it was lost on the way.
pub(super) fn bytes(
    sheet: &ScoreSheet,
    to: Format,
    plies: Option<usize>,
    lost: &mut BTreeSet<FormatLoss>,
) -> anyhow::Result<Vec<u8>> {
    let bytes = match (to, plies) {
        (Format::Pos, Some(plies)) => beginning(sheet, Notation::Pos, plies)?.into_bytes(),
        (Format::Offset, Some(plies)) => beginning(sheet, Notation::Offset, plies)?.into_bytes(),
        _ => to.bytes(sheet)?,
    };
    lost.extend(to.lost(sheet));
    Ok(bytes)
}

fn beginning(sheet: &ScoreSheet, notation: Notation, plies: usize) -> anyhow::Result<String> {
    let mut stones = sheet.stones()?;
    stones.truncate(plies);
    Ok(notation.write(&stones, sheet.size) + "\n")
}
