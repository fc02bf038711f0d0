//! Makes a record of a score sheet.

use tengen_arbiter::{
    Action, Adjudication, Failure, FoulPolicy, Game, GameResult, Input, Nanos, Policies,
    Termination, TimeControl,
};
use tengen_rules::{
    Answer, BySeat, Color, Ending, FoursLimits, Move, OpeningSettings, Procedure, Seat,
};
use thiserror::Error;

use super::{ScoreSheet, SheetError};
use crate::{GameRecord, Header, PlayerHeader};

/// Why no record can be made of a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    #[error("the rule is unknown, and a record needs one; name it with --rule")]
    NoRule,
    /// Stones were set up in no order.
    #[error("stones are set up before the first move: a record has them in the order laid")]
    SetUp,
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The rules ended the game before its last move.
    #[error("move {ply}: under these rules the game was over before it, by {termination}")]
    Over {
        /// The move, counted from 1.
        ply: usize,
        /// How it was over.
        termination: Termination,
    },
    #[error("move {ply}: {reason}")]
    Refused {
        /// The move, counted from 1.
        ply: usize,
        /// What the arbiter said.
        reason: String,
    },
    #[error("move {ply}: it took longer than the clock had")]
    Late {
        /// The move, counted from 1.
        ply: usize,
    },
    /// The game cannot have ended as the sheet says.
    #[error("{told} cannot have ended this game{hint}")]
    SheetOutcome {
        /// What the sheet says.
        told: Termination,
        /// What is missing, if it is known.
        hint: &'static str,
    },
}

impl ScoreSheet {
    /// The record of the game, as far as the sheet has it: Black sits first, and only moves are
    /// asked for. Times that are not known are 0. A win that the board does not show, without a
    /// known reason, counts as a resignation; such a draw as one by agreement; and a game without a
    /// result as aborted. If the times exceed the time control, because a margin was granted, or it
    /// cannot have ended the game there though the sheet says so, the time control is left out. A
    /// win that the board shows is one by the board, whatever else was said to have ended it.
    ///
    /// # Errors
    /// When the rule is not known, stones are set up, or the game cannot have gone and ended so.
    pub fn to_record(&self) -> Result<GameRecord, RecordError> {
        if !self.set_up.black.is_empty() || !self.set_up.white.is_empty() {
            return Err(RecordError::SetUp);
        }
        self.check()?;
        let unknown = TimeControl::default();
        match self.replay(self.time.unwrap_or_default()) {
            Err(
                RecordError::Late { .. }
                | RecordError::SheetOutcome { told: Termination::Timeout, .. },
            ) => self.replay(unknown),
            replayed => replayed,
        }
    }

    fn replay(&self, time: TimeControl) -> Result<GameRecord, RecordError> {
        let header = self.header(time)?;
        let game = Game::new(header.config())
            .map_err(|error| RecordError::Refused { ply: 1, reason: error.to_string() })?;
        let mut table = SheetGame { game, now: 0 };
        table.play(self)?;
        if let Some(outcome) = self.outcome
            && outcome.termination == Some(Termination::Ruling)
        {
            // Nothing that was played leads to it.
            if table.game.result().is_none() {
                table.game.abort(table.now);
            }
            let mut record = GameRecord::from_game(&table.game, header)
                .ok_or_else(|| unable(Termination::Ruling))?;
            let winner = outcome.winner.map(|color| table.game.holder(color));
            record.result = GameResult { winner, termination: Termination::Ruling };
            return Ok(record);
        }
        let shown = table.game.result().map(|result| result.termination);
        let told = self.termination(shown);
        if shown.is_none() {
            table.end(told, self.outcome.and_then(|outcome| outcome.winner))?;
        }
        let record = GameRecord::from_game(&table.game, header).ok_or_else(|| unable(told))?;
        let winner = record.result.winner.map(|seat| table.game.colors()[seat]);
        let as_told = self.outcome.is_none_or(|outcome| outcome.winner == winner);
        if record.result.termination != told || !as_told {
            return Err(unable(told));
        }
        Ok(record)
    }

    fn header(&self, time: TimeControl) -> Result<Header, RecordError> {
        let rule = self.rule.ok_or(RecordError::NoRule)?;
        // Of the other procedures a sheet has the stones, and not the choices.
        let known = self.opening.filter(|procedure| procedure.asks_moves_alone());
        let procedure = known.unwrap_or(Procedure::None);
        let told = |text: &String| (!text.is_empty()).then(|| text.clone());
        let player = |color: Color| {
            let name = told(&self.players[color]).unwrap_or_else(|| color.name().to_string());
            PlayerHeader {
                id: name.clone(),
                name,
                version: None,
                hash: None,
                options: Default::default(),
                time,
                margin: 0,
                layers: Vec::new(),
                opening_by_arbiter: false,
                opening_engine: None,
            }
        };
        Ok(Header {
            event: told(&self.event),
            round: self.round.parse().ok(),
            game: self.name.parse().ok(),
            rule,
            size: self.size,
            opening: OpeningSettings::new(procedure),
            seats: BySeat { first: player(Color::Black), second: player(Color::White) },
            policies: self.policies(),
            seed: 0,
            handovers: Vec::new(),
            undo_left: None,
        })
    }

    /// The policies under which the game can have gone so.
    fn policies(&self) -> Policies {
        let told = self.outcome.and_then(|outcome| outcome.termination);
        let drawn =
            self.outcome.is_some_and(|outcome| outcome.winner.is_none() && outcome.counts());
        let stones = self.moves().filter(|(_, mv)| *mv != Move::Pass).count() as u32;
        let limit = drawn && told == Some(Termination::Adjudication);
        let foul =
            if self.plays_on_from_foul() { FoulPolicy::Claim } else { FoulPolicy::default() };
        Policies {
            foul,
            draw_offers: drawn && self.is_agreed(),
            passing: self.moves().any(|(_, mv)| mv == Move::Pass),
            move_limit: limit.then_some(stones),
            adjudication: (told == Some(Termination::Proof))
                .then(|| Adjudication { proof: self.proof_nodes(), ..Adjudication::default() }),
            ..Policies::default()
        }
    }

    /// The fewest nodes with which the win by fours that ended the game is found; none where there
    /// is none.
    fn proof_nodes(&self) -> Option<u32> {
        let mut position = self.start().ok()?;
        for (_, mv) in self.moves() {
            match mv {
                Move::Stone(point) => drop(position.play(point).ok()?),
                Move::Pass => drop(position.pass()),
            }
        }
        let is_found = |nodes: u32| {
            let limits = FoursLimits { nodes, stones: None };
            let found = position.board().win_by_fours(position.rule(), position.to_move(), limits);
            found.is_some()
        };
        let enough = (0..=14).map(|power| 1 << power).find(|&nodes| is_found(nodes))?;
        let (mut low, mut high) = (enough / 2, enough);
        while low + 1 < high {
            let middle = (low + high) / 2;
            if is_found(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// Whether a draw is one by agreement: it is stated, or the board shows no other.
    fn is_agreed(&self) -> bool {
        let shown = self.check().ok().flatten().is_some();
        match self.outcome.and_then(|outcome| outcome.termination) {
            Some(told) => told == Termination::Agreement,
            None => !shown,
        }
    }

    /// Whether a foul was played that did not end the game there.
    fn plays_on_from_foul(&self) -> bool {
        let Ok(mut position) = self.start() else { return false };
        let mut foul = false;
        self.moves().any(|(_, mv)| {
            let fouled_before = std::mem::take(&mut foul);
            match mv {
                Move::Stone(point) => {
                    foul = matches!(position.play(point), Ok(Some(Ending::Foul(_))));
                }
                Move::Pass => drop(position.pass()),
            }
            fouled_before
        })
    }

    /// How the game ended, where the board shows it in this way or not at all.
    fn termination(&self, shown: Option<Termination>) -> Termination {
        let told = self.outcome.and_then(|outcome| outcome.termination);
        let loose = matches!(told, Some(Termination::Resignation | Termination::Timeout));
        let told = told.filter(|_| !loose || shown.is_none());
        told.or(shown).unwrap_or(match self.outcome {
            None => Termination::Aborted,
            Some(outcome) if outcome.winner.is_some() => Termination::Resignation,
            Some(_) => Termination::Agreement,
        })
    }
}

fn unable(told: Termination) -> RecordError {
    let hint = match told {
        Termination::IllegalAnswer => ": the answer is unknown",
        Termination::Adjudication => ": the scores that decided it are unknown",
        Termination::Proof => ": no win by fours is found",
        _ => "",
    };
    RecordError::SheetOutcome { told, hint }
}

struct SheetGame {
    game: Game,
    now: Nanos,
}

impl SheetGame {
    fn play(&mut self, sheet: &ScoreSheet) -> Result<(), RecordError> {
        let line = sheet.tree.main_line().map(|id| sheet.tree.node(id));
        let moves: Vec<_> = line.filter_map(|node| Some((node.played?.1, node.spent))).collect();
        let agreed = sheet.policies().draw_offers;
        for (index, &(mv, spent)) in moves.iter().enumerate() {
            let ply = index + 1;
            let Some((seat, _)) = self.game.asked() else {
                let result = self.game.result().expect("no question is open when a game is over");
                return Err(RecordError::Over { ply, termination: result.termination });
            };
            self.ask(seat);
            self.now = self.now.saturating_add(spent.unwrap_or(0));
            if agreed && ply == moves.len() {
                self.game.handle(self.now, seat, Input::Act(Action::OfferDraw));
                self.ask(seat);
            }
            let action = Action::Answer(Answer::Move(mv));
            let before = self.game.position().ply();
            self.game.handle(self.now, seat, Input::Act(action));
            if self.game.position().ply() == before {
                return Err(match self.game.refusal() {
                    Some(reason) => RecordError::Refused { ply, reason: reason.to_string() },
                    None => RecordError::Late { ply },
                });
            }
        }
        Ok(())
    }

    fn ask(&mut self, seat: Seat) {
        self.game.poll_order();
        self.game.handle(self.now, seat, Input::Asked);
    }

    /// Ends the game in this way, if that can be.
    fn end(&mut self, by: Termination, winner: Option<Color>) -> Result<(), RecordError> {
        let Some((asked, _)) = self.game.asked() else { return Err(unable(by)) };
        let winner = winner.map(|color| self.game.holder(color));
        self.ask(asked);
        if let (Termination::Timeout, Some(winner)) = (by, winner) {
            self.game.lose_on_unknown_clock(self.now, !winner);
            if self.game.result().is_some() {
                return Ok(());
            }
        }
        match (by, winner) {
            (Termination::Aborted, _) => self.game.abort(self.now),
            (Termination::Agreement, None) => self.act(asked, Action::AcceptDraw),
            (Termination::Resignation, Some(winner)) => self.act(!winner, Action::Resign),
            (
                Termination::Overline | Termination::DoubleFour | Termination::DoubleThree,
                Some(_),
            ) => {
                self.act(asked, Action::Claim);
            }
            (Termination::Timeout, Some(winner)) if asked != winner => {
                let late = self.game.next_timeout().ok_or_else(|| unable(by))?;
                self.game.handle_timeout(late);
            }
            (by, Some(winner)) => {
                let mut failures = Failure::ALL.into_iter();
                let failure = failures.find(|failure| Termination::from(*failure) == by);
                let failure = failure.ok_or_else(|| unable(by))?;
                self.game.handle(self.now, !winner, Input::Failed(failure));
            }
            _ => return Err(unable(by)),
        }
        Ok(())
    }

    fn act(&mut self, seat: Seat, action: Action) {
        self.game.handle(self.now, seat, Input::Act(action));
    }
}
