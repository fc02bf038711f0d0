//! The fonts of the window: egui's own, then one for Chinese and Japanese.

use std::sync::Arc;

use eframe::egui::{Context, FontData, FontDefinitions, FontFamily};

/// The common Chinese characters; see the folder for its licence.
const CHINESE: &[u8] = include_bytes!("../assets/font/NotoSansSC-subset.otf");

/// Installs the fonts, from the next pass on.
pub(crate) fn install(context: &Context) {
    context.set_fonts(definitions());
}

fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let name = "Noto Sans SC";
    fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(CHINESE)));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.entry(family).or_default().push(name.to_owned());
    }
    fonts
}

#[cfg(test)]
mod tests {
    use eframe::egui::{FontId, RawInput};
    use tengen_rules::canonical;

    use super::*;
    use crate::app::{Language, Text};

    #[test]
    fn every_text_and_every_name_of_an_opening_has_its_glyphs() {
        let context = Context::default();
        install(&context);
        let texts = Text::all().flat_map(|text| Language::ALL.map(|language| text.text(language)));
        let names = canonical::ALL.iter().flat_map(|opening| {
            [opening.english, opening.romaji, opening.japanese, opening.chinese]
        });
        let texts: Vec<&str> = texts.chain(names).collect();
        let missing = |font: FontId| -> String {
            let has = |letter: char| context.fonts_mut(|fonts| fonts.has_glyph(&font, letter));
            texts.iter().flat_map(|text| text.chars()).filter(|&letter| !has(letter)).collect()
        };
        let mut lacking = Vec::new();
        let mut output = context.run_ui(RawInput::default(), |_| {
            lacking = [FontId::proportional(14.0), FontId::monospace(14.0)].map(missing).to_vec();
        });
        output.textures_delta.clear();
        assert_eq!(lacking, ["", ""]);
    }
}
