//! Positions from a seed.

#![allow(dead_code, reason = "each test uses its own part")]

use tengen_random::Random;
use tengen_rules::{Board, Color, Point, Rule, Size, Symmetry};

/// Random choices, which a seed reproduces.
pub struct Choices(Random);

impl Choices {
    pub fn new(seed: u64) -> Choices {
        Choices(Random::new(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.bits() % bound as u64) as usize
    }

    pub fn within(&mut self, low: u8, high: u8) -> u8 {
        low + self.below(usize::from(high - low) + 1) as u8
    }

    pub fn permille(&mut self, permille: usize) -> bool {
        self.below(1000) < permille
    }
}

pub fn size(random: &mut Choices) -> Size {
    let (width, height) = match random.below(8) {
        0 => (random.within(5, 32), random.within(5, 32)),
        1 => (random.within(5, 9), random.within(5, 9)),
        _ => (15, 15),
    };
    Size::new(width, height).expect("sides of a board")
}

/// Stones scattered over a part of the board, from few to crowded, near edges as often as not.
pub fn scattered(random: &mut Choices) -> Board {
    let size = size(random);
    let mut board = Board::new(size);
    let width = random.within(5, size.width().min(13));
    let height = random.within(5, size.height().min(13));
    let left = random.within(0, size.width() - width);
    let bottom = random.within(0, size.height() - height);
    let black = 150 + random.below(250);
    let white = random.below(150);
    for x in left..left + width {
        for y in bottom..bottom + height {
            if random.permille(black) {
                board.place(Point::new(x, y), Color::Black);
            } else if random.permille(white) {
                board.place(Point::new(x, y), Color::White);
            }
        }
    }
    board
}

/// A position such as games reach: each side lays near the stones there are, wins when it can,
/// stops the other's five, and Black makes no foul.
pub fn of_a_game(random: &mut Choices, stones: usize) -> Board {
    let mut board = Board::new(Size::STANDARD);
    board.place(Size::STANDARD.center(), Color::Black);
    while board.count() < stones {
        let color = Color::of_ply(board.count());
        let near: Vec<Point> = Size::STANDARD.points().filter(|p| is_near(&board, *p)).collect();
        let legal = |p: &Point| color == Color::White || board.foul(*p).is_none();
        let mut points: Vec<Point> = near.into_iter().filter(legal).collect();
        points.retain(|point| !board.wins(Rule::Renju, *point, color));
        let Some(&any) = points.get(random.below(points.len().max(1))) else { return board };
        let blocks = |p: &&Point| board.wins(Rule::Renju, **p, !color);
        let point = points.iter().find(blocks).copied().unwrap_or(any);
        board.place(point, color);
    }
    board
}

fn is_near(board: &Board, point: Point) -> bool {
    board.is_empty(point)
        && board.stones().any(|(stone, _)| {
            let dx = stone.x().abs_diff(point.x());
            let dy = stone.y().abs_diff(point.y());
            dx.max(dy) <= 1 || dx.max(dy) == 2 && (dx == dy || dx.min(dy) == 0)
        })
}

/// The board turned or mirrored.
pub fn turned(board: &Board, symmetry: Symmetry) -> Board {
    let mut turned = Board::new(symmetry.size(board.size()));
    for (point, color) in board.stones() {
        turned.place(symmetry.point(point, board.size()), color);
    }
    turned
}

/// The boards of `worst.txt`, which are expensive to judge.
pub fn dear() -> Vec<Board> {
    let boards = include_str!("../worst.txt")
        .split("\n\n")
        .map(|part| part.lines().filter(|row| !row.starts_with('#')).collect::<Vec<&str>>());
    boards.filter(|rows| !rows.is_empty()).map(|rows| read(&rows)).collect()
}

/// Reads a diagram: `X` black, `O` white, all else empty, the highest row first.
pub fn read(rows: &[&str]) -> Board {
    let size = Size::new(rows[0].len() as u8, rows.len() as u8).expect("a board");
    let mut board = Board::new(size);
    for (y, row) in (0..).zip(rows.iter().rev()) {
        for (x, letter) in (0..).zip(row.chars()) {
            match letter {
                'X' => board.place(Point::new(x, y), Color::Black),
                'O' => board.place(Point::new(x, y), Color::White),
                _ => {}
            }
        }
    }
    board
}
