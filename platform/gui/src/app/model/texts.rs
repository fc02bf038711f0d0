//! Every text of the window, in every language.
//!
//! A text is added by one row of a file of `texts/`, by subject:
//!
//! ```text
//! Resign: ["Resign", "认输"];
//! ```
//!
//! It is then `Text::Resign`, and [`Translator`](super::Translator) translates it. `{0}` and
//! `{1}` stand for what is put in. A row that lacks a language does not compile; tests see that
//! the places agree and that the fonts shipped have every glyph. A new file of rows is named in
//! [`Text::all`].

use serde::{Deserialize, Serialize};

/// A language of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    /// Chinese, in simplified characters.
    #[serde(rename = "zh")]
    Chinese,
}

impl Language {
    /// Every language, in the order of the columns.
    pub const ALL: [Language; 2] = [Language::English, Language::Chinese];

    /// Its tag in settings and locales: `en`, `zh`.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }

    /// The language of a locale such as `zh_CN.UTF-8`; English for those that are not known.
    pub fn of_locale(locale: &str) -> Language {
        let known = |language: &Language| locale.to_ascii_lowercase().starts_with(language.tag());
        Language::ALL.into_iter().find(known).unwrap_or_default()
    }
}

/// A text of the window, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Text {
    name: &'static str,
    columns: [&'static str; Language::ALL.len()],
}

macro_rules! texts {
    ($($name:ident: $columns:expr;)*) => {
        #[allow(non_upper_case_globals, reason = "a text is named as the catalogue names it")]
        impl crate::app::model::Text {
            $(
                #[doc = stringify!($columns)]
                pub const $name: Self = Self::new(stringify!($name), $columns);
            )*
        }

        /// Every text of this file.
        pub(super) const ALL: &[crate::app::model::Text] =
            &[$(crate::app::model::Text::$name,)*];
    };
}

mod actions;
mod analysis;
mod editor;
mod endings;
mod engines;
mod event_form;
mod events;
mod files;
mod game;
mod game_form;
mod openings;
mod settings;
mod tables;

impl Text {
    pub fn all() -> impl Iterator<Item = Text> {
        let files = [
            actions::ALL,
            game_form::ALL,
            settings::ALL,
            editor::ALL,
            endings::ALL,
            engines::ALL,
            event_form::ALL,
            events::ALL,
            files::ALL,
            game::ALL,
            analysis::ALL,
            openings::ALL,
            tables::ALL,
        ];
        files.into_iter().flatten().copied()
    }

    const fn new(name: &'static str, columns: [&'static str; Language::ALL.len()]) -> Text {
        Text { name, columns }
    }

    /// What it is called in the source.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The text in that language, its places still open.
    pub const fn text(self, language: Language) -> &'static str {
        self.columns[language as usize]
    }
}

/// The text with its places filled; `{0:s}` is the ending of a plural unless `{0}` is 1.
pub fn fill(text: &str, values: &[&str]) -> String {
    let mut filled = text.to_owned();
    for (place, value) in values.iter().enumerate() {
        let ending = if *value == "1" { "" } else { "s" };
        filled = filled.replace(&format!("{{{place}:s}}"), ending);
        filled = filled.replace(&format!("{{{place}}}"), value);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places that are open in a text.
    fn places(text: &str) -> Vec<usize> {
        (0..9).filter(|place| text.contains(&format!("{{{place}}}"))).collect()
    }

    #[test]
    fn every_text_is_there_in_every_language_with_the_same_places() {
        for text in Text::all() {
            let english = text.text(Language::English);
            for language in Language::ALL {
                let translated = text.text(language);
                assert!(!translated.trim().is_empty(), "{text:?} in {language:?}");
                assert_eq!(places(translated), places(english), "{text:?} in {language:?}");
            }
        }
    }

    #[test]
    fn places_are_filled() {
        assert_eq!(fill("{0} and {1}, {0}", &["a", "b"]), "a and b, a");
        assert_eq!(fill("{0} of {1} game{1:s}", &["1", "2"]), "1 of 2 games");
        assert_eq!(fill("{0} game{0:s}", &["1"]), "1 game");
    }

    #[test]
    fn a_locale_names_its_language() {
        assert_eq!(Language::of_locale("zh_CN.UTF-8"), Language::Chinese);
        assert_eq!(Language::of_locale("en_GB"), Language::English);
        assert_eq!(Language::of_locale("C"), Language::English);
    }
}
