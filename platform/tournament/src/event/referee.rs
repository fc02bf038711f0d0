//! The acts of a referee: each is a change of the event with a name and a reason, and is undone by
//! another one.

use std::path::Path;

use tengen_arbiter::Termination;
use tengen_rules::BySeat;

use super::lock::{run_of, try_lock};
use super::{Change, ChangeKind, Event, EventError, RECORDS, freeze};
use crate::EventConfig;
use crate::store::{ChangeDraft, GameAct, Ruling, Store};

/// By what name a referee acts, why, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefereeNote<'a> {
    pub by: &'a str,
    pub reason: &'a str,
    pub date: &'a str,
}

impl Event {
    /// Rules on a finished game, also while the event is played. A result by hand counts in place
    /// of what was played, which stays on record; a game that is to be played again is played by
    /// the run that goes on, or the next one.
    ///
    /// What was drawn stays drawn: where rounds follow from results, a game can be ruled on until
    /// the next round is drawn.
    ///
    /// # Errors
    /// When there is no event, the game is not finished or it is too late for it, or another
    /// process changed the event at the same time. Nothing is changed then.
    pub fn rule(
        dir: &Path,
        number: u64,
        ruling: Ruling,
        note: RefereeNote<'_>,
    ) -> Result<Event, EventError> {
        let event = Event::open(dir)?;
        let text = event.ruling_text(number, event.rulable(number)?, ruling);
        event.act(ChangeKind::Ruled(number), text, ActEffect::Game(number, Ok(ruling)), note)
    }

    /// Rules on a game that is being played here: it ends when the move that is thought about has
    /// come, which does not count any more.
    ///
    /// # Errors
    /// As [`Event::rule`]; and where no process plays the event, its workers do, or it is to be
    /// played again.
    pub fn end_game(
        dir: &Path,
        number: u64,
        ruling: Ruling,
        note: RefereeNote<'_>,
    ) -> Result<Event, EventError> {
        let event = Event::open(dir)?;
        if ruling == Ruling::Replay {
            let problem =
                format!("game {number}: it is not finished, so it cannot be played again");
            return Err(event.refusal(problem));
        }
        let text = event.ruling_text(number, event.running(number)?, ruling);
        event.act(ChangeKind::Ended(number, ruling), text, ActEffect::Order, note)
    }

    /// Stops a game that is being played here between two moves, where no clock runs; or lets it go
    /// on.
    ///
    /// # Errors
    /// As [`Event::end_game`].
    pub fn pause_game(
        dir: &Path,
        number: u64,
        is_paused: bool,
        note: RefereeNote<'_>,
    ) -> Result<Event, EventError> {
        let event = Event::open(dir)?;
        event.running(number)?;
        let (kind, word) = match is_paused {
            true => (ChangeKind::GamePaused(number), "paused"),
            false => (ChangeKind::GameContinued(number), "continued"),
        };
        event.act(kind, format!("game {number} was {word}"), ActEffect::Order, note)
    }

    /// Begins the next round of an event whose rounds a referee begins, whether it is played at the
    /// moment or not.
    ///
    /// # Errors
    /// As [`Event::rule`]; and where rounds begin by themselves, the last one is not over, or there
    /// is no other.
    pub fn begin_round(dir: &Path, note: RefereeNote<'_>) -> Result<Event, EventError> {
        let event = Event::open(dir)?;
        let Some(begun) = event.config.rounds_by_hand else {
            let problem = "its rounds begin by themselves; --rounds-by-hand leaves that to the \
                           referee";
            return Err(event.refusal(problem.to_owned()));
        };
        if event.course.is_complete() {
            return Err(event.refusal("its last round is over".to_owned()));
        }
        if event.course.with_next_round().is_none() {
            let (games, total) = (event.tally.len(), event.schedule().len());
            let problem = format!("{games} of {total} games are finished; the round is not over");
            return Err(event.refusal(problem));
        }
        let config = EventConfig { rounds_by_hand: Some(begun + 1), ..event.config.clone() };
        let text = "the next round was begun".to_owned();
        event.act(ChangeKind::Begun, text, ActEffect::Config(&config), note)
    }

    /// Whether a referee is to begin its next round.
    pub fn awaits_referee(&self) -> bool {
        self.config.rounds_by_hand.is_some()
            && !self.course.is_complete()
            && self.tally.len() == self.schedule().len()
    }

    /// Warns an engine, by its place: it is on record, and changes no result.
    ///
    /// # Errors
    /// As [`Event::rule`].
    pub fn warn(dir: &Path, place: usize, note: RefereeNote<'_>) -> Result<Event, EventError> {
        let event = Event::open(dir)?;
        let text = format!("{} was warned", event.config.labels()[place]);
        event.act(ChangeKind::Warned(place), text, ActEffect::Word, note)
    }

    /// Takes back the act of a referee, by the number of its change: a game is as it was played.
    ///
    /// # Errors
    /// As [`Event::rule`]; and when that change is none of a referee, was undone, or another one
    /// stands for its game.
    pub fn undo(dir: &Path, change: u64, note: RefereeNote<'_>) -> Result<Event, EventError> {
        let event = Event::open(dir)?;
        let refused = |problem: String| event.refusal(format!("change {change}: {problem}"));
        let changes = event.changes()?;
        let Some(act) = changes.iter().find(|one| one.number == change) else {
            return Err(refused(format!("the event has {} changes", changes.len())));
        };
        if let Some(by) = changes.iter().find(|one| one.kind == ChangeKind::Undone(change)) {
            return Err(refused(format!("it was undone by change {}", by.number)));
        }
        let ruled = match act.kind {
            ChangeKind::Warned(_) => ActEffect::Word,
            ChangeKind::Ruled(number) | ChangeKind::Ended(number, _) => {
                let stands = event.store.last_ruling(number)?.map(|ruling| ruling.change);
                match stands {
                    Some(stands) if stands != change => {
                        return Err(refused(format!("undo change {stands} of its game first")));
                    }
                    Some(_) => {}
                    None => return Err(refused("it is one of an event before".to_owned())),
                }
                let is_again = event.store.game(number).is_some_and(|game| game.ruling.is_none());
                if is_again {
                    let problem = format!("game {number} has been played again since");
                    return Err(refused(problem));
                }
                if let Some(game) = event.store.game(number) {
                    let played = game.ruling.and_then(|ruling| ruling.played);
                    if played.is_some_and(|it| it.result.termination == Termination::Aborted) {
                        let problem = format!(
                            "game {number} was ended by a referee, so it has no other result; have \
                             it played again"
                        );
                        return Err(refused(problem));
                    }
                    event.rulable(number)?;
                } else {
                    event.check_free()?;
                }
                ActEffect::Game(number, Err(change))
            }
            _ => return Err(refused("it is no act of a referee".to_owned())),
        };
        let text = format!("change {change} was undone ({})", act.text);
        event.act(ChangeKind::Undone(change), text, ruled, note)
    }

    fn ruling_text(&self, number: u64, seats: BySeat<usize>, ruling: Ruling) -> String {
        let labels = self.config.labels();
        let [first, second] = [seats.first, seats.second].map(|engine| &labels[engine]);
        let what = match ruling {
            Ruling::Result(Some(seat)) => format!("{} wins", labels[seats[seat]]),
            Ruling::Result(None) => "a draw".to_owned(),
            Ruling::Void => "void, it counts for neither".to_owned(),
            Ruling::Replay => "to be played again".to_owned(),
        };
        format!("game {number}, {first} – {second}: {what}")
    }

    fn seats_of(&self, number: u64) -> Result<BySeat<usize>, EventError> {
        let schedule = self.schedule();
        let scheduled = schedule.get(number).map(|game| game.seats);
        let problem = || format!("the event has games 1 to {}", schedule.len());
        scheduled.ok_or_else(|| self.game_refusal(number, &problem()))
    }

    fn game_refusal(&self, number: u64, problem: &str) -> EventError {
        self.refusal(format!("game {number}: {problem}"))
    }

    /// The seats of a game that is being played here, or is to be.
    fn running(&self, number: u64) -> Result<BySeat<usize>, EventError> {
        let refused = |problem: &str| Err(self.game_refusal(number, problem));
        let seats = self.seats_of(number)?;
        if self.store.game(number).is_some() {
            return refused("it is finished");
        }
        if !self.is_running() {
            return refused("it is not finished, and no tengen is playing this event now");
        }
        if !self.store.by_worker()?.is_empty() {
            return refused("it is played by a worker elsewhere; rule on it when it is finished");
        }
        Ok(seats)
    }

    /// The seats of a game that can be ruled on.
    fn rulable(&self, number: u64) -> Result<BySeat<usize>, EventError> {
        let refused = |problem: &str| Err(self.game_refusal(number, problem));
        let seats = self.seats_of(number)?;
        if self.store.game(number).is_none() {
            return refused("it is not finished, so there is nothing to rule on yet");
        }
        self.check_free()?;
        // Where a referee begins the rounds, one may be begun of which no game is finished.
        let last = match self.config.rounds_by_hand {
            Some(_) => self.course.last_wave().unwrap_or(0),
            None => self.store.last()?,
        };
        if self.course.wave_of(number) < self.course.wave_of(last) {
            return refused("the next round was drawn from its result, and stays as it was drawn");
        }
        Ok(seats)
    }

    /// Refuses to change results that a running process goes by: those of a test, and those from
    /// which the next round is drawn.
    fn check_free(&self) -> Result<(), EventError> {
        let is_by_hand = self.config.rounds_by_hand.is_some();
        if self.config.sprt.is_none() && (!self.course.is_drawn() || is_by_hand) {
            return Ok(());
        }
        try_lock(&self.dir).map(drop)
    }

    fn refusal(&self, problem: String) -> EventError {
        EventError::Act { dir: self.dir.clone(), problem }
    }

    fn act(
        self,
        kind: ChangeKind,
        text: String,
        what: ActEffect<'_>,
        note: RefereeNote<'_>,
    ) -> Result<Event, EventError> {
        let RefereeNote { by, reason, date } = note;
        for (name, text) in [("by", by), ("reason", reason)] {
            if name == "reason" && kind == ChangeKind::Begun && text.is_empty() {
                continue;
            }
            if text.trim().is_empty() || text.chars().count() > MOST_NOTE {
                let problem = format!("--{name}: give 1 to {MOST_NOTE} characters");
                return Err(self.refusal(problem));
            }
            if text.chars().any(char::is_control) {
                return Err(self.refusal(format!("--{name}: give one line of text")));
            }
        }
        // Where no process plays the event, none begins to until this is done.
        let lock = match try_lock(&self.dir) {
            Ok(lock) => Some(lock),
            Err(EventError::Running { .. }) => None,
            Err(error) => return Err(error),
        };
        let schedule = self.schedule();
        let act = match what {
            ActEffect::Game(number, ruling) => {
                Some(GameAct { number, ruling, reason, schedule: &schedule })
            }
            _ => None,
        };
        let config = if let ActEffect::Config(config) = what { Some(config) } else { None };
        let config = config.map(|config| self.kept(config)).transpose()?;
        let is_ruled = act.is_some();
        let run = if let ActEffect::Order = what { run_of(&self.dir) } else { None };
        let draft = ChangeDraft {
            after: self.last_change,
            date,
            kind,
            text: if reason.is_empty() { text } else { format!("{text}: {reason}") },
            config: config.as_ref(),
            run,
            by: Some(by.to_owned()),
            reason: kind.is_of_running_game().then(|| reason.to_owned()),
            act,
        };
        let stale = |change: Change| EventError::Stale {
            dir: self.dir.clone(),
            change: change.to_string(),
        };
        Store::open_to_write(&self.database())?.change(&draft)?.map_err(stale)?;
        let is_running = lock.is_none();
        if let Some(config) = config.filter(|_| !is_running) {
            freeze(&self.dir, &config.to_toml())?;
        }
        drop(lock);
        let dir = self.dir;
        drop(self.store);
        let event = Event::open(&dir)?;
        if is_ruled && !is_running {
            // A process that plays it writes them when it ends.
            event.export_records(&dir.join(RECORDS))?;
            event.keep_discarded()?;
        }
        Ok(event)
    }
}

/// What an act of a referee changes beside the list of changes.
enum ActEffect<'a> {
    Word,
    /// It is done by the process that plays the event.
    Order,
    /// A finished game: a ruling on it, or the change that ruled on it and is taken back.
    Game(u64, Result<Ruling, u64>),
    Config(&'a EventConfig),
}

/// The most characters of a name or a reason.
const MOST_NOTE: usize = 400;
