//! Tables on servers: the forms that open one and go to one, and their tabs.

use std::sync::Arc;

use tengen_lineup::EngineProvider;
use tengen_link::{RemoteEngine, RemotePlace};

use super::{App, JoinForm, NetworkCommand};
use crate::app::controller::{Command, Dialog, Document};
use crate::app::model::{
    ConnectionState, HostForm, Pane, SeatLink, Snapshot, TableAddress, TableInfo, Text,
};
use crate::app::session::{
    GameCommand, Lobby, TableAccess, TableCommand, TableContext, TableGuest, TableSession,
    TeamSession, WebServer,
};

/// The open forms about tables.
#[derive(Default)]
pub(super) struct TableForms {
    host: Option<HostForm>,
    /// The last contents of the form that opens a table.
    last_host: HostForm,
    /// The number of the server that is being started; none when none is.
    starting: Option<u64>,
    started: u64,
    /// Why the server could not be started.
    host_problem: Option<String>,
    join: Option<JoinForm>,
    lobby: Option<Lobby>,
}

impl TableForms {
    pub fn is_open(&self) -> bool {
        self.host.is_some() || self.join.is_some()
    }
}

impl App {
    /// The form that opens a table, when it is open.
    pub fn host_form(&self) -> Option<&HostForm> {
        self.tables.host.as_ref()
    }

    /// Whether the server of that form is being started.
    pub fn is_starting_server(&self) -> bool {
        self.tables.starting.is_some()
    }

    /// Why the server of that form could not be started.
    pub fn host_problem(&self) -> Option<&str> {
        self.tables.host_problem.as_deref()
    }

    /// The form that goes to a table, when it is open.
    pub fn join_form(&self) -> Option<&JoinForm> {
        self.tables.join.as_ref()
    }

    /// The public tables of a server, when they are listed.
    pub fn lobby(&self) -> Option<&Lobby> {
        self.tables.lobby.as_ref()
    }

    /// Runs a command about tables.
    pub(super) fn apply_to_tables(&mut self, command: NetworkCommand) {
        match command {
            NetworkCommand::OpenHostForm => self.open_host_form(),
            NetworkCommand::EditHostForm(form) => {
                self.tables.host = self.tables.host.take().map(|_| *form);
                self.tables.host_problem = None;
            }
            NetworkCommand::CloseHostForm => self.close_host_form(),
            NetworkCommand::Host => self.host(),
            NetworkCommand::OpenJoinForm => self.open_join_form(),
            NetworkCommand::EditJoinForm(form) => {
                let known = self.tables.join.take();
                if known.as_ref().is_some_and(|known| known.address != form.address) {
                    self.close_lobby();
                }
                self.tables.join = known.map(|_| form);
            }
            NetworkCommand::CloseJoinForm => {
                self.tables.join = None;
                self.close_lobby();
            }
            NetworkCommand::Join => self.join(true),
            NetworkCommand::Watch => self.join(false),
            NetworkCommand::Enter { table, sits } => self.enter(&table, sits),
            NetworkCommand::Return(place) => self.return_to(place),
            NetworkCommand::Forget(place) => {
                if place < self.settings.tables.seats.len() {
                    self.settings.tables.seats.remove(place);
                }
            }
            NetworkCommand::RetryList => self.tables.lobby.iter().for_each(Lobby::hurry),
            NetworkCommand::ToTable(command) => self.send_to_table(command),
            NetworkCommand::Type(text) => {
                if let Some(tab) = self.tabs.get_mut(self.active) {
                    tab.view.saying = text;
                }
            }
            NetworkCommand::Read(lines) => {
                if let Some(tab) = self.tabs.get_mut(self.active) {
                    tab.view.chat_read = lines;
                }
            }
            NetworkCommand::Say => {
                let Some(tab) = self.tabs.get_mut(self.active) else { return };
                let text = std::mem::take(&mut tab.view.saying);
                self.send_to_table(TableCommand::Chat(text));
            }
            NetworkCommand::CopyLink(link) => {
                self.show_status(self.tr().fill(Text::LinkCopied, &[&link]));
                self.files.copied = Some(link);
            }
        }
    }

    fn send_to_table(&self, command: TableCommand) {
        if let Some(Document::Table(session)) = self.tab().map(|tab| &tab.document) {
            session.send(command);
        }
    }

    /// The active table.
    pub fn table(&self) -> Option<&TableSession> {
        match &self.tab()?.document {
            Document::Table(session) => Some(session),
            _ => None,
        }
    }

    fn open_host_form(&mut self) {
        self.refresh_engines();
        let mut form = self.tables.last_host.clone();
        if form.name.is_empty() {
            form.name.clone_from(&self.settings.tables.name);
        }
        self.tables.host = Some(form);
    }

    fn close_host_form(&mut self) {
        self.tables.host_problem = None;
        // A server that is started meanwhile ends at once.
        self.tables.starting = None;
        if let Some(form) = self.tables.host.take() {
            self.settings.tables.name.clone_from(&form.name);
            self.tables.last_host = form;
        }
    }

    /// Starts the server of the form, unless it runs already, and opens the table on it.
    fn host(&mut self) {
        let Some(form) = self.tables.host.clone() else { return };
        let (Ok((terms, _)), None) = (form.check(), self.tables.starting) else { return };
        let running = |tab: &super::Tab| match &tab.document {
            Document::Table(session) => {
                let server = session.server()?;
                (server.terms().listen.address == terms.listen.address).then(|| Arc::clone(server))
            }
            _ => None,
        };
        if let Some(server) = self.tabs.iter().find_map(running) {
            if *server.terms() == terms {
                return self.open_hosted(&form, server);
            }
            let problem = self.tr().fill(Text::HostDiffers, &[&terms.listen.address.to_string()]);
            self.tables.host_problem = Some(problem);
            return;
        }
        let archive = self.services.archive.as_ref();
        let port = form.listen.port.to_string();
        let folder = archive.map(|archive| archive.dir().join("hosted-tables").join(port));
        let provider = Arc::clone(&self.services.provider);
        let address = terms.listen.address;
        self.tables.started += 1;
        let number = self.tables.started;
        (self.tables.starting, self.tables.host_problem) = (Some(number), None);
        let serve = move || WebServer::start(terms, folder, provider);
        let arrive = move |app: &mut App, served: Result<WebServer, String>| {
            if app.tables.starting != Some(number) {
                // A server may take a moment to end.
                return app.spawn(move || drop(served), |_, ()| {});
            }
            app.tables.starting = None;
            match served {
                Ok(server) => app.open_hosted(&form, Arc::new(server)),
                Err(problem) => app.tables.host_problem = Some(problem),
            }
        };
        // The end of an event may still be shown there.
        self.free_address(Some(address), move |app| app.spawn(serve, arrive));
    }

    fn open_hosted(&mut self, form: &HostForm, server: Arc<WebServer>) {
        let Some(settings) = form.settings() else { return };
        let address = server.own_address();
        self.close_host_form();
        let entry = TableAccess::Host { settings, seat: form.seat };
        let (name, password) = (form.name.trim().to_owned(), Some(server.password().to_owned()));
        let guest = TableGuest { name, password, authority: None };
        self.open_table(address, entry, guest, Some(server));
    }

    fn open_join_form(&mut self) {
        let memory = &self.settings.tables;
        let (address, name) = (memory.server.clone(), memory.name.clone());
        self.tables.join = Some(JoinForm { address, name, tables: 1, ..JoinForm::default() });
        // One of them may play for a team.
        self.refresh_engines();
    }

    /// Goes to the table of a link, or lists the tables of a server.
    fn join(&mut self, sits: bool) {
        let Some(form) = self.tables.join.clone() else { return };
        let Ok(address) = form.address.parse::<TableAddress>() else { return };
        if address.team.is_some() {
            return self.play_for_team(address, &form);
        }
        self.settings.tables.name.clone_from(&form.name);
        if address.table.is_some() {
            self.go(address, sits, &form);
            return;
        }
        self.settings.tables.server.clone_from(&form.address);
        self.close_lobby();
        let wake = Arc::clone(&self.services.wake);
        self.tables.lobby = Some(Lobby::open(address, &form.guest(), wake));
    }

    /// Lets an engine of this window play for the team of a link.
    fn play_for_team(&mut self, address: TableAddress, form: &JoinForm) {
        let list = self.engine_list();
        let known = list.engines.iter().find(|engine| engine.id == form.engine);
        let Some(engine) = known.cloned() else { return };
        self.tables.join = None;
        self.close_lobby();
        let is_there = |tab: &super::Tab| match &tab.document {
            Document::Team(session) => session.is_for(&address) && session.is_running(),
            _ => false,
        };
        if let Some(index) = self.tabs.iter().position(is_there) {
            self.active = index;
            return;
        }
        let remote = RemoteEngine {
            address,
            name: engine.name.clone(),
            authority: form.authority(),
            engines: Arc::<dyn EngineProvider>::clone(&self.services.provider),
            engine,
            place: RemotePlace::Event { tables: form.tables.max(1).into() },
            reserve: RemoteEngine::USUAL_RESERVE,
        };
        let wake = Arc::clone(&self.services.wake);
        self.open_tab(Document::Team(TeamSession::start(remote, wake)));
    }

    fn enter(&mut self, table: &str, sits: bool) {
        let Some(form) = self.tables.join.clone() else { return };
        let Some(lobby) = &self.tables.lobby else { return };
        let address = lobby.server().to_table(table, None);
        self.go(address, sits, &form);
    }

    fn return_to(&mut self, place: usize) {
        let Some(form) = self.tables.join.clone() else { return };
        let Some(seat) = self.settings.tables.seats.get(place) else { return };
        if let Ok(address) = seat.link.parse::<TableAddress>() {
            self.go(address, false, &form);
        }
    }

    /// Opens a tab with a table, or selects the one that has it.
    fn go(&mut self, address: TableAddress, sits: bool, form: &JoinForm) {
        self.tables.join = None;
        self.close_lobby();
        let is_there = |tab: &super::Tab| match &tab.document {
            Document::Table(session) => session.is_at(&address),
            _ => false,
        };
        if let Some(index) = self.tabs.iter().position(is_there) {
            self.active = index;
            return;
        }
        self.open_table(address, TableAccess::Enter { sits }, form.guest(), None);
    }

    fn open_table(
        &mut self,
        address: TableAddress,
        entry: TableAccess,
        mut guest: TableGuest,
        server: Option<Arc<WebServer>>,
    ) {
        if guest.name.is_empty() {
            self.tr().text(Text::Person).clone_into(&mut guest.name);
        }
        let context = TableContext {
            guest,
            provider: Arc::clone(&self.services.provider),
            time: Arc::clone(&self.services.time),
            server,
        };
        let is_hosted = matches!(entry, TableAccess::Host { .. });
        let session = TableSession::start(address, entry, context);
        self.open_tab(Document::Table(session));
        // Nobody comes before the link is sent.
        if let Some(tab) = self.tabs.get_mut(self.active).filter(|_| is_hosted) {
            tab.view.pane = Pane::Table;
        }
    }

    /// Takes the list away, to be ended on some thread.
    pub(super) fn take_lobby(&mut self) -> Option<Lobby> {
        self.tables.lobby.take()
    }

    /// Ends the list; its thread may wait for the network, the window does not.
    fn close_lobby(&mut self) {
        if let Some(lobby) = self.tables.lobby.take() {
            self.spawn(move || drop(lobby), |_, ()| {});
        }
    }

    /// Remembers the seats of this window, and forgets those of tables that are gone.
    pub(super) fn remember_seats(&mut self) {
        for tab in &self.tabs {
            let Document::Table(session) = &tab.document else { continue };
            let (info, snapshot) = (session.info(), session.snapshot());
            let memory = &mut self.settings.tables;
            match &info.connection {
                ConnectionState::Closed(_) => {
                    // Where this window has hosted, its links name the address that others use.
                    let table = info.id.as_deref();
                    let known = table.map(|table| session.address().to_table(table, None).text());
                    info.own_link.iter().chain(&known).for_each(|link| memory.forget(link));
                }
                _ => {
                    if let Some(link) = &info.own_link {
                        let title = seat_title(&info, &snapshot);
                        memory.remember(SeatLink { link: link.clone(), title });
                    }
                }
            }
        }
    }

    /// Forgets the seat at a table that ends with its tab.
    pub(super) fn forget_ended(&mut self, index: usize) {
        let Some(Document::Table(session)) = self.tabs.get(index).map(|tab| &tab.document) else {
            return;
        };
        if session.ends_when_left()
            && let Some(link) = &session.info().own_link
        {
            self.settings.tables.forget(link);
        }
    }

    /// Whether the tab with that index is a table that somebody would miss: one's own game is under
    /// way, or others are at a table that ends with this window. An event misses an engine, too.
    pub(super) fn is_missed(&self, index: usize) -> bool {
        let session = match self.tabs.get(index).map(|tab| &tab.document) {
            Some(Document::Table(session)) => session,
            Some(Document::Team(session)) => return session.is_running(),
            _ => return false,
        };
        let info = session.info();
        let is_gone = matches!(info.connection, ConnectionState::Closed(_));
        let plays = info.seat.is_some() && info.is_playing();
        let ends = session.is_hosted_here() && (info.has_others() || info.is_playing());
        !is_gone && (plays || ends)
    }

    /// Whether closing the window would leave or end a table where somebody is.
    pub fn has_people_at_tables(&self) -> bool {
        (0..self.tabs.len()).any(|index| self.is_missed(index))
    }

    /// Shows the question before a table is left.
    pub(super) fn ask_to_leave(&mut self, index: usize) {
        self.dialog = Some(Dialog::LeaveTable { tab: self.tabs[index].number });
    }

    /// The command of a table, if it means something now.
    pub(super) fn in_table(&self, command: TableCommand) -> Option<Command> {
        let session = self.usable_tab().and(self.table())?;
        let fits = command.fits(&session.info(), &session.snapshot());
        let command = NetworkCommand::ToTable(command);
        fits.then_some(Command::Network(command))
    }

    /// The same for a command of its game.
    pub(super) fn play_at_table(&self, command: GameCommand) -> Option<Command> {
        let session = self.usable_tab().and(self.table())?;
        let info = session.info();
        // The game is under way, and not only about to begin.
        let fits = info.is_connected() && info.is_playing() && command.fits(&session.snapshot());
        fits.then_some(Command::Game(command))
    }
}

/// What a seat is remembered by.
fn seat_title(info: &TableInfo, snapshot: &Snapshot) -> String {
    let names = [&snapshot.seats.first.name, &snapshot.seats.second.name];
    let names: Vec<&str> =
        names.into_iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    match (info.settings.title.is_empty(), names.is_empty()) {
        (false, _) => info.settings.title.clone(),
        (true, false) => names.join(" – "),
        (true, true) => info.server.clone(),
    }
}
