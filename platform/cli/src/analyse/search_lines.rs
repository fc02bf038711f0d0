//! The lines of a search, for people and as JSON.

use serde_json::{Map, Value, json};
use tengen_players::{Reply, SearchInfo, SearchProgress};
use tengen_rules::Move;

use super::position::OpenPosition;
use crate::lone_engine::seconds;
use crate::report;

pub(super) struct SearchLines {
    engine: String,
    json: bool,
    /// Whether lines are numbered.
    several: bool,
    has_head: bool,
    /// The last report of each line, so that none is printed twice.
    last: Vec<SearchProgress>,
}

impl SearchLines {
    pub(super) fn new(engine: &str, json: bool, lines: u32) -> SearchLines {
        let several = lines > 1;
        SearchLines { engine: engine.to_owned(), json, several, has_head: false, last: Vec::new() }
    }

    pub(super) fn begin(&self, asked: &OpenPosition) -> anyhow::Result<()> {
        let (rule, size) = (asked.variant.rule, asked.variant.size);
        let (moves, to_move) = (tengen_lineup::joined(&asked.moves, " "), asked.position.to_move());
        if self.json {
            return report::json(&json!({
                "type": "position",
                "engine": self.engine,
                "rule": rule.name(),
                "size": size.to_string(),
                "moves": asked.moves.iter().map(Move::to_string).collect::<Vec<_>>(),
                "to_move": to_move.name(),
            }));
        }
        let moves = if moves.is_empty() { "the empty board".to_owned() } else { moves };
        report::print(&format!("{rule} on {size}, {to_move} to move: {moves}\n\n"))
    }

    /// Prints a report, unless it says nothing new.
    pub(super) fn progress(&mut self, progress: &SearchProgress) -> anyhow::Result<()> {
        let number = progress.line.max(1) as usize;
        if self.last.len() < number.min(64) {
            self.last.resize(number.min(64), SearchProgress::default());
        }
        if let Some(last) = self.last.get_mut(number - 1) {
            // The time alone is no news.
            if (SearchProgress { elapsed: progress.elapsed, ..last.clone() }) == *progress {
                return Ok(());
            }
            *last = progress.clone();
        }
        if self.json {
            let mut object = object("line", &progress.info, progress.elapsed, &progress.pv);
            object.insert("line".to_owned(), json!(number));
            return report::json(&object);
        }
        let mut text = String::new();
        if !self.has_head {
            self.has_head = true;
            let number = if self.several { "  # " } else { "" };
            text = format!(
                "{number}{:>7} {:>10} {:>9} {:>9} {:>8}  line\n",
                "depth", "value", "nodes", "nodes/s", "time"
            );
        }
        let SearchInfo { depth, seldepth, nodes, .. } = progress.info;
        let deepest = if seldepth > depth { format!("/{seldepth}") } else { String::new() };
        let depth = if depth > 0 { format!("{depth}{deepest}") } else { String::new() };
        let (speed, time) = (speed(nodes, progress.elapsed), report::span(progress.elapsed));
        let time = if progress.elapsed > 0 { time } else { String::new() };
        let number = if self.several { format!("{number:>3} ") } else { String::new() };
        text += &format!(
            "{number}{depth:>7} {:>10} {:>9} {speed:>9} {time:>8}  {}\n",
            value(&progress.info),
            count(nodes),
            tengen_lineup::joined(&progress.pv, " "),
        );
        report::print(&text)
    }

    /// Prints what the engine logged.
    pub(super) fn message(&self, text: &str) -> anyhow::Result<()> {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if self.json {
                report::json(&json!({ "type": "log", "text": line }))?;
            } else {
                report::tell(format_args!("{}: {line}", self.engine));
            }
        }
        Ok(())
    }

    pub(super) fn answer(&self, chosen: &str, reply: &Reply) -> anyhow::Result<()> {
        let (info, spent) = (reply.info.unwrap_or_default(), reply.answered_at - reply.asked_at);
        if self.json {
            let mut object = object("answer", &info, spent, &reply.pv);
            object.insert("move".to_owned(), json!(chosen));
            return report::json(&object);
        }
        let mut known = vec![report::span(spent)];
        known.extend((info.nodes > 0).then(|| format!("{} nodes", count(info.nodes))));
        let value = value(&info);
        known.extend((!value.is_empty()).then(|| format!("value {value}")));
        report::print(&format!("\n{} answers {chosen} ({})\n", self.engine, known.join(", ")))
    }
}

/// What is known of a search, as a JSON object.
fn object(kind: &str, info: &SearchInfo, elapsed: u64, pv: &[Move]) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("type", json!(kind));
    if let Some(eval) = info.eval {
        put("eval", json!(eval));
    }
    if let Some(plies) = info.win_in {
        put("win_in", json!(plies));
    }
    put("depth", json!(info.depth));
    put("seldepth", json!(info.seldepth));
    put("nodes", json!(info.nodes));
    put("seconds", json!(seconds(elapsed)));
    put("pv", json!(pv.iter().map(Move::to_string).collect::<Vec<_>>()));
    object
}

/// A value for people: `+120`, `win in 5`, `loss in 4`; nothing where none is known.
pub(crate) fn value(info: &SearchInfo) -> String {
    match (info.win_in, info.eval) {
        (Some(plies @ 0..), _) => format!("win in {plies}"),
        (Some(plies), _) => format!("loss in {}", plies.unsigned_abs()),
        (None, Some(eval)) => format!("{eval:+}"),
        (None, None) => String::new(),
    }
}

/// Nodes a second; empty where they are not counted.
fn speed(nodes: u64, nanos: u64) -> String {
    if nodes == 0 || nanos == 0 {
        return String::new();
    }
    count((nodes as f64 * 1e9 / nanos as f64) as u64)
}

/// A count in three digits or four: `870`, `12.3k`, `4.56M`.
pub(crate) fn count(number: u64) -> String {
    let number = number as f64;
    let (part, unit) = match number {
        ..1e3 => return format!("{number}"),
        1e3..1e6 => (number / 1e3, "k"),
        1e6..1e9 => (number / 1e6, "M"),
        _ => (number / 1e9, "G"),
    };
    match part {
        ..10.0 => format!("{part:.2}{unit}"),
        10.0..100.0 => format!("{part:.1}{unit}"),
        _ => format!("{part:.0}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let counts = [0, 870, 1234, 12_345, 999_999, 4_560_000, 7_000_000_000].map(count);
        assert_eq!(counts, ["0", "870", "1.23k", "12.3k", "1000k", "4.56M", "7.00G"]);
        assert_eq!(speed(1000, 500_000_000), "2.00k");
        assert_eq!((speed(0, 1), speed(1, 0)), (String::new(), String::new()));
    }

    #[test]
    fn a_proved_end_outweighs_the_evaluation() {
        let info = |eval, win_in| SearchInfo { eval, win_in, ..SearchInfo::default() };
        assert_eq!(value(&info(Some(3), Some(5))), "win in 5");
        assert_eq!(value(&info(None, Some(-4))), "loss in 4");
        assert_eq!(value(&info(Some(-12), None)), "-12");
        assert_eq!(value(&info(None, None)), "");
    }
}
