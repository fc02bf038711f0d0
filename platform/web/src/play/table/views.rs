//! The messages of a table to its members, as JSON.

use std::borrow::Cow;

use axum::extract::ws::Utf8Bytes;
use tengen_arbiter::Nanos;
use tengen_rules::{BySeat, Seat};

use super::{Member, Moment, Table};
use crate::play::table_game::TableGame;
use crate::play::written;
use tengen_link::messages::{
    ChatLine, LinkKeys, LiveGame, OpenRequest, OverMessage, OwnPlace, ServerMessage, Sitter,
    SitterKind, StepMessage, TableListing, TableMessage, TablePhase, TableRequest, TableState,
};
use tengen_link::view::{TurnView, millis};

impl Table {
    /// Whether the table is in the list: a public one whose players have not all left, or at which
    /// nobody sits yet.
    pub fn is_listed(&self) -> bool {
        let is_taken = |seat: &Seat| self.seats[*seat].is_some();
        let is_here = Seat::ALL.into_iter().any(|seat| self.is_here(seat));
        let is_used = is_here || !Seat::ALL.iter().any(is_taken);
        self.settings.public && !self.is_closed && is_used
    }

    /// How the table stands in the list.
    pub fn listing(&self) -> TableListing {
        let name = |seat: Seat| self.seats[seat].as_ref().map(|one| one.shown_name().to_owned());
        TableListing {
            id: self.id.clone(),
            title: self.settings.title.clone(),
            settings: self.settings.clone(),
            phase: self.phase(),
            seats: BySeat::from_fn(name),
            viewers: self.viewers.0,
            opened: self.opened,
        }
    }

    pub(super) fn state(&self) -> TableState {
        let seat = |seat: Seat| {
            self.seats[seat].as_ref().map(|one| Sitter {
                name: one.shown_name().to_owned(),
                kind: match (one.is_engine(), one.is_remote) {
                    (true, _) => SitterKind::ServerEngine,
                    (false, true) => SitterKind::RemoteEngine,
                    (false, false) => SitterKind::Person,
                },
                is_here: one.is_engine() || self.is_here(seat),
                lag: one.lag.filter(|_| !one.is_engine()),
            })
        };
        let mut requests: Vec<_> = self.requests.clone();
        if let Some(offered) = self.game_offer()
            && !requests.contains(&(offered, TableRequest::Draw))
            && !self.declined.contains(&(offered, TableRequest::Draw, self.question))
        {
            requests.push((offered, TableRequest::Draw));
        }
        let declined = self.declined.iter().filter(|(.., question)| *question == self.question);
        let open = |(seat, what)| OpenRequest { seat, what };
        let score = |seat: Seat| self.seats[seat].as_ref().map_or(0.0, |one| one.score);
        TableState {
            phase: self.phase(),
            seats: BySeat::from_fn(seat),
            requests: requests.into_iter().map(open).collect(),
            declined: declined.map(|&(seat, what, _)| open((seat, what))).collect(),
            undo_left: BySeat::from_fn(|seat| self.undo_left(seat)),
            ready: self.ready.map(|(ready, _)| ready),
            claims: BySeat::from_fn(|seat| self.claim_from(seat).map(|from| from.date)),
            score: BySeat::from_fn(score),
            games: self.games,
            viewers: self.viewers.0,
        }
    }

    /// How often the player of a seat may still take back in this game; none is any number.
    pub(super) fn undo_left(&self, seat: Seat) -> Option<u32> {
        self.settings.undo_limit.map(|limit| limit.saturating_sub(self.undone[seat]))
    }

    /// The seat with a draw offer in the game itself: an engine's.
    pub(super) fn game_offer(&self) -> Option<Seat> {
        let played = self.played.as_ref().filter(|one| one.over.is_none())?;
        played.game.draw_offer()
    }

    fn turn(&self, played: &TableGame, at: Moment) -> TurnView {
        let is_running = played.asked_at.is_some();
        let asked = played.waiting().filter(|_| is_running);
        let face = |seat: Seat| match is_running {
            true => played.game.clock(seat).face(0),
            false => played.clock(seat, at.now),
        };
        TurnView {
            asked,
            // It begins in a moment, where the way there and back is given back.
            since: (at.date + millis(played.asked_at.unwrap_or(0).saturating_sub(at.now)))
                .saturating_sub(millis(played.used(at.now))),
            ..TurnView::of(BySeat::from_fn(face))
        }
    }

    fn waiting(&self) -> Option<Seat> {
        self.played.as_ref().and_then(TableGame::waiting)
    }

    /// All of the table, as this member may see it.
    pub(super) fn table_message(&self, member: &Member, id: Option<u64>, at: Moment) -> Utf8Bytes {
        let occupant = member.seat.and_then(|seat| self.seats[seat].as_ref());
        let may_invite = occupant.is_some() || member.is_host;
        let live = self.played.as_ref();
        let live =
            live.map(|one| LiveGame { game: Cow::Borrowed(&one.view), turn: self.turn(one, at) });
        let message = TableMessage {
            id: self.id.clone(),
            settings: self.settings.clone(),
            you: OwnPlace {
                seat: member.seat,
                key: occupant.map(|one| one.key.clone()),
                host: member.is_host,
                host_key: member.is_host.then(|| self.keys.host.clone()),
            },
            keys: LinkKeys {
                invite: may_invite.then(|| self.keys.invite.clone()),
                watch: Some(self.keys.watch.clone()),
            },
            state: TableState { viewers: self.viewers_here(), ..self.state() },
            live,
            question: self.question,
            waiting: self.waiting(),
            now: at.date,
            chat: self.chat.lines().cloned().collect(),
        };
        written(id, ServerMessage::Table(Box::new(message)))
    }

    pub(super) fn step_message(&self, played: &TableGame, place: usize, at: Moment) -> Utf8Bytes {
        let message = StepMessage {
            table: self.id.clone(),
            number: played.number,
            place,
            step: Cow::Borrowed(&played.view.steps[place]),
            opening: played.view.opening.clone(),
            turn: self.turn(played, at),
            question: self.question,
            waiting: played.waiting(),
            now: at.date,
        };
        written(None, ServerMessage::Step(Box::new(message)))
    }

    pub(super) fn over_message(&self, played: &TableGame, now: Nanos) -> Option<Utf8Bytes> {
        let TurnView { left, byo_yomi, .. } =
            TurnView::of(BySeat::from_fn(|seat| played.clock(seat, now)));
        let message = OverMessage {
            table: self.id.clone(),
            number: played.number,
            result: played.view.result.clone()?,
            row: played.view.row.clone(),
            left: Some(left),
            byo_yomi,
        };
        Some(written(None, ServerMessage::Over(Box::new(message))))
    }

    pub(super) fn state_message(&self, state: &TableState) -> Utf8Bytes {
        written(None, ServerMessage::State { table: self.id.clone(), state: state.clone() })
    }

    pub(super) fn chat_message(&self, line: &ChatLine) -> Utf8Bytes {
        written(None, ServerMessage::Chat { table: self.id.clone(), line: line.clone() })
    }

    fn phase(&self) -> TablePhase {
        let is_full = Seat::ALL.into_iter().all(|seat| self.seats[seat].is_some());
        match &self.played {
            Some(played) if played.over.is_none() && self.is_paused => TablePhase::Paused,
            Some(played) if played.over.is_none() => TablePhase::Playing,
            Some(_) if is_full => TablePhase::Over,
            _ => TablePhase::Open,
        }
    }
}
