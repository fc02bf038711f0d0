use tengen_rules::Point;

/// What can be done in an analysis, at the position shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnalysisCommand {
    /// Play a stone.
    Play(Point),
    /// Follow a branch after so many plies of the line shown; the first one is the main line.
    Branch {
        /// The plies before it.
        after: usize,
        /// Which branch.
        index: usize,
    },
    /// Make the line up to here the main line.
    Promote,
    /// Delete the last ply and everything after it.
    Delete,
    /// Set the comment on the position.
    Comment(String),
    /// Run that engine, or none.
    Engine(Option<String>),
    /// Let the engine show so many lines.
    Lines(u32),
    /// Let the engine analyse every move of the line shown, or stop it.
    AnalyseAll,
}
