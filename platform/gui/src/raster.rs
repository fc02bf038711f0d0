//! A software rasteriser for egui's output, for images that are saved.

use std::collections::HashMap;

use eframe::egui::epaint::{ClippedPrimitive, Primitive, Vertex};
use eframe::egui::{Color32, ColorImage, ImageData, Pos2, TextureId, TexturesDelta, pos2};

/// Textures, and an image that triangles are painted on. A copy can be painted on while this one
/// stays blank for the next frame.
#[derive(Clone, Debug)]
pub struct Raster {
    textures: HashMap<TextureId, ColorImage>,
    picture: ColorImage,
    /// Pixels per point.
    scale: f32,
}

impl Raster {
    /// A transparent image of that size.
    pub fn new(size: [usize; 2], scale: f32) -> Raster {
        let picture = ColorImage::filled(size, Color32::TRANSPARENT);
        Raster { textures: HashMap::new(), picture, scale }
    }

    /// Takes over new or changed textures.
    pub fn load(&mut self, delta: &TexturesDelta) {
        let changes =
            delta.set.iter().flat_map(|(id, changes)| changes.iter().map(move |c| (id, c)));
        for (id, change) in changes {
            let ImageData::Color(image) = &change.image;
            let Some([left, top]) = change.pos else {
                self.textures.insert(*id, (**image).clone());
                continue;
            };
            let Some(texture) = self.textures.get_mut(id) else { continue };
            let [width, height] = image.size;
            for y in 0..height {
                let to = (top + y) * texture.size[0] + left;
                texture.pixels[to..to + width]
                    .copy_from_slice(&image.pixels[y * width..(y + 1) * width]);
            }
        }
    }

    /// Paints tessellated shapes.
    pub fn paint(&mut self, primitives: &[ClippedPrimitive]) {
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let Some(texture) = self.textures.get(&mesh.texture_id) else { continue };
            let [width, height] = self.picture.size;
            let edge = |at: f32, most: usize| (at * self.scale).round().clamp(0.0, most as f32);
            let clip = [
                edge(clip_rect.left(), width) as usize,
                edge(clip_rect.top(), height) as usize,
                edge(clip_rect.right(), width) as usize,
                edge(clip_rect.bottom(), height) as usize,
            ];
            for corners in mesh.indices.chunks_exact(3) {
                let corners = [corners[0], corners[1], corners[2]].map(|index| {
                    let vertex = mesh.vertices[index as usize];
                    Vertex { pos: (vertex.pos.to_vec2() * self.scale).to_pos2(), ..vertex }
                });
                triangle(&mut self.picture, texture, clip, corners);
            }
        }
    }

    pub fn finish(self) -> ColorImage {
        self.picture
    }
}

/// Twice the signed area to the left of an edge; the sign says on which side a point is.
fn side(from: Pos2, to: Pos2, at: Pos2) -> f32 {
    (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x)
}

/// Paints the pixels whose centres are in a triangle. Pixels on a common edge belong to one of the
/// two.
fn triangle(
    picture: &mut ColorImage,
    texture: &ColorImage,
    [left, top, right, bottom]: [usize; 4],
    [a, mut b, mut c]: [Vertex; 3],
) {
    let mut area = side(a.pos, b.pos, c.pos);
    if area < 0.0 {
        (b, c, area) = (c, b, -area);
    }
    if area <= 0.0 {
        return;
    }
    let least = |of: fn(&Vertex) -> f32| of(&a).min(of(&b)).min(of(&c)).floor().max(0.0) as usize;
    let most = |of: fn(&Vertex) -> f32| of(&a).max(of(&b)).max(of(&c)).ceil().max(0.0) as usize;
    let x = |v: &Vertex| v.pos.x;
    let y = |v: &Vertex| v.pos.y;
    let edges = [(b.pos, c.pos), (c.pos, a.pos), (a.pos, b.pos)];
    let owns = edges.map(|(from, to)| to.y < from.y || (to.y == from.y && to.x > from.x));
    let covers = |weight: f32, owns: bool| weight > 0.0 || (weight == 0.0 && owns);
    let [(b_at, c_at), (_, a_at), _] = edges;
    // The fast path for triangles of one colour.
    let is_flat = [b, c].iter().all(|other| (other.uv, other.color) == (a.uv, a.color));
    let flat = is_flat.then(|| shade(texture, &[a, b, c], [1.0, 0.0, 0.0]));
    for row in least(y).max(top)..most(y).min(bottom) {
        for column in least(x).max(left)..most(x).min(right) {
            let at = pos2(column as f32 + 0.5, row as f32 + 0.5);
            let first = side(b_at, c_at, at);
            let second = side(c_at, a_at, at);
            let third = side(a_at, b_at, at);
            if covers(first, owns[0]) && covers(second, owns[1]) && covers(third, owns[2]) {
                let parts = [first / area, second / area, third / area];
                let over = flat.unwrap_or_else(|| shade(texture, &[a, b, c], parts));
                let pixel = &mut picture.pixels[row * picture.size[0] + column];
                *pixel = blend(*pixel, over);
            }
        }
    }
}

/// The colour inside a triangle, by barycentric weights.
fn shade(texture: &ColorImage, corners: &[Vertex; 3], parts: [f32; 3]) -> [f32; 4] {
    let (mut u, mut v, mut color) = (0.0, 0.0, [0.0; 4]);
    for (corner, part) in corners.iter().zip(parts) {
        u += corner.uv.x * part;
        v += corner.uv.y * part;
        for (sum, channel) in color.iter_mut().zip(corner.color.to_array()) {
            *sum += f32::from(channel) * part;
        }
    }
    let texel = sample(texture, u, v);
    std::array::from_fn(|part| texel[part] * color[part] / 255.0)
}

/// A texture, interpolated between its four nearest texels.
fn sample(texture: &ColorImage, u: f32, v: f32) -> [f32; 4] {
    let [width, height] = texture.size;
    let (x, y) = (u * width as f32 - 0.5, v * height as f32 - 0.5);
    let (part_x, part_y) = (x - x.floor(), y - y.floor());
    let texel = |dx: f32, dy: f32| {
        let column = (x.floor() + dx).clamp(0.0, width as f32 - 1.0) as usize;
        let row = (y.floor() + dy).clamp(0.0, height as f32 - 1.0) as usize;
        texture.pixels[row * width + column].to_array().map(f32::from)
    };
    let corners = [texel(0.0, 0.0), texel(1.0, 0.0), texel(0.0, 1.0), texel(1.0, 1.0)];
    std::array::from_fn(|part| {
        let [near, right, below, far] = corners.map(|corner| corner[part]);
        let upper = near + (right - near) * part_x;
        let lower = below + (far - below) * part_x;
        upper + (lower - upper) * part_y
    })
}

/// Blends a premultiplied colour over another.
fn blend(under: Color32, over: [f32; 4]) -> Color32 {
    let [red, green, blue, alpha] = over;
    let seen = 1.0 - alpha / 255.0;
    let mix = |over: f32, under: u8| (over + f32::from(under) * seen).round().min(255.0) as u8;
    Color32::from_rgba_premultiplied(
        mix(red, under.r()),
        mix(green, under.g()),
        mix(blue, under.b()),
        mix(alpha, under.a()),
    )
}
