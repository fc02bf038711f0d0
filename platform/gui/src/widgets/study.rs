use eframe::egui::{Button, ComboBox, DragValue, Frame, RichText, Role, TextEdit, Ui, WidgetInfo};

use super::{Scene, deed_button, engines};
use crate::app::{Command, Deed, Study, StudyCommand, Text};

/// A game that is looked into: who thinks about it, what it says, and where lines go off.
pub(crate) fn study(ui: &mut Ui, scene: &Scene<'_>, study: &Study, commands: &mut Vec<Command>) {
    let Scene { snapshot, view, words, palette, .. } = *scene;
    let shown = view.shown(snapshot);
    let frame = Frame::new().fill(palette.card).corner_radius(8).inner_margin(10);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        adviser(ui, scene, study, commands);
        ui.spacing_mut().item_spacing.y = 2.0;
        let top = ui.cursor().top();
        for (index, best) in study.live().lines(shown).iter().enumerate() {
            if index == 0 {
                engines::heads(ui, scene);
            }
            let number = (index + 1).to_string();
            let name = (number.as_str(), palette.text);
            engines::said(ui, scene, name, index + 1, (shown, best), commands);
        }
        let advising = study.advising();
        if advising.engine.is_some() {
            // What is below stays where it is while lines come and go.
            let room = engines::height(advising.lines as usize);
            ui.add_space((top + room - ui.cursor().top()).max(0.0));
        }
        if let Some(problem) = advising.problem {
            ui.label(RichText::new(problem).color(palette.danger));
        }
    });
    ui.add_space(4.0);
    branches(ui, scene, study, commands);
    let mut comment = study.comment(shown).to_owned();
    let field = TextEdit::multiline(&mut comment).desired_rows(2).desired_width(f32::INFINITY);
    let field = ui.add(field.hint_text(words.text(Text::StudyComment)));
    field.widget_info(|| {
        let mut info = WidgetInfo::text_edit(true, study.comment(shown), &comment, "");
        info.label = Some(words.text(Text::StudyComment).to_owned());
        info
    });
    if field.changed() {
        commands.push(Command::Study(StudyCommand::Comment(comment)));
    }
}

/// Which engine thinks, and how many lines it tells.
fn adviser(ui: &mut Ui, scene: &Scene<'_>, study: &Study, commands: &mut Vec<Command>) {
    let (words, listing) = (scene.words, scene.house.listing());
    let advising = study.advising();
    let nobody = words.text(Text::StudyNobody);
    let name = advising.engine.as_deref().map_or(nobody, |id| listing.name(id)).to_owned();
    ui.horizontal_wrapped(|ui| {
        let combo = ComboBox::from_id_salt("adviser").width(140.0).selected_text(&name);
        let drawn = combo.show_ui(ui, |ui| {
            let mut choice = |ui: &mut Ui, label: &str, engine: Option<String>| {
                let chosen = advising.engine == engine;
                if ui.add(Button::selectable(chosen, label)).clicked() {
                    commands.push(Command::Study(StudyCommand::Engine(engine)));
                }
            };
            choice(ui, nobody, None);
            for engine in &listing.engines {
                choice(ui, &engine.name, Some(engine.id.clone()));
            }
        });
        drawn.response.widget_info(|| {
            let label = words.text(Text::StudyEngine);
            let mut info = WidgetInfo::labeled(Role::ComboBox, true, label);
            info.current_text_value = Some(name.clone());
            info
        });
        let mut lines = advising.lines;
        let field = DragValue::new(&mut lines).range(1..=Study::MOST_LINES);
        let field = ui.add(field.suffix(words.text(Text::StudyLinesUnit)));
        if field.on_hover_text(words.text(Text::StudyLines)).changed() {
            commands.push(Command::Study(StudyCommand::Lines(lines)));
        }
        let sweep = if study.sweeps() { Text::StudyStop } else { Text::StudySweep };
        let tip = words.text(Text::StudySweepTip);
        deed_button(ui, scene.house, scene.keys, Deed::Sweep, words.text(sweep), tip, commands);
    });
}

/// What may follow, and what may be done with the line shown.
fn branches(ui: &mut Ui, scene: &Scene<'_>, study: &Study, commands: &mut Vec<Command>) {
    let Scene { snapshot, view, words, .. } = *scene;
    let shown = view.shown(snapshot);
    let branches = study.branches(shown);
    if !branches.is_empty() {
        ui.horizontal_wrapped(|ui| {
            for (index, (mv, on_line)) in branches.into_iter().enumerate() {
                let button = ui.add(Button::selectable(on_line, words.mv(mv)));
                button.widget_info(|| {
                    let text = words.fill(Text::StudyBranch, &[&words.mv(mv)]);
                    WidgetInfo::selected(Role::Button, true, on_line, text)
                });
                if button.clicked() {
                    let branch = StudyCommand::Branch { after: shown, index };
                    commands.push(Command::Study(branch));
                }
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        for (deed, label) in [
            (Deed::Promote, Text::StudyPromote),
            (Deed::DeleteLine, Text::StudyDelete),
            (Deed::Save, Text::Save),
        ] {
            deed_button(ui, scene.house, scene.keys, deed, words.text(label), "", commands);
        }
    });
}
