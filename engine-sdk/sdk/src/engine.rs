use std::ops::RangeInclusive;

use tengen_rules::{Color, Point, Position, Zone};

use crate::{
    Choice, Description, GameInfo, OptionError, Outcome, Package, Placement, Swap2, Taraguchi,
    Thinking, opening,
};

/// An engine. Only [`Engine::choose`] must be written; every other question has a default.
///
/// One instance plays many games, one after another. Positions come whole: the board, the plies
/// and the rule are in [`Position`], and what may be spent is in [`Thinking`].
///
/// A panic in any method fails the call, is logged, and costs the engine that game; the next game
/// starts with a new instance.
///
/// ```
/// use tengen_sdk::{Choice, Color, Engine, Position, Rule, Size, Thinking};
///
/// #[derive(Default)]
/// struct Central;
///
/// impl Engine for Central {
///     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
///         let (size, center) = (position.size(), position.size().center());
///         let empty = size.points().filter(|&point| position.check(point).is_ok());
///         let away = |point: &tengen_sdk::Point| {
///             point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()))
///         };
///         empty.min_by_key(away).expect("an empty point").into()
///     }
///
///     fn swap(&mut self, _: &Position, own: Color, _: &Thinking<'_>) -> bool {
///         own == Color::White
///     }
/// }
///
/// let position = Position::new(Rule::Freestyle, Size::STANDARD);
/// let choice = Central.choose(&position, &Thinking::free());
/// assert_eq!(choice.mv.to_string(), "h8");
/// ```
pub trait Engine: Default + 'static {
    /// Chooses one move for the side to move. There is an empty point when this is called.
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice;

    /// What the engine says of itself. Name, version, author and about are taken from the Cargo
    /// package where they are empty.
    fn describe() -> Description {
        Description::default()
    }

    /// Reads what the engine needs from its own package. Called before each game and after the
    /// options, off the clock.
    fn load(&mut self, _package: &Package<'_>) {}

    /// A game begins.
    fn new_game(&mut self, _game: &GameInfo) {}

    /// Sets an option. Values of options in the [`Description`] were checked against it before.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one of its values.
    fn set_option(&mut self, _name: &str, _value: &str) -> Result<(), OptionError> {
        Err(OptionError::Unknown)
    }

    /// Lays stones in an opening, from the position on, colours alternating. By default a
    /// canonical opening or stones that leave the game balanced.
    fn place(
        &mut self,
        position: &Position,
        placement: &Placement,
        thinking: &Thinking<'_>,
    ) -> Vec<Point> {
        opening::place(self, position, placement, thinking)
    }

    /// Whether to swap colours; the engine holds `own` now. How many fifth moves Black is to offer
    /// is in [`Thinking::fifth_moves`].
    fn swap(&mut self, position: &Position, own: Color, thinking: &Thinking<'_>) -> bool {
        let preferred = match thinking.fifth_moves() {
            Some(number) => opening::prefers_before_fifths(position, number),
            None => opening::prefers(position),
        };
        preferred != own
    }

    /// Swap2's choice after the first three stones.
    fn swap2(&mut self, position: &Position, _thinking: &Thinking<'_>) -> Swap2 {
        opening::swap2(position)
    }

    /// How many fifth moves are to be offered. By default as few as allowed.
    fn declare(
        &mut self,
        _position: &Position,
        range: RangeInclusive<u8>,
        _thinking: &Thinking<'_>,
    ) -> u8 {
        *range.start()
    }

    /// Offers `count` fifth moves for Black: empty, allowed, and no two alike as
    /// [`GameInfo::alike`] has it.
    fn offer(&mut self, position: &Position, count: usize, thinking: &Thinking<'_>) -> Vec<Point> {
        opening::offer(position, count, thinking.game().alike)
    }

    /// Keeps one of Black's offered fifth moves; the engine is White.
    fn pick(&mut self, position: &Position, offered: &[Point], _thinking: &Thinking<'_>) -> Point {
        opening::pick(position, offered)
    }

    /// Taraguchi-10 after the fourth move: one fifth move in the zone, or `count` of them offered.
    fn taraguchi(
        &mut self,
        position: &Position,
        zone: Zone,
        _count: usize,
        thinking: &Thinking<'_>,
    ) -> Taraguchi {
        opening::taraguchi(self, position, zone, thinking)
    }

    /// Thinks in the opponent's time until [`Thinking::is_up`]; false when it does not ponder.
    fn ponder(&mut self, _position: &Position, _thinking: &Thinking<'_>) -> bool {
        false
    }

    /// The game is over. `reason` is one of [`tengen_abi::end`].
    fn end_game(&mut self, _outcome: Outcome, _reason: u32) {}
}
