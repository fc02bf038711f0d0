use eframe::egui::{Button, ComboBox, RichText, Role, Ui, WidgetInfo};
use tengen_rules::Seat;

use super::Scene;
use crate::app::{Command, Document, GameCommand, PlayerSpec, Text};
use crate::theme::accent;

/// The player of a seat, and a menu to change it.
pub(crate) fn player_menu(ui: &mut Ui, scene: &Scene<'_>, seat: Seat, commands: &mut Vec<Command>) {
    let Scene { snapshot, tr, settings, .. } = *scene;
    let seated = &snapshot.seats[seat];
    let color = accent(seated.accent, settings.dark);
    let name = RichText::new(tr.seated(seated)).size(15.0).strong().color(color);
    let setup = match scene.app.tab().map(|tab| &tab.document) {
        Some(Document::Game(session)) => Some(session.setup()),
        _ => None,
    };
    let spec = setup.as_ref().map(|setup| &setup.seats[seat]);
    let fits = spec.is_some() && GameCommand::SetPlayer(seat, PlayerSpec::Person).fits(snapshot);
    if !fits {
        ui.label(name);
        return;
    }
    let id = ("occupant", seat.name());
    let combo =
        ComboBox::from_id_salt(id).width(150.0).height(420.0).truncate().selected_text(name);
    let drawn = combo.show_ui(ui, |ui| {
        let person = tr.text(Text::Person);
        if ui.add(Button::selectable(seated.is_person, person)).clicked() {
            commands.push(Command::SetPlayer(seat, PlayerSpec::Person));
        }
        for engine in &scene.app.engine_list().engines {
            let chosen = spec == Some(&PlayerSpec::Engine(engine.id.clone()));
            if ui.add(Button::selectable(chosen, &engine.name)).clicked() {
                commands.push(Command::SetPlayer(seat, PlayerSpec::Engine(engine.id.clone())));
            }
        }
    });
    let label = match seat {
        Seat::First => Text::FirstSeat,
        Seat::Second => Text::SecondSeat,
    };
    drawn.response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, tr.text(label));
        info.current_text_value = Some(tr.name(&seated.name).to_owned());
        info
    });
    drawn.response.on_hover_text(tr.text(Text::SeatTip));
}
