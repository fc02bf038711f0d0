//! Answers that are illegal, each with the reason it must be refused for.

use tengen_rules::{Answer, Ask, Color, IllegalAnswer, Move, Opening, Point, Zone};

use super::Walked;

type Refusals = Vec<(Answer, IllegalAnswer)>;

impl Walked {
    /// What may be wrong with an answer to the question.
    pub fn illegal(&mut self, opening: &Opening, ask: Ask) -> Refusals {
        let mut answers = wrong_kinds(ask);
        match ask {
            Ask::Place { count, zone, canonical } => {
                answers.extend(self.wrong_points(opening, zone, count, Answer::Place));
                if canonical {
                    answers.extend(not_canonical());
                }
            }
            Ask::ChooseOrPlace { count } => {
                answers.extend(self.wrong_points(opening, Zone::Anywhere, count, Answer::Place));
            }
            Ask::Declare { min, max } => {
                answers.extend([0, min - 1, max + 1, u8::MAX].map(|given| {
                    (Answer::Declare(given), IllegalAnswer::OutOfRange { min, max, given })
                }));
            }
            Ask::Pick => {
                let other = self.empty(opening, Zone::Anywhere).into_iter();
                let mut other = other.filter(|point| !opening.offered().contains(point));
                let not_offered = other.next().expect("more points than are offered");
                let stone = opening.stones()[0];
                answers.extend(
                    [not_offered, stone, Point::new(15, 3)]
                        .map(|point| (Answer::Pick(point), IllegalAnswer::NotOffered(point))),
                );
            }
            _ => {}
        }
        if let Ask::Offer { count } | Ask::MoveOrOffer { count, .. } = ask {
            answers.extend(self.wrong_points(opening, Zone::Anywhere, count, Answer::Offer));
            answers.extend(self.too_alike(opening, count));
        }
        if let Ask::Move { zone } | Ask::MoveOrOffer { zone, .. } = ask {
            let one = |points: Vec<Point>| Answer::Move(points[0].into());
            let wrong = self.wrong_points(opening, zone, 1, one);
            let of_one = |(_, refusal): &(Answer, IllegalAnswer)| {
                !matches!(refusal, IllegalAnswer::WrongCount { .. })
            };
            answers.extend(wrong.into_iter().filter(of_one));
            answers.push((Answer::Move(Move::Pass), IllegalAnswer::Pass));
        }
        answers
    }

    /// As many points as are asked with one wrong among them, in every place, and too many or too
    /// few points.
    fn wrong_points(
        &mut self,
        opening: &Opening,
        zone: Zone,
        asked: u8,
        answer: impl Fn(Vec<Point>) -> Answer,
    ) -> Refusals {
        let count = usize::from(asked);
        let right = self.points(opening, zone, asked);
        let mut wrong = vec![];
        for off_board in [Point::new(self.size.width(), 0), Point::new(0, self.size.height())] {
            wrong.push((off_board, IllegalAnswer::OffBoard(off_board)));
        }
        wrong.extend(opening.stones().iter().map(|at| (*at, IllegalAnswer::Occupied(*at))));
        let elsewhere = self.empty(opening, Zone::Anywhere).into_iter();
        let outside = elsewhere.filter(|point| !zone.contains(*point, self.size)).take(3);
        wrong.extend(outside.map(|point| (point, IllegalAnswer::OutOfZone(point, zone))));

        let mut answers = Vec::new();
        for place in 0..right.len().min(count) {
            for (point, refusal) in &wrong {
                let mut points = right.clone();
                points[place] = *point;
                answers.push((answer(points), *refusal));
            }
            if place > 0 {
                let mut points = right.clone();
                points[place] = right[0];
                answers.push((answer(points), IllegalAnswer::Repeated(right[0])));
            }
        }
        for given in [0, count - 1, count + 1] {
            let mut points = self.empty(opening, Zone::Anywhere);
            points.truncate(given);
            if given != count && points.len() == given && !(points.is_empty() && count == 1) {
                answers.push((answer(points), IllegalAnswer::WrongCount { asked, given }));
            }
        }
        answers
    }

    /// An offer with two fifth moves that are alike at its ends, where the four stones allow one.
    fn too_alike(&mut self, opening: &Opening, count: u8) -> Option<(Answer, IllegalAnswer)> {
        let four = opening.stones().try_into().expect("four stones");
        let points = self.empty(opening, Zone::Anywhere);
        let mut offer = self.offer(opening, count);
        if offer.len() < 2 {
            return None;
        }
        let (first, last) = (offer[0], offer.len() - 1);
        let alike =
            |point: &&Point| **point != first && self.alike.holds(self.size, four, first, **point);
        offer[last] = *points.iter().find(alike)?;
        let refusal = IllegalAnswer::TooAlike(first, offer[last]);
        Some((Answer::Offer(offer), refusal))
    }
}

/// Three stones of the right zone that are no opening: the first one elsewhere, the second one too
/// far from it.
fn not_canonical() -> Refusals {
    let wrong = [["h8", "h10", "h9"], ["h9", "h8", "h10"], ["i9", "h9", "h8"], ["h8", "j8", "g7"]];
    wrong
        .map(|points| points.map(|point| point.parse().expect("a point")))
        .map(|points: [Point; 3]| {
            (Answer::Place(points.to_vec()), IllegalAnswer::NotCanonical(points))
        })
        .to_vec()
}

/// An answer of every kind that the question does not ask for.
fn wrong_kinds(ask: Ask) -> Refusals {
    let point: Point = "a1".parse().expect("a point");
    let answers = [
        Answer::Place(vec![point]),
        Answer::Declare(1),
        Answer::Swap(true),
        Answer::Swap(false),
        Answer::Choose(Color::Black),
        Answer::Offer(vec![point]),
        Answer::Pick(point),
        Answer::Move(point.into()),
        Answer::Move(Move::Pass),
    ];
    let fits = |answer: &Answer| match answer {
        Answer::Place(_) => matches!(ask, Ask::Place { .. } | Ask::ChooseOrPlace { .. }),
        Answer::Declare(_) => matches!(ask, Ask::Declare { .. }),
        Answer::Swap(_) => ask == Ask::Swap,
        Answer::Choose(_) => matches!(ask, Ask::Choose | Ask::ChooseOrPlace { .. }),
        Answer::Offer(_) => matches!(ask, Ask::Offer { .. } | Ask::MoveOrOffer { .. }),
        Answer::Pick(_) => ask == Ask::Pick,
        Answer::Move(_) => matches!(ask, Ask::Move { .. } | Ask::MoveOrOffer { .. }),
    };
    let wrong = answers.into_iter().filter(|answer| !fits(answer));
    wrong.map(|answer| (answer, IllegalAnswer::WrongKind { asked: ask })).collect()
}
