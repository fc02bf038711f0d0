use eframe::egui::{Button, ComboBox, RichText, Role, Ui, WidgetInfo};
use tengen_rules::Seat;

use super::Scene;
use crate::app::{Command, Document, Occupant, PlayCommand, Text};
use crate::theme::accent;

/// Who sits on a seat, and who might instead.
pub(crate) fn occupant_menu(
    ui: &mut Ui,
    scene: &Scene<'_>,
    seat: Seat,
    commands: &mut Vec<Command>,
) {
    let Scene { snapshot, words, settings, .. } = *scene;
    let seated = &snapshot.seats[seat];
    let color = accent(seated.accent, settings.dark);
    let name = RichText::new(words.seated(seated)).size(15.0).strong().color(color);
    let setup = match scene.house.table().map(|table| &table.document) {
        Some(Document::Game(play)) => Some(play.setup()),
        _ => None,
    };
    let occupant = setup.as_ref().map(|setup| &setup.seats[seat]);
    let fits = occupant.is_some() && PlayCommand::Seat(seat, Occupant::Person).fits(snapshot);
    if !fits {
        ui.label(name);
        return;
    }
    let id = ("occupant", seat.name());
    let combo =
        ComboBox::from_id_salt(id).width(150.0).height(420.0).truncate().selected_text(name);
    let drawn = combo.show_ui(ui, |ui| {
        let person = words.text(Text::Person);
        if ui.add(Button::selectable(seated.is_person, person)).clicked() {
            commands.push(Command::Seat(seat, Occupant::Person));
        }
        for engine in &scene.house.listing().engines {
            let chosen = occupant == Some(&Occupant::Engine(engine.id.clone()));
            if ui.add(Button::selectable(chosen, &engine.name)).clicked() {
                commands.push(Command::Seat(seat, Occupant::Engine(engine.id.clone())));
            }
        }
    });
    let label = match seat {
        Seat::First => Text::FirstSeat,
        Seat::Second => Text::SecondSeat,
    };
    drawn.response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, words.text(label));
        info.current_text_value = Some(words.name(&seated.name).to_owned());
        info
    });
    drawn.response.on_hover_text(words.text(Text::SeatTip));
}
