use std::path::PathBuf;

use tengen_arbiter::Action;
use tengen_rules::{Answer, Point, Seat};

use super::{
    AnalysisCommand, BoardStyle, CoordinateLabels, CursorStep, Dialog, EditorCommand,
    EngineCommand, EventCommand, FileCommand, GameCommand, GameForm, Language, MatchCommand,
    MoveNumbers, Navigation, Pane, PlayerSpec, UserAction, WindowGeometry,
};

/// Everything that a widget may ask for. Nothing else changes what is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Something of the match in front.
    Match(MatchCommand),
    /// Something of the game in front.
    Game(GameCommand),
    /// Give up for whoever plays at this window.
    Resign,
    /// Ask whether to give up, or do not any more.
    AskResign(bool),
    /// What the person who is asked does beside answering, as offering a draw.
    Act(Action),
    /// The answer of the person who is asked.
    Answer(Answer),
    /// A click on a point of the board.
    Click(Point),
    /// The points gathered are the answer; with a cursor, what it stands on is clicked first.
    Confirm,
    /// Offer fifth moves where one move could be played, or play one after all.
    OfferFifthMoves(bool),
    /// Another ply of the game in front.
    Navigate(Navigation),
    /// Look into the game in front, on a table of its own.
    Analyse,
    /// Something of the game that is looked into.
    Analysis(AnalysisCommand),
    /// Walk so far along the line of an engine; none shows its first moves.
    WalkLine(Option<usize>),
    /// Something else below the clocks.
    ShowPane(Pane),
    /// Show the lines of engines on the board or do not.
    ShowLines(bool),
    /// Draw evaluations and times or do not.
    ShowGraph(bool),
    /// Show or hide the keyboard's cursor.
    ToggleCursor,
    /// Move the keyboard's cursor.
    MoveCursor(CursorStep),
    /// Open the dialog of a new game.
    OpenGameForm,
    /// What the dialog of a new game holds now.
    EditGameForm(GameForm),
    /// Leave the dialog of a new game.
    CloseGameForm,
    /// Play the game that the dialog holds.
    StartGame,
    /// Put somebody else on a seat of the game in front.
    SetPlayer(Seat, PlayerSpec),
    /// Ask for a hint, of an engine that is at hand.
    Hint,
    /// Show another table.
    SelectTab(usize),
    /// Leave the table in front; with unsaved work on it, ask first.
    CloseActiveTab,
    /// Leave a table as one leaves that in front.
    CloseTab(usize),
    /// Close the window; ask first where what lies on a table would be lost.
    Quit,
    /// Leave the table in front with all that is on it.
    DiscardTab,
    /// Close the window with all that is on its tables.
    CloseWindow,
    /// Something of a position that is set up.
    Editor(EditorCommand),
    /// Something with events.
    Event(EventCommand),
    /// Something with files or the clipboard.
    File(FileCommand),
    /// Take a notice away.
    DismissNotice,
    /// Number other stones.
    SetMoveNumbers(MoveNumbers),
    /// Number so many of the last stones.
    SetLastNumbers(u32),
    /// Label other edges.
    SetCoordinates(CoordinateLabels),
    /// Mark forbidden points or do not.
    ShowForbidden(bool),
    /// Other boards.
    SetBoardStyle(BoardStyle),
    /// Boards that show the picture of this file.
    SetBoardPicture(PathBuf),
    /// A dark window or a light one.
    SetDark(bool),
    /// Another language.
    SetLanguage(Language),
    /// Sounds or none.
    SetSound(bool),
    /// The window has these measures now.
    SetGeometry(WindowGeometry),
    /// Give a deed this key; none takes its key away.
    BindKey(UserAction, Option<String>),
    /// Give every deed the key it had at first.
    ResetKeys,
    /// Something about the engines there are.
    Engine(EngineCommand),
    /// Show a dialog in place of the one that is open.
    ShowDialog(Dialog),
    /// Leave the dialog that is open.
    CloseDialog,
}
