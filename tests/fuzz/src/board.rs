//! A board that is drawn, or a list of moves in bytes, is a game or is refused, and no two stones
//! stand on one point. What a file is guessed to be is read as that without a panic.

use std::collections::BTreeSet;

use tengen_record::formats::{Format, board};

use crate::errors::check_place;

pub(crate) fn check(bytes: &[u8]) {
    let _ = Format::guess(bytes);
    let text = String::from_utf8_lossy(bytes);
    for sheet in board::read(bytes).unwrap_or_default() {
        match sheet {
            Ok(sheet) => {
                let moves = sheet.moves().filter_map(|(_, mv)| mv.point());
                let set_up = sheet.set_up.black.iter().chain(&sheet.set_up.white).copied();
                let stones: Vec<_> = moves.chain(set_up).collect();
                assert_eq!(stones.iter().collect::<BTreeSet<_>>().len(), stones.len());
                assert!(stones.iter().all(|&stone| sheet.size.contains(stone)));
            }
            Err(error) => check_place(&text, &error),
        }
    }
}
