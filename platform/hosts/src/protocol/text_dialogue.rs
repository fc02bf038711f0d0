//! Which text protocol an engine speaks.

use tengen_arbiter::{Limits, SearchInfo};
use tengen_gomocup::sau::SauDialogue;
use tengen_gomocup::{
    AskResult, Dialect, Dialogue, DialogueQuestion, GameTerms, LineEnd, NewGameResult, Response,
    SearchReport,
};
use tengen_packages::EngineKind;
use tengen_players::{Reply, SearchProgress};
use tengen_rules::{Ask, Move};

/// The arbiter's side of the protocol of a text engine.
pub(crate) enum TextDialogue {
    Gomocup(Box<Dialogue>),
    Sau(SauDialogue),
}

impl TextDialogue {
    pub(crate) fn of(kind: EngineKind, dialect: Dialect, is_strict: bool) -> TextDialogue {
        match kind {
            EngineKind::Sau => TextDialogue::Sau(SauDialogue::new(LineEnd::Lf)),
            _ => TextDialogue::Gomocup(Box::new(Dialogue::with_dialect(dialect).strict(is_strict))),
        }
    }

    pub(crate) fn is_sau(&self) -> bool {
        matches!(self, TextDialogue::Sau(_))
    }

    /// Gomocup's, which has lines that an engine may leave unanswered.
    pub(crate) fn gomocup(&mut self) -> Option<&mut Dialogue> {
        match self {
            TextDialogue::Gomocup(brain) => Some(brain),
            TextDialogue::Sau(_) => None,
        }
    }

    /// What was learnt of how the engine writes the protocol, if anything can be.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        match self {
            TextDialogue::Gomocup(brain) => Some(brain.dialect()),
            TextDialogue::Sau(_) => None,
        }
    }

    /// What is to be written.
    pub(crate) fn output(&self) -> &[u8] {
        match self {
            TextDialogue::Gomocup(brain) => brain.output(),
            TextDialogue::Sau(engine) => engine.output(),
        }
    }

    /// The output has been written.
    pub(crate) fn output_written(&mut self) {
        match self {
            TextDialogue::Gomocup(brain) => brain.written(brain.output().len()),
            TextDialogue::Sau(engine) => engine.written(engine.output().len()),
        }
    }

    /// What stood behind the last answer on its line.
    pub(crate) fn take_remark(&mut self) -> Option<String> {
        self.gomocup().and_then(Dialogue::take_remark)
    }

    /// Takes a line of the engine.
    pub(crate) fn receive<'a>(&mut self, line: &'a [u8]) -> Response<'a> {
        match self {
            TextDialogue::Gomocup(brain) => brain.receive(line),
            TextDialogue::Sau(engine) => engine.receive(line),
        }
    }

    /// Another process starts.
    pub(crate) fn started_again(&mut self) {
        match self {
            TextDialogue::Gomocup(brain) => brain.started_again(),
            TextDialogue::Sau(engine) => engine.started_again(),
        }
    }

    /// Asks who the engine is.
    pub(crate) fn ask_about(&mut self) {
        match self {
            TextDialogue::Gomocup(brain) => brain.ask_about(),
            TextDialogue::Sau(engine) => engine.ask_name(),
        }
    }

    pub(crate) fn new_game(&mut self, terms: &GameTerms) -> NewGameResult {
        match self {
            TextDialogue::Gomocup(brain) => brain.new_game(terms),
            TextDialogue::Sau(engine) => engine.new_game(terms.size),
        }
    }

    /// Sends what is true of the whole game, where the protocol has lines for it.
    pub(crate) fn send_terms(&mut self) {
        if let TextDialogue::Gomocup(brain) = self {
            brain.send_terms();
        }
    }

    /// Whether the engine has still to say that it is ready for the game.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self, TextDialogue::Gomocup(brain) if brain.is_waiting())
    }

    pub(crate) fn ask(&mut self, moves: &[Move], ask: Ask, limits: Limits) -> AskResult {
        match self {
            TextDialogue::Gomocup(brain) => brain.ask(&DialogueQuestion { moves, ask, limits }),
            TextDialogue::Sau(engine) => engine.ask(moves, ask),
        }
    }

    /// What the engine has reported of the search behind its answer.
    pub(crate) fn search_info(&self) -> Option<SearchInfo> {
        let TextDialogue::Gomocup(brain) = self else { return None };
        Some(brain.report().info).filter(|info| *info != SearchInfo::default())
    }

    /// The best line of that search that it has reported.
    pub(crate) fn variation(&self) -> Vec<Move> {
        let TextDialogue::Gomocup(brain) = self else { return Vec::new() };
        brain.line().into_iter().take(Reply::MOST_PV).map(Move::Stone).collect()
    }

    /// How the search stands that an engine reports, its best line as points of the board.
    pub(crate) fn progress(&self, report: SearchReport) -> SearchProgress {
        let line = match self {
            TextDialogue::Gomocup(brain) => brain.line_of(&report),
            TextDialogue::Sau(_) => Vec::new(),
        };
        let elapsed = report.time_ms.unwrap_or(0).saturating_mul(1_000_000);
        let pv = line.into_iter().map(Move::Stone).collect();
        SearchProgress { line: 0, info: report.info, elapsed, pv }
    }

    /// Tells the process to end.
    pub(crate) fn end(&mut self) {
        match self {
            TextDialogue::Gomocup(brain) => brain.end(),
            TextDialogue::Sau(engine) => engine.quit(),
        }
    }
}
