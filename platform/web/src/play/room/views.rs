//! What a room tells: the messages of the server, as JSON.

use serde::Serialize;
use tengen_arbiter::{Limits, Nanos};
use tengen_rules::{Ask, Seat, Zone};

use super::{Member, Moment, Phase, Room};
use crate::GameView;
use crate::game_view::{OpeningName, ResultView, StepView, millis, seat_number};
use crate::play::engines::EngineQuestion;
use crate::play::journal::ChatLine;
use crate::play::protocol::Wish;
use crate::play::settings::TableSettings;
use crate::play::table_game::TableGame;

/// What a message of the server begins with.
#[derive(Serialize)]
pub(in crate::play) struct Typed<'a, T> {
    #[serde(rename = "type")]
    pub kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    #[serde(flatten)]
    pub message: T,
}

/// A message as it is sent.
pub(in crate::play) fn written(
    kind: &str,
    id: Option<u64>,
    message: impl Serialize,
) -> axum::extract::ws::Utf8Bytes {
    let text = serde_json::to_string(&Typed { kind, id, message });
    text.expect("every key of a message is a string").into()
}

/// A question as an engine elsewhere gets it.
pub(in crate::play) fn ask_message(
    room: &str,
    seat: Seat,
    question: &EngineQuestion,
) -> axum::extract::ws::Utf8Bytes {
    let message = AskMessage {
        room,
        question: question.number,
        seat: seat_number(seat),
        moves: question.moves.iter().map(ToString::to_string).collect(),
        ask: AskedView::new(question.ask),
        offered: question.offered.iter().map(ToString::to_string).collect(),
        fifth: question.fifth_moves,
        limits: LimitsView::new(question.limits),
    };
    written("ask", None, message)
}

/// A public table in the list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(in crate::play) struct Listing {
    pub room: String,
    title: String,
    settings: TableSettings,
    phase: Phase,
    seats: [Option<String>; 2],
    viewers: usize,
    pub opened: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct StateView {
    phase: Phase,
    seats: [Option<SeatView>; 2],
    requests: Vec<RequestView>,
    score: [f64; 2],
    games: u64,
    viewers: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct SeatView {
    name: String,
    kind: &'static str,
    here: bool,
    lag: Option<u64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct RequestView {
    seat: u8,
    what: Wish,
}

#[derive(Serialize)]
struct TableView<'a> {
    room: &'a str,
    settings: &'a TableSettings,
    you: YouView<'a>,
    keys: KeysView<'a>,
    state: StateView,
    live: Option<LiveView<'a>>,
    question: u64,
    waiting: Option<u8>,
    now: u64,
    chat: Vec<&'a ChatLine>,
}

#[derive(Serialize)]
struct YouView<'a> {
    seat: Option<u8>,
    key: Option<&'a str>,
    host: bool,
    host_key: Option<&'a str>,
}

#[derive(Serialize)]
struct KeysView<'a> {
    invite: Option<&'a str>,
    watch: Option<&'a str>,
}

#[derive(Serialize)]
struct LiveView<'a> {
    game: &'a GameView,
    #[serde(flatten)]
    turn: TurnView,
}

#[derive(Clone, Copy, Serialize)]
struct TurnView {
    asked: Option<u8>,
    since: u64,
    left: [Option<u64>; 2],
}

#[derive(Serialize)]
struct StepMessage<'a> {
    room: &'a str,
    number: u64,
    place: usize,
    step: &'a StepView,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningName>,
    #[serde(flatten)]
    turn: TurnView,
    question: u64,
    waiting: Option<u8>,
    now: u64,
}

#[derive(Serialize)]
struct OverMessage<'a> {
    room: &'a str,
    number: u64,
    result: &'a ResultView,
    row: &'a [u16],
    left: [Option<u64>; 2],
}

#[derive(Serialize)]
struct StateMessage<'a> {
    room: &'a str,
    state: &'a StateView,
}

#[derive(Serialize)]
struct ChatMessage<'a> {
    room: &'a str,
    line: &'a ChatLine,
}

#[derive(Serialize)]
struct AskMessage<'a> {
    room: &'a str,
    question: u64,
    seat: u8,
    moves: Vec<String>,
    ask: AskedView,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    offered: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fifth: Option<(u8, u8)>,
    limits: LimitsView,
}

#[derive(Serialize)]
struct AskedView {
    ask: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u8>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    canonical: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<ZoneView>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ZoneView {
    Within(u8),
    Beyond(u8),
}

#[derive(Serialize)]
struct LimitsView {
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hard: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    draw_offered: bool,
    retry: bool,
}

impl AskedView {
    fn new(ask: Ask) -> AskedView {
        let (count, zone) = match ask {
            Ask::Place { count, zone, .. } | Ask::MoveOrOffer { zone, count } => {
                (Some(count), zone)
            }
            Ask::ChooseOrPlace { count } | Ask::Offer { count } => (Some(count), Zone::Anywhere),
            Ask::Move { zone } => (None, zone),
            Ask::Choose | Ask::Swap | Ask::Pick | Ask::Declare { .. } => (None, Zone::Anywhere),
        };
        let (min, max) = match ask {
            Ask::Declare { min, max } => (Some(min), Some(max)),
            _ => (None, None),
        };
        let zone = match zone {
            Zone::Anywhere => None,
            Zone::Within(radius) => Some(ZoneView::Within(radius)),
            Zone::Beyond(radius) => Some(ZoneView::Beyond(radius)),
        };
        let canonical = matches!(ask, Ask::Place { canonical: true, .. });
        AskedView { ask: ask.name(), count, min, max, canonical, zone }
    }
}

impl LimitsView {
    fn new(limits: Limits) -> LimitsView {
        LimitsView {
            own: limits.own.map(millis),
            opponent: limits.opponent.map(millis),
            hard: limits.hard.map(millis),
            nodes: limits.nodes,
            depth: limits.depth,
            draw_offered: limits.draw_offered,
            retry: limits.retry,
        }
    }
}

impl Room {
    /// How the table stands in the list.
    pub fn listing(&self) -> Listing {
        let name = |seat: Seat| self.seats[seat].as_ref().map(|one| one.shown_name().to_owned());
        Listing {
            room: self.id.clone(),
            title: self.settings.title.clone(),
            settings: self.settings.clone(),
            phase: self.phase(),
            seats: Seat::ALL.map(name),
            viewers: self.viewers.0,
            opened: self.opened,
        }
    }

    pub(super) fn state(&self) -> StateView {
        let seat = |seat: Seat| {
            self.seats[seat].as_ref().map(|one| SeatView {
                name: one.shown_name().to_owned(),
                kind: match (&one.engine, one.is_remote) {
                    (Some(_), _) => "engine",
                    (None, true) => "remote",
                    (None, false) => "person",
                },
                here: one.engine.is_some() || self.is_here(seat),
                lag: one.lag.filter(|_| one.engine.is_none()),
            })
        };
        let mut requests: Vec<_> = self.requests.clone();
        if let Some(offered) = self.game_offer()
            && !requests.contains(&(offered, Wish::Draw))
            && !self.declined.contains(&(offered, Wish::Draw, self.question))
        {
            requests.push((offered, Wish::Draw));
        }
        let score = |seat: Seat| self.seats[seat].as_ref().map_or(0.0, |one| one.score);
        StateView {
            phase: self.phase(),
            seats: Seat::ALL.map(seat),
            requests: requests
                .into_iter()
                .map(|(seat, what)| RequestView { seat: seat_number(seat), what })
                .collect(),
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
    pub(super) fn table_message(
        &self,
        member: &Member,
        id: Option<u64>,
        at: Moment,
    ) -> axum::extract::ws::Utf8Bytes {
        let occupant = member.seat.and_then(|seat| self.seats[seat].as_ref());
        let may_invite = occupant.is_some() || member.is_host;
        let live = self
            .played
            .as_ref()
            .map(|table| LiveView { game: &table.view, turn: self.turn(table, at) });
        written(
            "table",
            id,
            TableView {
                room: &self.id,
                settings: &self.settings,
                you: YouView {
                    seat: member.seat.map(seat_number),
                    key: occupant.map(|one| one.key.as_str()),
                    host: member.is_host,
                    host_key: member.is_host.then_some(self.keys.host.as_str()),
                },
                keys: KeysView {
                    invite: may_invite.then_some(self.keys.invite.as_str()),
                    watch: Some(self.keys.watch.as_str()),
                },
                state: StateView { viewers: self.viewers_here(), ..self.state() },
                live,
                question: self.question,
                waiting: self.waiting(),
                now: at.date,
                chat: self.chat.iter().collect(),
            },
        )
    }

    pub(super) fn step_message(
        &self,
        table: &TableGame,
        place: usize,
        at: Moment,
    ) -> axum::extract::ws::Utf8Bytes {
        let message = StepMessage {
            room: &self.id,
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

    pub(super) fn over_message(
        &self,
        table: &TableGame,
        now: Nanos,
    ) -> Option<axum::extract::ws::Utf8Bytes> {
        let result = table.view.result()?;
        let left = Seat::ALL.map(|seat| table.left(seat, now).map(millis));
        let (room, number, row) = (&*self.id, table.number, table.view.row());
        Some(written("over", None, OverMessage { room, number, result, row, left }))
    }

    pub(super) fn state_message(&self, state: &StateView) -> axum::extract::ws::Utf8Bytes {
        written("state", None, StateMessage { room: &self.id, state })
    }

    pub(super) fn chat_message(&self, line: &ChatLine) -> axum::extract::ws::Utf8Bytes {
        written("chat", None, ChatMessage { room: &self.id, line })
    }

    pub(super) fn ask_message(
        &self,
        seat: Seat,
        question: &EngineQuestion,
    ) -> axum::extract::ws::Utf8Bytes {
        ask_message(&self.id, seat, question)
    }

    fn phase(&self) -> Phase {
        let is_full = Seat::ALL.into_iter().all(|seat| self.seats[seat].is_some());
        match &self.played {
            Some(table) if table.over.is_none() && self.is_paused => Phase::Paused,
            Some(table) if table.over.is_none() => Phase::Playing,
            Some(_) if is_full => Phase::Over,
            _ => Phase::Open,
        }
    }
}
