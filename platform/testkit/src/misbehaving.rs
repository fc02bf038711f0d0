//! A player that misbehaves in one way at one moment.

use std::sync::Arc;

use tengen_arbiter::{Action, Failure, GameResult, Nanos};
use tengen_players::{Fault, GameSetup, Player, RandomLegal, Reply, Request, Time};
use tengen_rules::{Answer, Ask, Move, Point};

use crate::VirtualTime;

/// What a [`Misbehaving`] player does when its moment has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misbehavior {
    /// Answers well, this much after the hard limit; a host that loses patience before it hears
    /// nothing.
    Late(Nanos),
    Silent,
    /// Lays a stone on one that lies there, or off an empty board.
    Illegal,
    /// Gives an answer of a kind that was not asked for.
    WrongKind,
    Crash,
    /// Says something that is not in its protocol.
    Babble,
    /// Eats more than it may.
    Overeat,
    /// Answers well, and computes while its opponent is asked.
    Compute,
    /// Claims a foul, every time it is asked from then on.
    Claim,
    /// Cannot be made ready for the game.
    NeverReady,
}

/// A player that plays at random like [`RandomLegal`] until its moment comes. It is sound again in
/// the next game, until that moment.
#[derive(Clone, Debug)]
pub struct Misbehaving {
    inner: RandomLegal,
    misdeed: Misbehavior,
    at_ply: usize,
    is_computing: bool,
    time: Arc<VirtualTime>,
}

impl Misbehaving {
    /// A player that misbehaves at the first question it gets with `at_ply` plies or more on the
    /// board. `time` is the table's clock.
    pub fn new(misdeed: Misbehavior, at_ply: usize, time: Arc<VirtualTime>) -> Misbehaving {
        Misbehaving { inner: RandomLegal::new(), misdeed, at_ply, is_computing: false, time }
    }

    /// Waits until the host gives up, if it does, or for an hour.
    fn wait_out(&self, patience: Option<Nanos>) {
        self.time.advance(patience.unwrap_or(3_600_000_000_000));
    }

    fn misbehave(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let mut reply = self.inner.ask(request, time);
        reply.outcome = match self.misdeed {
            Misbehavior::Late(by) => {
                let takes = request.limits.hard.unwrap_or(0).saturating_add(by);
                let heard = request.patience.is_none_or(|patience| takes < patience);
                self.time.advance(request.patience.map_or(takes, |patience| patience.min(takes)));
                if heard { reply.outcome } else { Ok(None) }
            }
            Misbehavior::Silent if request.patience.is_some() => {
                self.wait_out(request.patience);
                Ok(None)
            }
            Misbehavior::Silent => {
                self.wait_out(None);
                Err(fault(Failure::Stall))
            }
            Misbehavior::Illegal => Ok(Some(Action::Answer(illegal(request)))),
            Misbehavior::WrongKind => Ok(Some(Action::Answer(match request.ask {
                Ask::Swap => Answer::Declare(1),
                _ => Answer::Swap(true),
            }))),
            Misbehavior::Crash => Err(fault(Failure::Crash)),
            Misbehavior::Babble => Err(fault(Failure::ProtocolError)),
            Misbehavior::Overeat => Err(fault(Failure::ResourceLimit)),
            Misbehavior::Compute => {
                self.is_computing = true;
                reply.outcome
            }
            Misbehavior::Claim => Ok(Some(Action::Claim)),
            Misbehavior::NeverReady => reply.outcome,
        };
        reply.answered_at = time.now();
        reply
    }
}

impl Player for Misbehaving {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        if self.misdeed == Misbehavior::NeverReady {
            return Err(fault(Failure::Stall));
        }
        self.is_computing = false;
        self.inner.new_game(game)
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        std::mem::take(&mut self.is_computing).then(|| fault(Failure::Unasked))
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        if request.moves.len() >= self.at_ply {
            self.misbehave(request, time)
        } else {
            self.inner.ask(request, time)
        }
    }

    fn end_game(&mut self, result: GameResult) {
        self.inner.end_game(result);
    }
}

fn fault(failure: Failure) -> Fault {
    Fault { failure, detail: format!("a test's player was told to fail: {failure:?}") }
}

/// An answer of the right kind that breaks the rules.
fn illegal(request: &Request<'_>) -> Answer {
    let bad = request.moves.iter().find_map(|mv| mv.point()).unwrap_or(Point::new(255, 255));
    match request.ask {
        Ask::Place { count, .. } | Ask::ChooseOrPlace { count } => {
            Answer::Place(vec![bad; usize::from(count)])
        }
        Ask::Declare { max, .. } => Answer::Declare(max.wrapping_add(1)),
        Ask::Offer { count } => Answer::Offer(vec![bad; usize::from(count)]),
        Ask::Pick => Answer::Pick(bad),
        Ask::Choose | Ask::Swap | Ask::Move { .. } | Ask::MoveOrOffer { .. } => {
            Answer::Move(Move::Stone(bad))
        }
    }
}
