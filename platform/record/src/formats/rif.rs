//! The games of [RenjuNet](https://www.renju.net), which its page of downloads offers as a
//! database (`renjunet_v10_DATE.rif`): XML with lists of players, tournaments, rules and openings,
//! and then `<game id tournament round rule black white bresult btime wtime opening alt swap>`
//! with a `<move>` such as `h8 i9 h9` and a remark, `<info>`. `bresult` is what Black got: 1, 0.5
//! or 0. No schema is published; this is what six public programs that read it find there. It may
//! be used offline and not for money, says the file.
//!
//! All is renju on a board of 15. The opening's name becomes `ON`; the moves offered as the fifth
//! (`alt`), who swapped (`swap`), the minutes that were used and a rule without a name here are
//! kept as properties of those names, the remark as a comment. It is not written.
//!
//! ```
//! use tengen_record::formats::rif;
//! let text = r#"<database><players><player id="1" name="Ando" surname="Meritee"/></players>
//!     <games><game id="7" black="1" white="2" bresult="1"><move>h8 i9</move></game></games>
//!     </database>"#;
//! let sheet = rif::read(text).next().unwrap()?;
//! assert_eq!((&*sheet.players.black, &*sheet.name), ("Ando Meritee", "7"));
//! assert_eq!(sheet.moves().count(), 2);
//! # Ok::<(), tengen_record::Unread>(())
//! ```

use std::collections::HashMap;
use std::fmt;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use tengen_rules::{ByColor, Color, Procedure, Rule, Size};

use super::sgf::value;
use super::{Notation, Property, ScoreSheet, SheetOutcome};
use crate::{ReadError, Unread};

/// The games of a database, one after the other. One that cannot have been played is an error with
/// its line, and reading goes on behind it; where the text is no XML, that is the last item.
pub fn read(text: &str) -> RifGames<'_> {
    RifGames {
        reader: Reader::from_str(text),
        text,
        lines: (0, 1),
        tables: RifTables::default(),
        begun: false,
        ended: false,
    }
}

/// Whether a text begins as XML.
pub(super) fn begins(text: &str) -> bool {
    text.starts_with("<?xml") || text.starts_with("<database")
}

/// What [`read`] gives.
#[derive(Clone)]
pub struct RifGames<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
    /// A place, and the number of its line.
    lines: (usize, u64),
    tables: RifTables,
    /// Whether there was a game.
    begun: bool,
    ended: bool,
}

impl fmt::Debug for RifGames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RifGames").field("lines", &self.lines).finish_non_exhaustive()
    }
}

/// The lists before the games, by their ids.
#[derive(Clone, Default, Debug)]
struct RifTables {
    players: HashMap<String, String>,
    /// Their names, and when they began.
    tournaments: HashMap<String, (String, String)>,
    rules: HashMap<String, String>,
    openings: HashMap<String, String>,
}

/// A game while it is read.
#[derive(Default)]
struct RawGame {
    attributes: HashMap<String, String>,
    moves: String,
    info: String,
}

impl Iterator for RifGames<'_> {
    type Item = Result<ScoreSheet, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.game();
        self.ended = !matches!(next, Ok(Some(_)));
        let game = match next {
            Ok(None) if self.begun => return None,
            Ok(None) => Err(ReadError::of_text("no game: expected <game> in a <database>")),
            Ok(Some(game)) => {
                self.begun = true;
                game
            }
            Err(error) => Err(error),
        };
        Some(game.map_err(Unread::game))
    }
}

impl RifGames<'_> {
    /// The next game, or what is wrong with it; the outer error is one of the text.
    fn game(&mut self) -> Result<Option<Result<ScoreSheet, ReadError>>, ReadError> {
        // The game, where it begins, and which of its elements is being read.
        let mut game: Option<(RawGame, usize)> = None;
        let mut inside = None;
        loop {
            let at = place(self.reader.buffer_position());
            let event = self.reader.read_event();
            let event = event.map_err(|error| self.wrong(at, &error.to_string()))?;
            let is_empty = matches!(event, Event::Empty(_));
            match event {
                Event::Eof if game.is_some() => {
                    return Err(self.wrong(at, "the text ends within a game"));
                }
                Event::Eof => return Ok(None),
                Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                    "game" => {
                        let attributes = attributes(&tag);
                        game = Some((RawGame { attributes, ..RawGame::default() }, at));
                        if is_empty {
                            return Ok(self.finish(game));
                        }
                    }
                    name @ ("move" | "info") if !is_empty => {
                        inside =
                            Some(if name == "move" { RifElement::Moves } else { RifElement::Info });
                    }
                    name => self.tables.add(name, &tag),
                },
                Event::End(tag) => {
                    inside = None;
                    if tag.name().as_ref() == "game" {
                        return Ok(self.finish(game));
                    }
                }
                Event::Text(text) => add(&mut game, inside, &text.xml10_content()),
                Event::CData(text) => add(&mut game, inside, &text.xml10_content()),
                Event::GeneralRef(name) => {
                    let letter = match name.resolve_char_ref() {
                        Ok(Some(letter)) => letter.to_string(),
                        _ => resolve_predefined_entity(&name.xml10_content())
                            .unwrap_or_default()
                            .to_owned(),
                    };
                    add(&mut game, inside, &letter);
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    fn finish(&mut self, game: Option<(RawGame, usize)>) -> Option<Result<ScoreSheet, ReadError>> {
        let (raw, at) = game?;
        let sheet = self.tables.sheet(&raw);
        Some(sheet.map_err(|message| {
            let id = raw.attributes.get("id").map(|id| format!("game {id}: ")).unwrap_or_default();
            self.wrong(at, &format!("{id}{message}"))
        }))
    }

    /// What is wrong in the line of that place. Places come in order.
    fn wrong(&mut self, at: usize, message: &str) -> ReadError {
        let at = at.min(self.text.len());
        let (before, line) = self.lines;
        let passed = &self.text.as_bytes()[before.min(at)..at];
        let line = line + passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.lines = (at.max(before), line);
        ReadError::of_line(line, message)
    }
}

/// A place in a text in memory.
fn place(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

#[derive(Clone, Copy)]
enum RifElement {
    Moves,
    Info,
}

fn add(game: &mut Option<(RawGame, usize)>, inside: Option<RifElement>, text: &str) {
    if let (Some((game, _)), Some(inside)) = (game, inside) {
        match inside {
            RifElement::Moves => game.moves.push_str(text),
            RifElement::Info => game.info.push_str(text),
        }
    }
}

/// The attributes of an element; one that is no XML is left out, an entity without a meaning kept
/// as it stands.
fn attributes(tag: &BytesStart<'_>) -> HashMap<String, String> {
    let mut rows = tag.attributes();
    let read = rows.with_checks(false).flatten().map(|attribute| {
        let value = attribute.normalized_value(XmlVersion::Explicit1_0);
        let value = value.map_or_else(|_| attribute.value.as_ref().to_owned(), |v| v.into_owned());
        (attribute.key.as_ref().to_owned(), value)
    });
    read.collect()
}

impl RifTables {
    /// Notes a row of one of the lists.
    fn add(&mut self, name: &str, tag: &BytesStart<'_>) {
        let mut row = attributes(tag);
        let mut take = |key| row.remove(key).unwrap_or_default();
        let (id, name_of) = (take("id"), take("name"));
        match name {
            "player" => {
                let whole = format!("{name_of} {}", take("surname"));
                self.players.insert(id, whole.trim().to_owned());
            }
            "tournament" => {
                let (year, start) = (take("year"), take("start"));
                let date = if start.is_empty() { year } else { start };
                self.tournaments.insert(id, (name_of, date));
            }
            "rule" => drop(self.rules.insert(id, name_of)),
            "opening" => {
                let abbreviation = take("abbr");
                let name = if name_of.is_empty() { abbreviation } else { name_of };
                self.openings.insert(id, name);
            }
            _ => {}
        }
    }

    fn sheet(&self, raw: &RawGame) -> Result<ScoreSheet, String> {
        let told = |name: &str| raw.attributes.get(name).map_or("", String::as_str).trim();
        let stones = Notation::Pos.read(&raw.moves.replace(['\n', '\t'], " "), Size::STANDARD);
        let stones = stones.map_err(|error| error.message)?;
        let mut sheet =
            ScoreSheet::from_stones(&stones, Size::STANDARD).map_err(|error| error.to_string())?;
        let player = |color: Color| {
            let id = told(color.name());
            let name = self.players.get(id).filter(|name| !name.is_empty());
            name.cloned().unwrap_or_else(|| if id.is_empty() { "" } else { "?" }.to_owned())
        };
        sheet.players = ByColor { black: player(Color::Black), white: player(Color::White) };
        sheet.name = told("id").to_owned();
        sheet.round = told("round").to_owned();
        if let Some((name, date)) = self.tournaments.get(told("tournament")) {
            sheet.event.clone_from(name);
            sheet.date.clone_from(date);
        }
        let winner = match told("bresult") {
            "1" => Some(Some(Color::Black)),
            "0" => Some(Some(Color::White)),
            "0.5" => Some(None),
            _ => None,
        };
        sheet.outcome = winner.map(|winner| SheetOutcome { winner, termination: None });
        sheet.rule = Some(Rule::Renju);
        let rule = self.rules.get(told("rule")).map_or("", String::as_str);
        sheet.opening = procedure(rule);
        let named = |table: &HashMap<String, String>, name| table.get(told(name)).cloned();
        let unknown_rule = Some(rule.to_owned()).filter(|_| sheet.opening.is_none());
        let properties = [
            ("ON", named(&self.openings, "opening")),
            ("RULE", unknown_rule),
            ("ALT", Some(told("alt").to_owned())),
            ("SWAP", Some(told("swap").to_owned())),
            ("BTIME", Some(told("btime").to_owned())),
            ("WTIME", Some(told("wtime").to_owned())),
        ];
        for (name, text) in properties {
            let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
            let values = vec![value::escape(&text)];
            sheet.properties.push(Property { name: name.to_owned(), values });
        }
        let root = sheet.tree.root();
        sheet.tree.node_mut(root).comment = raw.info.trim().to_owned();
        // A five that the game went on from would be a mistake of whoever typed it.
        sheet.check().map_err(|error| error.to_string())?;
        Ok(sheet)
    }
}

/// The opening procedure of that name, written with any marks and letters between.
fn procedure(name: &str) -> Option<Procedure> {
    let plain: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    match &*plain {
        "rif" => Some(Procedure::Rif),
        "yamaguchi" => Some(Procedure::Yamaguchi),
        "soosyrv8" | "soosorv8" | "soosrv8" => Some(Procedure::Soosorv8),
        "taraguchi10" => Some(Procedure::Taraguchi10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sgf;

    fn games(rows: &str) -> Vec<Result<ScoreSheet, String>> {
        let text = format!(
            "<?xml version=\"1.0\"?>\n<!-- &copy; --><database><rules>\
             <rule id=\"1\" name=\"RIF\">text</rule><rule id=\"2\" name=\"Sakata\"/></rules>\
             <openings><opening id=\"21\" abbr=\"D1\" name=\"Ura-getsu\" /></openings>\
             <players><player id=\"1\" name=\"Ants\" surname=\"Soosõrv\" />\
             <player id=\"2\" surname=\"O&apos;B\"/></players>\
             <tournaments><tournament id=\"9\" name=\"A &amp; B\" year=\"2005\"/></tournaments>\
             <games>\n{rows}</games></database>"
        );
        read(&text).map(|game| game.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn a_game_has_the_names_of_the_lists() {
        let row = "<game id=\"7\" tournament=\"9\" round=\"F2\" rule=\"1\" black=\"1\" white=\"2\" \
                   bresult=\"0.5\" opening=\"21\" alt=\"i8\" swap=\"R-\" btime=\"8\">\n\
                   <move>h8 h9\n h7</move><info>1 &lt; 2 &#x5929;&other;</info></game>";
        let games = games(row);
        let [Ok(sheet)] = &games[..] else { panic!("{games:?}") };
        assert_eq!(
            sgf::write(sheet).replace('\n', ""),
            "(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[15]RU[renju, opening rif]EV[A & B]DT[2005]RO[F2]\
             GN[7]PB[Ants Soosõrv]PW[O'B]RE[0]ON[Ura-getsu]ALT[i8]SWAP[R-]BTIME[8]C[1 < 2 天]\
             ;B[hh];W[hg];B[hi])"
        );
    }

    #[test]
    fn a_wrong_game_costs_itself_alone() {
        let rows = "<game id=\"1\"><move>h8 zz9</move></game>\n<game id=\"2\"><move>h8 h8</move>\
                    </game>\n<game id=\"3\" bresult=\"x\" rule=\"2\"/><game id=\"4\">";
        let games = games(rows);
        let wrong = |place: usize| games[place].as_ref().unwrap_err().as_str();
        assert_eq!(games.len(), 4);
        assert!(wrong(0).starts_with("line 3: game 1: `zz9` is not a point"), "{}", wrong(0));
        assert_eq!(wrong(1), "line 4: game 2: move 2: h8 is occupied");
        let third = games[2].as_ref().unwrap();
        assert_eq!((third.outcome, &*third.players.black), (None, ""));
        assert_eq!(third.properties[0].values, ["Sakata"]);
        assert!(wrong(3).starts_with("line 5: "), "{}", wrong(3));
    }

    #[test]
    fn what_is_no_database_is_told() {
        for text in ["", "<x/>", "no xml at all", "<database></database>"] {
            let read: Vec<_> = read(text).collect();
            assert_eq!(read.len(), 1, "{text}");
            assert!(read[0].as_ref().unwrap_err().to_string().starts_with("no game"), "{text}");
        }
        let bomb = format!(
            "<!DOCTYPE d [<!ENTITY a \"{}\"><!ENTITY b \"&a;&a;&a;\">]><database><games>\
             <game id=\"&b;\"><move>h8</move><info>&b;</info></game></games></database>",
            "x".repeat(1000)
        );
        let sheet = read(&bomb).next().unwrap().unwrap();
        assert_eq!((&*sheet.name, sheet.tree.node(sheet.tree.root()).comment.len()), ("&b;", 0));
    }
}
