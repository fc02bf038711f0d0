//! A builtin engine on the caller's own thread.

use tengen_abi::end;
use tengen_arbiter::{Action, Failure, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, SearchInfo, Time};
use tengen_rules::{Answer, Ask, Move, Position};
use tengen_sdk::{Engine, GameInfo, Limits, Outcome, Thinking};

/// What a linked engine's table of positions may take, in MiB: games by the thousand are short, and
/// a small table is cleared at once.
const MEMORY_MIB: u32 = 4;

/// An engine that is part of this program, called as a function. It has no process and no sandbox,
/// and looks at no clock: it is for games with limits on nodes or depth, and it answers only
/// questions for a move.
struct LinkedPlayer<E> {
    engine: E,
    game: GameInfo,
}

/// The builtin engine of that name as a player in this process; none if there is no such engine.
/// Games between two of them cost nothing but their searches.
pub fn linked_player(name: &str) -> Option<Box<dyn Player>> {
    let game = GameInfo::new(tengen_rules::Rule::Freestyle, tengen_rules::Size::STANDARD);
    match name {
        "alphabeta" => {
            let engine = alphabeta::AlphaBeta::default();
            Some(Box::new(LinkedPlayer { engine, game }))
        }
        _ => None,
    }
}

impl<E: Engine + Send> Player for LinkedPlayer<E> {
    fn new_game(&mut self, setup: &GameSetup) -> Result<(), Fault> {
        self.game = GameInfo {
            seed: setup.seed,
            memory_mib: Some(MEMORY_MIB),
            nodes: setup.time.nodes,
            depth: setup.time.depth,
            reproducible: setup.reproducible,
            ..GameInfo::new(setup.rule, setup.size)
        };
        self.engine.new_game(&self.game);
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        let (outcome, info) = match self.choose(request) {
            Ok((mv, info)) => (Ok(Some(Action::Answer(Answer::Move(mv)))), Some(info)),
            Err(detail) => (Err(Fault { failure: Failure::ProtocolError, detail }), None),
        };
        let (answered_at, pv) = (time.now(), Vec::new());
        Reply { asked_at, answered_at, offers_draw: false, outcome, info, pv }
    }

    fn end_game(&mut self, _result: GameResult) {
        self.engine.end_game(Outcome::Aborted, end::UNKNOWN);
    }
}

impl<E: Engine> LinkedPlayer<E> {
    fn choose(&mut self, request: &Request<'_>) -> Result<(Move, SearchInfo), String> {
        if !matches!(request.ask, Ask::Move { .. }) {
            return Err("a linked engine answers no opening questions".to_owned());
        }
        let mut position = Position::new(self.game.rule, self.game.size);
        for mv in request.moves {
            let point = mv.point().ok_or("a linked engine does not pass")?;
            position.play(point).map_err(|error| error.to_string())?;
        }
        let limits = Limits {
            nodes: request.limits.nodes,
            depth: request.limits.depth,
            multipv: 1,
            ..Limits::default()
        };
        let thinking = Thinking::free().in_game(&self.game).with_limits(limits);
        let choice = self.engine.choose(&position, &thinking);
        let info = SearchInfo {
            eval: choice.score.eval,
            win_in: choice.score.win_in,
            depth: choice.depth,
            seldepth: choice.seldepth,
            nodes: choice.nodes,
        };
        Ok((choice.mv, info))
    }
}
