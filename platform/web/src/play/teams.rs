//! Remote engines of an event: each plays from the machine of its team, over the network.
//!
//! [`Teams`] seats them in the event like any other players ([`Roster`]). A `team` has at most one
//! connection, and the games that its engine plays. The thread of a game waits in `player`; what
//! the team says comes on a `connection`, and wakes it up. The keys are in the event's folder
//! (`key_file`), so that teams may come back after the server was killed.

mod connection;
mod key_file;
mod player;
mod team;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tengen_players::{GameVariant, Player};
use tengen_tournament::{AbsentOption, EventConfig, Roster};

pub(crate) use self::connection::join_team;
use self::key_file::KeyFile;
use self::player::RemotePlayer;
use self::team::Team;
use super::guesses::Guesses;
use super::keys::is_same;

/// What there is to tell of the teams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamNews {
    /// Other users of this machine could read the keys in this file until now.
    Exposed { file: PathBuf },
    /// It is to come: with this key.
    Expected {
        /// What the event calls it.
        team: String,
        /// What lets it in.
        key: String,
    },
    /// It is there.
    Came {
        /// What the event calls it.
        team: String,
        /// What its engine and its program call themselves.
        engine: String,
        /// How many games it plays at once.
        tables: u64,
    },
    /// It is there on another connection; the older one has ended.
    Replaced {
        /// What the event calls it.
        team: String,
        /// What its engine and its program call themselves now.
        engine: String,
        /// How many games it plays at once now.
        tables: u64,
    },
    Gone {
        /// What the event calls it.
        team: String,
    },
    /// It has been away for the whole wait, and only games of engines that are away are left.
    Overdue {
        place: usize,
        /// What the event calls it.
        team: String,
    },
    /// The same of every engine, since none is there: this machine's own line may be broken.
    NoneConnected,
}

/// What hears of the teams, from any thread.
pub type TeamListener = Box<dyn Fn(TeamNews) + Send + Sync>;

/// How remote engines play in an event.
pub struct TeamOptions {
    pub dir: PathBuf,
    /// What the event is called.
    pub title: String,
    /// How long to wait for an engine that is away, and how long it may take to get ready.
    pub wait: Duration,
    pub(super) startup: Duration,
    /// What is played.
    pub(super) variant: GameVariant,
    /// What becomes of one that was waited for in vain.
    pub absent: AbsentOption,
}

impl TeamOptions {
    /// As the event in that folder says.
    pub fn new(dir: &Path, config: &EventConfig) -> TeamOptions {
        TeamOptions {
            dir: dir.to_owned(),
            title: config.title(dir),
            wait: Duration::from_nanos(config.remote_wait()),
            startup: Duration::from_nanos(config.startup.0),
            variant: GameVariant { rule: config.rule, size: config.size, opening: config.opening },
            absent: config.absent,
        }
    }
}

pub struct Teams {
    options: TeamOptions,
    tell: TeamListener,
    keys: Mutex<KeyFile>,
    /// By the engines' places in the event; none is an engine of this machine.
    teams: RwLock<Vec<Option<Arc<Team>>>>,
    connections: AtomicU64,
    /// Wrong keys.
    guesses: Guesses,
    presence: Mutex<Presence>,
}

/// Whether any remote engine is there.
#[derive(Default)]
struct Presence {
    /// Since when at least one team has been connected.
    since: Option<Instant>,
    /// Whether it was told that none is.
    is_told: bool,
}

impl Teams {
    /// The remote engines of an event, with keys that are the same whenever this is called.
    ///
    /// # Errors
    /// When the keys cannot be kept.
    pub fn open(
        options: TeamOptions,
        config: &EventConfig,
        tell: TeamListener,
    ) -> io::Result<Teams> {
        let keys = KeyFile::open(&options.dir)?;
        if keys.was_readable {
            tell(TeamNews::Exposed { file: keys.path.clone() });
        }
        let keys = Mutex::new(keys);
        let (teams, connections) = (RwLock::default(), AtomicU64::new(1));
        let guesses = Guesses::default();
        let presence = Mutex::default();
        let teams = Teams { options, tell, keys, teams, connections, guesses, presence };
        teams.update(config)?;
        Ok(teams)
    }

    /// Takes in engines that are new in the event, and lets go those that were removed.
    fn update(&self, config: &EventConfig) -> io::Result<()> {
        let mut known = self.all();
        for place in config.gone() {
            self.leave(place);
        }
        for (place, (entry, label)) in config.engines.iter().zip(config.labels()).enumerate() {
            let is_known = known.get(place).is_some_and(Option::is_some);
            let team = match entry.remote() {
                Some(name) if entry.removed.is_none() && !is_known => {
                    let key = lock(&self.keys).key_of(name)?;
                    let (team, told) = (label.clone(), key.clone());
                    (self.tell)(TeamNews::Expected { team, key: told });
                    Some(Arc::new(Team::new(place, label, key)))
                }
                _ if is_known => continue,
                _ => None,
            };
            match known.get_mut(place) {
                Some(there) => *there = team,
                None => known.push(team),
            }
        }
        *self.teams.write().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(())
    }

    /// Tells them that the event is over, and lets them go.
    pub fn end(&self, reason: &str) {
        self.all().iter().flatten().for_each(|team| team.dismiss(reason));
    }

    fn all(&self) -> Vec<Option<Arc<Team>>> {
        self.teams.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn at(&self, place: usize) -> Option<Arc<Team>> {
        let teams = self.teams.read().unwrap_or_else(PoisonError::into_inner);
        teams.get(place).cloned().flatten()
    }

    /// The team that has this key. It takes equally long whether there is one or not, so that
    /// guesses learn nothing from the time.
    fn with_key(&self, key: &str) -> Option<Arc<Team>> {
        let mut found = None;
        for team in self.all().into_iter().flatten() {
            // No early end: the time must not tell how near a guess was.
            if is_same(&team.key, key) {
                found = Some(team);
            }
        }
        found
    }

    fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::SeqCst)
    }

    /// Notes whether any engine is there, since one came or went.
    fn note_presence(&self) {
        // The order of locks: the presence, then a team.
        let mut presence = lock(&self.presence);
        let is_anybody = self.all().iter().flatten().any(|team| team.away_since().is_none());
        let since = presence.since.filter(|_| is_anybody);
        presence.since = since.or_else(|| is_anybody.then(Instant::now));
        presence.is_told &= !is_anybody;
    }

    /// Decides about those of these teams that have been away for the whole wait, when only their
    /// games are left. Gives whether they are to lose such a game.
    ///
    /// While no engine is there, and until one has been there for as long, the line of this machine
    /// may have been broken. Then only a stop can be decided, which costs no engine a game.
    fn decide(&self, teams: &[Arc<Team>]) -> bool {
        let (now, wait) = (Instant::now(), self.options.wait);
        let away: Vec<_> =
            teams.iter().filter_map(|team| Some((team, team.away_since()?))).collect();
        let is_over = |since: Instant| now.saturating_duration_since(since) >= wait;
        if away.is_empty() || !away.iter().all(|(_, since)| is_over(*since)) {
            return false;
        }
        if self.options.absent != AbsentOption::Refuse {
            let mut presence = lock(&self.presence);
            let is_reached = presence.since.is_some_and(is_over);
            if presence.since.is_none() && !std::mem::replace(&mut presence.is_told, true) {
                (self.tell)(TeamNews::NoneConnected);
            }
            if !is_reached {
                return false;
            }
        }
        let tell = |team: &Team| {
            if team.note_overdue() {
                let (place, team) = (team.place, team.label.clone());
                (self.tell)(TeamNews::Overdue { place, team });
            }
        };
        if self.options.absent == AbsentOption::Forfeit {
            away.iter().for_each(|(team, _)| tell(team));
            return true;
        }
        // One after the other: the decision about the first may settle the rest.
        if !self.all().iter().flatten().any(|team| team.is_given_up()) {
            tell(away[0].0);
        }
        false
    }
}

impl Roster for Teams {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let team = self.at(engine).unwrap_or_else(|| Arc::new(Team::removed(engine)));
        Box::new(RemotePlayer::new(team, self.options.wait, self.options.startup))
    }

    fn interrupt(&self) {
        self.all().iter().flatten().for_each(|team| team.interrupt());
    }

    fn take(&self, seats: [usize; 2], nothing_else: bool) -> Result<(), usize> {
        let teams: Vec<_> = seats.into_iter().filter_map(|place| self.at(place)).collect();
        let taken = teams.iter().take_while(|team| team.take()).count();
        let Some(refused) = teams.get(taken) else { return Ok(()) };
        teams[..taken].iter().for_each(|team| team.free());
        if !nothing_else || !self.decide(&teams) {
            return Err(refused.place);
        }
        teams.iter().for_each(|team| team.take_anyhow());
        Ok(())
    }

    fn was_missed(&self, engine: usize, game: u64) -> bool {
        self.at(engine).is_some_and(|team| team.lock().was_missed(game))
    }

    fn leave(&self, engine: usize) {
        if let Some(team) = self.at(engine) {
            team.dismiss_after_games("it was removed from the event");
        }
    }

    fn join(&self, config: &EventConfig) -> Vec<(usize, String)> {
        let Err(error) = self.update(config) else { return Vec::new() };
        let is_new = |place: &usize| {
            let entry = &config.engines[*place];
            entry.remote().is_some() && entry.removed.is_none() && self.at(*place).is_none()
        };
        let new = (0..config.engines.len()).filter(is_new);
        new.map(|place| (place, error.to_string())).collect()
    }

    fn free(&self, seats: [usize; 2]) {
        seats.into_iter().filter_map(|place| self.at(place)).for_each(|team| team.free());
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
