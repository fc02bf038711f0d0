//! The games that are worth a look: lost by a fault, spoiled, void, or played again.

use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use tengen_arbiter::Termination;

use crate::store::StoredGame;

/// The longest reason, in characters.
const MOST_REASON: usize = 320;
/// After this comes where the time of a late answer went; it does not make another kind of fault.
const OWN_TIME: &str = "; the engine's own time";
/// What precedes what an engine printed last.
const LAST_WORDS: [&str; 3] = ["; it said last:", "; it was called by:", "; called before that:"];
/// A line with one of these tells why, and others need not.
const TELLING: [&str; 7] =
    ["error", "exception", "panic", "fatal", "assert", "answered ", "without a line end"];
/// The reason of those that have others than the first ones.
const OTHERS: &str = "other reasons";

/// What happened to a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IncidentKind {
    /// An engine lost it by a fault.
    Fault,
    /// The host spoiled it, and it counts all the same.
    Spoiled,
    /// It does not count, since the host spoiled its pair again and again.
    Void,
    /// The host spoiled it or the other game of its pair: it is played again, and did not count.
    Replayed,
}

impl IncidentKind {
    /// `fault`, `spoiled`, `void` or `replayed`.
    pub const fn name(self) -> &'static str {
        match self {
            IncidentKind::Fault => "fault",
            IncidentKind::Spoiled => "spoiled",
            IncidentKind::Void => "void",
            IncidentKind::Replayed => "replayed",
        }
    }
}

/// A game that is worth a look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incident {
    pub number: u64,
    /// What happened to it.
    pub kind: IncidentKind,
    pub termination: Termination,
    /// The engine that lost it, by its place in the event's list; none in a draw.
    pub loser: Option<usize>,
    /// Why, in one line: the first words of the record's detail.
    pub reason: String,
}

impl Incident {
    /// The incident of a stored game, or of one that was discarded to be played again, if it is
    /// one.
    pub(crate) fn of(game: &StoredGame, is_discarded: bool) -> Option<Incident> {
        let StoredGame { number, seats, result, conditions, .. } = game;
        let termination = result.termination;
        if game.ruling.is_some() {
            // It stands among the changes.
            return None;
        }
        let kind = if is_discarded {
            IncidentKind::Replayed
        } else if conditions.is_void {
            IncidentKind::Void
        } else if termination.is_fault() {
            IncidentKind::Fault
        } else if conditions.is_spoiled() {
            IncidentKind::Spoiled
        } else {
            return None;
        };
        let is_partners = kind == IncidentKind::Replayed || kind == IncidentKind::Void;
        let reason = match &game.detail {
            _ if is_partners && !conditions.is_spoiled() => {
                "the other game of its pair was spoiled".to_owned()
            }
            Some(detail) => first_words(detail),
            None => String::new(),
        };
        let loser = result.winner.map(|winner| seats[!winner]);
        Some(Incident { number: *number, kind, termination, loser, reason })
    }

    /// A line for people: `game 17: mine lost by crash: …`.
    pub fn line(&self, labels: &[String]) -> String {
        let Incident { number, kind, termination, loser, reason, .. } = self;
        let how = termination.words();
        let label = |engine: usize| labels.get(engine).map_or("an engine", String::as_str);
        let ended = match loser {
            Some(loser) => format!("{} lost by {how}", label(*loser)),
            None => format!("drawn by {how}"),
        };
        let mut line = format!("game {number}: ");
        line += &match kind {
            IncidentKind::Fault => ended,
            IncidentKind::Spoiled => {
                format!("{ended}, spoiled by this machine, and counts all the same")
            }
            IncidentKind::Void => format!("void, it does not count ({ended})"),
            IncidentKind::Replayed => format!("is played again and does not count ({ended})"),
        };
        if !reason.is_empty() {
            let _ = write!(line, ": {reason}");
        }
        line
    }
}

/// The first line of what is said of the end of a game, and as much of it as has room; with the
/// line that tells why, of those that the engine printed last.
pub fn first_words(detail: &str) -> String {
    let mut lines = detail.lines();
    let line = lines.next().unwrap_or_default();
    let bare = LAST_WORDS.iter().fold(line, |line, words| line.trim_end_matches(words));
    let is_telling = |line: &&str| {
        let line = line.to_lowercase();
        TELLING.iter().any(|word| line.contains(word))
    };
    match lines.filter(|_| line.ends_with(LAST_WORDS[0])).rfind(is_telling) {
        Some(told) => {
            let told = cut(told.trim(), MOST_REASON / 2);
            format!("{}: {told}", cut(bare, MOST_REASON - told.chars().count()))
        }
        None => cut(bare, MOST_REASON),
    }
}

/// A text cut to so many characters, at the end of a word.
fn cut(text: &str, most: usize) -> String {
    let Some((most, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let end = text[..most].rfind(' ').filter(|end| 2 * end > most).unwrap_or(most);
    format!("{} …", text[..end].trim_end_matches([' ', ',', ';', ':']))
}

/// Games of one engine that ended alike.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct IncidentGroup {
    /// What happened to them.
    #[serde(serialize_with = "kind")]
    pub kind: IncidentKind,
    #[serde(serialize_with = "termination")]
    pub termination: Termination,
    /// The label of the engine that lost them; none where they were drawn.
    pub engine: Option<String>,
    /// Why, in the words of the first of them.
    pub reason: String,
    /// How many there are.
    pub games: u64,
    /// The numbers of the first.
    pub numbers: Vec<u64>,
    #[serde(skip)]
    loser: Option<usize>,
}

impl IncidentGroup {
    /// The numbers of the first games, and a mark where there are more.
    pub fn listed(&self) -> String {
        let first: Vec<String> = self.numbers.iter().map(u64::to_string).collect();
        let more = if self.numbers.len() as u64 == self.games { "" } else { ", …" };
        format!("{}{more}", first.join(", "))
    }

    /// What happened to how many: `mine lost 12 games by crash`.
    pub fn text(&self) -> String {
        let IncidentGroup { kind, termination, engine, games, .. } = self;
        let how = termination.words();
        let noun = if *games == 1 { "game" } else { "games" };
        let ended = match engine {
            Some(engine) => format!("{engine} lost {games} {noun} by {how}"),
            None => format!("{games} {noun} drawn by {how}"),
        };
        match kind {
            IncidentKind::Fault => ended,
            IncidentKind::Spoiled => {
                format!("{ended}, spoiled by this machine, which count all the same")
            }
            IncidentKind::Void => format!("void and not counted: {ended}"),
            IncidentKind::Replayed => format!("played again and not counted: {ended}"),
        }
    }
}

fn kind<S: Serializer>(kind: &IncidentKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(kind.name())
}

fn termination<S: Serializer>(termination: &Termination, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(termination.name())
}

/// Incidents, those that are alike together: an engine may lose thousands of games by one fault.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Incidents {
    groups: Vec<IncidentGroup>,
}

impl Incidents {
    /// The most numbers that are kept of a group.
    pub const NUMBERS: usize = 20;
    /// The most groups for one engine and one way to lose.
    const GROUPS: usize = 8;

    /// Counts one more, and gives how many of its group there are now.
    pub fn add(&mut self, incident: &Incident, labels: &[String]) -> u64 {
        let Incident { number, kind, termination, loser, ref reason, .. } = *incident;
        let is_akin = |group: &IncidentGroup| {
            (group.kind, group.termination, group.loser) == (kind, termination, loser)
        };
        let akin = || self.groups.iter().enumerate().filter(|(_, group)| is_akin(group));
        let is_full = akin().count() >= Incidents::GROUPS;
        let place = akin().find(|(_, group)| shape(&group.reason).eq(shape(reason)));
        let place =
            place.or_else(|| akin().next_back().filter(|_| is_full)).map(|(place, _)| place);
        let is_last = akin().count() + 1 == Incidents::GROUPS;
        let place = place.unwrap_or_else(|| {
            let engine = loser.and_then(|loser| labels.get(loser)).cloned();
            let reason = if is_last { OTHERS.to_owned() } else { reason.clone() };
            let (games, numbers) = (0, Vec::new());
            let group = IncidentGroup { kind, termination, engine, reason, games, numbers, loser };
            self.groups.push(group);
            self.groups.len() - 1
        });
        let group = &mut self.groups[place];
        group.games += 1;
        if group.numbers.len() < Incidents::NUMBERS {
            group.numbers.push(number);
        }
        group.games
    }

    /// The groups in the order in which they came.
    pub fn groups(&self) -> &[IncidentGroup] {
        &self.groups
    }
}

/// The part that reasons share which differ only in figures, or in where the time went.
fn shape(reason: &str) -> impl Iterator<Item = char> {
    let end = reason.find(OWN_TIME).unwrap_or(reason.len());
    // A word that begins with a figure is one, such as an address.
    let mut was_figure = false;
    reason[..end].chars().filter_map(move |c| {
        let is_figure = c.is_ascii_digit() || was_figure && (c == '.' || c.is_ascii_hexdigit());
        let is_figure = is_figure || was_figure && c == 'x';
        let is_more = is_figure && was_figure;
        was_figure = is_figure;
        if is_more { None } else { Some(if is_figure { '0' } else { c }) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incident(number: u64, reason: &str) -> Incident {
        let (kind, termination, loser) = (IncidentKind::Fault, Termination::Crash, Some(1));
        Incident { number, kind, termination, loser, reason: first_words(reason) }
    }

    #[test]
    fn thousands_of_games_take_little_room() {
        let labels = ["a", "b"].map(str::to_owned);
        let mut incidents = Incidents::default();
        for number in 1..=5000 {
            let seconds = number as f64 / 7.0;
            incidents
                .add(&incident(number, &format!("it slept for {seconds:.3} s\nmore")), &labels);
        }
        let [group] = incidents.groups() else { panic!("{incidents:?}") };
        assert_eq!((group.games, group.numbers.len()), (5000, Incidents::NUMBERS));
        assert_eq!(group.reason, "it slept for 0.143 s");
        for (number, letter) in (5001..).zip('a'..='z') {
            incidents.add(&incident(number, &format!("it said {letter}")), &labels);
        }
        let groups = incidents.groups();
        assert_eq!(groups.len(), Incidents::GROUPS);
        assert_eq!((groups[7].reason.as_str(), groups[7].games), (OTHERS, 20));
        assert_eq!(groups.iter().map(|group| group.games).sum::<u64>(), 5026);
    }

    #[test]
    fn a_fault_is_one_wherever_its_time_went_or_its_code_lay() {
        let groups = |reasons: &[&str]| {
            let mut incidents = Incidents::default();
            for (number, reason) in (1..).zip(reasons) {
                incidents.add(&incident(number, reason), &["a", "b"].map(str::to_owned));
            }
            incidents.groups().len()
        };
        let late = [
            "answered no move within 1.500 s; the engine's own time: its threads ran for 0.001 s",
            "answered no move within 1.501 s; the engine's own time: it waits for its next",
        ];
        assert_eq!(groups(&late), 1);
        let killed = ["killed at address 0x7fa0c8 in f", "killed at address 0x1bde in f"];
        assert_eq!(groups(&killed), 1);
        assert_eq!(groups(&["panicked: no row; killed", "panicked: no book; killed"]), 2);
        assert_eq!(groups(&["killed in f (a.c:3), called from g", "killed in h (a.c:3)"]), 2);
    }

    #[test]
    fn a_game_is_named_with_its_number_and_reason() {
        let labels = ["a", "mine"].map(str::to_owned);
        let crash = incident(17, "was killed by SIGSEGV; it said last:\nhello");
        assert_eq!(crash.line(&labels), "game 17: mine lost by crash: was killed by SIGSEGV");
        let long = incident(1, &"é".repeat(MOST_REASON + 1));
        assert_eq!(long.reason.chars().count(), MOST_REASON + 2);
        let long = incident(1, &format!("{}, and more", "four ".repeat(MOST_REASON / 5 - 1)));
        assert!(long.reason.ends_with("four …"), "{}", long.reason);
        let detail = "exited with code 1; it said last:\nTraceback:\nValueError: no table\nbye";
        assert_eq!(first_words(detail), "exited with code 1: ValueError: no table");
        let void = Incident { kind: IncidentKind::Void, ..crash };
        let words = "game 17: void, it does not count (mine lost by crash): was killed by SIGSEGV";
        assert_eq!(void.line(&labels), words);
    }
}
