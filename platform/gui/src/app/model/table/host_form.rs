//! The values of the form that opens a table.

use tengen_arbiter::GameConfig;
use tengen_rules::Seat;

use super::{LatePolicy, ListenForm, ListenFormProblem, ListenTerms, TableSettings};
use crate::app::model::{GameForm, GameFormProblem};

/// The values of the form that opens a table on a server in this window. They may be invalid;
/// [`HostForm::check`] says whether the table can be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostForm {
    /// The rule, the board, the opening, the clock, passing and taking back; the rest of it means
    /// nothing.
    pub game: GameForm,
    /// How late an answer may be, in tenths of a second.
    pub margin: u32,
    /// Whether the server answers for a player that is late, instead of ending the game.
    pub substitutes: bool,
    /// The number of stones at which the game is drawn; 0 is none.
    pub move_limit: u32,
    /// After how many seconds a player who is away loses; 0 is never.
    pub absence: u32,
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
    /// Where the server listens.
    pub listen: ListenForm,
    /// The ids of the engines that seats may be handed to.
    pub engines: Vec<String>,
    /// The password of the server's owner; empty is none that anybody knows.
    pub password: String,
}

/// How a server in this window is to run. Tables of different terms cannot share one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerTerms {
    /// Where it listens.
    pub listen: ListenTerms,
    /// The ids of the engines that seats may be handed to.
    pub engines: Vec<String>,
    /// The password of its owner; none is one that only this window knows.
    pub password: Option<String>,
}

/// Why a table cannot be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostFormProblem {
    /// The game cannot be played.
    Game(GameFormProblem),
    /// The server cannot listen there.
    Listen(ListenFormProblem),
    /// The owner's password is too short.
    Password,
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
            draws: true,
            pause: true,
            chat: true,
            swap: true,
            is_public: true,
            title: String::new(),
            name: String::new(),
            seat: Some(Seat::First),
            listen: ListenForm::default(),
            engines: Vec::new(),
            password: String::new(),
        }
    }
}

impl HostForm {
    /// The most characters of a name and of a title; the server takes no more.
    pub const MOST_NAME: usize = 32;
    /// The most characters of a title.
    pub const MOST_TITLE: usize = 60;
    /// The fewest characters of a password.
    pub const LEAST_PASSWORD: usize = 8;

    /// How the server is to run, and what the game is.
    ///
    /// # Errors
    /// What is wrong with the values.
    pub fn check(&self) -> Result<(ServerTerms, GameConfig), HostFormProblem> {
        let config = self.game.check().map_err(HostFormProblem::Game)?;
        let password = Some(self.password.trim().to_owned()).filter(|text| !text.is_empty());
        let is_short = |text: &String| text.chars().count() < HostForm::LEAST_PASSWORD;
        if password.as_ref().is_some_and(is_short) {
            return Err(HostFormProblem::Password);
        }
        let listen = self.listen.check().map_err(HostFormProblem::Listen)?;
        Ok((ServerTerms { listen, engines: self.engines.clone(), password }, config))
    }

    /// The settings as the server takes them.
    pub fn settings(&self) -> Option<TableSettings> {
        let (_, config) = self.check().ok()?;
        let some = |number: u32| (number > 0).then_some(number);
        Some(TableSettings {
            rule: config.rule,
            size: config.size,
            opening: config.opening.procedure,
            time: config.time.first,
            margin: f64::from(self.margin) / 10.0,
            late: if self.substitutes { LatePolicy::Substitute } else { LatePolicy::Loss },
            move_limit: some(self.move_limit),
            passing: self.game.passing,
            draws: self.draws,
            undo: self.game.undo != Some(0),
            undo_limit: self.game.undo.and_then(some),
            pause: self.pause,
            engines: !self.engines.is_empty(),
            chat: self.chat,
            swap: self.swap,
            absence: some(self.absence),
            public: self.is_public,
            title: self.title.trim().to_owned(),
            ..TableSettings::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::TimeControl;

    use super::*;
    use tengen_rules::{Procedure, Rule};

    #[test]
    fn a_form_becomes_the_settings_of_a_table() {
        let game = GameForm { rule: Rule::Renju, opening: Procedure::Rif, ..GameForm::default() };
        let form = HostForm { game, margin: 5, move_limit: 200, ..HostForm::default() };
        let settings = form.settings().unwrap();
        assert_eq!((settings.rule, settings.opening), (Rule::Renju, Procedure::Rif));
        assert_eq!((settings.time, settings.margin), (TimeControl::default(), 0.5));
        assert_eq!(
            (settings.move_limit, settings.absence, settings.engines),
            (Some(200), None, false)
        );
        assert!(settings.swap);
        let keeps = HostForm { swap: false, ..HostForm::default() };
        assert!(!keeps.settings().unwrap().swap);
        let (server, _) = form.check().unwrap();
        assert_eq!(server.password, None);
    }

    #[test]
    fn a_password_is_not_short_and_what_is_wrong_is_named() {
        let text = |text: &str| text.to_owned();
        let form = HostForm { password: text("open sesame"), ..HostForm::default() };
        let (server, _) = form.check().unwrap();
        assert_eq!(server.password.as_deref(), Some("open sesame"));
        let short = HostForm { password: text("short"), ..HostForm::default() };
        assert_eq!(short.check(), Err(HostFormProblem::Password));
        let mut nowhere = form.clone();
        nowhere.listen.address = text("here");
        assert_eq!(nowhere.check(), Err(HostFormProblem::Listen(ListenFormProblem::Address)));
        let wide = GameForm { width: 40, ..GameForm::default() };
        let form_of_40 = HostForm { game: wide, ..HostForm::default() };
        assert_eq!(form_of_40.check(), Err(HostFormProblem::Game(GameFormProblem::Size)));
    }
}
