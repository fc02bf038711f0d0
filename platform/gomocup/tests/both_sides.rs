//! A manager and a brain at one table, with only their lines between them: whatever is asked, in
//! whatever order, the brain sees the position that the manager means.

use proptest::prelude::*;
use tengen_arbiter::Limits;
use tengen_gomocup::{
    About, AskResult, Brain, DialogueQuestion, GameTerms, GomocupDialogue, Instruction, LineBuffer,
    LineEnd, NewGameResult, Response, SearchTask, TextDialogue,
};
use tengen_random::Random;
use tengen_rules::{
    Answer, Ask, BySeat, Color, Move, Opening, OpeningSettings, Point, Position, Procedure, Rule,
    Seat, Size, Zone,
};

/// Random choices, so that a seed reproduces a failing case.
struct RandomChoices(Random);

impl RandomChoices {
    fn roll(&mut self, below: usize) -> usize {
        self.0.below(below.max(1))
    }

    /// A legal point, not forbidden where there is another.
    fn point(&mut self, position: &Position) -> Point {
        let free: Vec<Point> =
            position.size().points().filter(|point| position.check(*point).is_ok()).collect();
        free[self.roll(free.len())]
    }
}

/// A brain with its manager, and the pipes between them.
struct BrainPair {
    manager: GomocupDialogue,
    brain: Brain,
    terms: GameTerms,
    to_brain: LineBuffer,
    to_manager: LineBuffer,
}

impl BrainPair {
    fn new(terms: GameTerms, line_end: LineEnd) -> BrainPair {
        let about = About { name: Some("Dice".to_owned()), ..About::default() };
        let mut manager = GomocupDialogue::new(line_end);
        manager.clears_board();
        BrainPair {
            manager,
            brain: Brain::new(about),
            terms,
            to_brain: LineBuffer::new(1000),
            to_manager: LineBuffer::new(1000),
        }
    }

    /// Brings the manager's lines to the brain, in small chunks, and gives its next demand.
    fn carry(&mut self, dice: &mut RandomChoices) -> Option<Instruction> {
        while !self.manager.output().is_empty() {
            let count = 1 + dice.roll(self.manager.output().len());
            self.to_brain.push(&self.manager.output()[..count]);
            self.manager.written(count);
            while let Some(line) = self.to_brain.pop() {
                self.brain.receive(line);
            }
        }
        self.brain.poll()
    }

    /// Brings the brain's lines to the manager, and gives what is not for the log.
    fn listen(&mut self) -> Vec<Response<'static>> {
        self.to_manager.push(self.brain.output());
        self.brain.written(self.brain.output().len());
        let mut heard = Vec::new();
        while let Some(line) = self.to_manager.pop() {
            match self.manager.receive(line) {
                Response::Log { .. } => {}
                Response::Answer(answer) => heard.push(Response::Answer(answer)),
                Response::Ready => heard.push(Response::Ready),
                other => panic!("{other:?}"),
            }
        }
        heard
    }

    /// Another process takes the brain's place.
    fn start_again(&mut self) {
        self.manager.started_again();
        self.brain = Brain::new(About::default());
    }

    fn new_game(&mut self, dice: &mut RandomChoices) {
        assert_eq!(self.manager.new_game(&self.terms), NewGameResult::Sent);
        assert_eq!(self.carry(dice), Some(Instruction::NewGame { size: self.terms.size }));
        self.brain.ready();
        assert_eq!(self.listen(), [Response::Ready]);
    }

    /// Asks, and gives what the brain was shown; none where the answer was known.
    fn show(
        &mut self,
        moves: &[Move],
        ask: Ask,
        dice: &mut RandomChoices,
    ) -> Result<SearchTask, Answer> {
        match self.manager.ask(&DialogueQuestion { moves, ask, limits: Limits::default() }) {
            AskResult::Known(answer) => return Err(answer),
            asked => assert_eq!(asked, AskResult::Sent),
        }
        loop {
            match self.carry(dice) {
                Some(Instruction::Think(task)) => return Ok(*task),
                // START before BEGIN.
                Some(Instruction::NewGame { .. }) => self.brain.ready(),
                other => panic!("{other:?}"),
            }
            assert_eq!(self.listen(), []);
        }
    }

    /// Asks, checks that the brain sees this position, and lets it answer.
    fn ask(&mut self, position: &Position, ask: Ask, dice: &mut RandomChoices) -> Answer {
        let moves = position.moves();
        let mut task = match self.show(moves, ask, dice) {
            Ok(task) => task,
            Err(known) => return known,
        };
        check(&task, position, ask);
        loop {
            let answer = decide(&task, position, dice);
            self.brain.message("depth 1 ev 0");
            self.brain.answer(&answer).unwrap();
            match self.brain.poll() {
                None => break,
                // It stays White under swap2, and the move is to say so.
                Some(Instruction::Think(next)) => task = *next,
                other => panic!("{other:?}"),
            }
            check(&task, position, Ask::Move { zone: Zone::Anywhere });
        }
        let mut heard = self.listen();
        assert_eq!(heard.len(), 1, "{heard:?}");
        match heard.pop() {
            Some(Response::Answer(answer)) => answer,
            other => panic!("{other:?}"),
        }
    }
}

fn check(task: &SearchTask, position: &Position, ask: Ask) {
    assert_eq!((task.rule, task.size, task.ask), (position.rule(), position.size(), ask));
    let moves: Vec<Move> = task.moves.iter().map(|point| Move::Stone(*point)).collect();
    assert_eq!(moves, position.moves());
    assert!(task.barred.is_empty());
}

/// A random legal answer.
fn decide(task: &SearchTask, position: &Position, dice: &mut RandomChoices) -> Answer {
    let several = |count: u8, dice: &mut RandomChoices| -> Vec<Point> {
        let mut position = position.clone();
        let mut place = || {
            let point = dice.point(&position);
            position.play(point).unwrap();
            point
        };
        (0..count).map(|_| place()).collect()
    };
    match task.ask {
        Ask::Move { .. } => Answer::Move(Move::Stone(several(1, dice)[0])),
        Ask::Place { count, .. } => Answer::Place(several(count, dice)),
        Ask::ChooseOrPlace { count } => match dice.roll(3) {
            0 => Answer::Choose(Color::Black),
            1 => Answer::Choose(Color::White),
            _ => Answer::Place(several(count, dice)),
        },
        Ask::Choose => Answer::Choose(Color::ALL[dice.roll(2)]),
        other => panic!("{other:?}"),
    }
}

fn any_size() -> impl Strategy<Value = Size> {
    let side = Size::MIN..=Size::MAX;
    (side.clone(), side, any::<bool>()).prop_map(|(width, height, is_square)| {
        Size::new(width, if is_square { width } else { height }).unwrap()
    })
}

fn any_terms() -> impl Strategy<Value = GameTerms> {
    (prop::sample::select(Rule::ALL.to_vec()), any_size())
        .prop_map(|(rule, size)| GameTerms::new(rule, size))
}

fn any_line_end() -> impl Strategy<Value = LineEnd> {
    prop::sample::select(vec![LineEnd::CrLf, LineEnd::Lf])
}

/// Two brains play a whole game, each at its own table with the manager.
fn play(tables: &mut BySeat<BrainPair>, procedure: Procedure, dice: &mut RandomChoices) {
    let terms = tables.first.terms.clone();
    for seat in Seat::ALL {
        tables[seat].new_game(dice);
    }
    let settings = OpeningSettings::new(procedure);
    let mut opening = Opening::new(&settings, terms.rule, terms.size).unwrap();
    let mut position = Position::new(terms.rule, terms.size);
    while let Some((seat, ask)) = opening.asked() {
        let answer = tables[seat].ask(&position, ask, dice);
        opening.answer(seat, &answer).unwrap();
        for point in &opening.stones()[position.ply()..] {
            position.play(*point).unwrap();
        }
    }
    let seat_of = |color| {
        let colors = opening.colors();
        if colors.first == color { Seat::First } else { Seat::Second }
    };
    // To the end of the game, or as far as two seats that do not care for it may go.
    while !position.board().is_full() && position.ply() < 90 {
        let ask = Ask::Move { zone: Zone::Anywhere };
        match tables[seat_of(position.to_move())].ask(&position, ask, dice) {
            Answer::Move(Move::Stone(point)) => {
                position.play(point).unwrap();
            }
            other => panic!("{other:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whole_games_of_every_rule_and_size(
        terms in any_terms(),
        line_end in any_line_end(),
        seed in any::<u64>(),
    ) {
        let mut dice = RandomChoices(Random::new(seed));
        let mut tables = BySeat::from_fn(|_| BrainPair::new(terms.clone(), line_end));
        for procedure in [Procedure::None, Procedure::Swap2, Procedure::Swap2, Procedure::None] {
            play(&mut tables, procedure, &mut dice);
        }
    }

    #[test]
    fn positions_in_any_order(
        terms in any_terms(),
        line_end in any_line_end(),
        seed in any::<u64>(),
        steps in prop::collection::vec(0..9_u8, 1..40),
    ) {
        let mut dice = RandomChoices(Random::new(seed));
        let mut table = BrainPair::new(terms.clone(), line_end);
        table.new_game(&mut dice);
        let mut position = Position::new(terms.rule, terms.size);
        for step in steps {
            match step {
                // The opponent, or the brain's own colour: it is not said which side plays which.
                0..=2 if !position.board().is_full() => {
                    let point = dice.point(&position);
                    position.play(point).unwrap();
                }
                3 => {
                    for _ in 0..dice.roll(4) {
                        position.undo();
                    }
                }
                4 => {
                    table.new_game(&mut dice);
                    position = Position::new(terms.rule, terms.size);
                }
                5 => {
                    table.start_again();
                    table.new_game(&mut dice);
                }
                _ => {}
            }
            if position.board().is_full() {
                continue;
            }
            let ask = Ask::Move { zone: Zone::Anywhere };
            let answer = table.ask(&position, ask, &mut dice);
            let Answer::Move(Move::Stone(point)) = answer else { panic!("{answer:?}") };
            // The brain's stone stays, or another is laid in its place, or it is taken back.
            match dice.roll(4) {
                0 => {}
                1 => {
                    let point = dice.point(&position);
                    position.play(point).unwrap();
                }
                _ => {
                    position.play(point).unwrap();
                }
            }
        }
    }
}
