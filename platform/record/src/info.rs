//! What a player said of its search in JSON: an object, what was not told left out.

use serde::{Deserialize, Deserializer};
use tengen_arbiter::SearchInfo;

#[derive(Default, Deserialize)]
#[serde(remote = "SearchInfo", deny_unknown_fields, default)]
struct InfoObject {
    eval: Option<i32>,
    win_in: Option<i32>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
}

/// For `#[serde(default, deserialize_with = "info::deserialize")]`.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<SearchInfo>, D::Error> {
    #[derive(Deserialize)]
    struct Object(#[serde(with = "InfoObject")] SearchInfo);

    Ok(Option::<Object>::deserialize(from)?.map(|Object(info)| info))
}
