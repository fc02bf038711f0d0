//! What was said and what happened in a game beside its moves, in the order in which it came.

use std::sync::Arc;

use tengen_arbiter::{Action, HistoryEntry};
use tengen_rules::{Answer, Seat};

use super::move_list::{draw_declined, is_answer};
use super::{Picture, TableRequest};

/// What was said and what happened in a game. It only grows: what is taken back was said.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Happenings {
    lines: Arc<Vec<Happening>>,
    /// How much of the game's history is in the lines.
    read: usize,
}

/// Something that was said or happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Happening {
    /// The number of plies on the board.
    pub after: usize,
    /// The seat of the one who did it; none for one who looks on, or for both.
    pub seat: Option<Seat>,
    /// Who did it, as it was called then.
    pub name: String,
    pub what: HappeningKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum HappeningKind {
    Said(String),
    /// The player showed a picture; none is one that is not kept, or cannot be read.
    Showed(Option<Arc<Picture>>),
    OfferedDraw,
    /// The player declined what the other one had asked for.
    Declined(TableRequest),
    /// The player's answer was refused.
    WasRefused,
    /// The arbiter moved for the player, who was late.
    MovedFor,
    /// The player took the seat.
    TookSeat,
    LeftSeat,
    Away,
    Back,
    TookBack,
    Paused,
    Resumed,
}

impl Happenings {
    /// The most lines that are kept.
    const MOST: usize = 2000;
    /// The most pictures that are kept.
    const MOST_PICTURES: usize = 8;

    /// Every line so far.
    pub fn lines(&self) -> &[Happening] {
        &self.lines
    }

    pub(in crate::app) fn note(
        &mut self,
        after: usize,
        seat: Option<Seat>,
        name: &str,
        what: HappeningKind,
    ) {
        let lines = Arc::make_mut(&mut self.lines);
        lines.push(Happening { after, seat, name: name.to_owned(), what });
        let excess = lines.len().saturating_sub(Happenings::MOST);
        lines.drain(..excess);
        let shown = lines.iter_mut().rev().filter_map(|line| match &mut line.what {
            HappeningKind::Showed(picture) if picture.is_some() => Some(picture),
            _ => None,
        });
        shown.skip(Happenings::MOST_PICTURES).for_each(|picture| *picture = None);
    }

    /// Adds what is new in a history that led to so many plies. A shorter one was taken back.
    /// `name` is who did the entry of this index.
    pub(in crate::app) fn follow<'a>(
        &mut self,
        history: &[HistoryEntry],
        plies: usize,
        name: impl Fn(usize, Seat) -> &'a str,
    ) {
        if history.len() < self.read {
            self.note(plies, None, "", HappeningKind::TookBack);
            self.read = history.len();
        }
        let new = &history[self.read..];
        let mut after = plies.saturating_sub(new.iter().map(stones).sum());
        for (index, entry) in (self.read..).zip(new) {
            after += stones(entry);
            let (seat, name) = (entry.seat, name(index, entry.seat));
            let mut note = |what| self.note(after, Some(seat), name, what);
            let said = entry.said.iter().filter_map(|line| line.strip_prefix("MESSAGE "));
            said.for_each(|line| note(HappeningKind::Said(line.to_owned())));
            match &entry.action {
                _ if entry.substituted => note(HappeningKind::MovedFor),
                _ if !entry.legal => note(HappeningKind::WasRefused),
                Action::OfferDraw => note(HappeningKind::OfferedDraw),
                Action::Answer(_) if draw_declined(&history[..=index]).is_some() => {
                    note(HappeningKind::Declined(TableRequest::Draw));
                }
                _ => {}
            }
        }
        self.read = history.len();
    }

    /// Another game begins, whose history is not known yet.
    pub(in crate::app) fn begin_game(&mut self) {
        self.read = 0;
    }
}

/// How many plies an entry is.
fn stones(entry: &HistoryEntry) -> usize {
    match &entry.action {
        Action::Answer(_) if !is_answer(entry) => 0,
        Action::Answer(Answer::Place(points)) => points.len(),
        Action::Answer(Answer::Pick(_) | Answer::Move(_)) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> HistoryEntry {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_last_pictures_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        image::RgbImage::new(2, 2).save(&path).unwrap();
        let mut happenings = Happenings::default();
        for _ in 0..20 {
            let picture = Some(Arc::new(Picture::read(&path).unwrap()));
            happenings.note(0, None, "Anna", HappeningKind::Showed(picture));
            happenings.note(0, None, "Anna", HappeningKind::Said("look".to_owned()));
        }
        let is_kept = |line: &&Happening| matches!(line.what, HappeningKind::Showed(Some(_)));
        assert_eq!(happenings.lines().len(), 40);
        assert_eq!(happenings.lines().iter().filter(is_kept).count(), Happenings::MOST_PICTURES);
        assert!(is_kept(&&happenings.lines()[38]));
    }

    #[test]
    fn what_happened_is_told_once_and_kept_when_moves_are_taken_back() {
        let history = [
            entry(r#"{"seat":"first","move":"h8","said":["MESSAGE hello","DEBUG x"]}"#),
            entry(r#"{"seat":"second","offer_draw":true}"#),
            entry(r#"{"seat":"second","move":"h9"}"#),
            entry(r#"{"seat":"first","move":"h9","legal":false}"#),
            entry(r#"{"seat":"first","move":"i9"}"#),
            entry(r#"{"seat":"second","move":"g7","substituted":true}"#),
        ];
        let mut happenings = Happenings::default();
        let name = |_: usize, seat: Seat| if seat == Seat::First { "Anna" } else { "Bob" };
        happenings.follow(&history[..3], 2, name);
        happenings.follow(&history, 4, name);
        happenings.follow(&history, 4, name);
        happenings.follow(&history[..1], 1, name);
        let told: Vec<_> = happenings
            .lines()
            .iter()
            .map(|line| (line.after, line.name.as_str(), line.what.clone()))
            .collect();
        let expected = [
            (1, "Anna", HappeningKind::Said("hello".to_owned())),
            (1, "Bob", HappeningKind::OfferedDraw),
            (2, "Anna", HappeningKind::WasRefused),
            (3, "Anna", HappeningKind::Declined(TableRequest::Draw)),
            (4, "Bob", HappeningKind::MovedFor),
            (1, "", HappeningKind::TookBack),
        ];
        assert_eq!(told, expected);
    }
}
