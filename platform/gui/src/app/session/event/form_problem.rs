//! Why the event of a form cannot be played.

use tengen_rules::OpeningError;

use super::FormField;
use crate::app::model::{ListenFormProblem, Text, Translator};

/// Why the event of a form cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventFormProblem {
    /// The board is too small or too large.
    Size,
    /// A field is not valid.
    Field(FormField),
    /// Something about the engine at that index is not valid.
    Entrant(usize),
    /// Fewer than two engines are chosen.
    TooFew,
    /// The opening procedure does not fit the board, or the fifth moves.
    Opening(OpeningError),
    /// There are no opening positions.
    NoPositions,
    /// A test needs exactly two engines.
    TestOfTwo,
    /// The bounds of the test are not valid.
    TestBounds,
    /// There are fewer CPUs than games at once.
    FewCpus,
    /// It cannot be served there.
    Listen(ListenFormProblem),
    /// Another problem, which only a file can cause.
    Other(String),
}

impl EventFormProblem {
    /// A message to the user.
    pub fn text(&self, tr: Translator) -> String {
        let say = |text: Text| tr.text(text).to_owned();
        match self {
            EventFormProblem::Size => say(Text::SizeProblem),
            EventFormProblem::Field(field) => {
                let (label, tip) = (tr.text(field.label()), tr.text(field.tip()));
                tr.fill(Text::Named, &[label, tip])
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
            EventFormProblem::Listen(problem) => tr.listen_problem(*problem).to_owned(),
            EventFormProblem::Other(problem) => problem.clone(),
        }
    }
}
