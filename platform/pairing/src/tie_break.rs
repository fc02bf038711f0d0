use std::fmt;
use std::str::FromStr;

/// What decides between players of equal points (FIDE Handbook C.07).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The sum of the opponents' points (art. 8.1). A bye counts as an opponent with the player's
    /// own points (art. 16.4).
    Buchholz,
    /// The same without the lowest (art. 14.1).
    BuchholzCut1,
    /// The same without the lowest and the highest (art. 14.3).
    MedianBuchholz,
    /// The sum of the opponents' points, each times the points made against it (art. 9.1).
    SonnebornBerger,
    /// The points among those that are equal, if all of them have met (art. 6).
    Direct,
    /// The number of meetings won, byes not counted (art. 7.2).
    Wins,
}

impl TieBreak {
    pub const ALL: [TieBreak; 6] = [
        TieBreak::Buchholz,
        TieBreak::BuchholzCut1,
        TieBreak::MedianBuchholz,
        TieBreak::SonnebornBerger,
        TieBreak::Direct,
        TieBreak::Wins,
    ];

    /// Its name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::Buchholz => "buchholz",
            TieBreak::BuchholzCut1 => "buchholz-cut1",
            TieBreak::MedianBuchholz => "median-buchholz",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::Direct => "direct",
            TieBreak::Wins => "wins",
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TieBreak {
    type Err = ();

    fn from_str(text: &str) -> Result<TieBreak, ()> {
        TieBreak::ALL.into_iter().find(|tie_break| tie_break.name() == text).ok_or(())
    }
}
