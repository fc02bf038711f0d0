//! Opening questions of the host, passed to the engine.

use tengen_abi::{self as abi, MoveCode, ask, status};
use tengen_rules::{Color, Point, Zone};

use crate::session::{EngineSession, SessionGame, StatusCode};
use crate::wire::{code, ply};
use crate::{Engine, Placement, Swap2, Taraguchi, opening};

/// The most stones a verdict holds.
const MOST: u32 = 32;

impl<E: Engine> EngineSession<E> {
    /// Puts an opening question to the engine.
    pub(crate) fn decide(
        &mut self,
        question: &abi::Question,
        candidates: &[MoveCode],
        limits: &abi::Limits,
    ) -> Result<abi::Verdict, StatusCode> {
        if let Some(number) = fifth_moves(question) {
            self.game()?.fifth_moves = Some(number);
        }
        let verdict = self.put(question, candidates, limits);
        self.answered();
        verdict
    }

    fn put(
        &mut self,
        question: &abi::Question,
        candidates: &[MoveCode],
        limits: &abi::Limits,
    ) -> Result<abi::Verdict, StatusCode> {
        let (engine, game, thinking) = self.asked(limits)?;
        let position = &game.position;
        let (min, max) = (question.min, question.max);
        let counts = min <= max && (1..=MOST).contains(&max);
        match question.kind {
            ask::PLACE if counts => {
                let placement = Placement {
                    min: min as usize,
                    max: max as usize,
                    zone: zone(question)?,
                    canonical: question.flags & abi::question::CANONICAL != 0,
                };
                verdict(0, &engine.place(position, &placement, &thinking))
            }
            ask::SWAP => {
                let swap = engine.swap(position, held(game), &thinking);
                verdict(allowed(question, u32::from(swap))?, &[])
            }
            ask::SWAP2 => {
                let (choice, stones) = match engine.swap2(position, &thinking) {
                    Swap2::KeepWhite => (0, Vec::new()),
                    Swap2::TakeBlack => (1, Vec::new()),
                    Swap2::Place(stones) => (2, stones.to_vec()),
                };
                match allowed(question, choice)? {
                    legal if legal == choice => verdict(choice, &stones),
                    2 => verdict(2, &opening::balance(position, 2, Zone::Anywhere, 0)),
                    legal => verdict(legal, &[]),
                }
            }
            ask::COUNT if counts => {
                let number = engine.declare(position, min as u8..=max as u8, &thinking);
                self.game()?.fifth_moves = Some((number, number));
                verdict(number.into(), &[])
            }
            ask::OFFER if counts => verdict(0, &engine.offer(position, max as usize, &thinking)),
            ask::PICK => {
                let offered = offered(game, candidates)?;
                let picked = engine.pick(position, &offered, &thinking);
                let index = offered.iter().position(|&point| point == picked);
                let Some(index) = index else {
                    thinking.log(&format!("the engine picked {picked}, which is not on offer"));
                    return Err(status::INTERNAL);
                };
                verdict(index as u32, &[])
            }
            ask::TARAGUCHI if counts => {
                let (zone, count) = (zone(question)?, max as usize);
                let (choice, stones) = match engine.taraguchi(position, zone, count, &thinking) {
                    Taraguchi::Move(point) => (0, vec![point]),
                    Taraguchi::Offer(points) => (1, points),
                };
                match allowed(question, choice)? {
                    legal if legal == choice => verdict(choice, &stones),
                    0 => verdict(0, &opening::balance(position, 1, zone, 0)),
                    legal => verdict(legal, &engine.offer(position, count, &thinking)),
                }
            }
            ask::PLACE | ask::COUNT | ask::OFFER | ask::TARAGUCHI => Err(status::ARGUMENT),
            _ => Err(status::UNSUPPORTED),
        }
    }
}

fn verdict(choice: u32, stones: &[Point]) -> Result<abi::Verdict, StatusCode> {
    let mut verdict = abi::Verdict { choice, ..abi::Verdict::default() };
    let Some(moves) = verdict.moves.get_mut(..stones.len()) else {
        return Err(status::INTERNAL);
    };
    for (to, &stone) in moves.iter_mut().zip(stones) {
        *to = code(stone);
    }
    verdict.count = stones.len() as u32;
    Ok(verdict)
}

/// How many fifth moves are to be offered, if the question tells.
fn fifth_moves(question: &abi::Question) -> Option<(u8, u8)> {
    let (min, max) = match question.kind {
        ask::SWAP | ask::COUNT => (question.min, question.max),
        ask::OFFER => (question.max, question.max),
        ask::PICK => (question.candidates, question.candidates),
        _ => return None,
    };
    let told = min <= max && (1..=MOST).contains(&max);
    told.then_some((min as u8, max as u8))
}

/// Where the question wants its stones.
fn zone(question: &abi::Question) -> Result<Zone, StatusCode> {
    let radius = u8::try_from(question.radius).map_err(|_| status::ARGUMENT)?;
    let flag = |bit: u32| question.flags & bit != 0;
    Ok(if flag(abi::question::CENTRE) {
        Zone::Within(0)
    } else if flag(abi::question::BEYOND) {
        Zone::Beyond(radius)
    } else if radius == 0 {
        Zone::Anywhere
    } else {
        Zone::Within(radius)
    })
}

/// The choice if it is a legal one, else the first that is.
fn allowed(question: &abi::Question, choice: u32) -> Result<u32, StatusCode> {
    let legal = |choice: u32| question.choices == 0 || question.choices >> choice & 1 == 1;
    if legal(choice) {
        return Ok(choice);
    }
    let kinds = if question.kind == ask::SWAP2 { 3 } else { 2 };
    (0..kinds).find(|&choice| legal(choice)).ok_or(status::ARGUMENT)
}

/// The colour of the player that is asked to swap. Where the opening is not known it is the side to
/// move next, because the other has just placed its stones.
fn held(game: &SessionGame) -> Color {
    let stones = game.position.ply();
    let known = game.info.opening.and_then(|opening| opening.chooser(stones));
    known.unwrap_or_else(|| game.position.to_move())
}

/// The fifth moves on offer: some, each playable.
fn offered(game: &SessionGame, candidates: &[MoveCode]) -> Result<Vec<Point>, StatusCode> {
    let point = |&code: &MoveCode| {
        let point = ply(code)?.point()?;
        game.position.check(point).is_ok().then_some(point)
    };
    let offered = candidates.iter().map(point).collect::<Option<Vec<Point>>>();
    offered.filter(|offered| !offered.is_empty()).ok_or(status::ARGUMENT)
}
