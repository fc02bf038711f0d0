//! The columns of the standings, wherever they are shown.

use serde::Serialize;

use super::Standing;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StandingColumn {
    Place,
    Engine,
    Points,
    Games,
    Wins,
    Draws,
    Losses,
    Elo,
}

/// What a column has for an engine. Where that is a number it can be written in another way, and
/// drawn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum StandingCell {
    Text(String),
    Count(u64),
    Points(f64),
    /// None where it is infinite or unknown.
    Elo(Option<f64>),
}

impl StandingColumn {
    /// All of them, from the left.
    pub const ALL: [StandingColumn; 8] = {
        use StandingColumn::{Draws, Elo, Engine, Games, Losses, Place, Points, Wins};
        [Place, Engine, Points, Games, Wins, Draws, Losses, Elo]
    };

    /// Its title in English.
    pub const fn title(self) -> &'static str {
        self.titles()[0]
    }

    /// Its title in English and in Chinese.
    pub const fn titles(self) -> [&'static str; 2] {
        match self {
            StandingColumn::Place => ["#", "名次"],
            StandingColumn::Engine => ["Engine", "引擎"],
            StandingColumn::Points => ["Points", "得分"],
            StandingColumn::Games => ["Games", "局数"],
            StandingColumn::Wins => ["W", "胜"],
            StandingColumn::Draws => ["D", "和"],
            StandingColumn::Losses => ["L", "负"],
            StandingColumn::Elo => ["Elo", "Elo"],
        }
    }

    /// Whether it stands on the right.
    pub fn is_number(self) -> bool {
        self != StandingColumn::Engine
    }

    /// What it has for an engine at this place, counted from 1.
    pub fn cell(self, place: usize, line: &Standing) -> StandingCell {
        match self {
            StandingColumn::Place => StandingCell::Count(place as u64),
            StandingColumn::Engine => StandingCell::Text(line.engine.clone()),
            StandingColumn::Points => StandingCell::Points(line.points),
            StandingColumn::Games => StandingCell::Count(line.games()),
            StandingColumn::Wins => StandingCell::Count(line.wins),
            StandingColumn::Draws => StandingCell::Count(line.draws),
            StandingColumn::Losses => StandingCell::Count(line.losses),
            StandingColumn::Elo => StandingCell::Elo(line.elo),
        }
    }

    /// The same as it is written.
    pub fn text(self, place: usize, line: &Standing) -> String {
        match self.cell(place, line) {
            StandingCell::Text(text) => text,
            StandingCell::Count(count) => count.to_string(),
            // Some of them come from games that the host spoiled.
            StandingCell::Points(points) if line.spoiled > 0 => format!("{points:.1}*"),
            StandingCell::Points(points) => format!("{points:.1}"),
            StandingCell::Elo(_) => {
                line.performance.map_or("–".to_owned(), |elo| format!("{elo:.0}"))
            }
        }
    }
}
