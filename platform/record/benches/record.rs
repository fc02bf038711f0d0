//! What writing, reading, packing and replaying one game of 70 plies costs.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tengen_arbiter::{Action, Game, Input, Policies};
use tengen_record::{GameRecord, Header, PlayerHeader, SearchInfo, pack, replay, unpack};
use tengen_rules::{Answer, BySeat, Move, OpeningSettings, Point, Procedure, Rule, Size};

/// A timed game with search info on every move, without a winner within 70 plies.
fn game() -> GameRecord {
    let player = |name: &str| PlayerHeader {
        id: name.to_lowercase(),
        name: name.to_string(),
        version: Some("1.2.3".to_string()),
        hash: Some("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_string()),
        options: Default::default(),
        time: "60+1".parse().expect("a time control"),
        margin: 0,
        layers: vec!["landlock".to_string(), "seccomp".to_string()],
        opening_by_arbiter: false,
        opening_engine: None,
    };
    let header = Header {
        event: None,
        round: Some(1),
        game: Some(12),
        rule: Rule::Standard,
        size: Size::STANDARD,
        opening: OpeningSettings::new(Procedure::None),
        seats: BySeat { first: player("Hoshi"), second: player("Keima") },
        policies: Policies::default(),
        seed: 42,
        handovers: Vec::new(),
        undo_left: None,
    };
    let mut game = Game::new(header.config()).expect("the settings go together");
    let mut now = 0;
    for ply in 0..70u8 {
        let (seat, _) = game.asked().expect("the game goes on");
        game.poll_order();
        game.handle(now, seat, Input::Asked);
        now += 100_000_000 + u64::from(ply) * 12_345_678;
        // Row by row, two stones of a colour at a time and shifted in each row: no five anywhere.
        let (x, y) = (ply % 15, ply / 15);
        let point = Point::new(x, 2 * y + u8::from(ply % 4 > 1));
        game.handle(now, seat, Input::Act(Action::Answer(Answer::Move(Move::Stone(point)))));
        let info = SearchInfo {
            eval: Some(i32::from(ply) * 7 - 200),
            win_in: None,
            depth: 12,
            seldepth: 21,
            nodes: 123_456 + u64::from(ply) * 4321,
        };
        game.add_search(Some(info), Vec::new(), None);
    }
    let (seat, _) = game.asked().expect("the game goes on");
    game.handle(now, seat, Input::Act(Action::Resign));
    GameRecord::from_game(&game, header).expect("the game is over")
}

/// The same with a principal variation of ten plies on every move.
fn with_lines(mut record: GameRecord) -> GameRecord {
    for action in &mut record.actions {
        action.pv = (0..10).map(|x| Move::Stone(Point::new(x, 9))).collect();
    }
    record
}

fn bench(c: &mut Criterion) {
    let record = game();
    let told = with_lines(game());
    let line = record.to_json_line();
    let packed = pack(&record.actions);
    for record in [&record, &told] {
        let (json, packed) = (record.to_json_line().len(), pack(&record.actions).len());
        println!("{} actions: {json} bytes of JSON, {packed} packed", record.actions.len());
    }
    c.bench_function("write_json", |b| b.iter(|| black_box(&record).to_json_line()));
    c.bench_function("write_json_lines", |b| b.iter(|| black_box(&told).to_json_line()));
    c.bench_function("pack_lines", |b| b.iter(|| pack(black_box(&told.actions))));
    c.bench_function("read_json", |b| b.iter(|| GameRecord::from_json_line(black_box(&line))));
    c.bench_function("pack", |b| b.iter(|| pack(black_box(&record.actions))));
    c.bench_function("unpack", |b| b.iter(|| unpack(black_box(&packed))));
    c.bench_function("replay", |b| b.iter(|| replay(black_box(&record))));
}

criterion_group!(benches, bench);
criterion_main!(benches);
