//! What a referee ruled of a game.

use serde::{Deserialize, Serialize};
use tengen_arbiter::GameResult;

use crate::record::ResultObject;

/// The ruling of a referee that stands for a game, as its record has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordRuling {
    /// The number of the change of the event that made it.
    pub change: u64,
    /// The referee.
    pub by: String,
    /// When it was made.
    pub date: String,
    pub reason: String,
    /// What it stands in place of; none where the game is played again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<OverruledResult>,
}

/// How a game that a referee ruled on had ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OverruledResult {
    pub result: GameResult,
    pub detail: Option<String>,
    /// Whether it did not count even then.
    pub is_void: bool,
}

#[derive(Serialize, Deserialize)]
struct OverruledObject {
    #[serde(flatten)]
    result: ResultObject<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    void: bool,
}

impl Serialize for OverruledResult {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let GameResult { winner, termination } = self.result;
        let result = ResultObject { winner, termination, detail: self.detail.clone() };
        OverruledObject { result, void: self.is_void }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for OverruledResult {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<OverruledResult, D::Error> {
        let OverruledObject { result, void } = OverruledObject::deserialize(from)?;
        let ResultObject { winner, termination, detail } = result;
        let result = GameResult { winner, termination };
        Ok(OverruledResult { result, detail, is_void: void })
    }
}
