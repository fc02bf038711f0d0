//! A word that names a rule or an opening procedure is its name and nothing else.

use tengen_rules::{Procedure, Rule};

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let rule = Rule::ALL.into_iter().find(|rule| rule.name() == text);
    assert_eq!(text.parse::<Rule>().ok(), rule);
    let procedure = Procedure::ALL.into_iter().find(|procedure| procedure.name() == text);
    assert_eq!(text.parse::<Procedure>().ok(), procedure);
}
