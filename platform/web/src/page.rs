//! The files of the page, which are part of the program.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The document, with places for what differs between a report and a live page.
const DOCUMENT: &str = include_str!("../page/index.html");
const STYLES: &[(&str, &str)] = &[
    ("base.css", include_str!("../page/base.css")),
    ("event.css", include_str!("../page/event.css")),
    ("game.css", include_str!("../page/game.css")),
    ("play.css", include_str!("../page/play.css")),
    ("small.css", include_str!("../page/small.css")),
];

/// The modules of the page, each after those that it imports from.
const MODULES: &[(&str, &str)] = &[
    ("play_texts.js", include_str!("../page/play_texts.js")),
    ("texts.js", include_str!("../page/texts.js")),
    ("dom.js", include_str!("../page/dom.js")),
    ("words.js", include_str!("../page/words.js")),
    ("clock.js", include_str!("../page/clock.js")),
    ("page_look.js", include_str!("../page/page_look.js")),
    ("keys_help.js", include_str!("../page/keys_help.js")),
    ("game_filter.js", include_str!("../page/game_filter.js")),
    ("source.js", include_str!("../page/source.js")),
    ("board.js", include_str!("../page/board.js")),
    ("board_input.js", include_str!("../page/board_input.js")),
    ("charts.js", include_str!("../page/charts.js")),
    ("tables.js", include_str!("../page/tables.js")),
    ("games.js", include_str!("../page/games.js")),
    ("position.js", include_str!("../page/position.js")),
    ("seat_bar.js", include_str!("../page/seat_bar.js")),
    ("copy_link.js", include_str!("../page/copy_link.js")),
    ("game_head.js", include_str!("../page/game_head.js")),
    ("move_list.js", include_str!("../page/move_list.js")),
    ("timeline.js", include_str!("../page/timeline.js")),
    ("game.js", include_str!("../page/game.js")),
    ("play_link.js", include_str!("../page/play_link.js")),
    ("table_event.js", include_str!("../page/table_event.js")),
    ("seat_tags.js", include_str!("../page/seat_tags.js")),
    ("asking.js", include_str!("../page/asking.js")),
    ("chosen_points.js", include_str!("../page/chosen_points.js")),
    ("chat_marks.js", include_str!("../page/chat_marks.js")),
    ("chat_picture.js", include_str!("../page/chat_picture.js")),
    ("chat.js", include_str!("../page/chat.js")),
    ("lobby.js", include_str!("../page/lobby.js")),
    ("table_head.js", include_str!("../page/table_head.js")),
    ("requests.js", include_str!("../page/requests.js")),
    ("former_game.js", include_str!("../page/former_game.js")),
    ("table.js", include_str!("../page/table.js")),
    ("play.js", include_str!("../page/play.js")),
    ("next_game.js", include_str!("../page/next_game.js")),
    ("live.js", include_str!("../page/live.js")),
    ("overview.js", include_str!("../page/overview.js")),
    ("events.js", include_str!("../page/events.js")),
    ("main.js", include_str!("../page/main.js")),
];

/// The document's parts around the data of a report.
pub(crate) struct ReportFrame {
    /// Up to where the data stands.
    pub before: String,
    /// What comes after it.
    pub after: String,
}

/// The modules as one: what they import from each other is there, since no two give the same name
/// to anything at their top level.
pub(crate) fn script() -> String {
    let mut script = String::new();
    for (_, module) in MODULES {
        let mut is_importing = false;
        for line in module.lines() {
            is_importing |= line.starts_with("import ");
            if is_importing {
                is_importing = !line.ends_with(';');
                continue;
            }
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

pub(crate) fn style() -> String {
    // A browser hashes the style with these line ends, whatever a checkout has.
    STYLES.iter().flat_map(|(_, style)| style.lines()).flat_map(|line| [line, "\n"]).collect()
}

/// The document of a report, with the tables for a browser without scripts. Nothing runs in it but
/// the script of that hash, and nothing leaves it.
pub(crate) fn report_frame(title: &str, tables: &str) -> ReportFrame {
    let (script, style) = (script(), style());
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <style>{style}</style>"
    );
    let document = document(title, &head, tables);
    let (before, after) = document.split_once("<!--data-->").expect("the document has the place");
    ReportFrame {
        before: before.to_owned(),
        after: format!("<script type=\"module\">{script}</script>{after}"),
    }
}

/// The document that a server hands out.
#[cfg(feature = "server")]
pub(crate) fn live_document() -> String {
    let head = "<link rel=\"stylesheet\" href=\"page/style.css\">";
    let script = "<script type=\"module\" src=\"page/script.js\"></script>";
    document("Tengen", head, "").replace("<!--data-->", script)
}

fn document(title: &str, head: &str, tables: &str) -> String {
    let document = DOCUMENT.replacen("<!--tables-->", tables, 1).replacen("<!--head-->", head, 1);
    document.replacen("{title}", &crate::text::html(title), 1)
}

/// A hash as a policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Each name of a module's top level.
    fn names(module: &str) -> Vec<&str> {
        let kinds = ["async function ", "function ", "const ", "let ", "class "];
        module
            .lines()
            .filter_map(|line| {
                let line = line.strip_prefix("export ").unwrap_or(line);
                let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
                rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next()
            })
            .collect()
    }

    #[test]
    fn modules_can_be_one() {
        let mut declared = BTreeMap::new();
        for (file, module) in MODULES {
            for name in names(module) {
                let before = declared.insert(name, *file);
                assert_eq!(before, None, "{name} of {file}");
            }
        }
        assert!(declared.len() > 50, "{declared:?}");
    }

    #[test]
    fn modules_come_after_what_they_import() {
        let mut there: Vec<&str> = Vec::new();
        for (file, module) in MODULES {
            // A type that a comment imports is not in the script.
            let is_import = |line: &&str| line.contains(" from \"") && !line.starts_with("/**");
            for line in module.lines().filter(is_import) {
                let from = line.split("from \"./").nth(1).and_then(|rest| rest.split('"').next());
                let from = from.unwrap_or_else(|| panic!("{file}: {line}"));
                assert!(there.contains(&from), "{file} imports {from} before it is there");
                assert!(!line.contains(" as "), "{file}: a renamed import cannot be left out");
            }
            there.push(file);
        }
    }

    #[test]
    fn no_script_ends_its_element_or_names_another_host() {
        let script = script();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!style().contains("</style"));
        for (file, text) in MODULES.iter().chain(STYLES).chain(&[("index", DOCUMENT)]) {
            for line in text.lines().filter(|line| line.contains("://")) {
                assert!(line.contains("http://www.w3.org/"), "{file}: {line}");
            }
        }
        assert!(!script.lines().any(|line| line.starts_with("import ")));
    }

    #[test]
    fn a_title_is_text() {
        let frame = report_frame("</title><script>alert(1)</script>", "");
        assert!(!frame.before.contains("<script>"));
        assert!(frame.before.contains("&lt;/title&gt;"));
    }
}
