//! The format of autosave files.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tengen_record::formats::sgf;
use tengen_rules::{Color, Point};

use super::AutosaveContent;
use crate::app::model::{GameData, PositionEditor};
use crate::app::storage::files::paste;

/// An autosave file. Games are stored as in files of their own.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum AutosaveFile {
    Study {
        path: Option<PathBuf>,
        changed: bool,
        #[serde(default)]
        trail: Vec<usize>,
        sgf: String,
    },
    Games {
        text: String,
    },
    #[serde(rename_all = "kebab-case")]
    Position {
        rule: String,
        size: String,
        black: Vec<String>,
        white: Vec<String>,
        white_to_move: bool,
        changed: bool,
    },
}

/// The text of an autosave file.
pub(super) fn write(work: &AutosaveContent) -> String {
    let text = match work {
        AutosaveContent::Analysis { sheet, path, changed, trail } => {
            // A path that is not text is dropped: the analysis then has no file.
            let path = path.clone().filter(|path| path.to_str().is_some());
            let trail = trail.clone();
            AutosaveFile::Study { path, changed: *changed, trail, sgf: sgf::write(sheet) }
        }
        AutosaveContent::Games(games) => {
            AutosaveFile::Games { text: games.iter().map(game).collect() }
        }
        AutosaveContent::Editor(editor) => position(editor),
    };
    toml::to_string_pretty(&text).expect("contents are plain tables")
}

fn game(game: &GameData) -> String {
    match game {
        GameData::Record(record) => record.to_json_line() + "\n",
        GameData::Sheet(sheet) => sgf::write(sheet),
    }
}

fn position(editor: &PositionEditor) -> AutosaveFile {
    let stones = |color| {
        let of = editor.stones().filter(move |(_, other)| *other == color);
        of.map(|(point, _)| point.to_string()).collect()
    };
    AutosaveFile::Position {
        rule: editor.rule().to_string(),
        size: editor.size().to_string(),
        black: stones(Color::Black),
        white: stones(Color::White),
        white_to_move: editor.to_move() == Color::White,
        changed: editor.saved.is_unsaved(),
    }
}

/// Reads an autosave file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse(text: &str) -> Result<AutosaveContent, String> {
    match toml::from_str(text).map_err(|error| error.message().to_owned())? {
        AutosaveFile::Study { path, changed, trail, sgf } => {
            let sheet = sgf::read(&sgf).next().ok_or("there is no game in it")?;
            let sheet = Arc::new(sheet.map_err(|error| error.to_string())?);
            Ok(AutosaveContent::Analysis { sheet, path, changed, trail })
        }
        AutosaveFile::Games { text } => {
            let games = paste(&text, "").map_err(|problem| format!("{problem:?}"))?;
            let game = |index| games.game(index).and_then(Result::ok);
            Ok(AutosaveContent::Games((0..games.len()).filter_map(game).collect()))
        }
        AutosaveFile::Position { rule, size, black, white, white_to_move, changed } => {
            let rule = rule.parse().map_err(|error| format!("{error}"))?;
            let size = size.parse().map_err(|error| format!("{error}"))?;
            let mut stones = Vec::new();
            for (color, points) in [(Color::Black, black), (Color::White, white)] {
                for point in points {
                    let point: Point = point.parse().map_err(|error| format!("{error}"))?;
                    stones.push((point, color));
                }
            }
            let to_move = if white_to_move { Color::White } else { Color::Black };
            let mut editor = PositionEditor::of_stones(rule, size, stones, to_move);
            if changed {
                editor.saved.mark_unsaved(None);
            }
            Ok(AutosaveContent::Editor(editor))
        }
    }
}

#[cfg(test)]
mod tests {
    use tengen_rules::Rule;

    use super::*;

    fn sheet(text: &str) -> Arc<tengen_record::formats::ScoreSheet> {
        Arc::new(sgf::read(text).next().unwrap().unwrap())
    }

    #[test]
    fn what_is_kept_reads_back() {
        let odd =
            "(;GM[4]SZ[15]AB[hh]AW[ih]C['''\\] \"\"\" \\\\ 五子\n\n x\u{1}](;B[gg])(;B[gi]C[ ]))";
        let path = Some(PathBuf::from("a [folder]/it's \"mine\".sgf"));
        let analysis =
            AutosaveContent::Analysis { sheet: sheet(odd), path, changed: true, trail: vec![1] };
        let many = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[20];B[hh];W[aa])";
        let games = sgf::read(many).map(|sheet| GameData::Sheet(Arc::new(sheet.unwrap())));
        let stones = [("h8", Color::Black), ("o15", Color::Black), ("a1", Color::White)];
        let stones = stones.map(|(point, color)| (point.parse().unwrap(), color));
        let size = "20x15".parse().unwrap();
        let editor = PositionEditor::of_stones(Rule::Caro, size, stones, Color::White);
        for work in
            [analysis, AutosaveContent::Games(games.collect()), AutosaveContent::Editor(editor)]
        {
            let text = write(&work);
            assert_eq!(parse(&text).as_ref(), Ok(&work), "{text}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for text in [
            "",
            "[study]",
            "[study]\nchanged = true\nsgf = ''",
            "[study]\nchanged = true\nsgf = '(;GM[1])'",
            "[games]\ntext = 'what'",
            "[position]\nrule = 'go'\nsize = '15'\nblack = []\nwhite = []\nwhite-to-move = true",
            "[other]",
            "\0",
        ] {
            assert!(parse(text).is_err_and(|reason| !reason.is_empty()), "{text}");
        }
    }
}
