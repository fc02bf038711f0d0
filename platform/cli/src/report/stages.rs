//! The stages of an event for people: tables with their tie-breaks, and brackets.

use tengen_tournament::{BracketLine, PairTest, StageSummary, StageTable, Summary};

use super::{align_right, first_lines, points, table, test};

/// All stages that have begun, one below the other.
pub(super) fn text(summary: &Summary) -> String {
    summary.stages.iter().map(|stage| of(stage, summary.stages.len() > 1)).collect()
}

pub(super) fn tests(tests: &[PairTest]) -> String {
    let line = |PairTest { engine, against, test: state }: &PairTest| {
        format!("\n{engine} against {against}: {}", test(state).trim_start())
    };
    tests.iter().map(line).collect()
}

fn of(stage: &StageSummary, is_numbered: bool) -> String {
    let mut head = stage.format.replace('-', " ");
    if is_numbered {
        head = format!("stage {}: {head}", stage.stage);
    }
    if let (Some(round), Some(rounds)) = (stage.round, stage.rounds) {
        head += &format!(", round {round} of {rounds}");
    }
    if !stage.is_over {
        head += ", not finished";
    }
    let mut out = format!("{}\n", capitalised(&head));
    if !stage.bracket.is_empty() {
        out += &bracket(&stage.bracket);
    }
    for standings in &stage.tables {
        if let Some(group) = standings.group {
            out += &format!("Group {group}\n");
        }
        out += &table_of(standings);
    }
    out + "\n"
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn table_of(standings: &StageTable) -> String {
    let has_points = standings.lines.iter().any(|line| line.points.is_some());
    let has_byes = standings.lines.iter().any(|line| line.byes > 0);
    let mut heads = vec!["#".to_owned(), "Engine".to_owned()];
    heads.extend(has_points.then(|| "Points".to_owned()));
    let names = standings.tie_breaks.iter().map(|name| capitalised(&name.replace('-', " ")));
    heads.extend(names);
    heads.extend(has_byes.then(|| "Byes".to_owned()));
    let columns: Vec<usize> = (0..heads.len()).filter(|&column| column != 1).collect();
    let mut rows = table(heads);
    let (lines, more) = first_lines(&standings.lines);
    for line in lines {
        let mut cells = vec![line.place.to_string(), line.engine.clone()];
        cells.extend(line.points.map(points));
        cells.extend(line.tie_breaks.iter().map(|value| value.to_string()));
        cells.extend(has_byes.then(|| line.byes.to_string()));
        rows.add_row(cells);
    }
    align_right(&mut rows, &columns);
    format!("{rows}\n{more}")
}

/// A bracket: the main part drawn as a tree, the other matches below it.
fn bracket(lines: &[BracketLine]) -> String {
    let of = |section: &str| -> Vec<&BracketLine> {
        lines.iter().filter(|line| line.section == section).collect()
    };
    let mut out = tree(&of("main"));
    let named = [
        ("losers", "Losers, round"),
        ("third-place", "Third place"),
        ("final", "Final"),
        ("second-final", "Second final"),
    ];
    for (section, head) in named {
        let mut round = 0;
        for line in of(section).into_iter().filter(|line| !line.is_walkover) {
            if line.round > round {
                round = line.round;
                let number = if section == "losers" { format!(" {round}") } else { String::new() };
                out += &format!("{head}{number}\n");
            }
            let [one, other] = [0, 1].map(|side| side_of(line, side));
            out += &format!("  {one} – {other}{}\n", way(line));
        }
    }
    out
}

/// The engine of a side, and its points: `greedy 2.5`.
fn side_of(line: &BracketLine, side: usize) -> String {
    let name = line.engines[side].as_deref().unwrap_or("?");
    let is_known = line.engines.iter().all(Option::is_some);
    if is_known { format!("{name} {}", points(line.points[side])) } else { name.to_owned() }
}

/// How a level match was decided.
fn way(line: &BracketLine) -> String {
    match (line.by_seed, line.deciders) {
        (true, _) => "  (level: by seed)".to_owned(),
        (false, 0) => String::new(),
        (false, some) => format!("  (deciders: {some})"),
    }
}

/// The matches of a knockout as a tree from the left to the right. Each side of a match has a row;
/// the winner's name stands between them, a column further.
fn tree(lines: &[&BracketLine]) -> String {
    let Some(rounds) = lines.iter().map(|line| line.round).max() else { return String::new() };
    let mut rows = vec![String::new(); (2 << rounds) - 1];
    for round in 1..=rounds {
        let of_round: Vec<&&BracketLine> =
            lines.iter().filter(|line| line.round == round).collect();
        let cell = |line: &BracketLine, side: usize| {
            let how = if side == 0 { way(line) } else { String::new() };
            // An engine without an opponent stands in the next round.
            (!line.is_walkover).then(|| format!("{}{how}", side_of(line, side)))
        };
        let cells: Vec<[Option<String>; 2]> =
            of_round.iter().map(|line| [0, 1].map(|side| cell(line, side))).collect();
        let widths = cells.iter().flatten().flatten().map(|cell| cell.chars().count());
        let width = widths.max().unwrap_or(0);
        let (step, first) = (1_usize << round, (1_usize << (round - 1)) - 1);
        let begin = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        for (number, sides) in cells.iter().enumerate() {
            let [top, bottom] = [0, 1].map(|side| first + (2 * number + side) * step);
            if sides.iter().all(Option::is_none) {
                continue;
            }
            for (side, at) in [top, bottom].into_iter().enumerate() {
                let text = sides[side].as_deref().unwrap_or_default();
                let lead = if round > 1 { " " } else { "" };
                let end = if side == 0 { '┐' } else { '┘' };
                let dashes = "─".repeat(width - text.chars().count() + 1);
                let row = &mut rows[at];
                pad(row, begin);
                *row += &format!("{lead}{text} {dashes}{end}");
            }
            let column = begin + usize::from(round > 1) + width + 2;
            for row in &mut rows[top + 1..bottom] {
                pad(row, column);
                row.push('│');
            }
            let middle = &mut rows[(top + bottom) / 2];
            middle.pop();
            middle.push('├');
        }
    }
    let last = lines.iter().filter(|line| line.round == rounds);
    if let Some(winner) = last.filter_map(|line| line.winner.as_deref()).next() {
        let middle = (rows.len() - 1) / 2;
        rows[middle] += &format!(" {winner}");
    }
    let mut out = String::new();
    for row in rows.iter().filter(|row| !row.trim().is_empty()) {
        out += &format!("{}\n", row.trim_end());
    }
    out
}

fn pad(row: &mut String, width: usize) {
    let missing = width.saturating_sub(row.chars().count());
    row.extend(std::iter::repeat_n(' ', missing));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(
        round: usize,
        engines: [Option<&str>; 2],
        made: [f64; 2],
        won: Option<&str>,
    ) -> BracketLine {
        BracketLine {
            section: "main",
            round,
            engines: engines.map(|name| name.map(str::to_owned)),
            points: made,
            winner: won.map(str::to_owned),
            deciders: 0,
            by_seed: false,
            is_walkover: false,
        }
    }

    #[test]
    fn a_bracket_is_drawn() {
        let bye = BracketLine {
            is_walkover: true,
            ..line(1, [Some("alpha"), None], [0.0; 2], Some("alpha"))
        };
        let lines = [
            bye,
            line(1, [Some("beta"), Some("gamma")], [1.5, 0.5], Some("beta")),
            line(2, [Some("alpha"), Some("beta")], [1.0, 3.0], Some("beta")),
        ];
        let drawn = tree(&lines.iter().collect::<Vec<_>>());
        let gap = |width| " ".repeat(width);
        let expected = [
            format!("{} alpha 1.0 ─┐", gap(12)),
            format!("{}│", gap(24)),
            format!("{}├ beta", gap(24)),
            format!("beta 1.5 ──┐{}│", gap(12)),
            format!("{}├ beta 3.0 ──┘", gap(11)),
            "gamma 0.5 ─┘".to_owned(),
        ];
        assert_eq!(drawn.lines().collect::<Vec<_>>(), expected, "{drawn}");
    }
}
