//! What a server asks an engine, from its JSON.

use serde::Deserialize;
use serde_json::Value;
use tengen_arbiter::{Nanos, TimeControl};
use tengen_players::{EngineQuestion, GameVariant};
use tengen_rules::{Move, Point, Seat};

use crate::play::messages::AskMessage;

/// The question of a message; none if it is none. So much of the time is left to the line.
pub(in crate::play) fn question(
    message: &Value,
    variant: GameVariant,
    time: TimeControl,
    game: u64,
    reserve: Nanos,
) -> Option<EngineQuestion> {
    let AskMessage { question, seat, moves, ask, offered, fifth, limits, .. } =
        AskMessage::deserialize(message).ok()?;
    let seat = if seat == 0 { Seat::First } else { Seat::Second };
    let point = |text: &String| text.parse::<Point>().ok();
    let mv = |text: &String| match text.as_str() {
        "pass" => Some(Move::Pass),
        text => text.parse().ok().map(Move::Stone),
    };
    Some(EngineQuestion {
        number: question,
        game,
        setup: variant.setup(seat, time),
        moves: moves.iter().map(mv).collect::<Option<_>>()?,
        ask: ask.read()?,
        offered: offered.iter().map(point).collect::<Option<_>>()?,
        fifth_moves: fifth,
        limits: limits.read(reserve),
        patience: limits.patience(),
    })
}
