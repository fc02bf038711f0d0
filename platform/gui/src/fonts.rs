//! The fonts of the window: egui's own, then one for Chinese and Japanese, and on Windows one of
//! the system for what that lacks.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use eframe::egui::{Context, FontData, FontDefinitions, FontFamily};

/// The common Chinese characters; see the folder for its licence.
const CHINESE: &[u8] = include_bytes!("../assets/font/NotoSansSC-subset.otf");

/// Fonts of Windows with nearly every Chinese character, the best first: players have any name.
const OF_WINDOWS: [&str; 4] = ["msyh.ttc", "msyh.ttf", "simsun.ttc", "msjh.ttc"];

/// Installs the fonts, from the next pass on.
pub(crate) fn install(context: &Context) {
    let system = if cfg!(windows) { system_font(&windows_fonts()) } else { None };
    context.set_fonts(definitions(system));
}

fn definitions(system: Option<Vec<u8>>) -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let own = ("Noto Sans SC", FontData::from_static(CHINESE));
    let system = system.map(|bytes| ("system", FontData::from_owned(bytes)));
    for (name, data) in [own].into_iter().chain(system) {
        fonts.font_data.insert(name.to_owned(), Arc::new(data));
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            fonts.families.entry(family).or_default().push(name.to_owned());
        }
    }
    fonts
}

fn windows_fonts() -> PathBuf {
    let root = env::var_os("SystemRoot").map_or_else(|| r"C:\Windows".into(), PathBuf::from);
    root.join("Fonts")
}

/// The first of these fonts in that folder. What is no font would end the program.
fn system_font(folder: &Path) -> Option<Vec<u8>> {
    let is_font = |bytes: &Vec<u8>| {
        [&b"ttcf"[..], b"\0\x01\0\0", b"OTTO"].iter().any(|begin| bytes.starts_with(begin))
    };
    OF_WINDOWS.iter().filter_map(|name| fs::read(folder.join(name)).ok()).find(is_font)
}

#[cfg(test)]
mod tests {
    use eframe::egui::{FontId, RawInput};
    use tengen_rules::canonical;

    use super::*;
    use crate::app::{Language, Text};

    #[test]
    fn a_font_of_the_system_has_what_the_own_one_lacks() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(system_font(folder.path()), None);
        fs::write(folder.path().join("msyh.ttc"), "no font").unwrap();
        fs::write(folder.path().join("simsun.ttc"), CHINESE).unwrap();
        let found = system_font(folder.path());
        assert_eq!(found.as_deref(), Some(CHINESE));
        let fonts = definitions(found);
        assert_eq!(fonts.families[&FontFamily::Monospace].last().unwrap(), "system");
        assert_eq!(definitions(None).font_data.len() + 1, fonts.font_data.len());
    }

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
