//! The columns of the standings, wherever they are shown.

use super::Standing;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

    /// What is written in it for an engine at this place, counted from 1.
    pub fn text(self, place: usize, line: &Standing) -> String {
        match self {
            StandingColumn::Place => place.to_string(),
            StandingColumn::Engine => line.engine.clone(),
            // Some of them come from games that the host spoiled.
            StandingColumn::Points if line.spoiled > 0 => format!("{:.1}*", line.points),
            StandingColumn::Points => format!("{:.1}", line.points),
            StandingColumn::Games => line.games().to_string(),
            StandingColumn::Wins => line.wins.to_string(),
            StandingColumn::Draws => line.draws.to_string(),
            StandingColumn::Losses => line.losses.to_string(),
            StandingColumn::Elo => {
                line.performance.map_or("–".to_owned(), |elo| format!("{elo:.0}"))
            }
        }
    }
}
