//! What a brain reports of its search.

use alloc::vec::Vec;
use core::fmt;

use tengen_arbiter::SearchInfo;
use tengen_rules::{Point, Size};

use crate::Coords;

mod number;
mod words;

/// What a brain says of its search in MESSAGE, DEBUG and INFO lines, as far as it can be read.
///
/// The form of these lines was never fixed. Two families are common: words and values as in UCI
/// (`depth 12-16 ev 35 n 240K pv H8 I9`: Yixin, Embryo, AlphaGomoku, Rapfi in one of its modes),
/// and the same between bars (`Depth 12-24 | Eval 42 | Time 350ms | H8 I9`: Rapfi, Yixin's board).
/// A line is read from its front, and after each bar, as long as its words are known. What is not
/// certain is left out: evaluations with a decimal point, which some engines give as percentages;
/// rows of several variations but the best; anything behind an unknown word.
///
/// ```
/// use tengen_gomocup::SearchReport;
/// let report = SearchReport::parse("Depth 12-24 | Eval -42 | Time 350ms | H8 I9").unwrap();
/// assert_eq!((report.info.depth, report.info.seldepth), (12, 24));
/// assert_eq!(report.info.eval, Some(-42));
/// assert_eq!(report.pv.len(), 2);
/// assert_eq!(SearchReport::parse("ev +M7 n 1.5M").unwrap().info.win_in, Some(7));
/// assert_eq!(SearchReport::parse("Max depth 99 is too deep"), None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchReport {
    /// The numbers; what is not reported is none, or 0. A mate `+M7` is a win in seven plies, `-M4`
    /// a loss in four.
    pub info: SearchInfo,
    /// The time used, in milliseconds.
    pub time_ms: Option<u64>,
    /// The best line of play, its first move first.
    pub pv: Vec<PvMove>,
}

/// A move of a principal variation, as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PvMove {
    /// `7,8`: as in the protocol.
    Coords(Coords),
    /// `H8`: a letter for the column and a number for the row, from 1.
    Label { column: u8, row: u8 },
}

/// From where a brain counts the rows of labels like `H8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rows {
    /// Row 1 is the top row, as in the protocol: Rapfi, and most.
    #[default]
    FromTop,
    /// Row 1 is the bottom row, as on a board for people.
    FromBottom,
}

impl Rows {
    pub(crate) const fn other(self) -> Rows {
        match self {
            Rows::FromTop => Rows::FromBottom,
            Rows::FromBottom => Rows::FromTop,
        }
    }
}

impl PvMove {
    /// The point, if it is one of the board.
    pub fn on(self, size: Size, rows: Rows) -> Option<Point> {
        let (column, row) = match self {
            PvMove::Coords(coords) => return coords.on(size),
            PvMove::Label { column, row } => (column, row.checked_sub(1)?),
        };
        let coords = Coords { x: column.into(), y: row.into() };
        match rows {
            Rows::FromTop => coords.on(size),
            Rows::FromBottom => Some(Point::new(column, row)).filter(|point| size.contains(*point)),
        }
    }
}

impl SearchReport {
    /// Reads what follows the word MESSAGE, DEBUG or INFO; none if nothing in it is understood.
    pub fn parse(text: &str) -> Option<SearchReport> {
        words::read(text)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == SearchReport::default()
    }

    /// Takes what a later line reports; the rest stays.
    pub fn update(&mut self, later: SearchReport) {
        let SearchReport { info, time_ms, pv } = later;
        if info.eval.is_some() || info.win_in.is_some() {
            (self.info.eval, self.info.win_in) = (info.eval, info.win_in);
        }
        if info.depth > 0 {
            (self.info.depth, self.info.seldepth) = (info.depth, info.seldepth);
        } else if info.seldepth > 0 {
            self.info.seldepth = info.seldepth;
        }
        if info.nodes > 0 {
            self.info.nodes = info.nodes;
        }
        self.time_ms = time_ms.or(self.time_ms);
        if !pv.is_empty() {
            self.pv = pv;
        }
    }

    /// The best line of play as points of the board, up to the first that is none.
    pub fn line(&self, size: Size, rows: Rows) -> Vec<Point> {
        self.pv.iter().map_while(|mv| mv.on(size, rows)).collect()
    }
}

impl fmt::Display for PvMove {
    /// As it was written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PvMove::Coords(coords) => coords.fmt(f),
            PvMove::Label { column, row } => write!(f, "{}{row}", char::from(b'A' + column % 26)),
        }
    }
}
