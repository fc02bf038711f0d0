use super::Translator;
use crate::app::model::table::LatePolicy;
use crate::app::model::texts::Text;
use crate::app::model::{
    ConnectionState, Happening, HappeningKind, ListenFormProblem, ServerRefusal, Snapshot,
    TableInfo, TablePhase, TableRequest, TableSettings,
};
use tengen_rules::Seat;

impl Translator {
    /// Why a server cannot listen where a form says.
    pub fn listen_problem(self, problem: ListenFormProblem) -> &'static str {
        self.text(match problem {
            ListenFormProblem::Address => Text::ListenWrong,
            ListenFormProblem::Shown => Text::ServerShownWrong,
            ListenFormProblem::Certificate => Text::ServerKeyMissing,
        })
    }

    /// What a server refused.
    pub fn server_refusal(self, refusal: &ServerRefusal) -> String {
        let kind = self.text(match refusal.code.as_str() {
            "illegal" => Text::RefusedRules,
            "not_now" => Text::RefusedNow,
            "key" => Text::RefusedKey,
            "table" => Text::RefusedTable,
            "seat" => Text::RefusedSeat,
            "settings" => Text::RefusedSettings,
            "engine" => Text::RefusedEngine,
            "own_engine" => Text::RefusedOwnEngine,
            "picture" => Text::RefusedPicture,
            "too_fast" => Text::RefusedTooFast,
            "too_many" => Text::RefusedTooMany,
            "password" => Text::RefusedPassword,
            "version" => Text::RefusedVersion,
            _ => Text::RefusedOther,
        });
        match refusal.message.lines().next() {
            Some(message) => self.fill(Text::Named, &[kind, message]),
            None => kind.to_owned(),
        }
    }

    /// Why there is no connection; none while there is one.
    pub fn connection(self, connection: &ConnectionState, server: &str) -> Option<String> {
        match connection {
            ConnectionState::Connected => None,
            ConnectionState::Connecting => Some(self.fill(Text::LinkConnecting, &[server])),
            ConnectionState::Broken(reason) => Some(self.fill(Text::LinkBroken, &[reason])),
            ConnectionState::Closed(reason) => Some(self.fill(Text::LinkClosed, &[reason])),
        }
    }

    /// What a player asks for, as a sentence of the one who is asked.
    pub fn request(self, request: TableRequest, name: &str) -> String {
        let text = match request {
            TableRequest::Undo => Text::AskedUndo,
            TableRequest::Draw => Text::DrawOffered,
            TableRequest::Pause => Text::AskedPause,
            TableRequest::Again => Text::AskedAgain,
        };
        self.fill(text, &[name])
    }

    /// What this window's person asked for.
    pub fn own_request(self, request: TableRequest) -> &'static str {
        self.text(match request {
            TableRequest::Undo => Text::AskingUndo,
            TableRequest::Draw => Text::AskingDraw,
            TableRequest::Pause => Text::AskingPause,
            TableRequest::Again => Text::AskingAgain,
        })
    }

    /// That this player declined what the other one asked for.
    pub fn declined(self, request: TableRequest, name: &str) -> String {
        let text = match request {
            TableRequest::Undo => Text::DeclinedUndo,
            TableRequest::Draw => Text::DrawDeclined,
            TableRequest::Pause => Text::DeclinedPause,
            TableRequest::Again => Text::DeclinedAgain,
        };
        self.fill(text, &[name])
    }

    /// What happened, in a sentence; what was said, as it was said.
    pub fn happening(self, happening: &Happening) -> String {
        let name = self.name(&happening.name);
        let text = match &happening.what {
            HappeningKind::Said(text) => return text.clone(),
            HappeningKind::Showed(Some(_)) => Text::ChatPictureBy,
            HappeningKind::Showed(None) => Text::ChatPictureGone,
            HappeningKind::Declined(request) => return self.declined(*request, name),
            HappeningKind::OfferedDraw => Text::DrawOffered,
            HappeningKind::WasRefused => Text::HappenedRefused,
            HappeningKind::MovedFor => Text::HappenedMovedFor,
            HappeningKind::TookSeat => Text::HappenedSeat,
            HappeningKind::LeftSeat => Text::HappenedLeft,
            HappeningKind::Away => Text::HappenedAway,
            HappeningKind::Back => Text::HappenedBack,
            HappeningKind::TookBack => Text::HappenedTakenBack,
            HappeningKind::Paused => Text::HappenedPaused,
            HappeningKind::Resumed => Text::HappenedResumed,
        };
        self.fill(text, &[name])
    }

    /// What a table waits for; none where its game says so itself.
    pub fn table_status(self, info: &TableInfo, snapshot: &Snapshot) -> Option<String> {
        match &info.connection {
            ConnectionState::Connected => {}
            // Why, is said beside the board.
            ConnectionState::Broken(_) => return Some(self.text(Text::LinkAway).to_owned()),
            connection => return self.connection(connection, &info.server),
        }
        if info.phase == TablePhase::Open && snapshot.result.is_none() {
            let waits = info.seat.is_some() || info.is_host;
            let text = if waits { Text::TableHandOn } else { Text::TableWaiting };
            return Some(self.text(text).to_owned());
        }
        let held = snapshot.asked.filter(|asked| asked.since.is_none())?;
        let sitter = info.sitters[held.seat].as_ref()?;
        let is_held = info.phase == TablePhase::Playing && !sitter.is_here;
        is_held.then(|| self.fill(Text::TableHeld, &[&sitter.name]))
    }

    /// The rule, the board, the opening and the clock of a table in the list.
    pub fn settings(self, settings: &TableSettings) -> String {
        let (width, height) = (settings.size.width(), settings.size.height());
        let mut parts = vec![self.rule(settings.rule).to_owned(), format!("{width}×{height}")];
        if settings.opening != tengen_rules::Procedure::None {
            parts.push(self.opening(settings.opening).to_owned());
        }
        let control = self.control(&settings.time);
        parts.push(if control.is_empty() { self.text(Text::NoClock).to_owned() } else { control });
        parts.join(" · ")
    }

    /// What else is settled at a table.
    pub fn other_settings(self, settings: &TableSettings) -> String {
        let visible = if settings.public { Text::TableIsPublic } else { Text::TableIsPrivate };
        let mut parts = vec![self.text(visible).to_owned()];
        if settings.margin > 0.0 {
            parts.push(self.fill(Text::TableMarginIs, &[&settings.margin.to_string()]));
        }
        if settings.late == LatePolicy::Substitute {
            parts.push(self.text(Text::TableLate).to_owned());
        }
        if let Some(limit) = settings.move_limit {
            parts.push(self.fill(Text::TableLimit, &[&limit.to_string()]));
        }
        if let Some(limit) = settings.undo_limit.filter(|_| settings.undo) {
            parts.push(self.fill(Text::TableUndos, &[&limit.to_string()]));
        }
        if let Some(seconds) = settings.absence {
            parts.push(self.fill(Text::TableAway, &[&seconds.to_string()]));
        }
        parts.join(" · ")
    }

    /// The label of a seat in the form that opens a table.
    pub fn own_seat(self, seat: Option<Seat>) -> &'static str {
        self.text(match seat {
            Some(Seat::First) => Text::SeatOfFirst,
            Some(Seat::Second) => Text::SeatOfSecond,
            None => Text::SeatOfNobody,
        })
    }
}
