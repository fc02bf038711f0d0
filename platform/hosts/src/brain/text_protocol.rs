use tengen_arbiter::{Limits, SearchInfo};
use tengen_gomocup::sau::SauDialogue;
use tengen_gomocup::{
    AskResult, Dialect, Dialogue, DialogueQuestion, GameTerms, LineEnd, NewGameResult, Response,
    SearchReport,
};
use tengen_packages::EngineKind;
use tengen_players::{Reply, SearchProgress};
use tengen_rules::{Ask, Move};

/// The protocol that a text engine speaks.
pub(super) enum TextProtocol {
    Gomocup(Box<Dialogue>),
    Sau(SauDialogue),
}

impl TextProtocol {
    pub(super) fn of(kind: EngineKind, dialect: Dialect, is_strict: bool) -> TextProtocol {
        match kind {
            EngineKind::Sau => TextProtocol::Sau(SauDialogue::new(LineEnd::Lf)),
            _ => TextProtocol::Gomocup(Box::new(Dialogue::with_dialect(dialect).strict(is_strict))),
        }
    }

    /// The protocol that has lines which an engine may leave unanswered.
    pub(super) fn gomocup(&mut self) -> Option<&mut Dialogue> {
        match self {
            TextProtocol::Gomocup(brain) => Some(brain),
            TextProtocol::Sau(_) => None,
        }
    }

    /// What was learnt of how the engine speaks, where there is anything to learn.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        match self {
            TextProtocol::Gomocup(brain) => Some(brain.dialect()),
            TextProtocol::Sau(_) => None,
        }
    }

    /// What is to be written.
    pub(super) fn output(&self) -> &[u8] {
        match self {
            TextProtocol::Gomocup(brain) => brain.output(),
            TextProtocol::Sau(engine) => engine.output(),
        }
    }

    /// The output has been written.
    pub(super) fn written(&mut self) {
        match self {
            TextProtocol::Gomocup(brain) => brain.written(brain.output().len()),
            TextProtocol::Sau(engine) => engine.written(engine.output().len()),
        }
    }

    /// What stood behind its last answer on the line.
    pub(super) fn take_remark(&mut self) -> Option<String> {
        self.gomocup().and_then(Dialogue::take_remark)
    }

    /// Takes a line of the engine's.
    pub(super) fn receive<'a>(&mut self, line: &'a [u8]) -> Response<'a> {
        match self {
            TextProtocol::Gomocup(brain) => brain.receive(line),
            TextProtocol::Sau(engine) => engine.receive(line),
        }
    }

    /// Another process speaks from here on.
    pub(super) fn started_again(&mut self) {
        match self {
            TextProtocol::Gomocup(brain) => brain.started_again(),
            TextProtocol::Sau(engine) => engine.started_again(),
        }
    }

    /// Asks who the engine is.
    pub(super) fn about(&mut self) {
        match self {
            TextProtocol::Gomocup(brain) => brain.about(),
            TextProtocol::Sau(engine) => engine.name(),
        }
    }

    pub(super) fn new_game(&mut self, terms: &GameTerms) -> NewGameResult {
        match self {
            TextProtocol::Gomocup(brain) => brain.new_game(terms),
            TextProtocol::Sau(engine) => engine.new_game(terms.size),
        }
    }

    /// Tells what is true of the whole game, where the protocol has words for it.
    pub(super) fn send_terms(&mut self) {
        if let TextProtocol::Gomocup(brain) = self {
            brain.send_terms();
        }
    }

    /// Whether the engine has still to say that it is ready for the game.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self, TextProtocol::Gomocup(brain) if brain.is_waiting())
    }

    pub(super) fn ask(&mut self, moves: &[Move], ask: Ask, limits: Limits) -> AskResult {
        match self {
            TextProtocol::Gomocup(brain) => brain.ask(&DialogueQuestion { moves, ask, limits }),
            TextProtocol::Sau(engine) => engine.ask(moves, ask),
        }
    }

    /// What the engine has told of the search behind its answer.
    pub(super) fn search_info(&self) -> Option<SearchInfo> {
        let TextProtocol::Gomocup(brain) = self else { return None };
        Some(brain.report().info).filter(|info| *info != SearchInfo::default())
    }

    /// The best line of that search that it has told.
    pub(super) fn variation(&self) -> Vec<Move> {
        let TextProtocol::Gomocup(brain) = self else { return Vec::new() };
        brain.line().into_iter().take(Reply::MOST_PV).map(Move::Stone).collect()
    }

    /// How the search stands that an engine reports, its best line as points of the board.
    pub(super) fn progress(&self, report: SearchReport) -> SearchProgress {
        let line = match self {
            TextProtocol::Gomocup(brain) => brain.line_of(&report),
            TextProtocol::Sau(_) => Vec::new(),
        };
        let elapsed = report.time_ms.unwrap_or(0).saturating_mul(1_000_000);
        let pv = line.into_iter().map(Move::Stone).collect();
        SearchProgress { line: 0, info: report.info, elapsed, pv }
    }

    /// Tells the process to end.
    pub(super) fn end(&mut self) {
        match self {
            TextProtocol::Gomocup(brain) => brain.end(),
            TextProtocol::Sau(engine) => engine.quit(),
        }
    }
}
