//! The person at the terminal, as a player.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tengen_arbiter::{Action, GameResult};
use tengen_hosts::Interrupt;
use tengen_lineup::lock;
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};
use tengen_rules::{Position, Seat};

use super::typed::{self, Typed};
use crate::report;

/// How often it is looked whether the program is to stop.
const POLL: Duration = Duration::from_millis(100);

/// What a person wants that is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// To take the last answer back.
    Undo,
    /// To leave.
    Quit,
}

/// A wish that may be open.
pub(super) type OpenWish = Arc<Mutex<Option<Wish>>>;

pub(super) struct Person {
    seat: Seat,
    lines: Receiver<String>,
    wish: OpenWish,
    interrupt: Interrupt,
    setup: Option<GameSetup>,
}

impl Person {
    /// One whose lines are read there, on a thread of its own: a clock may run out meanwhile.
    pub(super) fn new(
        seat: Seat,
        input: impl Read + Send + 'static,
        interrupt: Interrupt,
    ) -> Person {
        let (sends, lines) = mpsc::channel();
        let reads = move || {
            for line in BufReader::new(input).lines() {
                let Ok(line) = line else { break };
                if sends.send(line).is_err() {
                    break;
                }
            }
        };
        // Without a thread there are no lines, which is the end of the input.
        let _started = thread::Builder::new().name("typed".to_owned()).spawn(reads);
        Person { seat, lines, wish: OpenWish::default(), interrupt, setup: None }
    }

    pub(super) fn wish(&self) -> OpenWish {
        Arc::clone(&self.wish)
    }

    /// The next line, or none at the end of the input, of the time, or of the program.
    fn line(&self, time: &dyn Time, deadline: Option<u64>) -> Option<String> {
        loop {
            let left = deadline.map(|deadline| deadline.saturating_sub(time.now()));
            if left == Some(0) || self.interrupt.is_raised() {
                return None;
            }
            let span = left.map_or(POLL, |left| POLL.min(Duration::from_nanos(left)));
            match self.lines.recv_timeout(span) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    *lock(&self.wish) = Some(Wish::Quit);
                    return None;
                }
            }
        }
    }

    /// Waits for something that the game can go on with: an action, and whether a draw is offered
    /// along with it.
    fn action(
        &self,
        request: &Request<'_>,
        time: &dyn Time,
        deadline: Option<u64>,
    ) -> Option<(Action, bool)> {
        let setup = self.setup.as_ref()?;
        let mut position = Position::new(setup.rule, setup.size);
        for mv in request.moves {
            match mv.point() {
                Some(point) => drop(position.play(point)),
                None => drop(position.pass()),
            }
        }
        let mut offers_draw = false;
        if request.limits.draw_offered {
            tell("You are offered a draw: `draw` accepts it, a move declines.\n");
        }
        loop {
            tell(&format!("{}> ", typed::question(request)));
            let line = self.line(time, deadline)?;
            match typed::read(&line, request, &position) {
                Ok(Typed::Action(action)) => return Some((action, offers_draw)),
                Ok(Typed::OfferDraw) => {
                    offers_draw = true;
                    tell("You offer a draw with your next move.\n");
                }
                Ok(Typed::Undo) => {
                    *lock(&self.wish) = Some(Wish::Undo);
                    return None;
                }
                Ok(Typed::Quit) => {
                    *lock(&self.wish) = Some(Wish::Quit);
                    return None;
                }
                Ok(Typed::Nothing) => {}
                Ok(Typed::Help) => tell(typed::HELP),
                Err(problem) => tell(&format!("{problem}\n")),
            }
        }
    }
}

/// Prints; if the output is closed, the next line typed is the end of the input.
fn tell(text: &str) {
    let _gone = report::print(text);
}

impl Player for Person {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.setup = Some(game.clone());
        debug_assert_eq!(self.seat, game.seat);
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        let deadline = request.patience.map(|patience| asked_at.saturating_add(patience));
        let typed = self.action(request, time, deadline);
        let offers_draw = typed.as_ref().is_some_and(|(_, offers_draw)| *offers_draw);
        let outcome = Ok(typed.map(|(action, _)| action));
        let answered_at = time.now();
        Reply { asked_at, answered_at, offers_draw, outcome, info: None, pv: Vec::new() }
    }

    fn end_game(&mut self, _: GameResult) {}
}
