//! The colours and sizes of the window.

use eframe::egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Theme, Visuals, vec2,
};

use crate::app::BoardStyle;

/// The colours of a theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Palette {
    /// Behind lists and tables.
    pub ground: Color32,
    /// Around boards.
    pub surround: Color32,
    /// Behind panels.
    pub panel: Color32,
    /// Behind dialogs.
    pub dialog: Color32,
    /// Behind cards.
    pub card: Color32,
    /// Around cards.
    pub edge: Color32,
    pub text: Color32,
    /// Weak text.
    pub weak: Color32,
    /// Selections and important buttons.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// Errors and short time.
    pub danger: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const DARK: Palette = Palette {
    ground: rgb(0x17_1a_1f),
    surround: rgb(0x17_1a_1f),
    panel: rgb(0x1f_23_29),
    dialog: rgb(0x1f_23_29),
    card: rgb(0x29_2e_36),
    edge: rgb(0x3a_41_4c),
    text: rgb(0xe4_e7_eb),
    weak: rgb(0x97_a1_ad),
    accent: rgb(0x4c_95_d9),
    on_accent: rgb(0xff_ff_ff),
    danger: rgb(0xee_6a_57),
};

const LIGHT: Palette = Palette {
    ground: rgb(0xe9_e6_df),
    surround: rgb(0xe9_e6_df),
    panel: rgb(0xf5_f3_ee),
    dialog: rgb(0xf5_f3_ee),
    card: rgb(0xff_ff_ff),
    edge: rgb(0xd6_d1_c6),
    text: rgb(0x23_27_2d),
    weak: rgb(0x67_6e_78),
    accent: rgb(0x2a_6f_b5),
    on_accent: rgb(0xff_ff_ff),
    danger: rgb(0xc4_3d_2b),
};

impl Palette {
    /// The palette of the dark or light theme.
    pub fn of(dark: bool) -> Palette {
        if dark { DARK } else { LIGHT }
    }

    /// The palette over a picture behind the window. It is seen around boards, and behind text as
    /// far as that can be read over it.
    pub fn over_picture(self) -> Palette {
        Palette {
            ground: self.ground.gamma_multiply(0.8),
            surround: self.surround.gamma_multiply(0.3),
            panel: self.panel.gamma_multiply(0.88),
            weak: self.weak.lerp_to_gamma(self.text, 0.6),
            ..self
        }
    }
}

/// The colours of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardColors {
    /// The board itself.
    pub ground: Color32,
    pub line: Color32,
    /// The labels of its edges.
    pub label: Color32,
    /// The last move, forbidden points.
    pub mark: Color32,
    /// The winning row.
    pub win: Color32,
    /// Offers, hints, and the cursor.
    pub offer: Color32,
    /// Over points that are not allowed.
    pub veil: Color32,
}

impl BoardColors {
    /// The colours of a style.
    pub fn of(style: BoardStyle) -> BoardColors {
        let (mark, win, offer) = (rgb(0xd0_34_2c), rgb(0x1f_a0_4b), rgb(0x1f_62_c8));
        let veil = Color32::from_black_alpha(56);
        match style {
            BoardStyle::Kaya | BoardStyle::Picture => BoardColors {
                ground: rgb(0xdf_b5_70),
                line: rgb(0x5a_42_22),
                label: rgb(0x5f_46_25),
                mark,
                win,
                offer,
                veil,
            },
            BoardStyle::Slate => BoardColors {
                ground: rgb(0x46_55_61),
                line: rgb(0x8b_9c_a8),
                label: rgb(0xb4_c1_ca),
                mark: rgb(0xff_7a_66),
                win: rgb(0x54_d6_7f),
                offer: rgb(0x6f_b8_ff),
                veil: Color32::from_black_alpha(70),
            },
            BoardStyle::Paper => BoardColors {
                ground: rgb(0xfc_fb_f8),
                line: rgb(0x55_55_55),
                label: rgb(0x66_66_66),
                mark,
                win,
                offer,
                veil: Color32::from_black_alpha(26),
            },
        }
    }
}

/// The colour of a player.
pub(crate) fn accent(player: usize, dark: bool) -> Color32 {
    const ON_DARK: [Color32; 4] =
        [rgb(0x6f_b0_ea), rgb(0xe8_a0_5c), rgb(0x73_c6_88), rgb(0xc0_93_df)];
    const ON_LIGHT: [Color32; 4] =
        [rgb(0x2a_6f_b5), rgb(0xb4_5d_14), rgb(0x2b_7d_42), rgb(0x80_45_a5)];
    let accents = if dark { ON_DARK } else { ON_LIGHT };
    accents[player % accents.len()]
}

/// Sets the colours and sizes of a context.
pub(crate) fn apply(context: &Context, dark: bool) {
    let palette = Palette::of(dark);
    let theme = if dark { Theme::Dark } else { Theme::Light };
    context.set_theme(theme);
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.edge);
    visuals.window_corner_radius = CornerRadius::same(12);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.faint_bg_color = palette.card;
    visuals.extreme_bg_color = if dark { palette.ground } else { palette.card };
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(palette.weak);
    visuals.selection.bg_fill = palette.accent;
    visuals.selection.stroke = Stroke::new(1.0, palette.on_accent);
    let radius = CornerRadius::same(6);
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.edge);
    widgets.noninteractive.fg_stroke = Stroke::new(1.0, palette.text);
    widgets.noninteractive.corner_radius = radius;
    let states =
        [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open];
    for state in states {
        state.corner_radius = radius;
        state.fg_stroke = Stroke::new(1.0, palette.text);
        state.bg_fill = palette.card;
        state.weak_bg_fill = palette.card;
        state.bg_stroke = Stroke::new(1.0, palette.edge);
        state.expansion = 0.0;
    }
    for state in [&mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        state.bg_stroke = Stroke::new(1.0, palette.accent);
    }
    widgets.active.weak_bg_fill = palette.edge;
    context.set_visuals_of(theme, visuals);
    context.style_mut_of(theme, |style| {
        style.spacing.item_spacing = vec2(8.0, 6.0);
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.interact_size.y = 26.0;
        style.interaction.selectable_labels = false;
        for (text, size) in [
            (TextStyle::Body, 14.0),
            (TextStyle::Button, 14.0),
            (TextStyle::Small, 12.0),
            (TextStyle::Heading, 20.0),
        ] {
            style.text_styles.insert(text, FontId::new(size, FontFamily::Proportional));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour (WCAG 2.2).
    fn luminance(color: Color32) -> f32 {
        let [red, green, blue, _] = color.to_array().map(|byte| {
            let part = f32::from(byte) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: Color32, other: Color32) -> f32 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn text_can_be_read_over_any_picture() {
        for palette in [DARK, LIGHT].map(Palette::over_picture) {
            for picture in [Color32::BLACK, Color32::WHITE] {
                for behind in [palette.ground, palette.panel].map(|veil| picture.blend(veil)) {
                    for text in [palette.text, palette.weak] {
                        let contrast = contrast(text, behind);
                        assert!(contrast >= 4.5, "{text:?} on {behind:?}: {contrast}");
                    }
                }
            }
        }
    }
}
