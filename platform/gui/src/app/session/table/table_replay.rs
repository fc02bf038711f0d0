//! The game at a table, played again from what the server shows of it.

use tengen_arbiter::{Action, Game, GameConfig, HistoryEntry, Input, Nanos, Policies};
use tengen_rules::{BySeat, OpeningSettings};

use crate::app::model::move_list::MoveList;
use crate::app::model::{Snapshot, TableSettings};
use crate::app::session::show::show;

/// The game at a table. It has no clocks: the server says how they stand.
pub(super) struct TableReplay {
    game: Game,
    move_list: MoveList,
    now: Nanos,
    /// How many steps the server has shown; not all of them are answers.
    pub steps: usize,
}

impl TableReplay {
    /// A game before its first step.
    ///
    /// # Errors
    /// When it cannot be played with these settings.
    pub fn new(settings: &TableSettings) -> Result<TableReplay, String> {
        let TableSettings { rule, size, opening, .. } = *settings;
        let config = GameConfig {
            rule,
            size,
            opening: OpeningSettings::new(opening),
            time: BySeat::default(),
            margin: BySeat::default(),
            policies: Policies {
                persons: BySeat { first: true, second: true },
                passing: settings.passing,
                move_limit: settings.move_limit,
                ..Policies::default()
            },
        };
        let game = Game::new(config).map_err(|error| error.to_string())?;
        let mut move_list = MoveList::default();
        move_list.follow(&game);
        Ok(TableReplay { game, move_list, now: 0, steps: 0 })
    }

    /// Plays a step.
    ///
    /// # Errors
    /// When the rules do not have it so; says where.
    pub fn act(&mut self, entry: &HistoryEntry) -> Result<(), String> {
        let place = self.steps + 1;
        let wrong = |what: String| format!("step {place}: {what}");
        self.steps += 1;
        let Action::Answer(_) = &entry.action else { return Ok(()) };
        if !entry.legal {
            return Ok(());
        }
        let (seat, known) = (entry.seat, self.game.history().len());
        // It is put before it is answered.
        let _order = self.game.poll_order();
        self.game.handle(self.now, seat, Input::Asked);
        self.now = self.now.saturating_add(entry.spent);
        self.game.handle(self.now, seat, Input::Act(entry.action.clone()));
        match self.game.history().get(known) {
            Some(entry) if entry.legal => {}
            _ => {
                let why = self.game.refusal().unwrap_or("nobody is asked").to_owned();
                return Err(wrong(why));
            }
        }
        self.game.add_search(entry.info, entry.pv.clone(), None);
        let before = self.move_list.len();
        self.move_list.follow(&self.game);
        if entry.substituted {
            self.move_list.mark_substitutes(before);
        }
        Ok(())
    }

    /// The game itself.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Copies what lies and what is asked to a snapshot, but no clocks.
    pub fn show(&mut self, snapshot: &mut Snapshot) {
        show(snapshot, &self.game, &mut self.move_list);
        (snapshot.draw_offer, snapshot.draw_declined, snapshot.refusal) = (None, None, None);
    }
}

#[cfg(test)]
mod tests {
    use tengen_rules::{Procedure, Rule, Seat, Size};

    use super::*;

    fn step(text: &str) -> HistoryEntry {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_game_is_played_again_as_the_server_shows_it() {
        let settings = TableSettings { opening: Procedure::Swap2, ..TableSettings::default() };
        let mut game = TableReplay::new(&settings).unwrap();
        game.act(&step(r#"{"seat":"first","place":["h8","a1","i9"],"ns":900000000}"#)).unwrap();
        game.act(&step(r#"{"seat":"second","choose":"black","ns":50}"#)).unwrap();
        let mut snapshot = Snapshot::blank(Size::STANDARD);
        game.show(&mut snapshot);
        assert_eq!((snapshot.rows.len(), game.steps), (3, 2));
        assert_eq!(snapshot.seats.second.color, tengen_rules::Color::Black);
        assert_eq!(game.game().asked().unwrap().0, Seat::First, "White is to move");
        assert_eq!(snapshot.decisions.len(), 1);
        let wrong = game.act(&step(r#"{"seat":"first","move":"h8"}"#)).unwrap_err();
        assert!(wrong.starts_with("step 3: "), "{wrong}");
    }

    #[test]
    fn what_the_server_played_for_a_late_seat_is_marked() {
        let mut game = TableReplay::new(&TableSettings::default()).unwrap();
        for text in [
            r#"{"seat":"first","move":"h8","ns":40001,"substituted":true}"#,
            r#"{"seat":"second","move":"i9"}"#,
            r#"{"seat":"first","move":"g7","ns":40001,"substituted":true}"#,
        ] {
            game.act(&step(text)).unwrap();
        }
        let mut snapshot = Snapshot::blank(Size::STANDARD);
        game.show(&mut snapshot);
        let marked: Vec<bool> = snapshot.rows.iter().map(|row| row.is_substitute).collect();
        assert_eq!(marked, [true, false, true]);
    }

    #[test]
    fn what_leaves_the_board_alone_is_counted() {
        let mut game = TableReplay::new(&TableSettings::default()).unwrap();
        game.act(&step(r#"{"seat":"first","move":"m10","legal":false}"#)).unwrap();
        game.act(&step(r#"{"seat":"second","resign":true}"#)).unwrap();
        assert_eq!((game.steps, game.game().history().len()), (2, 0));
        let odd = TableSettings {
            rule: Rule::Renju,
            opening: Procedure::Rif,
            size: Size::new(19, 19).unwrap(),
            ..TableSettings::default()
        };
        assert!(TableReplay::new(&odd).is_err());
    }
}
