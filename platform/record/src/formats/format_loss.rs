//! The parts of a game that a file format cannot hold.

use std::fmt;

use serde::{Serialize, Serializer};

/// Something that a game has and a file format cannot hold. Losses order by their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FormatLoss {
    Comments,
    /// Decisions other than moves, such as those of an opening.
    Decisions,
    Termination,
    /// Names of engines that differ from their ids.
    Names,
    RefusedAnswers,
    /// Properties of other programs.
    Remarks,
    /// The engines' versions, hashes and sandboxes.
    EngineDetails,
    Policies,
    /// The detail of the end.
    LastWords,
    Moves,
    Opening,
    Players,
    Result,
    Rule,
    Seed,
    TimeControl,
    MoveTimes,
    /// Different time controls of the two seats.
    SeatTimes,
    Variations,
    /// Which stones were set up, and not played.
    SetUpStones,
    Choices,
}

impl FormatLoss {
    pub const ALL: [FormatLoss; 21] = [
        FormatLoss::Comments,
        FormatLoss::Decisions,
        FormatLoss::Termination,
        FormatLoss::Names,
        FormatLoss::RefusedAnswers,
        FormatLoss::Remarks,
        FormatLoss::EngineDetails,
        FormatLoss::Policies,
        FormatLoss::LastWords,
        FormatLoss::Moves,
        FormatLoss::Opening,
        FormatLoss::Players,
        FormatLoss::Result,
        FormatLoss::Rule,
        FormatLoss::Seed,
        FormatLoss::TimeControl,
        FormatLoss::MoveTimes,
        FormatLoss::SeatTimes,
        FormatLoss::Variations,
        FormatLoss::SetUpStones,
        FormatLoss::Choices,
    ];

    /// What is lost, in English; also its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            FormatLoss::Comments => "comments",
            FormatLoss::Decisions => "decisions other than moves",
            FormatLoss::Termination => "how the game ended",
            FormatLoss::Names => "names beside ids",
            FormatLoss::RefusedAnswers => "refused answers",
            FormatLoss::Remarks => "remarks of other programs",
            FormatLoss::EngineDetails => "the engines' versions, hashes and sandboxes",
            FormatLoss::Policies => "the event's policies",
            FormatLoss::LastWords => "the last words",
            FormatLoss::Moves => "the moves",
            FormatLoss::Opening => "the opening procedure",
            FormatLoss::Players => "the players",
            FormatLoss::Result => "the result",
            FormatLoss::Rule => "the rule",
            FormatLoss::Seed => "the seed",
            FormatLoss::TimeControl => "the time control",
            FormatLoss::MoveTimes => "the time of each move",
            FormatLoss::SeatTimes => "times of either seat",
            FormatLoss::Variations => "variations",
            FormatLoss::SetUpStones => "which stones were set up",
            FormatLoss::Choices => "who chose what in the opening",
        }
    }
}

impl fmt::Display for FormatLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for FormatLoss {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_list_losses_by_name() {
        assert!(FormatLoss::ALL.is_sorted());
        assert!(FormatLoss::ALL.map(FormatLoss::name).is_sorted());
    }
}
