//! The textures of boards and stones, computed per pixel for their size on the screen.

use eframe::egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions, Vec2};
use tengen_rules::{ByColor, Color};

use crate::app::{BoardStyle, Picture};

/// How much larger a texture is than its stone, for the shadow.
pub(crate) const PICTURE: f32 = 1.24;

/// The textures in use.
#[derive(Default)]
pub(crate) struct Textures {
    stones: Option<(usize, ByColor<TextureHandle>)>,
    ground: Option<((BoardStyle, Option<u64>), TextureHandle)>,
}

impl Textures {
    /// Stones of that diameter.
    pub fn stones(&mut self, context: &Context, pixels: usize) -> &ByColor<TextureHandle> {
        if self.stones.as_ref().is_none_or(|(known, _)| *known != pixels) {
            let load = |color: Color| {
                let image = stone(pixels, color);
                context.load_texture(format!("{color} stone"), image, TextureOptions::LINEAR)
            };
            let stones = ByColor { black: load(Color::Black), white: load(Color::White) };
            self.stones = Some((pixels, stones));
        }
        &self.stones.as_ref().expect("they were just made").1
    }

    /// The texture of a board; none is one colour. A picture that is not yet read is wood.
    pub fn ground(
        &mut self,
        context: &Context,
        style: BoardStyle,
        picture: Option<&Picture>,
    ) -> Option<&TextureHandle> {
        let picture = picture.filter(|_| style == BoardStyle::Picture);
        let key = (style, picture.map(Picture::id));
        if self.ground.as_ref().is_none_or(|(known, _)| *known != key) {
            let image = match (style, picture) {
                (BoardStyle::Paper, _) => return None,
                (BoardStyle::Slate, _) => surface(slate),
                (BoardStyle::Picture, Some(picture)) => {
                    ColorImage::from_rgb([picture.width, picture.height], &picture.rgb)
                }
                (BoardStyle::Kaya | BoardStyle::Picture, _) => surface(wood),
            };
            let texture = context.load_texture("board", image, TextureOptions::LINEAR);
            self.ground = Some((key, texture));
        }
        self.ground.as_ref().map(|(_, texture)| texture)
    }
}

/// A stone with its shadow, lit from the upper left.
fn stone(pixels: usize, color: Color) -> ColorImage {
    let radius = pixels as f32 / 2.0;
    let side = (pixels as f32 * PICTURE).ceil() as usize + 2;
    let center = side as f32 / 2.0;
    let pixel = |x: usize, y: usize| {
        let at = Vec2::new(x as f32 + 0.5 - center, y as f32 + 0.5 - center) / radius;
        let shadow = shade(at);
        let cover = ((1.0 - at.length()) * radius + 0.5).clamp(0.0, 1.0);
        let light = light(at, color);
        let alpha = cover + shadow * (1.0 - cover);
        let tone = |light: f32| (light * cover / alpha.max(1e-6)).clamp(0.0, 1.0);
        let byte = |value: f32| (value * 255.0).round() as u8;
        let [red, green, blue] = light.map(|light| byte(tone(light)));
        Color32::from_rgba_unmultiplied(red, green, blue, byte(alpha))
    };
    let pixels = (0..side * side).map(|index| pixel(index % side, index / side)).collect();
    ColorImage::new([side, side], pixels)
}

/// How dark the shadow of a stone is there.
fn shade(at: Vec2) -> f32 {
    let away = (at - Vec2::new(0.07, 0.10)).length();
    0.42 * (1.0 - ((away - 0.86) / 0.30).clamp(0.0, 1.0)).powi(2)
}

/// How bright a stone is there.
fn light(at: Vec2, color: Color) -> [f32; 3] {
    let spot = |x: f32, y: f32, width: f32| {
        let away = at - Vec2::new(x, y);
        (-away.length_sq() / width).exp()
    };
    let rim = at.length_sq().min(1.0);
    match color {
        Color::Black => {
            let tone =
                0.085 + 0.20 * spot(-0.34, -0.40, 0.20) + 0.07 * spot(-0.2, -0.2, 0.9) - 0.03 * rim;
            [tone, tone, tone * 1.06]
        }
        Color::White => {
            let tone = 0.90 + 0.09 * spot(-0.30, -0.36, 0.45)
                - 0.20 * rim.powi(3)
                - 0.05 * (at.x + at.y).max(0.0);
            [tone, tone * 0.995, tone * 0.975]
        }
    }
}

/// A square texture; boards of any size stretch it.
fn surface(paint: fn(f32, f32) -> [f32; 3]) -> ColorImage {
    const SIDE: usize = 320;
    let pixel = |index: usize| {
        let (x, y) = ((index % SIDE) as f32 / SIDE as f32, (index / SIDE) as f32 / SIDE as f32);
        let [red, green, blue] = paint(x, y).map(|tone| tone.clamp(0.0, 255.0) as u8);
        Color32::from_rgb(red, green, blue)
    };
    ColorImage::new([SIDE, SIDE], (0..SIDE * SIDE).map(pixel).collect())
}

/// Wood: straight grain that wavers a little.
fn wood(x: f32, y: f32) -> [f32; 3] {
    let waver = noise(x * 3.0, y * 1.2) * 0.5 + noise(x * 9.0, y * 2.0) * 0.12;
    let rings = ((x * 11.0 + waver * 2.2) * std::f32::consts::TAU).sin();
    let fibre = noise(x * 150.0, y * 5.0) - 0.5;
    let tone = 1.0 + 0.020 * rings + 0.045 * fibre + 0.03 * (noise(x * 2.0, y * 2.0) - 0.5);
    [224.0 * tone, 183.0 * tone, 116.0 * tone - 2.0 * rings]
}

/// Slate: fine grain with a few large clouds.
fn slate(x: f32, y: f32) -> [f32; 3] {
    let cloud = noise(x * 4.0, y * 4.0) - 0.5;
    let grain = noise(x * 120.0, y * 120.0) - 0.5;
    let tone = 1.0 + 0.07 * cloud + 0.06 * grain;
    [68.0 * tone, 82.0 * tone, 93.0 * tone]
}

/// Smooth noise from 0 to 1, the same each time.
fn noise(x: f32, y: f32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let ease = |part: f32| part * part * (3.0 - 2.0 * part);
    let (right_part, low_part) = (ease(x - left), ease(y - top));
    let corner = |dx: f32, dy: f32| scatter((left + dx) as i32, (top + dy) as i32);
    let across = |dy: f32| corner(0.0, dy) * (1.0 - right_part) + corner(1.0, dy) * right_part;
    across(0.0) * (1.0 - low_part) + across(1.0) * low_part
}

/// A number from 0 to 1 for a corner of the grid.
fn scatter(x: i32, y: i32) -> f32 {
    let mut mixed = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
    mixed = (mixed ^ (mixed >> 12)).wrapping_mul(0x297A_2D39);
    ((mixed ^ (mixed >> 15)) & 0xFFFF) as f32 / 65535.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stone_is_whole_in_the_middle_and_gone_in_the_corner() {
        for color in Color::ALL {
            let image = stone(30, color);
            let [width, height] = image.size;
            assert_eq!(image.pixels[height / 2 * width + width / 2].a(), 255);
            assert_eq!(image.pixels[0].a(), 0);
        }
    }
}
