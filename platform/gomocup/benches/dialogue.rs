//! What a game costs in words: 68 moves between two brains on 15×15, both sides of both dialogues,
//! every line printed, cut from its stream and read.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tengen_arbiter::Limits;
use tengen_gomocup::{
    About, Brain, BrainReply, Coords, DialogueQuestion, GameTerms, GomocupDialogue, Instruction,
    LineBuffer, LineEnd, ManagerCommand, Response, SearchReport, TextDialogue,
};
use tengen_rules::{Answer, Ask, Move, Rule, Size, Zone};

const MOVES: usize = 68;

fn moves() -> Vec<Move> {
    let points: Vec<_> = Size::STANDARD.points().collect();
    (0..MOVES).map(|ply| Move::Stone(points[ply * 97 % points.len()])).collect()
}

/// The manager's side alone, with answers ready made: what hosting two brains costs a game.
fn host(brains: &mut [GomocupDialogue; 2], moves: &[Move], answers: &[Vec<u8>]) -> usize {
    let mut written = 0;
    let mut send = |brain: &mut GomocupDialogue| {
        written += brain.output().len();
        brain.written(brain.output().len());
    };
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    for brain in brains.iter_mut() {
        brain.new_game(&terms);
        send(brain);
        assert_eq!(brain.receive(b"OK"), Response::Ready);
    }
    let limits = Limits { own: Some(60_000_000_000), ..Limits::default() };
    for ply in 0..moves.len() {
        let brain = &mut brains[ply % 2];
        let ask = Ask::Move { zone: Zone::Anywhere };
        brain.ask(&DialogueQuestion { moves: &moves[..ply], ask, limits });
        send(brain);
        assert!(matches!(brain.receive(&answers[ply]), Response::Answer(_)));
    }
    written
}

/// Both sides of one brain's game over streams of bytes.
fn both(moves: &[Move]) {
    let mut manager = GomocupDialogue::new(LineEnd::CrLf);
    let mut brain = Brain::new(About::default());
    let (mut to_brain, mut to_manager) = (LineBuffer::new(4096), LineBuffer::new(4096));
    manager.new_game(&GameTerms::new(Rule::Standard, Size::STANDARD));
    let mut ply = 0;
    loop {
        to_brain.push(manager.output());
        manager.written(manager.output().len());
        while let Some(line) = to_brain.pop() {
            brain.receive(line);
        }
        match brain.poll() {
            Some(Instruction::NewGame { .. }) => brain.ready(),
            Some(Instruction::Think(_)) => {
                brain.answer(&Answer::Move(moves[ply])).expect("a stone can be said");
                ply += 2;
            }
            _ => break,
        }
        to_manager.push(brain.output());
        brain.written(brain.output().len());
        while let Some(line) = to_manager.pop() {
            black_box(manager.receive(line));
        }
        if ply < moves.len() {
            let ask = Ask::Move { zone: Zone::Anywhere };
            let limits = Limits::default();
            manager.ask(&DialogueQuestion { moves: &moves[..ply], ask, limits });
        }
    }
}

fn bench(criterion: &mut Criterion) {
    let moves = moves();
    let coords = |mv: &Move| Coords::of(mv.point().expect("a stone"), Size::STANDARD);
    let answers: Vec<Vec<u8>> =
        moves.iter().map(|mv| BrainReply::Point(coords(mv)).to_string().into_bytes()).collect();
    let commands: Vec<String> =
        moves.iter().map(|mv| ManagerCommand::Turn(coords(mv)).to_string()).collect();
    let mut group = criterion.benchmark_group("a game of 68 moves");
    group.throughput(Throughput::Elements(MOVES as u64));
    group.bench_function("words", |bencher| {
        bencher.iter(|| {
            for (command, answer) in commands.iter().zip(&answers) {
                let command =
                    ManagerCommand::parse(black_box(command.as_bytes())).expect("a command");
                let reply = BrainReply::parse(black_box(answer));
                black_box((command.to_string(), reply.to_string()));
            }
        });
    });
    group.bench_function("host", |bencher| {
        let mut brains = [GomocupDialogue::new(LineEnd::CrLf), GomocupDialogue::new(LineEnd::CrLf)];
        brains.iter_mut().for_each(GomocupDialogue::clears_board);
        bencher.iter(|| host(&mut brains, black_box(&moves), &answers));
    });
    group.bench_function("both sides of one brain", |bencher| {
        bencher.iter(|| both(black_box(&moves)));
    });
    group.bench_function("messages", |bencher| {
        let line = "Depth 12-24 | Eval 42 | Time 350ms | H8 I9 G7 G9 F10";
        bencher.iter(|| {
            for _ in 0..MOVES {
                black_box(SearchReport::parse(black_box(line)));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
