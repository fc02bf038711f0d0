//! What there is to tell of an engine of this machine in an event elsewhere.

/// What happens while an engine of this machine plays in an event elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamClientNews {
    /// It is in the event.
    Joined {
        /// What the event is called.
        event: String,
        /// What the team is called there.
        team: String,
    },
    /// A game has begun.
    Began(u64),
    /// A game is over.
    Over {
        /// Its number in the event.
        number: u64,
        /// Whether this engine won; none is a draw, or no result.
        won: Option<bool>,
        /// How it ended, by the name of its termination.
        by: String,
    },
    /// Something does not work.
    Problem(String),
    /// The connection is gone; it is tried again.
    Lost(String),
    /// It is there again.
    Back,
    /// The event is over for this team.
    End(String),
}
