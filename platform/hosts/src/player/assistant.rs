//! An engine that answers opening questions for others.

use tengen_arbiter::{Action, Limits, Nanos};
use tengen_players::{GameSetup, Player, Request, Time};
use tengen_rules::{Answer, Ask, Move, Point, Position, Zone};

/// The time for an answer that an assistant gets, and how long to wait for it.
const TURN: Nanos = 5_000_000_000;
const PATIENCE: Nanos = 10_000_000_000;

/// An engine that answers opening questions for others.
pub(super) struct Assistant {
    player: Box<dyn Player>,
    state: AssistantState,
}

/// Its part in the game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AssistantState {
    /// It has not been asked in it.
    Idle,
    Ready,
    /// It is not asked again in it.
    Failed,
}

impl Assistant {
    pub(super) fn new(player: Box<dyn Player>) -> Assistant {
        Assistant { player, state: AssistantState::Idle }
    }

    /// Another game begins.
    pub(super) fn new_game(&mut self) {
        self.state = AssistantState::Idle;
    }

    /// Its answer, if that can be an answer to the question. A failure, a late answer or another
    /// answer costs no game: it is not asked again in this one.
    pub(super) fn answer(
        &mut self,
        request: &Request<'_>,
        setup: &GameSetup,
        position: &Position,
        time: &dyn Time,
    ) -> Option<Answer> {
        if self.state == AssistantState::Idle {
            let begun = self.player.new_game(setup);
            self.state = if begun.is_ok() { AssistantState::Ready } else { AssistantState::Failed };
        }
        if self.state == AssistantState::Failed {
            return None;
        }
        let limits = Limits { own: None, opponent: None, hard: Some(TURN), ..request.limits };
        let request = Request { limits, patience: Some(PATIENCE), watch: None, ..*request };
        match self.player.ask(&request, time).outcome {
            Ok(Some(Action::Answer(answer))) if fits(&request, position, &answer) => Some(answer),
            outcome => {
                log::warn!("the assisting engine has no answer to {:?}: {outcome:?}", request.ask);
                self.state = AssistantState::Failed;
                None
            }
        }
    }
}

/// Whether it is an answer of the form that was asked for, its stones on points that are free.
pub(super) fn fits(request: &Request<'_>, position: &Position, answer: &Answer) -> bool {
    let lie = |points: &[Point], count: u8, zone: Zone| {
        let is_free = |point: &Point| {
            zone.contains(*point, position.size()) && position.check(*point).is_ok()
        };
        let differs = |(place, point): (usize, &Point)| !points[..place].contains(point);
        points.len() == usize::from(count)
            && points.iter().all(is_free)
            && points.iter().enumerate().all(differs)
    };
    match (request.ask, answer) {
        (Ask::Choose | Ask::ChooseOrPlace { .. }, Answer::Choose(_)) => true,
        (Ask::Swap, Answer::Swap(_)) => true,
        (Ask::Place { count, zone, .. }, Answer::Place(points)) => lie(points, count, zone),
        (Ask::ChooseOrPlace { count }, Answer::Place(points)) => lie(points, count, Zone::Anywhere),
        (Ask::Offer { count }, Answer::Offer(points)) => lie(points, count, Zone::Anywhere),
        (Ask::MoveOrOffer { count, .. }, Answer::Offer(points)) => {
            lie(points, count, Zone::Anywhere)
        }
        (Ask::Move { zone } | Ask::MoveOrOffer { zone, .. }, Answer::Move(Move::Stone(point))) => {
            lie(&[*point], 1, zone)
        }
        (Ask::Declare { min, max }, Answer::Declare(number)) => (min..=max).contains(number),
        (Ask::Pick, Answer::Pick(point)) => request.offered.contains(point),
        _ => false,
    }
}
