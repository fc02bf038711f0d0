//! The values of the form that opens a table.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use tengen_arbiter::GameConfig;
use tengen_rules::Seat;

use super::{Late, TableAddress, TableSettings};
use crate::app::model::{GameForm, GameFormProblem};

/// The values of the form that opens a table on a server in this window. They may be invalid;
/// [`HostForm::check`] says whether the table can be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostForm {
    /// The rule, the board, the opening and the clock; the rest of it means nothing.
    pub game: GameForm,
    /// How late an answer may be, in tenths of a second.
    pub margin: u32,
    /// Whether the server answers for who is late, instead of ending the game.
    pub substitutes: bool,
    /// The number of stones at which the game is drawn; 0 is none.
    pub move_limit: u32,
    /// After how many seconds a player who is away loses; 0 is never.
    pub absence: u32,
    /// Whether players may pass.
    pub passing: bool,
    /// Whether a move may be taken back.
    pub undo: bool,
    /// Whether a draw may be offered.
    pub draws: bool,
    /// Whether the game may be paused.
    pub pause: bool,
    /// Whether there is chat.
    pub chat: bool,
    /// Whether seats are exchanged for the next game.
    pub swap: bool,
    /// Whether the table is in the list.
    pub is_public: bool,
    /// What the table is called.
    pub title: String,
    /// What the person at this window is called.
    pub name: String,
    /// Where that person sits; none looks on.
    pub seat: Option<Seat>,
    /// The address to listen at.
    pub address: String,
    /// The port to listen at.
    pub port: u16,
    /// The ids of the engines that seats may be handed to.
    pub engines: Vec<String>,
    /// The name or address that links to hand on have; empty is this computer's own.
    pub shown: String,
    /// The password of the server's owner; empty is none that anybody knows.
    pub password: String,
    /// The files of the certificate and of its key; empty is no encryption.
    pub certificate: String,
    /// The file of the certificate's key.
    pub key: String,
}

/// How a server in this window is to run. Tables of different terms cannot share one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerTerms {
    /// Where to listen; port 0 is any that is free.
    pub address: SocketAddr,
    /// The host for links to hand on, with a port where another one than its own leads there; none
    /// is this computer's address.
    pub shown: Option<String>,
    /// The ids of the engines that seats may be handed to.
    pub engines: Vec<String>,
    /// The password of its owner; none is one that only this window knows.
    pub password: Option<String>,
    /// The files of a certificate and its key; none is no encryption.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Why a table cannot be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostFormProblem {
    /// The game cannot be played.
    Game(GameFormProblem),
    /// It is no address.
    Address,
    /// It is no name or address for links.
    Shown,
    /// The owner's password is too short.
    Password,
    /// A certificate comes without its key, or a key without its certificate.
    Certificate,
}

impl Default for HostForm {
    fn default() -> HostForm {
        let clock = crate::app::model::ClockKind::Game;
        HostForm {
            game: GameForm { clock, main: 300, increment: 5, ..GameForm::default() },
            margin: 0,
            substitutes: false,
            move_limit: 0,
            absence: 0,
            passing: false,
            undo: true,
            draws: true,
            pause: true,
            chat: true,
            swap: true,
            is_public: true,
            title: String::new(),
            name: String::new(),
            seat: Some(Seat::First),
            address: Ipv4Addr::LOCALHOST.to_string(),
            port: 8080,
            engines: Vec::new(),
            shown: String::new(),
            password: String::new(),
            certificate: String::new(),
            key: String::new(),
        }
    }
}

impl HostForm {
    /// The most signs of a name and of a title; the server takes no more.
    pub const MOST_NAME: usize = 32;
    /// The most signs of a title.
    pub const MOST_TITLE: usize = 60;
    /// The fewest signs of a password.
    pub const LEAST_PASSWORD: usize = 8;

    /// How the server is to run, and what the game is.
    ///
    /// # Errors
    /// What is wrong with the values.
    pub fn check(&self) -> Result<(ServerTerms, GameConfig), HostFormProblem> {
        let config = self.game.check().map_err(HostFormProblem::Game)?;
        let address = self.ip().ok_or(HostFormProblem::Address)?;
        let password = Some(self.password.trim().to_owned()).filter(|text| !text.is_empty());
        let is_short = |text: &String| text.chars().count() < HostForm::LEAST_PASSWORD;
        if password.as_ref().is_some_and(is_short) {
            return Err(HostFormProblem::Password);
        }
        let certificate = match (self.certificate.trim(), self.key.trim()) {
            ("", "") => None,
            ("", _) | (_, "") => return Err(HostFormProblem::Certificate),
            (certificate, key) => Some((certificate.into(), key.into())),
        };
        let server = ServerTerms {
            address: SocketAddr::new(address, self.port),
            shown: self.shown_host()?,
            engines: self.engines.clone(),
            password,
            certificate,
        };
        Ok((server, config))
    }

    /// The host of links to hand on, where one is typed.
    fn shown_host(&self) -> Result<Option<String>, HostFormProblem> {
        let text = self.shown.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let is_host = !text.contains(['/', '#', '?']) && TableAddress::read(text).is_some();
        is_host.then(|| Some(text.to_owned())).ok_or(HostFormProblem::Shown)
    }

    fn ip(&self) -> Option<IpAddr> {
        self.address.trim().trim_matches(['[', ']']).parse().ok()
    }

    /// Whether others than those at this computer can come.
    pub fn is_reachable(&self) -> bool {
        self.ip().is_some_and(|address| !address.is_loopback())
    }

    /// The settings as the server takes them.
    pub fn settings(&self) -> Option<TableSettings> {
        let (_, config) = self.check().ok()?;
        let some = |number: u32| (number > 0).then_some(number);
        Some(TableSettings {
            rule: config.rule.name().to_owned(),
            size: config.size.to_string(),
            opening: config.opening.procedure.name().to_owned(),
            time: config.time.first.to_string(),
            margin: f64::from(self.margin) / 10.0,
            late: if self.substitutes { Late::Substitute } else { Late::Loss },
            move_limit: some(self.move_limit),
            passing: self.passing,
            draws: self.draws,
            undo: self.undo,
            pause: self.pause,
            engines: !self.engines.is_empty(),
            chat: self.chat,
            swap: self.swap,
            absence: some(self.absence),
            public: self.is_public,
            title: self.title.trim().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::{Procedure, Rule};

    #[test]
    fn a_form_becomes_the_settings_of_a_table() {
        let game = GameForm { rule: Rule::Renju, opening: Procedure::Rif, ..GameForm::default() };
        let form = HostForm { game, margin: 5, move_limit: 200, ..HostForm::default() };
        let settings = form.settings().unwrap();
        assert_eq!((settings.rule.as_str(), settings.opening.as_str()), ("renju", "rif"));
        assert_eq!((settings.time.as_str(), settings.margin), ("inf", 0.5));
        assert_eq!(
            (settings.move_limit, settings.absence, settings.engines),
            (Some(200), None, false)
        );
        assert!(settings.swap);
        let keeps = HostForm { swap: false, ..HostForm::default() };
        assert!(!keeps.settings().unwrap().swap);
        let (server, _) = form.check().unwrap();
        assert_eq!(server.address.to_string(), "127.0.0.1:8080");
        assert_eq!((server.shown, server.password, server.certificate), (None, None, None));
    }

    #[test]
    fn a_server_has_a_password_a_certificate_and_a_name_where_they_are_typed() {
        let text = |text: &str| text.to_owned();
        let form = HostForm {
            shown: text(" play.example.org "),
            password: text("open sesame"),
            certificate: text("cert.pem"),
            key: text("key.pem"),
            ..HostForm::default()
        };
        let (server, _) = form.check().unwrap();
        assert_eq!(server.shown.as_deref(), Some("play.example.org"));
        assert_eq!(server.password.as_deref(), Some("open sesame"));
        assert_eq!(server.certificate, Some(("cert.pem".into(), "key.pem".into())));
        let problem = |change: fn(&mut HostForm)| {
            let mut form = form.clone();
            change(&mut form);
            form.check().unwrap_err()
        };
        assert_eq!(problem(|form| form.password = "short".to_owned()), HostFormProblem::Password);
        assert_eq!(problem(|form| form.key.clear()), HostFormProblem::Certificate);
        assert_eq!(problem(|form| form.certificate.clear()), HostFormProblem::Certificate);
        assert_eq!(problem(|form| form.shown = "a b".to_owned()), HostFormProblem::Shown);
        assert_eq!(problem(|form| form.shown = "http://a/".to_owned()), HostFormProblem::Shown);
    }

    #[test]
    fn an_address_that_is_none_is_named_and_one_for_all_is_known() {
        let form = |address: &str| HostForm { address: address.to_owned(), ..HostForm::default() };
        assert_eq!(form("here").check(), Err(HostFormProblem::Address));
        let wide = GameForm { width: 40, ..GameForm::default() };
        let form_of_40 = HostForm { game: wide, ..HostForm::default() };
        assert_eq!(form_of_40.check(), Err(HostFormProblem::Game(GameFormProblem::Size)));
        let reachable = ["0.0.0.0", "::", "192.168.1.7"].map(|text| form(text).is_reachable());
        assert_eq!(reachable, [true; 3]);
        assert!(!form("127.0.0.1").is_reachable() && !form("[::1]").is_reachable());
    }
}
