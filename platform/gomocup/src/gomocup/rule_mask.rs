//! The numbers of `INFO rule`, bits of a mask: 1 exactly five, 2 a continuous game, 4 renju, 8
//! caro.
//!
//! Yixin's own dialect calls renju 2; Gomocup's judge and every manager of tournaments call it 4,
//! and so do we.

use tengen_rules::Rule;

pub const fn of(rule: Rule) -> i64 {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 4,
        Rule::Caro => 8,
    }
}

/// The rule of a number; none if it is no rule we play: a continuous game, or several at once.
pub fn rule(mask: i64) -> Option<Rule> {
    Rule::ALL.into_iter().find(|rule| of(*rule) == mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_its_number_and_no_other_has_one() {
        for known in Rule::ALL {
            assert_eq!(rule(of(known)), Some(known));
        }
        assert_eq!((i64::from(-1_i8)..=255).filter(|mask| rule(*mask).is_some()).count(), 4);
    }
}
