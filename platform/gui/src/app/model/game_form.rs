//! The settings of a new game.

use serde::{Deserialize, Serialize};
use tengen_arbiter::{ByoYomi, GameConfig, IllegalPolicy, Nanos, Policies, TimeControl};
use tengen_rules::canonical::{self, CanonicalOpening};
use tengen_rules::{
    BySeat, Opening, OpeningError, OpeningSettings, Point, Procedure, Rule, Seat, Size,
};

use tengen_players::GameVariant;

const SECOND: Nanos = 1_000_000_000;

/// The player of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSpec {
    /// A person at this window.
    Person,
    /// The engine with that id.
    Engine(String),
}

impl PlayerSpec {
    /// Whether it is a person at this window.
    pub fn is_person(&self) -> bool {
        matches!(self, PlayerSpec::Person)
    }
}

/// The values of the new game form. They may be invalid; [`GameForm::check`] says whether the game
/// can be played. A preset keeps them, but for the players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct GameForm {
    /// The players. The first seat begins, with black.
    #[serde(skip)]
    pub seats: BySeat<PlayerSpec>,
    pub rule: Rule,
    /// The board's columns.
    pub width: u8,
    /// The board's rows.
    pub height: u8,
    pub opening: Procedure,
    pub clock: ClockKind,
    /// Seconds per game, for a game clock.
    pub main: u32,
    /// Seconds more after each answer.
    pub increment: u32,
    /// After how many moves the time of the game is given again; 0 is never.
    pub session: u32,
    /// How many periods of byo-yomi follow it; 0 is none.
    pub periods: u32,
    /// How many seconds each of them has.
    pub period: u32,
    /// The most seconds for a move with a game clock; 0 is no limit.
    pub cap: u32,
    /// Seconds per move, for a move clock.
    pub per_move: u32,
    /// How many seconds an engine thinks without a clock.
    pub engine_time: u32,
    /// The stones of the opening position, for a book opening.
    pub book: Vec<Point>,
    /// What an illegal answer of an engine costs. A person is asked again.
    pub illegal: IllegalPolicy,
    /// How often moves may be taken back in a game; none is any number of times.
    pub undo: Option<u32>,
    /// Whether players may pass.
    pub passing: bool,
    /// The name of the preset that was chosen, or under which these settings are to be kept.
    #[serde(skip)]
    pub preset: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// None.
    Off,
    /// A time for the whole game or a number of moves, with an increment and byo-yomi.
    Game,
    /// A time for each move.
    Move,
}

impl ClockKind {
    pub const ALL: [ClockKind; 3] = [ClockKind::Off, ClockKind::Game, ClockKind::Move];
}

impl Default for GameForm {
    fn default() -> GameForm {
        GameForm {
            seats: BySeat { first: PlayerSpec::Person, second: PlayerSpec::Person },
            rule: Rule::Freestyle,
            width: Size::STANDARD.width(),
            height: Size::STANDARD.height(),
            opening: Procedure::None,
            clock: ClockKind::Off,
            main: 300,
            increment: 3,
            session: 0,
            periods: 0,
            period: 30,
            cap: 0,
            per_move: 30,
            engine_time: 3,
            book: Vec::new(),
            illegal: IllegalPolicy::Forfeit,
            undo: None,
            passing: false,
            preset: String::new(),
        }
    }
}

/// Why a game cannot be played with these settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameFormProblem {
    /// The board is too small or too large.
    Size,
    /// The opening procedure does not fit the board.
    Opening(OpeningError),
}

impl GameForm {
    /// The same game from these stones, played in turn.
    pub fn with_book(self, book: Vec<Point>) -> GameForm {
        let opening = if book.is_empty() { Procedure::None } else { Procedure::Book };
        GameForm { opening, book, ..self }
    }

    /// The same game from one of the 26 openings of renju, around the centre of the board.
    pub fn with_named(self, opening: &CanonicalOpening) -> GameForm {
        let Ok(size) = Size::new(self.width, self.height) else { return self };
        let (from, to) = (Size::STANDARD.center(), size.center());
        let place = |point: &Point| {
            let (x, y) = (point.x() + to.x() - from.x(), point.y() + to.y() - from.y());
            Point::new(x, y)
        };
        self.with_book(opening.points.iter().map(place).collect())
    }

    /// The opening of the 26 from which the game begins.
    pub fn named(&self) -> Option<&'static CanonicalOpening> {
        let stones = <[Point; 3]>::try_from(self.book.as_slice()).ok()?;
        let size = Size::new(self.width, self.height).ok()?;
        canonical::recognise(size, stones).filter(|_| self.opening == Procedure::Book)
    }

    /// The procedures that the form always offers; a book needs stones.
    pub fn procedures() -> impl Iterator<Item = Procedure> {
        Procedure::ALL.into_iter().filter(|procedure| *procedure != Procedure::Book)
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn check(&self) -> Result<GameConfig, GameFormProblem> {
        let size = Size::new(self.width, self.height).map_err(|_| GameFormProblem::Size)?;
        let book = if self.opening == Procedure::Book { self.book.clone() } else { Vec::new() };
        let opening = OpeningSettings { book, ..OpeningSettings::new(self.opening) };
        Opening::new(&opening, self.rule, size).map_err(GameFormProblem::Opening)?;
        let time = self.time();
        Ok(GameConfig {
            rule: self.rule,
            size,
            opening,
            time: BySeat { first: time, second: time },
            margin: BySeat::from_fn(|seat| self.margin(seat)),
            policies: Policies {
                persons: self.seats.as_ref().map(PlayerSpec::is_person),
                illegal: self.illegal,
                draw_offers: true,
                passing: self.passing,
                ..Policies::default()
            },
        })
    }

    /// What an engine of this game must support.
    pub fn variant(&self) -> Option<GameVariant> {
        let size = Size::new(self.width, self.height).ok()?;
        Some(GameVariant { rule: self.rule, size, opening: self.opening })
    }

    /// How long an engine may think without a clock.
    pub fn budget(&self) -> Nanos {
        Nanos::from(self.engine_time.max(1)) * SECOND
    }

    /// Sets a time control. Returns whether the form can express it: whole seconds of a clock for
    /// the game, for a move or for both, or none.
    pub fn set_time(&mut self, time: TimeControl) -> bool {
        let seconds = |nanos: Nanos| u32::try_from(nanos / SECOND).unwrap_or(u32::MAX);
        match (time.main, time.per_move) {
            (Some(main), _) => {
                self.clock = ClockKind::Game;
                (self.main, self.increment) = (seconds(main), seconds(time.increment));
                self.cap = time.per_move.map_or(0, seconds);
                self.session = time.session.unwrap_or(0);
                self.periods = time.byo_yomi.map_or(0, |byo_yomi| byo_yomi.periods);
                self.period = time.byo_yomi.map_or(self.period, |byo_yomi| seconds(byo_yomi.span));
            }
            (None, Some(cap)) => {
                self.clock = ClockKind::Move;
                self.per_move = seconds(cap);
            }
            (None, None) => self.clock = ClockKind::Off,
        }
        self.time() == time
    }

    fn time(&self) -> TimeControl {
        let span = |seconds: u32| Nanos::from(seconds.max(1)) * SECOND;
        let byo_yomi = ByoYomi { periods: self.periods, span: span(self.period) };
        match self.clock {
            ClockKind::Off => TimeControl::default(),
            ClockKind::Game => TimeControl {
                main: Some(span(self.main)),
                increment: Nanos::from(self.increment) * SECOND,
                session: (self.session > 0).then_some(self.session),
                byo_yomi: (self.periods > 0).then_some(byo_yomi),
                per_move: (self.cap > 0).then(|| span(self.cap)),
                ..TimeControl::default()
            },
            ClockKind::Move => {
                TimeControl { per_move: Some(span(self.per_move)), ..TimeControl::default() }
            }
        }
    }

    /// An engine that plays a person on the same machine must not lose by the machine's load.
    fn margin(&self, seat: Seat) -> Nanos {
        if self.seats[seat].is_person() { 0 } else { SECOND / 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_opening_and_clock_of_the_dialog_makes_a_game() {
        for rule in Rule::ALL {
            for opening in GameForm::procedures() {
                for clock in ClockKind::ALL {
                    let setup = GameForm { rule, opening, clock, ..GameForm::default() };
                    let config = setup.check().unwrap();
                    assert_eq!((config.rule, config.opening.procedure), (rule, opening));
                    assert_eq!(config.time.first.main.is_some(), clock == ClockKind::Game);
                    assert_eq!(config.time.first.per_move.is_some(), clock == ClockKind::Move);
                }
            }
        }
    }

    #[test]
    fn each_of_the_26_openings_begins_a_game_on_any_board() {
        for (width, height) in [(15, 15), (5, 5), (20, 15), (32, 32)] {
            for opening in &canonical::ALL {
                let form = GameForm { width, height, ..GameForm::default() }.with_named(opening);
                assert_eq!(form.named(), Some(opening));
                assert_eq!(form.check().unwrap().opening.book.len(), 3);
            }
        }
    }

    #[test]
    fn a_time_control_is_taken_over_where_the_dialog_can_say_it() {
        let said = |text: &str| GameForm::default().set_time(text.parse().unwrap());
        assert!(said("60+1") && said("move=5") && said("inf"));
        assert!(said("40/300+2") && said("600,byo=3x30") && said("40/60,byo=1x10"));
        assert!(said("60+1,move=5") && said("600,byo=3x30,move=60"));
        assert!(!said("0.5+0") && !said("60+1,move=0.5") && !said("nodes=7"));
        assert!(!said("600,byo=3x0.5") && !said("60+1,depth=3"));
    }
}
