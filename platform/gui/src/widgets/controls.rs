use eframe::egui::{Button, Ui};

use crate::app::{Command, Snapshot};
use crate::view::{Intent, Numbers, View};

/// The buttons; one that would do nothing is grey.
pub(crate) fn controls(ui: &mut Ui, snapshot: &Snapshot, view: &View, intents: &mut Vec<Intent>) {
    let phase = snapshot.phase;
    let pause = if phase.allows(Command::Continue) {
        (Command::Continue, "Continue", "Let the game go on")
    } else {
        (Command::Pause, "Pause", "Rest after the answer that is awaited; no clock runs then")
    };
    let new = if phase.is_over() {
        (Command::NewMatch, "New match", "Play the match again from its first game")
    } else {
        (Command::NewGame, "New game", "Give this game up, uncounted, and begin the next one")
    };
    let stop = (Command::Stop, "Stop", "Give this game up, and the match with it");
    ui.horizontal_wrapped(|ui| {
        for (command, text, tip) in [pause, new, stop] {
            let button = ui.add_enabled(phase.allows(command), Button::new(text));
            if button.on_hover_text(tip).clicked() {
                intents.push(Intent::Send(command));
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("Numbers");
        for numbers in Numbers::ALL {
            if ui.selectable_label(view.numbers == numbers, numbers.name()).clicked() {
                intents.push(Intent::Number(numbers));
            }
        }
    });
}
