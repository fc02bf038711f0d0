//! What an event decides where the rules leave a choice.

use tengen_rules::{BySeat, Seat};

/// What the event decided where the rules leave a choice. The default is that of the field:
/// an illegal answer forfeits, forbidden moves lose of themselves, a late answer loses, the margin
/// is for the whole game, getting ready takes no time, there are no draw offers, no passing, no
/// move limit and no adjudication.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Policies {
    /// What an illegal answer costs.
    pub illegal: IllegalPolicy,
    /// The seats that a person holds. Whatever the event says of illegal answers, a person is
    /// asked again each time.
    #[cfg_attr(feature = "serde", serde(with = "seats", skip_serializing_if = "are_none"))]
    pub persons: BySeat<bool>,
    /// How a forbidden move is found.
    pub foul: FoulPolicy,
    /// What a late answer costs.
    pub late: LatePolicy,
    /// What a seat's margin is for: how late its answers may be.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "MarginPolicy::is_default"))]
    pub margin: MarginPolicy,
    /// Whether what a player takes to get ready counts against its game clock, as at Gomocup,
    /// where the time of a match runs from the creation of a brain's process, less the opponent's
    /// turns. The cap on one answer counts the answer alone.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not"))]
    pub count_startup: bool,
    /// Whether draws may be offered. An offer where they may not is refused and costs nothing.
    pub draw_offers: bool,
    /// Whether a player may pass once the opening is over; two passes in a row draw.
    pub passing: bool,
    /// The number of stones at which the game is drawn (Gomocup renju: 200).
    pub move_limit: Option<u32>,
    /// When the players' own scores end the game.
    pub adjudication: Option<Adjudication>,
}

/// What an illegal answer costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum IllegalPolicy {
    /// The game.
    #[default]
    Forfeit,
    /// Only its time, this many times in a row; one more illegal answer loses the game.
    Retries(u32),
    /// Only its time: it is replaced ([`Input::Substitute`](crate::Input::Substitute)), and the
    /// game goes on.
    Substitute,
}

impl Policies {
    /// Whether so many illegal answers in a row lose the game.
    pub(crate) fn forfeits(&self, seat: Seat, strikes: u32) -> bool {
        match self.illegal {
            _ if self.persons[seat] => false,
            IllegalPolicy::Forfeit => strikes > 0,
            IllegalPolicy::Retries(retries) => strikes > retries,
            IllegalPolicy::Substitute => false,
        }
    }
}

/// How a forbidden move is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FoulPolicy {
    /// It loses as it is played.
    #[default]
    Automatic,
    /// White must claim it, in place of its own next move; an overline may be claimed on any later
    /// turn of White (2013). A foul on the stone that ends the game in any other way needs no
    /// claim, for White has no turn left to make it.
    Claim,
}

/// What a late answer costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum LatePolicy {
    /// The game.
    #[default]
    Loss,
    /// The choice: the arbiter answers for the seat, the same way in the same position, and the
    /// game goes on. The clock stands at zero if it was the game's time that ran out.
    Substitute,
}

/// What a seat's margin is for: how late its answers may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MarginPolicy {
    /// The game: all overruns of its clock together stay within one margin.
    #[default]
    Game,
    /// Each answer anew, like half of c-gomoku-cli's tolerance. A clock that was overrun stands at
    /// zero; the margin is never given as time.
    Move,
}

/// When the event ends a game before the rules do: by the players' own scores, or by a proof. A
/// score is one given with a move, after the opening; a move without one interrupts every window
/// that its player's scores are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Adjudication {
    /// When both say that it is even.
    pub draw: Option<DrawWindow>,
    /// When the players name the same winner.
    pub resign: Option<ResignWindow>,
    /// With how many nodes the arbiter looks, after each move, for a win by fours of the player
    /// that is to move; none never looks.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub proof: Option<u32>,
}

/// The draw window: both players' last scores were even for long enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DrawWindow {
    /// The fewest stones on the board.
    pub stones: u32,
    /// How many moves in a row, of each player.
    pub moves: u32,
    /// The greatest evaluation, up or down, in the engines' own unit, that counts as even.
    pub score: u32,
}

/// The resign window: the players' last scores named the same winner for long enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ResignWindow {
    /// How many moves in a row, of each player that counts by [`ResignBy`].
    pub moves: u32,
    /// The least evaluation, in the engines' own unit, that counts as won; a proved win does.
    pub score: u32,
    /// The players that must say so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "ResignBy::is_default"))]
    pub by: ResignBy,
}

/// Which players' scores end a lost game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ResignBy {
    /// Both players': they agree on the winner.
    #[default]
    Both,
    /// The loser's alone: it says that it loses, whatever the other says.
    Loser,
}

#[cfg(feature = "serde")]
impl MarginPolicy {
    fn is_default(&self) -> bool {
        *self == MarginPolicy::default()
    }
}

#[cfg(feature = "serde")]
impl ResignBy {
    fn is_default(&self) -> bool {
        *self == ResignBy::default()
    }
}

#[cfg(feature = "serde")]
fn are_none(persons: &BySeat<bool>) -> bool {
    !persons.first && !persons.second
}

/// A set of seats, as the list of them.
#[cfg(feature = "serde")]
mod seats {
    use alloc::vec::Vec;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tengen_rules::{BySeat, Seat};

    pub(super) fn serialize<S: Serializer>(of: &BySeat<bool>, to: S) -> Result<S::Ok, S::Error> {
        let seats: Vec<Seat> = Seat::ALL.into_iter().filter(|seat| of[*seat]).collect();
        seats.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BySeat<bool>, D::Error> {
        let seats: Vec<Seat> = Vec::deserialize(from)?;
        Ok(BySeat::from_fn(|seat| seats.contains(&seat)))
    }
}
