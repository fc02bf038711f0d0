//! Plays alphabeta against greedy without a host and tells the score:
//! `cargo run --release -p alphabeta --example duel -- renju 100 100ms` (rule, games, and time or
//! nodes a move, as `100ms` or `50000`).

use std::time::{Duration, Instant};

use alphabeta::AlphaBeta;
use tengen_sdk::rules::Ending;
use tengen_sdk::*;

#[derive(Clone, Copy)]
enum Spend { Time(Duration), Nodes(u64) }

#[derive(Default)]
struct Greedy;
impl Engine for Greedy {
    fn choose(&mut self, position: &Position, _t: &Thinking<'_>) -> Choice {
        let b = position.board(); let us = position.to_move(); let size = b.size();
        let (w, h) = (size.width() as i32, size.height() as i32);
        const OWN: [i64; 5] = [7, 35, 800, 15000, 800000];
        const OPP: [i64; 5] = [7, 15, 400, 1800, 100000];
        let mut best = (i64::MIN, 0, Point::new(0,0));
        for p in size.points() {
            if !b.is_empty(p) || position.foul_at(p).is_some() { continue; }
            let mut s = 0;
            for (dx, dy) in [(1,0),(0,1),(1,1),(1,-1)] { for k in 0..5 {
                let (x0, y0) = (p.x() as i32 - k*dx, p.y() as i32 - k*dy);
                let (x1, y1) = (x0 + 4*dx, y0+4*dy);
                if x0<0||y0<0||x1<0||y1<0||x0>=w||x1>=w||y0>=h||y1>=h { continue; }
                let (mut o, mut t) = (0,0);
                for i in 0..5 { match b.get(Point::new((x0+i*dx) as u8,(y0+i*dy) as u8)) { Some(c) if c==us => o+=1, Some(_) => t+=1, None=>{} } }
                if t==0 { s += OWN[o]; } else if o==0 { s += OPP[t]; }
            }}
            let c = size.center();
            let d = p.x().abs_diff(c.x()).max(p.y().abs_diff(c.y())) as i64;
            if (s, -d) > (best.0, best.1) { best = (s, -d, p); }
        }
        best.2.into()
    }
}

fn ask<E: Engine>(engine: &mut E, position: &Position, game: &GameInfo, spend: Spend) -> Choice {
    let begun = Instant::now();
    match spend {
        Spend::Nodes(nodes) => {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            engine.choose(position, &Thinking::free().in_game(game).with_limits(limits))
        }
        Spend::Time(time) => {
            let left = move || Some(time.saturating_sub(begun.elapsed()));
            let limits = Limits { hard: Some(time), ..Limits::default() };
            engine.choose(position, &Thinking::until(&left).in_game(game).with_limits(limits))
        }
    }
}

struct Tally { nodes: u64, time: Duration, longest: Duration }

/// The winner.
fn play<B: Engine, W: Engine>(black: &mut B, white: &mut W, game: &GameInfo, spend: Spend, tally: &mut Tally, show: bool) -> Option<Color> {
    let mut position = Position::new(game.rule, game.size);
    black.new_game(game);
    white.new_game(game);
    loop {
        let to_move = position.to_move();
        let begun = Instant::now();
        let choice = if to_move == Color::Black { ask(black, &position, game, spend) } else { ask(white, &position, game, spend) };
        if choice.nodes > 0 { tally.nodes += choice.nodes; tally.time += begun.elapsed(); tally.longest = tally.longest.max(begun.elapsed()); }
        let Move::Stone(point) = choice.mv else { return Some(!to_move) };
        if show { println!("{to_move} {point} {:?} d{} n{}", choice.score, choice.depth, choice.nodes); }
        match position.play(point).expect("a legal move") {
            Some(Ending::Five(color)) => return Some(color),
            Some(Ending::Foul(_)) => return Some(Color::White),
            Some(_) => return None,
            None => {}
        }
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rule: Rule = args[1].parse().unwrap();
    let games: u64 = args[2].parse().unwrap();
    let spend = match args[3].strip_suffix("ms") { Some(ms) => Spend::Time(Duration::from_millis(ms.parse().unwrap())), None => Spend::Nodes(args[3].parse().unwrap()) };
    let show = args.len() > 4;
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    let mut tally = Tally { nodes: 0, time: Duration::ZERO, longest: Duration::ZERO };
    let mut ab = AlphaBeta::default();
    for seed in 0..games {
        let game = GameInfo { seed, ..GameInfo::new(rule, Size::STANDARD) };
        let ab_color = Color::of_ply(seed as usize);
        let winner = if ab_color == Color::Black { play(&mut ab, &mut Greedy, &game, spend, &mut tally, show) } else { play(&mut Greedy, &mut ab, &game, spend, &mut tally, show) };
        match winner { Some(c) if c == ab_color => won += 1, Some(_) => {lost += 1; println!("lost seed {seed}")}, None => drawn += 1 }
    }
    println!("{rule}: +{won} ={drawn} -{lost}; {} nodes, {:.0} nodes/s, longest {:?}", tally.nodes, tally.nodes as f64 / tally.time.as_secs_f64(), tally.longest);
}
