//! The commands to a table.

use tengen_players::ListedEngine;
use tengen_rules::Seat;

use crate::app::model::{ConnectionState, Snapshot, TableInfo, TablePhase, TableRequest};

/// A command to a table on a server. It takes effect when the server has agreed; one that does not
/// fit does nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableCommand {
    /// Ask the other player for something.
    Request(TableRequest),
    /// Answer what the other player asks.
    Reply(TableRequest, bool),
    /// Take one's own request back.
    Withdraw(TableRequest),
    /// End a pause.
    Resume,
    /// Take a seat.
    Sit(Seat),
    /// Give the seat up.
    Stand,
    /// Let that engine of the server play on the seat; none takes it back.
    HandOver(Option<String>),
    /// Let that engine of this computer answer; none answers by clicks again.
    UseOwnEngine(Option<ListedEngine>),
    /// Say something.
    Chat(String),
    /// Show a picture: a PNG or JPEG file in base64.
    ShowPicture(String),
    /// Free a seat, as the host.
    Remove(Seat),
    /// End the table, as the host.
    End,
    /// Try now to connect again.
    Reconnect,
}

impl TableCommand {
    /// Whether it means something now.
    pub fn fits(&self, info: &TableInfo, snapshot: &Snapshot) -> bool {
        let is_here = info.is_connected() && info.id.is_some();
        let sits = is_here && info.seat.is_some();
        let other = info.seat.map(|seat| !seat);
        match self {
            TableCommand::Request(request) => {
                let stands = info.seat.is_some_and(|seat| info.asks(seat, *request));
                sits && !stands && TableCommand::may_ask(*request, info, snapshot)
            }
            TableCommand::Reply(request, _) => {
                sits && other.is_some_and(|other| info.asks(other, *request))
            }
            TableCommand::Withdraw(request) => {
                sits && info.seat.is_some_and(|seat| info.asks(seat, *request))
            }
            TableCommand::Resume => sits && info.phase == TablePhase::Paused,
            TableCommand::Sit(seat) => {
                is_here && info.seat.is_none() && info.sitters[*seat].is_none()
            }
            TableCommand::Stand => sits && !info.is_playing(),
            TableCommand::HandOver(Some(id)) => {
                let is_known = info.engines.iter().any(|engine| engine.id == *id);
                sits && info.settings.engines && is_known
            }
            TableCommand::HandOver(None) => sits && info.is_handed_over(),
            TableCommand::UseOwnEngine(engine) => {
                sits && info.own_engine.as_ref() != engine.as_ref().map(|engine| &engine.id)
            }
            TableCommand::Chat(text) => is_here && info.settings.chat && !text.trim().is_empty(),
            TableCommand::ShowPicture(_) => is_here && info.settings.chat && info.takes_pictures,
            TableCommand::Remove(seat) => {
                let is_taken = info.sitters[*seat].is_some() && info.seat != Some(*seat);
                is_here && info.is_host && is_taken && !info.is_playing()
            }
            TableCommand::End => is_here && info.is_host,
            TableCommand::Reconnect => {
                matches!(info.connection, ConnectionState::Broken(_))
            }
        }
    }

    /// Whether a request means something in this phase of the game, and the table has it.
    fn may_ask(request: TableRequest, info: &TableInfo, snapshot: &Snapshot) -> bool {
        let is_running = info.phase == TablePhase::Playing;
        match request {
            TableRequest::Undo => {
                let may_undo = |seat| snapshot.answered[seat] && info.undo_left[seat] != Some(0);
                info.is_playing() && info.settings.undo && info.seat.is_some_and(may_undo)
            }
            TableRequest::Draw => is_running && info.settings.draws,
            TableRequest::Pause => is_running && info.settings.pause,
            TableRequest::Again => info.phase == TablePhase::Over,
        }
    }
}
