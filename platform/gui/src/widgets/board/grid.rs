//! Where the points of a board are on the screen.

use eframe::egui::emath::GuiRounding;
use eframe::egui::{Pos2, Rect, Vec2, pos2, vec2};
use tengen_rules::{Point, Size};

/// Where the points of a board are on the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Grid {
    /// The board with its edge.
    pub rect: Rect,
    /// The distance of two points.
    pub cell: f32,
    corner: Pos2,
    pub scale: f32,
}

impl Grid {
    /// The largest board that fits; coordinates need more edge.
    pub fn new(room: Rect, size: Size, coordinates: bool, scale: f32) -> Grid {
        let edge = if coordinates { 1.15 } else { 0.75 };
        let across = |points: u8| f32::from(points) - 1.0 + 2.0 * edge;
        let cells = vec2(across(size.width()), across(size.height()));
        // Whole pixels between lines keep all cells equal and all lines sharp.
        let free = (room.width() / cells.x).min(room.height() / cells.y);
        let cell = ((free * scale).floor() / scale).max(4.0 / scale);
        let rect = Rect::from_center_size(room.center(), cells * cell).round_to_pixels(scale);
        let corner = rect.left_bottom() + vec2(edge * cell, -edge * cell);
        Grid { rect, cell, corner: corner.round_to_pixel_center(scale), scale }
    }

    /// The place of a point, in the middle of a pixel.
    pub fn at(&self, point: Point) -> Pos2 {
        let (x, y) = (f32::from(point.x()), f32::from(point.y()));
        self.corner + vec2(x, -y) * self.cell
    }

    /// The cell of a point.
    pub fn around(&self, point: Point) -> Rect {
        let Pos2 { x, y } = self.at(point);
        Rect::from_center_size(pos2(x, y), Vec2::splat(self.cell))
    }

    /// The cells from one point to another.
    pub fn span(&self, from: Point, to: Point) -> Rect {
        self.around(from).union(self.around(to))
    }

    /// The diameter of a stone in pixels.
    pub fn stone_pixels(&self) -> usize {
        (self.cell * 0.94 * self.scale).round().max(4.0) as usize
    }

    /// The radius of a stone.
    pub fn radius(&self) -> f32 {
        self.stone_pixels() as f32 / self.scale / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_fits_its_room_and_lies_on_pixels() {
        for text in ["5", "15", "20x15", "5x32", "22", "32"] {
            let size: Size = text.parse().unwrap();
            for scale in [1.0, 1.25, 2.0] {
                let room = Rect::from_min_size(pos2(3.3, 7.7), vec2(640.0, 480.0));
                let grid = Grid::new(room, size, true, scale);
                assert!(room.expand(1.0).contains_rect(grid.rect), "{text} at {scale}");
                for point in size.points() {
                    let at = grid.at(point) * scale;
                    let middle = |part: f32| ((part - 0.5) - (part - 0.5).round()).abs() < 0.02;
                    assert!(middle(at.x) && middle(at.y), "{text} at {scale}: {point} {at:?}");
                    assert!(grid.rect.contains(grid.at(point)));
                }
            }
        }
    }
}
