//! What the tests of both protocols share.

use tengen_gomocup::TextDialogue;
use tengen_rules::{Answer, Ask, Move, Zone};

pub const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };

pub fn moves(text: &str) -> Vec<Move> {
    let mv = |word: &str| match word {
        "pass" => Move::Pass,
        point => Move::Stone(point.parse().unwrap()),
    };
    text.split_whitespace().map(mv).collect()
}

pub fn stone(text: &str) -> Answer {
    Answer::Move(Move::Stone(text.parse().unwrap()))
}

/// The lines that were written since the last time.
pub fn lines(dialogue: &mut impl TextDialogue) -> Vec<String> {
    let text = String::from_utf8(dialogue.output().to_vec()).unwrap();
    dialogue.written(text.len());
    text.lines().map(str::to_owned).collect()
}
