//! The standings and the cross table of a report as HTML, for browsers that run no script.

use std::fmt::Write as _;

use tengen_tournament::{StandingCell, StandingColumn};

use super::{ColumnView, EventView, StandingView};
use crate::text::html;

impl EventView {
    /// Both tables, the second where there is one; their heads in each language.
    pub fn plain_tables(&self) -> String {
        let mut text = format!("<h1>{}</h1>\n", html(&self.title));
        let heads = self.columns.iter().map(ColumnView::plain_title);
        let lines = (1..).zip(&self.standings).map(|(place, line)| {
            self.columns.iter().map(|column| self.plain_cell(column, place, line)).collect()
        });
        write_table(&mut text, "Standings · 积分榜", heads, lines);
        if self.standings.len() > 2 && !self.cross.is_empty() {
            let engine = |line: &StandingView| self.engines[line.engine].label.clone();
            let places = (1..=self.standings.len()).map(|place| place.to_string());
            let lines =
                (1..).zip(&self.standings).zip(&self.cross).map(|((place, line), scores)| {
                    let name = format!("{place} {}", engine(line));
                    let own = (place - 1) as usize;
                    let score = |(other, [wins, draws, losses]): (usize, &[u64; 3])| {
                        let is_none = wins + draws + losses == 0;
                        match other == own && is_none {
                            true => String::new(),
                            false if is_none => "–".to_owned(),
                            false => format!("{wins}-{draws}-{losses}"),
                        }
                    };
                    std::iter::once(name).chain(scores.iter().enumerate().map(score)).collect()
                });
            let heads = std::iter::once(String::new()).chain(places);
            write_table(&mut text, "Cross table: won-drawn-lost · 交叉表：胜-和-负", heads, lines);
        }
        text
    }

    fn plain_cell(&self, column: &ColumnView, place: usize, line: &StandingView) -> String {
        match (column.name, line.cells.get(&column.name)) {
            (StandingColumn::Place, _) => place.to_string(),
            (StandingColumn::Engine, _) => self.engines[line.engine].label.clone(),
            (_, Some(StandingCell::Text(text))) => text.clone(),
            (_, Some(StandingCell::Count(count))) => count.to_string(),
            (_, Some(StandingCell::Points(points))) => points.to_string(),
            (_, Some(StandingCell::Elo(Some(elo)))) => format!("{elo:+.0}"),
            _ => "–".to_owned(),
        }
    }
}

impl ColumnView {
    fn plain_title(&self) -> String {
        let [english, chinese] = self.titles;
        if english == chinese { english.to_owned() } else { format!("{english} {chinese}") }
    }
}

/// Writes a table under its title.
fn write_table(
    to: &mut String,
    title: &str,
    heads: impl Iterator<Item = String>,
    lines: impl Iterator<Item = Vec<String>>,
) {
    let cells = |to: &mut String, kind: &str, cells: &mut dyn Iterator<Item = String>| {
        to.push_str("<tr>");
        cells.for_each(|cell| {
            let _ = write!(to, "<{kind}>{}</{kind}>", html(&cell));
        });
        to.push_str("</tr>\n");
    };
    let _ = write!(to, "<h2>{title}</h2>\n<div class=\"scroll\"><table class=\"data\">\n<thead>");
    cells(to, "th", &mut heads.into_iter());
    to.push_str("</thead>\n<tbody>\n");
    lines.for_each(|line| cells(to, "td", &mut line.into_iter()));
    to.push_str("</tbody></table></div>\n");
}
