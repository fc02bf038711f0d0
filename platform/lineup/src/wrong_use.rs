use crate::causes;

/// That something was asked for which cannot be, as opposed to something that went wrong: an engine
/// that is not there, a rule that it does not play.
#[derive(Debug)]
pub struct WrongUse(pub anyhow::Error);

impl std::fmt::Display for WrongUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&causes(&self.0))
    }
}

impl std::error::Error for WrongUse {}
