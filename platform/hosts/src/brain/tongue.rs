use tengen_arbiter::{Limits, SearchInfo};
use tengen_gomocup::sau::SauDialogue;
use tengen_gomocup::{Asked, Dialect, Dialogue, Heard, LineEnd, NewGame, Question, Report, Terms};
use tengen_packages::EngineKind;
use tengen_players::{Reply, SearchProgress};
use tengen_rules::{Ask, Move};

/// The protocol that a text engine speaks.
pub(super) enum Tongue {
    Gomocup(Box<Dialogue>),
    Sau(SauDialogue),
}

impl Tongue {
    pub(super) fn of(kind: EngineKind, dialect: Dialect, is_strict: bool) -> Tongue {
        match kind {
            EngineKind::Sau => Tongue::Sau(SauDialogue::new(LineEnd::Lf)),
            _ => Tongue::Gomocup(Box::new(Dialogue::in_dialect(dialect).strict(is_strict))),
        }
    }

    /// The protocol that has lines which an engine may leave unanswered.
    pub(super) fn gomocup(&mut self) -> Option<&mut Dialogue> {
        match self {
            Tongue::Gomocup(brain) => Some(brain),
            Tongue::Sau(_) => None,
        }
    }

    /// What was learnt of how the engine speaks, where there is anything to learn.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        match self {
            Tongue::Gomocup(brain) => Some(brain.dialect()),
            Tongue::Sau(_) => None,
        }
    }

    /// What is to be written.
    pub(super) fn output(&self) -> &[u8] {
        match self {
            Tongue::Gomocup(brain) => brain.output(),
            Tongue::Sau(engine) => engine.output(),
        }
    }

    /// The output has been written.
    pub(super) fn written(&mut self) {
        match self {
            Tongue::Gomocup(brain) => brain.written(brain.output().len()),
            Tongue::Sau(engine) => engine.written(engine.output().len()),
        }
    }

    /// What stood behind its last answer on the line.
    pub(super) fn take_remark(&mut self) -> Option<String> {
        self.gomocup().and_then(Dialogue::take_remark)
    }

    /// Takes a line of the engine's.
    pub(super) fn hear<'a>(&mut self, line: &'a [u8]) -> Heard<'a> {
        match self {
            Tongue::Gomocup(brain) => brain.hear(line),
            Tongue::Sau(engine) => engine.hear(line),
        }
    }

    /// Another process speaks from here on.
    pub(super) fn started_again(&mut self) {
        match self {
            Tongue::Gomocup(brain) => brain.started_again(),
            Tongue::Sau(engine) => engine.started_again(),
        }
    }

    /// Asks who the engine is.
    pub(super) fn about(&mut self) {
        match self {
            Tongue::Gomocup(brain) => brain.about(),
            Tongue::Sau(engine) => engine.name(),
        }
    }

    pub(super) fn new_game(&mut self, terms: &Terms) -> NewGame {
        match self {
            Tongue::Gomocup(brain) => brain.new_game(terms),
            Tongue::Sau(engine) => engine.new_game(terms.size),
        }
    }

    /// Tells what is true of the whole game, where the protocol has words for it.
    pub(super) fn tell_terms(&mut self) {
        if let Tongue::Gomocup(brain) = self {
            brain.tell_terms();
        }
    }

    /// Whether the engine has still to say that it is ready for the game.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self, Tongue::Gomocup(brain) if brain.is_waiting())
    }

    pub(super) fn ask(&mut self, moves: &[Move], ask: Ask, limits: Limits) -> Asked {
        match self {
            Tongue::Gomocup(brain) => brain.ask(&Question { moves, ask, limits }),
            Tongue::Sau(engine) => engine.ask(moves, ask),
        }
    }

    /// What the engine has told of the search behind its answer.
    pub(super) fn search_info(&self) -> Option<SearchInfo> {
        let Tongue::Gomocup(brain) = self else { return None };
        Some(brain.report().info).filter(|info| *info != SearchInfo::default())
    }

    /// The best line of that search that it has told.
    pub(super) fn variation(&self) -> Vec<Move> {
        let Tongue::Gomocup(brain) = self else { return Vec::new() };
        brain.line().into_iter().take(Reply::MOST_PV).map(Move::Stone).collect()
    }

    /// How the search stands that an engine reports, its best line as points of the board.
    pub(super) fn progress(&self, report: Report) -> SearchProgress {
        let line = match self {
            Tongue::Gomocup(brain) => brain.line_of(&report),
            Tongue::Sau(_) => Vec::new(),
        };
        let elapsed = report.time_ms.unwrap_or(0).saturating_mul(1_000_000);
        let pv = line.into_iter().map(Move::Stone).collect();
        SearchProgress { line: 0, info: report.info, elapsed, pv }
    }

    /// Tells the process to end.
    pub(super) fn end(&mut self) {
        match self {
            Tongue::Gomocup(brain) => brain.end(),
            Tongue::Sau(engine) => engine.quit(),
        }
    }
}
