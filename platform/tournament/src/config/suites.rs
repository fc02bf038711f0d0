//! The books of balanced openings that come with the program.

use tengen_record::formats::book::{BookPosition, OpeningBook};
use tengen_record::formats::suite::check_position;
use tengen_rules::{Point, Rule, Size};

/// The books by rule and board, as `tengen openings make` makes them. Gomocup plays freestyle on 20
/// and the other rules on 15; freestyle on 15 is what events play unless something else is said.
const BOOKS: [(Rule, u8, &[u8]); 5] = [
    (Rule::Freestyle, 15, include_bytes!("../../suites/freestyle-15.book")),
    (Rule::Freestyle, 20, include_bytes!("../../suites/freestyle-20.book")),
    (Rule::Standard, 15, include_bytes!("../../suites/standard-15.book")),
    (Rule::Renju, 15, include_bytes!("../../suites/renju-15.book")),
    (Rule::Caro, 15, include_bytes!("../../suites/caro-15.book")),
];
/// A board without a book that has a side of this length or less is too small for the book of
/// another board.
const TOO_SMALL: u8 = 12;

/// The balanced positions for a rule and a board. Where no book was made for the board, it is that
/// of the next smaller board, or of the smallest, about the centre; none where the board is much
/// smaller still.
pub fn balanced(rule: Rule, size: Size) -> Option<OpeningBook> {
    let bytes = packed(rule, size)?;
    let book = OpeningBook::from_bytes(bytes).expect("the books of the program are whole");
    Some(if book.size == size { book } else { moved(book, size) })
}

/// Whether there are [such](balanced) for a rule and a board, without reading them.
pub fn has_balanced(rule: Rule, size: Size) -> bool {
    packed(rule, size).is_some()
}

fn packed(rule: Rule, size: Size) -> Option<&'static [u8]> {
    let side = size.width().min(size.height());
    let of_rule = BOOKS.iter().filter(|book| book.0 == rule);
    let fitting = of_rule.clone().filter(|book| book.1 <= side).max_by_key(|book| book.1);
    let book = fitting.or_else(|| of_rule.clone().min_by_key(|book| book.1));
    book.filter(|_| side > TOO_SMALL).map(|book| book.2)
}

/// The positions of a book that can be played on another board, as far from its centre.
fn moved(book: OpeningBook, size: Size) -> OpeningBook {
    let (from, to) = (book.size.center(), size.center());
    let axis = |at: u8, from: u8, to: u8| (at + to).checked_sub(from);
    let positions = book.positions.into_iter().filter_map(|BookPosition { stones, black }| {
        let stones = stones.into_iter().map(|stone| {
            let x = axis(stone.x(), from.x(), to.x())?;
            Some(Point::new(x, axis(stone.y(), from.y(), to.y())?))
        });
        let stones: Vec<Point> = stones.collect::<Option<_>>()?;
        check_position(&stones, book.rule, size).is_ok().then_some(BookPosition { stones, black })
    });
    OpeningBook { size, positions: positions.collect(), ..book }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tengen_record::formats::suite::same_opening;

    use super::*;

    /// Every book is one, has no position twice, and serves its board and those that have none.
    #[test]
    fn every_book_can_be_played() {
        for (rule, side, bytes) in BOOKS {
            let size = Size::new(side, side).unwrap();
            let book = OpeningBook::from_bytes(bytes).unwrap();
            assert_eq!((book.rule, book.size), (rule, size));
            assert!(book.positions.len() >= 10_000, "{rule} on {size}: {}", book.positions.len());
            assert!(bytes.len() < 200 << 10, "{rule} on {size}: {} bytes", bytes.len());
            let mut seen = BTreeSet::new();
            for (number, BookPosition { stones, black }) in (1..).zip(&book.positions) {
                check_position(stones, rule, size)
                    .unwrap_or_else(|error| panic!("{rule} on {size}, {number}: {error}"));
                assert!(seen.insert(same_opening(stones, size)), "{rule} on {size}, {number}");
                assert!((20..=80).contains(&black.unwrap()), "{rule} on {size}, {number}");
            }
            assert_eq!(balanced(rule, size), Some(book));
        }
        let of = |text: &str| balanced(Rule::Renju, text.parse().unwrap());
        for size in ["17", "20x13"] {
            let book = of(size).unwrap();
            assert!(book.positions.len() >= 9_900, "{size}: {}", book.positions.len());
            let is_whole = |one: &BookPosition| check_position(&one.stones, book.rule, book.size);
            assert!(book.positions.iter().all(|one| is_whole(one).is_ok()), "{size}");
        }
        assert_eq!(of("12"), None);
    }

    /// What the positions of each book state is about a half over the whole book.
    #[test]
    fn black_makes_half_of_the_points() {
        for (rule, side, bytes) in BOOKS {
            let black = OpeningBook::from_bytes(bytes).unwrap().black().unwrap();
            assert!((47.0..=53.0).contains(&black), "{rule} on {side}: {black}");
        }
    }
}
