//! One engine outside an event: found, asked what it is, and put questions to.

use std::time::Duration;

use anyhow::Context;
use clap::Args as ClapArgs;
use tengen_arbiter::{Clock, Limits, MarginPolicy, Nanos, TimeControl};
use tengen_hosts::{
    EngineSpec, GameVariant, HostSettings, MoveNow, OpeningFallback, Probe, player, probe_for,
};
use tengen_players::{Player, RealTime, Reply, Request, Subscription};
use tengen_rules::{Ask, Move, Seat, Zone};
use tengen_tournament::{Mebibytes, Seconds};

use crate::WrongUse;
use crate::engine_roster::fit_alone;
use crate::flags::{DebugWaitArgs, FolderArgs, HostingArgs, unlimited};
use crate::wait_notice::WaitNotice;

/// Where the engine is and what is set of it.
#[derive(Debug, ClapArgs)]
pub(crate) struct LoneEngineArgs {
    /// Set an option of the engine; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// The number of threads for the engine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// The memory limit of the engine: 350MiB, 2GiB
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Mebibytes>,
    #[command(flatten)]
    pub folder: FolderArgs,
}

impl LoneEngineArgs {
    /// The engine of that id or path, with what is set of it.
    pub(crate) fn find(&self, engine: &str) -> anyhow::Result<EngineSpec> {
        let spec = self.folder.find(engine)?;
        let (option, threads, memory) = (self.option.clone(), self.threads, self.memory);
        HostingArgs { option, threads, memory, ..HostingArgs::default() }.over(spec)
    }
}

/// How much an engine may think about one position.
#[derive(Debug, ClapArgs)]
pub(crate) struct SearchLimitArgs {
    /// The time for each position
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
    /// The most nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// The depth for each position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
}

impl SearchLimitArgs {
    /// The limits that were named; where there are none, that time.
    pub(crate) fn control(&self, usual: Nanos) -> TimeControl {
        let SearchLimitArgs { time, nodes, depth } = *self;
        let is_open = time.is_none() && nodes.is_none() && depth.is_none();
        let per_move = time.map(|time| time.0).or(is_open.then_some(usual));
        TimeControl { per_move, nodes, depth, ..TimeControl::default() }
    }
}

pub(crate) struct LoneEngine {
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
    pub(crate) fn start(spec: EngineSpec, variant: &GameVariant) -> anyhow::Result<LoneEngine> {
        let settings = HostSettings::this_program().context("cannot find this program")?;
        let settings = HostSettings { move_now: Some(MoveNow::new()), ..settings };
        let spec = settings.enroll(spec.fitted(variant.rule, variant.size))?;
        let probe = look_at(&spec, &settings, variant)?;
        let is_helped = !probe.answers(variant.opening);
        let player = seat(&spec, &settings, is_helped);
        Ok(LoneEngine { spec, settings, player, is_helped, time: RealTime::new() })
    }

    /// Starts it again for a debugger, and waits for that.
    pub(crate) fn debug(
        &mut self,
        wait: DebugWaitArgs,
        variant: &GameVariant,
    ) -> anyhow::Result<()> {
        let settings = wait.settings(&self.spec.id, self.settings.clone());
        self.player = seat(&unlimited(&self.spec), &settings, self.is_helped);
        let started = self.player.new_game(&variant.setup(Seat::First, TimeControl::default()));
        started.map_err(|fault| anyhow::anyhow!("{}: {}", self.spec.id, fault.detail))
    }

    /// A function that asks the engine to answer at once, or stops it if that cannot be asked.
    pub(crate) fn hurry(&self) -> impl Fn() + Send + Sync + 'static {
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
    pub(crate) fn get_ready(
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
    pub(crate) fn choose(
        &mut self,
        moves: &[Move],
        control: TimeControl,
        watch: Option<Subscription<'_>>,
    ) -> Reply {
        let clock = Clock::new(control, 0, MarginPolicy::Game);
        let limits = Limits {
            own: clock.plan(),
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

/// A span in seconds with three decimals.
pub(crate) fn seconds(nanos: Nanos) -> f64 {
    (Duration::from_nanos(nanos).as_secs_f64() * 1e3).round() / 1e3
}
