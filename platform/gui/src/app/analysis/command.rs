use tengen_rules::Point;

/// What may be done with a game that is looked into, after the plies shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnalysisCommand {
    /// Try a stone.
    Play(Point),
    /// Follow what may come after so many plies of the line shown: the first is the main line.
    Branch {
        /// The plies before it.
        after: usize,
        /// Which of what may follow.
        index: usize,
    },
    /// Make what leads here the main line.
    Promote,
    /// Take the last ply out, and all that follows it.
    Delete,
    /// Write this to the position.
    Comment(String),
    /// Let that engine think; none thinks no more.
    Engine(Option<String>),
    /// Let the engine tell so many lines.
    Lines(u32),
    /// Let the engine go through the line shown from its end, or stop it.
    AnalyseAll,
}
