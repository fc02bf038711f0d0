//! Random events for the simulator.

use tengen_arbiter::{
    ByoYomi, DrawWindow, FoulPolicy, IllegalPolicy, LatePolicy, MarginPolicy, Nanos, ResignBy,
    ResignWindow, TimeControl,
};
use tengen_rules::{Point, Procedure, Rule, Size};
use tengen_testkit::{Dice, ErraticConfig};

use crate::{
    AlikeOption, EngineEntry, EventConfig, EventFormat, FifthMoves, ForbiddenOption, IllegalOption,
    LateOption, MarginOption, Openings, Seconds, SpoiledOption, StageConfig,
};

/// A random event, and how its engines behave.
pub(super) struct Scenario {
    pub config: EventConfig,
    pub player_configs: Vec<ErraticConfig>,
}

impl Scenario {
    /// A scenario with at most so many engines, and at most so many games between every two.
    pub fn draw(dice: &mut Dice, engines: u64, games: u64) -> Scenario {
        loop {
            let config = config(dice, engines, games);
            // Some procedures need a certain board, and a book must not end the game.
            if config.validate().is_ok() {
                let player_config = |_| player_config(dice, &config);
                let player_configs = (0..config.engines.len()).map(player_config).collect();
                return Scenario { config, player_configs };
            }
        }
    }
}

impl Scenario {
    /// Lets the event have another format in some cases, or several of them, and gives its name.
    pub fn draw_format(&mut self, dice: &mut Dice) -> Option<String> {
        if dice.chance(400) {
            return None;
        }
        let mut config = self.config.clone();
        config.games = 1 + dice.below(4) as u32;
        let name = if dice.chance(250) {
            let formats = [EventFormat::RoundRobin, EventFormat::Swiss, EventFormat::Groups];
            let first = dice.pick(&formats);
            let stage = StageConfig::of;
            config.stages = vec![
                StageConfig { groups: (first == EventFormat::Groups).then_some(1), ..stage(first) },
                StageConfig { take: Some(2), games: Some(2), ..stage(EventFormat::Knockout) },
            ];
            "stages".to_owned()
        } else {
            let (own, engines) = (&mut config.own, config.engines.len());
            own.format = dice.pick(&EventFormat::ALL);
            let format = own.format;
            let is = |other| format == other;
            own.groups = is(EventFormat::Groups).then(|| 1 + dice.below(engines as u64 / 2) as u32);
            own.rounds = is(EventFormat::Swiss).then(|| 1 + dice.below(4) as u32);
            own.third_place = is(EventFormat::Knockout).then(|| dice.chance(500));
            if is(EventFormat::Knockout) || is(EventFormat::DoubleElimination) {
                own.deciders = Some(dice.below(3) as u32);
                own.decider_tc = own.deciders.filter(|&some| some > 0).map(|_| time(dice));
            }
            format.to_string()
        };
        if config.validate().is_err() {
            config.games += config.games % 2;
        }
        config.validate().ok()?;
        self.config = config;
        Some(name)
    }
}

fn config(dice: &mut Dice, engines: u64, games: u64) -> EventConfig {
    let rule = dice.pick(&Rule::ALL);
    let opening = dice.pick(&Procedure::ALL);
    let size = size(dice, opening);
    let mut config = EventConfig {
        rule,
        size,
        opening,
        alike: AlikeOption(dice.pick(&[tengen_rules::Alike::Shape, tengen_rules::Alike::Board])),
        tc: time(dice),
        margin: Some(Seconds(span(dice))),
        stall: Seconds(dice.pick(&[0, 1, 1_000_000_000, 300_000_000_000])),
        games: 1 + dice.below(games) as u32,
        concurrency: 1 + dice.index(4),
        seed: dice.roll() >> 1,
        illegal: IllegalOption(match dice.below(3) {
            0 => IllegalPolicy::Forfeit,
            1 => IllegalPolicy::Substitute,
            _ => IllegalPolicy::Retries(dice.below(4) as u32),
        }),
        forbidden: ForbiddenOption(dice.pick(&[FoulPolicy::Automatic, FoulPolicy::Claim])),
        late: LateOption(dice.pick(&[LatePolicy::Loss, LatePolicy::Substitute])),
        spoiled: dice.pick(&SpoiledOption::ALL),
        count_startup: dice.chance(300),
        margin_per: MarginOption(dice.pick(&[MarginPolicy::Game, MarginPolicy::Move])),
        draw_offers: dice.chance(500),
        passing: dice.chance(250),
        move_limit: dice.chance(200).then(|| 1 + dice.below(60) as u32),
        engines: (0..2 + dice.below(engines - 1)).map(|_| engine(dice)).collect(),
        ..EventConfig::default()
    };
    if opening.declares_fifths() && dice.chance(300) {
        let min = 1 + dice.below(3) as u8;
        config.fifth_moves = Some(FifthMoves { min, max: min + dice.below(4) as u8 });
    }
    if opening == Procedure::Book {
        let positions = (0..1 + dice.below(3)).map(|_| position(dice, size)).collect();
        config.openings = Openings::Positions(positions);
        // A position has up to six stones.
        config.move_limit = config.move_limit.map(|limit| limit + 6);
    }
    if dice.chance(300) {
        let (stones, moves) = (dice.below(20) as u32, 1 + dice.below(3) as u32);
        config.adjudicate_draw = Some(DrawWindow { stones, moves, score: 1 });
    }
    if dice.chance(200) {
        config.adjudicate_proof = Some(1 + dice.below(300) as u32);
    }
    if dice.chance(300) {
        let by = dice.pick(&[ResignBy::Both, ResignBy::Loser]);
        let moves = 1 + dice.below(3) as u32;
        config.adjudicate_resign = Some(ResignWindow { moves, score: 300, by });
    }
    config
}

/// Small boards, unless the procedure is defined on 15×15 alone: their games are short.
fn size(dice: &mut Dice, opening: Procedure) -> Size {
    if opening.needs_standard_board() || dice.chance(30) {
        return Size::STANDARD;
    }
    let side = 5 + dice.below(5) as u8;
    let other = if dice.chance(700) { side } else { 5 + dice.below(8) as u8 };
    Size::new(side, other).expect("from 5 to 32")
}

fn engine(dice: &mut Dice) -> EngineEntry {
    let mut engine = EngineEntry::new(dice.pick(&["hoshi", "keima", "tsuke"]));
    engine.tc = dice.chance(200).then(|| time(dice));
    engine.margin = dice.chance(200).then(|| Seconds(span(dice)));
    engine
}

fn time(dice: &mut Dice) -> TimeControl {
    let some = |dice: &mut Dice, chance| dice.chance(chance).then(|| span(dice).max(1));
    let main = some(dice, 750);
    let byo_yomi =
        |dice: &mut Dice| ByoYomi { periods: 1 + dice.below(4) as u32, span: span(dice).max(1) };
    TimeControl {
        main,
        increment: if main.is_some() && dice.chance(600) { span(dice) } else { 0 },
        session: (main.is_some() && dice.chance(250)).then(|| 1 + dice.below(8) as u32),
        byo_yomi: (main.is_some() && dice.chance(300)).then(|| byo_yomi(dice)),
        per_move: some(dice, 400),
        nodes: dice.chance(200).then(|| 1 + dice.below(1000)),
        depth: dice.chance(100).then(|| 1 + dice.below(20) as u32),
    }
}

/// From nothing over nanoseconds to hours, as a configuration file can say it.
fn span(dice: &mut Dice) -> Nanos {
    let unit = dice.pick(&[0, 1, 1000, 1_000_000, 1_000_000_000, 100_000_000_000]);
    dice.below(100) * unit
}

fn position(dice: &mut Dice, size: Size) -> Vec<Point> {
    let mut points: Vec<Point> = size.points().collect();
    dice.shuffle(&mut points);
    points.truncate(dice.index(7));
    points
}

fn player_config(dice: &mut Dice, config: &EventConfig) -> ErraticConfig {
    ErraticConfig {
        salt: dice.roll(),
        odd: dice.pick(&[0, 5, 20, 60, 300]),
        unready: dice.pick(&[0, 0, 10, 100]),
        slow: dice.pick(&[0, 20, 200]),
        scores: dice.chance(700),
        passing: config.passing,
        strained: dice.pick(&[0, 300, 900]),
    }
}
