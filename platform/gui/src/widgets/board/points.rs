//! The points of a board as widgets.

use std::collections::HashMap;

use eframe::egui::{CursorIcon, Painter, Response, RichText, Role, Sense, Ui, WidgetInfo};
use tengen_rules::{Foul, Point};

use super::super::Scene;
use super::{BoardLayout, drawing};
use crate::app::{BoardQuestion, Command, Diagram, Overlay, Stone, Text, translator};
use crate::theme::BoardColors;

/// What is drawn over the board.
pub(super) struct PointMarks<'a> {
    pub question: Option<&'a BoardQuestion>,
    pub overlay: &'a Overlay,
}

/// The points as widgets with labels. While a person is asked, all can be clicked.
pub(super) fn show(
    ui: &Ui,
    painter: &Painter,
    layout: &BoardLayout,
    diagram: &Diagram,
    PointMarks { question, overlay }: PointMarks<'_>,
    scene: &Scene<'_>,
) {
    let stones: HashMap<Point, &Stone> =
        diagram.stones.iter().map(|stone| (stone.point, stone)).collect();
    let forbidden: HashMap<Point, Foul> = diagram.forbidden.iter().copied().collect();
    let selected = scene.view.points(scene.snapshot);
    let asked = question.filter(|question| question.zone().is_some());
    for point in diagram.size.points() {
        let stone = stones.get(&point).copied();
        let foul = forbidden.get(&point).copied();
        let offered = diagram.offered.contains(&point);
        let at_cursor = scene.view.cursor == Some(point);
        let step = overlay.stones.iter().position(|(at, _)| *at == point);
        let candidate = overlay.candidates.iter().find(|(at, _)| *at == point);
        let sense = if asked.is_some() { Sense::CLICK } else { Sense::hover() };
        let response = ui.interact(layout.grid.around(point), ui.scope_id().with(point), sense);
        let role = if asked.is_some() && stone.is_none() && foul.is_none() {
            Role::Button
        } else {
            Role::Image
        };
        let index = selected.iter().position(|known| *known == point);
        response.widget_info(|| {
            let mut text = describe(scene, point, stone, foul, offered, index, at_cursor);
            if let Some((_, progress)) = candidate {
                let eval = scene.tr.eval(&progress.info);
                text = scene.tr.fill(Text::Candidate, &[&text, &eval]);
            } else if let Some(step) = step {
                let color = scene.tr.color(overlay.stones[step].1);
                let number = (step + 1).to_string();
                text = scene.tr.fill(Text::LineStone, &[&text, color, &number]);
            }
            WidgetInfo::labeled(role, true, text)
        });
        if response.clicked() {
            scene.look.send(Command::Click(point));
        }
        if let Some(question) = asked {
            preview(painter, layout, question, selected, point, &response);
        }
        if !scene.look.app.has_dialog() {
            hover(response, scene, point, stone, foul);
        }
        if at_cursor {
            drawing::cursor(painter, layout, point);
        }
    }
}

/// The label of a point: `H8 black 1`.
fn describe(
    scene: &Scene<'_>,
    point: Point,
    stone: Option<&Stone>,
    foul: Option<Foul>,
    offered: bool,
    selected: Option<usize>,
    at_cursor: bool,
) -> String {
    let tr = scene.tr;
    let name = translator::point(point);
    let text = match (stone, foul) {
        (Some(stone), _) => format!("{name} {} {}", tr.color(stone.color), stone.ply),
        (None, Some(foul)) => tr.fill(Text::PointForbidden, &[&name, tr.foul(foul)]),
        (None, None) if offered => tr.fill(Text::PointOffered, &[&name]),
        (None, None) => match selected {
            Some(index) => format!("{name} ({})", index + 1),
            None => name,
        },
    };
    if at_cursor { tr.fill(Text::PointCursor, &[&text]) } else { text }
}

/// Shows what a click would do.
fn preview(
    painter: &Painter,
    layout: &BoardLayout,
    question: &BoardQuestion,
    selected: &[Point],
    point: Point,
    response: &Response,
) {
    if !response.hovered() || selected.contains(&point) {
        return;
    }
    match question.check(selected, point) {
        Ok(()) => {
            drawing::hovered(painter, layout, point, question.color(selected.len()));
            painter.ctx().set_cursor_icon(CursorIcon::PointingHand);
        }
        Err(_) if question.position.check(point).is_ok() => {
            let mark = BoardColors::of(layout.style).mark;
            painter.extend(drawing::cross(&layout.grid, point, mark));
        }
        Err(_) => {}
    }
}

/// Details of a point, on hover.
fn hover(
    response: Response,
    scene: &Scene<'_>,
    point: Point,
    stone: Option<&Stone>,
    foul: Option<Foul>,
) {
    let Scene { tr, snapshot, .. } = *scene;
    let name = translator::point(point);
    if let Some(foul) = foul {
        response.on_hover_text(tr.fill(Text::PointForbidden, &[&name, tr.foul(foul)]));
    } else if let Some(row) = stone.and_then(|stone| snapshot.rows.get(stone.ply - 1)) {
        response.on_hover_ui(|ui| {
            let book = tr.text(Text::StoneBook);
            let who = row.seat.map_or(book, |seat| tr.name(&snapshot.seats[seat].name));
            ui.label(RichText::new(format!("{}  {name}", row.ply)).strong());
            ui.label(who);
            if let Some(spent) = row.spent {
                ui.label(translator::spent(spent));
            }
            if let Some(info) = &row.info {
                ui.label(tr.search(info));
                ui.label(tr.eval(info));
            }
        });
    }
}
