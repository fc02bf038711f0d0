//! The pane of an analysis.

use eframe::egui::{Button, ComboBox, DragValue, Role, TextEdit, Ui, WidgetInfo};

use super::{Scene, action_button, card, engines, menu_field, with_label};
use crate::app::{AnalysisCommand, AnalysisSession, Command, Text, UserAction};

/// An analysis: the engine, its lines, and the variations.
pub(crate) fn analysis(ui: &mut Ui, scene: &Scene<'_>, analysis: &AnalysisSession) {
    let Scene { snapshot, view, tr, palette, .. } = *scene;
    let shown = view.shown(snapshot);
    card(ui, palette, |ui| {
        engine_choice(ui, scene, analysis);
        ui.spacing_mut().item_spacing.y = 2.0;
        let top = ui.cursor().top();
        for (index, best) in analysis.output().lines(shown).iter().enumerate() {
            if index == 0 {
                engines::heads(ui, scene);
            }
            let number = (index + 1).to_string();
            let name = (number.as_str(), palette.text);
            engines::said(ui, scene, name, index + 1, (shown, best));
        }
        let status = analysis.status();
        if status.engine.is_some() {
            // What is below keeps its place while lines come and go.
            let room = engines::height(status.lines as usize);
            ui.add_space((top + room - ui.cursor().top()).max(0.0));
        }
        if let Some(problem) = status.problem {
            ui.colored_label(palette.danger, problem);
        }
    });
    ui.add_space(4.0);
    branches(ui, scene, analysis);
    let mut comment = analysis.comment(shown).to_owned();
    let field = TextEdit::multiline(&mut comment).desired_rows(2).desired_width(f32::INFINITY);
    let field = ui.add(field.hint_text(tr.text(Text::AnalysisComment)));
    let info = || WidgetInfo::text_edit(true, analysis.comment(shown), &comment, "");
    field.widget_info(|| with_label(info(), tr.text(Text::AnalysisComment)));
    if field.changed() {
        scene.look.send(Command::Analysis(AnalysisCommand::Comment(comment)));
    }
}

/// The engine, and the number of lines.
fn engine_choice(ui: &mut Ui, scene: &Scene<'_>, analysis: &AnalysisSession) {
    let (tr, engine_list) = (scene.tr, scene.look.app.engine_list());
    let status = analysis.status();
    let nobody = tr.text(Text::AnalysisNoEngine);
    let name = status.engine.as_deref().map_or(nobody, |id| engine_list.name(id)).to_owned();
    ui.horizontal_wrapped(|ui| {
        let combo = ComboBox::from_id_salt("adviser").width(140.0).selected_text(&name);
        menu_field(ui, combo, tr.text(Text::AnalysisEngine), &name, |ui| {
            let choice = |ui: &mut Ui, label: &str, engine: Option<String>| {
                if ui.selectable_label(status.engine == engine, label).clicked() {
                    scene.look.send(Command::Analysis(AnalysisCommand::Engine(engine)));
                }
            };
            choice(ui, nobody, None);
            for engine in &engine_list.engines {
                choice(ui, &engine.name, Some(engine.id.clone()));
            }
        });
        let mut lines = status.lines;
        let field = DragValue::new(&mut lines).range(1..=AnalysisSession::MOST_LINES);
        let field = ui.add(field.suffix(tr.text(Text::AnalysisLinesUnit)));
        if field.on_hover_text(tr.text(Text::AnalysisLines)).changed() {
            scene.look.send(Command::Analysis(AnalysisCommand::Lines(lines)));
        }
        let full_analysis = if analysis.is_analysing_all() { Text::Stop } else { Text::AnalyseAll };
        let tip = tr.text(Text::AnalyseAllTip);
        action_button(ui, scene.look, UserAction::AnalyseAll, tr.text(full_analysis), tip);
    });
}

/// The next moves, and the buttons for the line shown.
fn branches(ui: &mut Ui, scene: &Scene<'_>, analysis: &AnalysisSession) {
    let Scene { snapshot, view, tr, .. } = *scene;
    let shown = view.shown(snapshot);
    let branches = analysis.branches(shown);
    if !branches.is_empty() {
        ui.horizontal_wrapped(|ui| {
            for (index, (mv, on_line)) in branches.into_iter().enumerate() {
                let button = ui.add(Button::selectable(on_line, tr.mv(mv)));
                button.widget_info(|| {
                    let text = tr.fill(Text::AnalysisBranch, &[&tr.mv(mv)]);
                    WidgetInfo::selected(Role::Button, true, on_line, text)
                });
                if button.clicked() {
                    let branch = AnalysisCommand::Branch { after: shown, index };
                    scene.look.send(Command::Analysis(branch));
                }
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        for (action, label) in [
            (UserAction::Promote, Text::AnalysisPromote),
            (UserAction::DeleteLine, Text::AnalysisDelete),
            (UserAction::Save, Text::Save),
        ] {
            action_button(ui, scene.look, action, tr.text(label), "");
        }
    });
}
