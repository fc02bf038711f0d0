//! What a room tells: the messages of the server, as JSON.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tengen_arbiter::Nanos;
use tengen_players::EngineQuestion;
use tengen_rules::Seat;

use super::{Member, Moment, Room};
use crate::game_view::{TurnView, millis, seat_number};
use crate::play::messages::{
    AskLimits, AskMessage, AskedFields, ChatLine, LiveGame, OpenRequest, OverMessage, OwnPlace,
    Sitter, SitterKind, StepMessage, TableKeys, TableListing, TableMessage, TablePhase,
    TableRequest, TableState,
};
use crate::play::table_game::TableGame;

/// What a message of the server begins with.
#[derive(Serialize)]
pub(in crate::play) struct Envelope<'a, T> {
    #[serde(rename = "type")]
    pub kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    #[serde(flatten)]
    pub message: T,
}

/// A message as it is sent.
pub(in crate::play) fn written(kind: &str, id: Option<u64>, message: impl Serialize) -> Utf8Bytes {
    let text = serde_json::to_string(&Envelope { kind, id, message });
    text.expect("every key of a message is a string").into()
}

/// A question as an engine elsewhere gets it.
pub(in crate::play) fn ask_message(room: &str, seat: Seat, question: &EngineQuestion) -> Utf8Bytes {
    let message = AskMessage {
        room: room.to_owned(),
        question: question.number,
        seat: seat_number(seat),
        moves: question.moves.iter().map(ToString::to_string).collect(),
        ask: AskedFields::new(question.ask),
        offered: question.offered.iter().map(ToString::to_string).collect(),
        fifth: question.fifth_moves,
        limits: AskLimits::new(question.limits, question.patience),
    };
    written("ask", None, message)
}

#[derive(Serialize)]
struct StateMessage<'a> {
    room: &'a str,
    state: &'a TableState,
}

#[derive(Serialize)]
struct ChatMessage<'a> {
    room: &'a str,
    line: &'a ChatLine,
}

impl Room {
    /// How the table stands in the list.
    pub fn listing(&self) -> TableListing {
        let name = |seat: Seat| self.seats[seat].as_ref().map(|one| one.shown_name().to_owned());
        TableListing {
            room: self.id.clone(),
            title: self.settings.title.clone(),
            settings: self.settings.clone(),
            phase: self.phase(),
            seats: Seat::ALL.map(name),
            viewers: self.viewers.0,
            opened: self.opened,
        }
    }

    pub(super) fn state(&self) -> TableState {
        let seat = |seat: Seat| {
            self.seats[seat].as_ref().map(|one| Sitter {
                name: one.shown_name().to_owned(),
                kind: match (&one.engine, one.is_remote) {
                    (Some(_), _) => SitterKind::ServerEngine,
                    (None, true) => SitterKind::RemoteEngine,
                    (None, false) => SitterKind::Person,
                },
                is_here: one.engine.is_some() || self.is_here(seat),
                lag: one.lag.filter(|_| one.engine.is_none()),
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
        let open = |(seat, what)| OpenRequest { seat: seat_number(seat), what };
        let score = |seat: Seat| self.seats[seat].as_ref().map_or(0.0, |one| one.score);
        TableState {
            phase: self.phase(),
            seats: Seat::ALL.map(seat),
            requests: requests.into_iter().map(open).collect(),
            declined: declined.map(|&(seat, what, _)| open((seat, what))).collect(),
            score: Seat::ALL.map(score),
            games: self.games,
            viewers: self.viewers.0,
        }
    }

    /// Whose draw offer stands in the game itself: an engine's.
    pub(super) fn game_offer(&self) -> Option<Seat> {
        let table = self.played.as_ref().filter(|table| table.over.is_none())?;
        table.game.draw_offer()
    }

    fn turn(&self, table: &TableGame, at: Moment) -> TurnView {
        let is_running = table.asked_at.is_some();
        let asked = table.waiting().filter(|_| is_running);
        let left = |seat: Seat| match is_running {
            true => table.game.clock(seat).left(),
            false => table.left(seat, at.now),
        };
        TurnView {
            asked: asked.map(seat_number),
            since: at.date.saturating_sub(millis(table.used(at.now))),
            left: Seat::ALL.map(|seat| left(seat).map(millis)),
        }
    }

    fn waiting(&self) -> Option<u8> {
        self.played.as_ref().and_then(TableGame::waiting).map(seat_number)
    }

    /// All of the table, as one who is there may see it.
    pub(super) fn table_message(&self, member: &Member, id: Option<u64>, at: Moment) -> Utf8Bytes {
        let occupant = member.seat.and_then(|seat| self.seats[seat].as_ref());
        let may_invite = occupant.is_some() || member.is_host;
        let live = self.played.as_ref();
        let live = live.map(|table| LiveGame { game: &table.view, turn: self.turn(table, at) });
        let message = TableMessage {
            room: self.id.clone(),
            settings: self.settings.clone(),
            you: OwnPlace {
                seat: member.seat.map(seat_number),
                key: occupant.map(|one| one.key.clone()),
                host: member.is_host,
                host_key: member.is_host.then(|| self.keys.host.clone()),
            },
            keys: TableKeys {
                invite: may_invite.then(|| self.keys.invite.clone()),
                watch: Some(self.keys.watch.clone()),
            },
            state: TableState { viewers: self.viewers_here(), ..self.state() },
            live,
            question: self.question,
            waiting: self.waiting(),
            now: at.date,
            chat: self.chat.iter().cloned().collect(),
        };
        written("table", id, message)
    }

    pub(super) fn step_message(&self, table: &TableGame, place: usize, at: Moment) -> Utf8Bytes {
        let message = StepMessage {
            room: self.id.clone(),
            number: table.number,
            place,
            step: &table.view.steps()[place],
            opening: table.view.opening(),
            turn: self.turn(table, at),
            question: self.question,
            waiting: table.waiting().map(seat_number),
            now: at.date,
        };
        written("step", None, message)
    }

    pub(super) fn over_message(&self, table: &TableGame, now: Nanos) -> Option<Utf8Bytes> {
        let message = OverMessage {
            room: self.id.clone(),
            number: table.number,
            result: table.view.result()?.clone(),
            row: table.view.row().to_vec(),
            left: Some(Seat::ALL.map(|seat| table.left(seat, now).map(millis))),
        };
        Some(written("over", None, message))
    }

    pub(super) fn state_message(&self, state: &TableState) -> Utf8Bytes {
        written("state", None, StateMessage { room: &self.id, state })
    }

    pub(super) fn chat_message(&self, line: &ChatLine) -> Utf8Bytes {
        written("chat", None, ChatMessage { room: &self.id, line })
    }

    pub(super) fn ask_message(&self, seat: Seat, question: &EngineQuestion) -> Utf8Bytes {
        ask_message(&self.id, seat, question)
    }

    fn phase(&self) -> TablePhase {
        let is_full = Seat::ALL.into_iter().all(|seat| self.seats[seat].is_some());
        match &self.played {
            Some(table) if table.over.is_none() && self.is_paused => TablePhase::Paused,
            Some(table) if table.over.is_none() => TablePhase::Playing,
            Some(_) if is_full => TablePhase::Over,
            _ => TablePhase::Open,
        }
    }
}
