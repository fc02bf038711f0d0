//! An event's policies in JSON: every one by its name; what is left out is as by default.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tengen_arbiter::{
    Adjudication, DrawWindow, FoulPolicy, IllegalPolicy, LatePolicy, MarginPolicy, Policies,
    ResignBy, ResignWindow,
};
use tengen_rules::{BySeat, Seat};

use crate::text;

#[derive(Default, Serialize, Deserialize)]
#[serde(remote = "Policies", deny_unknown_fields, default)]
struct PoliciesObject {
    #[serde(with = "IllegalWord")]
    illegal: IllegalPolicy,
    #[serde(with = "seats", skip_serializing_if = "no_person")]
    persons: BySeat<bool>,
    #[serde(with = "FoulWord")]
    foul: FoulPolicy,
    #[serde(with = "LateWord")]
    late: LatePolicy,
    #[serde(with = "MarginWord", skip_serializing_if = "of_the_game")]
    margin: MarginPolicy,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    count_startup: bool,
    draw_offers: bool,
    passing: bool,
    move_limit: Option<u32>,
    #[serde(with = "adjudication")]
    adjudication: Option<Adjudication>,
}

fn of_the_game(margin: &MarginPolicy) -> bool {
    *margin == MarginPolicy::Game
}

fn no_person(persons: &BySeat<bool>) -> bool {
    !persons.first && !persons.second
}

/// A set of seats, as the list of them.
mod seats {
    use super::*;

    pub(super) fn serialize<S: Serializer>(of: &BySeat<bool>, to: S) -> Result<S::Ok, S::Error> {
        let seats: Vec<Seat> = Seat::ALL.into_iter().filter(|seat| of[*seat]).collect();
        text::list::serialize(&seats, to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BySeat<bool>, D::Error> {
        let seats: Vec<Seat> = text::list::deserialize(from)?;
        Ok(BySeat::from_fn(|seat| seats.contains(&seat)))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "IllegalPolicy", rename_all = "snake_case")]
enum IllegalWord {
    Forfeit,
    Retries(u32),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FoulPolicy", rename_all = "snake_case")]
enum FoulWord {
    Automatic,
    Claim,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LatePolicy", rename_all = "snake_case")]
enum LateWord {
    Loss,
    Substitute,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "MarginPolicy", rename_all = "snake_case")]
enum MarginWord {
    Game,
    Move,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Adjudication", deny_unknown_fields)]
struct AdjudicationObject {
    #[serde(with = "draw_window", default)]
    draw: Option<DrawWindow>,
    #[serde(with = "resign_window", default)]
    resign: Option<ResignWindow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proof: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ResignBy", rename_all = "snake_case")]
enum ResignWord {
    Both,
    Loser,
}

fn by_both(by: &ResignBy) -> bool {
    *by == ResignBy::Both
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DrawWindow", deny_unknown_fields)]
struct DrawWindowObject {
    stones: u32,
    moves: u32,
    score: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ResignWindow", deny_unknown_fields)]
struct ResignWindowObject {
    moves: u32,
    score: u32,
    #[serde(with = "ResignWord", default, skip_serializing_if = "by_both")]
    by: ResignBy,
}

/// The same for an option of it.
macro_rules! optional {
    ($module:ident, $type:ident, $object:literal) => {
        mod $module {
            use super::*;

            #[derive(Serialize, Deserialize)]
            struct Object(#[serde(with = $object)] $type);

            pub(super) fn serialize<S: Serializer>(
                value: &Option<$type>,
                to: S,
            ) -> Result<S::Ok, S::Error> {
                value.map(Object).serialize(to)
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<Option<$type>, D::Error> {
                Ok(Option::<Object>::deserialize(from)?.map(|object| object.0))
            }
        }
    };
}

optional!(adjudication, Adjudication, "AdjudicationObject");
optional!(draw_window, DrawWindow, "DrawWindowObject");
optional!(resign_window, ResignWindow, "ResignWindowObject");

pub(crate) fn serialize<S: Serializer>(policies: &Policies, to: S) -> Result<S::Ok, S::Error> {
    PoliciesObject::serialize(policies, to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Policies, D::Error> {
    PoliciesObject::deserialize(from)
}
