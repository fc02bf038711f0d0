//! How a game ended, and how players fail.

use alloc::string::String;
use core::fmt;

use tengen_rules::{Foul, Seat};

/// How a game ended. Every text about the end is made from this value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Termination {
    Five,
    /// No empty point left: a draw.
    BoardFull,
    /// Two passes in a row: a draw.
    Passes,
    /// A forbidden six or longer.
    Overline,
    DoubleFour,
    DoubleThree,
    /// An answer that the rules or the procedure do not allow.
    IllegalAnswer,
    /// The clock ran out.
    Timeout,
    /// The loser gave up.
    Resignation,
    /// Both agreed to a draw.
    Agreement,
    /// The event's policy ended it: its move limit, or the players' scores.
    Adjudication,
    /// The arbiter found that the winner, which was to move, wins by fours whatever is replied.
    Proof,
    /// A referee gave the result, whatever was played.
    Ruling,
    /// The player's process died.
    Crash,
    /// The player neither answered nor died, and had no clock to lose on.
    Stall,
    /// The player said something that is not in its protocol.
    ProtocolError,
    /// The player went over a limit on memory or output.
    ResourceLimit,
    /// The player computed in its opponent's time, though it had been paused.
    Unasked,
    /// The event stopped it; it does not count.
    Aborted,
}

impl Termination {
    /// Every termination, in the order of reports.
    pub const ALL: [Termination; 19] = [
        Termination::Five,
        Termination::BoardFull,
        Termination::Passes,
        Termination::Overline,
        Termination::DoubleFour,
        Termination::DoubleThree,
        Termination::IllegalAnswer,
        Termination::Timeout,
        Termination::Resignation,
        Termination::Agreement,
        Termination::Adjudication,
        Termination::Proof,
        Termination::Ruling,
        Termination::Crash,
        Termination::Stall,
        Termination::ProtocolError,
        Termination::ResourceLimit,
        Termination::Unasked,
        Termination::Aborted,
    ];

    /// Its name in words, for people: `illegal answer`.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Its name in snake case, as every report and record writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Five => "five",
            Termination::BoardFull => "board_full",
            Termination::Passes => "passes",
            Termination::Overline => "overline",
            Termination::DoubleFour => "double_four",
            Termination::DoubleThree => "double_three",
            Termination::IllegalAnswer => "illegal_answer",
            Termination::Timeout => "timeout",
            Termination::Resignation => "resignation",
            Termination::Agreement => "agreement",
            Termination::Adjudication => "adjudication",
            Termination::Proof => "proof",
            Termination::Ruling => "ruling",
            Termination::Crash => "crash",
            Termination::Stall => "stall",
            Termination::ProtocolError => "protocol_error",
            Termination::ResourceLimit => "resource_limit",
            Termination::Unasked => "unasked",
            Termination::Aborted => "aborted",
        }
    }

    /// Whether a player lost by something that its author wants to look into.
    pub const fn is_fault(self) -> bool {
        match self {
            Termination::IllegalAnswer
            | Termination::Timeout
            | Termination::Crash
            | Termination::Stall
            | Termination::ProtocolError
            | Termination::ResourceLimit
            | Termination::Unasked => true,
            Termination::Five
            | Termination::BoardFull
            | Termination::Passes
            | Termination::Overline
            | Termination::DoubleFour
            | Termination::DoubleThree
            | Termination::Resignation
            | Termination::Agreement
            | Termination::Adjudication
            | Termination::Proof
            | Termination::Ruling
            | Termination::Aborted => false,
        }
    }

    pub fn from_name(name: &str) -> Option<Termination> {
        Termination::ALL.into_iter().find(|termination| termination.name() == name)
    }
}

impl From<Foul> for Termination {
    fn from(foul: Foul) -> Termination {
        match foul {
            Foul::Overline => Termination::Overline,
            Foul::DoubleFour => Termination::DoubleFour,
            Foul::DoubleThree => Termination::DoubleThree,
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameResult {
    /// None is a draw, or an aborted game.
    pub winner: Option<Seat>,
    pub termination: Termination,
}

/// How a player failed its host, other than by an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Failure {
    /// Its process died, or it trapped.
    Crash,
    /// It hung with no clock running, as while getting ready for a game.
    Stall,
    /// It said something that is not in its protocol.
    ProtocolError,
    /// It went over a limit on memory or output.
    ResourceLimit,
    /// It computed in its opponent's time, though it had been paused.
    Unasked,
}

impl Failure {
    pub const ALL: [Failure; 5] = [
        Failure::Crash,
        Failure::Stall,
        Failure::ProtocolError,
        Failure::ResourceLimit,
        Failure::Unasked,
    ];
}

impl From<Failure> for Termination {
    fn from(failure: Failure) -> Termination {
        match failure {
            Failure::Crash => Termination::Crash,
            Failure::Stall => Termination::Stall,
            Failure::ProtocolError => Termination::ProtocolError,
            Failure::ResourceLimit => Termination::ResourceLimit,
            Failure::Unasked => Termination::Unasked,
        }
    }
}
