//! The rarely used settings of a new game, and its presets.

use eframe::egui::{Button, CollapsingHeader, ComboBox, Grid, Ui, vec2};
use tengen_arbiter::IllegalPolicy;
use tengen_rules::{Procedure, canonical};

use super::number;
use crate::app::{Command, GameForm, GamePreset, Text, Translator};
use crate::screens::listen_fields::text_row;
use crate::widgets::{Look, menu_field};

/// The presets: those that come with the program, then the user's own.
pub(super) fn presets(ui: &mut Ui, look: Look<'_>, setup: &mut GameForm) {
    let Look { app, tr, .. } = look;
    let shipped = GamePreset::shipped().map(|(name, game)| (tr.text(name).to_owned(), game));
    let kept = app.settings().presets.iter().map(|kept| (kept.name.clone(), kept.game.clone()));
    let presets: Vec<(String, GameForm)> = shipped.into_iter().chain(kept).collect();
    let of_form = |name: &str, game: &GameForm| {
        let (seats, preset) = (setup.seats.clone(), name.to_owned());
        GameForm { seats, preset, ..game.clone() }
    };
    let is_set = |(name, game): &&(String, GameForm)| {
        of_form(&setup.preset, game) == *setup && !name.is_empty()
    };
    let chosen = presets.iter().find(is_set).map(|(name, _)| name.clone());
    let label = tr.text(Text::Preset);
    ui.label(label);
    let shown = chosen.as_deref().unwrap_or(tr.text(Text::PresetNone));
    let combo = ComboBox::from_id_salt("preset").height(420.0).width(280.0).selected_text(shown);
    let mut taken = None;
    menu_field(ui, combo, label, shown, |ui| {
        for (name, game) in &presets {
            let is_chosen = chosen.as_ref() == Some(name);
            if ui.selectable_label(is_chosen, name).clicked() {
                taken = Some(of_form(name, game));
            }
        }
    });
    ui.end_row();
    if let Some(taken) = taken {
        *setup = taken;
    }
}

/// The rarely used settings.
pub(super) fn more(ui: &mut Ui, look: Look<'_>, setup: &mut GameForm) {
    let tr = look.tr;
    let more = CollapsingHeader::new(tr.text(Text::EventMore)).id_salt("game more");
    more.show_unindented(ui, |ui| {
        Grid::new("game more").num_columns(2).spacing(vec2(18.0, 10.0)).show(ui, |ui| {
            named_opening(ui, tr, setup);
            illegal_row(ui, look, Text::EngineIllegal, &mut setup.illegal);
            undo_row(ui, look, &mut setup.undo);
            ui.label("");
            ui.checkbox(&mut setup.passing, tr.text(Text::EventPassing));
            ui.end_row();
            keep(ui, look, setup);
        });
    });
}

/// One of the 26 openings of renju, from which the game begins.
fn named_opening(ui: &mut Ui, tr: Translator, setup: &mut GameForm) {
    let label = tr.text(Text::NamedOpening);
    ui.label(label);
    let named = |opening: &canonical::CanonicalOpening| {
        format!("{}  {}", opening.code, tr.canonical(opening))
    };
    let chosen = setup.named();
    let shown = chosen.map_or_else(|| tr.text(Text::NamedOpeningNone).to_owned(), named);
    let combo = ComboBox::from_id_salt("named").height(420.0).width(280.0).selected_text(&shown);
    let mut taken = None;
    let drawn = menu_field(ui, combo, label, &shown, |ui| {
        let none = ui.selectable_label(chosen.is_none(), tr.text(Text::NamedOpeningNone));
        if none.clicked() && setup.opening == Procedure::Book {
            taken = Some(setup.clone().with_book(Vec::new()));
        }
        for opening in &canonical::ALL {
            if ui.selectable_label(chosen == Some(opening), named(opening)).clicked() {
                taken = Some(setup.clone().with_named(opening));
            }
        }
    });
    drawn.on_hover_text(tr.text(Text::NamedOpeningTip));
    ui.end_row();
    if let Some(taken) = taken {
        *setup = taken;
    }
}

/// What an illegal answer costs.
pub(in crate::screens) fn illegal_row(
    ui: &mut Ui,
    look: Look<'_>,
    label: Text,
    policy: &mut IllegalPolicy,
) {
    let tr = look.tr;
    ui.label(tr.text(label));
    ui.horizontal(|ui| {
        let again = matches!(policy, IllegalPolicy::Retries(_));
        for (text, is_chosen, chosen) in [
            (Text::Loses, *policy == IllegalPolicy::Forfeit, IllegalPolicy::Forfeit),
            (Text::IllegalRetries, again, IllegalPolicy::Retries(3)),
            (
                Text::IllegalReplaced,
                *policy == IllegalPolicy::Substitute,
                IllegalPolicy::Substitute,
            ),
        ] {
            let drawn = ui.add(Button::selectable(is_chosen, tr.text(text)));
            if drawn.clicked() && !is_chosen {
                *policy = chosen;
            }
        }
        if let IllegalPolicy::Retries(times) = policy {
            times_field(ui, look, times, 0);
        }
    });
    ui.end_row();
}

fn times_field(ui: &mut Ui, look: Look<'_>, times: &mut u32, least: u32) {
    let label = look.tr.text(Text::IllegalTimes);
    number(ui, label, times, least..=100);
    ui.colored_label(look.palette.weak, label);
}

/// How often moves may be taken back.
pub(in crate::screens) fn undo_row(ui: &mut Ui, look: Look<'_>, undo: &mut Option<u32>) {
    let tr = look.tr;
    let label = tr.text(Text::Undo);
    ui.label(label);
    ui.horizontal(|ui| {
        for (text, is_chosen, chosen) in [
            (Text::UndoNone, *undo == Some(0), Some(0)),
            (Text::UndoSome, undo.is_some_and(|times| times > 0), Some(1)),
            (Text::UndoAny, undo.is_none(), None),
        ] {
            let drawn = ui.add(Button::selectable(is_chosen, tr.text(text)));
            if drawn.clicked() && !is_chosen {
                *undo = chosen;
            }
        }
        if let Some(times @ 1..) = undo {
            times_field(ui, look, times, 1);
        }
    });
    ui.end_row();
}

/// Keeps the settings under a name, or forgets those of that name.
fn keep(ui: &mut Ui, look: Look<'_>, setup: &mut GameForm) {
    let Look { app, tr, .. } = look;
    let (label, tip) = (Text::PresetName, Text::PresetNameTip);
    text_row(ui, tr, label, tip, &mut setup.preset, false);
    if let Some((end, _)) = setup.preset.char_indices().nth(GamePreset::MOST_NAME) {
        setup.preset.truncate(end);
    }
    let name = setup.preset.trim().to_owned();
    let is_kept = app.settings().presets.iter().any(|kept| kept.name == name);
    ui.label("");
    ui.horizontal(|ui| {
        let keep = Button::new(tr.text(Text::PresetKeep));
        if ui.add_enabled(!name.is_empty(), keep).clicked() {
            look.send(Command::EditGameForm(setup.clone()));
            look.send(Command::KeepPreset);
        }
        let forget = Button::new(tr.text(Text::PresetForget));
        if ui.add_enabled(is_kept, forget).clicked() {
            look.send(Command::ForgetPreset(name));
        }
    });
    ui.end_row();
}
