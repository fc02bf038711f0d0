//! A walk through all that an opening procedure may ask, with every sort of answer to each.

mod illegal;

use std::collections::BTreeSet;

use tengen_rules::{
    Alike, Answer, Ask, Color, IllegalAnswer, Opening, OpeningSettings, Point, Position, Procedure,
    Rule, Seat, Size, Zone, canonical,
};

use crate::positions::Choices;

/// What a walk has seen.
pub struct Walked {
    /// The questions of each way through, with the colour asked, and the number of stones.
    pub ways: BTreeSet<String>,
    /// The number of sequences of choices, different points for the same choice counted once.
    pub paths: usize,
    /// Why answers were refused, by the names of [`IllegalAnswer`].
    pub reasons: BTreeSet<String>,
    rule: Rule,
    size: Size,
    procedure: Procedure,
    alike: Alike,
    random: Choices,
}

impl Walked {
    pub fn through(settings: &OpeningSettings, rule: Rule, size: Size, seed: u64) -> Walked {
        let opening = Opening::new(settings, rule, size).expect("fitting settings");
        let mut walked = Walked {
            ways: BTreeSet::new(),
            paths: 0,
            reasons: BTreeSet::new(),
            rule,
            size,
            procedure: settings.procedure,
            alike: settings.alike,
            random: Choices::new(seed),
        };
        walked.walk(&opening, "");
        walked
    }

    /// Walks on from here to every end.
    fn walk(&mut self, opening: &Opening, way: &str) {
        assert_ne!(opening.colors()[Seat::First], opening.colors()[Seat::Second]);
        let Some((seat, ask)) = opening.asked() else {
            self.end(opening, way);
            return;
        };
        self.check_question(opening, seat, ask);
        for (answer, reason) in self.illegal(opening, ask) {
            self.refused(opening, seat, &answer, reason);
            self.refused(opening, !seat, &answer, IllegalAnswer::NotAsked { asked: seat });
        }
        let space = if way.is_empty() { "" } else { " " };
        let way = format!("{way}{space}{}:{}", opening.colors()[seat], ask.name());
        for answer in self.legal(opening, ask) {
            self.refused(opening, !seat, &answer, IllegalAnswer::NotAsked { asked: seat });
            let mut next = opening.clone();
            assert_eq!(next.answer(seat, &answer), Ok(()), "{way}: {answer:?}");
            check_step(opening, seat, &answer, &next);
            self.walk(&next, &way);
        }
    }

    fn end(&mut self, opening: &Opening, way: &str) {
        for seat in Seat::ALL {
            self.refused(opening, seat, &Answer::Swap(true), IllegalAnswer::OpeningOver);
        }
        let mut position = Position::new(self.rule, self.size);
        for stone in opening.stones() {
            assert_eq!(position.play(*stone), Ok(None), "no opening ends a game");
        }
        let space = if way.is_empty() { "" } else { " " };
        self.ways.insert(format!("{way}{space}{}", opening.stones().len()));
        self.paths += 1;
    }

    /// The seat that lays or offers stones holds the colour that is to move. Fifth moves are on
    /// offer while one is to be kept, and follow four stones.
    fn check_question(&self, opening: &Opening, seat: Seat, ask: Ask) {
        let stones = opening.stones().len();
        let holds = opening.colors()[seat];
        match ask {
            Ask::Move { .. } | Ask::MoveOrOffer { .. } | Ask::Place { .. } | Ask::Offer { .. } => {
                assert_eq!(holds, Color::of_ply(stones), "{ask:?}");
            }
            Ask::Pick => assert_eq!(holds, !Color::of_ply(stones)),
            Ask::Swap | Ask::Choose | Ask::ChooseOrPlace { .. } => {
                assert_eq!(self.procedure.chooser(stones), Some(holds), "{ask:?}");
            }
            Ask::Declare { .. } => {}
        }
        if let Ask::Offer { count } = ask {
            assert_eq!(opening.fifth_moves(), Some((count, count)));
        }
        if let Ask::Offer { .. } | Ask::Pick | Ask::MoveOrOffer { .. } = ask {
            assert_eq!(stones, 4);
        }
        assert_eq!(opening.offered().is_empty(), ask != Ask::Pick);
        assert_eq!(opening.alike(), self.alike);
    }

    fn refused(&mut self, opening: &Opening, seat: Seat, answer: &Answer, reason: IllegalAnswer) {
        let mut next = opening.clone();
        assert_eq!(next.answer(seat, answer), Err(reason), "{answer:?}");
        assert_eq!(&next, opening, "{answer:?} changed something");
        let name = format!("{reason:?}");
        let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
        self.reasons.insert(name[..end].to_owned());
    }

    /// One legal answer of every sort that the question allows.
    fn legal(&mut self, opening: &Opening, ask: Ask) -> Vec<Answer> {
        match ask {
            Ask::Place { count, canonical: true, .. } => {
                let named = canonical::ALL[self.random.below(canonical::ALL.len())];
                assert_eq!(usize::from(count), named.points.len());
                vec![Answer::Place(named.points.to_vec())]
            }
            Ask::Place { count, zone, .. } => {
                vec![Answer::Place(self.points(opening, zone, count))]
            }
            Ask::Choose => Color::ALL.map(Answer::Choose).to_vec(),
            Ask::ChooseOrPlace { count } => vec![
                Answer::Choose(Color::Black),
                Answer::Choose(Color::White),
                Answer::Place(self.points(opening, Zone::Anywhere, count)),
            ],
            Ask::Swap => vec![Answer::Swap(false), Answer::Swap(true)],
            Ask::Declare { min, max } => (min..=max).map(Answer::Declare).collect(),
            Ask::Offer { count } => vec![Answer::Offer(self.offer(opening, count))],
            Ask::Pick => opening.offered().iter().copied().map(Answer::Pick).collect(),
            Ask::Move { zone } => {
                vec![Answer::Move(self.points(opening, zone, 1)[0].into())]
            }
            Ask::MoveOrOffer { zone, count } => vec![
                Answer::Move(self.points(opening, zone, 1)[0].into()),
                Answer::Offer(self.offer(opening, count)),
            ],
        }
    }

    /// Some empty points of the zone.
    fn points(&mut self, opening: &Opening, zone: Zone, count: u8) -> Vec<Point> {
        let mut points = self.empty(opening, zone);
        points.truncate(count.into());
        points
    }

    /// Every empty point of the zone, in a random order.
    fn empty(&mut self, opening: &Opening, zone: Zone) -> Vec<Point> {
        let (size, stones) = (self.size, opening.stones());
        let free = |point: &Point| zone.contains(*point, size) && !stones.contains(point);
        let mut points: Vec<Point> = size.points().filter(free).collect();
        for last in (1..points.len()).rev() {
            points.swap(last, self.random.below(last + 1));
        }
        points
    }

    fn offer(&mut self, opening: &Opening, count: u8) -> Vec<Point> {
        let four = opening.stones().try_into().expect("four stones");
        let mut offer: Vec<Point> = Vec::new();
        for point in self.empty(opening, Zone::Anywhere) {
            if offer.len() == usize::from(count) {
                break;
            }
            if offer.iter().all(|other| !self.alike.holds(self.size, four, *other, point)) {
                offer.push(point);
            }
        }
        offer
    }
}

/// What an answer does to the colours, the stones and what is on offer.
fn check_step(before: &Opening, seat: Seat, answer: &Answer, after: &Opening) {
    let expected = match answer {
        Answer::Swap(true) => before.colors().map(|color| !color),
        Answer::Choose(color) => {
            let mut colors = before.colors();
            (colors[seat], colors[!seat]) = (*color, !*color);
            colors
        }
        _ => before.colors(),
    };
    assert_eq!(after.colors(), expected, "{answer:?}");
    let laid = match answer {
        Answer::Place(points) => points.clone(),
        Answer::Pick(point) => vec![*point],
        Answer::Move(mv) => mv.point().into_iter().collect(),
        _ => Vec::new(),
    };
    assert_eq!(after.stones(), [before.stones(), &laid].concat(), "{answer:?}");
    match answer {
        Answer::Declare(number) => {
            assert_eq!(after.declared(), Some(*number));
            assert_eq!(after.fifth_moves(), Some((*number, *number)));
        }
        _ => assert_eq!(after.declared(), before.declared()),
    }
    match answer {
        Answer::Offer(points) => assert_eq!(after.offered(), points),
        _ => assert_eq!(after.offered(), []),
    }
}
