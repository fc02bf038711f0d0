use tengen_arbiter::Nanos;

use super::{ClockReading, Snapshot};

/// What a person at the window may hear.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sound {
    /// A stone is laid.
    Stone,
    /// A point is refused.
    Refused,
    /// Little time is left to the person who is asked.
    LowTime,
    /// A draw is offered to somebody at the window.
    Offer,
    /// The game is over.
    Over,
}

impl Sound {
    /// Every sound.
    pub const ALL: [Sound; 5] =
        [Sound::Stone, Sound::Refused, Sound::LowTime, Sound::Offer, Sound::Over];
}

/// Notices what happens at the table in front, by comparing it with what it was.
#[derive(Default)]
pub(super) struct SoundCues {
    known: Option<CueState>,
}

#[derive(Clone, PartialEq, Eq)]
struct CueState {
    /// The table, and its game.
    game: (usize, u64),
    plies: usize,
    refusal: Option<String>,
    offered: bool,
    low: bool,
    over: bool,
}

impl SoundCues {
    /// What is to be heard of this. Of several things at once the weightiest is.
    pub(super) fn update(&mut self, tab: usize, snapshot: &Snapshot, now: Nanos) -> Option<Sound> {
        let person = snapshot.asks_person();
        let now = CueState {
            game: (tab, snapshot.number),
            plies: snapshot.rows.len(),
            refusal: snapshot.refusal.clone(),
            offered: person.is_some_and(|asked| snapshot.draw_offer == Some(!asked.seat)),
            low: person.is_some_and(|asked| ClockReading::read(snapshot, asked.seat, now).is_low()),
            over: snapshot.result.is_some(),
        };
        let before = self.known.replace(now.clone());
        let before = before.filter(|before| before.game == now.game)?;
        if now.over && !before.over {
            Some(Sound::Over)
        } else if now.offered && !before.offered {
            Some(Sound::Offer)
        } else if now.refusal.is_some() && now.refusal != before.refusal {
            Some(Sound::Refused)
        } else if now.plies > before.plies {
            Some(Sound::Stone)
        } else if now.low && !before.low {
            Some(Sound::LowTime)
        } else {
            None
        }
    }
}
