//! The columns of the standings, wherever they are shown.

use super::Standing;

/// A column of the standings.
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

    pub const fn title(self) -> &'static str {
        match self {
            StandingColumn::Place => "#",
            StandingColumn::Engine => "Engine",
            StandingColumn::Points => "Points",
            StandingColumn::Games => "Games",
            StandingColumn::Wins => "W",
            StandingColumn::Draws => "D",
            StandingColumn::Losses => "L",
            StandingColumn::Elo => "Elo",
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
