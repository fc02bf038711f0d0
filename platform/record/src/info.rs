//! What a player said of its search in JSON: an object, what is not known left out.

use serde::Deserialize;
use tengen_arbiter::SearchInfo;
use tengen_rules::Move;

use crate::text::TextValue;

/// The object as it is read.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SearchObject {
    eval: Option<i32>,
    win_in: Option<i32>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    pv: Vec<TextValue<Move>>,
}

impl SearchObject {
    /// The numbers, and the principal variation.
    pub(crate) fn parts(self) -> (SearchInfo, Vec<Move>) {
        let SearchObject { eval, win_in, depth, seldepth, nodes, pv } = self;
        let info = SearchInfo { eval, win_in, depth, seldepth, nodes };
        (info, pv.into_iter().map(|TextValue(mv)| mv).collect())
    }
}
