use alloc::vec::Vec;

use proptest::prelude::*;
use tengen_rules::{Answer, BySeat, Color, Move, OpeningSettings, Point, Procedure, Rule, Seat};

use crate::answer::{legal_answer, outwards};
use crate::{
    Action, Adjudication, Correction, DrawWindow, Failure, FoulPolicy, Game, GameConfig, Handled,
    IllegalPolicy, Input, LatePolicy, MarginPolicy, Nanos, Order, Policies, ResignBy, ResignWindow,
    SearchScore, Termination, TimeControl,
};

/// What a fuzzed table does next.
#[derive(Clone, Debug)]
enum FuzzStep {
    Poll,
    Asked(bool),
    /// A legal answer of the asked seat, made of the points rotated by so many.
    Legal(usize),
    Act(bool, Action),
    Scored(i32),
    Corrected(Correction),
    Failed(bool, Failure),
    Timeout,
    /// An answer in place of the asked seat's.
    Substitute(Action),
    Abort,
}

fn point() -> impl Strategy<Value = Point> {
    (0..16u8, 0..16u8).prop_map(|(x, y)| Point::new(x, y))
}

fn action() -> impl Strategy<Value = Action> {
    let points = || prop::collection::vec(point(), 0..6);
    let answer = prop_oneof![
        points().prop_map(Answer::Place),
        points().prop_map(Answer::Offer),
        any::<u8>().prop_map(Answer::Declare),
        any::<bool>().prop_map(Answer::Swap),
        any::<bool>()
            .prop_map(|black| { Answer::Choose(if black { Color::Black } else { Color::White }) }),
        point().prop_map(Answer::Pick),
        point().prop_map(|point| Answer::Move(Move::Stone(point))),
        Just(Answer::Move(Move::Pass)),
    ];
    prop_oneof![
        6 => answer.prop_map(Action::Answer),
        1 => Just(Action::Resign),
        4 => Just(Action::Claim),
        4 => Just(Action::OfferDraw),
        2 => Just(Action::AcceptDraw),
    ]
}

fn step() -> impl Strategy<Value = FuzzStep> {
    prop_oneof![
        20 => Just(FuzzStep::Poll),
        20 => prop::bool::weighted(0.95).prop_map(FuzzStep::Asked),
        60 => (0..225usize).prop_map(FuzzStep::Legal),
        6 => (prop::bool::weighted(0.8), action())
            .prop_map(|(own, action)| FuzzStep::Act(own, action)),
        4 => (-50..50).prop_map(FuzzStep::Scored),
        4 => (0..60u64, 0..20u64).prop_map(|(given_back, unasked)| {
            FuzzStep::Corrected(Correction { given_back, unasked })
        }),
        1 => any::<bool>().prop_map(|own| FuzzStep::Failed(own, Failure::Crash)),
        8 => Just(FuzzStep::Timeout),
        4 => action().prop_map(FuzzStep::Substitute),
        1 => Just(FuzzStep::Abort),
    ]
}

fn steps() -> impl Strategy<Value = Vec<(Nanos, FuzzStep)>> {
    let wait = prop_oneof![8 => 0..40u64, 1 => 0..400u64, 1 => Just(0)];
    prop::collection::vec((wait, step()), 0..400)
}

fn time() -> impl Strategy<Value = TimeControl> {
    let main = prop::option::of(1..2_000u64);
    (main, 0..50u64, prop::option::of(1..300u64)).prop_map(|(main, increment, per_move)| {
        TimeControl { main, increment, per_move, ..TimeControl::default() }
    })
}

fn policies() -> impl Strategy<Value = Policies> {
    let flags = any::<[bool; 6]>();
    let illegal = prop_oneof![
        Just(IllegalPolicy::Forfeit),
        (0..4u32).prop_map(IllegalPolicy::Retries),
        Just(IllegalPolicy::Substitute),
    ];
    (flags, illegal, any::<bool>(), prop::option::of(5..60u32)).prop_map(
        |(flags, illegal, person, move_limit)| {
            let [claim, substitute, draw_offers, passing, adjudicate, each] = flags;
            let adjudication = Adjudication {
                draw: Some(DrawWindow { stones: 8, moves: 2, score: 5 }),
                resign: Some(ResignWindow { moves: 2, score: 20, by: ResignBy::Both }),
                proof: each.then_some(300),
            };
            Policies {
                persons: BySeat { first: person, second: false },
                illegal,
                foul: if claim { FoulPolicy::Claim } else { FoulPolicy::Automatic },
                late: if substitute { LatePolicy::Substitute } else { LatePolicy::Loss },
                margin: if each { MarginPolicy::Move } else { MarginPolicy::Game },
                count_startup: false,
                draw_offers,
                passing,
                move_limit,
                adjudication: adjudicate.then_some(adjudication),
            }
        },
    )
}

fn config() -> impl Strategy<Value = GameConfig> {
    let procedure = prop::sample::select(Procedure::ALL.as_slice());
    let rule = prop::sample::select(Rule::ALL.as_slice());
    let margin = (0..30u64, 0..30u64);
    (procedure, rule, time(), time(), margin, policies()).prop_map(
        |(procedure, rule, first, second, margin, policies)| GameConfig {
            rule,
            size: tengen_rules::Size::STANDARD,
            opening: OpeningSettings::new(procedure),
            time: BySeat { first, second },
            margin: BySeat { first: margin.0, second: margin.1 },
            policies,
        },
    )
}

/// A game under fuzzing, with what must hold of all its orders so far.
struct CheckedGame {
    game: Game,
    now: Nanos,
    open: Option<Seat>,
    ends: usize,
}

impl CheckedGame {
    fn new(config: GameConfig) -> CheckedGame {
        CheckedGame { game: Game::new(config).unwrap(), now: 0, open: None, ends: 0 }
    }

    fn poll(&mut self) {
        match self.game.poll_order() {
            Some(Order::Ask { seat, ask, .. }) => {
                assert_eq!(self.ends, 0, "a question after the end");
                assert_eq!(self.game.asked(), Some((seat, ask)));
                self.open = Some(seat);
            }
            Some(Order::End(result)) => {
                assert_eq!(self.game.result(), Some(result));
                self.ends += 1;
            }
            None => {}
        }
    }

    fn take(&mut self, wait: Nanos, step: FuzzStep) {
        self.now += wait;
        let asked = self.game.asked().map_or(Seat::First, |(seat, _)| seat);
        let by = |own: bool| if own { asked } else { !asked };
        match step {
            FuzzStep::Poll => self.poll(),
            FuzzStep::Asked(own) => drop(self.game.handle(self.now, by(own), Input::Asked)),
            FuzzStep::Legal(turn) => {
                if let Some(action) = legal(&self.game, turn) {
                    self.game.handle(self.now, asked, Input::Act(action));
                }
            }
            FuzzStep::Act(own, action) => {
                self.game.handle(self.now, by(own), Input::Act(action));
            }
            FuzzStep::Scored(eval) => {
                let score = SearchScore { eval: Some(eval), win_in: None };
                self.game.handle(self.now, asked, Input::Scored(score));
            }
            FuzzStep::Corrected(correction) => {
                self.game.handle(self.now, asked, Input::Corrected(correction));
            }
            FuzzStep::Failed(own, failure) => {
                self.game.handle(self.now, by(own), Input::Failed(failure));
            }
            FuzzStep::Timeout => self.game.handle_timeout(self.now),
            FuzzStep::Substitute(action) => {
                if let Action::Answer(answer) = action {
                    self.game.handle(self.now, asked, Input::Substitute(answer));
                }
            }
            FuzzStep::Abort => self.game.abort(self.now),
        }
    }
}

fn legal(game: &Game, turn: usize) -> Option<Action> {
    let (_, ask) = game.asked()?;
    let mut points = outwards(game.position().size());
    points.rotate_left(turn);
    legal_answer(game.position(), ask, game.offered(), &points).map(Action::Answer)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn a_result_never_changes_and_is_told_once(config in config(), steps in steps()) {
        let mut watched = CheckedGame::new(config);
        for (wait, step) in steps {
            let before = watched.game.result();
            watched.take(wait, step);
            prop_assert!(before.is_none() || watched.game.result() == before);
            prop_assert_eq!(watched.game.result().is_none(), watched.game.asked().is_some());
        }
        watched.game.abort(watched.now);
        watched.poll();
        watched.poll();
        prop_assert_eq!(watched.ends, 1);
    }

    #[test]
    fn a_clock_rises_by_no_more_than_its_increment(config in config(), steps in steps()) {
        let mut watched = CheckedGame::new(config.clone());
        for (wait, step) in steps {
            let before = Seat::ALL.map(|seat| watched.game.clock(seat).left());
            let entries = watched.game.history().len();
            watched.take(wait, step);
            for (seat, before) in Seat::ALL.into_iter().zip(before) {
                let after = watched.game.clock(seat).left();
                prop_assert_eq!(after.is_none(), before.is_none());
                let answered = watched.game.history()[entries..]
                    .iter()
                    .any(|entry| entry.seat == seat && entry.legal);
                let increment = if answered { config.time[seat].increment } else { 0 };
                prop_assert!(after <= before.map(|before| before + increment));
            }
        }
    }

    /// The strict clock: whatever a seat's answers took, and whatever the margin, it never had more
    /// than its time, its increments and one margin in all, or one for each answer.
    #[test]
    fn the_margin_is_given_once(config in config(), steps in steps()) {
        let mut config = config;
        config.policies.late = LatePolicy::Loss;
        let mut watched = CheckedGame::new(config.clone());
        steps.into_iter().for_each(|(wait, step)| watched.take(wait, step));
        for seat in Seat::ALL {
            let Some(main) = config.time[seat].main else { continue };
            let history = watched.game.history().iter();
            let own = history.filter(|entry| entry.seat == seat);
            // The last entry is the late answer itself, if that is how the game was lost.
            let lost = watched.game.result().is_some_and(|result| {
                result.termination == Termination::Timeout && result.winner == Some(!seat)
            });
            let own: Vec<_> = own.collect();
            let late = usize::from(lost && own.last().is_some_and(|entry| !entry.legal));
            let in_time = &own[..own.len() - late];
            let margins = match config.policies.margin {
                MarginPolicy::Game => config.margin[seat],
                MarginPolicy::Move => config.margin[seat] * in_time.len() as Nanos,
            };
            let in_time = in_time.iter().filter(|entry| entry.action != Action::Resign);
            let spent: Nanos = in_time.clone().map(|entry| entry.spent).sum();
            let answers = in_time.filter(|entry| {
                entry.legal && matches!(entry.action, Action::Answer(_))
            });
            let increments = answers.count() as Nanos * config.time[seat].increment;
            prop_assert!(spent <= main + increments + margins);
        }
    }

    #[test]
    fn replaying_the_history_leads_to_the_same_end(config in config(), steps in steps()) {
        let mut watched = CheckedGame::new(config.clone());
        // Scores are no part of the history: the record keeps them beside it.
        let told = steps.into_iter().filter(|(_, step)| !matches!(step, FuzzStep::Scored(_)));
        told.for_each(|(wait, step)| watched.take(wait, step));
        let again = Game::replay(config, watched.game.history()).unwrap();
        prop_assert_eq!(again.history(), watched.game.history());
        prop_assert_eq!(again.position(), watched.game.position());
        prop_assert_eq!(again.colors(), watched.game.colors());
        for entry in watched.game.history().iter().rev().take(1) {
            prop_assert_eq!(again.clock(entry.seat).left(), entry.clock);
        }
        if watched.game.result().is_none() {
            prop_assert_eq!(again.asked(), watched.game.asked());
        }
        if let Some(result) = again.result() {
            prop_assert_eq!(Some(result), watched.game.result());
        } else if let Some(result) = watched.game.result() {
            let external = [Termination::Timeout, Termination::Crash, Termination::Aborted];
            prop_assert!(external.contains(&result.termination), "{}", result.termination);
        }
    }

    #[test]
    fn the_deadline_itself_is_in_time(time in time(), margin in 0..30u64, turns in 0..20usize) {
        let mut config = GameConfig {
            rule: Rule::Freestyle,
            size: tengen_rules::Size::STANDARD,
            opening: OpeningSettings::new(Procedure::None),
            time: BySeat { first: time, second: time },
            margin: BySeat { first: margin, second: margin },
            policies: Policies::default(),
        };
        config.policies.late = LatePolicy::Loss;
        let mut watched = CheckedGame::new(config);
        let mut answers = 0;
        for _ in 0..turns {
            watched.poll();
            let Some(seat) = watched.open else { break };
            prop_assert_eq!(watched.game.result(), None);
            watched.game.handle(watched.now, seat, Input::Asked);
            let action = legal(&watched.game, 0).unwrap();
            let Some(too_late) = watched.game.next_timeout() else { break };
            let mut late = watched.game.clone();
            prop_assert_eq!(
                late.handle(too_late, seat, Input::Act(action.clone())),
                Handled::Late
            );
            prop_assert_eq!(late.result().unwrap().termination, Termination::Timeout);
            watched.now = too_late - 1;
            watched.game.handle_timeout(watched.now);
            prop_assert_eq!(
                watched.game.handle(watched.now, seat, Input::Act(action)),
                Handled::Accepted
            );
            answers += 1;
        }
        let timed = time.main.is_some() || time.per_move.is_some();
        prop_assert_eq!(answers, if timed { turns } else { 0 });
        for seat in Seat::ALL {
            let own = watched.game.history().iter().filter(|entry| entry.seat == seat);
            let spent: Nanos = own.clone().map(|entry| entry.spent).sum();
            let given = |main| main + own.count() as Nanos * time.increment + margin;
            prop_assert!(time.main.is_none_or(|main| spent <= given(main)));
        }
    }
}
