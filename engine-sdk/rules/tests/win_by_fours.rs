//! Wins by fours = those of a solver that tries everything, on small boards.

use tengen_random::Random;
use tengen_rules::{Board, Color, FoursLimits, Point, Rule, Size};

const LIMITS: FoursLimits = FoursLimits { nodes: 100_000, stones: None };
/// The most fours that the naive solver tries.
const DEEPEST: usize = 3;

/// The board without tricks: every point, every reply, nothing but the rules' own judgement.
struct Naive {
    board: Board,
    rule: Rule,
    points: Vec<Point>,
}

impl Naive {
    fn empty(&self) -> Vec<Point> {
        self.points.iter().copied().filter(|&point| self.board.is_empty(point)).collect()
    }

    fn makes_five(&self, color: Color) -> bool {
        self.empty().into_iter().any(|point| self.board.wins(self.rule, point, color))
    }

    fn may_lay(&self, point: Point, color: Color) -> bool {
        let judged = self.rule == Rule::Renju && color == Color::Black;
        !judged || self.board.wins(self.rule, point, color) || self.board.foul(point).is_none()
    }

    /// Whether the colour, to move, wins with at most so many fours before its five.
    fn wins(&mut self, us: Color, fours: usize) -> bool {
        if self.makes_five(us) {
            return true;
        }
        fours > 0
            && self.empty().into_iter().any(|point| {
                if !self.may_lay(point, us) {
                    return false;
                }
                self.board.place(point, us);
                let wins = self.makes_five(us) && !self.makes_five(!us) && self.holds(us, fours);
                self.board.remove(point);
                wins
            })
    }

    /// Whether every reply to a four loses.
    fn holds(&mut self, us: Color, fours: usize) -> bool {
        self.empty().into_iter().all(|reply| {
            if !self.may_lay(reply, !us) {
                return true;
            }
            self.board.place(reply, !us);
            let wins = self.wins(us, fours - 1);
            self.board.remove(reply);
            wins
        })
    }
}

/// Plays a line: every stone but the last threatens a five or stops one, and the last ends it.
fn assert_wins(board: &Board, rule: Rule, us: Color, line: &[Point]) {
    let mut board = board.clone();
    let (last, before) = line.split_last().unwrap();
    let mut color = us;
    for &point in before {
        assert!(!board.wins(rule, point, color), "{point} ends it early:\n{board}");
        let judged = rule == Rule::Renju && color == Color::Black;
        assert!(!judged || board.foul(point).is_none(), "{point} is forbidden:\n{board}");
        board.place(point, color);
        color = !color;
    }
    if color == us {
        assert!(board.wins(rule, *last, us), "{last} makes no five:\n{board}");
    } else {
        assert!(rule == Rule::Renju && us == Color::White, "{last}\n{board}");
        assert!(board.foul(*last).is_some(), "{last} is not forbidden:\n{board}");
    }
}

#[test]
fn finds_what_trying_everything_finds() {
    let size = Size::new(7, 7).unwrap();
    let points: Vec<Point> = size.points().collect();
    let mut random = Random::new(0x2026_1122);
    for rule in Rule::ALL {
        let mut found = [0; DEEPEST + 1];
        let (mut none, mut forbidden) = (0, 0);
        for _ in 0..1500 {
            let mut board = Board::new(size);
            let stones = 12 + random.below(16);
            for ply in 0..stones {
                let empty: Vec<Point> =
                    points.iter().copied().filter(|&point| board.is_empty(point)).collect();
                let point = empty[random.below(empty.len())];
                let color = Color::of_ply(ply);
                let foul =
                    rule == Rule::Renju && color == Color::Black && board.foul(point).is_some();
                if !board.wins(rule, point, color) && !foul {
                    board.place(point, color);
                }
            }
            let us = Color::ALL[random.below(2)];
            let line = board.win_by_fours(rule, us, LIMITS);
            let mut naive = Naive { board: board.clone(), rule, points: points.clone() };
            let Some(line) = line else {
                assert!(!naive.wins(us, DEEPEST), "{rule}, {us} wins:\n{board}");
                none += 1;
                continue;
            };
            assert_wins(&board, rule, us, &line);
            let fours = line.len() / 2;
            if fours <= DEEPEST {
                assert!(naive.wins(us, fours), "{rule}, {us} does not win:\n{board}");
                assert!(fours == 0 || !naive.wins(us, fours - 1), "{rule}, {us}:\n{board}");
                found[fours] += 1;
            }
            forbidden += u32::from(line.len() % 2 == 0);
        }
        println!("{rule}: none {none}, by fours {found:?}, by a forbidden point {forbidden}");
        assert!(none > 50 && found[1] > 20 && found[2] > 5, "{rule}: {none} {found:?}");
        assert_eq!(forbidden > 0, rule == Rule::Renju);
    }
}

fn board(stones: &[(&str, Color)]) -> Board {
    let mut board = Board::new(Size::STANDARD);
    for (points, color) in stones {
        for point in points.split_whitespace() {
            board.place(point.parse().unwrap(), *color);
        }
    }
    board
}

/// White makes a four, and its only reply would be a double-three.
#[test]
fn white_wins_on_a_point_that_black_may_not_take() {
    let board = board(&[("g8 i8 h7 h9 c3", Color::Black), ("d4 e5 f6", Color::White)]);
    assert!(board.foul("h8".parse().unwrap()).is_some());
    let line = board.win_by_fours(Rule::Renju, Color::White, LIMITS).unwrap();
    assert_wins(&board, Rule::Renju, Color::White, &line);
    assert_eq!(line, ["g7", "h8"].map(|text| text.parse().unwrap()));
    assert_eq!(board.win_by_fours(Rule::Freestyle, Color::White, LIMITS), None);
}

#[test]
fn a_line_that_is_longer_than_the_game_is_no_win() {
    let board = board(&[("h8 i8 j8", Color::Black), ("a1 c1", Color::White)]);
    let wins = |stones| {
        let limits = FoursLimits { nodes: 1000, stones: Some(stones) };
        board.win_by_fours(Rule::Freestyle, Color::Black, limits).is_some()
    };
    assert_eq!([7, 8, 9].map(wins), [false, true, true]);
}

#[test]
fn few_nodes_find_less_and_never_wrong() {
    let board = board(&[("h8 i8 j8 d4 d5 d6", Color::Black), ("g8 d3 a1 c1 e1 n2", Color::White)]);
    let with = |nodes| {
        board.win_by_fours(Rule::Freestyle, Color::Black, FoursLimits { nodes, stones: None })
    };
    assert_eq!(with(0), None);
    for nodes in 1..200 {
        if let Some(line) = with(nodes) {
            assert_wins(&board, Rule::Freestyle, Color::Black, &line);
        }
    }
}
