//! What an event's options may say: one small type each, read and shown as it is written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tengen_arbiter::{FoulPolicy, IllegalPolicy, LatePolicy, MarginPolicy, Nanos};

/// An option's value that cannot be read: what it was, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{value}`: expected {expected}")]
pub struct ParseOptionError {
    value: String,
    expected: &'static str,
}

impl ParseOptionError {
    pub(crate) fn new(value: &str, expected: &'static str) -> ParseOptionError {
        ParseOptionError { value: value.to_owned(), expected }
    }
}

/// A type that reads one of a few words, and shows itself by it.
macro_rules! words {
    ($name:ty, $expected:literal, $($word:literal => $value:path),+) => {
        impl FromStr for $name {
            type Err = ParseOptionError;

            fn from_str(text: &str) -> Result<Self, ParseOptionError> {
                match text {
                    $($word => Ok($value),)+
                    _ => Err(ParseOptionError::new(text, $expected)),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match *self {
                    $($value => $word,)+
                })
            }
        }
    };
}

/// Which engines meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EventFormat {
    /// Every two engines meet equally often.
    #[default]
    RoundRobin,
    /// The first engine meets each of the others.
    Gauntlet,
    /// Engines of like standing meet, round by round, no two of them twice before it must be.
    Swiss,
    /// An engine that loses a match is out.
    Knockout,
    /// An engine that loses two matches is out.
    DoubleElimination,
    /// Newcomers climb from the bottom, as far as they win.
    Ladder,
    /// Every two engines of a group meet.
    Groups,
}

words!(EventFormat,
    "round-robin, gauntlet, swiss, knockout, double-elimination, ladder or groups",
    "round-robin" => EventFormat::RoundRobin,
    "gauntlet" => EventFormat::Gauntlet,
    "swiss" => EventFormat::Swiss,
    "knockout" => EventFormat::Knockout,
    "double-elimination" => EventFormat::DoubleElimination,
    "ladder" => EventFormat::Ladder,
    "groups" => EventFormat::Groups);

impl EventFormat {
    pub const ALL: [EventFormat; 7] = [
        EventFormat::RoundRobin,
        EventFormat::Gauntlet,
        EventFormat::Swiss,
        EventFormat::Knockout,
        EventFormat::DoubleElimination,
        EventFormat::Ladder,
        EventFormat::Groups,
    ];
}

/// Which engine is the first seed, the second…
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SeedingOption {
    /// As the engines are listed; in a later stage as they stand after the one before.
    #[default]
    Order,
    /// By their ratings.
    Rating,
    /// At random, from the seed.
    Lot,
}

words!(SeedingOption, "order, rating or lot",
    "order" => SeedingOption::Order,
    "rating" => SeedingOption::Rating,
    "lot" => SeedingOption::Lot);

/// In which order the positions of an opening suite are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OpeningOrder {
    /// As they stand in the file, and then from the first one again.
    #[default]
    Sequential,
    /// In random order, each once before any comes again.
    Random,
}

words!(OpeningOrder, "sequential or random",
    "sequential" => OpeningOrder::Sequential,
    "random" => OpeningOrder::Random);

/// How the positions of an opening suite are turned and mirrored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetries {
    /// Not at all.
    #[default]
    None,
    /// Each time by lot.
    Random,
    /// Another way each time the suite is played through, until all have been played.
    All,
}

words!(Symmetries, "none, random or all",
    "none" => Symmetries::None,
    "random" => Symmetries::Random,
    "all" => Symmetries::All);

/// Where WASM engines run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IsolationOption {
    /// In a process of their own, as native engines do.
    #[default]
    Child,
    /// In the arbiter's process.
    InProcess,
}

words!(IsolationOption, "child or in-process",
    "child" => IsolationOption::Child,
    "in-process" => IsolationOption::InProcess);

/// When two fifth moves offered are alike (`shape`, `board`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AlikeOption(pub tengen_rules::Alike);

words!(AlikeOption, "shape or board",
    "shape" => AlikeOption::SHAPE,
    "board" => AlikeOption::BOARD);

impl AlikeOption {
    const SHAPE: AlikeOption = AlikeOption(tengen_rules::Alike::Shape);
    const BOARD: AlikeOption = AlikeOption(tengen_rules::Alike::Board);
}

/// What becomes of an engine that answers no opening questions where the procedure asks some.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OpeningPolicy {
    /// It cannot play, and this is said before the first game.
    #[default]
    Refuse,
    /// The arbiter answers for it, the same way for the same seed, on no clock. Every record says
    /// so.
    Arbiter,
}

words!(OpeningPolicy, "refuse or arbiter",
    "refuse" => OpeningPolicy::Refuse,
    "arbiter" => OpeningPolicy::Arbiter);

/// What becomes of an engine that does not start, or cannot play the event's games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AbsentOption {
    /// It plays no game, and the reports say why.
    #[default]
    Aside,
    /// It loses all its games without being started.
    Forfeit,
    /// The event is not made.
    Refuse,
}

words!(AbsentOption, "aside, forfeit or refuse",
    "aside" => AbsentOption::Aside,
    "forfeit" => AbsentOption::Forfeit,
    "refuse" => AbsentOption::Refuse);

/// What answers opening questions for one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OwnOpening {
    /// The engine itself, as far as it knows them.
    #[default]
    Own,
    /// The arbiter, from the start: the engine is asked for moves alone.
    None,
}

words!(OwnOpening, "own or none",
    "own" => OwnOpening::Own,
    "none" => OwnOpening::None);

/// How lines to a text engine end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineEndOption {
    /// As it accepts them: with CR LF, as the protocol says, or with LF.
    #[default]
    Auto,
    CrLf,
    Lf,
}

words!(LineEndOption, "lf, crlf or auto",
    "auto" => LineEndOption::Auto,
    "crlf" => LineEndOption::CrLf,
    "lf" => LineEndOption::Lf);

/// Whether an engine gets a new process for each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RestartOption {
    /// A text engine that is not seen to clear its board gets one, and no other engine.
    #[default]
    Auto,
    /// It gets one.
    On,
    /// It gets one only where the one before has ended or begins no other game.
    Off,
}

words!(RestartOption, "on, off or auto",
    "auto" => RestartOption::Auto,
    "on" => RestartOption::On,
    "off" => RestartOption::Off);

impl RestartOption {
    /// Reads a word. Files of older versions have `true` or `false`, which is `on` or `auto`.
    pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<RestartOption, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected on, off or auto")]
        enum RestartValue {
            Flag(bool),
            Word(String),
        }
        match RestartValue::deserialize(from)? {
            RestartValue::Flag(true) => Ok(RestartOption::On),
            RestartValue::Flag(false) => Ok(RestartOption::Auto),
            RestartValue::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}

/// What becomes of a game that the host spoiled: a game lost while the machine slept or was short
/// of memory or processes, see [`ForfeitCause::judge`](tengen_arbiter::ForfeitCause::judge), or a
/// game in which the arbiter itself stood still during a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SpoiledOption {
    /// It counts as it ended. Its record and the reports say what happened.
    Keep,
    /// It is played again. If it is still spoiled after [`SpoiledOption::REPLAYS`] replays, it is
    /// void: it counts for neither side, and the reports list it. The other game of its pair is not
    /// touched: what is over stays so.
    #[default]
    Replay,
    /// The same with the other game of its pair, so that both colours are played under the same
    /// conditions. Neither has counted before. A pair is void as a whole.
    ReplayPair,
}

words!(SpoiledOption, "replay, replay-pair or keep",
    "keep" => SpoiledOption::Keep,
    "replay" => SpoiledOption::Replay,
    "replay-pair" => SpoiledOption::ReplayPair);

impl SpoiledOption {
    pub const ALL: [SpoiledOption; 3] =
        [SpoiledOption::Keep, SpoiledOption::Replay, SpoiledOption::ReplayPair];
    /// How often a game, or a pair, is played again at most.
    pub const REPLAYS: u32 = 3;
}

/// What becomes of an engine if one of its files is changed during the event. It plays with copies
/// of its files, where these can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChangedOption {
    /// It goes on with the copy. If it could not be copied, this is as [`ChangedOption::Stop`].
    #[default]
    Keep,
    /// It plays no more games. An event that cannot go on without it stops.
    Stop,
}

words!(ChangedOption, "keep or stop",
    "keep" => ChangedOption::Keep,
    "stop" => ChangedOption::Stop);

/// How a forbidden move is found (`automatic`, `claim`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ForbiddenOption(pub FoulPolicy);

words!(ForbiddenOption, "automatic or claim",
    "automatic" => ForbiddenOption::AUTOMATIC,
    "claim" => ForbiddenOption::CLAIM);

impl ForbiddenOption {
    const AUTOMATIC: ForbiddenOption = ForbiddenOption(FoulPolicy::Automatic);
    const CLAIM: ForbiddenOption = ForbiddenOption(FoulPolicy::Claim);
}

/// What a late answer costs (`loss`, `substitute`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LateOption(pub LatePolicy);

words!(LateOption, "loss or substitute",
    "loss" => LateOption::LOSS,
    "substitute" => LateOption::SUBSTITUTE);

impl LateOption {
    const LOSS: LateOption = LateOption(LatePolicy::Loss);
    const SUBSTITUTE: LateOption = LateOption(LatePolicy::Substitute);
}

/// What the margin is for (`game`, `move`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MarginOption(pub MarginPolicy);

words!(MarginOption, "game or move",
    "game" => MarginOption::GAME,
    "move" => MarginOption::MOVE);

impl MarginOption {
    const GAME: MarginOption = MarginOption(MarginPolicy::Game);
    const MOVE: MarginOption = MarginOption(MarginPolicy::Move);
}

/// What an illegal answer costs (`forfeit`, `retries=3`, `substitute`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IllegalOption(pub IllegalPolicy);

impl FromStr for IllegalOption {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<IllegalOption, ParseOptionError> {
        match text {
            "forfeit" => return Ok(IllegalOption(IllegalPolicy::Forfeit)),
            "substitute" => return Ok(IllegalOption(IllegalPolicy::Substitute)),
            _ => {}
        }
        let retries = text.strip_prefix("retries=").and_then(|number| number.parse().ok());
        let expected = "forfeit, a number of tries as in retries=3, or substitute";
        retries
            .map(|retries| IllegalOption(IllegalPolicy::Retries(retries)))
            .ok_or_else(|| ParseOptionError::new(text, expected))
    }
}

impl fmt::Display for IllegalOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IllegalPolicy::Forfeit => f.write_str("forfeit"),
            IllegalPolicy::Retries(retries) => write!(f, "retries={retries}"),
            IllegalPolicy::Substitute => f.write_str("substitute"),
        }
    }
}

/// How many fifth moves may be declared (`3`, `1..5`; both ends count).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FifthMoves {
    /// The fewest.
    pub min: u8,
    /// The most.
    pub max: u8,
}

impl FromStr for FifthMoves {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<FifthMoves, ParseOptionError> {
        let expected = "a number of fifth moves as in 3, or a range of them as in 1..5";
        let (min, max) = text.split_once("..").unwrap_or((text, text));
        match (min.parse(), max.parse()) {
            (Ok(min), Ok(max)) if min <= max && min > 0 => Ok(FifthMoves { min, max }),
            _ => Err(ParseOptionError::new(text, expected)),
        }
    }
}

impl fmt::Display for FifthMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max {
            write!(f, "{}", self.min)
        } else {
            write!(f, "{}..{}", self.min, self.max)
        }
    }
}

/// A span of time, written in seconds and kept in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Seconds(pub Nanos);

impl Seconds {
    /// About thirty years, so that sums of a few spans in nanoseconds still fit 64 bits.
    const MOST: f64 = 1e9;

    /// From a number of seconds; none when it is negative, not finite, or beyond thirty years.
    pub fn new(seconds: f64) -> Option<Seconds> {
        (0.0..=Seconds::MOST).contains(&seconds).then(|| Seconds((seconds * 1e9).round() as Nanos))
    }

    pub fn get(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl FromStr for Seconds {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<Seconds, ParseOptionError> {
        let expected = "a number of seconds as in 10 or 0.1";
        text.parse()
            .ok()
            .and_then(Seconds::new)
            .ok_or_else(|| ParseOptionError::new(text, expected))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.get())
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.get())
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Seconds, D::Error> {
        super::text::deserialize(from)
    }
}

#[cfg(test)]
mod tests;
