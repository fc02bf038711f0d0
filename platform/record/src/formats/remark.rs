//! What a player said about its search, as a comment of a game: `eval -35, win in 5, depth 8-14,
//! 1200 nodes, pv h8 i9`, each part if it is known.

use tengen_arbiter::SearchInfo;
use tengen_rules::Move;

use crate::plain::read_word;

/// A search in words; empty where nothing is known of it.
pub(super) fn write(info: &SearchInfo, pv: &[Move]) -> String {
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
    if !pv.is_empty() {
        let moves: Vec<String> = pv.iter().map(Move::to_string).collect();
        parts.push(format!("pv {}", moves.join(" ")));
    }
    parts.join(", ")
}

/// The search that the first line of a comment tells, and its principal variation; none where that
/// line is anything else.
pub(super) fn read(comment: &str) -> Option<(SearchInfo, Vec<Move>)> {
    let (mut info, mut pv) = (SearchInfo::default(), Vec::new());
    for part in comment.lines().next()?.split(", ") {
        if let Some(eval) = part.strip_prefix("eval ") {
            info.eval = Some(eval.parse().ok()?);
        } else if let Some(plies) = part.strip_prefix("win in ") {
            info.win_in = Some(plies.parse().ok()?);
        } else if let Some(depths) = part.strip_prefix("depth ") {
            let (depth, selective) = depths.split_once('-').unwrap_or((depths, "0"));
            (info.depth, info.seldepth) = (depth.parse().ok()?, selective.parse().ok()?);
        } else if let Some(moves) = part.strip_prefix("pv ") {
            pv = moves.split(' ').map(read_word).collect::<Option<_>>()?;
        } else {
            info.nodes = part.strip_suffix(" nodes")?.parse().ok()?;
        }
    }
    Some((info, pv))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tengen_rules::Point;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            eval: Option<i32>,
            win_in: Option<i32>,
            depth: u32,
            seldepth: u32,
            nodes: u64,
            line: Vec<Option<(u8, u8)>>,
        ) {
            let info = SearchInfo { eval, win_in, depth, seldepth, nodes };
            let stone = |(x, y)| Move::Stone(Point::new(x, y));
            let pv: Vec<_> = line.iter().map(|mv| mv.map_or(Move::Pass, stone)).collect();
            let text = write(&info, &pv);
            let known = (!text.is_empty()).then_some((info, pv));
            prop_assert_eq!(read(&text), known.clone());
            prop_assert_eq!(read(&format!("{text}\nMESSAGE hello")), known);
        }

        #[test]
        fn any_comment_is_read(comment: String) {
            let _ = read(&comment);
        }
    }

    #[test]
    fn a_person_s_own_words_tell_no_search() {
        for comment in
            ["", "a fine move", "eval good", "depth, 3 nodes", "eval 3 and so on", "pv e4é"]
        {
            assert_eq!(read(comment), None, "{comment}");
        }
    }
}
