//! A list of games.

use eframe::egui::{
    Align, Color32, FontId, Label, Layout, Rect, RichText, Role, ScrollArea, Sense, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};
use tengen_arbiter::{GameResult, Termination};
use tengen_rules::Seat;

use super::Look;
use crate::app::{GameSummary, SeatInfo, Text, Translator};

/// The columns: title, share of the width, whose win makes it strong, and value.
type Column = (Text, f32, Option<Seat>, fn(Translator, &GameSummary) -> String);
const COLUMNS: [Column; 6] = [
    (Text::ColumnNumber, 0.09, None, |_, line| line.number.to_string()),
    (Text::ColumnFirst, 0.26, Some(Seat::First), |tr, line| name(tr, line, Seat::First)),
    (Text::ColumnSecond, 0.26, Some(Seat::Second), |tr, line| name(tr, line, Seat::Second)),
    (Text::ColumnResult, 0.09, None, |_, line| result_text(line.result).to_owned()),
    (Text::ColumnHow, 0.19, None, |tr, line| {
        let known = line.result.filter(|_| line.is_reason_known);
        known.map_or_else(String::new, |r| tr.termination(r.termination).to_owned())
    }),
    (Text::ColumnStones, 0.11, None, |_, line| line.plies.to_string()),
];

/// A list of games, of any length: only visible rows are computed. Returns the one that was
/// clicked.
pub(crate) fn game_list(
    ui: &mut Ui,
    look: Look<'_>,
    count: usize,
    line: impl Fn(usize) -> GameSummary,
) -> Option<usize> {
    let Look { tr, palette, .. } = look;
    let height = ui.text_style_height(&TextStyle::Body) + 8.0;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.horizontal(|ui| {
            let width = ui.available_width();
            for (text, share, ..) in COLUMNS {
                let layout = Layout::left_to_right(Align::Center);
                ui.allocate_ui_with_layout(vec2(width * share, height), layout, |ui| {
                    ui.set_min_width(width * share);
                    let text = RichText::new(tr.text(text)).small().color(palette.weak);
                    ui.add(Label::new(text).truncate());
                });
            }
        });
    });
    let mut clicked = None;
    let area = ScrollArea::vertical().auto_shrink([false, false]);
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, height, count, |ui, range| {
        for index in range {
            if row(ui, look, height, index, &line(index)) {
                clicked = Some(index);
            }
        }
    });
    clicked
}

/// One game; whether it was clicked. It is a single widget, painted by hand, so that it is cheap.
fn row(ui: &mut Ui, look: Look<'_>, height: f32, index: usize, line: &GameSummary) -> bool {
    let Look { tr, palette, .. } = look;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let cells = COLUMNS.map(|(.., value)| value(tr, line));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, cells.join("  ")));
    let painter = ui.painter_at(rect);
    if response.hovered() {
        painter.rect_filled(rect, 4.0, palette.edge);
    } else if index % 2 == 1 {
        painter.rect_filled(rect, 4.0, palette.card);
    }
    let winner = line.result.and_then(|result| result.winner);
    let mut left = rect.left();
    for (text, (title, share, seat, _)) in cells.into_iter().zip(COLUMNS) {
        let strong = title == Text::ColumnResult || seat.is_some() && seat == winner;
        let color = if strong { palette.text } else { palette.weak };
        let width = rect.width() * share;
        let cell = Rect::from_min_max(pos2(left, rect.top()), pos2(left + width, rect.bottom()));
        paint(ui, cell, text, color);
        left += width;
    }
    response.on_hover_text(tr.text(Text::GameTip)).clicked()
}

/// A text, clipped to its cell.
fn paint(ui: &Ui, cell: Rect, text: String, color: Color32) {
    let font: FontId = TextStyle::Body.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(text, font, color);
    let at = pos2(cell.left() + 4.0, cell.center().y - galley.size().y / 2.0);
    ui.painter().with_clip_rect(cell.intersect(ui.clip_rect())).galley(at, galley, color);
}

/// A result as in tables; a dash if there is none.
pub(crate) fn result_text(result: Option<GameResult>) -> &'static str {
    match result.map(|result| (result.winner, result.termination)) {
        Some((_, Termination::Aborted)) | None => "–",
        Some((Some(Seat::First), _)) => "1–0",
        Some((Some(Seat::Second), _)) => "0–1",
        Some((None, _)) => "½–½",
    }
}

fn name(tr: Translator, line: &GameSummary, seat: Seat) -> String {
    match line.names[seat].as_str() {
        "" => tr.color(SeatInfo::blank(seat).color).to_owned(),
        name => name.to_owned(),
    }
}
