//! One engine outside an event: found fit, started, and put questions to.

use std::path::Path;

use anyhow::Context;
use tengen_arbiter::{Clock, Limits, MarginPolicy, Nanos, TimeControl};
use tengen_hosts::{
    DebugStart, EngineSpec, GameVariant, HostSettings, MoveNow, OpeningFallback, Probe, player,
    probe_for, resolve,
};
use tengen_players::{Player, RealTime, Reply, Request, Subscription};
use tengen_rules::{Ask, Move, Seat, Zone};

use crate::WrongUse;
use crate::debugging::{debugged, unlimited};
use crate::roster::fit_alone;
use crate::wait_notice::WaitNotice;

pub struct LoneEngine {
    pub spec: EngineSpec,
    pub settings: HostSettings,
    /// Answers the arbiter's questions.
    pub player: Box<dyn Player>,
    /// Whether the arbiter answers opening questions for it.
    is_helped: bool,
    /// The clock of its answers.
    pub time: RealTime,
}

impl LoneEngine {
    /// How long an answer may come after its time before the engine counts as hung.
    const OVERTIME: Nanos = 5_000_000_000;

    /// Starts an engine, asks it what it is, and makes sure that it plays such games.
    pub fn start(spec: EngineSpec, variant: &GameVariant) -> anyhow::Result<LoneEngine> {
        let settings = HostSettings::this_program().context("cannot find this program")?;
        let settings = HostSettings { move_now: Some(MoveNow::new()), ..settings };
        let spec = settings.enroll(spec.fitted(variant.rule, variant.size))?;
        let probe = look_at(&spec, &settings, variant)?;
        let is_helped = !probe.answers(variant.opening);
        let player = seat(&spec, &settings, is_helped);
        Ok(LoneEngine { spec, settings, player, is_helped, time: RealTime::new() })
    }

    /// Starts it again for a debugger, and waits for that.
    pub fn debug(&mut self, start: DebugStart, variant: &GameVariant) -> anyhow::Result<()> {
        let settings = debugged(start, self.settings.clone());
        self.player = seat(&unlimited(&self.spec), &settings, self.is_helped);
        let started = self.player.new_game(&variant.setup(Seat::First, TimeControl::default()));
        started.map_err(|fault| anyhow::anyhow!("{}: {}", self.spec.id, fault.detail))
    }

    /// A function that asks the engine to answer at once, or stops it if that cannot be asked.
    pub fn hurry(&self) -> impl Fn() + Send + Sync + 'static {
        let (interrupt, move_now) =
            (self.settings.interrupt.clone(), self.settings.move_now.clone());
        let move_now = move_now.filter(|_| !self.spec.kind.is_text());
        move || match &move_now {
            Some(move_now) => move_now.request(),
            None => interrupt.raise(),
        }
    }

    /// Starts it, if it does not run, and makes it ready for a question.
    ///
    /// # Errors
    /// When it cannot be made ready.
    pub fn get_ready(
        &mut self,
        variant: GameVariant,
        moves: &[Move],
        control: TimeControl,
    ) -> anyhow::Result<()> {
        let setup = variant.setup(Seat::ALL[moves.len() % 2], control);
        let reproducible = control.nodes.is_some() || control.depth.is_some();
        let setup = tengen_players::GameSetup { reproducible, ..setup };
        let cannot = |fault: tengen_players::Fault| {
            anyhow::anyhow!("{}: cannot be made ready: {}", self.spec.id, fault.detail)
        };
        self.player.new_game(&setup).map_err(cannot)
    }

    /// Lets it choose a move in a position, as in a game that stands there, for which it is ready.
    pub fn choose(
        &mut self,
        moves: &[Move],
        control: TimeControl,
        watch: Option<Subscription<'_>>,
    ) -> Reply {
        let clock = Clock::new(control, 0, MarginPolicy::Game);
        let limits = Limits {
            own: clock.plan(0),
            hard: clock.hard(),
            nodes: control.nodes,
            depth: control.depth,
            ..Limits::default()
        };
        let patience = limits.hard.map(|hard| hard.saturating_add(LoneEngine::OVERTIME));
        let ask = Ask::Move { zone: Zone::Anywhere };
        let request = Request { limits, patience, watch, ..Request::new(moves, ask) };
        self.player.ask(&request, &self.time)
    }
}

/// The engine that answers in place of illegal answers, where a game has that.
pub const SUBSTITUTE: &str = "builtin:alphabeta";

/// Starts [`SUBSTITUTE`] once it is asked.
pub fn substitute_player(settings: &HostSettings) -> Box<dyn Player> {
    let spec = resolve(SUBSTITUTE, Path::new("")).expect("it is linked into this program");
    player(&spec, settings)
}

fn seat(spec: &EngineSpec, settings: &HostSettings, is_helped: bool) -> Box<dyn Player> {
    let engine = player(spec, settings);
    if is_helped { Box::new(OpeningFallback::new(engine)) } else { engine }
}

/// Asks an engine what it is, and makes sure that it plays such games.
fn look_at(
    spec: &EngineSpec,
    settings: &HostSettings,
    variant: &GameVariant,
) -> anyhow::Result<Probe> {
    let probe = {
        let _waiting = WaitNotice::new(format!("{} to start and describe itself", spec.id));
        probe_for(spec, settings, variant)?
    };
    fit_alone(spec, &probe, variant).map_err(WrongUse)?;
    Ok(probe)
}
