//! The standing of a stage as reports show it: tables and brackets.

use serde::Serialize;
use tengen_pairing::PlaceLine;

/// How a stage of an event stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageSummary {
    /// Its number, counted from 1.
    pub stage: usize,
    pub format: String,
    /// Whether all its games are finished.
    pub is_over: bool,
    /// The round of a Swiss that is drawn, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
    /// The rounds of a Swiss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// The standings: one table, or one of each group.
    pub tables: Vec<StageTable>,
    /// The matches of a knockout or a double elimination.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bracket: Vec<BracketLine>,
}

/// The standings of a stage, or of a group in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageTable {
    /// The group, counted from 1, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<usize>,
    /// What decides between equal points, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<&'static str>,
    /// The engines, best first.
    pub lines: Vec<StageLine>,
}

/// An engine's line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageLine {
    /// Its place; those that are equal in everything share one.
    pub place: usize,
    /// Its label.
    pub engine: String,
    /// Its points, where they decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// The values of the tie-breaks, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<f64>,
    /// Rounds without an opponent.
    #[serde(skip_serializing_if = "is_zero")]
    pub byes: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A match of a bracket. The matches of a round stand in their order from the top.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BracketLine {
    /// `main`, `losers`, `third-place`, `final`, or `second-final`.
    pub section: &'static str,
    /// The round within it, counted from 1.
    pub round: usize,
    /// The two that play, as far as they are known.
    pub engines: [Option<String>; 2],
    pub points: [f64; 2],
    pub winner: Option<String>,
    /// The pairs of games that were played on because it was level.
    #[serde(skip_serializing_if = "is_zero")]
    pub deciders: u32,
    /// Whether the higher seed goes on, because everything was level.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_seed: bool,
    /// Whether there is no engine on one side, so that nothing is played.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_walkover: bool,
}

impl StageTable {
    pub(super) fn of<'a>(
        group: Option<usize>,
        tie_breaks: &[&'static str],
        lines: &[PlaceLine],
        label: impl Fn(usize) -> &'a str,
    ) -> StageTable {
        let line = |line: &PlaceLine| StageLine {
            place: line.place,
            engine: label(line.player).to_owned(),
            points: Some(f64::from(line.halves) / 2.0),
            tie_breaks: line.values.iter().map(|&quarters| quarters as f64 / 4.0).collect(),
            byes: line.byes,
        };
        let tie_breaks = tie_breaks.to_vec();
        StageTable { group, tie_breaks, lines: lines.iter().map(line).collect() }
    }

    /// An order without points: groups that share a place.
    pub(super) fn ranked<'a>(
        groups: Vec<Vec<usize>>,
        label: impl Fn(usize) -> &'a str,
    ) -> StageTable {
        let mut lines = Vec::new();
        for group in groups {
            let place = lines.len() + 1;
            lines.extend(group.into_iter().map(|seed| StageLine {
                place,
                engine: label(seed).to_owned(),
                points: None,
                tie_breaks: Vec::new(),
                byes: 0,
            }));
        }
        StageTable { group: None, tie_breaks: Vec::new(), lines }
    }
}
