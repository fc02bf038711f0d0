use tengen_rules::OpeningError;

use super::Field;
use crate::app::{Text, Words};

/// Why the event of a form cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormProblem {
    /// The board is too small or too large.
    Size,
    /// A field is not written as it must be.
    Field(Field),
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

impl FormProblem {
    /// It in words.
    pub fn text(&self, words: Words) -> String {
        let say = |text: Text| words.text(text).to_owned();
        match self {
            FormProblem::Size => say(Text::SizeProblem),
            FormProblem::Field(field) => {
                let (label, tip) = (words.text(field.label()), words.text(field.tip()));
                words.fill(Text::FormField, &[label, tip])
            }
            FormProblem::Entrant(place) => {
                words.fill(Text::FormEntrant, &[&(place + 1).to_string()])
            }
            FormProblem::TooFew => say(Text::FormTooFew),
            FormProblem::Opening(error) => words.opening_problem(error),
            FormProblem::NoPositions => say(Text::FormNoPositions),
            FormProblem::TestOfTwo => say(Text::FormTestOfTwo),
            FormProblem::TestBounds => say(Text::FormTestBounds),
            FormProblem::FewCpus => say(Text::FormFewCpus),
            FormProblem::Other(problem) => problem.clone(),
        }
    }
}
