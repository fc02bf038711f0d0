use std::sync::Arc;
use std::time::Instant;

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, status};
use tengen_players::Fault;

use crate::guest::{Guest, LoadError};
use crate::services::Services;
use crate::{Export, ExportSet};

/// An engine in this process and the position it holds, brought up to date with as few calls as
/// its exports allow.
pub(crate) struct Session<G: Guest> {
    guest: G,
    services: Arc<Services>,
    exports: ExportSet,
    moves: Vec<MoveCode>,
    /// How many of `moves` the engine holds; none when only a whole position will do.
    held: Option<usize>,
}

impl<G: Guest> Session<G> {
    /// Makes the engine and sets its options. Gives its description as well.
    pub(crate) fn open(
        mut guest: G,
        services: Arc<Services>,
        options: &[(String, String)],
    ) -> Result<(Session<G>, String), LoadError> {
        let description = guest.describe()?;
        guest.create()?;
        for (name, value) in options {
            set_option(&mut guest, name, value)?;
        }
        let exports = guest.exports();
        Ok((Session { guest, services, exports, moves: Vec::new(), held: None }, description))
    }

    /// The engine itself.
    pub(crate) fn guest(&mut self) -> &mut G {
        &mut self.guest
    }

    /// Prepares for a game, from the empty board.
    pub(crate) fn new_game(&mut self, game: &Game) -> Result<i32, Fault> {
        self.moves.clear();
        self.held = None;
        self.guest.new_game(game)
    }

    /// Adds one ply by the engine's own means.
    pub(crate) fn play(&mut self, mv: MoveCode) -> Result<i32, Fault> {
        let held = self.held.take();
        let code = self.guest.play(mv)?;
        if code == status::OK {
            self.moves.push(mv);
            self.held = held.map(|held| held + 1);
        }
        Ok(code)
    }

    /// Takes plies back by the engine's own means.
    pub(crate) fn undo(&mut self, count: u32) -> Result<i32, Fault> {
        let held = self.held.take();
        let code = self.guest.undo(count)?;
        if code == status::OK {
            self.moves.truncate(self.moves.len().saturating_sub(count as usize));
            self.held = held.map(|held| held.saturating_sub(count as usize));
        }
        Ok(code)
    }

    /// Asks for a move after the first `keep` plies told before and then `tail`. The question was
    /// read at `now`.
    pub(crate) fn choose(
        &mut self,
        keep: usize,
        tail: impl Iterator<Item = MoveCode>,
        limits: &Limits,
        now: Instant,
    ) -> Result<(i32, Reply), Fault> {
        self.services.begin(now, limits.hard_us);
        match self.tell(keep, tail)? {
            status::OK => self.guest.choose(limits),
            refused => Ok((refused, Reply::default())),
        }
    }

    /// Asks an opening question, otherwise as [`Session::choose`].
    pub(crate) fn decide(
        &mut self,
        keep: usize,
        tail: impl Iterator<Item = MoveCode>,
        question: &Question,
        candidates: &[MoveCode],
        limits: &Limits,
        now: Instant,
    ) -> Result<(i32, Verdict), Fault> {
        self.services.begin(now, limits.hard_us);
        match self.tell(keep, tail)? {
            status::OK => self.guest.decide(question, candidates, limits),
            refused => Ok((refused, Verdict::default())),
        }
    }

    fn tell(&mut self, keep: usize, tail: impl Iterator<Item = MoveCode>) -> Result<i32, Fault> {
        let held = self.held.take();
        self.moves.truncate(keep);
        self.moves.extend(tail);
        if let Some(held) = held
            && self.follow(held, keep)?
        {
            self.held = Some(self.moves.len());
            return Ok(status::OK);
        }
        let code = self.guest.set_position(&self.moves)?;
        self.held = (code == status::OK).then_some(self.moves.len());
        Ok(code)
    }

    /// Brings an engine that holds `held` plies, of which the first `keep` still stand, to the
    /// position by taking back and playing on, where it can.
    fn follow(&mut self, held: usize, keep: usize) -> Result<bool, Fault> {
        let stands = held.min(keep);
        let takes_back = held > stands;
        let plays_on = self.moves.len() > stands;
        if takes_back && !self.exports.has(Export::Undo)
            || plays_on && !self.exports.has(Export::Play)
        {
            return Ok(false);
        }
        if takes_back && self.guest.undo((held - stands) as u32)? != status::OK {
            return Ok(false);
        }
        for &mv in &self.moves[stands..] {
            if self.guest.play(mv)? != status::OK {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn set_option(guest: &mut impl Guest, name: &str, value: &str) -> Result<(), LoadError> {
    let refused = |why| Err(LoadError::Refused(format!("option {name} = {value:?}: {why}")));
    match guest.set_option(name, value)? {
        status::OK => Ok(()),
        status::UNSUPPORTED if !guest.exports().has(Export::SetOption) => {
            refused("the engine takes no options; remove it")
        }
        status::UNSUPPORTED => refused("the engine has no such option; see its description"),
        status::ARGUMENT => refused("the engine refuses the value; see its description"),
        code => refused(&format!("the engine answered with status {code}")),
    }
}

#[cfg(test)]
mod openings;
