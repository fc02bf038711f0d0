//! What is written and drawn on the screen, for what has no widget of its own.

use eframe::egui::{Pos2, Rect, Shape};
use eframe::epaint::{ClippedShape, TextShape};

use crate::windows::Shown;

fn each(shape: &Shape, found: &mut impl FnMut(&Shape)) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| each(shape, found)),
        shape => found(shape),
    }
}

/// Every text of the last frame, and the part of the screen it is shown in.
pub fn game_data(window: &Shown) -> Vec<(TextShape, Rect)> {
    let mut game_data = Vec::new();
    for ClippedShape { clip_rect, shape, .. } in &window.output().shapes {
        each(shape, &mut |shape| {
            if let Shape::Text(text) = shape {
                game_data.push((text.clone(), *clip_rect));
            }
        });
    }
    game_data
}

/// Every text of the last frame.
pub fn texts(window: &Shown) -> Vec<String> {
    game_data(window).iter().map(|(text, _)| text.galley.text().to_owned()).collect()
}

/// The texts whose middle lies in there.
pub fn texts_within(window: &Shown, room: Rect) -> Vec<String> {
    let mut game_data = game_data(window);
    game_data.retain(|(text, _)| room.contains(text.visual_bounding_rect().center()));
    game_data.iter().map(|(text, _)| text.galley.text().to_owned()).collect()
}

/// How many rings of that radius and more, without a filling, lie around a place.
pub fn rings(window: &Shown, center: Pos2, least: f32) -> usize {
    let mut rings = 0;
    for ClippedShape { shape, .. } in &window.output().shapes {
        each(shape, &mut |shape| {
            if let Shape::Circle(circle) = shape {
                let is_there = circle.center.distance(center) < 1.5 && circle.radius >= least;
                rings += usize::from(is_there && circle.fill.a() == 0);
            }
        });
    }
    rings
}
