use tengen_arbiter::Action;

use super::house::resigner;
use super::{
    BoardStyle, Command, Dialog, Document, DraftCommand, Edges, EventCommand, EventDesk, EventPage,
    FileCommand, House, Language, Look, MatchCommand, Numbers, Phase, PlayCommand, Purpose,
    StudyCommand, Table, Text,
};

/// Something that menus, buttons and keys let a person do. Every one has an id that settings may
/// name, a place in a menu and a label; [`House::command`] says what it means now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deed {
    /// Open the dialog of a new game.
    NewGame,
    /// Open the form of a new event.
    NewEvent,
    /// Show who is where in the event.
    Standings,
    /// Show the games that the event plays now.
    Wall,
    /// Show the games of the event that are finished.
    Finished,
    /// Play the games of the event to their ends, and begin no other.
    FinishEvent,
    /// Go on with the event.
    ResumeEvent,
    /// Open a file.
    Open,
    /// Save the game, in its own file if it has one.
    Save,
    /// Save the game in a file that is named.
    SaveAs,
    /// Save a picture of the board.
    Picture,
    /// Copy the position.
    CopyPosition,
    /// Copy the game.
    CopyGame,
    /// Open what the clipboard holds.
    Paste,
    /// Set up a position by hand.
    SetUp,
    /// Play from the position shown.
    PlayHere,
    /// Let the game rest, or go on.
    Pause,
    /// End the game, or the match.
    Stop,
    /// Leave this game of the match for the next.
    NextGame,
    /// Play the match again.
    MatchAgain,
    /// Take the last move back.
    TakeBack,
    /// Take back to the ply that is looked at.
    TakeBackHere,
    /// Give up.
    Resign,
    /// Offer a draw.
    OfferDraw,
    /// Accept the draw that is offered.
    AcceptDraw,
    /// Ask for a hint.
    Hint,
    /// Give the gathered points as the answer, or click where the cursor stands.
    Confirm,
    /// Leave the table.
    Close,
    /// Look at the board before the first ply.
    Start,
    /// Look one ply back.
    Back,
    /// Look one ply on.
    Forward,
    /// Follow the game.
    Live,
    /// Look into the game in front.
    Analyse,
    /// Make the line shown the main line.
    Promote,
    /// Take the last ply shown out of its line.
    DeleteLine,
    /// Walk one move further along an engine's line.
    LineOn,
    /// Walk one move back along it.
    LineBack,
    /// Show the lines of engines on the board.
    Lines,
    /// Draw evaluations and times.
    Graph,
    /// Show or hide the keyboard's cursor.
    Cursor,
    /// Number no stones.
    NumbersOff,
    /// Number the last stones.
    NumbersLast,
    /// Number all stones.
    NumbersAll,
    /// Label the edges.
    Coordinates,
    /// Label all four edges.
    FourEdges,
    /// Mark forbidden points.
    Forbidden,
    /// Boards of wood.
    Kaya,
    /// Boards of slate.
    Slate,
    /// Boards of paper.
    Paper,
    /// Boards that show a picture.
    OwnPicture,
    /// A light window.
    Light,
    /// A dark window.
    Dark,
    /// Everything in English.
    English,
    /// Everything in Chinese.
    Chinese,
    /// Show the engines there are.
    Engines,
    /// Sounds or none.
    Sound,
    /// Show the dialog of settings.
    Settings,
    /// Show which key does what.
    Keys,
}

/// Where a deed stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Menu {
    /// Games in files and on the clipboard.
    File,
    /// What is played.
    Game,
    /// Matches and tournaments.
    Event,
    /// Where in it to look.
    Moves,
    /// How boards look.
    Board,
    /// How the window looks.
    Window,
}

impl Menu {
    /// Every menu, from the left.
    pub const ALL: [Menu; 6] =
        [Menu::File, Menu::Game, Menu::Event, Menu::Moves, Menu::Board, Menu::Window];

    /// What it is called.
    pub fn label(self) -> Text {
        match self {
            Menu::File => Text::MenuFile,
            Menu::Game => Text::MenuGame,
            Menu::Event => Text::MenuEvent,
            Menu::Moves => Text::MenuMoves,
            Menu::Board => Text::MenuBoard,
            Menu::Window => Text::MenuWindow,
        }
    }
}

macro_rules! deeds {
    ($($deed:ident, $id:literal, $menu:ident, $label:ident;)*) => {
        impl Deed {
            /// Every deed, in the order of the menus.
            pub const ALL: &'static [Deed] = &[$(Deed::$deed,)*];

            /// Its name in settings.
            pub const fn id(self) -> &'static str {
                match self { $(Deed::$deed => $id,)* }
            }

            /// Where it stands.
            pub const fn menu(self) -> Menu {
                match self { $(Deed::$deed => Menu::$menu,)* }
            }

            /// What it is called.
            pub const fn label(self) -> Text {
                match self { $(Deed::$deed => Text::$label,)* }
            }
        }
    };
}

deeds! {
    Open, "file.open", File, Open;
    Save, "file.save", File, Save;
    SaveAs, "file.save-as", File, SaveAs;
    Picture, "file.picture", File, SavePicture;
    CopyPosition, "file.copy-position", File, CopyPosition;
    CopyGame, "file.copy-game", File, CopyGame;
    Paste, "file.paste", File, Paste;
    NewGame, "game.new", Game, NewGame;
    SetUp, "game.set-up", Game, SetUp;
    PlayHere, "game.play-here", Game, PlayHere;
    Pause, "game.pause", Game, Pause;
    TakeBack, "game.take-back", Game, TakeBack;
    TakeBackHere, "game.take-back-here", Game, TakeBackHere;
    Hint, "game.hint", Game, Hint;
    OfferDraw, "game.offer-draw", Game, OfferDraw;
    AcceptDraw, "game.accept-draw", Game, AcceptDraw;
    Resign, "game.resign", Game, Resign;
    Stop, "game.stop", Game, Stop;
    NextGame, "match.next-game", Game, NextGame;
    MatchAgain, "match.again", Game, MatchAgain;
    Close, "table.close", Game, Close;
    NewEvent, "event.new", Event, NewEvent;
    Standings, "event.standings", Event, PageStandings;
    Wall, "event.wall", Event, PageWall;
    Finished, "event.finished", Event, PageGames;
    FinishEvent, "event.finish", Event, EventFinish;
    ResumeEvent, "event.resume", Event, EventResume;
    Start, "moves.start", Moves, Start;
    Back, "moves.back", Moves, Back;
    Forward, "moves.forward", Moves, Forward;
    Live, "moves.live", Moves, Live;
    Analyse, "game.analyse", Moves, Analyse;
    Promote, "moves.promote", Moves, StudyPromote;
    DeleteLine, "moves.delete", Moves, StudyDelete;
    LineOn, "moves.line-on", Moves, LineOn;
    LineBack, "moves.line-back", Moves, LineBack;
    Lines, "board.lines", Board, Lines;
    Cursor, "board.cursor", Board, KeyboardCursor;
    Confirm, "board.confirm", Board, Confirm;
    NumbersOff, "board.numbers-off", Board, NumbersOff;
    NumbersLast, "board.numbers-last", Board, NumbersLast;
    NumbersAll, "board.numbers-all", Board, NumbersAll;
    Coordinates, "board.coordinates", Board, Coordinates;
    FourEdges, "board.four-edges", Board, FourEdges;
    Forbidden, "board.forbidden", Board, Forbidden;
    Kaya, "board.kaya", Board, StyleKaya;
    Slate, "board.slate", Board, StyleSlate;
    Paper, "board.paper", Board, StylePaper;
    OwnPicture, "board.picture", Board, StylePicture;
    Graph, "window.graph", Window, Graph;
    Light, "window.light", Window, ThemeLight;
    Dark, "window.dark", Window, ThemeDark;
    English, "window.english", Window, English;
    Chinese, "window.chinese", Window, Chinese;
    Engines, "window.engines", Window, Engines;
    Sound, "window.sound", Window, Sound;
    Settings, "window.settings", Window, Settings;
    Keys, "window.keys", Window, Keys;
}

impl Deed {
    /// Whether a line stands above it in its menu.
    pub fn begins_group(self) -> bool {
        use Deed::{
            Coordinates, CopyPosition, Engines, English, FinishEvent, Kaya, Light, LineOn,
            NextGame, NumbersOff, OfferDraw, Settings, Standings, TakeBack,
        };
        matches!(
            self,
            CopyPosition
                | TakeBack
                | OfferDraw
                | NextGame
                | NumbersOff
                | LineOn
                | Light
                | Coordinates
                | Kaya
                | English
                | Engines
                | Settings
                | Standings
                | FinishEvent
        )
    }
}

impl House {
    /// What a deed means now; none is nothing, and its button is grey.
    pub fn command(&self, deed: Deed) -> Option<Command> {
        let settings = self.settings();
        match deed {
            Deed::Open
            | Deed::Save
            | Deed::SaveAs
            | Deed::Picture
            | Deed::CopyPosition
            | Deed::CopyGame
            | Deed::Paste
            | Deed::SetUp
            | Deed::PlayHere => return self.command_of_file(deed),
            Deed::NewEvent => {
                let free = self.has_events() && !self.is_covered();
                return free.then_some(Command::Event(EventCommand::OpenForm));
            }
            Deed::NewGame => return self.form().is_none().then_some(Command::OpenForm),
            Deed::Lines => return Some(Command::Lines(!settings.lines)),
            Deed::Graph => return Some(Command::Graph(!settings.graph)),
            Deed::NumbersOff => return Some(Command::Number(Numbers::Off)),
            Deed::NumbersLast => return Some(Command::Number(Numbers::Last)),
            Deed::NumbersAll => return Some(Command::Number(Numbers::All)),
            Deed::Coordinates => {
                let edges = if settings.edges == Edges::Off { Edges::Two } else { Edges::Off };
                return Some(Command::Edges(edges));
            }
            Deed::FourEdges => {
                let edges = if settings.edges == Edges::Four { Edges::Two } else { Edges::Four };
                return Some(Command::Edges(edges));
            }
            Deed::Forbidden => return Some(Command::Forbidden(!settings.forbidden)),
            Deed::Kaya => return Some(Command::Style(BoardStyle::Kaya)),
            Deed::Slate => return Some(Command::Style(BoardStyle::Slate)),
            Deed::Paper => return Some(Command::Style(BoardStyle::Paper)),
            Deed::OwnPicture => {
                return settings.picture.as_ref().map(|_| Command::Style(BoardStyle::Picture));
            }
            Deed::Light => return Some(Command::Dark(false)),
            Deed::Dark => return Some(Command::Dark(true)),
            Deed::English => return Some(Command::Speak(Language::English)),
            Deed::Chinese => return Some(Command::Speak(Language::Chinese)),
            Deed::Sound => return Some(Command::Sound(!settings.sound)),
            Deed::Engines => return Some(Command::Show(Dialog::Engines { path: String::new() })),
            Deed::Settings => {
                let path = settings.picture.as_ref().map(|path| path.display().to_string());
                let picture = path.unwrap_or_default();
                return Some(Command::Show(Dialog::Settings { picture }));
            }
            Deed::Keys => return Some(Command::Show(Dialog::Keys { awaiting: None })),
            _ => {}
        }
        if self.form().is_some() {
            return None;
        }
        let table = self.table()?;
        match deed {
            Deed::Start => Some(Command::Look(Look::Start)),
            Deed::Back => Some(Command::Look(Look::Back)),
            Deed::Forward => Some(Command::Look(Look::Forward)),
            Deed::Live => Some(Command::Look(Look::Live)),
            Deed::LineOn => Some(Command::Walk(Some(table.view.walk.map_or(1, |walk| walk + 1)))),
            Deed::LineBack => {
                table.view.walk.map(|walk| Command::Walk(walk.checked_sub(1).filter(|at| *at > 0)))
            }
            Deed::Cursor => Some(Command::ToggleCursor),
            Deed::Analyse => table.document.study().is_none().then_some(Command::Analyse),
            Deed::Promote => studied(table, StudyCommand::Promote),
            Deed::DeleteLine => studied(table, StudyCommand::Delete),
            Deed::Close => Some(Command::Close),
            _ => match &table.document {
                Document::Match(_) => self.command_of_match(deed),
                Document::Game(_) => self.command_of_game(deed),
                Document::Event(desk) => command_of_event(desk, deed),
                Document::Study(_) => None,
                _ => None,
            },
        }
    }

    fn command_of_file(&self, deed: Deed) -> Option<Command> {
        if self.is_covered() {
            return None;
        }
        let board = || {
            let draft = |table: &Table| matches!(table.document, Document::Draft(_));
            self.snapshot().is_some() || self.table().is_some_and(draft)
        };
        let game = || match self.table().map(|table| &table.document) {
            Some(Document::Draft(draft)) => draft.game().is_ok(),
            _ => self.snapshot().is_some(),
        };
        let command = match deed {
            Deed::Open => FileCommand::Ask(Purpose::Open),
            Deed::Paste => FileCommand::AskPaste,
            Deed::SetUp => return Some(Command::Draft(DraftCommand::Open)),
            Deed::Save => game().then_some(FileCommand::Save)?,
            Deed::SaveAs => game().then_some(FileCommand::Ask(Purpose::Save))?,
            Deed::Picture => board().then_some(FileCommand::Ask(Purpose::Picture))?,
            Deed::CopyPosition => self.setup_here().map(|_| FileCommand::CopyPosition)?,
            Deed::CopyGame => game().then_some(FileCommand::CopyGame)?,
            Deed::PlayHere => self.setup_here().map(|_| FileCommand::PlayHere)?,
            _ => return None,
        };
        Some(Command::File(command))
    }

    fn command_of_match(&self, deed: Deed) -> Option<Command> {
        let phase = self.snapshot()?.phase;
        let command = match deed {
            Deed::Pause if MatchCommand::Continue.fits(phase) => MatchCommand::Continue,
            Deed::Pause => MatchCommand::Pause,
            Deed::Stop => MatchCommand::Stop,
            Deed::NextGame => MatchCommand::NewGame,
            Deed::MatchAgain => MatchCommand::NewMatch,
            _ => return None,
        };
        command.fits(phase).then_some(Command::Match(command))
    }

    fn command_of_game(&self, deed: Deed) -> Option<Command> {
        let snapshot = self.snapshot()?;
        let view = &self.table()?.view;
        let person = snapshot.asks_person();
        let fits = |command: PlayCommand| command.fits(&snapshot).then_some(Command::Play(command));
        match deed {
            Deed::Pause if matches!(snapshot.phase, Phase::Pausing | Phase::Paused) => {
                fits(PlayCommand::Continue)
            }
            Deed::Pause => fits(PlayCommand::Pause),
            Deed::Stop => fits(PlayCommand::Stop),
            Deed::TakeBack => fits(PlayCommand::TakeBack),
            Deed::TakeBackHere => fits(PlayCommand::TakeBackTo(view.shown(&snapshot))),
            Deed::Resign => {
                let seat = resigner(&snapshot)?;
                PlayCommand::Resign(seat).fits(&snapshot).then_some(Command::Resign)
            }
            Deed::OfferDraw => person
                .filter(|_| snapshot.draw_offer.is_none())
                .map(|_| Command::Act(Action::OfferDraw)),
            Deed::AcceptDraw => person
                .filter(|asked| snapshot.draw_offer == Some(!asked.seat))
                .map(|_| Command::Act(Action::AcceptDraw)),
            Deed::Hint => person.map(|_| Command::Hint),
            Deed::Confirm => person.map(|_| Command::Confirm),
            _ => None,
        }
    }

    /// Whether a deed is one of several settings, and the one that is chosen.
    pub fn is_on(&self, deed: Deed) -> Option<bool> {
        let settings = self.settings();
        Some(match deed {
            Deed::Lines => settings.lines,
            Deed::Graph => settings.graph,
            Deed::NumbersOff => settings.numbers == Numbers::Off,
            Deed::NumbersLast => settings.numbers == Numbers::Last,
            Deed::NumbersAll => settings.numbers == Numbers::All,
            Deed::Coordinates => settings.edges != Edges::Off,
            Deed::FourEdges => settings.edges == Edges::Four,
            Deed::Forbidden => settings.forbidden,
            Deed::Kaya => settings.style == BoardStyle::Kaya,
            Deed::Slate => settings.style == BoardStyle::Slate,
            Deed::Paper => settings.style == BoardStyle::Paper,
            Deed::OwnPicture => settings.style == BoardStyle::Picture,
            Deed::Light => !settings.dark,
            Deed::Dark => settings.dark,
            Deed::English => settings.language == Language::English,
            Deed::Chinese => settings.language == Language::Chinese,
            Deed::Sound => settings.sound,
            Deed::Cursor => self.table().is_some_and(|table| table.view.cursor.is_some()),
            _ => return None,
        })
    }
}

/// What a deed means for an event.
fn command_of_event(desk: &EventDesk, deed: Deed) -> Option<Command> {
    let shown = desk.shown();
    let command = match deed {
        Deed::Pause => EventCommand::Pause(!shown.paused),
        Deed::Stop => EventCommand::Stop,
        Deed::FinishEvent => EventCommand::Finish,
        Deed::ResumeEvent => EventCommand::Resume,
        Deed::Standings => EventCommand::Show(EventPage::Standings),
        Deed::Wall => EventCommand::Show(EventPage::Wall),
        Deed::Finished => EventCommand::Show(EventPage::Games),
        _ => return None,
    };
    command.fits(&shown).then_some(Command::Event(command))
}

/// Something of a game that is looked into, after its first ply.
fn studied(table: &Table, command: StudyCommand) -> Option<Command> {
    let study = table.document.study()?;
    let before = table.view.shown(&study.snapshot()).checked_sub(1)?;
    study.is_open(before).then_some(Command::Study(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_deeds_have_the_same_id() {
        let mut ids: Vec<&str> = Deed::ALL.iter().map(|deed| deed.id()).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
    }
}
