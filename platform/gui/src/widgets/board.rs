use eframe::egui::emath::GuiRounding;
use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};
use tengen_rules::{Color, Foul, Point};

use super::stone;
use crate::app::{Diagram, Snapshot, Stone, hoshi, words};
use crate::view::View;

const WOOD: Color32 = Color32::from_rgb(0xe3, 0xb9, 0x6f);
const LINE: Color32 = Color32::from_rgb(0x4a, 0x35, 0x18);
const MARK: Color32 = Color32::from_rgb(0xd0, 0x2c, 0x2c);
const WIN: Color32 = Color32::from_rgb(0x1f, 0xa0, 0x4b);
const OFFER: Color32 = Color32::from_rgb(0x2a, 0x63, 0xc8);

/// The board, as large as there is room for.
#[derive(Default)]
pub(crate) struct Board {
    /// The diagram last drawn, and of which game and ply: a running clock draws the same one again.
    known: Option<(Drawn, Diagram)>,
}

/// What a diagram depends on: the match, the game, its plies, those shown, and whether it is over.
type Drawn = (u64, u64, usize, usize, bool, usize);

/// Where the points of a board lie on the screen.
struct Grid {
    corner: Pos2,
    cell: f32,
    height: u8,
    scale: f32,
}

impl Board {
    /// Draws the board. Each stone and each forbidden point is a widget of its own, labelled for
    /// screen readers and with more on hover.
    pub(crate) fn show(&mut self, ui: &mut Ui, snapshot: &Snapshot, view: &View) {
        let shown = view.shown(snapshot);
        let diagram = self.diagram(snapshot, shown);
        let (width, height) = (diagram.size.width(), diagram.size.height());
        let room = ui.available_size();
        // A cell more than there are points: half a cell of edge each side and the labels in it.
        let cells = vec2(f32::from(width) + 1.0, f32::from(height) + 1.0);
        let cell = (room.x / cells.x).min(room.y / cells.y).max(4.0);
        let (space, _) = ui.allocate_exact_size(room, Sense::hover());
        let wood = Rect::from_center_size(space.center(), cells * cell);
        let scale = ui.pixels_per_point();
        let corner = wood.left_bottom() + vec2(cell, -cell);
        let grid = Grid { corner, cell, height, scale };
        let painter = ui.painter_at(space);
        painter.rect_filled(wood, cell * 0.15, WOOD);
        grid.lines(&painter, width);
        for point in hoshi(diagram.size) {
            painter.circle_filled(grid.at(point), (cell * 0.1).max(1.5), LINE);
        }
        for &(point, foul) in &diagram.forbidden {
            grid.forbidden(ui, &painter, point, foul);
        }
        for &point in &diagram.offered {
            painter.circle(grid.at(point), cell * 0.3, Color32::TRANSPARENT, (cell * 0.07, OFFER));
        }
        for stone in &diagram.stones {
            let numbered = view.numbers.shows(stone.ply, shown);
            grid.stone(&painter, stone, numbered, diagram);
            grid.label(ui, stone, snapshot);
        }
    }

    fn diagram(&mut self, snapshot: &Snapshot, shown: usize) -> &Diagram {
        let drawn = (
            snapshot.round,
            snapshot.game,
            snapshot.rows.len(),
            shown,
            snapshot.result.is_some(),
            snapshot.offered.len(),
        );
        if self.known.as_ref().is_none_or(|(known, _)| *known != drawn) {
            self.known = Some((drawn, Diagram::new(snapshot, shown)));
        }
        &self.known.as_ref().expect("it was just made").1
    }
}

impl Grid {
    /// A point's place, on the middle of a pixel so that lines are sharp.
    fn at(&self, point: Point) -> Pos2 {
        let (x, y) = (f32::from(point.x()), f32::from(point.y()));
        (self.corner + vec2(x, -y) * self.cell).round_to_pixel_center(self.scale)
    }

    fn lines(&self, painter: &Painter, width: u8) {
        let thin = Stroke::new((self.cell * 0.03).max(1.0 / self.scale), LINE);
        let font = FontId::proportional((self.cell * 0.36).clamp(7.0, 20.0));
        // The labels stand in the edge, clear of the stones.
        let away = self.cell * 0.72;
        for x in 0..width {
            let (low, high) = (self.at(Point::new(x, 0)), self.at(Point::new(x, self.height - 1)));
            painter.line_segment([low, high], thin);
            let text = words::point(Point::new(x, 0));
            let letters = text.trim_end_matches('1');
            let at = low + vec2(0.0, away);
            painter.text(at, Align2::CENTER_CENTER, letters, font.clone(), LINE);
        }
        for y in 0..self.height {
            let (left, right) = (self.at(Point::new(0, y)), self.at(Point::new(width - 1, y)));
            painter.line_segment([left, right], thin);
            let at = left - vec2(away, 0.0);
            painter.text(at, Align2::CENTER_CENTER, (y + 1).to_string(), font.clone(), LINE);
        }
    }

    fn stone(&self, painter: &Painter, laid: &Stone, numbered: bool, diagram: &Diagram) {
        let (center, radius) = (self.at(laid.point), self.cell * 0.46);
        stone(painter, center, radius, laid.color);
        let is_last = diagram.stones.last() == Some(laid);
        if diagram.row.contains(&laid.point) {
            painter.circle_stroke(center, radius, Stroke::new(self.cell * 0.11, WIN));
        } else if is_last && numbered {
            painter.circle_stroke(center, radius * 0.92, Stroke::new(self.cell * 0.07, MARK));
        }
        if numbered && self.cell >= 12.0 {
            let ink = match laid.color {
                Color::Black => Color32::from_gray(240),
                Color::White => Color32::from_gray(16),
            };
            let size = self.cell * if laid.ply < 100 { 0.42 } else { 0.34 };
            let font = FontId::proportional(size);
            painter.text(center, Align2::CENTER_CENTER, laid.ply.to_string(), font, ink);
        } else if is_last {
            painter.circle_filled(center, radius * 0.3, MARK);
        }
    }

    /// What a stone says of itself: `H8 black 1`.
    fn label(&self, ui: &Ui, laid: &Stone, snapshot: &Snapshot) {
        let name = words::point(laid.point);
        let response =
            ui.interact(self.around(laid.point), ui.scope_id().with(laid.point), Sense::hover());
        response.widget_info(|| {
            let text = format!("{name} {} {}", laid.color, laid.ply);
            WidgetInfo::labeled(Role::Image, true, text)
        });
        let row = &snapshot.rows[laid.ply - 1];
        response.on_hover_ui(|ui| {
            let who = row.seat.map_or("book", |seat| &snapshot.seats[seat].name);
            ui.label(format!("{} {name}, {who}", laid.ply));
            if let Some(spent) = row.spent {
                ui.label(words::spent(spent));
            }
            if let Some(info) = &row.info {
                ui.label(format!(
                    "depth {}, {} nodes, {}",
                    info.depth,
                    info.nodes,
                    words::eval(info)
                ));
            }
        });
    }

    fn forbidden(&self, ui: &Ui, painter: &Painter, point: Point, foul: Foul) {
        let (center, arm) = (self.at(point), self.cell * 0.16);
        let stroke = Stroke::new((self.cell * 0.07).max(1.0), MARK);
        for arm in [vec2(arm, arm), vec2(arm, -arm)] {
            painter.line_segment([center - arm, center + arm], stroke);
        }
        let text = format!("{} forbidden: {}", words::point(point), words::foul(foul));
        let response = ui.interact(self.around(point), ui.scope_id().with(point), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
        response.on_hover_text(&text);
    }

    fn around(&self, point: Point) -> Rect {
        let Pos2 { x, y } = self.at(point);
        Rect::from_center_size(pos2(x, y), Vec2::splat(self.cell * 0.92))
    }
}
