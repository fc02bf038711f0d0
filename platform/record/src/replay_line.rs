//! Reads a line of `tengen rules replay`.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use tengen_arbiter::{Action, GameConfig, HistoryEntry, Nanos, Policies, TimeControl};
use tengen_rules::{BySeat, OpeningSettings, Procedure, Rule, Seat, Size};

use crate::ReadError;
use crate::forbidden::standard;
use crate::read::read_json;

/// A line of `tengen rules replay`: one game, without times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReplayLine {
    pub rule: Rule,
    pub opening: OpeningSettings,
    pub size: Size,
    pub policies: Policies,
    pub actions: Vec<(Seat, Action)>,
}

impl ReplayLine {
    /// A game of which nothing is said but its rule.
    pub fn new(rule: Rule) -> ReplayLine {
        ReplayLine {
            rule,
            opening: nothing(),
            size: standard(),
            policies: draws_by_agreement(),
            actions: Vec::new(),
        }
    }

    /// Reads any line that is right, and says of any other what is wrong with it.
    pub fn read(text: &str) -> Result<ReplayLine, ReadError> {
        let object: GameObject = read_json(text)?;
        Ok(ReplayLine {
            rule: object.rule,
            opening: object.opening,
            size: object.size,
            policies: object.policies,
            actions: object.actions.0,
        })
    }

    /// The game that the arbiter is asked to judge.
    pub fn config(&self) -> GameConfig {
        GameConfig {
            rule: self.rule,
            size: self.size,
            opening: self.opening.clone(),
            time: BySeat::<TimeControl>::default(),
            margin: BySeat::<Nanos>::default(),
            policies: self.policies,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameObject {
    rule: Rule,
    #[serde(default = "nothing")]
    opening: OpeningSettings,
    #[serde(default = "standard")]
    size: Size,
    #[serde(default = "draws_by_agreement")]
    policies: Policies,
    actions: Untimed,
    /// A name or a remark, let be.
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "comment")]
    _comment: Option<IgnoredAny>,
}

/// Actions without what was measured of them: a line may hold a hundred thousand.
struct Untimed(Vec<(Seat, Action)>);

impl<'de> Deserialize<'de> for Untimed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Untimed, D::Error> {
        struct UntimedVisitor;

        impl<'de> Visitor<'de> for UntimedVisitor {
            type Value = Untimed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of actions")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Untimed, A::Error> {
                let mut actions = Vec::new();
                while let Some(entry) = list.next_element::<HistoryEntry>()? {
                    actions.push((entry.seat, entry.action));
                }
                Ok(Untimed(actions))
            }
        }

        from.deserialize_seq(UntimedVisitor)
    }
}

fn nothing() -> OpeningSettings {
    OpeningSettings::new(Procedure::None)
}

/// Without an event the rules' own draws hold, agreement among them.
fn draws_by_agreement() -> Policies {
    Policies { draw_offers: true, ..Policies::default() }
}
