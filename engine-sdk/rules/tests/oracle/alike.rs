//! Alike fifth moves once more, as the written rules put it: two sets of coloured stones are alike
//! if some turning, mirroring and moving lays one upon the other, all of which are tried.

#![allow(dead_code, reason = "each test uses its own part")]

use tengen_rules::{Point, Size};

type StoneOffset = (i32, i32);

/// The eight ways to turn and mirror, as matrices by rows.
const MATRICES: [[i32; 4]; 8] = [
    [1, 0, 0, 1],
    [0, -1, 1, 0],
    [-1, 0, 0, -1],
    [0, 1, -1, 0],
    [-1, 0, 0, 1],
    [1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
];

fn turned([a, b, c, d]: [i32; 4], (x, y): StoneOffset) -> StoneOffset {
    (a * x + b * y, c * x + d * y)
}

fn stone(point: Point) -> StoneOffset {
    (point.x().into(), point.y().into())
}

/// Black's three stones and White's two.
fn colored(four: &[Point; 4], fifth: Point) -> ([StoneOffset; 3], [StoneOffset; 2]) {
    let [first, second, third, fourth] = four.map(stone);
    ([first, third, stone(fifth)], [second, fourth])
}

/// Whether the five stones make the same coloured shape, wherever it lies.
pub fn by_shape(four: &[Point; 4], one: Point, other: Point) -> bool {
    let (black, white) = colored(four, one);
    let (other_black, other_white) = colored(four, other);
    MATRICES.into_iter().any(|matrix| {
        // White's first stone must come to lie on one of White's, which settles how far to move.
        other_white.into_iter().any(|target| {
            let from = turned(matrix, white[0]);
            let moved = |stone: &StoneOffset| {
                let (x, y) = turned(matrix, *stone);
                (x + target.0 - from.0, y + target.1 - from.1)
            };
            black.iter().all(|stone| other_black.contains(&moved(stone)))
                && white.iter().all(|stone| other_white.contains(&moved(stone)))
        })
    })
}

/// Whether a symmetry of the board keeps the four stones with their colours and lays one fifth move
/// on the other.
pub fn by_board(size: Size, four: &[Point; 4], one: Point, other: Point) -> bool {
    let (last_x, last_y) = (i32::from(size.width()) - 1, i32::from(size.height()) - 1);
    // Twice the way from the board's middle, so that halves are whole.
    let centred = |(x, y): StoneOffset| (2 * x - last_x, 2 * y - last_y);
    let [first, second, third, fourth] = four.map(stone).map(centred);
    let (one, other) = (centred(stone(one)), centred(stone(other)));
    MATRICES.into_iter().any(|matrix| {
        let corner = turned(matrix, (last_x, last_y));
        (corner.0.abs(), corner.1.abs()) == (last_x, last_y)
            && turned(matrix, one) == other
            && [first, third].iter().all(|s| [first, third].contains(&turned(matrix, *s)))
            && [second, fourth].iter().all(|s| [second, fourth].contains(&turned(matrix, *s)))
    })
}

/// A name that alike shapes share: of the eight images, moved to the corner and sorted, the least.
pub fn shape(four: &[Point; 4], fifth: Point) -> ([StoneOffset; 3], [StoneOffset; 2]) {
    let (black, white) = colored(four, fifth);
    let image = |matrix: [i32; 4]| {
        let (mut black, mut white) =
            (black.map(|s| turned(matrix, s)), white.map(|s| turned(matrix, s)));
        let all = || black.iter().chain(&white);
        let left = all().map(|s| s.0).min().expect("five stones");
        let bottom = all().map(|s| s.1).min().expect("five stones");
        for stone in black.iter_mut().chain(&mut white) {
            *stone = (stone.0 - left, stone.1 - bottom);
        }
        black.sort();
        white.sort();
        (black, white)
    };
    MATRICES.into_iter().map(image).min().expect("eight images")
}
