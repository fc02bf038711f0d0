//! An engine in this process, and the position that it holds.

use std::sync::Arc;
use std::time::Instant;

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, status};
use tengen_players::Fault;

use crate::host::guest::{Guest, LoadError};
use crate::host::services::HostServices;
use crate::{Export, ExportSet};

/// An engine in this process and the position it holds, brought up to date with as few calls as
/// its exports allow.
pub(crate) struct GuestSession<G: Guest> {
    guest: G,
    services: Arc<HostServices>,
    exports: ExportSet,
    moves: Vec<MoveCode>,
    /// How many of `moves` the engine holds; none when only a whole position will do.
    synced: Option<usize>,
}

impl<G: Guest> GuestSession<G> {
    /// Makes the engine and sets its options. Gives its description as well.
    pub(crate) fn open(
        mut guest: G,
        services: Arc<HostServices>,
        options: &[(String, String)],
    ) -> Result<(GuestSession<G>, String), LoadError> {
        let description = guest.describe()?;
        guest.create()?;
        for (name, value) in options {
            set_option(&mut guest, name, value)?;
        }
        let exports = guest.exports();
        Ok((
            GuestSession { guest, services, exports, moves: Vec::new(), synced: None },
            description,
        ))
    }

    pub(crate) fn guest(&mut self) -> &mut G {
        &mut self.guest
    }

    /// Prepares for a game, from the empty board.
    pub(crate) fn new_game(&mut self, game: &Game) -> Result<i32, Fault> {
        self.moves.clear();
        self.synced = None;
        self.guest.new_game(game)
    }

    /// Sends a whole position, whatever the engine holds.
    pub(crate) fn set_position(
        &mut self,
        moves: impl Iterator<Item = MoveCode>,
    ) -> Result<i32, Fault> {
        self.synced = None;
        self.sync(0, moves)
    }

    /// Adds one ply by the engine's own means.
    pub(crate) fn play(&mut self, mv: MoveCode) -> Result<i32, Fault> {
        let synced = self.synced.take();
        let code = self.guest.play(mv)?;
        if code == status::OK {
            self.moves.push(mv);
            self.synced = synced.map(|synced| synced + 1);
        }
        Ok(code)
    }

    /// Takes plies back by the engine's own means.
    pub(crate) fn undo(&mut self, count: u32) -> Result<i32, Fault> {
        let synced = self.synced.take();
        let code = self.guest.undo(count)?;
        if code == status::OK {
            self.moves.truncate(self.moves.len().saturating_sub(count as usize));
            self.synced = synced.map(|synced| synced.saturating_sub(count as usize));
        }
        Ok(code)
    }

    /// Asks for a move after the first `keep` plies sent before and then `tail`. The question was
    /// read at `now`.
    pub(crate) fn choose(
        &mut self,
        keep: usize,
        tail: impl Iterator<Item = MoveCode>,
        limits: &Limits,
        now: Instant,
    ) -> Result<(i32, Reply), Fault> {
        self.services.start_question(now, limits.hard_us);
        match self.sync(keep, tail)? {
            status::OK => self.guest.choose(limits),
            refused => Ok((refused, Reply::default())),
        }
    }

    /// Asks an opening question, otherwise as [`GuestSession::choose`].
    pub(crate) fn decide(
        &mut self,
        keep: usize,
        tail: impl Iterator<Item = MoveCode>,
        question: &Question,
        candidates: &[MoveCode],
        limits: &Limits,
        now: Instant,
    ) -> Result<(i32, Verdict), Fault> {
        self.services.start_question(now, limits.hard_us);
        match self.sync(keep, tail)? {
            status::OK => self.guest.decide(question, candidates, limits),
            refused => Ok((refused, Verdict::default())),
        }
    }

    fn sync(&mut self, keep: usize, tail: impl Iterator<Item = MoveCode>) -> Result<i32, Fault> {
        let synced = self.synced.take();
        self.moves.truncate(keep);
        self.moves.extend(tail);
        if let Some(synced) = synced
            && self.play_forward(synced, keep)?
        {
            self.synced = Some(self.moves.len());
            return Ok(status::OK);
        }
        let code = self.guest.set_position(&self.moves)?;
        self.synced = (code == status::OK).then_some(self.moves.len());
        Ok(code)
    }

    /// Brings an engine that holds `synced` plies to the position by taking back and playing on,
    /// where it can. The first `keep` of them still stand.
    fn play_forward(&mut self, synced: usize, keep: usize) -> Result<bool, Fault> {
        let stands = synced.min(keep);
        let takes_back = synced > stands;
        let plays_on = self.moves.len() > stands;
        if takes_back && !self.exports.has(Export::Undo)
            || plays_on && !self.exports.has(Export::Play)
        {
            return Ok(false);
        }
        if takes_back && self.guest.undo((synced - stands) as u32)? != status::OK {
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
