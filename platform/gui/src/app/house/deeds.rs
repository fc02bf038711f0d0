use tengen_arbiter::Action;

use super::apply::resigner;
use super::{Dialog, Document, House, Table};
use crate::app::{
    BoardStyle, Command, Deed, DraftCommand, Edges, EventCommand, EventDesk, EventPage,
    FileCommand, Language, Look, MatchCommand, Numbers, Phase, PlayCommand, Purpose, StudyCommand,
};

impl House {
    /// What a deed means now; none is nothing, and its button is grey.
    pub fn command(&self, deed: Deed) -> Option<Command> {
        match deed {
            Deed::Open
            | Deed::Save
            | Deed::SaveAs
            | Deed::Picture
            | Deed::CopyPosition
            | Deed::CopyGame
            | Deed::Paste
            | Deed::SetUp
            | Deed::PlayHere => self.command_of_file(deed),
            Deed::NewEvent => {
                let free = self.has_events() && !self.is_covered();
                free.then_some(Command::Event(EventCommand::OpenForm))
            }
            Deed::OpenEvent => {
                let free = self.has_events() && !self.is_covered();
                free.then_some(Command::Event(EventCommand::ListPast))
            }
            Deed::NewGame => self.form().is_none().then_some(Command::OpenForm),
            _ => self.command_of_window(deed).or_else(|| self.command_of_table(deed)),
        }
    }

    /// What sets the window up, whatever lies on its tables.
    fn command_of_window(&self, deed: Deed) -> Option<Command> {
        let settings = self.settings();
        Some(match deed {
            Deed::Lines => Command::Lines(!settings.lines),
            Deed::Graph => Command::Graph(!settings.graph),
            Deed::NumbersOff => Command::Number(Numbers::Off),
            Deed::NumbersLast => Command::Number(Numbers::Last),
            Deed::NumbersAll => Command::Number(Numbers::All),
            Deed::Coordinates if settings.edges == Edges::Off => Command::Edges(Edges::Two),
            Deed::Coordinates => Command::Edges(Edges::Off),
            Deed::FourEdges if settings.edges == Edges::Four => Command::Edges(Edges::Two),
            Deed::FourEdges => Command::Edges(Edges::Four),
            Deed::Forbidden => Command::Forbidden(!settings.forbidden),
            Deed::Kaya => Command::Style(BoardStyle::Kaya),
            Deed::Slate => Command::Style(BoardStyle::Slate),
            Deed::Paper => Command::Style(BoardStyle::Paper),
            Deed::OwnPicture => {
                settings.picture.as_ref()?;
                Command::Style(BoardStyle::Picture)
            }
            Deed::Light => Command::Dark(false),
            Deed::Dark => Command::Dark(true),
            Deed::English => Command::Speak(Language::English),
            Deed::Chinese => Command::Speak(Language::Chinese),
            Deed::Sound => Command::Sound(!settings.sound),
            Deed::Engines => Command::Show(Dialog::Engines { path: String::new() }),
            Deed::Settings => {
                let path = settings.picture.as_ref().map(|path| path.display().to_string());
                Command::Show(Dialog::Settings { picture: path.unwrap_or_default() })
            }
            Deed::About => Command::Show(Dialog::About),
            Deed::Quit => Command::Quit,
            Deed::Keys => Command::Show(Dialog::Keys { awaiting: None, taken: None }),
            _ => return None,
        })
    }

    /// What is done at the table in front.
    fn command_of_table(&self, deed: Deed) -> Option<Command> {
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
            Deed::Sweep => {
                table.document.study()?;
                Some(Command::Study(StudyCommand::Sweep))
            }
            Deed::Promote => studied(table, StudyCommand::Promote),
            Deed::DeleteLine => studied(table, StudyCommand::Delete),
            Deed::Close => Some(Command::Close),
            _ => match &table.document {
                Document::Match(_) => self.command_of_match(deed),
                Document::Game(_) => self.command_of_game(deed),
                Document::Event(desk) => command_of_event(desk, deed),
                Document::Study(_)
                | Document::Opened(_)
                | Document::Draft(_)
                | Document::Collection(_) => None,
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
                let command =
                    if view.resigning { Command::Resign } else { Command::Resigning(true) };
                PlayCommand::Resign(seat).fits(&snapshot).then_some(command)
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
            Deed::Sweep => self.table()?.document.study()?.sweeps(),
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
        Deed::RepairEvent => EventCommand::Repair,
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
