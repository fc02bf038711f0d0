//! The remote engines of an event, with their links.

use eframe::egui::{Frame, Label, RichText, ScrollArea, Ui};

use tengen_lineup::{ChangeFate, FileChange, TeamChange};
use tengen_tournament::AbsentOption;

use crate::app::{EventNote, EventSnapshot, RemoteTeam, TeamPresence, Text, Translator};
use crate::widgets::{Look, link_row, paragraph};

/// The remote engines: whether each is there, and its link.
pub(super) fn teams(ui: &mut Ui, look: Look<'_>, shown: &EventSnapshot) {
    let Look { tr, palette, .. } = look;
    let text = if shown.teams.is_empty() { Text::TeamsNone } else { Text::TeamsTip };
    paragraph(ui, palette.weak, tr.text(text));
    ui.add_space(8.0);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let engines = shown.config.engines.iter().zip(shown.labels.iter());
        let present: Vec<_> = engines
            .filter(|(engine, _)| engine.removed.is_none())
            .map(|(_, label)| label)
            .collect();
        for team in shown.teams.iter().filter(|team| present.contains(&&team.label)) {
            let frame = Frame::new().fill(palette.card).corner_radius(8).inner_margin(10);
            frame.show(ui, |ui| row(ui, look, team));
            ui.add_space(4.0);
        }
    });
}

fn row(ui: &mut Ui, look: Look<'_>, team: &RemoteTeam) {
    let Look { tr, palette, .. } = look;
    ui.set_width(ui.available_width());
    let (state, color) = match &team.state {
        TeamPresence::Expected => (tr.text(Text::TeamExpected).to_owned(), palette.weak),
        TeamPresence::Connected { engine, tables } => {
            let tables = tables.to_string();
            let text = match engine.is_empty() {
                true => tr.fill(Text::TeamThereUnnamed, &[&tables]),
                false => tr.fill(Text::TeamThere, &[engine, &tables]),
            };
            (text, palette.accent)
        }
        TeamPresence::Away => (tr.text(Text::TeamAway).to_owned(), palette.danger),
        TeamPresence::GivenUp => (tr.text(Text::TeamGivenUp).to_owned(), palette.danger),
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new(&team.label).strong().color(palette.text));
        ui.add(Label::new(RichText::new(state).color(color)).truncate());
    });
    link_row(ui, look, &team.label, &team.link);
}

/// What the person who runs an event should know of its engines.
pub(super) fn event_note(tr: Translator, note: &EventNote) -> String {
    match note {
        EventNote::Team(change) => team_note(tr, change),
        EventNote::File(FileChange { label, path, fate }) => {
            let text = match fate {
                ChangeFate::Kept => Text::NoteKept,
                ChangeFate::SetAside => Text::NoteLeftOut,
                ChangeFate::Stopped => Text::NoteStoppedFor,
            };
            tr.fill(text, &[label, &path.display().to_string()])
        }
    }
}

fn team_note(tr: Translator, change: &TeamChange) -> String {
    match change {
        TeamChange::Exposed(file) => tr.fill(Text::NoteKeysExposed, &[&file.display().to_string()]),
        TeamChange::NoneConnected => tr.text(Text::NoteNoneConnected).to_owned(),
        TeamChange::GaveUp { team, fate, .. } => {
            let text = match fate {
                AbsentOption::Aside => Text::NoteSetAside,
                AbsentOption::Forfeit => Text::NoteForfeits,
                AbsentOption::Refuse => Text::NoteStops,
            };
            tr.fill(text, &[team])
        }
        TeamChange::Expected { unwritten, .. } => {
            let problem = unwritten.as_deref().unwrap_or_default();
            tr.fill(Text::NoteLinksUnwritten, &[problem])
        }
        // The list of teams says that.
        TeamChange::Connected { .. } | TeamChange::Gone(_) => String::new(),
    }
}
