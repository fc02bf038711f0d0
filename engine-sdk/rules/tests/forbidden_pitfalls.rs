//! The four places where published programs judge forbidden moves wrongly, each with positions on
//! which that mistake shows. `X` black, `O` white, `*` the empty point that is judged.

mod oracle;
mod positions;

use oracle::Oracle;
use tengen_rules::{Foul, Fouls, Point};

/// Judges the point marked with a star in three ways that must agree.
fn foul(rows: &[&str]) -> Option<Foul> {
    let board = positions::read(rows);
    let (y, x) =
        (0..).zip(rows.iter().rev()).find_map(|(y, row)| Some((y, row.find('*')?))).unwrap();
    let star = Point::new(x as u8, y);
    let foul = board.foul(star);
    assert_eq!(Fouls::of(&board).foul(star), foul, "{board}");
    assert_eq!(Oracle::of(&board).foul(star), foul, "{board}");
    foul
}

#[test]
fn both_ends_of_a_straight_four_must_make_exactly_five() {
    let between_far_stones = foul(&[
        "..........", //
        "....X.....",
        "....X.....",
        "X..X*X..X.",
        "..........",
        "..........",
    ]);
    assert_eq!(between_far_stones, None);
    let without_one_of_them = foul(&[
        "..........", //
        "....X.....",
        "....X.....",
        "X..X*X....",
        "..........",
        "..........",
    ]);
    assert_eq!(without_one_of_them, Some(Foul::DoubleThree));
    let shut_in_by_white = foul(&[
        "..........", //
        "....X.....",
        "....X.....",
        ".O.X*X.O..",
        "..........",
        "..........",
    ]);
    assert_eq!(shut_in_by_white, None);
}

#[test]
fn an_extension_that_makes_five_or_six_extends_nothing() {
    // The row's only extension is the point right of it, at the gap of that column.
    let five_there = foul(&[
        "...........", //
        "....X......",
        "....X......",
        ".O.X*X.....",
        "......X....",
        "......X....",
        "......X....",
        "......X....",
    ]);
    assert_eq!(five_there, None);
    let six_there = foul(&[
        "......X....", //
        "....X.X....",
        "....X......",
        ".O.X*X.....",
        "......X....",
        "......X....",
        "......X....",
    ]);
    assert_eq!(six_there, Some(Foul::DoubleThree), "the gap is one row higher");
    let six_there = foul(&[
        "...........", //
        "....X.X....",
        "....X.X....",
        ".O.X*X.....",
        "......X....",
        "......X....",
        "......X....",
    ]);
    assert_eq!(six_there, None);
}

#[test]
fn a_five_comes_before_every_foul() {
    let five_and_overline = foul(&[
        "....X.....", //
        "....X.....",
        "XXX.*XXX..",
        "....X.....",
        "....X.....",
    ]);
    assert_eq!(five_and_overline, None);
    let five_and_double_three = foul(&[
        "..........", //
        "..X...X...",
        "...X.X....",
        "....*XXXX.",
        "..........",
        "..........",
        "..........",
    ]);
    assert_eq!(five_and_double_three, None);
    let double_three_alone = foul(&[
        "..........", //
        "..X...X...",
        "...X.X....",
        "....*XXX..",
        "..........",
        "..........",
        "..........",
    ]);
    assert_eq!(double_three_alone, Some(Foul::DoubleThree));
    // At the row's only extension a five comes before two fours: it wins, so it extends nothing.
    let at_an_extension = foul(&[
        ".........X..", //
        "....X...X...",
        "....X..X....",
        ".O.X*X......",
        "......XX....",
        "......X.X...",
        "......X..X..",
        "......X.....",
    ]);
    assert_eq!(at_an_extension, None);
    let with_nothing_there = foul(&[
        "............", //
        "....X.......",
        "....X.......",
        ".O.X*X......",
        "............",
        "............",
        "............",
        "............",
    ]);
    assert_eq!(with_nothing_there, Some(Foul::DoubleThree));
}

#[test]
fn the_recursion_has_no_floor() {
    // Judging no deeper than four steps gets this wrong, whatever is assumed below.
    let legal = foul(&[
        "...............", //
        ".........XX....",
        "..........X....",
        "......XXX.X....",
        ".......*X......",
        "....X....XX....",
        ".......X.X.....",
        ".......X.......",
        "...............",
        "...............",
        "...............",
    ]);
    assert_eq!(legal, None);
    let forbidden = foul(&[
        "........", //
        ".XX.....", "....X.X.", ".XX.*...", ".X...X..", "........", "........",
    ]);
    assert_eq!(forbidden, Some(Foul::DoubleThree));
}
