//! The score between the players of a game, from the games that this window has saved.

use tengen_rules::Seat;

use super::App;
use crate::app::controller::Document;
use crate::app::session::GameSession;

/// The points of the two players of a game against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayersScore {
    /// The players by seat, as records call them.
    players: [String; 2],
    /// Whether the game itself is over, and counted.
    is_over: bool,
    /// Their points by seat; none before it is read, and where they have finished no game.
    pub points: Option<[f64; 2]>,
}

impl PlayersScore {
    /// The score of a game that is not read yet; none before its record is known.
    fn of(session: &GameSession) -> Option<PlayersScore> {
        let record = session.record()?;
        let label = |seat| record.header.last_player(seat).label().to_owned();
        let is_over = session.path().is_some();
        Some(PlayersScore { players: Seat::ALL.map(label), is_over, points: None })
    }

    /// Whether it is the score of this game as it stands.
    fn is_of(&self, other: &PlayersScore) -> bool {
        self.players == other.players && self.is_over == other.is_over
    }
}

impl App {
    /// The score between the players of the active game; none where they have finished no game.
    pub fn score(&self) -> Option<[f64; 2]> {
        self.tab()?.score.as_ref()?.points
    }

    /// Reads the scores of games that begin or end, each on a thread.
    pub(super) fn update_scores(&mut self) {
        let Some(archive) = &self.services.archive else { return };
        let mut wanted = Vec::new();
        for tab in &mut self.tabs {
            let Document::Game(session) = &tab.document else { continue };
            let Some(now) = PlayersScore::of(session) else { continue };
            if tab.score.as_ref().is_some_and(|known| known.is_of(&now)) {
                continue;
            }
            let known = tab.score.take().filter(|known| known.players == now.players);
            let points = known.and_then(|known| known.points);
            wanted.push((tab.number, now.clone(), archive.clone()));
            tab.score = Some(PlayersScore { points, ..now });
        }
        for (number, score, archive) in wanted {
            let [first, second] = score.players.clone();
            let read = move || archive.score([&first, &second]);
            self.spawn(read, move |app, points| {
                let mut tabs = app.tabs.iter_mut();
                let tab = tabs.find(|tab| tab.number == number);
                let known = tab.and_then(|tab| tab.score.as_mut());
                if let Some(known) = known.filter(|known| known.is_of(&score)) {
                    known.points = points;
                }
            });
        }
    }
}
