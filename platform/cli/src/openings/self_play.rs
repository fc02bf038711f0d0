//! Games of an engine against itself from a position.

use std::thread;

use anyhow::{Context, anyhow, bail};
use clap::Args as ClapArgs;
use tengen_arbiter::{
    Adjudication, Game, GameConfig, Policies, ResignBy, ResignWindow, TimeControl,
};
use tengen_hosts::{EngineKind, EngineSpec, HostSettings, linked_player, player};
use tengen_players::{Player, RealTime};
use tengen_rules::{BySeat, OpeningSettings, Point, Procedure, Rule, Seat, Size};
use tengen_tournament::{GameEnd, GameParams, GameRunner};

use crate::WrongUse;
use crate::lone_engine::LoneEngineArgs;

/// The engine that plays games from positions.
#[derive(Debug, ClapArgs)]
pub(crate) struct SelfPlayArgs {
    /// The engine that plays itself
    ///
    /// Its id, its path, or builtin:NAME.
    #[arg(long, value_name = "ENGINE", default_value = "builtin:alphabeta")]
    engine: String,
    /// How many games are played at once [default: the number of CPUs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    #[command(flatten)]
    seat: LoneEngineArgs,
}

impl SelfPlayArgs {
    pub fn workers(&self) -> usize {
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.map_or(cpus, usize::from)
    }

    pub fn spec(&self, rule: Rule, size: Size) -> anyhow::Result<EngineSpec> {
        Ok(self.seat.find(&self.engine)?.fitted(rule, size))
    }
}

/// An engine twice, once for each player of a game.
pub(super) struct SelfPlay {
    id: String,
    players: BySeat<Box<dyn Player>>,
    rule: Rule,
    size: Size,
}

impl SelfPlay {
    /// A builtin engine without options plays in this process, every other one in a process of its
    /// own, in its sandbox.
    pub fn new(
        spec: &EngineSpec,
        settings: &HostSettings,
        rule: Rule,
        size: Size,
        controls: &[TimeControl],
    ) -> SelfPlay {
        let is_timed = |tc: &TimeControl| tc.nodes.is_none() && tc.depth.is_none();
        let is_plain = spec.kind == EngineKind::Builtin
            && spec.options.is_empty()
            && !controls.iter().any(is_timed);
        let seat = || {
            let name = spec.id.split_once(':').map_or("", |(_, name)| name);
            let linked = if is_plain { linked_player(name) } else { None };
            linked.unwrap_or_else(|| player(spec, settings))
        };
        SelfPlay { id: spec.id.clone(), players: BySeat::from_fn(|_| seat()), rule, size }
    }

    /// Plays a game from a position, in which one of the two searches half as much again, so that
    /// one in which the other does is not the same game. Gives what Black made, in halves of a
    /// point.
    ///
    /// # Errors
    /// When the engine breaks a rule, or fails.
    pub fn game(
        &mut self,
        stones: &[Point],
        control: TimeControl,
        strong: Seat,
        seed: u64,
    ) -> anyhow::Result<u32> {
        let time = BySeat::from_fn(|seat| if seat == strong { more(control) } else { control });
        let opening =
            OpeningSettings { book: stones.to_vec(), ..OpeningSettings::new(Procedure::Book) };
        // What both have proved needs no playing out.
        let resign = ResignWindow { moves: 1, score: u32::MAX, by: ResignBy::Both };
        let adjudication = Adjudication { resign: Some(resign), ..Adjudication::default() };
        let config = GameConfig {
            rule: self.rule,
            size: self.size,
            opening,
            time,
            margin: BySeat::default(),
            policies: Policies { adjudication: Some(adjudication), ..Policies::default() },
        };
        let mut game = Game::new(config).map_err(|problem| anyhow!("{problem}"))?;
        let params =
            GameParams { number: None, opening: Procedure::Book, seed, draw_offers: false };
        let clock = RealTime::new();
        let runner = GameRunner {
            time: &clock,
            stall: None,
            halted: &|| false,
            substitute: None,
            listener: None,
        };
        let BySeat { first, second } = &mut self.players;
        let mut end = GameEnd::default();
        let players: BySeat<&mut dyn Player> =
            BySeat { first: &mut **first, second: &mut **second };
        // The runner is never told to stop.
        let _never_halted = runner.play(&mut game, params, players, &mut end);
        let result = game.result().context("a game ended without a result")?;
        if result.termination.is_fault() {
            let detail = end.detail.unwrap_or_default();
            bail!(WrongUse(anyhow!(
                "{}: lost a game by {}: {detail}; choose an engine that plays whole games without \
                 a fault",
                self.id,
                result.termination.name(),
            )));
        }
        Ok(match result.winner {
            None => 1,
            Some(Seat::First) => 2,
            Some(Seat::Second) => 0,
        })
    }
}

/// Half as much again to search with; a ply, where only the depth is bounded.
fn more(control: TimeControl) -> TimeControl {
    let half_more = |number: u64| number + number.div_ceil(2);
    TimeControl {
        main: control.main.map(half_more),
        increment: half_more(control.increment),
        per_move: control.per_move.map(half_more),
        nodes: control.nodes.map(half_more),
        depth: control.depth.map(|depth| depth + 1),
        ..control
    }
}
