//! The game at a table, played again from what the server shows of it.

use tengen_arbiter::{Action, Game, GameConfig, Input, Nanos, Policies, TimeControl};
use tengen_rules::{BySeat, OpeningSettings, Procedure, Rule, Size};
use tengen_web::play::messages::StepFields;

use crate::app::model::move_list::MoveList;
use crate::app::model::table::seat_of;
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

/// What a table's settings mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableRules {
    pub rule: Rule,
    pub size: Size,
    pub opening: Procedure,
    pub time: TimeControl,
}

impl TableRules {
    /// Reads the settings of a table.
    ///
    /// # Errors
    /// The setting that this version does not know.
    pub fn read(settings: &TableSettings) -> Result<TableRules, String> {
        let wrong = |name: &str, text: &str| format!("{name} = {text:?}");
        Ok(TableRules {
            rule: settings.rule.parse().map_err(|_| wrong("rule", &settings.rule))?,
            size: settings.size.parse().map_err(|_| wrong("size", &settings.size))?,
            opening: settings.opening.parse().map_err(|_| wrong("opening", &settings.opening))?,
            time: settings.time.parse().map_err(|_| wrong("time", &settings.time))?,
        })
    }
}

impl TableReplay {
    /// A game before its first step.
    ///
    /// # Errors
    /// When it cannot be played with these settings.
    pub fn new(settings: &TableSettings) -> Result<TableReplay, String> {
        let TableRules { rule, size, opening, .. } = TableRules::read(settings)?;
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
    pub fn act(&mut self, step: &StepFields) -> Result<(), String> {
        let place = self.steps + 1;
        let wrong = |what: String| format!("step {place}: {what}");
        self.steps += 1;
        let Some(answer) = step.answer().map_err(wrong)? else { return Ok(()) };
        let (seat, known) = (seat_of(step.seat), self.game.history().len());
        // It is put before it is answered.
        let _order = self.game.poll_order();
        self.game.handle(self.now, seat, Input::Asked);
        let spent = (step.spent * 1e6).clamp(0.0, 1e18) as Nanos;
        self.now = self.now.saturating_add(spent);
        self.game.handle(self.now, seat, Input::Act(Action::Answer(answer)));
        match self.game.history().get(known) {
            Some(entry) if entry.legal => {}
            _ => {
                let why = self.game.refusal().unwrap_or("nobody is asked").to_owned();
                return Err(wrong(why));
            }
        }
        self.game.add_search(step.info(), step.variation(), None);
        let before = self.move_list.len();
        self.move_list.follow(&self.game);
        if step.is_substitute {
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
    use tengen_rules::Seat;

    use super::*;

    fn step(text: &str) -> StepFields {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_game_is_played_again_as_the_server_shows_it() {
        let settings = TableSettings { opening: "swap2".to_owned(), ..TableSettings::default() };
        let mut game = TableReplay::new(&settings).unwrap();
        game.act(&step(r#"{"s":0,"a":"place","v":[231,0,264],"p":[462,1,528],"t":900}"#)).unwrap();
        game.act(&step(r#"{"s":1,"a":"choose","v":"black","t":50,"b":1}"#)).unwrap();
        let mut snapshot = Snapshot::blank(Size::STANDARD);
        game.show(&mut snapshot);
        assert_eq!((snapshot.rows.len(), game.steps), (3, 2));
        assert_eq!(snapshot.seats.second.color, tengen_rules::Color::Black);
        assert_eq!(game.game().asked().unwrap().0, Seat::First, "White is to move");
        assert_eq!(snapshot.decisions.len(), 1);
        let wrong = game.act(&step(r#"{"s":0,"p":[463],"t":1}"#)).unwrap_err();
        assert!(wrong.starts_with("step 3: "), "{wrong}");
    }

    #[test]
    fn what_the_server_played_for_who_was_late_is_marked() {
        let mut game = TableReplay::new(&TableSettings::default()).unwrap();
        for text in [
            r#"{"s":0,"p":[462],"t":40001,"u":true}"#,
            r#"{"s":1,"p":[529],"t":1}"#,
            r#"{"s":0,"p":[396],"t":40001,"u":true}"#,
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
        game.act(&step(r#"{"s":0,"a":"move","v":300,"x":true,"t":1}"#)).unwrap();
        game.act(&step(r#"{"s":1,"a":"resign","t":0}"#)).unwrap();
        assert_eq!((game.steps, game.game().history().len()), (2, 0));
        let odd = TableSettings { rule: "chess".to_owned(), ..TableSettings::default() };
        assert!(TableReplay::new(&odd).is_err());
    }
}
