//! Games of every kind, made up from a seed: all procedures, policies and ways to end.

use std::collections::BTreeMap;

use tengen_arbiter::*;
use tengen_record::{GameRecord, Handover, Header, PlayerHeader, SearchInfo};
use tengen_rules::{
    Alike, Answer, Ask, BySeat, Color, Move, OpeningSettings, Point, Procedure, Rule, Seat, Size,
    canonical,
};
use tengen_testkit::Dice;

/// Mostly near the centre, where rows come about.
fn point(dice: &mut Dice, size: Size) -> Point {
    if dice.once_in(3) {
        let (x, y) = (dice.below(size.width().into()), dice.below(size.height().into()));
        return Point::new(x as u8, y as u8);
    }
    let mut near = |center: u8| center - 2 + dice.below(5) as u8;
    Point::new(near(size.center().x()), near(size.center().y()))
}

fn points(dice: &mut Dice, count: u8, size: Size) -> Vec<Point> {
    (0..count).map(|_| point(dice, size)).collect()
}

/// The record of one game that was really played, by dice.
pub fn record(seed: u64) -> GameRecord {
    let mut dice = Dice::new(seed);
    let header = header(&mut dice);
    let mut game = Game::new(header.config()).expect("the settings go together");
    play(&mut game, &mut dice);
    let mut record = GameRecord::from_game(&game, header).expect("the game is over");
    for action in &mut record.actions {
        if action.info.is_some() && dice.once_in(2) {
            let mut mv = || match dice.once_in(9) {
                true => Move::Pass,
                false => Move::Stone(Point::new(dice.below(32) as u8, dice.below(32) as u8)),
            };
            action.pv = (0..9).map(|_| mv()).collect();
        }
        action.lag = dice.once_in(3).then(|| dice.below(1 << 30));
        if dice.once_in(9) {
            let lines = ["MESSAGE \"天\" \\", "", "DEBUG [x]"];
            action.said = (0..=dice.below(2)).map(|_| dice.pick(&lines).to_string()).collect();
        }
    }
    record.conditions.replays = dice.below(3) as u32;
    record.conditions.forfeit = dice.once_in(4).then(|| {
        let (cpu, waited) = (dice.below(99), dice.below(99));
        let cpu_stats = CpuStats { cpu, waited, halted: dice.once_in(5), ..CpuStats::default() };
        let judged = ForfeitCause::judge(cpu_stats, dice.below(200));
        // A record has it as the cause alone.
        let halted = judged.cause == Cause::Halted;
        ForfeitCause { cpu_stats: CpuStats { halted, ..cpu_stats }, ..judged }
    });
    record.conditions.stopped = if dice.once_in(5) { dice.below(1 << 40) } else { 0 };
    record.conditions.is_void = dice.once_in(7);
    record.conditions.began = dice.once_in(2).then(|| dice.below(1 << 33));
    record.detail = dice.once_in(4).then(|| "line 1\n\"quoted\" \\ ü 天元".to_string());
    record
}

fn options(dice: &mut Dice) -> BTreeMap<String, String> {
    let names = ["Depth", "Größe \"1\""].into_iter().take(dice.below(3) as usize);
    names.map(|name| (name.to_string(), "4 \\ 天".to_string())).collect()
}

fn header(dice: &mut Dice) -> Header {
    let procedure = dice.pick(&Procedure::ALL);
    let mut opening = OpeningSettings::new(procedure);
    opening.alike = dice.pick(&[Alike::Shape, Alike::Board]);
    let large = matches!(procedure, Procedure::None | Procedure::Book | Procedure::Swap2);
    let sizes = [Size::STANDARD, Size::new(6, 6).unwrap(), Size::new(7, 20).unwrap()];
    let size = if large { dice.pick(&sizes) } else { Size::STANDARD };
    if procedure == Procedure::Book {
        opening.book = vec![Point::new(2, 2), Point::new(3, 3), Point::new(4, 2)];
    }
    if matches!(procedure, Procedure::Contest | Procedure::Yamaguchi) && dice.once_in(2) {
        opening.fifth_moves = Some((1, 3));
    }
    let seat = |dice: &mut Dice, name: &str| PlayerHeader {
        id: name.to_lowercase(),
        name: name.to_string(),
        version: dice.once_in(2).then(|| "1.0".to_string()),
        hash: dice.once_in(2).then(|| "00ff".to_string()),
        options: options(dice),
        time: time(dice),
        margin: dice.below(3) * 50,
        layers: if dice.once_in(2) { vec!["landlock".into(), "seccomp".into()] } else { vec![] },
        opening_by_arbiter: dice.once_in(4),
        opening_engine: dice.once_in(9).then(|| "tenuki".to_string()),
    };
    let handover = |dice: &mut Dice| Handover {
        after: dice.below(9) as usize,
        seat: dice.pick(&Seat::ALL),
        player: seat(dice, "Anna: [A]"),
    };
    let policies = policies(dice);
    // Of a person the header says that it is one.
    let is_handed_over = policies.persons == BySeat::default() && dice.once_in(4);
    let handovers = if is_handed_over { vec![handover(dice)] } else { Vec::new() };
    Header {
        event: dice.once_in(2).then(|| "cup".to_string()),
        round: dice.once_in(2).then_some(3),
        game: dice.once_in(2).then_some(17),
        rule: dice.pick(&Rule::ALL),
        size,
        opening,
        seats: BySeat { first: seat(dice, "Hoshi"), second: seat(dice, "Tengen \"X\"") },
        policies,
        seed: dice.below(u64::MAX),
        handovers,
        undo_left: None,
    }
}

fn time(dice: &mut Dice) -> TimeControl {
    let texts =
        ["inf", "0.00001+0.000001", "3/0.000005", "move=0.000001", "9,byo=2x1", "9+1,depth=3"];
    dice.pick(&texts).parse().unwrap()
}

fn policies(dice: &mut Dice) -> Policies {
    let adjudication = Adjudication {
        draw: dice.once_in(2).then_some(DrawWindow { stones: 8, moves: 2, score: 40 }),
        resign: dice.once_in(2).then_some(ResignWindow {
            moves: 2,
            score: 60,
            by: if dice.once_in(2) { ResignBy::Both } else { ResignBy::Loser },
        }),
        proof: dice.once_in(3).then_some(200),
    };
    Policies {
        persons: BySeat { first: dice.once_in(5), second: dice.once_in(9) },
        illegal: dice.pick(&[
            IllegalPolicy::Forfeit,
            IllegalPolicy::Retries(2),
            IllegalPolicy::Substitute,
        ]),
        foul: dice.pick(&[FoulPolicy::Automatic, FoulPolicy::Claim]),
        late: dice.pick(&[LatePolicy::Loss, LatePolicy::Substitute]),
        margin: dice.pick(&[MarginPolicy::Game, MarginPolicy::Move]),
        count_startup: dice.once_in(3),
        draw_offers: dice.once_in(2),
        passing: dice.once_in(3),
        move_limit: dice.once_in(3).then_some(30),
        adjudication: dice.once_in(3).then_some(adjudication),
    }
}

/// Plays until the game is over.
fn play(game: &mut Game, dice: &mut Dice) {
    let mut now = 1_000;
    for seat in Seat::ALL {
        game.handle(now, seat, Input::Ready(dice.below(4_000)));
    }
    loop {
        if let Some((seat, ask)) = game.asked().filter(|_| game.needs_substitute())
            && dice.once_in(2)
        {
            let given = answer(game, dice, ask);
            game.handle(now, seat, Input::Substitute(given));
        }
        game.poll_order();
        let Some((seat, ask)) = game.asked() else { return };
        now += dice.below(500);
        if game.history().len() > 90 || dice.once_in(150) {
            game.abort(now);
            continue;
        }
        if dice.once_in(120) {
            // Getting ready failed: no clock runs.
            let loser = dice.pick(&Seat::ALL);
            game.handle(now, loser, Input::Failed(failure(dice)));
            continue;
        }
        game.handle(now, seat, Input::Asked);
        if dice.once_in(9) {
            let correction = Correction { given_back: dice.below(400), unasked: dice.below(200) };
            game.handle(now, seat, Input::Corrected(correction));
            now += correction.given_back;
        }
        now += think(dice, game.next_timeout().map(|timeout| timeout.saturating_sub(now)));
        if dice.once_in(50) {
            let action = if dice.once_in(2) { Action::Resign } else { Action::Claim };
            game.handle(now, !seat, Input::Act(action));
            continue;
        }
        let info = info(dice);
        if let Some(info) = &info {
            game.handle(now, seat, Input::Scored(info.score()));
        }
        let before = game.history().len();
        act(game, dice, now, seat, ask);
        if game.history().len() > before {
            game.add_search(info, Vec::new(), None);
        }
    }
}

/// Now and then longer than the clock allows.
fn think(dice: &mut Dice, patience: Option<Nanos>) -> Nanos {
    match patience {
        Some(patience) if dice.once_in(25) => patience + dice.below(100),
        Some(patience) => dice.below(patience / 8 + 1),
        None => dice.below(100_000_000),
    }
}

fn info(dice: &mut Dice) -> Option<SearchInfo> {
    (!dice.once_in(4)).then(|| SearchInfo {
        eval: (!dice.once_in(5)).then(|| dice.below(200) as i32 - 100),
        win_in: dice.once_in(9).then(|| dice.below(20) as i32 - 10),
        depth: dice.below(20) as u32,
        seldepth: dice.below(30) as u32,
        nodes: dice.below(1_000_000),
    })
}

fn failure(dice: &mut Dice) -> Failure {
    dice.pick(&Failure::ALL)
}

/// What becomes of the question.
fn act(game: &mut Game, dice: &mut Dice, now: Nanos, seat: Seat, ask: Ask) {
    let action = match dice.below(100) {
        0 => Action::Resign,
        1 | 2 => Action::Claim,
        3..=5 => Action::OfferDraw,
        6 => Action::AcceptDraw,
        7 => {
            game.handle(now, seat, Input::Failed(failure(dice)));
            return;
        }
        10 if game.next_timeout().is_some() => {
            return game.handle_timeout(game.next_timeout().unwrap() + dice.below(50));
        }
        11 => Action::Answer(Answer::Move(Move::Stone(Point::new(200, 255)))),
        12 => Action::Answer(Answer::Move(Move::Pass)),
        13 => Action::Answer(Answer::Declare(9)),
        _ => legal(game, dice, now, seat, ask),
    };
    if game.next_timeout().is_some_and(|timeout| now >= timeout) && dice.once_in(2) {
        return game.handle_timeout(now);
    }
    game.handle(now, seat, Input::Act(action));
}

/// An answer that is allowed, found by trying.
fn legal(game: &Game, dice: &mut Dice, now: Nanos, seat: Seat, ask: Ask) -> Action {
    for _ in 0..2000 {
        let action = Action::Answer(answer(game, dice, ask));
        let mut trial = game.clone();
        if trial.handle(now, seat, Input::Act(action.clone())) != Handled::Illegal {
            return action;
        }
    }
    Action::Resign
}

fn answer(game: &Game, dice: &mut Dice, ask: Ask) -> Answer {
    let size = game.position().size();
    match ask {
        Ask::Place { canonical: true, .. } => {
            let index = dice.below(26) as usize;
            Answer::Place(canonical::ALL[index].points.to_vec())
        }
        Ask::Place { count, .. } => Answer::Place(points(dice, count, size)),
        Ask::Choose => Answer::Choose(dice.pick(&Color::ALL)),
        Ask::ChooseOrPlace { count } if dice.once_in(2) => Answer::Place(points(dice, count, size)),
        Ask::ChooseOrPlace { .. } => Answer::Choose(dice.pick(&Color::ALL)),
        Ask::Swap => Answer::Swap(dice.once_in(2)),
        Ask::Declare { min, max } => {
            Answer::Declare(min + dice.below(u64::from(max - min) + 1) as u8)
        }
        Ask::Offer { count } => Answer::Offer(points(dice, count, size)),
        Ask::Pick => Answer::Pick(dice.pick(game.offered())),
        Ask::MoveOrOffer { count, .. } if dice.once_in(2) => {
            Answer::Offer(points(dice, count, size))
        }
        Ask::Move { .. } | Ask::MoveOrOffer { .. } => {
            Answer::Move(Move::Stone(foul(game, dice).unwrap_or_else(|| point(dice, size))))
        }
    }
}

/// Now and then a move that is forbidden to Black.
fn foul(game: &Game, dice: &mut Dice) -> Option<Point> {
    let position = game.position();
    if !position.rule().has_fouls(position.to_move()) || !dice.once_in(3) {
        return None;
    }
    let points: Vec<_> = position.forbidden().iter().map(|(point, _)| point).collect();
    (!points.is_empty()).then(|| dice.pick(&points))
}
