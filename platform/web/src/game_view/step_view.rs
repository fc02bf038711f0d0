//! One action of a game.

use serde::Serialize;
use serde::ser::Serializer;
use tengen_arbiter::{Action, Game, HistoryEntry};
use tengen_rules::{Answer, Color, Move, Point};

use super::{Circumstances, MOST_SIGNS, black, laid, millis, point, seat_number};
use crate::text::plain;

/// The most moves of a variation that are shown.
const MOST_PV: usize = 24;
/// The most lines that a player said before an answer that are shown.
const MOST_SAID: usize = 4;

/// One action, and how things are after it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StepView {
    /// Who acted.
    #[serde(rename = "s")]
    seat: u8,
    /// What was done, where it is more than a stone.
    #[serde(rename = "a", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    value: Option<ActionValue>,
    /// The stones that it laid.
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    laid: Vec<u16>,
    /// What it took, in milliseconds.
    #[serde(rename = "t", serialize_with = "rounded")]
    spent: f64,
    /// The clock after it, in milliseconds.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    eval: Option<i32>,
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    win_in: Option<i32>,
    #[serde(rename = "d", skip_serializing_if = "is_zero")]
    depth: u32,
    #[serde(rename = "sd", skip_serializing_if = "is_zero")]
    seldepth: u32,
    #[serde(rename = "n", skip_serializing_if = "is_zero")]
    nodes: u64,
    #[serde(rename = "pv", skip_serializing_if = "Vec::is_empty")]
    variation: Vec<i32>,
    /// Which seat has Black from now on, where that has changed.
    #[serde(rename = "b", skip_serializing_if = "Option::is_none")]
    black: Option<u8>,
    /// Whether it was refused.
    #[serde(rename = "x", skip_serializing_if = "std::ops::Not::not")]
    illegal: bool,
    /// Whether the arbiter answered for a seat that was late.
    #[serde(rename = "u", skip_serializing_if = "std::ops::Not::not")]
    substituted: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    said: Vec<String>,
    #[serde(flatten)]
    after: Circumstances,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum ActionValue {
    Number(u8),
    Flag(bool),
    Color(&'static str),
    Point(u16),
    Points(Vec<u16>),
}

impl StepView {
    /// What was done, and how things are after it. There were `before` stones and passes, and
    /// this seat had Black.
    pub(super) fn new(entry: &HistoryEntry, game: &Game, before: usize, had_black: u8) -> StepView {
        let moves = game.position().moves();
        let laid = laid(&moves[before.min(moves.len())..], before);
        let (kind, value) = match &entry.action {
            // A stone that was laid shows itself.
            Action::Answer(Answer::Move(Move::Stone(_))) if !laid.is_empty() => (None, None),
            action => named(action),
        };
        let info = entry.info.unwrap_or_default();
        let has_black = black(game);
        StepView {
            seat: seat_number(entry.seat),
            kind,
            value,
            laid,
            spent: entry.spent as f64 / 1e6,
            clock: entry.clock.map(millis),
            eval: info.eval,
            win_in: info.win_in,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            variation: variation(&entry.pv, before),
            black: (has_black != had_black).then_some(has_black),
            illegal: !entry.legal,
            substituted: entry.substituted,
            said: entry.said.iter().take(MOST_SAID).map(|line| plain(line, MOST_SIGNS)).collect(),
            after: Circumstances::of(game, game.result().is_none()),
        }
    }
}

/// The stones of a variation that begins after so many stones and passes. A pass is −1.
fn variation(line: &[Move], before: usize) -> Vec<i32> {
    let stone = |(place, mv): (usize, &Move)| {
        let is_white = Color::of_ply(before + place) == Color::White;
        mv.point().map_or(-1, |at| 2 * i32::from(point(at)) + i32::from(is_white))
    };
    line.iter().take(MOST_PV).enumerate().map(stone).collect()
}

fn named(action: &Action) -> (Option<&'static str>, Option<ActionValue>) {
    let points = |list: &[Point]| ActionValue::Points(list.iter().map(|at| point(*at)).collect());
    let (kind, value) = match action {
        Action::Answer(Answer::Place(list)) => ("place", Some(points(list))),
        Action::Answer(Answer::Declare(number)) => ("declare", Some(ActionValue::Number(*number))),
        Action::Answer(Answer::Swap(swap)) => ("swap", Some(ActionValue::Flag(*swap))),
        Action::Answer(Answer::Choose(color)) => ("choose", Some(ActionValue::Color(color.name()))),
        Action::Answer(Answer::Offer(list)) => ("offer", Some(points(list))),
        Action::Answer(Answer::Pick(at)) => ("pick", Some(ActionValue::Point(point(*at)))),
        Action::Answer(Answer::Move(Move::Stone(at))) => {
            ("move", Some(ActionValue::Point(point(*at))))
        }
        Action::Answer(Answer::Move(Move::Pass)) => ("pass", None),
        Action::Resign => ("resign", None),
        Action::Claim => ("claim", None),
        Action::OfferDraw => ("offer_draw", None),
        Action::AcceptDraw => ("accept_draw", None),
    };
    (Some(kind), value)
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// Three significant digits below a tenth of a second, whole milliseconds above.
fn rounded<S: Serializer>(millis: &f64, to: S) -> Result<S::Ok, S::Error> {
    if *millis >= 100.0 {
        return to.serialize_u64(millis.round() as u64);
    }
    let scale = if *millis >= 1.0 { 10.0 } else { 1000.0 };
    to.serialize_f64((millis * scale).round() / scale)
}
