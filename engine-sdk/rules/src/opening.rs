//! An opening procedure while it runs: it asks one seat at a time.

use alloc::vec::Vec;

use crate::plan::{NextStep, Plan, StepAsk};
use crate::{
    Alike, Answer, Ask, BySeat, Color, IllegalAnswer, Move, OpeningError, OpeningSettings, Point,
    Position, Procedure, Rule, Seat, Size, Zone, canonical,
};

/// An opening procedure under way: it asks one seat at a time and takes its answer.
///
/// Swap2, with the second seat laying two more stones and the first one taking White:
/// ```
/// use tengen_rules::*;
/// let settings = OpeningSettings::new(Procedure::Swap2);
/// let mut opening = Opening::new(&settings, Rule::Freestyle, Size::STANDARD).unwrap();
/// let points = |text: &str| text.split(' ').map(|point| point.parse().unwrap()).collect();
///
/// opening.answer(Seat::First, &Answer::Place(points("h8 i9 g6"))).unwrap();
/// assert_eq!(opening.asked(), Some((Seat::Second, Ask::ChooseOrPlace { count: 2 })));
/// opening.answer(Seat::Second, &Answer::Place(points("k4 e11"))).unwrap();
/// opening.answer(Seat::First, &Answer::Choose(Color::White)).unwrap();
/// assert_eq!(opening.asked(), None);
/// assert_eq!(opening.colors()[Seat::First], Color::White);
/// assert_eq!(opening.stones().len(), 5);
/// ```
///
/// The steps of each procedure, and a game's opening by each, stand with [`Procedure`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    plan: Plan,
    /// The step that is asked; past the last one the opening is over.
    step: usize,
    size: Size,
    fifth_moves: (u8, u8),
    alike: Alike,
    stones: Vec<Point>,
    colors: BySeat<Color>,
    declared: Option<u8>,
    offered: Vec<Point>,
}

impl Opening {
    /// The start of an opening, with the first seat holding Black.
    ///
    /// # Errors
    /// When the settings do not fit together, or not to the rule and the board.
    pub fn new(
        settings: &OpeningSettings,
        rule: Rule,
        size: Size,
    ) -> Result<Opening, OpeningError> {
        let OpeningSettings { procedure, fifth_moves, alike, ref book } = *settings;
        let plan = procedure.plan();
        check_board(procedure, plan, size)?;
        if procedure != Procedure::Book && !book.is_empty() {
            return Err(OpeningError::NoBook(procedure));
        }
        check_book(book, rule, size)?;
        Ok(Opening {
            plan,
            step: 0,
            size,
            fifth_moves: range(procedure, plan, fifth_moves)?,
            alike,
            stones: book.clone(),
            colors: BySeat { first: Color::Black, second: Color::White },
            declared: None,
            offered: Vec::new(),
        })
    }

    /// The seat that is asked and what it is asked; none when the opening is over.
    pub fn asked(&self) -> Option<(Seat, Ask)> {
        let step = self.plan.steps.get(self.step)?;
        let ask = match step.task {
            StepAsk::Ask(ask) => ask,
            StepAsk::Declare => Ask::Declare { min: self.fifth_moves.0, max: self.fifth_moves.1 },
            StepAsk::OfferDeclared => {
                Ask::Offer { count: self.declared.expect("declared before it is offered") }
            }
        };
        let seat = if self.colors.first == step.color { Seat::First } else { Seat::Second };
        Some((seat, ask))
    }

    /// The stones laid so far, colours alternating from Black; a kept fifth move is one of them.
    pub fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// The colour that each seat holds now.
    pub fn colors(&self) -> BySeat<Color> {
        self.colors
    }

    /// The fifth moves on offer, in the order offered, while one is to be picked.
    pub fn offered(&self) -> &[Point] {
        &self.offered
    }

    /// The number of fifth moves declared, if it has been.
    pub fn declared(&self) -> Option<u8> {
        self.declared
    }

    /// How many fifth moves Black is to offer, as far as that is settled: a number twice once it
    /// is declared or where the procedure fixes it, before that the range it may be declared from.
    /// None where no fifth moves need be offered.
    ///
    /// ```
    /// use tengen_rules::*;
    /// let settings = OpeningSettings::new(Procedure::Contest);
    /// let mut opening = Opening::new(&settings, Rule::Renju, Size::STANDARD).unwrap();
    /// assert_eq!(opening.fifth_moves(), Some((1, 5)));
    /// let stones = ["h8", "h9", "i9"].map(|point| point.parse().unwrap());
    /// opening.answer(Seat::First, &Answer::Place(stones.to_vec())).unwrap();
    /// opening.answer(Seat::First, &Answer::Declare(3)).unwrap();
    /// assert_eq!(opening.fifth_moves(), Some((3, 3)));
    /// ```
    pub fn fifth_moves(&self) -> Option<(u8, u8)> {
        let fixed = self.plan.steps.iter().find_map(|step| match step.task {
            StepAsk::Ask(Ask::Offer { count }) => Some((count, count)),
            StepAsk::Declare => Some(self.fifth_moves),
            _ => None,
        });
        self.declared.map(|number| (number, number)).or(fixed)
    }

    /// When two offered fifth moves count as the same.
    pub fn alike(&self) -> Alike {
        self.alike
    }

    /// Takes a seat's answer and goes on to the next question.
    ///
    /// # Errors
    /// When the answer is illegal; nothing has changed then.
    pub fn answer(&mut self, seat: Seat, answer: &Answer) -> Result<(), IllegalAnswer> {
        let (asked, ask) = self.asked().ok_or(IllegalAnswer::OpeningOver)?;
        if seat != asked {
            return Err(IllegalAnswer::NotAsked { asked });
        }
        let step = self.plan.steps[self.step];
        let aside = self.take(seat, ask, answer)?;
        self.step = match if aside { step.aside } else { step.next } {
            NextStep::Below => self.step + 1,
            NextStep::PlanStep(number) => usize::from(number),
            NextStep::Play => self.plan.steps.len(),
        };
        Ok(())
    }

    /// Does what the answer says, and tells whether it is the one that leads aside.
    fn take(&mut self, seat: Seat, ask: Ask, answer: &Answer) -> Result<bool, IllegalAnswer> {
        match (ask, answer) {
            (Ask::Place { count, zone, canonical }, Answer::Place(points)) => {
                self.place(points, count, zone, canonical)?;
                Ok(false)
            }
            (Ask::ChooseOrPlace { count }, Answer::Place(points)) => {
                self.place(points, count, Zone::Anywhere, false)?;
                Ok(false)
            }
            (Ask::Choose | Ask::ChooseOrPlace { .. }, Answer::Choose(color)) => {
                self.colors[seat] = *color;
                self.colors[!seat] = !*color;
                Ok(true)
            }
            (Ask::Swap, Answer::Swap(swap)) => {
                if *swap {
                    self.colors = self.colors.map(|color| !color);
                }
                Ok(*swap)
            }
            (Ask::Declare { min, max }, Answer::Declare(number)) => {
                let given = *number;
                if given < min || given > max {
                    return Err(IllegalAnswer::OutOfRange { min, max, given });
                }
                self.declared = Some(given);
                Ok(false)
            }
            (Ask::Offer { count } | Ask::MoveOrOffer { count, .. }, Answer::Offer(points)) => {
                self.offer(points, count)?;
                Ok(true)
            }
            (Ask::Pick, Answer::Pick(point)) => {
                self.pick(*point)?;
                Ok(false)
            }
            (Ask::Move { zone } | Ask::MoveOrOffer { zone, .. }, Answer::Move(mv)) => {
                self.lay(*mv, zone)?;
                Ok(false)
            }
            (asked, _) => Err(IllegalAnswer::WrongKind { asked }),
        }
    }

    fn place(
        &mut self,
        points: &[Point],
        count: u8,
        zone: Zone,
        canonical: bool,
    ) -> Result<(), IllegalAnswer> {
        self.check_points(points, count, zone)?;
        if canonical {
            let stones = self.stones.iter().chain(points).copied();
            let first: Vec<Point> = stones.take(3).collect();
            let first: [Point; 3] =
                first.try_into().expect("a canonical opening is asked for as three stones");
            canonical::recognise(self.size, first).ok_or(IllegalAnswer::NotCanonical(first))?;
        }
        self.stones.extend(points);
        Ok(())
    }

    /// Fifth moves need no check for fouls. They are Black's third stone: an overline takes six, a
    /// four takes four, and of two threes that meet in one stone the other four would be missing.
    fn offer(&mut self, points: &[Point], count: u8) -> Result<(), IllegalAnswer> {
        self.check_points(points, count, Zone::Anywhere)?;
        let four: &[Point; 4] =
            self.stones.as_slice().try_into().expect("a fifth move follows four stones");
        for (index, one) in points.iter().enumerate() {
            let alike = |other: &&Point| self.alike.holds(self.size, four, **other, *one);
            if let Some(other) = points[..index].iter().find(alike) {
                return Err(IllegalAnswer::TooAlike(*other, *one));
            }
        }
        self.offered = points.to_vec();
        Ok(())
    }

    fn pick(&mut self, point: Point) -> Result<(), IllegalAnswer> {
        if !self.offered.contains(&point) {
            return Err(IllegalAnswer::NotOffered(point));
        }
        self.offered.clear();
        self.stones.push(point);
        Ok(())
    }

    fn lay(&mut self, mv: Move, zone: Zone) -> Result<(), IllegalAnswer> {
        let point = mv.point().ok_or(IllegalAnswer::Pass)?;
        self.check_points(&[point], 1, zone)?;
        self.stones.push(point);
        Ok(())
    }

    /// Whether these are as many different empty points of the zone as were asked.
    fn check_points(&self, points: &[Point], asked: u8, zone: Zone) -> Result<(), IllegalAnswer> {
        if points.len() != usize::from(asked) {
            return Err(IllegalAnswer::WrongCount { asked, given: points.len() });
        }
        for (index, &point) in points.iter().enumerate() {
            if !self.size.contains(point) {
                return Err(IllegalAnswer::OffBoard(point));
            }
            if self.stones.contains(&point) {
                return Err(IllegalAnswer::Occupied(point));
            }
            if points[..index].contains(&point) {
                return Err(IllegalAnswer::Repeated(point));
            }
            if !zone.contains(point, self.size) {
                return Err(IllegalAnswer::OutOfZone(point, zone));
            }
        }
        Ok(())
    }
}

/// Whether the board is one the procedure can be played on.
fn check_board(procedure: Procedure, plan: Plan, size: Size) -> Result<(), OpeningError> {
    if plan.standard_board && size != Size::STANDARD {
        return Err(OpeningError::BoardSize { procedure, size });
    }
    let has_room = plan.steps.iter().all(|step| match step.task {
        StepAsk::Ask(Ask::Move { zone }) => size.points().any(|point| zone.contains(point, size)),
        _ => true,
    });
    if !has_room {
        return Err(OpeningError::NoRoom { procedure, size });
    }
    Ok(())
}

fn check_book(book: &[Point], rule: Rule, size: Size) -> Result<(), OpeningError> {
    let mut position = Position::new(rule, size);
    for &point in book {
        if position.play(point).map_err(OpeningError::BookStone)?.is_some() {
            return Err(OpeningError::BookEnds(point));
        }
    }
    Ok(())
}

/// The numbers of fifth moves that may be declared; 0 to 0 where none are.
fn range(
    procedure: Procedure,
    plan: Plan,
    of_event: Option<(u8, u8)>,
) -> Result<(u8, u8), OpeningError> {
    match (plan.fifth_moves, of_event) {
        (own, None) => Ok(own.unwrap_or_default()),
        (None, Some(_)) => Err(OpeningError::NothingDeclared(procedure)),
        (Some(_), Some((min, max))) => {
            if min == 0 || min > max || max > OpeningSettings::MOST_FIFTH_MOVES {
                return Err(OpeningError::FifthMoves { min, max });
            }
            Ok((min, max))
        }
    }
}
