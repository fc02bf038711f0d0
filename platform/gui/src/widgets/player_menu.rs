//! The player of a seat, and those that may play there instead.

use eframe::egui::{ComboBox, Label, RichText, Ui};
use tengen_rules::Seat;

use super::{Scene, menu_field};
use crate::app::{
    Command, Dialog, Document, GameCommand, NetworkCommand, PlayerSpec, SitterKind, TableCommand,
    TableInfo, Text,
};
use crate::theme::accent;

/// The player of a seat, and a menu to change it.
pub(crate) fn player_menu(ui: &mut Ui, scene: &Scene<'_>, seat: Seat) {
    let Scene { snapshot, tr, settings, .. } = *scene;
    let seated = &snapshot.seats[seat];
    let color = accent(seated.accent, settings.dark);
    let name = RichText::new(tr.seated(seated)).size(15.0).strong().color(color);
    if let Some(info) = scene.table {
        return sitter(ui, scene, info, seat, name);
    }
    let setup = match scene.look.app.tab().map(|tab| &tab.document) {
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
    let label = match seat {
        Seat::First => Text::FirstSeat,
        Seat::Second => Text::SecondSeat,
    };
    let drawn = menu_field(ui, combo, tr.text(label), tr.name(&seated.name), |ui| {
        let person = tr.text(Text::Person);
        if ui.selectable_label(seated.is_person, person).clicked() {
            scene.look.send(Command::SetPlayer(seat, PlayerSpec::Person));
        }
        if seated.is_person && ui.button(tr.text(Text::NamePerson)).clicked() {
            let name = if seated.name == person { String::new() } else { seated.name.clone() };
            scene.look.send(Command::ShowDialog(Dialog::NamePerson { seat, name }));
        }
        for engine in &scene.look.app.engine_list().engines {
            let offered = PlayerSpec::Engine(engine.id.clone());
            if ui.selectable_label(spec == Some(&offered), &engine.name).clicked() {
                scene.look.send(Command::SetPlayer(seat, offered));
            }
        }
    });
    drawn.on_hover_text(tr.text(Text::SeatTip));
}

/// The player of a seat at a table, whether they are here, and for one's own seat a menu of those
/// who may play on it.
fn sitter(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo, seat: Seat, name: RichText) {
    let Scene { tr, palette, .. } = *scene;
    let Some(sitter) = &info.sitters[seat] else {
        ui.label(RichText::new(tr.text(Text::SeatFree)).size(15.0).color(palette.weak));
        return;
    };
    if info.seat == Some(seat) && info.is_connected() {
        own_menu(ui, scene, info, seat, name);
    } else {
        ui.add(Label::new(name).truncate());
    }
    let (text, tip) = match (sitter.kind, sitter.is_here, sitter.lag) {
        (SitterKind::ServerEngine, ..) => (tr.text(Text::PlayerServerEngine).to_owned(), None),
        (_, false, _) => (tr.text(Text::PlayerAway).to_owned(), None),
        (_, _, Some(lag)) => {
            (tr.fill(Text::PlayerLag, &[&lag.to_string()]), Some(Text::PlayerLagTip))
        }
        (SitterKind::RemoteEngine, ..) => (tr.text(Text::PlayerRemoteEngine).to_owned(), None),
        _ => return,
    };
    let color = if sitter.is_here { palette.weak } else { palette.danger };
    let drawn = ui.label(RichText::new(text).small().color(color));
    if let Some(tip) = tip {
        drawn.on_hover_text(tr.text(tip));
    }
}

/// One's own name at a table, and a menu of those who may play instead.
fn own_menu(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo, seat: Seat, name: RichText) {
    let tr = scene.tr;
    let id = ("table occupant", seat.name());
    let combo =
        ComboBox::from_id_salt(id).width(150.0).height(420.0).truncate().selected_text(name);
    let is_person = info.own_engine.is_none() && !info.is_handed_over();
    let send = |command| scene.look.send(Command::Network(NetworkCommand::ToTable(command)));
    let own_name = &scene.snapshot.seats[seat].name;
    let drawn = menu_field(ui, combo, tr.text(Text::OwnSeat), own_name, |ui| {
        if ui.selectable_label(is_person, tr.text(Text::YouYourself)).clicked() {
            send(TableCommand::UseOwnEngine(None));
            send(TableCommand::HandOver(None));
        }
        for engine in info.engines.iter().filter(|_| info.settings.engines) {
            let label = tr.fill(Text::HandToServer, &[&engine.name]);
            if ui.button(label).clicked() {
                send(TableCommand::UseOwnEngine(None));
                send(TableCommand::HandOver(Some(engine.id.clone())));
            }
        }
        for engine in &scene.look.app.engine_list().engines {
            let chosen = info.own_engine.as_ref() == Some(&engine.id);
            let label = tr.fill(Text::HandToOwn, &[&engine.name]);
            if ui.selectable_label(chosen, label).clicked() {
                send(TableCommand::HandOver(None));
                send(TableCommand::UseOwnEngine(Some(engine.clone())));
            }
        }
    });
    drawn.on_hover_text(tr.text(Text::SeatTip));
}
