//! `tengen tournament report --by`: games counted by what they have in common.

use serde_json::json;
use tengen_stats::WinDrawLoss;
use tengen_tournament::{Breakdown, BreakdownBy, BreakdownGroup, ByBothColors, Event};

use super::report::ReportArgs;
use crate::outcome::event_error;
use crate::{CommandOutcome, report};

/// The most engines whose scores stand in the same line.
const WIDEST: usize = 8;

pub(super) fn report(by: BreakdownBy, args: &ReportArgs) -> anyhow::Result<CommandOutcome> {
    let mut breakdown = Breakdown::new(by);
    for dir in std::iter::once(&args.event).chain(&args.more) {
        let event = Event::open(dir).map_err(event_error)?;
        for record in event.records() {
            breakdown.add(&record.map_err(event_error)?);
        }
    }
    let object = || json!({ "by": by.name(), "groups": breakdown.groups() });
    report::show(args.json, object, || text(&breakdown))?;
    Ok(CommandOutcome::Done)
}

fn text(breakdown: &Breakdown) -> String {
    let groups = breakdown.groups();
    let mut out = String::new();
    if breakdown.by() == BreakdownBy::Colour {
        for group in &groups {
            out += &format!("{}\n", by_engine(group));
        }
    }
    let head = match breakdown.by() {
        BreakdownBy::Colour => "Games",
        BreakdownBy::Opening => "Opening",
        BreakdownBy::Rule => "Rule",
        BreakdownBy::Termination => "Termination",
    };
    let mut engines: Vec<&String> = groups.iter().flat_map(|group| group.engines.keys()).collect();
    engines.sort_unstable();
    engines.dedup();
    if engines.len() > WIDEST || breakdown.by() == BreakdownBy::Colour {
        engines.clear();
    }
    let heads = [head, "Games", "Black W-D-L", "Black", "Draws", "Adjudicated", "Stones"];
    let heads = heads.map(str::to_owned).into_iter().chain(engines.iter().map(|&id| id.clone()));
    let mut table = report::table(heads);
    for group in &groups {
        let BreakdownGroup { name, games, adjudicated, black, stones, .. } = group;
        let black = black.counts();
        let mut cells = vec![
            name.replace('_', " "),
            games.to_string(),
            results(black),
            percent(black.rate()),
            percent(black.draw_ratio()),
            adjudicated.to_string(),
            format!("{:.1}", *stones as f64 / *games as f64),
        ];
        cells.extend(engines.iter().map(|&id| {
            let both = group.engines.get(id).map(|engine| both(*engine)).unwrap_or_default();
            if both.games() > 0 { percent(both.rate()) } else { String::new() }
        }));
        table.add_row(cells);
    }
    report::align_right(&mut table, &(1..7 + engines.len()).collect::<Vec<_>>());
    out += &format!("\n{table}\n");
    if breakdown.by() == BreakdownBy::Opening {
        out += &balance(&groups);
    }
    out
}

/// What each engine made with each colour.
fn by_engine(group: &BreakdownGroup) -> comfy_table::Table {
    let heads =
        ["Engine", "Games", "Score", "Black W-D-L", "Black", "White W-D-L", "White", "Difference"];
    let mut table = report::table(heads);
    for (id, engine) in &group.engines {
        let (black, white) = (engine.black.counts(), engine.white.counts());
        let difference = black.rate().zip(white.rate()).map(|(black, white)| black - white);
        table.add_row([
            id.clone(),
            both(*engine).games().to_string(),
            percent(both(*engine).rate()),
            results(black),
            percent(black.rate()),
            results(white),
            percent(white.rate()),
            difference.map_or(String::new(), |points| format!("{:+.1} %", 100.0 * points)),
        ]);
    }
    report::align_right(&mut table, &[1, 2, 3, 4, 5, 6, 7]);
    table
}

/// How even the openings are, all together.
fn balance(groups: &[&BreakdownGroup]) -> String {
    let lopsided = groups.iter().filter(|group| {
        let black = group.black.counts();
        group.games > 1 && (black.wins == group.games || black.losses == group.games)
    });
    let (lopsided, all) = (lopsided.count(), groups.len());
    let mut black = WinDrawLoss::default();
    groups.iter().for_each(|group| black += group.black.counts());
    format!(
        "Black made {} of the points from {all} openings; from {lopsided} of them one colour won \
         every game\n",
        percent(black.rate()),
    )
}

fn both(engine: ByBothColors) -> WinDrawLoss {
    let mut both = engine.black.counts();
    both += engine.white.counts();
    both
}

fn results(score: WinDrawLoss) -> String {
    format!("{}-{}-{}", score.wins, score.draws, score.losses)
}

fn percent(part: Option<f64>) -> String {
    part.map_or("–".to_owned(), report::percent)
}
