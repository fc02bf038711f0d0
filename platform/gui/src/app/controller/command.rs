//! The commands of the app.

use std::path::PathBuf;

use tengen_arbiter::Action;
use tengen_rules::{Answer, Point, Seat};

use super::{Dialog, EngineCommand, FileCommand, NetworkCommand, UserAction};
use crate::app::model::{
    BoardStyle, CoordinateLabels, CursorStep, EditorCommand, GameForm, Language, MoveNumbers,
    Navigation, Pane, PlayerSpec, UserFile, WindowGeometry,
};
use crate::app::session::{AnalysisCommand, EventCommand, GameCommand};

/// Everything that a widget can ask for. Nothing else changes the state of the app.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A command to the active game.
    Game(GameCommand),
    /// Resign for the person at this window.
    Resign,
    /// Ask for a confirmation of the resignation, or cancel it.
    AskResign(bool),
    /// What the person does instead of answering, such as offering a draw.
    Act(Action),
    /// The person's answer.
    Answer(Answer),
    /// A click on a point of the board.
    Click(Point),
    /// Confirm the selected points; with a cursor and none selected, click where it is.
    Confirm,
    /// Offer fifth moves instead of playing one, or the reverse.
    OfferFifthMoves(bool),
    /// Show another ply of the active game.
    Navigate(Navigation),
    /// Analyse the active game in a new tab.
    Analyse,
    /// A command to the active analysis.
    Analysis(AnalysisCommand),
    /// Show so many moves of an engine's line on the board; none shows its first moves.
    WalkLine(Option<usize>),
    /// Show another pane below the clocks.
    ShowPane(Pane),
    /// Show or hide engine lines on the board.
    ShowLines(bool),
    /// Show or hide the graph.
    ShowGraph(bool),
    /// Show or hide the keyboard cursor.
    ToggleCursor,
    /// Move the keyboard cursor.
    MoveCursor(CursorStep),
    /// Open the new game form.
    OpenGameForm,
    /// Set the contents of the new game form.
    EditGameForm(GameForm),
    /// Keep the settings of the form under the name in it.
    KeepPreset,
    /// Forget the settings of that name.
    ForgetPreset(String),
    /// Close the new game form.
    CloseGameForm,
    /// Start the game of the form.
    StartGame,
    /// Change the player of a seat in the active game.
    SetPlayer(Seat, PlayerSpec),
    /// Name the person on a seat.
    NamePerson(Seat, String),
    /// Play the opened game on, which has no result.
    ResumeOpened,
    /// Ask an engine for a hint.
    Hint,
    SelectTab(usize),
    /// Close the active tab; ask first if it has unsaved work.
    CloseActiveTab,
    /// Close a tab; ask first if it has unsaved work.
    CloseTab(usize),
    /// Close the window; ask first if work would be lost.
    Quit,
    /// Close the tab without saving.
    DiscardTab,
    /// Close the window without saving.
    CloseWindow,
    /// A command to the position editor.
    Editor(EditorCommand),
    /// A command about events.
    Event(EventCommand),
    /// A command about tables on servers.
    Network(NetworkCommand),
    /// A command about files or the clipboard.
    File(FileCommand),
    DismissNotice,
    /// Set which stones show move numbers.
    SetMoveNumbers(MoveNumbers),
    /// Set how many of the last stones show numbers.
    SetLastNumbers(u32),
    /// Set where coordinates are shown.
    SetCoordinates(CoordinateLabels),
    /// Show or hide forbidden points.
    ShowForbidden(bool),
    SetBoardStyle(BoardStyle),
    /// Use this file; none is without one.
    UseFile(UserFile, Option<PathBuf>),
    /// A file cannot be used, for this reason.
    FileIsUnusable(UserFile, String),
    /// Use the dark or the light theme.
    SetDark(bool),
    SetLanguage(Language),
    /// Turn sounds on or off.
    SetSound(bool),
    /// The window has this size now.
    SetGeometry(WindowGeometry),
    /// Give an action this key; none removes its key.
    BindKey(UserAction, Option<String>),
    /// Reset all keys to the defaults.
    ResetKeys,
    /// A command about engines.
    Engine(EngineCommand),
    /// Open a dialog in place of the current one.
    ShowDialog(Dialog),
    CloseDialog,
}
