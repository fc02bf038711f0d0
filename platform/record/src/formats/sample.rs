//! Positions of played games with the engines' moves and the results, for training evaluations, in
//! the formats of c-gomoku-cli's `-sample`.
//!
//! A coordinate counts columns from the left and rows from the top, as in the Gomocup protocol. A
//! result is that of the player to move: 0 lost, 1 drew, 2 won.
//!
//! - [`SampleFormat::Csv`]: a line `POSITION,MOVE,RESULT` a sample, points as in `h8`, the row
//!   from the top and counted from 1.
//! - [`SampleFormat::Bin`]: two little-endian words of 16 bits a sample, and one for each stone.
//!   From the lowest bit: result 2, stones 9, board 5; rule 3, move 13. A point is `x << 5 | y`,
//!   and the eleventh bit of a move is White's.
//! - [`SampleFormat::Binpack`]: one entry for samples that follow one another. 5 bits of board, 3
//!   of rule, 4 of result, 10 of stones at the end, 10 of stones at the beginning, 14 of zeros, 18
//!   of moves; a word of 16 bits for each stone at the beginning; for each move four bits of flags
//!   (first, last, without an evaluation, a pass), two of zeros, 10 of point, and 16 of evaluation.
//!   The first sampled move of an entry comes with the second, so that a lone one makes none.

use std::fmt::Write as _;

use tengen_arbiter::{Action, Termination};
use tengen_rules::{Answer, Color, Move, Point, Rule, Seat, Size};

use crate::GameRecord;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SampleFormat {
    /// A line a sample.
    Csv,
    /// Two words and the stones of the position a sample.
    Bin,
    /// Samples that follow one another in one entry.
    Binpack,
}

impl SampleFormat {
    /// Its name, which is the extension of its files.
    pub const fn name(self) -> &'static str {
        match self {
            SampleFormat::Csv => "csv",
            SampleFormat::Bin => "bin",
            SampleFormat::Binpack => "binpack",
        }
    }
}

/// A game of which samples are taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledGame {
    rule: Rule,
    size: Size,
    /// Every stone, those of the opening first.
    stones: Vec<Point>,
    opening: usize,
    winner: Option<Color>,
}

impl SampledGame {
    /// The largest board that samples can be written for.
    pub const LARGEST: u8 = 22;

    /// The game of a record that began from a given position. None where its end says nothing of
    /// its positions: by time, a failure, or an illegal answer; or its board is none that can be
    /// written.
    pub fn of(record: &GameRecord) -> Option<SampledGame> {
        let header = &record.header;
        let (rule, size) = (header.rule, header.size);
        if size.width() != size.height() || size.width() > SampledGame::LARGEST {
            return None;
        }
        let mut stones = header.opening.book.clone();
        let opening = stones.len();
        let legal = record.actions.iter().filter(|action| action.legal);
        for action in legal.map(|action| &action.action) {
            match action {
                Action::Answer(Answer::Move(Move::Stone(point))) => stones.push(*point),
                // Its colour is not that of its place.
                Action::Answer(_) => return None,
                _ => {}
            }
        }
        match record.result.termination {
            Termination::Five
            | Termination::BoardFull
            | Termination::Resignation
            | Termination::Agreement
            | Termination::Adjudication
            | Termination::Proof => {}
            // A forbidden move is not worth learning.
            Termination::Overline | Termination::DoubleFour | Termination::DoubleThree => {
                stones.pop();
            }
            _ => return None,
        }
        let winner = record.result.winner.map(|seat| match seat {
            Seat::First => Color::Black,
            Seat::Second => Color::White,
        });
        Some(SampledGame { rule, size, stones, opening, winner })
    }

    /// The moves that can give samples, each by the number of stones before it.
    pub fn places(&self) -> impl Iterator<Item = usize> + use<> {
        self.opening..self.stones.len()
    }

    /// The samples of these places, in ascending order, as the format has them.
    pub fn write(&self, format: SampleFormat, places: &[usize]) -> Vec<u8> {
        match format {
            SampleFormat::Csv => self.csv(places).into_bytes(),
            SampleFormat::Bin => self.bin(places),
            SampleFormat::Binpack => self.binpack(places),
        }
    }

    fn csv(&self, places: &[usize]) -> String {
        let mut text = String::new();
        let point = |text: &mut String, point: Point| {
            let column = char::from(b'a' + point.x());
            let _ = write!(text, "{column}{}", self.row(point) + 1);
        };
        for &place in places {
            self.stones[..place].iter().for_each(|stone| point(&mut text, *stone));
            text.push(',');
            point(&mut text, self.stones[place]);
            let _ = writeln!(text, ",{}", self.result(place));
        }
        text
    }

    fn bin(&self, places: &[usize]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut put = |word: u16| bytes.extend(word.to_le_bytes());
        for &place in places {
            let board = u16::from(self.size.width());
            put(self.result(place) | (place as u16) << 2 | board << 11);
            let own = u16::from(Color::of_ply(place) == Color::White) << 10;
            put(self.rule_code() | (own | self.code(self.stones[place])) << 3);
            self.stones[..place].iter().for_each(|stone| put(self.code(*stone)));
        }
        bytes
    }

    /// Samples are chained by the moves between them, so that there is one entry a game.
    fn binpack(&self, places: &[usize]) -> Vec<u8> {
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
            return Vec::new();
        };
        let moves = &self.stones[first..=last];
        if places.len() < 2 {
            return Vec::new();
        }
        let mut bytes = Vec::new();
        let low = u32::from(self.size.width())
            | u32::from(self.rule_code()) << 5
            | u32::from(self.result(first)) << 8
            | (last as u32 + 1) << 12
            | (first as u32) << 22;
        bytes.extend(low.to_le_bytes());
        bytes.extend(((moves.len() as u32) << 14).to_le_bytes());
        let opening = self.stones[..first].iter();
        bytes.extend(opening.flat_map(|stone| self.code(*stone).to_le_bytes()));
        const FIRST_LAST_WITHOUT_EVAL: u16 = 0b111;
        for stone in moves {
            bytes.extend((FIRST_LAST_WITHOUT_EVAL | self.code(*stone) << 6).to_le_bytes());
            bytes.extend(0i16.to_le_bytes());
        }
        bytes
    }

    /// The row from the top, from 0.
    fn row(&self, point: Point) -> u8 {
        self.size.height() - 1 - point.y()
    }

    fn code(&self, point: Point) -> u16 {
        u16::from(point.x()) << 5 | u16::from(self.row(point))
    }

    fn rule_code(&self) -> u16 {
        match self.rule {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 7,
        }
    }

    /// For the player to move after so many stones.
    fn result(&self, place: usize) -> u16 {
        match self.winner {
            None => 1,
            Some(winner) if winner == Color::of_ply(place) => 2,
            Some(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(rule: Rule, winner: Option<Color>) -> SampledGame {
        let stones = ["h8", "a15", "o1", "b14"].map(|point| point.parse().unwrap()).to_vec();
        SampledGame { rule, size: Size::STANDARD, stones, opening: 1, winner }
    }

    #[test]
    fn csv_has_rows_from_the_top_and_results_of_the_side_to_move() {
        let black = game(Rule::Freestyle, Some(Color::Black));
        let places: Vec<usize> = black.places().collect();
        let text = black.write(SampleFormat::Csv, &places);
        let expected = "h8,a1,0\nh8a1,o15,2\nh8a1o15,b2,0\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        let drawn = game(Rule::Freestyle, None).write(SampleFormat::Csv, &[3]);
        assert_eq!(drawn, b"h8a1o15,b2,1\n");
    }

    /// As the program itself packs them: result, stones, board; rule, move; stones.
    #[test]
    fn bin_is_exact_to_the_bit() {
        let white = game(Rule::Renju, Some(Color::White));
        let bytes = white.write(SampleFormat::Bin, &[1, 2]);
        let words: Vec<u16> =
            bytes.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
        let h8 = 7 << 5 | 7;
        let expected = [
            2 | 1 << 2 | 15 << 11,
            4 | 1 << 13,
            h8,
            2 << 2 | 15 << 11,
            4 | (14 << 5 | 14) << 3,
            h8,
            0,
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn binpack_has_one_entry_a_game() {
        let black = game(Rule::Standard, Some(Color::Black));
        assert_eq!(black.write(SampleFormat::Binpack, &[2]), [0; 0], "a lone one makes none");
        let bytes = black.write(SampleFormat::Binpack, &[1, 3]);
        let (head, rest) = bytes.split_at(8);
        let low: u32 = 15 | 1 << 5 | 4 << 12 | 1 << 22;
        assert_eq!(head, [low.to_le_bytes(), (3u32 << 14).to_le_bytes()].concat());
        let words: Vec<u16> =
            rest.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
        let point = |x: u16, y: u16| x << 5 | y;
        let mv = |x, y| 7 | point(x, y) << 6;
        assert_eq!(words, [point(7, 7), mv(0, 0), 0, mv(14, 14), 0, mv(1, 1), 0]);
    }
}
