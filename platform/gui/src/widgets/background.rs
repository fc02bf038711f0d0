//! A picture behind the window.

use eframe::egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, Ui, pos2, vec2};

use crate::app::Picture;

/// The texture of the picture, once there is one.
#[derive(Default)]
pub(crate) struct WindowPicture {
    texture: Option<(u64, TextureHandle)>,
}

impl WindowPicture {
    /// Paints a picture behind everything, as large as it must be to cover the window. Returns
    /// whether there is one.
    pub fn paint(&mut self, ui: &Ui, picture: Option<&Picture>) -> bool {
        let Some(picture) = picture else {
            self.texture = None;
            return false;
        };
        if self.texture.as_ref().is_none_or(|(known, _)| *known != picture.id()) {
            let image = ColorImage::from_rgb([picture.width, picture.height], &picture.rgb);
            let texture = ui.ctx().load_texture("background", image, TextureOptions::LINEAR);
            self.texture = Some((picture.id(), texture));
        }
        let (_, texture) = self.texture.as_ref().expect("it was just made");
        let window = ui.ctx().content_rect();
        let [wide, high] = texture.size().map(|side| side as f32);
        // The part of the picture that has the window's shape, from its middle.
        let scale = (wide / window.width()).min(high / window.height());
        let part = vec2(window.width() * scale / wide, window.height() * scale / high);
        let part = Rect::from_center_size(pos2(0.5, 0.5), part);
        ui.painter().image(texture.id(), window, part, Color32::WHITE);
        true
    }
}
