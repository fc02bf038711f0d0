//! The players of this project at one table, against the arbiter, on simulated time.

use std::sync::Arc;

use tengen_arbiter::{
    Action, Game, GameConfig, GameResult, IllegalPolicy, Input, Order, Policies, Termination,
    TimeControl,
};
use tengen_players::{GameSetup, Player, RandomLegal, Request, Scripted, Time};
use tengen_rules::{Answer, BySeat, Move, OpeningSettings, Procedure, Rule, Seat, Size};
use tengen_testkit::{Misbehaving, Misbehavior, Paced, VirtualTime};

fn config(rule: Rule, procedure: Procedure, time: &str) -> GameConfig {
    let time: TimeControl = time.parse().unwrap();
    GameConfig {
        rule,
        size: Size::STANDARD,
        opening: OpeningSettings::new(procedure),
        time: BySeat { first: time, second: time },
        margin: BySeat::default(),
        policies: Policies::default(),
    }
}

fn seat_player(
    game: &mut Game,
    config: &GameConfig,
    seat: Seat,
    player: &mut dyn Player,
    seed: u64,
) {
    let setup = GameSetup {
        number: None,
        rule: config.rule,
        size: config.size,
        opening: config.opening.procedure.number(),
        alike: config.opening.alike,
        seat,
        time: config.time[seat],
        seed: seed * 2 + seat as u64,
        reproducible: true,
        draw_offers: config.policies.draw_offers,
    };
    if let Err(fault) = player.new_game(&setup) {
        game.handle(0, seat, Input::Failed(fault.failure));
    }
}

/// Plays one game to its end, as the orders say.
fn play<'a>(
    config: &GameConfig,
    first: &'a mut dyn Player,
    second: &'a mut dyn Player,
    time: &VirtualTime,
    seed: u64,
) -> Game {
    let mut game = Game::new(config.clone()).unwrap();
    let mut players = BySeat { first, second };
    for seat in Seat::ALL {
        seat_player(&mut game, config, seat, players[seat], seed);
    }
    loop {
        match game.poll_order().expect("an order, as long as no question is open") {
            Order::End(result) => {
                Seat::ALL.into_iter().for_each(|seat| players[seat].end_game(result));
                return game;
            }
            Order::Ask { seat, ask, limits, patience } => {
                let moves = game.position().moves();
                let (offered, fifth_moves) = (game.offered(), game.opening().fifth_moves());
                let request =
                    Request { moves, ask, offered, fifth_moves, limits, patience, watch: None };
                let reply = players[seat].ask(&request, time);
                game.handle(reply.asked_at, seat, Input::Asked);
                let at = reply.answered_at;
                if reply.offers_draw {
                    game.handle(at, seat, Input::Act(Action::OfferDraw));
                }
                match reply.outcome {
                    Ok(Some(action)) => drop(game.handle(at, seat, Input::Act(action))),
                    Ok(None) => game.handle_timeout(at),
                    Err(fault) => drop(game.handle(at, seat, Input::Failed(fault.failure))),
                }
            }
        }
    }
}

fn ended(game: &Game) -> GameResult {
    game.result().unwrap()
}

#[test]
fn random_players_stay_within_every_rule_and_procedure() {
    let time = VirtualTime::default();
    for rule in Rule::ALL {
        for procedure in Procedure::ALL {
            for seed in 0..3 {
                let (mut first, mut second) = (RandomLegal::new(), RandomLegal::new());
                let config = config(rule, procedure, "inf");
                let game = play(&config, &mut first, &mut second, &time, seed);
                let termination = ended(&game).termination;
                assert!(
                    matches!(termination, Termination::Five | Termination::BoardFull),
                    "{rule} {procedure} seed {seed}: {termination} {:?}\n{}",
                    game.refusal(),
                    game.position().board(),
                );
            }
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let time = VirtualTime::default();
    let config = config(Rule::Renju, Procedure::Taraguchi10, "inf");
    let games = [7, 7, 8].map(|seed| {
        let (mut first, mut second) = (RandomLegal::new(), RandomLegal::new());
        play(&config, &mut first, &mut second, &time, seed).history().to_vec()
    });
    assert_eq!(games[0], games[1]);
    assert_ne!(games[0], games[2]);
}

#[test]
fn every_misdeed_has_its_termination() {
    let cases = [
        (Misbehavior::Late(1), Termination::Timeout),
        (Misbehavior::Late(u64::MAX), Termination::Timeout),
        (Misbehavior::Silent, Termination::Timeout),
        (Misbehavior::Illegal, Termination::IllegalAnswer),
        (Misbehavior::WrongKind, Termination::IllegalAnswer),
        (Misbehavior::Crash, Termination::Crash),
        (Misbehavior::Babble, Termination::ProtocolError),
        (Misbehavior::Overeat, Termination::ResourceLimit),
        (Misbehavior::Claim, Termination::IllegalAnswer),
        (Misbehavior::NeverReady, Termination::Stall),
    ];
    for procedure in [Procedure::None, Procedure::Swap2, Procedure::Contest] {
        for at_ply in [0, 4] {
            for (misdeed, termination) in cases {
                let time = Arc::new(VirtualTime::default());
                let mut bad = Misbehaving::new(misdeed, at_ply, Arc::clone(&time));
                let config = config(Rule::Renju, procedure, "10+0");
                let game = play(&config, &mut bad, &mut RandomLegal::new(), &time, 1);
                let expected = GameResult { winner: Some(Seat::Second), termination };
                assert_eq!(ended(&game), expected, "{misdeed:?} from ply {at_ply}, {procedure}");
            }
        }
    }
}

#[test]
fn lateness_within_the_margin_is_in_time() {
    let time = Arc::new(VirtualTime::default());
    let mut late = Misbehaving::new(Misbehavior::Late(5), 2, Arc::clone(&time));
    let mut config = config(Rule::Freestyle, Procedure::None, "move=1");
    config.margin.first = 5;
    let game = play(&config, &mut late, &mut RandomLegal::new(), &time, 3);
    assert_ne!(ended(&game).termination, Termination::Timeout);
    config.margin.first = 4;
    let game = play(&config, &mut late, &mut RandomLegal::new(), &time, 3);
    assert_eq!(ended(&game).termination, Termination::Timeout);
}

#[test]
fn silence_without_a_clock_is_a_stall() {
    let time = Arc::new(VirtualTime::default());
    let mut silent = Misbehaving::new(Misbehavior::Silent, 0, Arc::clone(&time));
    let config = config(Rule::Freestyle, Procedure::None, "inf");
    let game = play(&config, &mut silent, &mut RandomLegal::new(), &time, 1);
    assert_eq!(ended(&game).termination, Termination::Stall);
}

#[test]
fn a_slow_player_runs_out_of_time_at_a_known_move() {
    let time = Arc::new(VirtualTime::default());
    let mut slow = Paced::new(RandomLegal::new(), 3_000_000_000, Arc::clone(&time));
    let config = config(Rule::Freestyle, Procedure::None, "10+1");
    let game = play(&config, &mut slow, &mut RandomLegal::new(), &time, 4);
    let expected = GameResult { winner: Some(Seat::Second), termination: Termination::Timeout };
    assert_eq!(ended(&game), expected);
    // 10 s, and 2 s less after each answer of 3 s: four are in time, the fifth is not.
    assert_eq!(game.position().ply(), 8);
}

#[test]
fn a_script_is_played_and_then_resigns() {
    let stone = |text: &str| Action::Answer(Answer::Move(Move::Stone(text.parse().unwrap())));
    let time = VirtualTime::default();
    let mut config = config(Rule::Freestyle, Procedure::None, "inf");
    config.policies.illegal = IllegalPolicy::Retries(1);
    config.policies.draw_offers = true;
    let mut first = Scripted::new([Action::OfferDraw, stone("h8"), stone("h8"), stone("h9")]);
    let mut second = Scripted::new([stone("a1"), stone("a2"), stone("a3")]);
    for _ in 0..2 {
        let game = play(&config, &mut first, &mut second, &time, 0);
        let expected =
            GameResult { winner: Some(Seat::Second), termination: Termination::Resignation };
        assert_eq!(ended(&game), expected);
        assert_eq!(game.position().ply(), 4);
        assert_eq!(game.history()[0].action, Action::OfferDraw);
        assert!(time.now() == 0);
    }
    let mut second = Scripted::new([Action::AcceptDraw]);
    let game = play(&config, &mut first, &mut second, &time, 0);
    assert_eq!(ended(&game).termination, Termination::Agreement);
}
