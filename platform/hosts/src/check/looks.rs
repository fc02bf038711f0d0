use tengen_arbiter::{Lapse, Nanos, Strain};

/// How often a question with a deadline is put at most, where the machine spoils the looks.
pub(crate) const LOOKS: usize = 8;

/// What one look at an answer with a deadline shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    /// It was read before the deadline.
    InTime,
    /// It was read too late, by the engine's own doing.
    Late,
    /// It was read too late, and the machine may be to blame: it is to be looked at again.
    Spoiled,
}

/// Judges an answer as a game does, by the moment when it was read.
pub(crate) fn look(allowed: Nanos, spent: Nanos, strain: impl FnOnce() -> Option<Strain>) -> Look {
    if spent <= allowed {
        return Look::InTime;
    }
    match strain() {
        Some(strain) if !Lapse::judge(strain, allowed, spent).cause.is_host() => Look::Late,
        // Where the system does not tell, it may have been the machine.
        _ => Look::Spoiled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_judged_by_the_moment_it_was_read() {
        let busy = Strain { cpu: 90, waited: 20, suspended: 0 };
        let idle = Strain { cpu: 105, waited: 0, suspended: 0 };
        assert_eq!(look(100, 100, || unreachable!("it is in time")), Look::InTime);
        assert_eq!(look(100, 101, || Some(idle)), Look::Late);
        assert_eq!(look(100, 101, || None), Look::Spoiled);
        assert_eq!(look(100, 101, || Some(busy)), Look::Spoiled);
    }
}
