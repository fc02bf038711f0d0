//! A game's record, and its JSON.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};
use tengen_arbiter::{ForfeitCause, Game, GameResult, HistoryEntry, Nanos, Policies, Termination};
use tengen_rules::{BySeat, OpeningSettings, Rule, Seat, Size};

use crate::conditions::{self, ConditionsObject};
use crate::write::write_actions;
use crate::{
    Conditions, Handover, Header, OverruledResult, PlayerHeader, RecordRuling, RecordWorker,
};

/// One game as it is kept: what was settled before it, every action, and how it ended.
///
/// In JSON one object, its keys always in this order: `format`, `event`, `round`, `game`, `rule`,
/// `size`, `opening`, `seats`, `policies`, `seed`, `handovers`, `undo_left`, `actions`, `result`,
/// `lapse`, `spoiled`, `stopped`, `replays`, `void`, `date`, `worker`,
/// `ruling`; those of the event, the two
/// before the actions, and those after the result, are left out where there is none. `size` is a
/// number for a square board and `"20x15"` for another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// What was settled before the game.
    pub header: Header,
    /// What happened, in order.
    pub actions: Vec<HistoryEntry>,
    pub result: GameResult,
    /// Details of the end, such as a crashed engine's last words.
    pub detail: Option<String>,
    /// What the host had to do with it.
    pub conditions: Conditions,
    /// The worker that played it, where that is not the process that ran its event.
    pub worker: Option<RecordWorker>,
    /// What a referee ruled of it: the result is then the one that was given by hand.
    pub ruling: Option<RecordRuling>,
}

impl GameRecord {
    /// The version of the format that is written, and the only one that is read.
    pub const FORMAT: u32 = 1;

    /// The record of a game that is over; none while it is not.
    pub fn from_game(game: &Game, header: Header) -> Option<GameRecord> {
        let result = game.result()?;
        let actions = game.history().to_vec();
        let conditions = Conditions::default();
        let (detail, worker, ruling) = (None, None, None);
        Some(GameRecord { header, actions, result, detail, conditions, worker, ruling })
    }

    /// The result that its actions led to, whatever a referee ruled.
    pub fn played(&self) -> GameResult {
        let played = self.ruling.as_ref().and_then(|ruling| ruling.played.as_ref());
        played.map_or(self.result, |OverruledResult { result, .. }| *result)
    }

    /// The record as one line of JSON, without a line end.
    pub fn to_json_line(&self) -> String {
        let mut line = Vec::with_capacity(1024 + 160 * self.actions.len());
        self.write_json(&mut line);
        String::from_utf8(line).expect("JSON is written in UTF-8")
    }

    /// Appends the record as one line of JSON, without a line end.
    pub fn write_json(&self, to: &mut Vec<u8>) {
        const WRITES: &str = "a vector takes every byte, and every key is a string";
        let begin = RecordBegin { format: GameRecord::FORMAT, header: &self.header };
        serde_json::to_writer(&mut *to, &begin).expect(WRITES);
        let brace = to.pop();
        debug_assert_eq!(brace, Some(b'}'));
        to.extend_from_slice(b",\"actions\":");
        write_actions(to, &self.actions);
        to.extend_from_slice(b",\"result\":");
        let result = ResultObject {
            winner: self.result.winner,
            termination: self.result.termination,
            detail: self.detail.as_deref(),
        };
        serde_json::to_writer(&mut *to, &result).expect(WRITES);
        let is_plain = self.worker.is_none() && self.ruling.is_none();
        if is_plain && self.conditions == Conditions::default() {
            return to.push(b'}');
        }
        let begin = to.len();
        let end = RecordEnd {
            conditions: ConditionsObject::from(&self.conditions),
            worker: self.worker.as_ref(),
            ruling: self.ruling.as_ref(),
        };
        serde_json::to_writer(&mut *to, &end).expect(WRITES);
        // Its keys go on where those of the record end.
        to[begin] = b',';
    }
}

/// What is written before the actions.
#[derive(Serialize)]
struct RecordBegin<'a> {
    format: u32,
    #[serde(flatten)]
    header: &'a Header,
}

/// What is written after the result.
#[derive(Serialize)]
struct RecordEnd<'a> {
    #[serde(flatten)]
    conditions: ConditionsObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    worker: Option<&'a RecordWorker>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ruling: Option<&'a RecordRuling>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordObject {
    #[serde(rename = "format", deserialize_with = "known_format")]
    _format: u32,
    event: Option<String>,
    round: Option<u32>,
    game: Option<u64>,
    rule: Rule,
    size: Size,
    opening: OpeningSettings,
    seats: BySeat<PlayerHeader>,
    #[serde(default)]
    policies: Policies,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    handovers: Vec<Handover>,
    undo_left: Option<u32>,
    actions: Vec<HistoryEntry>,
    result: ResultObject<String>,
    #[serde(default, rename = "lapse", deserialize_with = "conditions::forfeit")]
    forfeit: Option<ForfeitCause>,
    #[serde(default, rename = "spoiled")]
    _spoiled: bool,
    #[serde(default)]
    stopped: Nanos,
    #[serde(default)]
    replays: u32,
    #[serde(default)]
    void: bool,
    #[serde(default, deserialize_with = "conditions::date")]
    date: Option<u64>,
    worker: Option<RecordWorker>,
    ruling: Option<RecordRuling>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultObject<T> {
    pub winner: Option<Seat>,
    pub termination: Termination,
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub detail: Option<T>,
}

fn none<T>() -> Option<T> {
    None
}

/// Refused where it stands, so that the error has a place.
fn known_format<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let (theirs, ours) = (u32::deserialize(from)?, GameRecord::FORMAT);
    if theirs != ours {
        return Err(de::Error::custom(format!("format {theirs} is not known: expected {ours}")));
    }
    Ok(theirs)
}

impl<'de> Deserialize<'de> for GameRecord {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<GameRecord, D::Error> {
        let read = RecordObject::deserialize(from)?;
        let ResultObject { winner, termination, detail } = read.result;
        Ok(GameRecord {
            header: Header {
                event: read.event,
                round: read.round,
                game: read.game,
                rule: read.rule,
                size: read.size,
                opening: read.opening,
                seats: read.seats,
                policies: read.policies,
                seed: read.seed,
                handovers: read.handovers,
                undo_left: read.undo_left,
            },
            actions: read.actions,
            result: GameResult { winner, termination },
            detail,
            conditions: Conditions {
                forfeit: read.forfeit,
                replays: read.replays,
                stopped: read.stopped,
                is_void: read.void,
                began: read.date,
            },
            worker: read.worker,
            ruling: read.ruling,
        })
    }
}
