//! The values of the new event form.

use std::path::Path;

use tengen_rules::{Opening, OpeningSettings, Procedure, Size};
use tengen_tournament::{
    Affinity, EngineEntry, EventConfig, EventFormat, OpeningOrder, OpeningPolicy, Openings,
    SequentialTest, has_balanced,
};

use super::{Entrant, EventChange, EventFormProblem, FormField};
use crate::app::model::{JournalError, ListenForm, ListenFormProblem, ListenTerms};
use crate::app::storage::journal::{self, Durability};

/// The new event form: a configuration and the typed texts. Settings that the form does not show
/// stay as the file had them.
#[derive(Clone, PartialEq, Debug)]
pub struct EventForm {
    /// The chosen values; typed texts, board and engines are put in when the form is submitted.
    pub config: EventConfig,
    /// The board's columns.
    pub width: u8,
    /// The board's rows.
    pub height: u8,
    /// The engines.
    pub entrants: Vec<Entrant>,
    /// The typed name of a remote engine that is to be added.
    pub remote_name: String,
    /// Whether it is shown in a browser, even if no remote engine comes in there.
    pub is_shown: bool,
    /// Where it is served.
    pub listen: ListenForm,
    typed: [String; FormField::ALL.len()],
}

/// Whether more games run at once than there are CPUs for, so that clocks suffer.
pub fn is_crowded(config: &EventConfig, cpus: usize) -> bool {
    let threads = config.engines.iter().filter_map(|engine| engine.threads).max().unwrap_or(1);
    let working = threads.max(1) as usize * if config.ponder { 2 } else { 1 };
    cpus > 0 && config.concurrency.saturating_mul(working) > cpus
}

impl Default for EventForm {
    fn default() -> EventForm {
        EventForm::new(EventConfig::default())
    }
}

impl EventForm {
    /// The form with these values.
    pub fn new(mut config: EventConfig) -> EventForm {
        let typed = FormField::ALL.map(|field| field.of(&config));
        let (width, height) = (config.size.width(), config.size.height());
        let entrants = config.engines.drain(..).map(Entrant::new).collect();
        let (remote_name, is_shown, listen) = (String::new(), false, ListenForm::default());
        EventForm { width, height, entrants, remote_name, is_shown, listen, typed, config }
    }

    /// The same form, with that address where it is served.
    pub fn served_at(self, listen: ListenForm) -> EventForm {
        EventForm { listen, ..self }
    }

    /// The last form; the default if there is none.
    pub fn remembered(folder: &Path) -> EventForm {
        EventConfig::read(&file(folder)).map(EventForm::new).unwrap_or_default()
    }

    /// Saves the form for the next time, as a file that `tengen tournament run` plays too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn remember(&self, folder: &Path) -> Result<(), JournalError> {
        let Ok(mut config) = self.filled() else { return Ok(()) };
        // The next event has a folder of its own.
        config.out = None;
        // The saved form is in another folder than the typed path is relative to.
        if let Openings::File(path) = &mut config.openings {
            *path = std::path::absolute(&path)
                .map_err(|error| JournalError::Unwritable { path: path.clone(), error })?;
        }
        journal::write(&file(folder), &config.to_toml(), Durability::Program)
    }

    /// The text of a field.
    pub fn typed(&self, field: FormField) -> &str {
        &self.typed[field as usize]
    }

    /// Sets the text of a field.
    pub fn type_in(&mut self, field: FormField, text: impl Into<String>) {
        self.typed[field as usize] = text.into();
    }

    /// Whether the text of a field is valid.
    pub fn is_fine(&self, field: FormField) -> bool {
        field.put(self.typed(field), &mut self.config.clone())
    }

    /// How many times an engine plays.
    pub fn seats(&self, id: &str) -> usize {
        self.entrants.iter().filter(|entrant| entrant.entry.id == id).count()
    }

    /// Adds or removes an engine.
    pub fn seat(&mut self, id: &str, plays: bool) {
        if plays {
            self.entrants.push(Entrant::new(EngineEntry::new(id)));
        } else {
            self.entrants.retain(|entrant| entrant.entry.id != id);
        }
    }

    /// Adds a remote engine of the typed name.
    pub fn add_remote(&mut self) {
        let name = std::mem::take(&mut self.remote_name);
        let id = EventChange::remote(name.trim());
        self.entrants.push(Entrant::new(EngineEntry::new(id)));
    }

    /// Whether an engine of the event plays from another machine.
    pub fn has_remote(&self) -> bool {
        self.entrants.iter().any(|entrant| entrant.entry.remote().is_some())
    }

    /// Where the event is to be served; none where it is not.
    ///
    /// # Errors
    /// What is wrong with the address.
    pub fn listening(&self) -> Result<Option<ListenTerms>, ListenFormProblem> {
        let is_served = self.is_shown || self.has_remote();
        is_served.then(|| self.listen.check()).transpose()
    }

    /// The configuration of the form, with its openings still to be read.
    ///
    /// # Errors
    /// Why it cannot be played.
    pub fn filled(&self) -> Result<EventConfig, EventFormProblem> {
        let mut config = self.config.clone();
        config.size = Size::new(self.width, self.height).map_err(|_| EventFormProblem::Size)?;
        for (place, entrant) in self.entrants.iter().enumerate() {
            config.engines.push(entrant.filled().ok_or(EventFormProblem::Entrant(place))?);
        }
        for field in FormField::ALL {
            // Hidden fields do not count.
            let asked = match field {
                FormField::Openings => config.opening == Procedure::Book,
                FormField::FifthMoves => self.config.opening.declares_fifths(),
                FormField::RemoteWait => self.has_remote(),
                _ => true,
            };
            if asked && !field.put(self.typed(field), &mut config) {
                return Err(EventFormProblem::Field(field));
            }
        }
        self.remove_unused(&mut config);
        check(&config)?;
        self.listening().map_err(EventFormProblem::Listen)?;
        Ok(config)
    }

    /// Removes settings that do not apply to the chosen values.
    fn remove_unused(&self, config: &mut EventConfig) {
        if config.opening != Procedure::Book {
            config.openings = Openings::default();
            config.openings_order = OpeningOrder::default();
            config.openings_symmetries = None;
            (config.openings_start, config.openings_count) = (None, None);
        }
        if !config.opening.declares_fifths() {
            config.fifth_moves = None;
        }
        if config.opening_policy != OpeningPolicy::Arbiter {
            config.opening_engine = None;
        }
    }
}

/// Whether the event can be played. A file of openings is read when it starts; everything else is
/// checked now.
fn check(config: &EventConfig) -> Result<(), EventFormProblem> {
    if config.engines.len() < 2 {
        return Err(EventFormProblem::TooFew);
    }
    if let Some(test) = config.sprt {
        if config.engines.len() != 2 && config.own.format != EventFormat::Gauntlet {
            return Err(EventFormProblem::TestOfTwo);
        }
        let read = test.to_string().parse::<SequentialTest>();
        read.map_err(|_| EventFormProblem::TestBounds)?;
    }
    if matches!(&config.cpus, Affinity::Cpus(cpus) if cpus.len() < config.concurrency) {
        return Err(EventFormProblem::FewCpus);
    }
    if config.opening == Procedure::Book {
        let is_none = match config.openings {
            Openings::Balanced => !has_balanced(config.rule, config.size),
            _ => config.openings.is_empty(),
        };
        if is_none {
            return Err(EventFormProblem::NoPositions);
        }
    } else {
        let settings = OpeningSettings {
            fifth_moves: config.fifth_moves.map(|range| (range.min, range.max)),
            ..OpeningSettings::new(config.opening)
        };
        Opening::new(&settings, config.rule, config.size).map_err(EventFormProblem::Opening)?;
    }
    let mut looked_at = config.clone();
    if matches!(config.openings, Openings::File(_) | Openings::Balanced) {
        looked_at.openings = Openings::default();
        looked_at.openings_order = OpeningOrder::default();
        looked_at.openings_symmetries = None;
        (looked_at.openings_start, looked_at.openings_count) = (None, None);
        looked_at.opening = Procedure::None;
    }
    looked_at.validate().map_err(|error| EventFormProblem::Other(error.to_string()))
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("form.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EventConfig {
        EventConfig::from_toml(text, "cup.toml".as_ref()).unwrap()
    }

    #[test]
    fn what_was_filled_in_is_there_again_and_is_a_file_of_events() {
        let folder = tempfile::tempdir().unwrap();
        let mut form = EventForm::remembered(folder.path());
        assert_eq!(form.filled(), Err(EventFormProblem::TooFew));
        form.seat("one", true);
        form.seat("two", true);
        form.type_in(FormField::TimeControl, "5+0.5");
        form.config.games = 6;
        form.remember(folder.path()).unwrap();
        let config = EventConfig::read(&folder.path().join("form.toml")).unwrap();
        assert_eq!(Ok(config), form.filled());
        let again = EventForm::remembered(folder.path());
        assert_eq!((again.typed(FormField::TimeControl), again.seats("two")), ("5+0.5", 1));
        assert_eq!(again.config.games, 6);
        form.seat("two", false);
        assert_eq!(form.seats("two"), 0);
    }

    #[test]
    fn balanced_openings_are_played_on_boards_that_have_some() {
        let mut form = EventForm::new(read("engines = ['a', 'b']\nopening = 'book'"));
        form.type_in(FormField::Openings, "balanced");
        assert_eq!(form.filled().map(|config| config.openings), Ok(Openings::Balanced));
        (form.width, form.height) = (9, 9);
        assert_eq!(form.filled(), Err(EventFormProblem::NoPositions));
        form.config.opening = Procedure::None;
        assert!(form.filled().is_ok(), "{:?}", form.filled());
    }

    #[test]
    fn a_field_that_is_hidden_does_not_count() {
        let mut form = EventForm::new(read("engines = ['a', 'b']"));
        for field in [FormField::FifthMoves, FormField::RemoteWait] {
            form.type_in(field, "ten or so");
        }
        assert!(form.filled().is_ok(), "{:?}", form.filled());
        form.remote_name = "Team A".to_owned();
        form.add_remote();
        assert_eq!(form.filled(), Err(EventFormProblem::Field(FormField::RemoteWait)));
        form.type_in(FormField::RemoteWait, "60");
        let again = EventForm::new(form.filled().unwrap());
        assert_eq!(again.typed(FormField::RemoteWait), "60");
    }

    #[test]
    fn a_file_of_openings_is_found_again_wherever_the_form_lies() {
        let folder = tempfile::tempdir().unwrap();
        let text = "engines = ['a', 'b']\nopening = 'book'\nopenings = 'suite.pos'\n";
        let form = EventForm::new(read(text));
        assert_eq!(form.typed(FormField::Openings), "suite.pos");
        form.remember(folder.path()).unwrap();
        let here = std::path::absolute("suite.pos").unwrap();
        let again = EventForm::remembered(folder.path());
        assert_eq!(again.typed(FormField::Openings), here.display().to_string());
    }

    /// A file with a value other than the default wherever possible.
    const FULL: &str = "rule = 'renju'\nsize = 15\nopening = 'yamaguchi'\nfifth-moves = '2..6'\n\
        alike = 'board'\nopening-policy = 'arbiter'\nopening-engine = 'book'\ntc = '5+0.5'\n\
        margin = 0.2\nstall = 60.0\nstartup = 20.0\ngames = 400\nconcurrency = 2\ncpus = '0,2'\n\
        seed = 7\nisolation = 'in-process'\nrestart = 'off'\nmemory = '350MiB'\n\
        folder-limit = '1GiB'\nrequire-sandbox = true\nponder = true\nillegal = 'retries=3'\n\
        forbidden = 'claim'\nlate = 'substitute'\nspoiled = 'replay'\nchanged = 'stop'\n\
        count-startup = true\n\
        strict-protocol = true\n\
        draw-offers = true\npassing = true\nmove-limit = 200\ndir = 'elsewhere'\nout = 'cup'\n\
        sprt = 'elo0=-2.5,elo1=5,alpha=0.1,beta=0.01'\n\
        engines = [{ id = 'a', label = 'new', tc = '9', options = { Depth = '6', \
        Style = 'a, b = c' } }, 'b']\n\
        [adjudicate-draw]\nstones = 40\nmoves = 8\nscore = 10\n\
        [adjudicate-resign]\nmoves = 3\nscore = 9000\n";

    /// What the form has no field for stays as the file had it.
    #[test]
    fn the_keys_of_formats_are_kept() {
        for keys in [
            "format = 'swiss'\nrounds = 3\ntie-breaks = 'buchholz,wins'",
            "format = 'knockout'\ndeciders = 1\ndecider-tc = '1'\nthird-place = true",
            "format = 'double-elimination'\nbracket-reset = false\nseeding = 'lot'",
            "[[stage]]\nformat = 'groups'\ngroups = 2\n[[stage]]\nformat = 'knockout'\ntake = 2",
        ] {
            let config = read(&format!("engines = ['a', 'b', 'c', 'd']\n{keys}"));
            let mut form = EventForm::new(config.clone());
            assert_eq!(form.filled().as_ref(), Ok(&config));
            assert_eq!(read(&config.to_toml()), config);
            form.config.stages.clear();
            form.config.set_format(EventFormat::RoundRobin);
            let plain = read("engines = ['a', 'b', 'c', 'd']");
            assert_eq!(form.filled(), Ok(plain), "{keys}");
        }
    }

    #[test]
    fn the_form_writes_the_file_that_it_was_filled_in_from() {
        let config = read(FULL);
        let filled = EventForm::new(config.clone()).filled().unwrap();
        assert_eq!(filled, config);
        assert_eq!(read(&filled.to_toml()), config);
    }

    #[test]
    fn a_suite_goes_with_its_order_and_without_another_opening() {
        let text = "engines = ['a', 'b']\nopening = 'book'\nopenings = 'suite.pos'\n\
                    openings-order = 'random'\nopenings-symmetries = 'all'\n";
        let mut form = EventForm::new(read(text));
        assert_eq!(form.filled(), Ok(read(text)));
        form.config.opening = Procedure::Swap2;
        assert_eq!(form.filled(), Ok(read("engines = ['a', 'b']\nopening = 'swap2'")));
        form.config.opening = Procedure::Book;
        form.type_in(FormField::Openings, "");
        assert_eq!(form.filled(), Err(EventFormProblem::NoPositions));
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        let problem = |change: &dyn Fn(&mut EventForm)| {
            let mut form = EventForm::new(read("engines = ['a', 'b']\nconcurrency = 2"));
            change(&mut form);
            form.filled().unwrap_err()
        };
        let typed =
            |field, text: &'static str| problem(&|form: &mut EventForm| form.type_in(field, text));
        assert_eq!(
            typed(FormField::TimeControl, "soon"),
            EventFormProblem::Field(FormField::TimeControl)
        );
        assert_eq!(typed(FormField::Memory, "350"), EventFormProblem::Field(FormField::Memory));
        assert_eq!(typed(FormField::Cpus, "0"), EventFormProblem::FewCpus);
        assert_eq!(problem(&|form| form.width = 4), EventFormProblem::Size);
        assert_eq!(problem(&|form| form.seat("b", false)), EventFormProblem::TooFew);
        assert_eq!(problem(&|form| form.entrants[1].tc = "x".into()), EventFormProblem::Entrant(1));
        for wrong in ["Depth", "=6"] {
            let change = |form: &mut EventForm| form.entrants[1].options = wrong.into();
            assert_eq!(problem(&change), EventFormProblem::Entrant(1), "{wrong}");
        }
        let test = |elo1| {
            "elo0=0,elo1=5".parse::<SequentialTest>().map(|mut test| {
                test.0.elo1 = elo1;
                test
            })
        };
        assert_eq!(
            problem(&|form| form.config.sprt = test(0.0).ok()),
            EventFormProblem::TestBounds
        );
        let three = |form: &mut EventForm| {
            form.seat("c", true);
            form.config.sprt = test(5.0).ok();
        };
        assert_eq!(problem(&three), EventFormProblem::TestOfTwo);
        let wide = |form: &mut EventForm| {
            form.width = 19;
            form.config.opening = Procedure::Rif;
        };
        assert!(matches!(problem(&wide), EventFormProblem::Opening(_)));
    }
}
