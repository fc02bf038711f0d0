//! What holds while an answer is waited for: what is asked, and what is forbidden.

use serde::Serialize;
use tengen_arbiter::Game;
use tengen_rules::{Ask, Color, Foul, Point, Rule, Seat, Size, Zone};

use super::{point, seat_number};

/// What holds while an answer is waited for.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Circumstances {
    /// The forbidden points, where they are forbidden to who is to move.
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    forbidden: Vec<u16>,
    /// The fifth moves on offer.
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    offered: Vec<u16>,
    /// What is asked, where that is more than one stone anywhere.
    #[serde(rename = "q", skip_serializing_if = "Option::is_none")]
    asked: Option<AskView>,
}

#[derive(Clone, Debug, Serialize)]
struct AskView {
    seat: u8,
    ask: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
    /// The least and the greatest number of fifth moves that may be declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u8>,
    /// The corners of the zone, bottom left and top right, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<[u16; 2]>,
    /// Whether stones may lie outside it instead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    outside: bool,
}

impl Circumstances {
    /// What holds in a game that goes on, or is over.
    pub(crate) fn of(game: &Game, goes_on: bool) -> Circumstances {
        let position = game.position();
        let Some((seat, ask)) = game.asked().filter(|_| goes_on) else {
            return Circumstances::default();
        };
        let is_judged = position.rule() == Rule::Renju && position.to_move() == Color::Black;
        let forbidden = if is_judged {
            position
                .board()
                .forbidden()
                .iter()
                .map(|(at, foul)| 4 * point(at) + kind(foul))
                .collect()
        } else {
            Vec::new()
        };
        Circumstances {
            forbidden,
            offered: game.offered().iter().map(|at| point(*at)).collect(),
            asked: AskView::new(seat, ask, position.size()),
        }
    }
}

impl AskView {
    /// None for one stone anywhere.
    fn new(seat: Seat, ask: Ask, size: Size) -> Option<AskView> {
        let (count, zone) = match ask {
            Ask::Move { zone: Zone::Anywhere } => return None,
            Ask::Place { count, zone, .. } => (Some(count), zone),
            Ask::ChooseOrPlace { count } | Ask::Offer { count } => (Some(count), Zone::Anywhere),
            Ask::Move { zone } => (None, zone),
            Ask::MoveOrOffer { zone, count } => (Some(count), zone),
            Ask::Choose | Ask::Swap | Ask::Pick | Ask::Declare { .. } => (None, Zone::Anywhere),
        };
        let corners = |radius: u8| {
            let (center, width, height) = (size.center(), size.width(), size.height());
            let low =
                Point::new(center.x().saturating_sub(radius), center.y().saturating_sub(radius));
            let high = Point::new(
                center.x().saturating_add(radius).min(width - 1),
                center.y().saturating_add(radius).min(height - 1),
            );
            [point(low), point(high)]
        };
        let (zone, outside) = match zone {
            Zone::Anywhere => (None, false),
            Zone::Within(radius) => (Some(corners(radius)), false),
            Zone::Beyond(radius) => (Some(corners(radius)), true),
        };
        let (min, max) = match ask {
            Ask::Declare { min, max } => (Some(min), Some(max)),
            _ => (None, None),
        };
        Some(AskView { seat: seat_number(seat), ask: ask.name(), count, min, max, zone, outside })
    }
}

fn kind(foul: Foul) -> u16 {
    match foul {
        Foul::Overline => 0,
        Foul::DoubleFour => 1,
        Foul::DoubleThree => 2,
    }
}
