//! The shapes of a board: grid, stones, marks and coordinates.

use eframe::egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, TextureId, Ui, Vec2,
    pos2, vec2,
};
use tengen_rules::{Color, Point, Size, Zone};

use super::super::textures::Textures;
use super::grid::Grid;
use super::{BoardLayout, PreviewStone, stone_rect};
use crate::app::{
    BoardQuestion, BoardStyle, CoordinateLabels, Diagram, Stone, star_points, translator,
};
use crate::theme::BoardColors;

const WHOLE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1.0, 1.0) };

/// A text on the board. Texts are laid out each time, because their glyphs belong to the fonts.
pub(super) struct BoardLabel {
    at: Pos2,
    text: String,
    size: f32,
    color: Color32,
}

impl BoardLabel {
    pub fn paint(&self, painter: &Painter) {
        let font = FontId::proportional(self.size);
        painter.text(self.at, Align2::CENTER_CENTER, &self.text, font, self.color);
    }
}

/// The shapes and texts of a diagram.
pub(super) fn draw(
    ui: &Ui,
    textures: &mut Textures,
    layout: &BoardLayout,
    diagram: &Diagram,
) -> (Vec<Shape>, Vec<BoardLabel>) {
    let colors = BoardColors::of(layout.style);
    let mut shapes = ground(ui, textures, layout, colors);
    lines(&mut shapes, &layout.grid, diagram.size, colors);
    let mut labels = Vec::new();
    if layout.edges != CoordinateLabels::Off {
        edges(&mut labels, layout, diagram.size, colors);
    }
    if layout.forbidden {
        for &(point, _) in &diagram.forbidden {
            shapes.extend(cross(&layout.grid, point, colors.mark));
        }
    }
    for &point in &diagram.offered {
        let stroke = Stroke::new((layout.grid.cell * 0.08).max(1.5), colors.offer);
        let (at, radius) = (layout.grid.at(point), layout.grid.cell * 0.30);
        shapes.push(Shape::circle_filled(at, radius, colors.offer.gamma_multiply(0.25)));
        shapes.push(Shape::circle_stroke(at, radius, stroke));
    }
    let picture = picture(ui, textures, layout);
    for stone in &diagram.stones {
        draw_stone(&mut shapes, layout, &picture, stone.point, stone.color, Color32::WHITE);
        mark(&mut shapes, &mut labels, layout, diagram, stone);
    }
    (shapes, labels)
}

/// The textures of the stones and their side, or none for flat stones.
type StoneTextures = Option<([TextureId; 2], f32)>;

fn picture(ui: &Ui, textures: &mut Textures, layout: &BoardLayout) -> StoneTextures {
    if layout.style == BoardStyle::Paper {
        return None;
    }
    let pixels = layout.grid.stone_pixels();
    let stones = textures.stones(ui.ctx(), pixels);
    let side = stones.black.size()[0] as f32 / layout.grid.scale;
    Some(([stones.black.id(), stones.white.id()], side))
}

fn draw_stone(
    shapes: &mut Vec<Shape>,
    layout: &BoardLayout,
    picture: &StoneTextures,
    point: Point,
    color: Color,
    tint: Color32,
) {
    let grid = &layout.grid;
    if let Some((textures, side)) = picture {
        let texture = textures[usize::from(color == Color::White)];
        shapes.push(Shape::image(texture, stone_rect(grid, point, *side), WHOLE, tint));
        return;
    }
    let fade = f32::from(tint.a()) / 255.0;
    let (fill, rim) = match color {
        Color::Black => (Color32::from_gray(20), Color32::from_gray(20)),
        Color::White => (Color32::WHITE, Color32::from_gray(40)),
    };
    let (at, radius) = (grid.at(point), grid.radius());
    shapes.push(Shape::circle_filled(at, radius, fill.gamma_multiply(fade)));
    let stroke = Stroke::new((grid.cell * 0.04).max(1.0), rim.gamma_multiply(fade));
    shapes.push(Shape::circle_stroke(at, radius, stroke));
}

/// Fills the space around the board: no pixel under the board is painted.
pub(super) fn around(painter: &Painter, room: Rect, grid: &Grid, color: Color32) {
    // The corners of the board are round.
    let board = grid.rect.shrink(4.0);
    let bands = [
        room.with_max_y(board.top()),
        room.with_min_y(board.bottom()),
        Rect::from_x_y_ranges(room.left()..=board.left(), board.y_range()),
        Rect::from_x_y_ranges(board.right()..=room.right(), board.y_range()),
    ];
    for band in bands {
        painter.rect_filled(band, 0.0, color);
    }
}

fn ground(
    ui: &Ui,
    textures: &mut Textures,
    layout: &BoardLayout,
    colors: BoardColors,
) -> Vec<Shape> {
    let rect = layout.grid.rect;
    let mut shapes = Vec::new();
    // With software rendering every pixel costs, so nothing is painted under the board.
    for (grown, alpha) in [(5.0, 18), (3.0, 26), (1.0, 40)] {
        let shadow = rect.expand(grown).translate(vec2(0.0, 2.0));
        let ring = Stroke::new(grown + 4.0, Color32::from_black_alpha(alpha));
        shapes.push(Shape::rect_stroke(shadow, 4.0 + grown, ring, StrokeKind::Inside));
    }
    match textures.ground(ui.ctx(), layout.style, layout.picture.as_deref()) {
        Some(texture) => {
            // A picture may be transparent.
            if layout.style == BoardStyle::Picture {
                shapes.push(Shape::rect_filled(rect, 3.0, colors.ground));
            }
            let part = covering(texture.size_vec2(), rect.size());
            shapes.push(Shape::image(texture.id(), rect, part, Color32::WHITE));
            let rim = Stroke::new(1.0, Color32::from_black_alpha(70));
            shapes.push(Shape::rect_stroke(rect, 3.0, rim, StrokeKind::Inside));
        }
        None => shapes.push(Shape::rect_filled(rect, 3.0, colors.ground)),
    }
    shapes
}

/// The middle part of a picture with the aspect ratio of the board.
fn covering(picture: Vec2, room: Vec2) -> Rect {
    let scale = (room / picture).max_elem();
    Rect::from_center_size(pos2(0.5, 0.5), room / (picture * scale))
}

fn lines(shapes: &mut Vec<Shape>, grid: &Grid, size: Size, colors: BoardColors) {
    let pixel = 1.0 / grid.scale;
    let thin = Stroke::new((grid.cell * 0.025).max(pixel), colors.line);
    let thick = Stroke::new((grid.cell * 0.05).max(pixel), colors.line);
    let (right, top) = (size.width() - 1, size.height() - 1);
    for x in 0..=right {
        let stroke = if x == 0 || x == right { thick } else { thin };
        let ends = [grid.at(Point::new(x, 0)), grid.at(Point::new(x, top))];
        shapes.push(Shape::line_segment(ends, stroke));
    }
    for y in 0..=top {
        let stroke = if y == 0 || y == top { thick } else { thin };
        let ends = [grid.at(Point::new(0, y)), grid.at(Point::new(right, y))];
        shapes.push(Shape::line_segment(ends, stroke));
    }
    let dot = (grid.cell * 0.09).max(1.5);
    shapes.extend(
        star_points(size).into_iter().map(|at| Shape::circle_filled(grid.at(at), dot, colors.line)),
    );
}

/// Coordinates, clear of the stones.
fn edges(labels: &mut Vec<BoardLabel>, layout: &BoardLayout, size: Size, colors: BoardColors) {
    let grid = &layout.grid;
    let away = grid.cell * 0.80;
    let font = (grid.cell * 0.34).clamp(7.0, 18.0);
    let four = layout.edges == CoordinateLabels::Four;
    let mut label = |at: Pos2, text: String| {
        labels.push(BoardLabel { at, text, size: font, color: colors.label });
    };
    for x in 0..size.width() {
        let low = Point::new(x, 0);
        let text = translator::point(low);
        let letters = text.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        if four {
            let high = Point::new(x, size.height() - 1);
            label(grid.at(high) - vec2(0.0, away), letters.clone());
        }
        label(grid.at(low) + vec2(0.0, away), letters);
    }
    for y in 0..size.height() {
        label(grid.at(Point::new(0, y)) - vec2(away, 0.0), (y + 1).to_string());
        if four {
            let right = Point::new(size.width() - 1, y);
            label(grid.at(right) + vec2(away, 0.0), (y + 1).to_string());
        }
    }
}

fn mark(
    shapes: &mut Vec<Shape>,
    labels: &mut Vec<BoardLabel>,
    layout: &BoardLayout,
    diagram: &Diagram,
    stone: &Stone,
) {
    let colors = BoardColors::of(layout.style);
    let grid = &layout.grid;
    let (at, radius) = (grid.at(stone.point), grid.radius());
    // Stones that were set up have no ply.
    let is_last = stone.ply > 0 && diagram.stones.last() == Some(stone);
    let (numbers, last) = layout.numbers;
    let shows = stone.ply > 0 && numbers.shows(stone.ply, layout.drawn.shown, last);
    let numbered = shows && grid.cell >= 12.0;
    if diagram.row.contains(&stone.point) {
        let stroke = Stroke::new((grid.cell * 0.10).max(2.0), colors.win);
        shapes.push(Shape::circle_stroke(at, radius * 0.94, stroke));
    } else if is_last && numbered {
        let stroke = Stroke::new((grid.cell * 0.07).max(1.5), colors.mark);
        shapes.push(Shape::circle_stroke(at, radius * 0.92, stroke));
    }
    if numbered {
        let ink = match stone.color {
            Color::Black => Color32::from_gray(238),
            Color::White => Color32::from_gray(24),
        };
        let size = grid.cell * if stone.ply < 100 { 0.42 } else { 0.34 };
        labels.push(BoardLabel { at, text: stone.ply.to_string(), size, color: ink });
    } else if is_last {
        shapes.push(Shape::circle_filled(at, radius * 0.28, colors.mark));
    }
}

/// The mark of a forbidden point.
pub(super) fn cross(grid: &Grid, point: Point, color: Color32) -> [Shape; 2] {
    let (center, arm) = (grid.at(point), grid.cell * 0.17);
    let stroke = Stroke::new((grid.cell * 0.08).max(1.5), color);
    [vec2(arm, arm), vec2(arm, -arm)]
        .map(|arm| Shape::line_segment([center - arm, center + arm], stroke))
}

/// Shades the points outside the zone of the opening.
pub(super) fn zone(painter: &Painter, layout: &BoardLayout, question: &BoardQuestion) {
    let grid = &layout.grid;
    let size = question.position.size();
    let colors = BoardColors::of(layout.style);
    let square = |radius: u8| {
        let center = size.center();
        let (low_x, low_y) = (center.x().saturating_sub(radius), center.y().saturating_sub(radius));
        let high_x = (center.x() + radius).min(size.width() - 1);
        let high_y = (center.y() + radius).min(size.height() - 1);
        grid.span(Point::new(low_x, low_y), Point::new(high_x, high_y))
    };
    let (inner, veils) = match question.zone() {
        Some(Zone::Within(radius)) => {
            let far = Point::new(size.width() - 1, size.height() - 1);
            let (inner, outer) = (square(radius), grid.span(Point::new(0, 0), far));
            let strip = |min: Pos2, max: Pos2| Rect { min, max };
            let veils = vec![
                strip(outer.min, pos2(outer.max.x, inner.min.y)),
                strip(pos2(outer.min.x, inner.max.y), outer.max),
                strip(pos2(outer.min.x, inner.min.y), pos2(inner.min.x, inner.max.y)),
                strip(pos2(inner.max.x, inner.min.y), pos2(outer.max.x, inner.max.y)),
            ];
            (inner, veils)
        }
        Some(Zone::Beyond(radius)) => (square(radius), vec![square(radius)]),
        _ => return,
    };
    for veil in veils {
        painter.rect_filled(veil, 0.0, colors.veil);
    }
    let stroke = Stroke::new((grid.cell * 0.06).max(1.5), colors.offer);
    painter.rect_stroke(inner, 2.0, stroke, StrokeKind::Middle);
}

/// Selected or suggested stones.
pub(super) fn previews(
    ui: &Ui,
    painter: &Painter,
    textures: &mut Textures,
    layout: &BoardLayout,
    previews: &[PreviewStone],
) {
    if previews.is_empty() {
        return;
    }
    let colors = BoardColors::of(layout.style);
    let grid = &layout.grid;
    let picture = picture(ui, textures, layout);
    let mut shapes = Vec::new();
    for preview in previews {
        let tint = Color32::from_white_alpha(if preview.faint { 150 } else { 235 });
        draw_stone(&mut shapes, layout, &picture, preview.point, preview.color, tint);
        let stroke = Stroke::new((grid.cell * 0.08).max(1.5), colors.offer);
        shapes.push(Shape::circle_stroke(grid.at(preview.point), grid.radius() * 0.94, stroke));
    }
    painter.extend(shapes);
    for preview in previews {
        let color = match preview.color {
            Color::Black => Color32::from_gray(238),
            Color::White => Color32::from_gray(24),
        };
        let text = preview.label.clone();
        BoardLabel { at: grid.at(preview.point), text, size: grid.cell * 0.42, color }
            .paint(painter);
    }
}

/// A stone under the pointer.
pub(super) fn hovered(painter: &Painter, layout: &BoardLayout, point: Point, color: Color) {
    let grid = &layout.grid;
    let fill = match color {
        Color::Black => Color32::from_black_alpha(120),
        Color::White => Color32::from_white_alpha(170),
    };
    painter.circle_filled(grid.at(point), grid.radius(), fill);
}

/// The keyboard cursor: the corners of a square.
pub(super) fn cursor(painter: &Painter, layout: &BoardLayout, point: Point) {
    let grid = &layout.grid;
    let colors = BoardColors::of(layout.style);
    let stroke = Stroke::new((grid.cell * 0.09).max(2.0), colors.offer);
    let rect = Rect::from_center_size(grid.at(point), Vec2::splat(grid.cell * 0.92));
    let arm = grid.cell * 0.24;
    for (corner, x, y) in [
        (rect.left_top(), 1.0, 1.0),
        (rect.right_top(), -1.0, 1.0),
        (rect.left_bottom(), 1.0, -1.0),
        (rect.right_bottom(), -1.0, -1.0),
    ] {
        painter.line_segment([corner, corner + vec2(arm * x, 0.0)], stroke);
        painter.line_segment([corner, corner + vec2(0.0, arm * y)], stroke);
    }
}
