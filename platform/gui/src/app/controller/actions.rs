use tengen_arbiter::Action;

use super::apply::resigner;
use super::{App, Dialog, Document, Tab};
use crate::app::{
    AnalysisCommand, BoardStyle, Command, CoordinateLabels, EditorCommand, EventCommand, EventPage,
    EventSession, FileCommand, FilePurpose, GameCommand, Language, MatchCommand, MoveNumbers,
    Navigation, Phase, UserAction,
};

impl App {
    /// What a deed means now; none is nothing, and its button is grey.
    pub fn command(&self, action: UserAction) -> Option<Command> {
        match action {
            UserAction::Open
            | UserAction::Save
            | UserAction::SaveAs
            | UserAction::SavePicture
            | UserAction::CopyPosition
            | UserAction::CopyGame
            | UserAction::Paste
            | UserAction::SetUp
            | UserAction::PlayHere => self.file_command(action),
            UserAction::NewEvent => {
                let free = self.has_events() && !self.has_dialog();
                free.then_some(Command::Event(EventCommand::OpenForm))
            }
            UserAction::OpenEvent => {
                let free = self.has_events() && !self.has_dialog();
                free.then_some(Command::Event(EventCommand::ListPast))
            }
            UserAction::NewGame => self.form().is_none().then_some(Command::OpenGameForm),
            _ => self.window_command(action).or_else(|| self.tab_command(action)),
        }
    }

    /// What sets the window up, whatever lies on its tables.
    fn window_command(&self, action: UserAction) -> Option<Command> {
        let settings = self.settings();
        Some(match action {
            UserAction::Lines => Command::ShowLines(!settings.lines),
            UserAction::Graph => Command::ShowGraph(!settings.graph),
            UserAction::NumbersOff => Command::SetMoveNumbers(MoveNumbers::Off),
            UserAction::NumbersLast => Command::SetMoveNumbers(MoveNumbers::Last),
            UserAction::NumbersAll => Command::SetMoveNumbers(MoveNumbers::All),
            UserAction::Coordinates if settings.edges == CoordinateLabels::Off => {
                Command::SetCoordinates(CoordinateLabels::Two)
            }
            UserAction::Coordinates => Command::SetCoordinates(CoordinateLabels::Off),
            UserAction::FourEdges if settings.edges == CoordinateLabels::Four => {
                Command::SetCoordinates(CoordinateLabels::Two)
            }
            UserAction::FourEdges => Command::SetCoordinates(CoordinateLabels::Four),
            UserAction::Forbidden => Command::ShowForbidden(!settings.forbidden),
            UserAction::Kaya => Command::SetBoardStyle(BoardStyle::Kaya),
            UserAction::Slate => Command::SetBoardStyle(BoardStyle::Slate),
            UserAction::Paper => Command::SetBoardStyle(BoardStyle::Paper),
            UserAction::OwnPicture => {
                settings.picture.as_ref()?;
                Command::SetBoardStyle(BoardStyle::Picture)
            }
            UserAction::Light => Command::SetDark(false),
            UserAction::Dark => Command::SetDark(true),
            UserAction::English => Command::SetLanguage(Language::English),
            UserAction::Chinese => Command::SetLanguage(Language::Chinese),
            UserAction::Sound => Command::SetSound(!settings.sound),
            UserAction::Engines => Command::ShowDialog(Dialog::Engines { path: String::new() }),
            UserAction::Settings => {
                let path = settings.picture.as_ref().map(|path| path.display().to_string());
                Command::ShowDialog(Dialog::Settings { picture: path.unwrap_or_default() })
            }
            UserAction::About => Command::ShowDialog(Dialog::About),
            UserAction::Quit => Command::Quit,
            UserAction::Keys => Command::ShowDialog(Dialog::Keys { awaiting: None, taken: None }),
            _ => return None,
        })
    }

    /// What is done at the table in front.
    fn tab_command(&self, action: UserAction) -> Option<Command> {
        if self.form().is_some() {
            return None;
        }
        let tab = self.tab()?;
        match action {
            UserAction::Start => Some(Command::Navigate(Navigation::Start)),
            UserAction::Back => Some(Command::Navigate(Navigation::Back)),
            UserAction::Forward => Some(Command::Navigate(Navigation::Forward)),
            UserAction::FollowGame => Some(Command::Navigate(Navigation::Newest)),
            UserAction::LineOn => {
                Some(Command::WalkLine(Some(tab.view.walk.map_or(1, |walk| walk + 1))))
            }
            UserAction::LineBack => tab
                .view
                .walk
                .map(|walk| Command::WalkLine(walk.checked_sub(1).filter(|at| *at > 0))),
            UserAction::Cursor => Some(Command::ToggleCursor),
            UserAction::Analyse => tab.document.analysis().is_none().then_some(Command::Analyse),
            UserAction::AnalyseAll => {
                tab.document.analysis()?;
                Some(Command::Analysis(AnalysisCommand::AnalyseAll))
            }
            UserAction::Promote => analysis_command(tab, AnalysisCommand::Promote),
            UserAction::DeleteLine => analysis_command(tab, AnalysisCommand::Delete),
            UserAction::Close => Some(Command::CloseActiveTab),
            _ => match &tab.document {
                Document::Match(_) => self.match_command(action),
                Document::Game(_) => self.game_command(action),
                Document::Event(session) => event_command(session, action),
                Document::Analysis(_)
                | Document::Opened(_)
                | Document::Editor(_)
                | Document::Collection(_) => None,
            },
        }
    }

    fn file_command(&self, action: UserAction) -> Option<Command> {
        if self.has_dialog() {
            return None;
        }
        let board = || {
            let draft = |tab: &Tab| matches!(tab.document, Document::Editor(_));
            self.snapshot().is_some() || self.tab().is_some_and(draft)
        };
        let game = || match self.tab().map(|tab| &tab.document) {
            Some(Document::Editor(draft)) => draft.game().is_ok(),
            _ => self.snapshot().is_some(),
        };
        let command = match action {
            UserAction::Open => FileCommand::OpenDialog(FilePurpose::Open),
            UserAction::Paste => FileCommand::RequestPaste,
            UserAction::SetUp => return Some(Command::Editor(EditorCommand::Open)),
            UserAction::Save => game().then_some(FileCommand::Save)?,
            UserAction::SaveAs => game().then_some(FileCommand::OpenDialog(FilePurpose::Save))?,
            UserAction::SavePicture => {
                board().then_some(FileCommand::OpenDialog(FilePurpose::Picture))?
            }
            UserAction::CopyPosition => self.setup_here().map(|_| FileCommand::CopyPosition)?,
            UserAction::CopyGame => game().then_some(FileCommand::CopyGame)?,
            UserAction::PlayHere => self.setup_here().map(|_| FileCommand::PlayHere)?,
            _ => return None,
        };
        Some(Command::File(command))
    }

    fn match_command(&self, action: UserAction) -> Option<Command> {
        let phase = self.snapshot()?.phase;
        let command = match action {
            UserAction::Pause if MatchCommand::Continue.fits(phase) => MatchCommand::Continue,
            UserAction::Pause => MatchCommand::Pause,
            UserAction::Stop => MatchCommand::Stop,
            UserAction::NextGame => MatchCommand::NewGame,
            UserAction::MatchAgain => MatchCommand::NewMatch,
            _ => return None,
        };
        command.fits(phase).then_some(Command::Match(command))
    }

    fn game_command(&self, action: UserAction) -> Option<Command> {
        let snapshot = self.snapshot()?;
        let view = &self.tab()?.view;
        let person = snapshot.asks_person();
        let fits = |command: GameCommand| command.fits(&snapshot).then_some(Command::Game(command));
        match action {
            UserAction::Pause if matches!(snapshot.phase, Phase::Pausing | Phase::Paused) => {
                fits(GameCommand::Continue)
            }
            UserAction::Pause => fits(GameCommand::Pause),
            UserAction::Stop => fits(GameCommand::Stop),
            UserAction::TakeBack => fits(GameCommand::TakeBack),
            UserAction::TakeBackHere => fits(GameCommand::TakeBackTo(view.shown(&snapshot))),
            UserAction::Resign => {
                let seat = resigner(&snapshot)?;
                let command =
                    if view.resigning { Command::Resign } else { Command::AskResign(true) };
                GameCommand::Resign(seat).fits(&snapshot).then_some(command)
            }
            UserAction::OfferDraw => person
                .filter(|_| snapshot.draw_offer.is_none())
                .map(|_| Command::Act(Action::OfferDraw)),
            UserAction::AcceptDraw => person
                .filter(|asked| snapshot.draw_offer == Some(!asked.seat))
                .map(|_| Command::Act(Action::AcceptDraw)),
            UserAction::Hint => person.map(|_| Command::Hint),
            UserAction::Confirm => person.map(|_| Command::Confirm),
            _ => None,
        }
    }

    /// Whether a deed is one of several settings, and the one that is chosen.
    pub fn is_on(&self, action: UserAction) -> Option<bool> {
        let settings = self.settings();
        Some(match action {
            UserAction::Lines => settings.lines,
            UserAction::Graph => settings.graph,
            UserAction::NumbersOff => settings.numbers == MoveNumbers::Off,
            UserAction::NumbersLast => settings.numbers == MoveNumbers::Last,
            UserAction::NumbersAll => settings.numbers == MoveNumbers::All,
            UserAction::Coordinates => settings.edges != CoordinateLabels::Off,
            UserAction::FourEdges => settings.edges == CoordinateLabels::Four,
            UserAction::Forbidden => settings.forbidden,
            UserAction::Kaya => settings.style == BoardStyle::Kaya,
            UserAction::Slate => settings.style == BoardStyle::Slate,
            UserAction::Paper => settings.style == BoardStyle::Paper,
            UserAction::OwnPicture => settings.style == BoardStyle::Picture,
            UserAction::Light => !settings.dark,
            UserAction::Dark => settings.dark,
            UserAction::English => settings.language == Language::English,
            UserAction::Chinese => settings.language == Language::Chinese,
            UserAction::Sound => settings.sound,
            UserAction::AnalyseAll => self.tab()?.document.analysis()?.is_analysing_all(),
            UserAction::Cursor => self.tab().is_some_and(|tab| tab.view.cursor.is_some()),
            _ => return None,
        })
    }
}

/// What a deed means for an event.
fn event_command(session: &EventSession, action: UserAction) -> Option<Command> {
    let shown = session.shown();
    let command = match action {
        UserAction::Pause => EventCommand::Pause(!shown.paused),
        UserAction::Stop => EventCommand::Stop,
        UserAction::FinishEvent => EventCommand::Finish,
        UserAction::ResumeEvent => EventCommand::Resume,
        UserAction::RepairEvent => EventCommand::Repair,
        UserAction::Standings => EventCommand::Show(EventPage::Standings),
        UserAction::RunningGames => EventCommand::Show(EventPage::RunningGames),
        UserAction::FinishedGames => EventCommand::Show(EventPage::FinishedGames),
        _ => return None,
    };
    command.fits(&shown).then_some(Command::Event(command))
}

/// Something of a game that is looked into, after its first ply.
fn analysis_command(tab: &Tab, command: AnalysisCommand) -> Option<Command> {
    let analysis = tab.document.analysis()?;
    let before = tab.view.shown(&analysis.snapshot()).checked_sub(1)?;
    analysis.is_open(before).then_some(Command::Analysis(command))
}
