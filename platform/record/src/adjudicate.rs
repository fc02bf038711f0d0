use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use tengen_arbiter::{Game, GameConfig, GameResult, Handled, Input, Nanos, Policies, TimeControl};
use tengen_rules::{BySeat, Color, Move, OpeningSettings, Point, Procedure, Rule, Seat, Size};

use crate::forbidden::standard;
use crate::read::read_json;
use crate::record::ResultObject;
use crate::replay::replay_game;
use crate::text::{self, Text};
use crate::{GameRecord, ReadError, RecordedAction, opening, policies, size};

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
    fault: Option<Refused>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<Refused>,
    #[serde(with = "text::list")]
    stones: Vec<Point>,
    colors: Colors,
    next: Option<Next>,
    result: Option<ResultObject<String>>,
}

#[derive(Debug, Serialize)]
struct Refused {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    error: String,
}

#[derive(Debug, Serialize)]
struct Colors {
    #[serde(with = "text")]
    first: Color,
    #[serde(with = "text")]
    second: Color,
}

/// Who owes what; the colour is the one the seat holds.
#[derive(Debug, Serialize)]
struct Next {
    #[serde(with = "text")]
    seat: Seat,
    ask: &'static str,
    #[serde(with = "text")]
    color: Color,
}

/// One game, without times.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplayLine {
    #[serde(with = "text")]
    rule: Rule,
    #[serde(default = "nothing", with = "opening")]
    opening: OpeningSettings,
    #[serde(default = "standard", with = "size")]
    size: Size,
    #[serde(default = "draws_by_agreement", with = "policies")]
    policies: Policies,
    actions: Vec<RecordedAction>,
    /// A name or a remark, let be.
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "comment")]
    _comment: Option<IgnoredAny>,
}

fn nothing() -> OpeningSettings {
    OpeningSettings::new(Procedure::None)
}

/// Without an event the rules' own draws hold, agreement among them.
fn draws_by_agreement() -> Policies {
    Policies { draw_offers: true, ..Policies::default() }
}

#[derive(Deserialize)]
struct AnyLine {
    format: Option<IgnoredAny>,
}

/// Answers one line of `tengen rules replay`, which is one game:
/// `{"rule":"renju","opening":"contest","size":15,"actions":[…]}`.
///
/// `opening` and `policies` may be objects as in a [`GameRecord`]; without `policies` they are
/// those of the rules, draw offers allowed. Times are let be. A whole [`GameRecord`] may be given
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
    if let Ok(AnyLine { format: Some(_) }) = serde_json::from_str(text) {
        return replay_record_line(text);
    }
    let line: ReplayLine = read_json(text)?;
    let config = GameConfig {
        rule: line.rule,
        size: line.size,
        opening: line.opening,
        time: BySeat::<TimeControl>::default(),
        margin: BySeat::<Nanos>::default(),
        policies: line.policies,
    };
    let mut game = Game::new(config).map_err(|error| ReadError::of_field("opening", error))?;
    let mut refused = Vec::new();
    for (index, RecordedAction { entry, .. }) in line.actions.into_iter().enumerate() {
        let refuse = |error: &str| Refused { at: Some(index), error: error.to_string() };
        if game.result().is_some() {
            let fault = refuse("the game was over before this action");
            return Ok(ReplayAnswer::of(&game, Some(fault), refused));
        }
        let handled = game.handle(0, entry.seat, Input::Act(entry.action));
        if matches!(handled, Handled::Illegal | Handled::Declined) {
            let refusal = refuse(game.refusal().unwrap_or("it is not allowed"));
            if game.result().is_some() {
                return Ok(ReplayAnswer::of(&game, Some(refusal), refused));
            }
            refused.push(refusal);
        }
    }
    Ok(ReplayAnswer::of(&game, None, refused))
}

fn replay_record_line(text: &str) -> Result<ReplayAnswer, ReadError> {
    let record = GameRecord::from_json_line(text)?;
    let (game, replayed) =
        replay_game(&record).map_err(|error| ReadError::of_field("opening", error))?;
    let fault = replayed.err().map(|error| Refused { at: error.index(), error: error.to_string() });
    Ok(ReplayAnswer::of(&game, fault, Vec::new()))
}

impl ReplayAnswer {
    fn of(game: &Game, fault: Option<Refused>, refused: Vec<Refused>) -> ReplayAnswer {
        let colors = game.colors();
        let next =
            game.asked().map(|(seat, ask)| Next { seat, ask: ask.name(), color: colors[seat] });
        let result = game.result().map(|GameResult { winner, termination }| ResultObject {
            winner: winner.map(Text),
            termination,
            detail: None,
        });
        ReplayAnswer {
            ok: fault.is_none(),
            fault,
            refused,
            stones: game.position().moves().iter().copied().filter_map(Move::point).collect(),
            colors: Colors { first: colors.first, second: colors.second },
            next,
            result,
        }
    }
}
