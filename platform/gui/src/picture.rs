//! Renders boards and windows as images, with the shapes of the window.

use std::sync::Arc;

use eframe::egui::{ColorImage, Context, Pos2, RawInput, Rect, Ui, ViewportInfo, vec2};

use crate::app::{Diagram, Picture, Settings};
use crate::raster::Raster;
use crate::theme;
use crate::widgets::{Textures, static_board};
use crate::window::Window;

/// Pixels per cell.
const CELL: f32 = 56.0;
/// The space around the outer lines, in cells.
const EDGE: f32 = 2.4;
/// The number of passes after which nothing moves any more.
const PASSES: u32 = 30;

/// A board as a PNG file.
pub(crate) fn png(diagram: &Diagram, settings: &Settings, ground: Option<Arc<Picture>>) -> Vec<u8> {
    encode(&paint(diagram, settings, ground, CELL))
}

/// The image with so many pixels per cell.
fn paint(
    diagram: &Diagram,
    settings: &Settings,
    ground: Option<Arc<Picture>>,
    cell: f32,
) -> ColorImage {
    let cells = |points: u8| f32::from(points) - 1.0 + EDGE;
    let size = vec2(cells(diagram.size.width()), cells(diagram.size.height())) * cell;
    let screen = Rect::from_min_size(Pos2::ZERO, size);
    let context = Context::default();
    theme::apply(&context, settings.dark);
    let mut textures = Textures::default();
    // Fonts and textures exist from the second pass on.
    run_passes(&context, screen, 2, |ui| {
        static_board(ui, &mut textures, screen, diagram, settings, ground.clone());
    })
}

/// The window at rest on a screen of that size, rendered without a display.
pub fn paint_window(window: &mut Window, [width, height]: [u16; 2]) -> ColorImage {
    let screen = Rect::from_min_size(Pos2::ZERO, vec2(f32::from(width), f32::from(height)));
    run_passes(&Context::default(), screen, PASSES, |ui| window.frame(ui))
}

/// Runs so many passes, a tenth of a second apart, and renders the last.
fn run_passes(
    context: &Context,
    screen: Rect,
    passes: u32,
    mut draw: impl FnMut(&mut Ui),
) -> ColorImage {
    let mut raster = Raster::new([screen.width() as usize, screen.height() as usize], 1.0);
    let mut pass = |number: u32| {
        let time = Some(f64::from(number) / 10.0);
        let mut input = RawInput { screen_rect: Some(screen), time, ..RawInput::default() };
        let viewport =
            ViewportInfo { native_pixels_per_point: Some(1.0), ..ViewportInfo::default() };
        input.viewports.insert(input.viewport_id, viewport);
        let mut output = context.run_ui(input, &mut draw);
        raster.load(&output.textures_delta);
        output.textures_delta.clear();
        output
    };
    (1..passes).for_each(|number| drop(pass(number)));
    let output = pass(passes);
    raster.paint(&context.tessellate(output.shapes, output.pixels_per_point));
    raster.finish()
}

fn encode(image: &ColorImage) -> Vec<u8> {
    const WRITES: &str = "a vector takes every byte, and the picture has the size it says";
    let mut bytes = Vec::new();
    let [width, height] = image.size.map(|side| side as u32);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect(WRITES);
    let pixels: Vec<u8> =
        image.pixels.iter().flat_map(|pixel| pixel.to_srgba_unmultiplied()).collect();
    writer.write_image_data(&pixels).expect(WRITES);
    writer.finish().expect(WRITES);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{BoardStyle, Stone};
    use tengen_rules::{Color, Point};

    /// Pixels from one line to the next, here.
    const SMALL: f32 = 24.0;

    /// The colour there, so many cells right of a point.
    fn at(image: &ColorImage, diagram: &Diagram, point: &str, right: f32) -> [u8; 4] {
        let point: Point = point.parse().unwrap();
        let [width, height] = image.size;
        let from_center = |at: u8, points: u8| f32::from(at) - (f32::from(points) - 1.0) / 2.0;
        let x = from_center(point.x(), diagram.size.width()) + right;
        let y = -from_center(point.y(), diagram.size.height());
        let pixel = |side: usize, cells: f32| (side as f32 / 2.0 + cells * SMALL) as usize;
        image.pixels[pixel(height, y) * width + pixel(width, x)].to_array()
    }

    #[test]
    fn a_picture_has_the_stones_of_its_board() {
        let stone = |point: &str, color, ply| Stone { point: point.parse().unwrap(), color, ply };
        let stones = vec![stone("b2", Color::Black, 1), stone("d5", Color::White, 2)];
        let size = "7x5".parse().unwrap();
        let none = Vec::new();
        let (row, forbidden, offered) = (none.clone(), Vec::new(), none);
        let diagram = Diagram { size, stones, row, forbidden, offered };
        let numbers = crate::app::MoveNumbers::Off;
        for style in [BoardStyle::Kaya, BoardStyle::Slate, BoardStyle::Paper] {
            let settings = Settings { style, numbers, ..Settings::default() };
            let image = paint(&diagram, &settings, None, SMALL);
            let black = at(&image, &diagram, "b2", 0.0);
            assert!(black[..3].iter().all(|part| *part < 90) && black[3] == 255, "{black:?}");
            // The last stone has a mark in its middle; beside it the stone is white.
            let white = at(&image, &diagram, "d5", 0.2);
            assert!(white[..3].iter().all(|part| *part > 170), "{style:?} {white:?}");
        }
        let bytes = encode(&paint(&diagram, &Settings::default(), None, SMALL));
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let read = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((read.width, read.height), (201, 153));
        assert!(pixels[3] < 40, "what lies around the board is seen through");
    }
}
