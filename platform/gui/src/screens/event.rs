mod standings;
mod wall;

use eframe::egui::{Button, CentralPanel, Frame, Label, Margin, Panel, ProgressBar, RichText, Ui};

use self::standings::standings;
use self::wall::Wall;
use crate::app::{
    Command, EventCommand, EventDesk, EventPage, EventPhase, EventShown, House, Text, Words,
};
use crate::theme::Palette;
use crate::widgets::game_list;

/// An event: how it stands, the games now played, and those that are finished.
#[derive(Default)]
pub(crate) struct EventScreen {
    wall: Wall,
}

impl EventScreen {
    /// Draws the event. Returns after how long it is to be drawn again though nobody says so.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        house: &House,
        desk: &EventDesk,
        palette: Palette,
        commands: &mut Vec<Command>,
    ) -> Option<tengen_arbiter::Nanos> {
        let (words, shown) = (house.words(), desk.shown());
        let mut say = |command| commands.push(Command::Event(command));
        let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(16, 8));
        Panel::top("event")
            .frame(bar)
            .show(ui, |ui| head(ui, words, palette, desk, &shown, &mut say));
        let ground = Frame::new().fill(palette.ground).inner_margin(Margin::same(14));
        CentralPanel::default().frame(ground).show(ui, |ui| match desk.page {
            EventPage::Standings => standings(ui, words, palette, &shown),
            EventPage::Wall => self.wall.show(ui, house, desk, &shown, &mut say),
            EventPage::Games => {
                let line = |index| desk.line(index).unwrap_or_default();
                if let Some(index) = game_list(ui, words, palette, desk.count(), line)
                    && let Some(number) = desk.number(index)
                {
                    say(EventCommand::OpenGame(number));
                }
            }
        });
        // The time left goes down by itself.
        (shown.phase.is_running() && !shown.paused).then_some(1_000_000_000)
    }
}

fn head(
    ui: &mut Ui,
    words: Words,
    palette: Palette,
    desk: &EventDesk,
    shown: &EventShown,
    say: &mut impl FnMut(EventCommand),
) {
    let phase = words.text(match shown.phase {
        EventPhase::Preparing => Text::EventPreparing,
        EventPhase::Playing if shown.paused => Text::EventResting,
        EventPhase::Playing => Text::EventPlaying,
        EventPhase::Closing => Text::EventClosing,
        EventPhase::Stopping => Text::EventStopping,
        EventPhase::Stopped => Text::EventStopped,
        EventPhase::Finished if shown.finished < shown.total => Text::EventDecided,
        EventPhase::Finished => Text::EventFinished,
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(phase).strong().color(palette.text));
        let done = [shown.finished.to_string(), shown.total.to_string()];
        let progress = words.fill(Text::EventProgress, &[&done[0], &done[1]]);
        let part = shown.finished as f32 / (shown.total as f32).max(1.0);
        ui.add(ProgressBar::new(part).desired_width(160.0).desired_height(10.0));
        ui.label(progress);
        if let Some((rate, left)) = shown.pace(desk.now()) {
            let rate = format!("{:.1}", rate * 60.0);
            let text = match shown.config.sprt {
                // It ends when it decides.
                Some(_) => words.fill(Text::EventRate, &[&rate]),
                None => words.fill(Text::EventPace, &[&rate, &span(left)]),
            };
            ui.label(RichText::new(text).color(palette.weak));
        }
        let folder = RichText::new(shown.dir.display().to_string()).color(palette.weak);
        ui.add(Label::new(folder).truncate());
    });
    if let Some((kept, total)) = shown.repaired {
        let text = words.fill(Text::EventRepaired, &[&kept.to_string(), &total.to_string()]);
        ui.add(Label::new(RichText::new(text).color(palette.accent)).wrap());
    }
    if let Some(problem) = &shown.problem {
        ui.add(Label::new(RichText::new(problem).color(palette.danger)).wrap());
    }
    ui.horizontal_wrapped(|ui| {
        for (page, text) in [
            (EventPage::Standings, Text::PageStandings),
            (EventPage::Wall, Text::PageWall),
            (EventPage::Games, Text::PageGames),
        ] {
            if ui.add(Button::selectable(desk.page == page, words.text(text))).clicked() {
                say(EventCommand::Show(page));
            }
        }
        ui.separator();
        let pause = if shown.paused { Text::Continue } else { Text::Pause };
        for (text, command) in [
            (pause, EventCommand::Pause(!shown.paused)),
            (Text::EventFinish, EventCommand::Finish),
            (Text::EventStop, EventCommand::Stop),
            (Text::EventResume, EventCommand::Resume),
            (Text::EventRepair, EventCommand::Repair),
        ] {
            let enabled = command.fits(shown);
            // Few events are ever damaged.
            if command == EventCommand::Repair && !enabled {
                continue;
            }
            if ui.add_enabled(enabled, Button::new(words.text(text))).clicked() {
                say(command);
            }
        }
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
