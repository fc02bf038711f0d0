//! The standings page of an event.

use eframe::egui::{
    Align, Align2, Color32, FontId, Frame, Label, Layout, Rect, Response, RichText, Role,
    ScrollArea, Sense, Stroke, TextStyle, Ui, WidgetInfo, pos2, vec2,
};
use tengen_arbiter::Termination;
use tengen_stats::{Elo, WinDrawLoss};
use tengen_tournament::{PairTest, Standing, StandingColumn, Summary};

use crate::app::{EventSnapshot, Text, Translator, translator::minus};
use crate::theme::Palette;
use crate::widgets::{Look, paragraph, test};

/// The height of a row.
const LINE: f32 = 30.0;
/// The width of a rank.
const PLACE: f32 = 40.0;
/// The width of a number.
const NUMBER: f32 = 50.0;
/// The width of the bar of wins, draws and losses.
const BAR: f32 = 90.0;
/// The column before which the bar stands.
const BEHIND_BAR: StandingColumn = StandingColumn::Elo;
/// The width of an Elo difference.
const ELO: f32 = 150.0;

/// The widths of a cell of the cross table, and its height.
const CROSS: [f32; 2] = [78.0, 40.0];

/// The standings, the cross table, and how games ended.
pub(super) fn standings(ui: &mut Ui, look: Look<'_>, shown: &EventSnapshot) {
    let Look { tr, palette, .. } = look;
    let sheet = StandingsTable { tr, palette, summary: &shown.summary };
    ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
        let width = ui.available_width();
        remarks(ui, look, shown);
        if let Some(state) = &shown.summary.sprt {
            let engine = shown.labels.first().map_or("", String::as_str);
            sheet.framed(ui, |ui| test(ui, look, engine, state));
        }
        for PairTest { engine, against, test: state } in &shown.summary.tests {
            sheet.framed(ui, |ui| {
                ui.colored_label(palette.text, format!("{engine} – {against}"));
                test(ui, look, engine, state);
            });
        }
        sheet.card(ui, Text::PageStandings, |ui| sheet.table(ui, width - 2.0 * (MARGIN + 2.0)));
        if sheet.summary.standings.len() > 1 {
            sheet.card(ui, Text::CrossTable, |ui| sheet.cross_table(ui));
        }
        if !sheet.summary.terminations.is_empty() {
            sheet.card(ui, Text::HowEnded, |ui| sheet.endings(ui));
        }
    });
}

/// Warnings about the machine, and about games that say nothing new.
fn remarks(ui: &mut Ui, look: Look<'_>, shown: &EventSnapshot) {
    let Look { tr, palette, .. } = look;
    let spoiled = &shown.summary.spoiled;
    let crowded =
        (shown.crowded && shown.phase.is_running()).then(|| tr.text(Text::EventCrowded).to_owned());
    let spoiled = (spoiled.games > 0).then(|| {
        let numbers: Vec<String> = spoiled.numbers.iter().map(u64::to_string).collect();
        let more = if spoiled.numbers.len() as u64 == spoiled.games { "" } else { ", …" };
        let numbers = format!("{}{more}", numbers.join(", "));
        tr.fill(Text::EventSpoiledGames, &[&spoiled.games.to_string(), &numbers])
    });
    let suspicious = shown.summary.spoiled.losers.iter().filter(|loser| loser.is_suspicious());
    let suspicious = suspicious.map(|loser| {
        let (lost, won) = (loser.lost.to_string(), loser.won.to_string());
        let p = format!("{:.2e}", loser.p);
        tr.fill(Text::EventSpoiledLoser, &[&loser.engine, &lost, &won, &p])
    });
    let repeated = shown.summary.repeated;
    let repeated = (repeated.repeated() > 0).then(|| {
        let [distinct, games] = [repeated.distinct, repeated.games].map(|count| count.to_string());
        tr.fill(Text::EventRepeatedGames, &[&distinct, &games])
    });
    for text in [crowded, spoiled, repeated].into_iter().flatten().chain(suspicious) {
        paragraph(ui, palette.danger, text);
        ui.add_space(6.0);
    }
}

/// The margin of a card.
const MARGIN: f32 = 14.0;

#[derive(Clone, Copy)]
struct StandingsTable<'a> {
    tr: Translator,
    palette: Palette,
    summary: &'a Summary,
}

impl StandingsTable<'_> {
    fn card(self, ui: &mut Ui, title: Text, content: impl FnOnce(&mut Ui)) {
        self.framed(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
            let title = RichText::new(self.tr.text(title));
            ui.label(title.size(16.0).color(self.palette.text));
            ui.add_space(8.0);
            content(ui);
        });
    }

    fn framed(self, ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
        let Palette { panel, edge, .. } = self.palette;
        let frame = Frame::new().fill(panel).stroke(Stroke::new(1.0, edge)).corner_radius(8);
        frame.inner_margin(MARGIN).show(ui, |ui| {
            // Leave room for the border.
            ui.set_min_width(ui.available_width() - 2.0);
            content(ui);
        });
        ui.add_space(6.0);
    }

    fn table(self, ui: &mut Ui, width: f32) {
        let Palette { text, weak, card, .. } = self.palette;
        let fixed = StandingColumn::ALL.map(|column| self.width(column, 0.0));
        let room = width - BAR - fixed.iter().sum::<f32>();
        let name = (room * 0.4).clamp(140.0, 260.0);
        let chart = (room - name).clamp(120.0, 360.0);
        let put = |ui: &mut Ui, column, words: String, color| {
            let align = match column {
                StandingColumn::Place | StandingColumn::Engine => Align::Min,
                _ => Align::Max,
            };
            cell(ui, self.width(column, name), align, words, color)
        };
        ui.horizontal(|ui| {
            for column in StandingColumn::ALL {
                if column == BEHIND_BAR {
                    ui.add_space(BAR);
                }
                let head = put(ui, column, self.tr.column(column).to_owned(), weak);
                if column == StandingColumn::Elo {
                    head.on_hover_text(self.tr.text(Text::EloTip));
                }
            }
        });
        let scale = self.scale();
        for (place, line) in self.summary.standings.iter().enumerate() {
            let rest = Rect::from_min_size(ui.cursor().min, vec2(width, LINE));
            if place % 2 == 0 {
                ui.painter().rect_filled(rest, 4.0, card);
            }
            ui.horizontal(|ui| {
                for column in StandingColumn::ALL {
                    if column == BEHIND_BAR {
                        self.results(ui, line);
                    }
                    use StandingColumn::{Elo, Engine, Points};
                    let color = if matches!(column, Engine | Points | Elo) { text } else { weak };
                    let words = column.text(place + 1, line);
                    let words = if column == Elo { minus(&words) } else { words };
                    let drawn = put(ui, column, words, color);
                    if column == Engine {
                        drawn.on_hover_text(&line.engine);
                    }
                }
                self.interval(ui, chart, line.performance.as_ref(), scale);
            });
        }
    }

    /// The width of a column; that of the names takes what is left.
    fn width(self, column: StandingColumn, name: f32) -> f32 {
        match column {
            StandingColumn::Place => PLACE,
            StandingColumn::Engine => name,
            StandingColumn::Elo => ELO,
            _ => NUMBER,
        }
    }

    /// Wins, draws and losses as shares of a bar.
    fn results(self, ui: &mut Ui, line: &Standing) {
        let (room, _) = ui.allocate_exact_size(vec2(BAR, LINE), Sense::hover());
        let bar = room.shrink2(vec2(10.0, 10.0));
        let Palette { accent, edge, danger, .. } = self.palette;
        let games = line.games().max(1) as f32;
        let mut left = bar.left();
        for (count, color) in [(line.wins, accent), (line.draws, edge), (line.losses, danger)] {
            let right = left + bar.width() * count as f32 / games;
            let part = Rect::from_x_y_ranges(left..=right, bar.y_range());
            ui.painter().rect_filled(part, 1.0, color);
            left = right;
        }
    }

    /// The Elo difference at the ends of the chart.
    fn scale(self) -> f64 {
        let known = self.summary.standings.iter().filter_map(|line| line.performance);
        let ends = known.flat_map(|elo| {
            let (low, high) = elo.bounds();
            [low, high, elo.value()]
        });
        1.05 * ends.filter(|end| end.is_finite()).map(f64::abs).fold(50.0, f64::max)
    }

    /// The Elo difference and its 95 % interval, with zero in the middle.
    fn interval(self, ui: &mut Ui, width: f32, elo: Option<&Elo>, scale: f64) {
        let (room, _) = ui.allocate_exact_size(vec2(width, LINE), Sense::hover());
        let chart = room.shrink2(vec2(18.0, 0.0));
        let Palette { edge, weak, accent, .. } = self.palette;
        let painter = ui.painter();
        painter.vline(chart.center().x, chart.y_range(), Stroke::new(1.0, edge));
        let Some(elo) = elo else { return };
        let at = |value: f64| {
            let part = (value / scale).clamp(-1.0, 1.0) as f32;
            chart.center().x + part * chart.width() / 2.0
        };
        let (low, high) = elo.bounds();
        let (y, stroke) = (chart.center().y, Stroke::new(1.5, weak));
        painter.hline(at(low)..=at(high), y, stroke);
        for end in [low, high].into_iter().filter(|end| end.is_finite()) {
            painter.vline(at(end), y - 4.0..=y + 4.0, stroke);
        }
        painter.circle_filled(pos2(at(elo.value()), chart.center().y), 4.0, accent);
    }

    fn cross_table(self, ui: &mut Ui) {
        let standings = &self.summary.standings;
        let weak = self.palette.weak;
        let name = 220.0;
        ui.horizontal(|ui| {
            ui.add_space(name);
            for (column, line) in standings.iter().enumerate() {
                let [width, _] = CROSS;
                let head = cell(ui, width, Align::Center, (column + 1).to_string(), weak);
                head.on_hover_text(&line.engine);
            }
        });
        for (row, line) in standings.iter().enumerate() {
            ui.horizontal(|ui| {
                let title = format!("{}  {}", row + 1, line.engine);
                cell(ui, name, Align::Min, title, self.palette.text).on_hover_text(&line.engine);
                for (column, score) in self.summary.cross_table[row].iter().enumerate() {
                    let against = (row != column).then_some(&standings[column].engine);
                    self.meeting(ui, &line.engine, against, score);
                }
            });
        }
    }

    /// The score of one engine against another; none against itself.
    fn meeting(self, ui: &mut Ui, engine: &str, other: Option<&String>, score: &WinDrawLoss) {
        let Palette { accent, danger, card, text, weak, .. } = self.palette;
        let (room, drawn) = ui.allocate_exact_size(CROSS.into(), Sense::hover());
        let room = room.shrink(1.5);
        let Some(other) = other else {
            ui.painter().rect_filled(room, 4.0, self.palette.edge.gamma_multiply(0.4));
            return;
        };
        if score.games() == 0 {
            ui.painter().rect_filled(room, 4.0, card);
            return;
        }
        let better = (score.points() / score.games() as f64 - 0.5) as f32 * 2.0;
        let color = if better < 0.0 { danger } else { accent };
        ui.painter().rect_filled(room, 4.0, card);
        ui.painter().rect_filled(room, 4.0, color.gamma_multiply(0.45 * better.abs()));
        let points = format!("{:.1}", score.points());
        let counts = format!("{}-{}-{}", score.wins, score.draws, score.losses);
        write(ui, room.center() - vec2(0.0, 8.0), &points, TextStyle::Body, text);
        write(ui, room.center() + vec2(0.0, 9.0), &counts, TextStyle::Small, weak);
        let label = format!("{engine} – {other}: {points} ({counts})");
        drawn.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
        drawn.on_hover_text(label);
    }

    fn endings(self, ui: &mut Ui) {
        let most = self.summary.terminations.values().copied().max().unwrap_or(1).max(1) as f32;
        let Palette { text, weak, .. } = self.palette;
        for (termination, count) in &self.summary.terminations {
            ui.horizontal(|ui| {
                let name = self.tr.termination(*termination).to_owned();
                cell(ui, 220.0, Align::Min, name, text);
                cell(ui, NUMBER, Align::Max, count.to_string(), text);
                let (room, _) = ui.allocate_exact_size(vec2(BAR, LINE), Sense::hover());
                let mut bar = room.shrink2(vec2(10.0, 10.0));
                bar.set_width(bar.width() * *count as f32 / most);
                ui.painter().rect_filled(bar, 1.0, weak);
                ui.colored_label(weak, self.losers(*termination));
            });
        }
    }

    /// The engines that lost games this way, and how many.
    fn losers(self, termination: Termination) -> String {
        let lost = self.summary.standings.iter().filter_map(|line| {
            let count = line.terminations.get(&termination).filter(|count| **count > 0)?;
            Some(format!("{} {count}", line.engine))
        });
        lost.collect::<Vec<_>>().join("  ·  ")
    }
}

/// A text in a cell, truncated.
fn cell(ui: &mut Ui, width: f32, align: Align, text: String, color: Color32) -> Response {
    let layout = match align {
        Align::Min => Layout::left_to_right(Align::Center),
        Align::Center => Layout::centered_and_justified(eframe::egui::Direction::TopDown),
        Align::Max => Layout::right_to_left(Align::Center),
    };
    let room = ui.allocate_ui_with_layout(vec2(width, LINE), layout, |ui| {
        ui.set_min_size(vec2(width, LINE));
        if align == Align::Min {
            ui.add_space(8.0);
        }
        ui.add(Label::new(RichText::new(text).color(color)).truncate())
    });
    room.inner
}

fn write(ui: &Ui, at: eframe::egui::Pos2, text: &str, style: TextStyle, color: Color32) {
    let font: FontId = style.resolve(ui.style());
    ui.painter().text(at, Align2::CENTER_CENTER, text, font, color);
}
