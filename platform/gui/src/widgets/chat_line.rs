//! What was said at a table: marked text, links and pictures.

use std::sync::Arc;

use eframe::egui::cache::FramePublisher;
use eframe::egui::text_selection::LabelSelectionState;
use eframe::egui::{
    ColorImage, Image, Label, RichText, Role, Sense, Stroke, TextureHandle, TextureOptions, Ui,
    WidgetInfo, vec2,
};
use tengen_link::{MarkedText, marked_parts};

use super::Look;
use crate::app::{Command, NetworkCommand, Picture, Text};

/// How far apart the two strokes of bold text are: its font has one weight.
const BOLD: f32 = 0.6;

/// The textures of the pictures that were drawn in this frame or the last, by the pictures' ids.
type ChatTextures = FramePublisher<u64, TextureHandle>;

/// A line of chat, of which all text can be selected; a click on a link copies it.
pub(super) fn marked_text(ui: &mut Ui, look: Look<'_>, line: &str) {
    ui.spacing_mut().item_spacing.x = 0.0;
    for part in marked_parts(line) {
        marked_part(ui, look, part);
    }
}

fn marked_part(ui: &mut Ui, look: Look<'_>, part: MarkedText<'_>) {
    let Look { tr, palette, .. } = look;
    let color = if part.is_link { palette.accent } else { palette.text };
    let mut text = RichText::new(part.text).color(color);
    if part.is_italic {
        text = text.italics();
    }
    let mut label = Label::new(if part.is_link { text.underline() } else { text }).wrap();
    if part.is_link {
        label = label.sense(Sense::click());
    }
    let (place, galley, response) = label.layout_in_ui(ui);
    let role = if part.is_link { Role::Link } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, part.text));
    if ui.is_rect_visible(response.rect) {
        let shown = Arc::clone(&galley);
        LabelSelectionState::label_text_selection(ui, &response, place, shown, color, Stroke::NONE);
        if part.is_bold {
            ui.painter().galley(place + vec2(BOLD, 0.0), galley, color);
        }
    }
    if part.is_link && response.on_hover_text(tr.text(Text::DoCopy)).clicked() {
        look.send(Command::Network(NetworkCommand::CopyLink(part.text.to_owned())));
    }
}

/// A picture, as wide as there is room.
pub(super) fn picture(ui: &mut Ui, picture: &Picture, alt: &str) {
    let size = vec2(picture.width as f32, picture.height as f32);
    let size = size * (ui.max_rect().width() / size.x).min(1.0);
    let texture = texture(ui, picture);
    ui.add(Image::new(&texture).fit_to_exact_size(size).alt_text(alt));
}

fn texture(ui: &Ui, picture: &Picture) -> TextureHandle {
    let id = picture.id();
    let known = ui.memory_mut(|memory| memory.caches.cache::<ChatTextures>().get(&id).cloned());
    let texture = known.unwrap_or_else(|| {
        let image = ColorImage::from_rgb([picture.width, picture.height], &picture.rgb);
        ui.load_texture("chat", image, TextureOptions::LINEAR)
    });
    let kept = texture.clone();
    ui.memory_mut(|memory| memory.caches.cache::<ChatTextures>().set(id, kept));
    texture
}
