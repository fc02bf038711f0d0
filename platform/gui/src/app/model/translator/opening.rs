use tengen_rules::{OpeningError, OpeningSettings, Procedure, canonical};

use super::Translator;
use crate::app::model::GameFormProblem;
use crate::app::model::texts::{Language, Text};

impl Translator {
    /// The name of an opening procedure.
    pub fn opening(self, procedure: Procedure) -> &'static str {
        self.text(match procedure {
            Procedure::None => Text::OpeningNone,
            Procedure::Book => Text::OpeningBook,
            Procedure::Pro => Text::OpeningPro,
            Procedure::LongPro => Text::OpeningLongPro,
            Procedure::Swap => Text::OpeningSwap,
            Procedure::Swap2 => Text::OpeningSwap2,
            Procedure::Rif => Text::OpeningRif,
            Procedure::Contest => Text::OpeningContest,
            Procedure::Yamaguchi => Text::OpeningYamaguchi,
            Procedure::Soosorv8 => Text::OpeningSoosorv8,
            Procedure::Taraguchi10 => Text::OpeningTaraguchi10,
        })
    }

    /// A description of an opening procedure, if there is one.
    pub fn opening_tip(self, procedure: Procedure) -> Option<&'static str> {
        let text = match procedure {
            Procedure::None => return None,
            Procedure::Book => Text::OpeningBookTip,
            Procedure::Pro => Text::OpeningProTip,
            Procedure::LongPro => Text::OpeningLongProTip,
            Procedure::Swap => Text::OpeningSwapTip,
            Procedure::Swap2 => Text::OpeningSwap2Tip,
            Procedure::Rif => Text::OpeningRifTip,
            Procedure::Contest => Text::OpeningContestTip,
            Procedure::Yamaguchi => Text::OpeningYamaguchiTip,
            Procedure::Soosorv8 => Text::OpeningSoosorv8Tip,
            Procedure::Taraguchi10 => Text::OpeningTaraguchi10Tip,
        };
        Some(self.text(text))
    }

    /// Why an opening procedure cannot be played.
    pub fn opening_problem(self, problem: &OpeningError) -> String {
        let say = |text, procedure, size: &dyn std::fmt::Display| {
            self.fill(text, &[self.opening(procedure), &size.to_string()])
        };
        match problem {
            OpeningError::BoardSize { procedure, size } => say(Text::OpeningSize, *procedure, size),
            OpeningError::NoRoom { procedure, size } => say(Text::OpeningRoom, *procedure, size),
            OpeningError::FifthMoves { .. } => {
                self.fill(Text::OpeningFifths, &[&OpeningSettings::MOST_FIFTH_MOVES.to_string()])
            }
            // No form can cause the others.
            other => other.to_string(),
        }
    }

    /// Why a game cannot be played.
    pub fn game_form_problem(self, problem: GameFormProblem) -> String {
        match problem {
            GameFormProblem::Size => self.text(Text::SizeProblem).to_owned(),
            GameFormProblem::Opening(error) => self.opening_problem(&error),
        }
    }

    /// The name of a canonical opening, also in Japanese: `Flower Moon (花月, Kagetsu)`.
    pub fn canonical(self, opening: &canonical::CanonicalOpening) -> String {
        let (japanese, romaji) = (opening.japanese, opening.romaji);
        match self.language {
            Language::English => format!("{} ({japanese}, {romaji})", opening.english),
            Language::Chinese if opening.chinese == japanese => {
                format!("{}（{romaji}）", opening.chinese)
            }
            Language::Chinese => format!("{}（{japanese}，{romaji}）", opening.chinese),
        }
    }
}
