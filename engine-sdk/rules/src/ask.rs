//! Questions to a seat, and the answers to them.

use alloc::vec::Vec;

use crate::{Color, Move, Point, Size};

/// Where stones may be laid.
///
/// ```
/// use tengen_rules::{Size, Zone};
/// let corner = "a1".parse().unwrap();
/// assert!(Zone::Beyond(3).contains(corner, Size::STANDARD));
/// assert!(!Zone::Within(3).contains(corner, Size::STANDARD));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Zone {
    /// On any empty point.
    #[default]
    Anywhere,
    /// On empty points within this distance of the centre: 0 is the centre, 2 the central 5×5.
    Within(u8),
    /// On empty points further than this distance from the centre.
    Beyond(u8),
}

impl Zone {
    #[cfg(feature = "serde")]
    fn is_anywhere(&self) -> bool {
        *self == Zone::Anywhere
    }

    /// Whether the point lies in the zone of a board of this size.
    pub fn contains(self, point: Point, size: Size) -> bool {
        let center = size.center();
        let distance = point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
        match self {
            Zone::Anywhere => true,
            Zone::Within(radius) => distance <= radius,
            Zone::Beyond(radius) => distance > radius,
        }
    }
}

/// What one seat is asked. Opening procedures ask all of these; ordinary play asks only `Move`.
///
/// ```
/// use tengen_rules::{Ask, Zone};
/// assert_eq!(Ask::Move { zone: Zone::Anywhere }.name(), "move");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "ask", rename_all = "snake_case"))]
pub enum Ask {
    /// Lay this many stones, colours alternating from the colour to move.
    Place {
        /// How many stones.
        count: u8,
        /// Where each may lie.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Zone::is_anywhere"))]
        zone: Zone,
        /// Whether the board's first three stones must make one of the 26 canonical openings.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
        canonical: bool,
    },
    /// Take a colour.
    Choose,
    /// Swap2: take a colour, or lay this many stones and let the other seat take one.
    ChooseOrPlace {
        /// How many stones may be laid instead.
        count: u8,
    },
    /// Swap the colours between the seats, or keep them.
    Swap,
    /// Name the number of fifth moves to be offered.
    Declare {
        /// The smallest number.
        min: u8,
        /// The largest number.
        max: u8,
    },
    /// Offer this many fifth moves, none alike.
    Offer {
        /// How many.
        count: u8,
    },
    /// Keep one of the offered fifth moves.
    Pick,
    /// One move of the seat's own colour.
    Move {
        /// Where it may be.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Zone::is_anywhere"))]
        zone: Zone,
    },
    /// Taraguchi-10: one move, or an offer of fifth moves.
    MoveOrOffer {
        /// Where the one move may be.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Zone::is_anywhere"))]
        zone: Zone,
        /// How many fifth moves an offer has.
        count: u8,
    },
}

impl Ask {
    /// The word for it in reports: `place choose choose_or_place swap declare offer pick move
    /// move_or_offer`.
    pub const fn name(self) -> &'static str {
        match self {
            Ask::Place { .. } => "place",
            Ask::Choose => "choose",
            Ask::ChooseOrPlace { .. } => "choose_or_place",
            Ask::Swap => "swap",
            Ask::Declare { .. } => "declare",
            Ask::Offer { .. } => "offer",
            Ask::Pick => "pick",
            Ask::Move { .. } => "move",
            Ask::MoveOrOffer { .. } => "move_or_offer",
        }
    }
}

/// What a seat answers to an [`Ask`].
///
/// ```
/// use tengen_rules::{Answer, Color};
/// assert_ne!(Answer::Choose(Color::Black), Answer::Choose(Color::White));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Stones, in the order laid.
    Place(Vec<Point>),
    /// The number of fifth moves.
    Declare(u8),
    /// Whether to swap.
    Swap(bool),
    /// The colour taken.
    Choose(Color),
    /// The fifth moves offered.
    Offer(Vec<Point>),
    /// The fifth move kept.
    Pick(Point),
    /// A stone or a pass.
    Move(Move),
}
