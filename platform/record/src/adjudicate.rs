//! Answers the lines of `tengen rules replay`.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use tengen_arbiter::{Action, Game, GameResult, Handled, Input};
use tengen_rules::{BySeat, Color, Move, Point, Seat};

use crate::plain::read_plain;
use crate::record::ResultObject;
use crate::replay::replay_game;
use crate::replay_line::ReplayLine;
use crate::{GameRecord, ReadError};

/// How a game stands after a list of actions: the answer to a line of `tengen rules replay`.
///
/// In JSON `{"ok":true,"stones":[…],"colors":{…},"next":{…},"result":null}`; with an action that
/// forfeits `"ok":false,"at":index,"error":"…"`, and with actions that were refused but cost
/// nothing `"refused":[{"at":index,"error":"…"}]`.
#[derive(Debug, Serialize)]
pub struct ReplayAnswer {
    /// Whether every action was the asked seat's and led on.
    pub ok: bool,
    #[serde(flatten)]
    fault: Option<RefusedObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<RefusedObject>,
    stones: Vec<Point>,
    colors: BySeat<Color>,
    next: Option<NextObject>,
    result: Option<ResultObject<String>>,
}

#[derive(Debug, Serialize)]
struct RefusedObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    error: String,
}

/// The question that is open; the colour is the one the seat holds.
#[derive(Debug, Serialize)]
struct NextObject {
    seat: Seat,
    ask: &'static str,
    color: Color,
}

#[derive(Deserialize)]
struct LineKind {
    format: Option<IgnoredAny>,
}

/// Answers one line of `tengen rules replay`, which is one game:
/// `{"rule":"renju","opening":"contest","size":15,"actions":[…]}`.
///
/// `opening` and `policies` may be objects as in a [`GameRecord`]; without `policies` they are
/// those of the rules, draw offers allowed. Times are ignored. A whole [`GameRecord`] may be given
/// too: it is replayed with its times, and is not `ok` if anything in it comes out otherwise.
///
/// ```
/// let line = r#"{"rule":"renju","opening":"none","size":15,"actions":[
///     {"seat":"first","move":"h8"},{"seat":"second","resign":true}]}"#;
/// let answer = tengen_record::replay_line(line)?;
/// assert_eq!(
///     serde_json::to_string(&answer).unwrap(),
///     r#"{"ok":true,"stones":["h8"],"colors":{"first":"black","second":"white"},"next":null,"#
///         .to_string()
///         + r#""result":{"winner":"first","termination":"resignation"}}"#
/// );
/// # Ok::<(), tengen_record::ReadError>(())
/// ```
///
/// # Errors
/// When the line is no such object, or its opening cannot be played.
pub fn replay_line(text: &str) -> Result<ReplayAnswer, ReadError> {
    Replayer::new().answer(text)
}

/// Answers lines of `tengen rules replay` one after another, as [`replay_line`] does, in memory
/// that it keeps.
#[derive(Debug, Default)]
pub struct Replayer {
    actions: Vec<(Seat, Action)>,
}

impl Replayer {
    /// One that has kept nothing yet.
    pub fn new() -> Replayer {
        Replayer::default()
    }

    /// Answers a line.
    ///
    /// # Errors
    /// When the line is no such object, or its opening cannot be played.
    pub fn answer(&mut self, text: &str) -> Result<ReplayAnswer, ReadError> {
        let mut line = match read_plain(text, std::mem::take(&mut self.actions)) {
            Some(line) => line,
            None if is_record(text) => return replay_record_line(text),
            None => ReplayLine::read(text)?,
        };
        let answer = play(&mut line);
        self.actions = line.actions;
        answer
    }
}

/// Lets the arbiter judge a game.
fn play(line: &mut ReplayLine) -> Result<ReplayAnswer, ReadError> {
    let game = Game::new(line.config());
    let mut game = game.map_err(|error| ReadError::of_field("opening", error))?;
    let mut refused = Vec::new();
    for (index, (seat, action)) in line.actions.drain(..).enumerate() {
        let refuse = |error: &str| RefusedObject { at: Some(index), error: error.to_string() };
        if game.result().is_some() {
            let fault = refuse("the game was over before this action");
            return Ok(ReplayAnswer::of(&game, Some(fault), refused));
        }
        let handled = game.handle(0, seat, Input::Act(action));
        if matches!(handled, Handled::Illegal | Handled::Declined) {
            let refusal = refuse(game.refusal().unwrap_or("it is not allowed"));
            if game.result().is_some() {
                return Ok(ReplayAnswer::of(&game, Some(refusal), refused));
            }
            refused.push(refusal);
        }
    }
    if game.needs_substitute() {
        // The arbiter's answer is not one of the line's actions.
        game.poll_order();
    }
    Ok(ReplayAnswer::of(&game, None, refused))
}

fn is_record(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(LineKind { format: Some(_) }))
}

fn replay_record_line(text: &str) -> Result<ReplayAnswer, ReadError> {
    let record = GameRecord::from_json_line(text)?;
    let (game, replayed) =
        replay_game(&record).map_err(|error| ReadError::of_field("opening", error))?;
    let fault =
        replayed.err().map(|error| RefusedObject { at: error.index(), error: error.to_string() });
    Ok(ReplayAnswer::of(&game, fault, Vec::new()))
}

fn stones(game: &Game) -> Vec<Point> {
    let moves = game.position().moves();
    let mut stones = Vec::with_capacity(moves.len());
    stones.extend(moves.iter().copied().filter_map(Move::point));
    stones
}

impl ReplayAnswer {
    fn of(game: &Game, fault: Option<RefusedObject>, refused: Vec<RefusedObject>) -> ReplayAnswer {
        let colors = game.colors();
        let next = game.asked().map(|(seat, ask)| NextObject {
            seat,
            ask: ask.name(),
            color: colors[seat],
        });
        let result = game.result().map(|GameResult { winner, termination }| ResultObject {
            winner,
            termination,
            detail: None,
        });
        ReplayAnswer {
            ok: fault.is_none(),
            fault,
            refused,
            stones: stones(game),
            colors,
            next,
            result,
        }
    }
}
