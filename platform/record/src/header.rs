//! What a record says of a game beside its actions and its end.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tengen_arbiter::{GameConfig, HistoryEntry, Nanos, Policies, TimeControl};
use tengen_rules::{BySeat, OpeningSettings, Rule, Seat, Size};

/// All that a record says of a game beside its actions and its end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The event it was played in, if in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The round of the event, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The game's number in the event, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    pub rule: Rule,
    pub size: Size,
    /// The opening procedure, with the book position if it is one.
    pub opening: OpeningSettings,
    /// Who played first on each seat; of most games all the time.
    pub seats: BySeat<PlayerHeader>,
    /// What the event decided.
    #[serde(default)]
    pub policies: Policies,
    /// The seed the players were given.
    #[serde(default)]
    pub seed: u64,
    /// Who took over a seat later, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handovers: Vec<Handover>,
    /// How often persons may still take moves back; none is any number of times, or not settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo_left: Option<u32>,
}

/// A seat that another player took over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handover {
    /// How many actions came before: those of the seat from there on are this player's.
    pub after: usize,
    pub seat: Seat,
    /// The player; its time and margin are those of the seat.
    pub player: PlayerHeader,
}

/// The player of a seat, with its time and its sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerHeader {
    /// What the event calls the player: an engine's id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its version, if it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The SHA-256 of the engine's file in hexadecimal; none for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The options that were set for it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Its time control, as on the command line: `60+1`.
    pub time: TimeControl,
    /// Its margin, in nanoseconds.
    #[serde(default)]
    pub margin: Nanos,
    /// The layers of containment that held around it.
    #[serde(default)]
    pub layers: Vec<String>,
    /// Whether the arbiter answered the opening questions in its place; its moves are its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opening_by_arbiter: bool,
    /// The engine that assisted the arbiter in that, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_engine: Option<String>,
}

impl PlayerHeader {
    /// The id of every person.
    pub const PERSON: &'static str = "person";
    /// The id of every engine that plays from another machine at a table.
    pub const REMOTE: &'static str = "remote";

    /// Whether it is a person.
    pub fn is_person(&self) -> bool {
        self.id == PlayerHeader::PERSON
    }

    /// What the player is called where there is one text for it: the id, by which engines are
    /// counted, or the name of those who share one.
    pub fn label(&self) -> &str {
        let shares_id = [PlayerHeader::PERSON, PlayerHeader::REMOTE].contains(&&*self.id);
        if shares_id && !self.name.is_empty() { &self.name } else { &self.id }
    }

    /// Whether this is the same player, as far as is known of both.
    fn is_same(&self, other: &PlayerHeader) -> bool {
        let hashes = self.hash.as_ref().zip(other.hash.as_ref());
        self.label() == other.label() && hashes.is_none_or(|(one, other)| one == other)
    }
}

impl Header {
    /// Everyone who played on a seat, in order.
    pub fn players(&self, seat: Seat) -> impl Iterator<Item = &PlayerHeader> {
        let later = self.handovers.iter().filter(move |handover| handover.seat == seat);
        std::iter::once(&self.seats[seat]).chain(later.map(|handover| &handover.player))
    }

    /// Everyone who played on a seat, as one text: `Anna → alphabeta`.
    pub fn names(&self, seat: Seat) -> String {
        let names: Vec<_> = self.players(seat).map(PlayerHeader::label).collect();
        names.join(" → ")
    }

    /// Who plays on a seat after all hand-overs.
    pub fn last_player(&self, seat: Seat) -> &PlayerHeader {
        self.players(seat).last().unwrap_or(&self.seats[seat])
    }

    /// The same, to be named anew.
    pub fn last_player_mut(&mut self, seat: Seat) -> &mut PlayerHeader {
        let last = self.handovers.iter_mut().rfind(|handover| handover.seat == seat);
        last.map_or(&mut self.seats[seat], |handover| &mut handover.player)
    }

    /// Who took the action of this index, of that seat.
    pub fn player_of(&self, index: usize, seat: Seat) -> &PlayerHeader {
        let is_there = |one: &&Handover| one.seat == seat && one.after <= index;
        let last = self.handovers.iter().rfind(is_there);
        last.map_or(&self.seats[seat], |handover| &handover.player)
    }

    /// Notes who plays on a seat after these actions. A player that did nothing is forgotten, and
    /// what more is known of one that plays on is added.
    pub fn set_player(&mut self, actions: &[HistoryEntry], seat: Seat, player: PlayerHeader) {
        let last = actions.iter().rposition(|entry| entry.seat == seat);
        let after = last.map_or(0, |last| last + 1);
        self.handovers.retain(|handover| handover.seat != seat || handover.after < after);
        let known = self.handovers.iter_mut().rfind(|handover| handover.seat == seat);
        let known = known.map_or(&mut self.seats[seat], |handover| &mut handover.player);
        let is_same = known.is_same(&player);
        if is_same && player.hash.is_none() && known.hash.is_some() {
            // It is not started yet, and it may be found to be another build.
        } else if is_same || after == 0 {
            *known = player;
        } else {
            let place = self.handovers.partition_point(|handover| handover.after <= after);
            self.handovers.insert(place, Handover { after, seat, player });
        }
    }

    /// The game that the arbiter would be asked to run.
    pub fn config(&self) -> GameConfig {
        GameConfig {
            rule: self.rule,
            size: self.size,
            opening: self.opening.clone(),
            time: BySeat::from_fn(|seat: Seat| self.seats[seat].time),
            margin: BySeat::from_fn(|seat: Seat| self.seats[seat].margin),
            policies: self.policies,
        }
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Action;

    use super::*;
    use crate::GameRecord;

    fn record() -> GameRecord {
        let line = r#"{"format":1,"rule":"freestyle","size":15,"opening":"none","seats":{
            "first":{"id":"person","name":"Anna","time":"inf"},
            "second":{"id":"keima","name":"Keima","hash":"00","time":"inf"}},"actions":[],
            "result":{"winner":null,"termination":"aborted"}}"#;
        GameRecord::from_json_line(line).unwrap()
    }

    fn history(seats: &[Seat]) -> Vec<HistoryEntry> {
        let entry = |seat: &Seat| HistoryEntry::new(*seat, Action::OfferDraw, 0, None);
        seats.iter().map(entry).collect()
    }

    #[test]
    fn a_seat_has_the_players_that_did_something_on_it() {
        use Seat::{First, Second};
        let mut header = record().header;
        let [anna, keima] = [header.seats.first.clone(), header.seats.second.clone()];
        let bob = PlayerHeader { name: "Bob".to_owned(), ..anna.clone() };
        let names = |header: &Header, seat: Seat| -> Vec<String> {
            header.players(seat).map(|player| player.label().to_owned()).collect()
        };
        // Nothing was done before it.
        let mut early = header.clone();
        early.set_player(&history(&[Second]), First, keima.clone());
        assert_eq!((names(&early, First), early.handovers.len()), (vec!["keima".into()], 0));

        let played = history(&[First, Second, First, Second]);
        header.set_player(&played, Second, bob.clone());
        header.set_player(&played, Second, anna.clone());
        header.set_player(&played, First, keima.clone());
        assert_eq!(names(&header, Second), ["keima", "Anna"]);
        assert_eq!(header.names(First), "Anna → keima");
        assert!(header.handovers.is_sorted_by_key(|handover| handover.after));
        let by = |index| header.player_of(index, Second).label();
        assert_eq!((by(1), by(3), by(4), by(9)), ("keima", "keima", "Anna", "Anna"));
        // A move taken back was never played by Anna, and Keima goes on.
        let mut back = header.clone();
        back.set_player(&played[..2], Second, keima.clone());
        assert_eq!(names(&back, Second), ["keima"]);
        // What is learnt of an engine later belongs to the same one; another build is another.
        let named = PlayerHeader { version: Some("2".to_owned()), ..keima.clone() };
        header.set_player(&history(&[First; 9]), First, named);
        assert_eq!(header.last_player(First).version.as_deref(), Some("2"));
        assert_eq!(header.handovers.len(), 2);
        let rebuilt = PlayerHeader { hash: Some("01".to_owned()), ..keima };
        header.set_player(&history(&[First; 9]), First, rebuilt);
        assert_eq!(header.handovers.len(), 3);
    }

    #[test]
    fn a_record_without_hand_overs_is_written_as_before() {
        let mut record = record();
        assert!(!record.to_json_line().contains("handovers"));
        record.actions = history(&[Seat::First]);
        let player = record.header.seats.second.clone();
        record.header.set_player(&record.actions.clone(), Seat::First, player);
        let line = record.to_json_line();
        assert!(line.contains(
            r#""seed":0,"handovers":[{"after":1,"seat":"first","player":{"id":"keima","#
        ));
        assert_eq!(GameRecord::from_json_line(&line), Ok(record));
    }
}
