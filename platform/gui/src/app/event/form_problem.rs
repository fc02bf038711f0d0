use tengen_rules::OpeningError;

use super::FormField;
use crate::app::{Text, Translator};

/// Why the event of a form cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventFormProblem {
    /// The board is too small or too large.
    Size,
    /// A field is not written as it must be.
    Field(FormField),
    /// Something about the engine of that place is not written as it must be.
    Entrant(usize),
    /// Fewer than two engines are chosen.
    TooFew,
    /// The opening procedure does not go with the board, or with the fifth moves.
    Opening(OpeningError),
    /// There are no positions to begin from.
    NoPositions,
    /// A test is of two engines.
    TestOfTwo,
    /// The test has bounds that decide nothing.
    TestBounds,
    /// There are fewer CPUs than games at once.
    FewCpus,
    /// Something that only a file can say.
    Other(String),
}

impl EventFormProblem {
    /// It in words.
    pub fn text(&self, tr: Translator) -> String {
        let say = |text: Text| tr.text(text).to_owned();
        match self {
            EventFormProblem::Size => say(Text::SizeProblem),
            EventFormProblem::Field(field) => {
                let (label, tip) = (tr.text(field.label()), tr.text(field.tip()));
                tr.fill(Text::FormField, &[label, tip])
            }
            EventFormProblem::Entrant(place) => {
                tr.fill(Text::FormEntrant, &[&(place + 1).to_string()])
            }
            EventFormProblem::TooFew => say(Text::FormTooFew),
            EventFormProblem::Opening(error) => tr.opening_problem(error),
            EventFormProblem::NoPositions => say(Text::FormNoPositions),
            EventFormProblem::TestOfTwo => say(Text::FormTestOfTwo),
            EventFormProblem::TestBounds => say(Text::FormTestBounds),
            EventFormProblem::FewCpus => say(Text::FormFewCpus),
            EventFormProblem::Other(problem) => problem.clone(),
        }
    }
}
