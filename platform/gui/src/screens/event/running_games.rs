//! The running games page of an event.

use eframe::egui::{
    Align, Label, Layout, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, Vec2, WidgetInfo,
    vec2,
};
use tengen_rules::{Color, Move, Seat};
use tengen_tournament::FollowedGame;

use crate::app::{
    ClockReading, Command, Diagram, EventCommand, EventSession, EventSnapshot, Stone, Text,
    Translator, UserFile,
};
use crate::widgets::{Look, Textures, result_text, static_board};

/// The least width of a board, in points: more boards than fit are scrolled.
const LEAST: f32 = 220.0;
/// The height of the caption.
const CAPTION: f32 = 38.0;

/// The boards of the running games, or one of them large.
#[derive(Default)]
pub(super) struct BoardGrid {
    small: Textures,
    large: Textures,
}

impl BoardGrid {
    pub fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        session: &EventSession,
        shown: &EventSnapshot,
    ) {
        let Look { app, tr, .. } = look;
        let enlarge = |table| look.send(Command::Event(EventCommand::Enlarge(table)));
        let labels = &shown.labels;
        let boards = session.running_games();
        if let Some(table) = session.enlarged
            && let Some(Some(board)) = boards.get(table)
        {
            ui.horizontal(|ui| {
                if ui.button(tr.text(Text::RunningAll)).clicked() {
                    enlarge(None);
                }
                ui.label(title(tr, labels, board));
            });
            let (room, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
            let ground = app.picture(UserFile::BoardPicture).cloned();
            let diagram = diagram(board);
            static_board(ui, &mut self.large, room, &diagram, app.settings(), ground);
            return;
        }
        if boards.iter().all(Option::is_none) {
            ui.label(tr.text(Text::RunningNone));
        }
        let side = side(boards.len(), ui.available_size(), ui.spacing().item_spacing);
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for (table, board) in boards.iter().enumerate() {
                    let Some(board) = board else { continue };
                    let (rect, response) =
                        ui.allocate_exact_size(vec2(side, side + CAPTION), Sense::click());
                    let title = title(tr, labels, board);
                    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &title));
                    if ui.is_rect_visible(rect) {
                        let room = Rect::from_min_size(rect.min, vec2(side, side));
                        let ground = app.picture(UserFile::BoardPicture).cloned();
                        let diagram = diagram(board);
                        static_board(ui, &mut self.small, room, &diagram, app.settings(), ground);
                        let below = Rect::from_min_max(room.left_bottom(), rect.max);
                        caption(ui, below, &title, tr, board);
                    }
                    if response.on_hover_text(tr.text(Text::RunningTip)).clicked() {
                        enlarge(Some(table));
                    }
                }
            });
        });
    }
}

fn diagram(board: &FollowedGame) -> Diagram {
    let stone = |(index, mv): (usize, &Move)| {
        mv.point().map(|point| Stone { point, color: Color::of_ply(index), ply: index + 1 })
    };
    let stones = board.moves.iter().enumerate().filter_map(stone).collect();
    let (row, forbidden, offered) = (Vec::new(), Vec::new(), Vec::new());
    Diagram { size: board.size, stones, row, forbidden, offered }
}

/// The width of a board, so that all fit into that space.
fn side(boards: usize, room: Vec2, gap: Vec2) -> f32 {
    let fitting = |columns: usize| {
        let rows = boards.div_ceil(columns);
        let width = (room.x - gap.x * columns as f32) / columns as f32;
        let height = (room.y - gap.y * rows as f32) / rows as f32 - CAPTION;
        width.min(height)
    };
    (1..=boards).map(fitting).fold(LEAST, f32::max).floor()
}

/// The caption of a board: the players, and the score or clocks.
fn caption(ui: &mut Ui, below: Rect, title: &str, tr: Translator, board: &FollowedGame) {
    let builder = UiBuilder::new().max_rect(below).layout(Layout::top_down(Align::Center));
    let mut lines = ui.new_child(builder);
    lines.spacing_mut().item_spacing.y = 0.0;
    for line in [title, &standing(tr, board)] {
        lines.add(Label::new(RichText::new(line).small()).truncate());
    }
}

/// The result, or the time left of both with a mark for the side to move; only the side to move
/// where there is no game clock.
fn standing(tr: Translator, board: &FollowedGame) -> String {
    if let Some((result, _)) = board.end {
        return format!("{}  {}", result_text(Some(result)), tr.termination(result.termination));
    }
    if Seat::ALL.into_iter().all(|seat| board.clocks[seat].is_none()) {
        let turn = board.turn.map(|seat| tr.color(board.colors[seat]));
        return turn.map_or_else(String::new, |color| tr.fill(Text::ToMove, &[color]));
    }
    let side = |seat: Seat| {
        let clock = board.clocks[seat];
        let byo_yomi = clock.and_then(|clock| clock.byo_yomi);
        let left = clock.map(|clock| clock.left);
        let reading = ClockReading { left, byo_yomi, ..ClockReading::default() };
        let sign = if board.turn == Some(seat) { "› " } else { "" };
        let colour = tr.color(board.colors[seat]);
        let text = format!("{sign}{colour} {} {}", reading.left_text(), reading.periods_text());
        text.trim_end().to_owned()
    };
    format!("{}  ·  {}", side(Seat::First), side(Seat::Second))
}

fn title(tr: Translator, labels: &[String], board: &FollowedGame) -> String {
    let name = |engine: usize| labels.get(engine).map_or("", String::as_str);
    let FollowedGame { scheduled, .. } = board;
    let (first, second) = (name(scheduled.seats.first), name(scheduled.seats.second));
    let (number, moves) = (scheduled.number.to_string(), board.moves.len().to_string());
    tr.fill(Text::BoardOf, &[&number, first, second, &moves])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_as_large_as_all_of_them_fit() {
        let side = |boards| side(boards, vec2(1000.0, 800.0), vec2(0.0, 0.0));
        assert_eq!([side(1), side(2), side(4)], [762.0, 500.0, 362.0]);
        assert_eq!([side(0), side(60)], [LEAST, LEAST]);
    }
}
