//! What the user can do by menus, buttons and keys: one table, an entry for each action.
//!
//! An entry is the action's description, its id in settings, its menu and label, its default key,
//! and a function for the command that it is now; none disables it. A toggle has a second function,
//! whether it is on. `@group` draws a line above it in its menu.

use tengen_arbiter::Action;
use tengen_rules::Seat;

use super::{App, Tab};
use crate::app::controller::{Command, Dialog, Document, FileCommand, NetworkCommand};
use crate::app::model::{
    BoardStyle, CoordinateLabels, EditorCommand, Language, MoveNumbers, Navigation, OpenQuestion,
    Snapshot, TableRequest, Text, UserFile,
};
use crate::app::session::{AnalysisCommand, EventCommand, EventPage, GameCommand, TableCommand};
use crate::app::storage::FilePurpose;

/// A menu of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Menu {
    /// Games in files and on the clipboard.
    File,
    /// The running game.
    Game,
    /// Matches and tournaments.
    Event,
    /// The moves of a game.
    Moves,
    /// How boards look.
    Board,
    /// How the window looks.
    Window,
    /// The keys, and what the program is.
    Help,
}

impl Menu {
    /// Every menu, from the left.
    pub const ALL: [Menu; 7] =
        [Menu::File, Menu::Game, Menu::Event, Menu::Moves, Menu::Board, Menu::Window, Menu::Help];

    pub fn label(self) -> Text {
        match self {
            Menu::File => Text::File,
            Menu::Game => Text::MenuGame,
            Menu::Event => Text::MenuEvent,
            Menu::Moves => Text::MenuMoves,
            Menu::Board => Text::Board,
            Menu::Window => Text::MenuWindow,
            Menu::Help => Text::MenuHelp,
        }
    }
}

/// An entry of the table.
struct ActionEntry {
    id: &'static str,
    menu: Menu,
    label: Text,
    key: &'static str,
    begins_group: bool,
    command: fn(&App) -> Option<Command>,
    is_on: fn(&App) -> Option<bool>,
}

macro_rules! user_actions {
    ($(
        $(#[$doc:meta])* $(@$group:ident)?
        $name:ident($id:literal, $menu:ident, $label:ident, $key:literal)
            => $command:expr $(, $is_on:expr)?;
    )*) => {
        /// Something that the user can do.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum UserAction { $($(#[$doc])* $name,)* }

        impl UserAction {
            /// Every action, in the order of the menus.
            pub const ALL: &'static [UserAction] = &[$(UserAction::$name,)*];
        }

        static ENTRIES: [ActionEntry; UserAction::ALL.len()] = [$(ActionEntry {
            id: $id,
            menu: Menu::$menu,
            label: Text::$label,
            key: $key,
            begins_group: !([$(stringify!($group))?] as [&str; _]).is_empty(),
            command: $command,
            is_on: user_actions!(@is_on $($is_on)?),
        },)*];
    };
    (@is_on) => { |_| None };
    (@is_on $is_on:expr) => { $is_on };
}

user_actions! {
    Open("file.open", File, Open, "Ctrl+O")
        => |app| app.file(FileCommand::OpenDialog(FilePurpose::Open));
    /// Save the game: an analysis in its own file if it has one.
    Save("file.save", File, Save, "Ctrl+S") => |app| app.save_command(FileCommand::Save);
    /// Save the game in a file with another name.
    SaveAs("file.save-as", File, SaveAs, "Ctrl+Shift+S")
        => |app| app.save_command(FileCommand::OpenDialog(FilePurpose::Save));
    /// Save a picture of the board.
    SavePicture("file.picture", File, SavePicture, "Ctrl+Shift+P") => |app| {
        let is_editor = matches!(app.tab()?.document, Document::Editor(_));
        let dialog = FileCommand::OpenDialog(FilePurpose::Picture);
        if is_editor || app.snapshot().is_some() { app.file(dialog) } else { None }
    };
    /// Copy the position.
    @group CopyPosition("file.copy-position", File, CopyPosition, "Ctrl+C")
        => |app| app.setup_here().and_then(|_| app.file(FileCommand::CopyPosition));
    CopyGame("file.copy-game", File, CopyGame, "Ctrl+Shift+C")
        => |app| app.save_command(FileCommand::CopyGame);
    /// Open the contents of the clipboard.
    Paste("file.paste", File, Paste, "Ctrl+V") => |app| app.file(FileCommand::RequestPaste);
    /// Close the window.
    @group Quit("file.quit", File, Quit, "Ctrl+Q") => |_| Some(Command::Quit);
    /// Open the new game form.
    NewGame("game.new", Game, NewGame, "Ctrl+N")
        => |app| app.form().is_none().then_some(Command::OpenGameForm);
    /// Open a table for people elsewhere.
    HostTable("game.host", Game, HostTable, "Ctrl+H")
        => |app| app.network_form(NetworkCommand::OpenHostForm);
    /// Go to a table on a server.
    JoinTable("game.join", Game, JoinTable, "Ctrl+J")
        => |app| app.network_form(NetworkCommand::OpenJoinForm);
    /// Set up a position.
    SetUp("game.set-up", Game, SetUp, "Ctrl+B")
        => |app| (!app.has_dialog()).then_some(Command::Editor(EditorCommand::Open));
    /// Play from the position shown.
    PlayHere("game.play-here", Game, PlayHere, "Ctrl+P")
        => |app| app.setup_here().and_then(|_| app.file(FileCommand::PlayHere));
    /// Pause the game, or resume it; also one that was saved before its end.
    Pause("game.pause", Game, Pause, "P") => |app| {
        let paused = app.is_event_paused();
        app.in_game(GameCommand::Resume)
            .or_else(|| app.in_game(GameCommand::Pause))
            .or_else(|| app.usable_tab().and(app.open_record()).map(|_| Command::ResumeOpened))
            .or_else(|| app.in_event(EventCommand::Pause(!paused)))
            .or_else(|| app.in_table(TableCommand::Resume))
            .or_else(|| app.in_table(TableCommand::Request(TableRequest::Pause)))
    };
    /// Take the last move back.
    @group TakeBack("game.take-back", Game, TakeBack, "Ctrl+Z")
        => |app| {
            let request = || app.in_table(TableCommand::Request(TableRequest::Undo));
            app.in_game(GameCommand::TakeBack).or_else(request)
        };
    /// Take back to the position shown.
    TakeBackHere("game.take-back-here", Game, TakeBackHere, "Ctrl+Shift+Z") => |app| {
        let plies = app.usable_tab()?.view.shown(&*app.snapshot()?);
        app.in_game(GameCommand::TakeBackTo(plies))
    };
    Hint("game.hint", Game, Hint, "H") => |app| app.asked_in_game().map(|_| Command::Hint);
    /// Offer a draw.
    @group OfferDraw("game.offer-draw", Game, OfferDraw, "Ctrl+D") => |app| {
        if app.table().is_some() {
            return app.in_table(TableCommand::Request(TableRequest::Draw));
        }
        let (snapshot, _) = app.asked_in_game()?;
        snapshot.draw_offer.is_none().then_some(Command::Act(Action::OfferDraw))
    };
    /// Accept the draw that is offered.
    AcceptDraw("game.accept-draw", Game, AcceptDraw, "Ctrl+Shift+D") => |app| {
        if app.table().is_some() {
            return app.in_table(TableCommand::Reply(TableRequest::Draw, true));
        }
        let (snapshot, asked) = app.asked_in_game()?;
        let is_offered = snapshot.draw_offer == Some(!asked.seat);
        is_offered.then_some(Command::Act(Action::AcceptDraw))
    };
    Resign("game.resign", Game, Resign, "Ctrl+R") => |app| {
        match app.table() {
            Some(table) => app.play_at_table(GameCommand::Resign(table.info().seat?))?,
            None => app.in_game(GameCommand::Resign(resigning_seat(&*app.snapshot()?)?))?,
        };
        let is_confirmed = app.tab()?.view.resigning;
        Some(if is_confirmed { Command::Resign } else { Command::AskResign(true) })
    };
    /// Stop the game, match or event.
    Stop("game.stop", Game, Stop, "Ctrl+Period") => |app| {
        app.in_game(GameCommand::Stop).or_else(|| app.in_event(EventCommand::Stop))
    };
    /// Stop this game of the match and start the next.
    @group NextGame("match.next-game", Game, NextGame, "Ctrl+G")
        => |app| app.in_event(EventCommand::NextGame);
    /// Play the match again.
    MatchAgain("match.again", Game, MatchAgain, "Ctrl+Shift+G")
        => |app| app.in_event(EventCommand::PlayAgain);
    /// Close the tab.
    Close("table.close", Game, Close, "Ctrl+W")
        => |app| app.usable_tab().map(|_| Command::CloseActiveTab);
    /// Open the new event form.
    NewEvent("event.new", Event, NewEvent, "Ctrl+Shift+N")
        => |app| app.event_dialog(EventCommand::OpenForm);
    /// Open a past event.
    OpenEvent("event.open", Event, OpenEvent, "Ctrl+Shift+O")
        => |app| app.event_dialog(EventCommand::ListPast);
    /// Show the standings of the event.
    @group Standings("event.standings", Event, PageStandings, "Ctrl+1")
        => |app| app.in_event(EventCommand::Show(EventPage::Standings));
    /// Show the running games of the event.
    RunningGames("event.wall", Event, PageRunning, "Ctrl+2")
        => |app| app.in_event(EventCommand::Show(EventPage::RunningGames));
    /// Show the finished games of the event.
    FinishedGames("event.finished", Event, PageGames, "Ctrl+3")
        => |app| app.in_event(EventCommand::Show(EventPage::FinishedGames));
    /// Show the remote engines of the event.
    RemoteEngines("event.teams", Event, PageTeams, "Ctrl+4")
        => |app| app.in_event(EventCommand::Show(EventPage::Teams))
            .filter(|_| app.has_remote_engines());
    /// Finish the running games of the event, then stop.
    @group FinishEvent("event.finish", Event, EventFinish, "Ctrl+Shift+F")
        => |app| app.in_event(EventCommand::Finish);
    ResumeEvent("event.resume", Event, Resume, "Ctrl+Shift+R")
        => |app| app.in_event(EventCommand::Resume);
    /// Repair a damaged event.
    RepairEvent("event.repair", Event, EventRepair, "Ctrl+Shift+E")
        => |app| app.in_event(EventCommand::Repair);
    /// Show the board before the first ply.
    Start("moves.start", Moves, Start, "Home") => |app| app.navigate(Navigation::Start);
    /// Show the ply before.
    Back("moves.back", Moves, Back, "Left") => |app| app.navigate(Navigation::Back);
    /// Show the next ply.
    Forward("moves.forward", Moves, Forward, "Right") => |app| app.navigate(Navigation::Forward);
    FollowGame("moves.live", Moves, Live, "End") => |app| app.navigate(Navigation::Newest);
    /// Analyse the active game.
    Analyse("game.analyse", Moves, Analyse, "A") => |app| {
        let is_analysis = app.usable_tab()?.document.analysis().is_some();
        (!is_analysis).then_some(Command::Analyse)
    };
    /// Let an engine analyse every move, or stop it.
    AnalyseAll("moves.sweep", Moves, AnalyseAll, "Shift+A") => |app| {
        app.usable_tab()?.document.analysis()?;
        Some(Command::Analysis(AnalysisCommand::AnalyseAll))
    }, |app| Some(app.tab()?.document.analysis()?.is_analysing_all());
    /// Make the line shown the main line.
    Promote("moves.promote", Moves, AnalysisPromote, "Ctrl+Up")
        => |app| app.on_last_move(AnalysisCommand::Promote);
    /// Delete the last ply shown and everything after it.
    DeleteLine("moves.delete", Moves, AnalysisDelete, "Delete")
        => |app| app.on_last_move(AnalysisCommand::Delete);
    /// Show the next move of an engine's line.
    @group LineOn("moves.line-on", Moves, LineOn, "Period") => |app| {
        let walk = app.usable_tab()?.view.walk;
        Some(Command::WalkLine(Some(walk.map_or(1, |walk| walk + 1))))
    };
    /// Go back one move of an engine's line.
    LineBack("moves.line-back", Moves, LineBack, "Comma") => |app| {
        let walk = app.usable_tab()?.view.walk?;
        Some(Command::WalkLine(walk.checked_sub(1).filter(|at| *at > 0)))
    };
    /// Show engine lines on the board.
    Lines("board.lines", Board, Lines, "V")
        => |app| Some(Command::ShowLines(!app.settings.lines)), |app| Some(app.settings.lines);
    /// Show or hide the keyboard cursor.
    Cursor("board.cursor", Board, KeyboardCursor, "K")
        => |app| app.usable_tab().map(|_| Command::ToggleCursor),
        |app| Some(app.tab().is_some_and(|tab| tab.view.cursor.is_some()));
    /// Confirm the selected points, or click at the cursor.
    Confirm("board.confirm", Board, Confirm, "Enter")
        => |app| app.asked_here().map(|_| Command::Confirm);
    /// Show no move numbers.
    @group NumbersOff("board.numbers-off", Board, NumbersOff, "0")
        => |_| Some(Command::SetMoveNumbers(MoveNumbers::Off)),
        |app| Some(app.settings.numbers == MoveNumbers::Off);
    /// Show the numbers of the last moves.
    NumbersLast("board.numbers-last", Board, NumbersLast, "5")
        => |_| Some(Command::SetMoveNumbers(MoveNumbers::Last)),
        |app| Some(app.settings.numbers == MoveNumbers::Last);
    /// Show all move numbers.
    NumbersAll("board.numbers-all", Board, NumbersAll, "9")
        => |_| Some(Command::SetMoveNumbers(MoveNumbers::All)),
        |app| Some(app.settings.numbers == MoveNumbers::All);
    /// Show or hide coordinates.
    @group Coordinates("board.coordinates", Board, Coordinates, "C") => |app| {
        let is_off = app.settings.edges == CoordinateLabels::Off;
        let labels = if is_off { CoordinateLabels::Two } else { CoordinateLabels::Off };
        Some(Command::SetCoordinates(labels))
    }, |app| Some(app.settings.edges != CoordinateLabels::Off);
    /// Show coordinates on all four sides, or on two.
    FourEdges("board.four-edges", Board, FourEdges, "Shift+C") => |app| {
        let is_four = app.settings.edges == CoordinateLabels::Four;
        let labels = if is_four { CoordinateLabels::Two } else { CoordinateLabels::Four };
        Some(Command::SetCoordinates(labels))
    }, |app| Some(app.settings.edges == CoordinateLabels::Four);
    /// Show or hide forbidden points.
    Forbidden("board.forbidden", Board, Forbidden, "F")
        => |app| Some(Command::ShowForbidden(!app.settings.forbidden)),
        |app| Some(app.settings.forbidden);
    /// Wooden boards.
    @group Kaya("board.kaya", Board, StyleKaya, "1")
        => |_| Some(Command::SetBoardStyle(BoardStyle::Kaya)),
        |app| Some(app.settings.style == BoardStyle::Kaya);
    Slate("board.slate", Board, StyleSlate, "2")
        => |_| Some(Command::SetBoardStyle(BoardStyle::Slate)),
        |app| Some(app.settings.style == BoardStyle::Slate);
    Paper("board.paper", Board, StylePaper, "3")
        => |_| Some(Command::SetBoardStyle(BoardStyle::Paper)),
        |app| Some(app.settings.style == BoardStyle::Paper);
    /// Boards with the user's picture.
    OwnPicture("board.picture", Board, StylePicture, "4") => |app| {
        app.settings.picture.as_ref()?;
        Some(Command::SetBoardStyle(BoardStyle::Picture))
    }, |app| Some(app.settings.style == BoardStyle::Picture);
    /// Show or hide the graph of evaluations and times.
    Graph("window.graph", Window, Graph, "G")
        => |app| Some(Command::ShowGraph(!app.settings.graph)), |app| Some(app.settings.graph);
    /// The light theme.
    @group Light("window.light", Window, ThemeLight, "Ctrl+L")
        => |_| Some(Command::SetDark(false)), |app| Some(!app.settings.dark);
    Dark("window.dark", Window, ThemeDark, "Ctrl+Shift+L")
        => |_| Some(Command::SetDark(true)), |app| Some(app.settings.dark);
    /// English.
    @group English("window.english", Window, English, "F2")
        => |_| Some(Command::SetLanguage(Language::English)),
        |app| Some(app.settings.language == Language::English);
    Chinese("window.chinese", Window, Chinese, "F3")
        => |_| Some(Command::SetLanguage(Language::Chinese)),
        |app| Some(app.settings.language == Language::Chinese);
    /// Show the engines.
    @group Engines("window.engines", Window, Engines, "Ctrl+E")
        => |_| Some(Command::ShowDialog(Dialog::Engines { path: String::new() }));
    /// Turn sounds on or off.
    Sound("window.sound", Window, Sound, "M")
        => |app| Some(Command::SetSound(!app.settings.sound)), |app| Some(app.settings.sound);
    /// Show the settings.
    @group Settings("window.settings", Window, Settings, "Ctrl+Comma") => |app| {
        let typed = UserFile::ALL.map(|of| {
            app.settings.file(of).map(|path| path.display().to_string()).unwrap_or_default()
        });
        Some(Command::ShowDialog(Dialog::Settings { typed }))
    };
    /// Show the keys.
    Keys("window.keys", Help, Keys, "F1")
        => |_| Some(Command::ShowDialog(Dialog::Keys { awaiting: None, taken: None }));
    /// Show what the program is.
    About("help.about", Help, About, "Shift+F1")
        => |_| Some(Command::ShowDialog(Dialog::About));
}

impl UserAction {
    fn entry(self) -> &'static ActionEntry {
        &ENTRIES[self as usize]
    }

    /// Its name in settings.
    pub fn id(self) -> &'static str {
        self.entry().id
    }

    pub fn menu(self) -> Menu {
        self.entry().menu
    }

    pub fn label(self) -> Text {
        self.entry().label
    }

    /// Its default key, as settings name keys: `Ctrl+Shift+N`.
    pub fn default_key(self) -> &'static str {
        self.entry().key
    }

    /// Whether there is a line above it in its menu.
    pub fn begins_group(self) -> bool {
        self.entry().begins_group
    }
}

impl App {
    /// The command of an action now; none if it means nothing, and its button is disabled.
    pub fn command(&self, action: UserAction) -> Option<Command> {
        (action.entry().command)(self)
    }

    /// Whether a toggle is on; none for other actions.
    pub fn is_on(&self, action: UserAction) -> Option<bool> {
        (action.entry().is_on)(self)
    }

    /// The active tab, unless the new game form is open.
    pub(super) fn usable_tab(&self) -> Option<&Tab> {
        self.tab().filter(|_| self.form.is_none())
    }

    fn file(&self, command: FileCommand) -> Option<Command> {
        (!self.has_dialog()).then_some(Command::File(command))
    }

    /// A command for a game that can be saved.
    fn save_command(&self, command: FileCommand) -> Option<Command> {
        let has_game = match &self.tab()?.document {
            Document::Editor(editor) => editor.game().is_ok(),
            document => document.snapshot().is_some(),
        };
        if has_game { self.file(command) } else { None }
    }

    fn event_dialog(&self, command: EventCommand) -> Option<Command> {
        (self.has_events() && !self.has_dialog()).then_some(Command::Event(command))
    }

    fn network_form(&self, command: NetworkCommand) -> Option<Command> {
        (!self.has_dialog()).then_some(Command::Network(command))
    }

    fn navigate(&self, navigation: Navigation) -> Option<Command> {
        self.usable_tab().map(|_| Command::Navigate(navigation))
    }

    fn in_game(&self, command: GameCommand) -> Option<Command> {
        let Document::Game(session) = &self.usable_tab()?.document else { return None };
        command.fits(&session.snapshot()).then_some(Command::Game(command))
    }

    fn in_event(&self, command: EventCommand) -> Option<Command> {
        let Document::Event(session) = &self.usable_tab()?.document else { return None };
        command.fits(&session.snapshot()).then_some(Command::Event(command))
    }

    /// The active game and its question to a person.
    fn asked_in_game(&self) -> Option<(std::sync::Arc<Snapshot>, OpenQuestion)> {
        let Document::Game(session) = &self.usable_tab()?.document else { return None };
        let snapshot = session.snapshot();
        snapshot.asks_person().map(|asked| (snapshot, asked))
    }

    /// The question to a person, in a game of this window or at a table.
    fn asked_here(&self) -> Option<OpenQuestion> {
        let tab = self.usable_tab()?;
        let is_played = matches!(tab.document, Document::Game(_) | Document::Table(_));
        tab.document.snapshot().filter(|_| is_played)?.asks_person()
    }

    /// A command for the last move shown in an analysis.
    fn on_last_move(&self, command: AnalysisCommand) -> Option<Command> {
        let tab = self.usable_tab()?;
        let analysis = tab.document.analysis()?;
        let before = tab.view.shown(&analysis.snapshot()).checked_sub(1)?;
        analysis.is_open(before).then_some(Command::Analysis(command))
    }
}

/// The seat that resigns when a person does: the one that is asked if both are persons.
pub(super) fn resigning_seat(snapshot: &Snapshot) -> Option<Seat> {
    let asked = snapshot.asked?;
    let mut persons = Seat::ALL.into_iter().filter(|&seat| snapshot.seats[seat].is_person);
    let first = persons.next()?;
    Some(persons.next().map_or(first, |_| asked.seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_actions_have_the_same_id() {
        let mut ids: Vec<&str> = UserAction::ALL.iter().map(|action| action.id()).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
    }
}
