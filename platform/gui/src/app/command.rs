use std::path::PathBuf;

use tengen_arbiter::Action;
use tengen_rules::{Answer, Point, Seat};

use super::{
    Arrangement, BoardStyle, Deed, Dialog, DraftCommand, Edges, EngineCommand, EventCommand,
    FileCommand, Language, Look, MatchCommand, Numbers, Occupant, Pane, PlayCommand, Setup, Step,
    StudyCommand,
};

/// Everything that a widget may ask for. Nothing else changes what is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Something of the match in front.
    Match(MatchCommand),
    /// Something of the game in front.
    Play(PlayCommand),
    /// Give up for whoever plays at this window.
    Resign,
    /// Ask whether to give up, or do not any more.
    Resigning(bool),
    /// What the person who is asked does beside answering, as offering a draw.
    Act(Action),
    /// The answer of the person who is asked.
    Answer(Answer),
    /// A click on a point of the board.
    Click(Point),
    /// The points gathered are the answer; with a cursor, what it stands on is clicked first.
    Confirm,
    /// Offer fifth moves where one move could be played, or play one after all.
    Offering(bool),
    /// Another ply of the game in front.
    Look(Look),
    /// Look into the game in front, on a table of its own.
    Analyse,
    /// Something of the game that is looked into.
    Study(StudyCommand),
    /// Walk so far along the line of an engine; none shows its first moves.
    Walk(Option<usize>),
    /// Something else below the clocks.
    Pane(Pane),
    /// Show the lines of engines on the board or do not.
    Lines(bool),
    /// Draw evaluations and times or do not.
    Graph(bool),
    /// Show or hide the keyboard's cursor.
    ToggleCursor,
    /// Move the keyboard's cursor.
    Step(Step),
    /// Open the dialog of a new game.
    OpenForm,
    /// What the dialog of a new game holds now.
    EditForm(Setup),
    /// Leave the dialog of a new game.
    CloseForm,
    /// Play the game that the dialog holds.
    Begin,
    /// Put somebody else on a seat of the game in front.
    Seat(Seat, Occupant),
    /// Ask for a hint, of an engine that is at hand.
    Hint,
    /// Show another table.
    Front(usize),
    /// Leave the table in front; with unsaved work on it, ask first.
    Close,
    /// Leave a table as one leaves that in front.
    CloseTable(usize),
    /// Close the window; ask first where what lies on a table would be lost.
    Quit,
    /// Leave the table in front with all that is on it.
    Discard,
    /// Close the window with all that is on its tables.
    End,
    /// Something of a position that is set up.
    Draft(DraftCommand),
    /// Something with events.
    Event(EventCommand),
    /// Something with files or the clipboard.
    File(FileCommand),
    /// Take a notice away.
    DismissNotice,
    /// Number other stones.
    Number(Numbers),
    /// Number so many of the last stones.
    NumberLast(u32),
    /// Label other edges.
    Edges(Edges),
    /// Mark forbidden points or do not.
    Forbidden(bool),
    /// Other boards.
    Style(BoardStyle),
    /// Boards that show the picture of this file.
    Picture(PathBuf),
    /// A dark window or a light one.
    Dark(bool),
    /// Another language.
    Speak(Language),
    /// Sounds or none.
    Sound(bool),
    /// The window has these measures now.
    Arrange(Arrangement),
    /// Give a deed this key; none takes its key away.
    Bind(Deed, Option<String>),
    /// Give every deed the key it had at first.
    ResetKeys,
    /// Something about the engines there are.
    Engine(EngineCommand),
    /// Show a dialog in place of the one that is open.
    Show(Dialog),
    /// Leave the dialog that is open.
    Leave,
}
