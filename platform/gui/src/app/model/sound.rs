//! Which sound a change makes.

use tengen_arbiter::Nanos;

use super::{ClockReading, Snapshot};

/// A sound of the window.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sound {
    /// A stone is placed.
    Stone,
    /// A click is not accepted.
    Refused,
    /// The person who is asked has little time left.
    LowTime,
    /// A draw is offered to a person.
    Offer,
    /// The game is over.
    Over,
}

impl Sound {
    pub const ALL: [Sound; 5] =
        [Sound::Stone, Sound::Refused, Sound::LowTime, Sound::Offer, Sound::Over];
}

/// Finds the sound for a change of the active tab, by comparing it with its last state.
#[derive(Default)]
pub struct SoundCues {
    known: Option<CueState>,
}

#[derive(Clone, PartialEq, Eq)]
struct CueState {
    /// The tab and its game.
    game: (usize, u64),
    plies: usize,
    refusal: Option<String>,
    offered: bool,
    low: bool,
    over: bool,
}

impl SoundCues {
    /// The sound for this state. Of several at once the most important one.
    pub fn update(&mut self, tab: usize, snapshot: &Snapshot, now: Nanos) -> Option<Sound> {
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
