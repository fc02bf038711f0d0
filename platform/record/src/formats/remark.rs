//! What a player said of its search, as comments of games have it: `eval -35, win in 5,
//! depth 8-14, 1200 nodes`, each part where it is known.

use tengen_arbiter::SearchInfo;

/// A search in words; empty where nothing is known of it.
pub(super) fn write(info: &SearchInfo) -> String {
    let mut parts = Vec::new();
    parts.extend(info.eval.map(|eval| format!("eval {eval}")));
    parts.extend(info.win_in.map(|plies| format!("win in {plies}")));
    match (info.depth, info.seldepth) {
        (0, 0) => {}
        (depth, 0) => parts.push(format!("depth {depth}")),
        (depth, selective) => parts.push(format!("depth {depth}-{selective}")),
    }
    if info.nodes > 0 {
        parts.push(format!("{} nodes", info.nodes));
    }
    parts.join(", ")
}

/// The search that the first line of a comment tells; none where that line is anything else.
pub(super) fn read(comment: &str) -> Option<SearchInfo> {
    let mut info = SearchInfo::default();
    for part in comment.lines().next()?.split(", ") {
        if let Some(eval) = part.strip_prefix("eval ") {
            info.eval = Some(eval.parse().ok()?);
        } else if let Some(plies) = part.strip_prefix("win in ") {
            info.win_in = Some(plies.parse().ok()?);
        } else if let Some(depths) = part.strip_prefix("depth ") {
            let (depth, selective) = depths.split_once('-').unwrap_or((depths, "0"));
            (info.depth, info.seldepth) = (depth.parse().ok()?, selective.parse().ok()?);
        } else {
            info.nodes = part.strip_suffix(" nodes")?.parse().ok()?;
        }
    }
    Some(info)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            eval: Option<i32>,
            win_in: Option<i32>,
            depth: u32,
            seldepth: u32,
            nodes: u64,
        ) {
            let info = SearchInfo { eval, win_in, depth, seldepth, nodes };
            let text = write(&info);
            let known = (!text.is_empty()).then_some(info);
            prop_assert_eq!(read(&text), known);
            prop_assert_eq!(read(&format!("{text}\nMESSAGE hello")), known);
        }

        #[test]
        fn any_comment_is_read(comment: String) {
            let _ = read(&comment);
        }
    }

    #[test]
    fn a_person_s_own_words_tell_no_search() {
        for comment in ["", "a fine move", "eval good", "depth, 3 nodes", "eval 3 and so on"] {
            assert_eq!(read(comment), None, "{comment}");
        }
    }
}
