use eframe::egui::{Align, FontId, Label, Layout, RichText, Ui};
use tengen_rules::{Answer, Ask, Color, Seat, Zone};

use super::{Scene, deed_button, primary};
use crate::app::{Asked, Command, Deed, Document, Phase, Question, Snapshot, Study, Text};

/// The sizes of the most important thing to say.
const LARGE: f32 = 17.0;
const SMALL: f32 = 13.0;

/// What goes on, what the person is asked, and the buttons to answer with: two lines that are
/// always there, so that the board does not jump.
pub(crate) fn prompt(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    let Scene { snapshot, view, palette, .. } = *scene;
    let question = Question::of(snapshot, &view.gathered).filter(|_| view.is_live(snapshot));
    ui.horizontal(|ui| {
        ui.set_min_height(34.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // Laid from the right, so the last answer comes first.
            match (&question, snapshot.asks_person()) {
                (Some(question), Some(asked)) => answers(ui, scene, question, asked, commands),
                _ => others(ui, scene, commands),
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = headline(scene, question.as_ref());
                let font = FontId::proportional(LARGE);
                let line = ui.painter().layout_no_wrap(text.clone(), font, palette.text);
                let fits = line.size().x <= ui.available_width();
                let size = if fits { LARGE } else { SMALL };
                let text = RichText::new(text).size(size).strong().color(palette.text);
                // There is room for two small lines.
                ui.add(if fits { Label::new(text).truncate() } else { Label::new(text).wrap() });
            });
        });
    });
    ui.horizontal(|ui| {
        ui.set_min_height(20.0);
        let (text, color) = second_line(scene);
        ui.add(Label::new(RichText::new(text).color(color)).truncate());
    });
}

/// The most important thing to say.
fn headline(scene: &Scene<'_>, question: Option<&Question>) -> String {
    let Scene { snapshot, view, words, .. } = *scene;
    if scene.study().is_some() {
        return words.text(Text::Studying).to_owned();
    }
    if let Some(result) = words.result(snapshot) {
        return result;
    }
    match (question, snapshot.asks_person()) {
        (Some(question), Some(asked)) => asks(scene, question, asked),
        (None, Some(_)) => {
            let (shown, all) = (view.shown(snapshot).to_string(), snapshot.rows.len().to_string());
            words.fill(Text::LookingBack, &[&shown, &all])
        }
        _ => match scene.house.table().map(|table| &table.document) {
            Some(Document::Opened(_)) => {
                words.fill(Text::PositionOf, &[&snapshot.rows.len().to_string()])
            }
            _ => words.status(snapshot),
        },
    }
}

/// What the person is asked, in a sentence.
fn asks(scene: &Scene<'_>, question: &Question, asked: Asked) -> String {
    let Scene { snapshot, view, words, .. } = *scene;
    let color = words.color(snapshot.seats[asked.seat].color);
    let laid = view.points(snapshot).len().to_string();
    let text = |text, values: &[&str]| words.fill(text, values);
    match asked.ask {
        Ask::Move { zone: Zone::Anywhere } => text(Text::YouMove, &[color]),
        Ask::Move { zone } => text(Text::YouMoveZone, &[color, &words.zone(zone)]),
        Ask::Place { count, .. } => text(Text::YouPlace, &[&count.to_string(), &laid]),
        Ask::ChooseOrPlace { count } => text(Text::YouPlaceTwo, &[&count.to_string(), &laid]),
        Ask::Choose => text(Text::YouChoose, &[]),
        Ask::Swap => text(Text::YouSwap, &[color]),
        Ask::Declare { .. } => text(Text::YouDeclare, &[]),
        Ask::Offer { count } => text(Text::YouOffer, &[&count.to_string(), &laid]),
        Ask::MoveOrOffer { count, .. } if question.count().is_some() => {
            text(Text::YouOffer, &[&count.to_string(), &laid])
        }
        Ask::MoveOrOffer { count, .. } => text(Text::YouMoveOrOffer, &[color, &count.to_string()]),
        Ask::Pick => text(Text::YouPick, &[]),
    }
}

/// What was wrong, what was offered or advised, or what goes on.
fn second_line(scene: &Scene<'_>) -> (String, eframe::egui::Color32) {
    let Scene { snapshot, words, palette, .. } = *scene;
    if let Some(study) = scene.study() {
        return (studied(scene, study), palette.weak);
    }
    if let Some(refusal) = snapshot.refusal.as_ref() {
        return (refusal.clone(), palette.danger);
    }
    if let Some(hint) = words.hint(snapshot) {
        return (hint, palette.accent);
    }
    if let Some(seat) = snapshot.draw_offer.filter(|_| snapshot.result.is_none()) {
        let name = words.name(&snapshot.seats[seat].name);
        return (words.fill(Text::DrawOffered, &[name]), palette.accent);
    }
    if let Some(seat) = snapshot.draw_declined.filter(|_| snapshot.result.is_none()) {
        let name = words.name(&snapshot.seats[!seat].name);
        return (words.fill(Text::DrawDeclined, &[name]), palette.accent);
    }
    if let Some(problem) = &snapshot.unkept {
        return (words.unkept(problem), palette.danger);
    }
    if let Some(detail) = &snapshot.detail {
        return (detail.lines().next().unwrap_or_default().to_owned(), palette.danger);
    }
    if let Some((seat, answer)) = snapshot.decision.as_ref().filter(|_| snapshot.result.is_none()) {
        let name = words.name(&snapshot.seats[*seat].name);
        let text = words.fill(Text::Decided, &[name, &words.answer(answer)]);
        return (text, palette.weak);
    }
    (if snapshot.result.is_some() { words.status(snapshot) } else { String::new() }, palette.weak)
}

/// Whose game is looked into, and where what is written to it is kept.
fn studied(scene: &Scene<'_>, study: &Study) -> String {
    let Scene { snapshot, words, .. } = *scene;
    let ended = study.result().map(|_| Snapshot { result: study.result(), ..snapshot.clone() });
    let game = ended.and_then(|ended| words.result(&ended)).unwrap_or_else(|| {
        let [first, second] = Seat::ALL.map(|seat| words.seated(&snapshot.seats[seat]));
        format!("{first} – {second}")
    });
    let place = study.path().map(|path| path.display().to_string());
    let state = match (study.is_unsaved(), place) {
        (true, Some(place)) => words.fill(Text::StudyChangedIn, &[&place]),
        (true, None) => words.text(Text::StudyChanged).to_owned(),
        (false, Some(place)) => words.fill(Text::StudySaved, &[&place]),
        (false, None) => return game,
    };
    format!("{game}   {state}")
}

/// The buttons that answer, the last one first.
fn answers(
    ui: &mut Ui,
    scene: &Scene<'_>,
    question: &Question,
    asked: Asked,
    commands: &mut Vec<Command>,
) {
    let Scene { snapshot, view, words, palette, .. } = *scene;
    let mut answer = |ui: &mut Ui, label: &str, command: Command| {
        if primary(ui, palette, label, true).clicked() {
            commands.push(command);
        }
    };
    let colors = |ui: &mut Ui, answer: &mut dyn FnMut(&mut Ui, &str, Command)| {
        let (black, white) = (words.text(Text::TakeBlack), words.text(Text::TakeWhite));
        answer(ui, white, Command::Answer(Answer::Choose(Color::White)));
        answer(ui, black, Command::Answer(Answer::Choose(Color::Black)));
    };
    match asked.ask {
        Ask::Choose => colors(ui, &mut answer),
        Ask::ChooseOrPlace { .. } => colors(ui, &mut answer),
        Ask::Swap => {
            answer(ui, words.text(Text::DoNotSwap), Command::Answer(Answer::Swap(false)));
            answer(ui, words.text(Text::DoSwap), Command::Answer(Answer::Swap(true)));
        }
        Ask::Declare { min, max } => {
            for number in (min..=max).rev() {
                answer(ui, &number.to_string(), Command::Answer(Answer::Declare(number)));
            }
        }
        Ask::MoveOrOffer { count, .. } => {
            let offering = question.count().is_some();
            let label = if offering {
                words.text(Text::PlayOneMove).to_owned()
            } else {
                words.fill(Text::OfferInstead, &[&count.to_string()])
            };
            if ui.button(label).clicked() {
                commands.push(Command::Offering(!offering));
            }
        }
        _ => {}
    }
    if let Some(count) = question.count() {
        let full = view.points(snapshot).len() == usize::from(count);
        let places = matches!(asked.ask, Ask::Place { .. } | Ask::ChooseOrPlace { .. });
        let label = if places { Text::LayStones } else { Text::OfferThese };
        if primary(ui, palette, words.text(label), full).clicked() {
            commands.push(Command::Confirm);
        }
    }
    if snapshot.draw_offer == Some(!asked.seat) {
        let label = words.text(Text::AcceptDraw);
        deed_button(ui, scene.house, scene.keys, Deed::AcceptDraw, label, "", commands);
    }
}

/// The buttons that stand there when nobody is asked.
fn others(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    let Scene { snapshot, view, words, palette, .. } = *scene;
    let button = |deed, label| (scene.house.command(deed), words.text(label));
    let (command, label) = match snapshot.phase {
        Phase::Paused => button(Deed::Pause, Text::Continue),
        _ if scene.study().is_some() => return,
        _ if !view.is_live(snapshot) && !snapshot.phase.is_over() => button(Deed::Live, Text::Live),
        Phase::Finished | Phase::Stopped if snapshot.series.is_none() => {
            button(Deed::NewGame, Text::NewGame)
        }
        _ => return,
    };
    if primary(ui, palette, label, command.is_some()).clicked() {
        commands.extend(command);
    }
}
