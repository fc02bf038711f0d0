//! The screen of an event.

mod running_games;
mod standings;
mod teams;

use eframe::egui::{
    Button, CentralPanel, Frame, Label, Margin, Panel, ProgressBar, RichText, ScrollArea, Ui,
};

use self::running_games::BoardGrid;
use self::standings::standings;
use self::teams::{event_note, teams};
use crate::app::{
    Command, Dialog, EventChange, EventCommand, EventPage, EventPhase, EventSession, EventSnapshot,
    Text,
};
use crate::widgets::{Look, game_list, page_row, paragraph};

/// An event: its standings, running games and finished games.
#[derive(Default)]
pub(crate) struct EventScreen {
    running_games: BoardGrid,
}

impl EventScreen {
    /// Draws the event. Returns when to draw it again.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        look: Look<'_>,
        session: &EventSession,
    ) -> Option<tengen_arbiter::Nanos> {
        let (palette, shown) = (look.palette, session.snapshot());
        let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(16, 8));
        Panel::top("event").frame(bar).show(ui, |ui| head(ui, look, session, &shown));
        let ground = Frame::new().fill(palette.ground).inner_margin(Margin::same(14));
        CentralPanel::default().frame(ground).show(ui, |ui| match session.page {
            EventPage::Standings => standings(ui, look, &shown),
            EventPage::RunningGames => self.running_games.show(ui, look, session, &shown),
            EventPage::FinishedGames => {
                let line = |index| session.line(index).unwrap_or_default();
                if let Some(index) = game_list(ui, look, session.count(), line)
                    && let Some(number) = session.number(index)
                {
                    look.send(Command::Event(EventCommand::OpenGame(number)));
                }
            }
            EventPage::Teams => teams(ui, look, &shown),
        });
        // The time left counts down.
        (shown.phase.is_running() && !shown.paused).then_some(1_000_000_000)
    }
}

fn head(ui: &mut Ui, look: Look<'_>, session: &EventSession, shown: &EventSnapshot) {
    let Look { tr, palette, .. } = look;
    let phase = tr.text(match shown.phase {
        EventPhase::Preparing => Text::EventPreparing,
        EventPhase::Playing if shown.paused => Text::EventResting,
        EventPhase::Playing => Text::EventPlaying,
        EventPhase::Finishing => Text::EventClosing,
        EventPhase::Stopping => Text::EventStopping,
        EventPhase::Stopped => Text::EventStopped,
        EventPhase::Finished if shown.summary.is_inconclusive() => Text::TestUsedUp,
        EventPhase::Finished if shown.finished < shown.total => Text::EventDecided,
        EventPhase::Finished => Text::EventFinished,
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(phase).strong().color(palette.text));
        let done = [shown.finished.to_string(), shown.total.to_string()];
        let progress = tr.fill(Text::EventProgress, &[&done[0], &done[1]]);
        let part = shown.finished as f32 / (shown.total as f32).max(1.0);
        ui.add(ProgressBar::new(part).desired_width(160.0).desired_height(10.0));
        ui.label(progress);
        if let Some((rate, left)) = shown.pace(session.now()) {
            let rate = format!("{:.1}", rate * 60.0);
            let text = match shown.config.sprt {
                // Its end is not known before it decides.
                Some(_) => tr.fill(Text::EventRate, &[&rate]),
                None => tr.fill(Text::EventPace, &[&rate, &span(left)]),
            };
            ui.colored_label(palette.weak, text);
        }
        let folder = RichText::new(shown.dir.display().to_string()).color(palette.weak);
        ui.add(Label::new(folder).truncate());
    });
    if let Some((kept, total)) = shown.repaired {
        let text = tr.fill(Text::EventRepaired, &[&kept.to_string(), &total.to_string()]);
        paragraph(ui, palette.accent, text);
    }
    if let Some(problem) = &shown.problem {
        paragraph(ui, palette.danger, problem);
    }
    if let Some(url) = &shown.url {
        page_row(ui, look, url);
    }
    if let Some(note) = &shown.note {
        paragraph(ui, palette.accent, event_note(tr, note));
    }
    let say = |command| look.send(Command::Event(command));
    ui.horizontal_wrapped(|ui| {
        let pages = [
            (EventPage::Standings, Text::PageStandings),
            (EventPage::RunningGames, Text::PageRunning),
            (EventPage::FinishedGames, Text::PageGames),
            (EventPage::Teams, Text::PageTeams),
        ];
        let is_of_use = |page| page != EventPage::Teams || shown.config.has_remote();
        for (page, text) in pages.into_iter().filter(|(page, _)| is_of_use(*page)) {
            if ui.add(Button::selectable(session.page == page, tr.text(text))).clicked() {
                say(EventCommand::Show(page));
            }
        }
        ui.separator();
        let pause = match shown {
            EventSnapshot { paused: true, .. } => (Text::Resume, EventCommand::Pause(false)),
            _ if shown.phase.is_running() => (Text::Pause, EventCommand::Pause(true)),
            _ => (Text::Resume, EventCommand::Resume),
        };
        for (text, command) in [
            pause,
            (Text::EventFinish, EventCommand::Finish),
            (Text::EventStop, EventCommand::Stop),
            (Text::EventRepair, EventCommand::Repair),
        ] {
            let enabled = command.fits(shown);
            // Damaged events are rare.
            if command == EventCommand::Repair && !enabled {
                continue;
            }
            if ui.add_enabled(enabled, Button::new(tr.text(text))).clicked() {
                say(command);
            }
        }
    });
    changes(ui, look, shown);
}

/// The most games that are offered beyond those that every two engines have.
const MORE_GAMES: [u32; 4] = [2, 10, 100, 1000];

/// What changes the engines and the number of games, where the format allows that.
fn changes(ui: &mut Ui, look: Look<'_>, shown: &EventSnapshot) {
    let Look { app, tr, .. } = look;
    if shown.config.engines.is_empty() || shown.config.check_open("engines").is_err() {
        return;
    }
    let change = |change| Command::Event(EventCommand::Change(change));
    let can_change = EventCommand::Change(EventChange::Remove(0)).fits(shown);
    let menu = |ui: &mut Ui, text: Text, offered: Vec<(String, Command)>| {
        ui.add_enabled_ui(can_change && !offered.is_empty(), |ui| {
            ui.menu_button(tr.text(text), |ui| {
                ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                    for (name, command) in offered {
                        if ui.button(name).clicked() {
                            look.send(command);
                            ui.close();
                        }
                    }
                });
            });
        });
    };
    let list = app.engine_list();
    let known = list.engines.iter();
    let known = known.map(|engine| (engine.name.clone(), EventChange::Add(engine.id.clone())));
    let mut known: Vec<_> = known.map(|(name, added)| (name, change(added))).collect();
    // One that joins an event which runs without a server could not come in.
    if shown.url.is_some() || !shown.phase.is_running() {
        let ask = Command::ShowDialog(Dialog::AddRemote { name: String::new() });
        known.push((tr.text(Text::EventAddRemote).to_owned(), ask));
    }
    let present = shown.labels.iter().zip(&shown.config.engines).enumerate();
    let present = present.filter(|(_, (_, engine))| engine.removed.is_none());
    let present: Vec<_> = present
        .map(|(place, (label, _))| (label.clone(), change(EventChange::Remove(place))))
        .collect();
    // Where events were merged, some may play more than that.
    let before = shown.config.games_of_all().max(shown.config.games);
    let more = MORE_GAMES.into_iter().filter_map(|more| {
        let games = before.checked_add(more)?;
        let text = tr.fill(Text::EventExtendTo, &[&games.to_string()]);
        Some((text, change(EventChange::Extend(games))))
    });
    let present = if present.len() > 2 { present } else { Vec::new() };
    ui.horizontal(|ui| {
        menu(ui, Text::EventAdd, known);
        menu(ui, Text::EventRemove, present);
        menu(ui, Text::EventExtend, more.collect());
    });
}

/// A time in hours, minutes and seconds: `1:02:03`.
fn span(seconds: f64) -> String {
    let seconds = seconds.ceil().min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
