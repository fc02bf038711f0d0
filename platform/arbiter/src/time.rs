//! Time controls and limits, in nanoseconds.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

/// Nanoseconds: a span, or a moment counted from an origin the caller chooses.
pub type Nanos = u64;

const SECOND: Nanos = 1_000_000_000;

/// How much time a player has, as the event sets it.
///
/// Written as parts joined by commas: `60+1` is sixty seconds a game and one more after each
/// answer, `40/60` sixty seconds for every forty answers, `move=5` caps any one answer at five
/// seconds, `byo=3x30` gives three periods of byo-yomi of thirty seconds after the game's time,
/// `nodes=1000` and `depth=6` bound the search, `inf` says that no game clock runs. Seconds may
/// have up to nine decimals and are kept exactly; `1:30` and `1:00:00` are minutes and hours.
///
/// ```
/// use tengen_arbiter::TimeControl;
/// let time: TimeControl = "0.5+0.01,nodes=100000".parse().unwrap();
/// assert_eq!((time.main, time.increment), (Some(500_000_000), 10_000_000));
/// assert_eq!(time.to_string(), "0.5+0.01,nodes=100000");
/// assert_eq!("900".parse::<TimeControl>().unwrap().to_string(), "900+0");
/// assert_eq!("40/2:00+1".parse::<TimeControl>().unwrap().to_string(), "40/120+1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeControl {
    /// The whole game's time; none is unlimited.
    pub main: Option<Nanos>,
    /// Added after each answer; of no effect without a game clock.
    pub increment: Nanos,
    /// After this many answers the game's time is added again; none adds it only once.
    pub session: Option<u32>,
    /// What follows the game's time; of no effect without a game clock.
    pub byo_yomi: Option<ByoYomi>,
    /// The cap on any one answer.
    pub per_move: Option<Nanos>,
    /// The most nodes a search may visit.
    pub nodes: Option<u64>,
    /// The deepest a search may look, in plies.
    pub depth: Option<u32>,
}

/// Periods that follow a game's time. An answer that takes no longer than a period leaves it whole;
/// a longer one uses up every period that it overran.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ByoYomi {
    pub periods: u32,
    pub span: Nanos,
}

impl ByoYomi {
    /// How many periods are over so long after the game's time. The last moment of a period is
    /// within it.
    pub(crate) fn overrun(self, beyond: Nanos) -> u32 {
        // A server may tell of periods of less than a millisecond as 0.
        let overrun = beyond.saturating_sub(1) / self.span.max(1);
        u32::try_from(overrun).unwrap_or(u32::MAX)
    }
}

/// What a player may use for one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The player's own time as the question is asked, of the game and of one period of byo-yomi:
    /// an answer within it uses up no period. None is untimed.
    pub own: Option<Nanos>,
    pub opponent: Option<Nanos>,
    /// The time after which the answer is late, margin not counted; none is untimed.
    pub hard: Option<Nanos>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// Whether a draw offer of the opponent stands.
    pub draw_offered: bool,
    /// Whether the last answer was illegal, or a claim refused, and this is another try.
    pub retry: bool,
}

/// A text that is not a time control: the part of it that is wrong, and what was expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseTimeControlError {
    part: String,
    problem: &'static str,
}

impl ParseTimeControlError {
    /// The part between commas that is wrong.
    pub fn part(&self) -> &str {
        &self.part
    }
}

impl fmt::Display for ParseTimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a time control: {}", self.part, self.problem)
    }
}

impl core::error::Error for ParseTimeControlError {}

const FORMS: &str = "expected seconds per game + increment per move as in 60+1, seconds per \
                     number of moves as in 40/60, or move=5, byo=3x30, nodes=1000, depth=6, inf, \
                     or several of these joined by commas";
const SECONDS: &str =
    "expected seconds as in 60 or 0.5, with up to nine decimals, or 1:30, 1:00:00";
const PERIODS: &str = "expected periods and seconds as in byo=3x30, or byo=30 for one period";
const NO_GAME: &str = "byo-yomi follows a game's time; give one too, as in 600,byo=3x30";
const COUNT: &str = "expected a whole number above zero";
const ZERO: &str = "this leaves no time at all; leave it out for no limit";
const TOO_LARGE: &str = "the number is too large";
const TWICE: &str = "this is given twice";
const CONTRADICTION: &str = "inf and a game clock contradict each other";

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let mut time = TimeControl::default();
        let mut infinite = false;
        for part in text.split(',') {
            time.read_part(part, &mut infinite)
                .map_err(|problem| ParseTimeControlError { part: part.to_string(), problem })?;
        }
        if time.byo_yomi.is_some() && time.main.is_none() {
            return Err(ParseTimeControlError { part: text.to_string(), problem: NO_GAME });
        }
        Ok(time)
    }
}

impl TimeControl {
    fn read_part(&mut self, part: &str, infinite: &mut bool) -> Result<(), &'static str> {
        match part.split_once('=') {
            Some(("move", value)) => set(&mut self.per_move, positive_span(value)?),
            Some(("byo", value)) => {
                let (periods, span) = value.split_once('x').unwrap_or(("1", value));
                let periods = count(periods).and_then(|n| n.try_into().map_err(|_| TOO_LARGE));
                let (periods, span) = (periods.map_err(|_| PERIODS)?, positive_span(span)?);
                set(&mut self.byo_yomi, ByoYomi { periods, span })
            }
            Some(("nodes", value)) => set(&mut self.nodes, count(value)?),
            Some(("depth", value)) => {
                set(&mut self.depth, count(value)?.try_into().map_err(|_| TOO_LARGE)?)
            }
            Some(_) => Err(FORMS),
            None if part == "inf" => match (*infinite, self.main) {
                (true, _) => Err(TWICE),
                (false, Some(_)) => Err(CONTRADICTION),
                (false, None) => {
                    *infinite = true;
                    Ok(())
                }
            },
            None if part.starts_with(|c: char| c.is_ascii_digit()) => {
                if *infinite {
                    return Err(CONTRADICTION);
                }
                let (main, increment) = part.split_once('+').unwrap_or((part, "0"));
                let (moves, main) = match main.split_once('/') {
                    Some((moves, main)) => (Some(count(moves)?), main),
                    None => (None, main),
                };
                set(&mut self.main, positive_span(main)?)?;
                self.session =
                    moves.map(|moves| moves.try_into().map_err(|_| TOO_LARGE)).transpose()?;
                self.increment = span(increment)?;
                Ok(())
            }
            None => Err(FORMS),
        }
    }
}

fn set<T>(field: &mut Option<T>, value: T) -> Result<(), &'static str> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(TWICE),
    }
}

fn positive_span(text: &str) -> Result<Nanos, &'static str> {
    match span(text)? {
        0 => Err(ZERO),
        span => Ok(span),
    }
}

/// Seconds, or minutes and hours before them.
fn span(text: &str) -> Result<Nanos, &'static str> {
    let Some((before, seconds)) = text.rsplit_once(':') else { return plain_span(text) };
    let (hours, minutes) = match before.split_once(':') {
        Some((hours, minutes)) => (whole(hours)?, below_sixty(minutes)?),
        None => (0, whole(before)?),
    };
    let rest = plain_span(seconds)?;
    if rest >= 60 * SECOND || seconds.split('.').next().is_none_or(|whole| whole.len() != 2) {
        return Err(SECONDS);
    }
    let minutes = hours.checked_mul(60).and_then(|hours| hours.checked_add(minutes));
    let seconds = minutes.and_then(|minutes| minutes.checked_mul(60 * SECOND));
    seconds.and_then(|seconds| seconds.checked_add(rest)).ok_or(TOO_LARGE)
}

fn whole(text: &str) -> Result<u64, &'static str> {
    if digits(text) { text.parse().map_err(|_| TOO_LARGE) } else { Err(SECONDS) }
}

/// Two digits of minutes.
fn below_sixty(text: &str) -> Result<u64, &'static str> {
    match whole(text)? {
        minutes @ 0..60 if text.len() == 2 => Ok(minutes),
        _ => Err(SECONDS),
    }
}

fn plain_span(text: &str) -> Result<Nanos, &'static str> {
    let (whole, decimals) = match text.split_once('.') {
        Some((whole, decimals)) if digits(decimals) && decimals.len() <= 9 => (whole, decimals),
        Some(_) => return Err(SECONDS),
        None => (text, ""),
    };
    if !digits(whole) {
        return Err(SECONDS);
    }
    let whole: Nanos = whole.parse().map_err(|_| TOO_LARGE)?;
    let below_one = (0..9).fold(0, |sum, place| {
        let digit = decimals.as_bytes().get(place).map_or(0, |digit| digit - b'0');
        sum * 10 + Nanos::from(digit)
    });
    whole.checked_mul(SECOND).and_then(|whole| whole.checked_add(below_one)).ok_or(TOO_LARGE)
}

fn count(text: &str) -> Result<u64, &'static str> {
    if !digits(text) {
        return Err(COUNT);
    }
    match text.parse() {
        Ok(0) => Err(COUNT),
        Ok(count) => Ok(count),
        Err(_) => Err(TOO_LARGE),
    }
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(main) = self.main {
            if let Some(moves) = self.session {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}+{}", ShownSeconds(main), ShownSeconds(self.increment))?;
            separator = ",";
        }
        if let Some(ByoYomi { periods, span }) = self.byo_yomi {
            write!(f, "{separator}byo={periods}x{}", ShownSeconds(span))?;
            separator = ",";
        }
        if let Some(per_move) = self.per_move {
            write!(f, "{separator}move={}", ShownSeconds(per_move))?;
            separator = ",";
        }
        if let Some(nodes) = self.nodes {
            write!(f, "{separator}nodes={nodes}")?;
            separator = ",";
        }
        if let Some(depth) = self.depth {
            write!(f, "{separator}depth={depth}")?;
            separator = ",";
        }
        if separator.is_empty() { f.write_str("inf") } else { Ok(()) }
    }
}

struct ShownSeconds(Nanos);

impl fmt::Display for ShownSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 / SECOND)?;
        let (mut rest, mut places) = (self.0 % SECOND, 9);
        if rest == 0 {
            return Ok(());
        }
        while rest.is_multiple_of(10) {
            (rest, places) = (rest / 10, places - 1);
        }
        write!(f, ".{rest:0places$}")
    }
}

#[cfg(test)]
mod tests;
