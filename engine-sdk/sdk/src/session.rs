//! One engine behind the ABI, with the game it plays.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tengen_abi::{self as abi, MoveCode, status};
use tengen_rules::{Ending, Move, Position};

use crate::host::HostFunctions;
use crate::thinking::Delays;
use crate::wire::{ply, reply};
use crate::{Description, Engine, GameInfo, Limits, OptionError, Outcome, Package, Thinking};

/// What a call refuses with, one of [`status`].
pub(crate) type StatusCode = i32;

/// One engine behind the ABI, with the game it plays.
pub(crate) struct EngineSession<E> {
    services: HostFunctions,
    engine: E,
    options: Vec<(String, String)>,
    game: Option<SessionGame>,
    delays: Delays,
    /// The engine panicked and may be in any state.
    broken: bool,
}

/// The game as the host has told it.
pub(crate) struct SessionGame {
    pub(crate) info: GameInfo,
    pub(crate) position: Position,
    /// How many fifth moves are to be offered, as far as the host has told or the engine declared.
    pub(crate) fifth_moves: Option<(u8, u8)>,
    /// Whether the last ply was a forbidden stone.
    foul: bool,
}

impl<E: Engine> EngineSession<E> {
    pub(crate) fn new(services: HostFunctions) -> EngineSession<E> {
        let engine = E::default();
        let (options, delays) = (Vec::new(), Delays::new());
        EngineSession { services, engine, options, game: None, delays, broken: false }
    }

    /// Notes that the engine panicked, and tells the host why.
    pub(crate) fn fail(&mut self, why: &str) {
        self.broken = true;
        self.log(&format!("the engine panicked: {why}"));
    }

    pub(crate) fn log(&self, text: &str) {
        self.services.send(abi::send::LOG, text.as_bytes());
    }

    pub(crate) fn sound(&self) -> Result<(), StatusCode> {
        if self.broken { Err(status::INTERNAL) } else { Ok(()) }
    }

    pub(crate) fn game(&mut self) -> Result<&mut SessionGame, StatusCode> {
        self.sound()?;
        self.game.as_mut().ok_or(status::STATE)
    }

    /// The engine, its game, and what it may spend.
    pub(crate) fn asked(
        &mut self,
        limits: &abi::Limits,
    ) -> Result<(&mut E, &SessionGame, Thinking<'_>), StatusCode> {
        self.sound()?;
        let game = self.game.as_ref().ok_or(status::STATE)?;
        let limits = Limits::from_abi(limits);
        let mut thinking = Thinking::hosted(&game.info, limits, &self.services, &self.delays);
        if let Some((least, most)) = game.fifth_moves {
            thinking = thinking.with_fifth_moves(least..=most);
        }
        Ok((&mut self.engine, game, thinking))
    }

    /// The engine has answered.
    pub(crate) fn answered(&self) {
        self.delays.end(|| self.services.left_us());
    }

    /// Begins a game; an engine that panicked before is made anew, with the options it had.
    pub(crate) fn new_game(&mut self, game: &abi::Game) -> Result<(), StatusCode> {
        let info = GameInfo::from_abi(game)?;
        if self.broken {
            self.engine = E::default();
            for (name, value) in &self.options {
                self.engine.set_option(name, value).map_err(option_status)?;
            }
            self.broken = false;
        }
        self.engine.load(&Package::new(&self.services));
        self.engine.new_game(&info);
        let position = Position::new(info.rule, info.size);
        self.game = Some(SessionGame { info, position, fifth_moves: None, foul: false });
        Ok(())
    }

    pub(crate) fn set_option(
        &mut self,
        described: &Description,
        name: &str,
        value: &str,
    ) -> Result<(), StatusCode> {
        self.sound()?;
        if described.option(name).is_some_and(|option| !option.accepts(value)) {
            return Err(option_status(OptionError::BadValue));
        }
        self.engine.set_option(name, value).map_err(option_status)?;
        self.options.retain(|(known, _)| known != name);
        self.options.push((name.into(), value.into()));
        Ok(())
    }

    /// Sets all plies; only what differs from the position now is undone and played.
    pub(crate) fn set_position(&mut self, plies: &[MoveCode]) -> Result<(), StatusCode> {
        let game = self.game()?;
        let old = game.position.moves();
        let same = |(old, code): &(&Move, &MoveCode)| ply(**code) == Some(**old);
        let kept = old.iter().zip(plies).take_while(same).count();
        if kept == old.len() && kept == plies.len() {
            return Ok(());
        }
        let tail = old[kept..].to_vec();
        game.rewind(kept);
        let played = plies[kept..].iter().try_for_each(|&code| game.play(code));
        if played.is_err() {
            game.rewind(kept);
            for mv in tail {
                game.apply(mv)?;
            }
        }
        played
    }

    pub(crate) fn play(&mut self, code: MoveCode) -> Result<(), StatusCode> {
        self.game()?.play(code)
    }

    pub(crate) fn undo(&mut self, count: u32) -> Result<(), StatusCode> {
        let game = self.game()?;
        let plies = game.position.ply();
        game.rewind(plies.checked_sub(count as usize).ok_or(status::ARGUMENT)?);
        Ok(())
    }

    pub(crate) fn choose(&mut self, limits: &abi::Limits) -> Result<abi::Reply, StatusCode> {
        let (engine, game, thinking) = self.asked(limits)?;
        if game.position.board().is_full() {
            return Err(status::STATE);
        }
        let mut choice = engine.choose(&game.position, &thinking);
        // Where fouls must be claimed, the last ply tells of one; elsewhere it ended the game.
        choice.claim_foul |= game.foul && !game.info.analysis;
        if let Some(Err(illegal)) = choice.mv.point().map(|point| game.position.check(point)) {
            thinking.log(&format!("the engine chose an illegal move: {illegal}"));
        }
        let reply = reply(&choice);
        self.answered();
        Ok(reply)
    }

    pub(crate) fn ponder(&mut self, limits: &abi::Limits) -> Result<(), StatusCode> {
        let (engine, game, thinking) = self.asked(limits)?;
        if engine.ponder(&game.position, &thinking) { Ok(()) } else { Err(status::UNSUPPORTED) }
    }

    pub(crate) fn end_game(&mut self, outcome: i32, reason: u32) -> Result<(), StatusCode> {
        self.game()?;
        let outcome = match outcome {
            abi::outcome::WIN => Outcome::Win,
            abi::outcome::DRAW => Outcome::Draw,
            abi::outcome::LOSS => Outcome::Loss,
            abi::outcome::ABORTED => Outcome::Aborted,
            _ => return Err(status::ARGUMENT),
        };
        self.engine.end_game(outcome, reason);
        Ok(())
    }
}

impl SessionGame {
    fn play(&mut self, code: MoveCode) -> Result<(), StatusCode> {
        self.apply(ply(code).ok_or(status::ARGUMENT)?)
    }

    fn apply(&mut self, mv: Move) -> Result<(), StatusCode> {
        let ending = match mv {
            Move::Stone(point) => self.position.play(point).map_err(|_| status::ARGUMENT)?,
            Move::Pass => self.position.pass(),
        };
        self.foul = matches!(ending, Some(Ending::Foul(_)));
        Ok(())
    }

    /// Undoes plies until `count` are left.
    fn rewind(&mut self, count: usize) {
        while self.position.ply() > count {
            self.position.undo();
            self.foul = false;
        }
    }
}

fn option_status(error: OptionError) -> StatusCode {
    match error {
        OptionError::Unknown => status::UNSUPPORTED,
        OptionError::BadValue => status::ARGUMENT,
    }
}

/// Runs a body that may panic; the panic's message is the error.
pub(crate) fn contained<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| {
        let why = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
            (Some(text), _) => (*text).to_owned(),
            (_, Some(text)) => text.clone(),
            _ => "with something that is no text".to_owned(),
        };
        // Dropping a payload may panic too, and must not unwind into the host.
        if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(payload))) {
            std::mem::forget(again);
        }
        why
    })
}
