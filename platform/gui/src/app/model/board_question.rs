//! The open question to a person, and what clicks on the board answer.

use tengen_rules::{Alike, Answer, Ask, Color, Foul, Move, Point, Position, Size, Zone, canonical};

use super::{OpenQuestion, Snapshot};

/// The points that the user has clicked for an answer of several points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointSelection {
    /// The question that they are for.
    pub question: u64,
    /// The points, in the order clicked.
    pub points: Vec<Point>,
    /// Whether fifth moves are offered where one move could be played instead.
    pub offering: bool,
}

/// What a click on a point does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClickResult {
    Answer(Answer),
    /// The selected points are now these.
    Selected(Vec<Point>),
    /// Nothing, for this reason.
    Refused(ClickRefusal),
}

/// Why a click is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClickRefusal {
    Occupied(Point),
    /// Black may not play there (renju).
    Forbidden(Point, Foul),
    /// The opening wants the stone elsewhere.
    Zone(Point, Zone),
    /// Two fifth moves that count as the same.
    Alike(Point, Point),
    /// A fifth move that was not offered.
    NotOffered(Point),
    /// The three stones are none of the 26 openings.
    NotCanonical,
    /// Enough points are selected.
    Enough(u8),
    /// A decision is asked for, not a point.
    Decide,
}

/// The open question to the user, with the board it is asked on.
pub struct BoardQuestion {
    /// The board.
    pub position: Position,
    pub(in crate::app) asked: OpenQuestion,
    pub(in crate::app) offered: Vec<Point>,
    pub(in crate::app) offering: bool,
}

impl BoardQuestion {
    /// The open question, if a person at this window is to answer it.
    pub fn of(snapshot: &Snapshot, selected: &PointSelection) -> Option<BoardQuestion> {
        let asked = snapshot.asks_person()?;
        let (position, _) = snapshot.position(snapshot.rows.len())?;
        let offering = selected.question == asked.number && selected.offering;
        Some(BoardQuestion { position, asked, offered: snapshot.offered.clone(), offering })
    }

    /// How many points the answer needs; none when one click answers.
    pub fn count(&self) -> Option<u8> {
        match self.asked.ask {
            Ask::Place { count, .. } | Ask::ChooseOrPlace { count } | Ask::Offer { count } => {
                Some(count)
            }
            Ask::MoveOrOffer { count, .. } if self.offering => Some(count),
            _ => None,
        }
    }

    /// Where points are allowed; none when the answer is no point.
    pub fn zone(&self) -> Option<Zone> {
        match self.asked.ask {
            Ask::Place { canonical: true, .. } => Some(Zone::Within(2)),
            Ask::Place { zone, .. } | Ask::Move { zone } => Some(zone),
            Ask::MoveOrOffer { zone, .. } if !self.offering => Some(zone),
            Ask::Choose | Ask::Swap | Ask::Declare { .. } => None,
            _ => Some(Zone::Anywhere),
        }
    }

    /// The colour of the stone selected after so many others.
    pub fn color(&self, selected: usize) -> Color {
        match self.asked.ask {
            Ask::Place { .. } | Ask::ChooseOrPlace { .. } => {
                Color::of_ply(self.position.ply() + selected)
            }
            _ => self.position.to_move(),
        }
    }

    /// What a click does when these points are selected.
    pub fn click(&self, selected: &[Point], point: Point) -> ClickResult {
        match (self.check(selected, point), self.count()) {
            (Err(refusal), _) => ClickResult::Refused(refusal),
            (Ok(()), None) if self.asked.ask == Ask::Pick => {
                ClickResult::Answer(Answer::Pick(point))
            }
            (Ok(()), None) => ClickResult::Answer(Answer::Move(Move::Stone(point))),
            (Ok(()), Some(_)) => {
                let mut points = selected.to_vec();
                match points.iter().position(|known| *known == point) {
                    Some(index) => drop(points.remove(index)),
                    None => points.push(point),
                }
                ClickResult::Selected(points)
            }
        }
    }

    /// Whether a click is accepted.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, selected: &[Point], point: Point) -> Result<(), ClickRefusal> {
        let Some(zone) = self.zone() else {
            return Err(ClickRefusal::Decide);
        };
        if self.asked.ask == Ask::Pick {
            let offered = self.offered.contains(&point);
            return if offered { Ok(()) } else { Err(ClickRefusal::NotOffered(point)) };
        }
        if selected.contains(&point) {
            return Ok(());
        }
        if self.position.check(point).is_err() {
            return Err(ClickRefusal::Occupied(point));
        }
        if !zone.contains(point, self.position.size()) {
            return Err(ClickRefusal::Zone(point, zone));
        }
        if let Some(count) = self.count() {
            if selected.len() >= usize::from(count) {
                return Err(ClickRefusal::Enough(count));
            }
            return self.differs(selected, point);
        }
        self.position
            .foul_at(point)
            .map_or(Ok(()), |foul| Err(ClickRefusal::Forbidden(point, foul)))
    }

    /// The answer that the selected points make; none while there are too few.
    ///
    /// # Errors
    /// Why they make none.
    pub fn selected(&self, points: &[Point]) -> Option<Result<Answer, ClickRefusal>> {
        let count = self.count()?;
        if points.len() != usize::from(count) {
            return None;
        }
        let places = matches!(self.asked.ask, Ask::Place { .. } | Ask::ChooseOrPlace { .. });
        let size = self.position.size();
        if matches!(self.asked.ask, Ask::Place { canonical: true, .. })
            && let [first, second, third] = *points
            && canonical::recognise(size, [first, second, third]).is_none()
        {
            return Some(Err(ClickRefusal::NotCanonical));
        }
        let points = points.to_vec();
        Some(Ok(if places { Answer::Place(points) } else { Answer::Offer(points) }))
    }

    /// Whether an offered fifth move differs from all others.
    fn differs(&self, selected: &[Point], point: Point) -> Result<(), ClickRefusal> {
        let offers = matches!(self.asked.ask, Ask::Offer { .. } | Ask::MoveOrOffer { .. });
        let stones: Vec<Point> = self.position.moves().iter().filter_map(|mv| mv.point()).collect();
        let (true, Ok(four)) = (offers, <&[Point; 4]>::try_from(stones.as_slice())) else {
            return Ok(());
        };
        let size: Size = self.position.size();
        let like = |other: &&Point| Alike::Shape.holds(size, four, **other, point);
        match selected.iter().find(like) {
            Some(&other) => Err(ClickRefusal::Alike(other, point)),
            None => Ok(()),
        }
    }

    /// The forbidden points of the person to move.
    pub fn forbidden(&self) -> Vec<(Point, Foul)> {
        if self.count().is_some() {
            return Vec::new();
        }
        self.position.forbidden().iter().collect()
    }
}
