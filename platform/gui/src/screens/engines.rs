use eframe::egui::{
    Align, Button, Frame, Label, Layout, RichText, ScrollArea, TextEdit, Ui, WidgetInfo,
};

use super::cover::cover;
use crate::app::{
    Command, Dialog, EngineCommand, FileCommand, House, Listing, Profile, Purpose, Text, Trial,
    Words, Workshop,
};
use crate::theme::Palette;
use crate::widgets::line;

mod options;

/// The engines there are: what each says of itself, its options, and whether it does what it
/// should; and what looks like an engine and is none.
pub(crate) fn engines(
    ui: &Ui,
    house: &House,
    path: &str,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let (listing, workshop) = (house.listing(), house.workshop());
    let height = (ui.ctx().content_rect().height() - 300.0).max(200.0);
    cover(ui, words, palette, Text::EnginesTitle, 860.0, commands, |ui, commands| {
        remark(ui, house, &listing, palette);
        ui.add_space(6.0);
        ui.columns(2, |columns| {
            let [left, right] = columns else { return };
            scrolled(left, "list", height, palette, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                list(ui, house, &listing, &workshop, palette, commands)
            });
            scrolled(right, "engine", height, palette, |ui| {
                engine(ui, house, &workshop, palette, commands);
            });
        });
        ui.add_space(8.0);
        path_field(ui, words, path, palette, commands);
    });
}

fn scrolled(ui: &mut Ui, name: &str, height: f32, palette: Palette, content: impl FnOnce(&mut Ui)) {
    let area = ScrollArea::vertical().id_salt(name).max_height(height).min_scrolled_height(height);
    Frame::new().fill(palette.card).corner_radius(8).inner_margin(10).show(ui, |ui| {
        area.auto_shrink([false, false]).show(ui, |ui| {
            // Columns would stretch what is in them.
            ui.with_layout(Layout::top_down(Align::LEFT), content);
        });
    });
}

/// Where engines may be put, or why there are none.
fn remark(ui: &mut Ui, house: &House, listing: &Listing, palette: Palette) {
    let words = house.words();
    if let Some(problem) = &listing.problem {
        let text = words.fill(Text::NoEngines, &[problem]);
        ui.add(Label::new(RichText::new(text).color(palette.danger)).wrap());
    } else if let Some(folder) = house.engine_folder() {
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let text = words.fill(Text::EngineFolder, &[&folder.display().to_string()]);
        ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
    }
}

fn list(
    ui: &mut Ui,
    house: &House,
    listing: &Listing,
    workshop: &Workshop,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    for engine in &listing.engines {
        let chosen = workshop.chosen.as_ref() == Some(&engine.id);
        let button = Button::selectable(chosen, &engine.name);
        if line(ui, button).on_hover_text(&engine.id).clicked() {
            commands.push(Command::Engine(EngineCommand::Choose(engine.id.clone())));
        }
    }
    if listing.refused.is_empty() {
        return;
    }
    ui.add_space(10.0);
    ui.label(RichText::new(words.text(Text::EngineRefused)).strong());
    for (path, reason) in &listing.refused {
        ui.add_space(4.0);
        ui.add(Label::new(path).wrap());
        // Who reads it has just read of what.
        let reason = reason
            .strip_prefix(path.as_str())
            .map_or(reason.as_str(), |reason| reason.trim_start_matches(": "));
        ui.add(Label::new(RichText::new(reason).color(palette.danger).small()).wrap());
        let added = house.settings().engines.added.contains(path);
        if added && ui.button(words.text(Text::EngineRemove)).clicked() {
            commands.push(Command::Engine(EngineCommand::Remove(path.clone())));
        }
    }
}

/// The engine that is looked at.
fn engine(
    ui: &mut Ui,
    house: &House,
    workshop: &Workshop,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let Some(id) = &workshop.chosen else {
        ui.label(RichText::new(words.text(Text::EngineChoose)).color(palette.weak));
        return;
    };
    match &workshop.profile {
        None => {
            ui.label(words.text(Text::EngineAsked));
        }
        Some(Err(reason)) => {
            let text = words.fill(Text::EngineBroken, &[reason]);
            ui.add(Label::new(RichText::new(text).color(palette.danger)).wrap());
        }
        Some(Ok(profile)) => profile_text(ui, words, id, profile, palette),
    }
    ui.add_space(6.0);
    let running = workshop.trial.as_ref().is_some_and(|trial| trial.running);
    let mut say = |command| commands.push(Command::Engine(command));
    ui.horizontal(|ui| {
        if running {
            if ui.button(words.text(Text::EngineStop)).clicked() {
                say(EngineCommand::StopTrial);
            }
        } else {
            let again = workshop.trial.is_some();
            let label = if again { Text::EngineRetry } else { Text::EngineTry };
            if ui.button(words.text(label)).clicked() {
                say(EngineCommand::Try(id.clone()));
            }
        }
        let added = house.settings().engines.added.contains(id);
        if added && ui.button(words.text(Text::EngineRemove)).clicked() {
            say(EngineCommand::Remove(id.clone()));
        }
    });
    if let Some(Ok(profile)) = &workshop.profile {
        ui.add_space(8.0);
        options::options(ui, house, id, profile, palette, commands);
    }
    if let Some(trial) = &workshop.trial {
        ui.add_space(8.0);
        findings(ui, words, trial, palette);
    }
}

fn profile_text(ui: &mut Ui, words: Words, id: &str, profile: &Profile, palette: Palette) {
    let name = profile.name.as_deref().unwrap_or(id);
    let version = profile.version.as_deref().unwrap_or_default();
    ui.label(RichText::new(format!("{name} {version}")).strong().size(16.0));
    let plays = if profile.rules.is_empty() {
        words.text(Text::EnginePlaysAll).to_owned()
    } else {
        words.fill(Text::EnginePlays, &[&words.rules(&profile.rules)])
    };
    let by = profile.author.as_ref().map(|author| words.fill(Text::EngineBy, &[author]));
    let closed = words.walls(&profile.layers).join(words.text(Text::WallBetween));
    let walls = (!closed.is_empty()).then(|| words.fill(Text::EngineWalls, &[&closed]));
    let place = format!("{} {}", profile.kind, profile.path.display());
    let line = |ui: &mut Ui, line: String| {
        ui.add(Label::new(RichText::new(line).color(palette.weak)).wrap())
    };
    for text in [by, profile.about.clone(), Some(plays)].into_iter().flatten() {
        line(ui, text);
    }
    if let Some(walls) = walls {
        line(ui, walls).on_hover_text(profile.layers.join(" "));
    }
    line(ui, place);
}

fn findings(ui: &mut Ui, words: Words, trial: &Trial, palette: Palette) {
    let failed = trial.findings.iter().filter(|finding| !finding.ok).count();
    let (all, bad) = (trial.findings.len().to_string(), failed.to_string());
    let (text, color) = match (&trial.problem, failed) {
        (Some(problem), _) => (words.fill(Text::TrialImpossible, &[problem]), palette.danger),
        (None, 0) if trial.running => (words.fill(Text::TrialGoing, &[&all]), palette.text),
        (None, 0) => (words.fill(Text::TrialGood, &[&all]), palette.text),
        (None, _) => (words.fill(Text::TrialBad, &[&bad, &all]), palette.danger),
    };
    ui.add(Label::new(RichText::new(text).color(color).strong()).wrap());
    for finding in &trial.findings {
        let (mark, color) = if finding.ok { ("+", palette.weak) } else { ("−", palette.danger) };
        let text = format!("{mark} {}: {}", finding.name, finding.detail);
        ui.add(Label::new(RichText::new(text).color(color).small()).wrap());
    }
}

fn path_field(
    ui: &mut Ui,
    words: Words,
    path: &str,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let label = words.text(Text::EnginePath);
    let height = ui.spacing().interact_size.y;
    let size = eframe::egui::vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        if ui.button(words.text(Text::Browse)).clicked() {
            commands.push(Command::File(FileCommand::Ask(Purpose::Engine)));
        }
        let name = path.trim();
        let add = Button::new(words.text(Text::EngineAdd));
        if ui.add_enabled(!name.is_empty(), add).clicked() {
            commands.push(Command::Engine(EngineCommand::Add(name.to_owned())));
        }
        let mut typed = path.to_owned();
        let tip = words.text(Text::EnginePathTip);
        let hint = RichText::new(tip).small().color(palette.weak);
        let field = TextEdit::singleline(&mut typed).hint_text(hint);
        let field = ui.add(field.desired_width(f32::INFINITY)).on_hover_text(tip);
        field.widget_info(|| {
            let mut info = WidgetInfo::text_edit(true, path, path, "");
            info.label = Some(label.to_owned());
            info
        });
        if field.changed() {
            commands.push(Command::Show(Dialog::Engines { path: typed }));
        }
    });
}
