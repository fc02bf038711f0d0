//! Whether a brain that plays at random begins another game on an empty board after a START in the
//! same process. It is shown a nearly full board, and then asked for moves in another game until it
//! has played where those stones lay.
//!
//! A brain that keeps its stones and looks at its board never plays there, so it is never mistaken
//! for one that clears its board. A brain that does not look at its board plays on stones in any
//! process, and could pass by chance. But in each of three rounds it has to hit one of the few
//! points that the full board leaves free. The chance for that is one in 10 on 15×15, and one in 7
//! on the smallest board, so it passes with a probability of less than 0.003.

use tengen_gomocup::GameTerms;
use tengen_rules::{Color, Move, Point, Size};

use super::second_start::{move_after_start, next_move};
use super::start_fresh_game;
use crate::process::{EngineLoss, TextProcess};

/// One point of so many is free on the full board.
const FREE: u16 = 17;
/// With how many stones the other game begins: with fewer than so many. None is BEGIN, one is TURN,
/// two are BOARD, at each of which a brain may clear its board.
const BEGINNINGS: usize = 3;
/// How many rounds are played at most. In one of seven a brain that clears its board and plays by
/// chance plays where no stone lay.
const ROUNDS: u16 = 12;
/// How many moves it is asked for in each other game.
const ANSWERS: usize = 3;

/// Stones on nearly all points, in turn, with no three of one colour in a line; none on a small
/// board.
struct FullBoard {
    stones: Vec<Point>,
}

impl FullBoard {
    /// Every round has other free points.
    fn new(size: Size, round: u16) -> Option<FullBoard> {
        let points = (0..size.height()).flat_map(|y| (0..size.width()).map(move |x| (x, y)));
        let is_free =
            |(x, y): (u8, u8)| (u16::from(x) + 5 * u16::from(y) + round).is_multiple_of(FREE);
        let (black, white): (Vec<_>, Vec<_>) = points
            .filter(|&point| !is_free(point))
            .partition(|&(x, y)| (u16::from(x) + 2 * u16::from(y)) % 4 < 2);
        let pairs = black.into_iter().zip(white);
        let stones: Vec<_> = pairs
            .flat_map(|(black, white)| [black, white])
            .map(|(x, y)| Point::new(x, y))
            .collect();
        (size.width() >= 9 && size.height() >= 9).then_some(FullBoard { stones })
    }

    fn moves(&self) -> Vec<Move> {
        self.stones.iter().copied().map(Move::Stone).collect()
    }

    /// The colour of the stone at a point.
    fn colour(&self, point: Point) -> Option<Color> {
        self.stones.iter().position(|stone| *stone == point).map(Color::of_ply)
    }
}

/// Whether it has played where stones of both colours lay, however the other game began.
pub(super) fn plays_on_old_stones(
    process: &mut TextProcess,
    terms: &GameTerms,
) -> Result<bool, EngineLoss> {
    let (mut seen, mut colours) = ([false; BEGINNINGS], [false; 2]);
    for round in 0..ROUNDS {
        let Some(full) = FullBoard::new(terms.size, round) else { return Ok(false) };
        if !start_fresh_game(process, terms)? {
            return Ok(false);
        }
        // It looks at its board.
        match next_move(process, &full.moves())? {
            Some((free, _)) if terms.size.contains(free) && full.colour(free).is_none() => {}
            _ => return Ok(false),
        }
        let beginning = usize::from(round) % BEGINNINGS;
        let Some(answers) = other_game(process, terms, &full, beginning)? else {
            return Ok(false);
        };
        for colour in answers.iter().filter_map(|answer| full.colour(*answer)) {
            colours[usize::from(colour == Color::White)] = true;
        }
        seen[beginning] |= answers.first().is_some_and(|answer| full.colour(*answer).is_some());
        if seen == [true; BEGINNINGS] && colours == [true; 2] {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Its moves in another game, begun with so many stones in the same process, where stones lay
/// before; none if one is missing or illegal.
fn other_game(
    process: &mut TextProcess,
    terms: &GameTerms,
    full: &FullBoard,
    stones: usize,
) -> Result<Option<Vec<Point>>, EngineLoss> {
    // Apart from each other, and in another place each time.
    let mut theirs = full.stones.iter().copied().cycle().skip(full.stones.len() / 3).step_by(41);
    let mut moves: Vec<Move> = theirs.by_ref().take(stones).map(Move::Stone).collect();
    let mut answers = Vec::new();
    while answers.len() < ANSWERS {
        let answer = match answers.is_empty() {
            true => move_after_start(process, terms, &moves)?,
            false => next_move(process, &moves)?,
        };
        let Some((point, _)) = answer else { return Ok(None) };
        if !terms.size.contains(point) || moves.contains(&Move::Stone(point)) {
            return Ok(None);
        }
        answers.push(point);
        moves.push(Move::Stone(point));
        let next = theirs.find(|next| !moves.contains(&Move::Stone(*next)));
        moves.extend(next.map(Move::Stone));
    }
    Ok(Some(answers))
}

#[cfg(test)]
mod tests {
    use tengen_rules::{Position, Rule};

    use super::*;

    #[test]
    fn a_full_board_ends_no_game_and_leaves_few_points_each_time_others() {
        for text in ["9", "15", "20", "19x11", "32"] {
            let size: Size = text.parse().unwrap();
            let mut free_before = Vec::new();
            for round in 0..3 {
                let full = FullBoard::new(size, round).unwrap();
                let mut position = Position::new(Rule::Renju, size);
                for stone in &full.stones {
                    position.play(*stone).unwrap_or_else(|error| panic!("{text}: {error:?}"));
                }
                assert!(full.stones.len().is_multiple_of(2) && !full.stones.is_empty());
                let (width, height) = (size.width(), size.height());
                let all = (0..height).flat_map(|y| (0..width).map(move |x| Point::new(x, y)));
                let free: Vec<_> = all.filter(|point| full.colour(*point).is_none()).collect();
                let points = usize::from(width) * usize::from(height);
                assert!(free.len() >= 3 && free.len() * 7 <= points, "{text}: {}", free.len());
                assert_ne!(free, free_before);
                free_before = free;
            }
        }
        assert!(FullBoard::new("8".parse().unwrap(), 0).is_none());
    }
}
