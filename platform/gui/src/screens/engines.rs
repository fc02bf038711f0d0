//! The engine dialog.

use eframe::egui::{
    Align, Button, Frame, Label, Layout, RichText, ScrollArea, TextEdit, Ui, WidgetInfo,
};

use super::dialog_frame::dialog_frame;
use tengen_hosts::{CheckStep, CheckVerdict};
use tengen_lineup::{EngineList, EngineProfile};

use crate::app::{
    Command, Dialog, EngineCheck, EngineCommand, EngineDetails, FileCommand, FilePurpose, Text,
};
use crate::theme::Palette;
use crate::widgets::{Look, line, paragraph, with_label};

mod options;

/// The engines: a list, and the details, options and check of one; and files that look like an
/// engine but are none.
pub(crate) fn engines(ui: &Ui, look: Look<'_>, path: &str) {
    let Look { app, palette, .. } = look;
    let (engine_list, engine_details) = (app.engine_list(), app.engine_details());
    let height = (ui.ctx().content_rect().height() - 300.0).max(200.0);
    dialog_frame(ui, look, Text::EnginesTitle, 860.0, |ui| {
        remark(ui, look, &engine_list);
        ui.add_space(6.0);
        ui.columns(2, |columns| {
            let [left, right] = columns else { return };
            scrolled(left, "list", height, palette, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                list(ui, look, &engine_list, &engine_details)
            });
            scrolled(right, "engine", height, palette, |ui| {
                engine(ui, look, &engine_details);
            });
        });
        ui.add_space(8.0);
        path_field(ui, look, path);
    });
}

fn scrolled(ui: &mut Ui, name: &str, height: f32, palette: Palette, content: impl FnOnce(&mut Ui)) {
    let area = ScrollArea::vertical().id_salt(name).max_height(height).min_scrolled_height(height);
    Frame::new().fill(palette.card).corner_radius(8).inner_margin(10).show(ui, |ui| {
        area.auto_shrink([false, false]).show(ui, |ui| {
            // Columns would stretch their contents.
            ui.with_layout(Layout::top_down(Align::LEFT), content);
        });
    });
}

/// Where to put engines, or why there are none.
fn remark(ui: &mut Ui, look: Look<'_>, engine_list: &EngineList) {
    let Look { app, tr, palette, .. } = look;
    if let Some(problem) = &engine_list.problem {
        paragraph(ui, palette.danger, tr.fill(Text::NoEngines, &[problem]));
    } else if let Some(folder) = app.engine_folder() {
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        paragraph(ui, palette.weak, tr.fill(Text::EngineFolder, &[&folder.display().to_string()]));
    }
}

fn list(ui: &mut Ui, look: Look<'_>, engine_list: &EngineList, engine_details: &EngineDetails) {
    let Look { app, tr, palette, .. } = look;
    for engine in &engine_list.engines {
        let chosen = engine_details.chosen.as_ref() == Some(&engine.id);
        let button = Button::selectable(chosen, &engine.name);
        if line(ui, button).on_hover_text(&engine.id).clicked() {
            look.send(Command::Engine(EngineCommand::Select(engine.id.clone())));
        }
    }
    if engine_list.refused.is_empty() {
        return;
    }
    ui.add_space(10.0);
    ui.label(RichText::new(tr.text(Text::EngineRefused)).strong());
    for (path, reason) in &engine_list.refused {
        ui.add_space(4.0);
        ui.add(Label::new(path).wrap());
        // The path is already in the message.
        let reason = reason
            .strip_prefix(path.as_str())
            .map_or(reason.as_str(), |reason| reason.trim_start_matches(": "));
        ui.add(Label::new(RichText::new(reason).color(palette.danger).small()).wrap());
        let added = app.settings().engines.added.contains(path);
        if added && ui.button(tr.text(Text::EngineRemove)).clicked() {
            look.send(Command::Engine(EngineCommand::Remove(path.clone())));
        }
    }
}

/// The selected engine.
fn engine(ui: &mut Ui, look: Look<'_>, engine_details: &EngineDetails) {
    let Look { app, tr, palette, .. } = look;
    let Some(id) = &engine_details.chosen else {
        ui.colored_label(palette.weak, tr.text(Text::EngineChoose));
        return;
    };
    match &engine_details.profile {
        None => {
            ui.label(tr.text(Text::EngineLoading));
        }
        Some(Err(reason)) => {
            paragraph(ui, palette.danger, tr.fill(Text::EngineCannotStart, &[reason]));
        }
        Some(Ok(profile)) => profile_text(ui, look, id, profile),
    }
    ui.add_space(6.0);
    let running = engine_details.check.as_ref().is_some_and(|check| check.running);
    let say = |command| look.send(Command::Engine(command));
    ui.horizontal(|ui| {
        if running {
            if ui.button(tr.text(Text::EngineCheckStop)).clicked() {
                say(EngineCommand::StopCheck);
            }
        } else {
            let again = engine_details.check.is_some();
            let label = if again { Text::EngineCheckAgain } else { Text::EngineCheck };
            if ui.button(tr.text(label)).clicked() {
                say(EngineCommand::Check(id.clone()));
            }
        }
        let added = app.settings().engines.added.contains(id);
        if added && ui.button(tr.text(Text::EngineRemove)).clicked() {
            say(EngineCommand::Remove(id.clone()));
        }
    });
    if let Some(Ok(profile)) = &engine_details.profile {
        ui.add_space(8.0);
        options::options(ui, look, id, profile);
    }
    if let Some(check) = &engine_details.check {
        ui.add_space(8.0);
        steps(ui, look, check);
    }
}

fn profile_text(ui: &mut Ui, look: Look<'_>, id: &str, profile: &EngineProfile) {
    let Look { tr, palette, .. } = look;
    let name = profile.name.as_deref().unwrap_or(id);
    let version = profile.version.as_deref().unwrap_or_default();
    ui.label(RichText::new(format!("{name} {version}")).strong().size(16.0));
    let plays = if profile.rules.is_empty() {
        tr.text(Text::EnginePlaysAll).to_owned()
    } else {
        tr.fill(Text::EnginePlays, &[&tr.rules(&profile.rules)])
    };
    let by = profile.author.as_ref().map(|author| tr.fill(Text::EngineBy, &[author]));
    let closed = tr.sandbox(&profile.layers).join(tr.text(Text::ListSeparator));
    let sandbox = (!closed.is_empty()).then(|| tr.fill(Text::EngineSandbox, &[&closed]));
    let place = format!("{} {}", profile.kind, profile.path.display());
    let line = |ui: &mut Ui, line: String| paragraph(ui, palette.weak, line);
    for text in [by, profile.about.clone(), Some(plays)].into_iter().flatten() {
        line(ui, text);
    }
    if let Some(sandbox) = sandbox {
        line(ui, sandbox).on_hover_text(profile.layers.join(" "));
    }
    line(ui, place);
}

fn steps(ui: &mut Ui, look: Look<'_>, check: &EngineCheck) {
    let Look { tr, palette, .. } = look;
    let failed = check.steps.iter().filter(|step| !step.is_ok()).count();
    let (all, bad) = (check.steps.len().to_string(), failed.to_string());
    let (text, color) = match (&check.problem, failed) {
        (Some(problem), _) => (tr.fill(Text::CheckImpossible, &[problem]), palette.danger),
        (None, 0) if check.running => (tr.fill(Text::CheckRunning, &[&all]), palette.text),
        (None, 0) => (tr.fill(Text::CheckPassed, &[&all]), palette.text),
        (None, _) => (tr.fill(Text::CheckFailed, &[&bad, &all]), palette.danger),
    };
    ui.add(Label::new(RichText::new(text).color(color).strong()).wrap());
    for step in &check.steps {
        let (mark, color) =
            if step.is_ok() { ("+", palette.weak) } else { ("−", palette.danger) };
        let text = format!("{mark} {}: {}", step.name, seen(step));
        ui.add(Label::new(RichText::new(text).color(color).small()).wrap());
    }
}

/// What was seen, or what is wrong and what to do.
fn seen(step: &CheckStep) -> String {
    match (&step.advice, step.verdict) {
        (Some(advice), _) => format!("{} – {advice}", step.detail),
        (None, CheckVerdict::NotChecked) => format!("not checked: {}", step.detail),
        _ => step.detail.clone(),
    }
}

fn path_field(ui: &mut Ui, look: Look<'_>, path: &str) {
    let Look { tr, palette, .. } = look;
    let label = tr.text(Text::EnginePath);
    let height = ui.spacing().interact_size.y;
    let size = eframe::egui::vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        if ui.button(tr.text(Text::Browse)).clicked() {
            look.send(Command::File(FileCommand::OpenDialog(FilePurpose::Engine)));
        }
        let name = path.trim();
        let add = Button::new(tr.text(Text::EngineAdd));
        if ui.add_enabled(!name.is_empty(), add).clicked() {
            look.send(Command::Engine(EngineCommand::Add(name.to_owned())));
        }
        let mut typed = path.to_owned();
        let tip = tr.text(Text::EnginePathTip);
        let hint = RichText::new(tip).small().color(palette.weak);
        let field = TextEdit::singleline(&mut typed).hint_text(hint);
        let field = ui.add(field.desired_width(f32::INFINITY)).on_hover_text(tip);
        field.widget_info(|| with_label(WidgetInfo::text_edit(true, path, path, ""), label));
        if field.changed() {
            look.send(Command::ShowDialog(Dialog::Engines { path: typed }));
        }
    });
}
