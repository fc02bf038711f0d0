//! The opening procedures and their names.

use core::fmt;
use core::str::FromStr;

/// How a game begins: which player lays which stones, and which may take which colour.
///
/// The steps below name the seats A, the first one, which holds Black to begin with, and B, the
/// second one. "Black" and "White" are the seat that holds the colour when the step is reached: a
/// swap exchanges the colours between the seats and leaves the stones. The central k×k is the
/// square of so many points around the centre. A pass is no answer to any step, and clocks run at
/// each.
///
/// | procedure | board | stones | choice of colours | fifth moves |
/// |---|---|---|---|---|
/// | [`None`](Procedure::None) | any | 0 | | |
/// | [`Book`](Procedure::Book) | any | as given | | |
/// | [`Pro`](Procedure::Pro) | any with room | 3 | | |
/// | [`LongPro`](Procedure::LongPro) | any with room | 3 | | |
/// | [`Swap`](Procedure::Swap) | any | 3 | B | |
/// | [`Swap2`](Procedure::Swap2) | any | 3 or 5 | B, or A after two more stones | |
/// | [`Rif`](Procedure::Rif) | 15×15 | 5 | B may swap | 2 |
/// | [`Contest`](Procedure::Contest) | 15×15 | 5 | B may swap | 1 to 5, by A before the swap |
/// | [`Yamaguchi`](Procedure::Yamaguchi) | 15×15 | 5 | B may swap | 1 to 12, likewise |
/// | [`Soosorv8`](Procedure::Soosorv8) | 15×15 | 5 | B may swap, then Black | 1 to 8, by White |
/// | [`Taraguchi10`](Procedure::Taraguchi10) | 15×15 | 5 | a swap after every stone | 10, or one |
///
/// Fifth moves on offer are empty points, no two of them the same or [alike](crate::Alike), and
/// legal for Black. They always are: Black's third stone completes no four and at most one three.
///
/// ```
/// use tengen_rules::Procedure;
/// assert_eq!("swap2".parse(), Ok(Procedure::Swap2));
/// assert_eq!(Procedure::from_number(Procedure::Rif.number()), Some(Procedure::Rif));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Procedure {
    /// No procedure: Black plays anywhere.
    ///
    /// Source: the rules of play alone.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// let settings = OpeningSettings::new(Procedure::None);
    /// let opening = Opening::new(&settings, Rule::Freestyle, Size::STANDARD)?;
    /// assert_eq!(opening.stones(), []);
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    None,
    /// The event gives the position, from an opening book.
    ///
    /// 1. The book's stones lie there, colours alternating from Black; no question is asked.
    ///
    /// A book with stones that end the game is refused. Source: Gomocup's balanced openings.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// let book = points("h8 i9 k7");
    /// let settings = OpeningSettings { book, ..OpeningSettings::new(Procedure::Book) };
    /// let opening = Opening::new(&settings, Rule::Freestyle, Size::STANDARD)?;
    /// assert_eq!(opening.stones(), points("h8 i9 k7"));
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Book,
    /// Black's second stone keeps away from the centre.
    ///
    /// 1. A lays black on the centre.
    /// 2. B lays white anywhere.
    /// 3. A lays black outside the central 5×5.
    ///
    /// The board must have a point out there. Source: the gomoku rules of RIF.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # fn stone(point: &str) -> Answer { Answer::Move(Move::Stone(point.parse().unwrap())) }
    /// let settings = OpeningSettings::new(Procedure::Pro);
    /// let mut opening = Opening::new(&settings, Rule::Standard, Size::STANDARD)?;
    /// opening.answer(First, &stone("h8"))?;
    /// opening.answer(Second, &stone("h9"))?;
    /// assert!(opening.answer(First, &stone("j10")).is_err());
    /// opening.answer(First, &stone("k11"))?;
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Pro,
    /// As [`Procedure::Pro`], with a wider square.
    ///
    /// 1. A lays black on the centre.
    /// 2. B lays white anywhere.
    /// 3. A lays black outside the central 7×7.
    ///
    /// The board must have a point out there. Source: the gomoku rules of RIF.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # fn stone(point: &str) -> Answer { Answer::Move(Move::Stone(point.parse().unwrap())) }
    /// let settings = OpeningSettings::new(Procedure::LongPro);
    /// let mut opening = Opening::new(&settings, Rule::Standard, Size::STANDARD)?;
    /// opening.answer(First, &stone("h8"))?;
    /// opening.answer(Second, &stone("h9"))?;
    /// assert!(opening.answer(First, &stone("k11")).is_err());
    /// opening.answer(First, &stone("l12"))?;
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    LongPro,
    /// One lays, the other chooses.
    ///
    /// 1. A lays black, white and black anywhere.
    /// 2. B takes a colour.
    ///
    /// White moves. Source: the gomoku rules of RIF.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// let settings = OpeningSettings::new(Procedure::Swap);
    /// let mut opening = Opening::new(&settings, Rule::Freestyle, Size::STANDARD)?;
    /// opening.answer(First, &Answer::Place(points("h8 a1 j9")))?;
    /// assert_eq!(opening.asked(), Some((Second, Ask::Choose)));
    /// opening.answer(Second, &Answer::Choose(Color::Black))?;
    /// assert_eq!(opening.colors()[First], Color::White);
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Swap,
    /// One lays, the other chooses or lays on.
    ///
    /// 1. A lays black, white and black anywhere.
    /// 2. B takes White or takes Black, and ordinary play begins; or B lays white and black
    ///    anywhere.
    /// 3. After two more stones, A takes a colour.
    ///
    /// White moves. Source: the gomoku rules of RIF, as Gomocup plays them too.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// let settings = OpeningSettings::new(Procedure::Swap2);
    /// let mut opening = Opening::new(&settings, Rule::Freestyle, Size::STANDARD)?;
    /// opening.answer(First, &Answer::Place(points("h8 i9 g6")))?;
    /// assert_eq!(opening.asked(), Some((Second, Ask::ChooseOrPlace { count: 2 })));
    /// let mut taken = opening.clone();
    /// taken.answer(Second, &Answer::Choose(Color::White))?;
    /// assert_eq!((taken.asked(), taken.stones().len()), (None, 3));
    ///
    /// opening.answer(Second, &Answer::Place(points("k4 e11")))?;
    /// assert_eq!(opening.asked(), Some((First, Ask::Choose)));
    /// opening.answer(First, &Answer::Choose(Color::White))?;
    /// assert_eq!(opening.colors()[First], Color::White);
    /// assert_eq!(opening.stones().len(), 5);
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Swap2,
    /// RIF classic: a canonical opening, a swap, two fifth moves.
    ///
    /// 1. A lays one of the 26 [canonical openings](crate::canonical), in any orientation.
    /// 2. B may swap.
    /// 3. White lays the fourth stone anywhere.
    /// 4. Black offers two fifth moves.
    /// 5. White keeps one of them.
    ///
    /// White moves. Source: RIF, the opening rule of 1996.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// # fn stone(point: &str) -> Answer { Answer::Move(Move::Stone(point.parse().unwrap())) }
    /// let settings = OpeningSettings::new(Procedure::Rif);
    /// let mut opening = Opening::new(&settings, Rule::Renju, Size::STANDARD)?;
    /// opening.answer(First, &Answer::Place(points("h8 h9 i9")))?;
    /// opening.answer(Second, &Answer::Swap(false))?;
    /// opening.answer(Second, &stone("i10"))?;
    /// assert_eq!(opening.asked(), Some((First, Ask::Offer { count: 2 })));
    /// opening.answer(First, &Answer::Offer(points("g8 j8")))?;
    /// assert_eq!(opening.asked(), Some((Second, Ask::Pick)));
    /// opening.answer(Second, &Answer::Pick("j8".parse()?))?;
    /// assert_eq!(opening.stones(), points("h8 h9 i9 i10 j8"));
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Rif,
    /// The Chinese competition rules: 指定开局, 三手交换, 五手N打.
    ///
    /// 1. A lays one of the 26 [canonical openings](crate::canonical), in any orientation.
    /// 2. A declares the number N of fifth moves: 1 to 5, unless the event says otherwise.
    /// 3. B may swap.
    /// 4. White lays the fourth stone anywhere.
    /// 5. Black offers N fifth moves.
    /// 6. White keeps one of them.
    ///
    /// White moves. Source: 2013, the Chinese competition rules.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// # fn stone(point: &str) -> Answer { Answer::Move(Move::Stone(point.parse().unwrap())) }
    /// let settings = OpeningSettings::new(Procedure::Contest);
    /// let mut opening = Opening::new(&settings, Rule::Renju, Size::STANDARD)?;
    /// opening.answer(First, &Answer::Place(points("h8 h9 i9")))?;
    /// assert_eq!(opening.asked(), Some((First, Ask::Declare { min: 1, max: 5 })));
    /// opening.answer(First, &Answer::Declare(3))?;
    /// opening.answer(Second, &Answer::Swap(true))?;
    /// opening.answer(First, &stone("i10"))?;
    /// opening.answer(Second, &Answer::Offer(points("g8 j8 h6")))?;
    /// opening.answer(First, &Answer::Pick("j8".parse()?))?;
    /// assert_eq!(opening.colors()[First], Color::White);
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Contest,
    /// Up to twelve fifth moves, declared before the swap.
    ///
    /// 1. A lays one of the 26 [canonical openings](crate::canonical), in any orientation.
    /// 2. A declares the number N of fifth moves: 1 to 12, unless the event says otherwise.
    /// 3. B may swap.
    /// 4. White lays the fourth stone anywhere.
    /// 5. Black offers N fifth moves.
    /// 6. White keeps one of them.
    ///
    /// White moves. Source: RIF, the Yamaguchi opening rule.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// # fn stone(point: &str) -> Answer { Answer::Move(Move::Stone(point.parse().unwrap())) }
    /// let settings = OpeningSettings::new(Procedure::Yamaguchi);
    /// let mut opening = Opening::new(&settings, Rule::Renju, Size::STANDARD)?;
    /// opening.answer(First, &Answer::Place(points("h8 i9 j10")))?;
    /// assert_eq!(opening.asked(), Some((First, Ask::Declare { min: 1, max: 12 })));
    /// opening.answer(First, &Answer::Declare(1))?;
    /// opening.answer(Second, &Answer::Swap(false))?;
    /// opening.answer(Second, &stone("h9"))?;
    /// opening.answer(First, &Answer::Offer(points("g8")))?;
    /// opening.answer(Second, &Answer::Pick("g8".parse()?))?;
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Yamaguchi,
    /// Soosõrv-8: up to eight fifth moves, declared along with the fourth stone.
    ///
    /// 1. A lays one of the 26 [canonical openings](crate::canonical), in any orientation.
    /// 2. B may swap.
    /// 3. White lays the fourth stone anywhere.
    /// 4. White declares the number N of fifth moves: 1 to 8; an event that sets another range
    ///    plays a Soosõrv opening of its own.
    /// 5. Black may swap.
    /// 6. Black offers N fifth moves.
    /// 7. White keeps one of them.
    ///
    /// White moves. Source: RIF, the Soosõrv-8 opening rule.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// # fn stone(point: &str) -> Answer { Answer::Move(Move::Stone(point.parse().unwrap())) }
    /// let settings = OpeningSettings::new(Procedure::Soosorv8);
    /// let mut opening = Opening::new(&settings, Rule::Renju, Size::STANDARD)?;
    /// opening.answer(First, &Answer::Place(points("h8 i9 j10")))?;
    /// opening.answer(Second, &Answer::Swap(false))?;
    /// opening.answer(Second, &stone("h9"))?;
    /// assert_eq!(opening.asked(), Some((Second, Ask::Declare { min: 1, max: 8 })));
    /// opening.answer(Second, &Answer::Declare(2))?;
    /// opening.answer(First, &Answer::Swap(true))?;
    /// opening.answer(Second, &Answer::Offer(points("g8 j8")))?;
    /// opening.answer(First, &Answer::Pick("g8".parse()?))?;
    /// assert_eq!(opening.colors()[First], Color::White);
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Soosorv8,
    /// Taraguchi-10: a swap after every stone, or ten fifth moves.
    ///
    /// 1. A lays black on the centre.
    /// 2. White may swap.
    /// 3. White lays within the central 3×3.
    /// 4. Black may swap.
    /// 5. Black lays within the central 5×5.
    /// 6. White may swap.
    /// 7. White lays within the central 7×7.
    /// 8. Black may swap. The seat that holds Black after a swap goes on with step 9 and offers
    ///    nothing.
    /// 9. Black lays the fifth stone within the central 9×9; or, having made no swap in step 8,
    ///    offers ten fifth moves anywhere.
    /// 10. After a stone, White may swap; after an offer, White keeps one of the ten.
    ///
    /// White moves. Source: RIF, the Taraguchi-10 opening rule.
    ///
    /// ```
    /// # use tengen_rules::{*, Seat::*};
    /// # let points = |t: &str| t.split(' ').map(|p| p.parse().unwrap()).collect::<Vec<Point>>();
    /// # fn stone(point: &str) -> Answer { Answer::Move(Move::Stone(point.parse().unwrap())) }
    /// let settings = OpeningSettings::new(Procedure::Taraguchi10);
    /// let mut opening = Opening::new(&settings, Rule::Renju, Size::STANDARD)?;
    /// for point in ["h8", "h9", "i9", "g8"] {
    ///     let (seat, _) = opening.asked().unwrap();
    ///     opening.answer(seat, &stone(point))?;
    ///     opening.answer(!seat, &Answer::Swap(false))?;
    /// }
    /// let mut lays = opening.clone();
    /// lays.answer(First, &stone("k7"))?;
    /// lays.answer(Second, &Answer::Swap(true))?;
    /// assert_eq!((lays.asked(), lays.colors()[First]), (None, Color::White));
    ///
    /// let ten = points("a1 b3 c5 d7 e9 f11 g13 h15 i1 j3");
    /// opening.answer(First, &Answer::Offer(ten))?;
    /// opening.answer(Second, &Answer::Pick("f11".parse()?))?;
    /// assert_eq!(opening.asked(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Taraguchi10,
}

impl Procedure {
    /// Every procedure, in the order of its numbers.
    pub const ALL: [Procedure; 11] = [
        Procedure::None,
        Procedure::Book,
        Procedure::Pro,
        Procedure::LongPro,
        Procedure::Swap,
        Procedure::Swap2,
        Procedure::Rif,
        Procedure::Contest,
        Procedure::Yamaguchi,
        Procedure::Soosorv8,
        Procedure::Taraguchi10,
    ];

    /// The word for it on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Procedure::None => "none",
            Procedure::Book => "book",
            Procedure::Pro => "pro",
            Procedure::LongPro => "long-pro",
            Procedure::Swap => "swap",
            Procedure::Swap2 => "swap2",
            Procedure::Rif => "rif",
            Procedure::Contest => "contest",
            Procedure::Yamaguchi => "yamaguchi",
            Procedure::Soosorv8 => "soosorv8",
            Procedure::Taraguchi10 => "taraguchi10",
        }
    }

    /// Its number in the engine ABI, 0 to 10.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The procedure with this number in the engine ABI.
    pub fn from_number(number: u16) -> Option<Procedure> {
        Procedure::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no opening procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseProcedureError;

impl fmt::Display for ParseProcedureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an opening procedure: expected one of")?;
        Procedure::ALL.into_iter().try_for_each(|procedure| write!(f, " {procedure}"))
    }
}

impl core::error::Error for ParseProcedureError {}

impl FromStr for Procedure {
    type Err = ParseProcedureError;

    fn from_str(text: &str) -> Result<Procedure, ParseProcedureError> {
        Procedure::ALL.into_iter().find(|p| p.name() == text).ok_or(ParseProcedureError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The procedure after it. A new one needs an arm here, and then its place in
    /// [`Procedure::ALL`].
    fn next(procedure: Procedure) -> Option<Procedure> {
        match procedure {
            Procedure::None => Some(Procedure::Book),
            Procedure::Book => Some(Procedure::Pro),
            Procedure::Pro => Some(Procedure::LongPro),
            Procedure::LongPro => Some(Procedure::Swap),
            Procedure::Swap => Some(Procedure::Swap2),
            Procedure::Swap2 => Some(Procedure::Rif),
            Procedure::Rif => Some(Procedure::Contest),
            Procedure::Contest => Some(Procedure::Yamaguchi),
            Procedure::Yamaguchi => Some(Procedure::Soosorv8),
            Procedure::Soosorv8 => Some(Procedure::Taraguchi10),
            Procedure::Taraguchi10 => None,
        }
    }

    #[test]
    fn no_procedure_is_forgotten_and_names_and_numbers_read_back() {
        let every = core::iter::successors(Some(Procedure::None), |one| next(*one));
        assert!(every.eq(Procedure::ALL));
        for (number, procedure) in (0..).zip(Procedure::ALL) {
            assert_eq!(procedure.name().parse(), Ok(procedure));
            assert_eq!(procedure.number(), number);
            assert_eq!(Procedure::from_number(number), Some(procedure));
        }
        assert_eq!(Procedure::from_number(11), None);
        assert_eq!("swap3".parse::<Procedure>(), Err(ParseProcedureError));
    }
}
