//! What a server asks an engine, from its JSON.

use serde::Deserialize;
use serde_json::Value;
use tengen_arbiter::{Limits, Nanos, TimeControl};
use tengen_players::GameVariant;
use tengen_rules::{Ask, Move, Point, Seat, Zone};

use crate::play::engines::EngineQuestion;

/// The message `ask`. What it has beside this is passed over.
#[derive(Deserialize)]
struct AskObject {
    question: u64,
    seat: u8,
    moves: Vec<String>,
    ask: AskedObject,
    #[serde(default)]
    offered: Vec<String>,
    fifth: Option<(u8, u8)>,
    limits: LimitsObject,
}

#[derive(Deserialize)]
struct AskedObject {
    ask: String,
    #[serde(default)]
    count: u8,
    #[serde(default)]
    min: u8,
    #[serde(default)]
    max: u8,
    #[serde(default)]
    canonical: bool,
    zone: Option<ZoneObject>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ZoneObject {
    Within(u8),
    Beyond(u8),
}

#[derive(Deserialize)]
struct LimitsObject {
    own: Option<u64>,
    opponent: Option<u64>,
    hard: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    #[serde(default)]
    draw_offered: bool,
    #[serde(default)]
    retry: bool,
}

/// The question of a message; none if it is none. So much of the time is left to the line.
pub(in crate::play) fn question(
    message: &Value,
    variant: GameVariant,
    time: TimeControl,
    game: u64,
    reserve: Nanos,
) -> Option<EngineQuestion> {
    let AskObject { question, seat, moves, ask, offered, fifth, limits } =
        AskObject::deserialize(message).ok()?;
    let seat = if seat == 0 { Seat::First } else { Seat::Second };
    let nanos = |millis: u64| millis.saturating_mul(1_000_000);
    let rest = |millis: u64| nanos(millis).saturating_sub(reserve).max(1_000_000);
    let LimitsObject { own, opponent, hard, nodes, depth, draw_offered, retry } = limits;
    let limits = Limits {
        own: own.map(rest),
        opponent: opponent.map(nanos),
        hard: hard.map(rest),
        nodes,
        depth,
        draw_offered,
        retry,
    };
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
        limits,
        patience: hard.map(nanos),
    })
}

impl AskedObject {
    fn read(&self) -> Option<Ask> {
        let zone = match self.zone {
            None => Zone::Anywhere,
            Some(ZoneObject::Within(radius)) => Zone::Within(radius),
            Some(ZoneObject::Beyond(radius)) => Zone::Beyond(radius),
        };
        let AskedObject { count, min, max, canonical, .. } = *self;
        Some(match self.ask.as_str() {
            "place" => Ask::Place { count, zone, canonical },
            "choose" => Ask::Choose,
            "choose_or_place" => Ask::ChooseOrPlace { count },
            "swap" => Ask::Swap,
            "declare" => Ask::Declare { min, max },
            "offer" => Ask::Offer { count },
            "pick" => Ask::Pick,
            "move" => Ask::Move { zone },
            "move_or_offer" => Ask::MoveOrOffer { zone, count },
            _ => return None,
        })
    }
}
