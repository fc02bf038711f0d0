//! Every opening procedure played to the end by real engines in this process, through the ABI's
//! exports, the session and the arbiter; and each record replayed.

use std::sync::Arc;
use std::time::Instant;

use tengen_abi::{Exports, MoveCode, status};
use tengen_arbiter::{
    Action, Game, Handled, IllegalPolicy, Input, Limits, Order, Policies, TimeControl,
};
use tengen_players::GameSetup;
use tengen_record::{GameRecord, Header, PlayerHeader, replay};
use tengen_rules::{
    Alike, Ask, BySeat, Color, Move, OpeningSettings, Point, Position, Procedure, Rule, Seat, Size,
    Zone,
};
use tengen_sdk::random::Random;
use tengen_sdk::{Choice, Engine, Placement, Swap2, Taraguchi, Thinking, exports};

use super::GuestSession;
use crate::host::fetch_files::FetchFiles;
use crate::host::native::NativeGuest;
use crate::host::services::{HostServices, MessageSink};
use crate::translate;
use tengen_packages::EngineSpec;

/// Moves at random near the stones, and leaves every opening decision to the SDK.
#[derive(Default)]
struct DefaultEngine;

impl Engine for DefaultEngine {
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        random_point(position, Zone::Anywhere, thinking).into()
    }
}

/// Decides at random too, within what is asked.
#[derive(Default)]
struct Dicer;

impl Engine for Dicer {
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        random_point(position, Zone::Anywhere, thinking).into()
    }

    fn swap(&mut self, position: &Position, _: Color, thinking: &Thinking<'_>) -> bool {
        dice(position, thinking).below(2) == 0
    }

    fn swap2(&mut self, position: &Position, thinking: &Thinking<'_>) -> Swap2 {
        match dice(position, thinking).below(3) {
            0 => Swap2::KeepWhite,
            1 => Swap2::TakeBlack,
            _ => {
                let seed = thinking.game().seed;
                let stones = tengen_sdk::opening::balance(position, 2, Zone::Anywhere, seed);
                Swap2::Place(stones.try_into().expect("two stones"))
            }
        }
    }

    fn declare(
        &mut self,
        position: &Position,
        range: std::ops::RangeInclusive<u8>,
        thinking: &Thinking<'_>,
    ) -> u8 {
        let numbers = usize::from(range.end() - range.start()) + 1;
        range.start() + dice(position, thinking).below(numbers) as u8
    }

    fn pick(&mut self, position: &Position, offered: &[Point], thinking: &Thinking<'_>) -> Point {
        offered[dice(position, thinking).below(offered.len())]
    }

    fn taraguchi(
        &mut self,
        position: &Position,
        zone: Zone,
        count: usize,
        thinking: &Thinking<'_>,
    ) -> Taraguchi {
        if dice(position, thinking).below(2) == 0 {
            return Taraguchi::Offer(self.offer(position, count, thinking));
        }
        let one = Placement { min: 1, max: 1, zone, canonical: false };
        Taraguchi::Move(self.place(position, &one, thinking)[0])
    }
}

fn dice(position: &Position, thinking: &Thinking<'_>) -> Random {
    Random::new(thinking.game().seed ^ (position.ply() as u64) << 40)
}

fn random_point(position: &Position, zone: Zone, thinking: &Thinking<'_>) -> Point {
    let mut dice = dice(position, thinking);
    let mut free: Vec<Point> = position
        .size()
        .points()
        .filter(|point| zone.contains(*point, position.size()) && position.check(*point).is_ok())
        .collect();
    dice.shuffle(&mut free);
    let quiet = free.iter().find(|point| position.foul_at(**point).is_none());
    *quiet.unwrap_or(&free[0])
}

struct FailOnLog;

impl MessageSink for FailOnLog {
    fn log(&self, text: &[u8]) {
        panic!("the engine has nothing to complain of: {}", String::from_utf8_lossy(text));
    }

    fn info(&self, _message: &[u8]) {}
}

/// An engine at the table, called in this process.
struct TestSeat {
    session: GuestSession<NativeGuest>,
    seat: Seat,
}

impl TestSeat {
    fn new(exports: Exports, seat: Seat, header: &Header) -> TestSeat {
        let services = Arc::new(HostServices::new(FetchFiles::default(), Box::new(FailOnLog)));
        let guest = NativeGuest::new(exports, Arc::clone(&services));
        let Ok((mut session, _)) = GuestSession::open(guest, services, &[]) else {
            panic!("the engine opens")
        };
        let setup = GameSetup {
            number: None,
            rule: header.rule,
            size: header.size,
            opening: header.opening.procedure.number(),
            alike: header.opening.alike,
            seat,
            time: header.seats[seat].time,
            seed: header.seed,
            reproducible: true,
            draw_offers: header.policies.draw_offers,
        };
        let spec = EngineSpec::bare("linked".into(), tengen_packages::EngineKind::Builtin);
        assert_eq!(session.new_game(&translate::to_game(&setup, &spec)).unwrap(), status::OK);
        TestSeat { session, seat }
    }

    fn answer(&mut self, game: &Game, ask: Ask, limits: &Limits) -> Action {
        let time = game.clock(self.seat).control();
        let limits = translate::to_limits(limits, &time, 1);
        let codes = game.position().moves().iter().map(|&mv| translate::to_code(mv));
        let (offered, fifth_moves) = (game.offered(), game.opening().fifth_moves());
        let now = Instant::now();
        match translate::to_question(ask, offered.len(), fifth_moves) {
            Some(question) => {
                let candidates: Vec<MoveCode> =
                    offered.iter().map(|&point| translate::to_code(Move::Stone(point))).collect();
                let decided = self.session.decide(0, codes, &question, &candidates, &limits, now);
                let (code, verdict) = decided.unwrap();
                assert_eq!(code, status::OK, "{ask:?}");
                Action::Answer(translate::to_answer(ask, self.seat, offered, &verdict))
            }
            None => {
                let (code, reply) = self.session.choose(0, codes, &limits, now).unwrap();
                assert_eq!(code, status::OK, "{ask:?}");
                translate::to_action(&reply).0
            }
        }
    }
}

fn header(opening: OpeningSettings, seed: u64) -> Header {
    let seat = |name: &str| PlayerHeader {
        id: name.to_owned(),
        name: name.to_owned(),
        version: None,
        hash: None,
        options: Default::default(),
        time: TimeControl { nodes: Some(50), ..TimeControl::default() },
        margin: 0,
        layers: Vec::new(),
        opening_by_arbiter: false,
        opening_engine: None,
    };
    Header {
        event: None,
        round: None,
        game: Some(seed),
        rule: Rule::Renju,
        size: Size::STANDARD,
        opening,
        seats: BySeat { first: seat("one"), second: seat("other") },
        policies: Policies { move_limit: Some(16), ..Policies::default() },
        seed,
        handovers: Vec::new(),
        undo_left: None,
    }
}

/// Plays a game to its end and checks its record.
fn play(opening: OpeningSettings, engines: BySeat<Exports>, seed: u64) {
    let header = header(opening, seed);
    let procedure = header.opening.procedure;
    assert_eq!(header.policies.illegal, IllegalPolicy::Forfeit);
    let mut seats = BySeat::from_fn(|seat| TestSeat::new(engines[seat], seat, &header));
    let mut game = Game::new(header.config()).unwrap();
    let mut now = 0;
    while let Some(Order::Ask { seat, ask, limits, .. }) = game.poll_order() {
        game.handle(now, seat, Input::Asked);
        now += 1_000 + u64::from(ask == Ask::Swap);
        let action = seats[seat].answer(&game, ask, &limits);
        let handled = game.handle(now, seat, Input::Act(action.clone()));
        let why = game.refusal();
        assert_eq!(handled, Handled::Accepted, "{procedure} {seed}: {ask:?} {action:?}: {why:?}");
    }
    let record = GameRecord::from_game(&game, header).unwrap();
    let line = record.to_json_line();
    let read = GameRecord::from_json_line(&line).unwrap();
    assert_eq!(read, record, "{line}");
    assert_eq!(replay(&read), Ok(record.result), "{line}");
}

/// The settings under which a procedure may be played: its own, and each one that it takes.
fn settings(procedure: Procedure) -> Vec<OpeningSettings> {
    let own = OpeningSettings::new(procedure);
    let mut all = vec![own.clone(), OpeningSettings { alike: Alike::Board, ..own.clone() }];
    if procedure == Procedure::Book {
        let book = ["h8", "h9", "i9"].map(|point| point.parse().unwrap()).to_vec();
        all.push(OpeningSettings { book, ..own.clone() });
    }
    for range in [(1, 1), (7, 7), (3, 20)] {
        let declared = OpeningSettings { fifth_moves: Some(range), ..own.clone() };
        if tengen_rules::Opening::new(&declared, Rule::Renju, Size::STANDARD).is_ok() {
            all.push(declared);
        }
    }
    all
}

#[test]
fn real_engines_play_every_procedure_to_the_end() {
    let engines = [exports::<DefaultEngine>(), exports::<Dicer>(), alphabeta::EXPORTS];
    for procedure in Procedure::ALL {
        for settings in settings(procedure) {
            for seed in 0..3 {
                let first = engines[seed as usize % 3];
                let second = engines[(seed as usize + 1) % 3];
                play(settings.clone(), BySeat { first, second }, seed);
            }
        }
    }
}

#[test]
fn engines_of_dice_reach_every_branch_of_every_procedure() {
    for procedure in Procedure::ALL {
        for seed in 0..8 {
            let both = BySeat { first: exports::<Dicer>(), second: exports::<Dicer>() };
            play(OpeningSettings::new(procedure), both, seed);
        }
    }
}
