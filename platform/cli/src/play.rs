//! `tengen play`: a game with an engine in the terminal.

mod board;
mod person;
mod remote;
mod typed;

use std::cell::RefCell;
use std::io;

use clap::Args as ClapArgs;
use tengen_arbiter::{
    Action, Game, GameConfig, GameResult, HistoryEntry, Nanos, Policies, Termination, TimeControl,
};
use tengen_hosts::{GameVariant, Interrupt, TEXT_MARGIN};
use tengen_lineup::{LoneEngine, NO_HURRY, lock, substitute_player};
use tengen_players::Player;
use tengen_rules::{Answer, BySeat, OpeningSettings, Procedure, Rule, Seat, Size};
use tengen_tournament::{
    GameEnd, GameParams, GameRunner, IllegalOption, SubstituteFn, substitute_answer,
};

use crate::analyse::{count, said, value};
use crate::flags::DebugWaitArgs;
use crate::lone_engine::LoneEngineArgs;
use crate::{CommandOutcome, WrongUse, report, stop};
pub(crate) use board::board_text;
use person::{Person, Wish};
use remote::RemoteArgs;

/// The engine's time where nothing is said.
const USUAL: Nanos = 5_000_000_000;

#[derive(Debug, ClapArgs)]
pub(crate) struct PlayArgs {
    /// The engine: its id, its path, or builtin:NAME; or the address of a server's table
    ///
    /// At the address of a table, the engine that --engine names plays.
    #[arg(value_name = "ENGINE|URL")]
    pub opponent: String,
    /// Let the engine begin
    #[arg(long)]
    pub second: bool,
    /// The rule: freestyle, standard, renju or caro [default: freestyle]
    #[arg(long)]
    pub rule: Option<Rule>,
    /// The board: 15, or 20x15 [default: 15]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,
    /// The opening procedure: none, swap2, rif and others [default: none]
    ///
    /// One of none, pro, long-pro, swap, swap2, rif, contest, yamaguchi, soosorv8 and taraguchi10.
    #[arg(long, value_name = "NAME")]
    pub opening: Option<Procedure>,
    /// The clock of both players [default: 5 seconds a move for the engine]
    ///
    /// Without it you have no clock.
    #[arg(long, value_name = "TC")]
    pub tc: Option<TimeControl>,
    /// An illegal answer: forfeit, retries=N or substitute [default: forfeit]
    ///
    /// The engine loses by it; or it is told, and asked again up to N times in a row; or the
    /// built-in engine answers in its place.
    #[arg(long, value_name = "POLICY")]
    pub illegal: Option<IllegalOption>,
    /// Start the engine without a sandbox and without deadlines, print its process ID, and wait
    /// until you have attached a debugger
    #[arg(long, hide_short_help = true)]
    pub debug_engine: bool,
    #[command(flatten)]
    pub debug_wait: DebugWaitArgs,
    #[command(flatten)]
    pub seat: LoneEngineArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

impl PlayArgs {
    /// What is played.
    fn variant(&self) -> GameVariant {
        GameVariant {
            rule: self.rule.unwrap_or(Rule::Freestyle),
            size: self.size.unwrap_or(Size::STANDARD),
            opening: self.opening.unwrap_or(Procedure::None),
        }
    }
}

pub(crate) fn play(args: &PlayArgs) -> anyhow::Result<CommandOutcome> {
    if remote::is_address(&args.opponent) {
        return remote::play(args);
    }
    args.remote.refuse()?;
    let config = config(args)?;
    let variant = args.variant();
    let spec = args.seat.find(&args.opponent)?;
    let is_text = spec.kind.is_text();
    let mut engine = LoneEngine::start(spec, &variant)?;
    if args.debug_engine {
        // Before any move is typed.
        engine.debug(args.debug_wait.start(&engine.spec.id), &variant)?;
    }
    let person = if args.second { Seat::Second } else { Seat::First };
    let margin = if is_text { TEXT_MARGIN } else { 0 };
    let mut config = GameConfig { margin: BySeat { first: margin, second: margin }, ..config };
    config.policies.persons[person] = true;
    if args.debug_engine {
        config.margin[!person] = NO_HURRY.0;
    }
    config.margin[person] = 0;
    if args.tc.is_none() {
        config.time[person] = TimeControl::default();
    }
    let interrupt = engine.settings.interrupt.clone();
    stop::raise_on_interrupt(&interrupt)?;
    report::print(&format!(
        "You play against {}: {} on {}. Type a move such as h8, or `help`.\n",
        engine.spec.id, variant.rule, variant.size
    ))?;
    let person_at = Person::new(person, io::stdin(), interrupt.clone());
    GameTable { config, args, person, person_at, interrupt }.play(&mut engine)
}

fn config(args: &PlayArgs) -> anyhow::Result<GameConfig> {
    let usual = TimeControl { per_move: Some(USUAL), ..TimeControl::default() };
    let time = args.tc.unwrap_or(usual);
    let GameVariant { rule, size, opening } = args.variant();
    let illegal = args.illegal.unwrap_or_default().0;
    let config = GameConfig {
        rule,
        size,
        opening: OpeningSettings::new(opening),
        time: BySeat { first: time, second: time },
        margin: BySeat::default(),
        policies: Policies { illegal, draw_offers: true, ..Policies::default() },
    };
    Game::new(config.clone()).map_err(|error| WrongUse(error.into()))?;
    Ok(config)
}

/// One game: its players, and what was agreed.
struct GameTable<'a> {
    config: GameConfig,
    args: &'a PlayArgs,
    person: Seat,
    person_at: Person,
    interrupt: Interrupt,
}

impl GameTable<'_> {
    fn play(mut self, engine: &mut LoneEngine) -> anyhow::Result<CommandOutcome> {
        let time = engine.time;
        let id = engine.spec.id.clone();
        let opening = self.args.variant().opening;
        let params = GameParams { number: None, opening, seed: 0, draw_offers: true };
        let mut game = Game::new(self.config.clone())?;
        let mut shown = 0;
        let substitute = RefCell::new(substitute_player(&engine.settings));
        let substitute = |game: &Game, seat| {
            substitute_answer(&mut **substitute.borrow_mut(), game, seat, params, &time)
        };
        let substitute: Option<&SubstituteFn<'_>> = Some(&substitute);
        loop {
            let mut end = GameEnd::default();
            let (interrupt, wish) = (self.interrupt.clone(), self.person_at.wish());
            let halted = || interrupt.is_raised() || lock(&wish).is_some();
            let runner = GameRunner {
                time: &time,
                stall: None,
                halted: &halted,
                substitute,
                listener: None,
            };
            let (person, mut told) = (self.person, Ok(()));
            let mut players: BySeat<&mut dyn Player> =
                BySeat { first: &mut self.person_at, second: &mut *engine.player };
            if person == Seat::Second {
                let BySeat { first, second } = players;
                players = BySeat { first: second, second: first };
            }
            let played = runner.play_watched(&mut game, params, players, &mut end, |game| {
                if told.is_ok() {
                    told = show(game, person, &id, &mut shown);
                }
            });
            told?;
            if played.is_ok() {
                show(&game, person, &id, &mut shown)?;
                if let Some(detail) = &end.detail {
                    report::print(&format!("{detail}\n"))?;
                }
                report::print(&self.outcome(&game, &id))?;
                return Ok(CommandOutcome::Done);
            }
            let wish = lock(&self.person_at.wish()).take();
            match wish {
                Some(Wish::Undo) => {
                    game = self.taken_back(&game)?;
                    shown = game.history().len();
                    report::print(&board::text(&game, person))?;
                }
                Some(Wish::Quit) => return Ok(CommandOutcome::Done),
                None => return Ok(CommandOutcome::Interrupted),
            }
        }
    }

    /// The game before the person's last answer; as it is if there is none.
    fn taken_back(&self, game: &Game) -> anyhow::Result<Game> {
        let history = game.history();
        let is_theirs = |entry: &HistoryEntry| {
            entry.seat == self.person && entry.legal && matches!(entry.action, Action::Answer(_))
        };
        let keep = history.iter().rposition(is_theirs);
        if keep.is_none() {
            report::print("There is no move of yours to take back.\n")?;
        }
        let keep = keep.unwrap_or(history.len());
        Ok(Game::replay(self.config.clone(), &history[..keep])?)
    }

    fn outcome(&self, game: &Game, engine: &str) -> String {
        let Some(GameResult { winner, termination }) = game.result() else { return String::new() };
        let how = termination.words();
        match winner {
            Some(seat) if seat == self.person => format!("You win ({how}).\n"),
            Some(_) => format!("{engine} wins ({how}).\n"),
            None if termination == Termination::Aborted => "The game was given up.\n".to_owned(),
            None => format!("A draw ({how}).\n"),
        }
    }
}

/// Prints what was done since the last look, and the board if the person is to answer.
fn show(game: &Game, person: Seat, engine: &str, shown: &mut usize) -> anyhow::Result<()> {
    let news = game.history().get(*shown..).unwrap_or_default();
    *shown = game.history().len();
    let mut text: String = news
        .iter()
        .filter(|entry| entry.seat != person)
        .map(|entry| format!("{engine}: {}\n", done(entry)))
        .collect();
    if news.iter().any(|entry| entry.seat == person && !entry.legal)
        && let Some(refusal) = game.refusal()
    {
        text += &format!("That is not possible: {refusal}\n");
    }
    let is_asked = game.asked().is_some_and(|(seat, _)| seat == person);
    if is_asked || game.result().is_some() {
        text = format!("\n{}\n{text}", board::text(game, person));
    }
    report::print(&text)
}

/// What an engine did, with what it said of it.
fn done(entry: &HistoryEntry) -> String {
    let what = match &entry.action {
        Action::Answer(answer) => typed::words(answer),
        action => said(action),
    };
    let mut known = vec![report::span(entry.spent)];
    if let Some(info) = entry.info {
        known.extend((info.depth > 0).then(|| format!("depth {}", info.depth)));
        known.extend((info.nodes > 0).then(|| format!("{} nodes", count(info.nodes))));
        known.extend(Some(value(&info)).filter(|value| !value.is_empty()));
    }
    let is_move = matches!(&entry.action, Action::Answer(Answer::Move(_)));
    let verb = if is_move { "plays " } else { "" };
    match (entry.legal, entry.substituted) {
        (_, true) => format!("{verb}{what} (Tengen answers in its place)"),
        (false, _) => format!("{verb}{what} ({}): that is not possible", known.join(", ")),
        _ => format!("{verb}{what} ({})", known.join(", ")),
    }
}
