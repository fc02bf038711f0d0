//! Settings of a game under a name.

use serde::{Deserialize, Serialize};
use tengen_arbiter::IllegalPolicy;
use tengen_rules::{Procedure, Rule};

use super::{ClockKind, GameForm, Text};

/// Settings of a game that the user keeps under a name; the players are no part of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct GamePreset {
    pub name: String,
    pub game: GameForm,
}

impl GamePreset {
    /// The most characters of a name.
    pub const MOST_NAME: usize = 60;

    /// The presets that come with the program, by their names.
    pub fn shipped() -> [(Text, GameForm); 5] {
        let game = |rule, side, opening, main, increment| GameForm {
            rule,
            width: side,
            height: side,
            opening,
            clock: ClockKind::Game,
            main,
            increment,
            ..GameForm::default()
        };
        // What is played at a board of wood is not taken back.
        let strict = |game| GameForm { undo: Some(0), ..game };
        let of_renju =
            |opening, main, increment| strict(game(Rule::Renju, 15, opening, main, increment));
        let brains = game(Rule::Freestyle, 20, Procedure::None, 180, 0);
        let casual = game(Rule::Freestyle, 15, Procedure::Swap2, 300, 3);
        [
            (Text::PresetContest, of_renju(Procedure::Contest, 900, 0)),
            (Text::PresetTaraguchi, of_renju(Procedure::Taraguchi10, 3600, 30)),
            (Text::PresetSwap2, strict(game(Rule::Standard, 15, Procedure::Swap2, 1800, 10))),
            (Text::PresetGomocup, GameForm { cap: 30, ..brains }),
            (Text::PresetCasual, GameForm { illegal: IllegalPolicy::Retries(3), ..casual }),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_preset_can_be_played_and_kept() {
        for (name, game) in GamePreset::shipped() {
            game.check().unwrap();
            let kept = GamePreset { name: name.name().to_owned(), game };
            let text = toml::to_string(&kept).unwrap();
            assert_eq!(toml::from_str::<GamePreset>(&text).as_ref(), Ok(&kept), "{text}");
        }
    }

    #[test]
    fn what_is_kept_reads_back() {
        let game = GameForm {
            illegal: IllegalPolicy::Substitute,
            undo: Some(2),
            passing: true,
            ..GameForm::default().with_named(&tengen_rules::canonical::ALL[3])
        };
        let kept = GamePreset { name: "花月".to_owned(), game };
        let text = toml::to_string(&kept).unwrap();
        assert_eq!(toml::from_str::<GamePreset>(&text).as_ref(), Ok(&kept), "{text}");
        assert_eq!(toml::from_str(""), Ok(GamePreset::default()));
    }
}
