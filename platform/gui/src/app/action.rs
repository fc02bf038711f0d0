use super::Text;

/// Something that menus, buttons and keys let a person do. Every one has an id that settings may
/// name, a place in a menu and a label; [`App::command`](super::House::command) says what it
/// means now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UserAction {
    /// Open the dialog of a new game.
    NewGame,
    /// Open the form of a new event.
    NewEvent,
    /// Open an event that was played before.
    OpenEvent,
    /// Show who is where in the event.
    Standings,
    /// Show the games that the event plays now.
    RunningGames,
    /// Show the games of the event that are finished.
    FinishedGames,
    /// Play the games of the event to their ends, and begin no other.
    FinishEvent,
    /// Go on with the event.
    ResumeEvent,
    /// Make a damaged event whole.
    RepairEvent,
    /// Open a file.
    Open,
    /// Save the game: a study in its own file if it has one.
    Save,
    /// Save the game in a file that is named.
    SaveAs,
    /// Save a picture of the board.
    SavePicture,
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
    FollowGame,
    /// Look into the game in front.
    Analyse,
    /// Let an engine go through all moves of a game that is looked into, or stop it.
    AnalyseAll,
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
    /// Show what the program is.
    About,
    /// Close the window.
    Quit,
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
    /// How everything is done, and what the program is.
    Help,
}

impl Menu {
    /// Every menu, from the left.
    pub const ALL: [Menu; 7] =
        [Menu::File, Menu::Game, Menu::Event, Menu::Moves, Menu::Board, Menu::Window, Menu::Help];

    /// What it is called.
    pub fn label(self) -> Text {
        match self {
            Menu::File => Text::MenuFile,
            Menu::Game => Text::MenuGame,
            Menu::Event => Text::MenuEvent,
            Menu::Moves => Text::MenuMoves,
            Menu::Board => Text::MenuBoard,
            Menu::Window => Text::MenuWindow,
            Menu::Help => Text::MenuHelp,
        }
    }
}

macro_rules! actions {
    ($($action:ident, $id:literal, $menu:ident, $label:ident;)*) => {
        impl UserAction {
            /// Every deed, in the order of the menus.
            pub const ALL: &'static [UserAction] = &[$(UserAction::$action,)*];

            /// Its name in settings.
            pub const fn id(self) -> &'static str {
                match self { $(UserAction::$action => $id,)* }
            }

            /// Where it stands.
            pub const fn menu(self) -> Menu {
                match self { $(UserAction::$action => Menu::$menu,)* }
            }

            /// What it is called.
            pub const fn label(self) -> Text {
                match self { $(UserAction::$action => Text::$label,)* }
            }
        }
    };
}

actions! {
    Open, "file.open", File, Open;
    Save, "file.save", File, Save;
    SaveAs, "file.save-as", File, SaveAs;
    SavePicture, "file.picture", File, SavePicture;
    CopyPosition, "file.copy-position", File, CopyPosition;
    CopyGame, "file.copy-game", File, CopyGame;
    Paste, "file.paste", File, Paste;
    Quit, "file.quit", File, Quit;
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
    OpenEvent, "event.open", Event, OpenEvent;
    Standings, "event.standings", Event, PageStandings;
    RunningGames, "event.wall", Event, PageRunning;
    FinishedGames, "event.finished", Event, PageGames;
    FinishEvent, "event.finish", Event, EventFinish;
    ResumeEvent, "event.resume", Event, EventResume;
    RepairEvent, "event.repair", Event, EventRepair;
    Start, "moves.start", Moves, Start;
    Back, "moves.back", Moves, Back;
    Forward, "moves.forward", Moves, Forward;
    FollowGame, "moves.live", Moves, Live;
    Analyse, "game.analyse", Moves, Analyse;
    AnalyseAll, "moves.sweep", Moves, AnalyseAll;
    Promote, "moves.promote", Moves, AnalysisPromote;
    DeleteLine, "moves.delete", Moves, AnalysisDelete;
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
    Keys, "window.keys", Help, Keys;
    About, "help.about", Help, About;
}

impl UserAction {
    /// Whether a line stands above it in its menu.
    pub fn begins_group(self) -> bool {
        use UserAction::{
            Coordinates, CopyPosition, Engines, English, FinishEvent, Kaya, Light, LineOn,
            NextGame, NumbersOff, OfferDraw, Quit, Settings, Standings, TakeBack,
        };
        matches!(
            self,
            CopyPosition
                | TakeBack
                | Quit
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_deeds_have_the_same_id() {
        let mut ids: Vec<&str> = UserAction::ALL.iter().map(|action| action.id()).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
    }
}
