//! The 26 canonical openings of renju: Black on the centre, White next to it, Black within the
//! central 5×5. Every such triple is one of them in one of its eight orientations.
//!
//! A **direct** opening (`D`) has White's stone beside the first, an **indirect** one (`I`) at its
//! corner. They are numbered as RIF lists them by Black's second stone: direct ones row by row
//! downwards, indirect ones column by column leftwards. Names end in 星, star, or 月, moon.
//!
//! ```
//! use tengen_rules::{Size, canonical};
//! let stones = ["h8", "h9", "h10"].map(|point| point.parse().unwrap());
//! let opening = canonical::recognise(Size::STANDARD, stones).unwrap();
//! assert_eq!((opening.code, opening.english), ("D1", "Cold Star"));
//! assert_eq!((opening.japanese, opening.romaji), ("寒星", "Kansei"));
//! ```

use crate::{Point, Size, Symmetry};

/// One of the 26 openings that competition renju names.
///
/// ```
/// use tengen_rules::canonical::ALL;
/// let direct = ALL.iter().filter(|opening| opening.is_direct()).count();
/// assert_eq!((ALL.len(), direct), (26, 13));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CanonicalOpening {
    /// `D1` to `D13` for the direct openings, `I1` to `I13` for the indirect ones.
    pub code: &'static str,
    /// The English name, which renders the Japanese one: `Cold Star`. Writers differ over some.
    pub english: &'static str,
    /// The Japanese name, after RIF's list: `寒星`.
    pub japanese: &'static str,
    /// The Japanese name in Latin letters, long vowels unmarked: `Kansei`.
    pub romaji: &'static str,
    /// The Chinese name in simplified characters: `寒星`.
    pub chinese: &'static str,
    /// The three stones on 15×15 in the orientation of the tables, in the order laid.
    pub points: [Point; 3],
}

impl CanonicalOpening {
    /// Whether White's stone stands beside Black's first, not diagonally from it.
    pub const fn is_direct(&self) -> bool {
        self.points[1].x() == self.points[0].x()
    }
}

/// All of them, the direct ones first, each kind in the order of its numbers.
pub static ALL: [CanonicalOpening; 26] = [
    opening("D1", ["Cold Star", "寒星", "Kansei", "寒星"], (7, 8), (7, 9)),
    opening("D2", ["Valley Moon", "渓月", "Keigetsu", "溪月"], (7, 8), (8, 9)),
    opening("D3", ["Sparse Star", "疎星", "Sosei", "疏星"], (7, 8), (9, 9)),
    opening("D4", ["Flower Moon", "花月", "Kagetsu", "花月"], (7, 8), (8, 8)),
    opening("D5", ["Lingering Moon", "残月", "Zangetsu", "残月"], (7, 8), (9, 8)),
    opening("D6", ["Rain Moon", "雨月", "Ugetsu", "雨月"], (7, 8), (8, 7)),
    opening("D7", ["Golden Star", "金星", "Kinsei", "金星"], (7, 8), (9, 7)),
    opening("D8", ["Pine Moon", "松月", "Shogetsu", "松月"], (7, 8), (7, 6)),
    opening("D9", ["Hill Moon", "丘月", "Kyugetsu", "丘月"], (7, 8), (8, 6)),
    opening("D10", ["New Moon", "新月", "Shingetsu", "新月"], (7, 8), (9, 6)),
    opening("D11", ["Lucky Star", "瑞星", "Zuisei", "瑞星"], (7, 8), (7, 5)),
    opening("D12", ["Mountain Moon", "山月", "Sangetsu", "山月"], (7, 8), (8, 5)),
    opening("D13", ["Wandering Star", "遊星", "Yusei", "游星"], (7, 8), (9, 5)),
    opening("I1", ["Long Star", "長星", "Chosei", "长星"], (8, 8), (9, 9)),
    opening("I2", ["Gorge Moon", "峡月", "Kyogetsu", "峡月"], (8, 8), (9, 8)),
    opening("I3", ["Fixed Star", "恒星", "Kosei", "恒星"], (8, 8), (9, 7)),
    opening("I4", ["Water Moon", "水月", "Suigetsu", "水月"], (8, 8), (9, 6)),
    opening("I5", ["Shooting Star", "流星", "Ryusei", "流星"], (8, 8), (9, 5)),
    opening("I6", ["Cloud Moon", "雲月", "Ungetsu", "云月"], (8, 8), (8, 7)),
    opening("I7", ["Shore Moon", "浦月", "Hogetsu", "浦月"], (8, 8), (8, 6)),
    opening("I8", ["Storm Moon", "嵐月", "Rangetsu", "岚月"], (8, 8), (8, 5)),
    opening("I9", ["Silver Moon", "銀月", "Gingetsu", "银月"], (8, 8), (7, 6)),
    opening("I10", ["Bright Star", "明星", "Myojo", "明星"], (8, 8), (7, 5)),
    opening("I11", ["Slanting Moon", "斜月", "Shagetsu", "斜月"], (8, 8), (6, 6)),
    opening("I12", ["Harvest Moon", "名月", "Meigetsu", "名月"], (8, 8), (6, 5)),
    opening("I13", ["Comet", "彗星", "Suisei", "彗星"], (8, 8), (5, 5)),
];

const fn opening(
    code: &'static str,
    [english, japanese, romaji, chinese]: [&'static str; 4],
    second: (u8, u8),
    third: (u8, u8),
) -> CanonicalOpening {
    let points = [Point::new(7, 7), Point::new(second.0, second.1), Point::new(third.0, third.1)];
    CanonicalOpening { code, english, japanese, romaji, chinese, points }
}

/// The opening that three stones make in any of its 8 orientations, the first on the centre of a
/// board of this size; none if they make none.
///
/// ```
/// use tengen_rules::{Size, canonical};
/// let stones = ["h8", "g8", "g7"].map(|point| point.parse().unwrap());
/// let opening = canonical::recognise(Size::STANDARD, stones).unwrap();
/// assert_eq!((opening.code, opening.romaji, opening.chinese), ("D4", "Kagetsu", "花月"));
/// ```
pub fn recognise(size: Size, stones: [Point; 3]) -> Option<&'static CanonicalOpening> {
    let center = size.center();
    if stones[0] != center || !stones.iter().all(|stone| size.contains(*stone)) {
        return None;
    }
    let laid = [stones[1], stones[2]].map(|stone| offset(stone, center));
    ALL.iter().find(|opening| {
        let [first, second, third] = opening.points;
        let named = [second, third].map(|stone| offset(stone, first));
        Symmetry::ALL.into_iter().any(|symmetry| named.map(|stone| symmetry.offset(stone)) == laid)
    })
}

/// How far a point lies from another, to the right and upwards.
const fn offset(point: Point, from: Point) -> (i8, i8) {
    (point.x() as i8 - from.x() as i8, point.y() as i8 - from.y() as i8)
}
