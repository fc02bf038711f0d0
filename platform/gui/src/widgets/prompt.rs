//! The two lines below the board: status, question and answers.

use eframe::egui::{Align, FontId, Label, Layout, RichText, Ui};
use tengen_rules::{Answer, Ask, Color, Seat, Zone};

use super::{Scene, action_button, primary};
use crate::app::{
    AnalysisSession, BoardQuestion, Command, Document, JournalFile, OpenQuestion, Phase, Snapshot,
    Text, UserAction,
};

/// The font sizes of the headline.
const LARGE: f32 = 17.0;
const SMALL: f32 = 13.0;

/// The status, the question to the person, and the buttons to answer: always two lines, so that the
/// board does not jump.
pub(crate) fn prompt(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { snapshot, view, palette, .. } = *scene;
    let question =
        BoardQuestion::of(snapshot, &view.selected).filter(|_| view.follows_game(snapshot));
    ui.horizontal(|ui| {
        ui.set_min_height(34.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // Laid out from the right, so the last answer comes first.
            match (&question, snapshot.asks_person()) {
                (Some(question), Some(asked)) => answers(ui, scene, question, asked),
                _ => others(ui, scene),
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = headline(scene, question.as_ref());
                let font = FontId::proportional(LARGE);
                let line = ui.painter().layout_no_wrap(text.clone(), font, palette.text);
                let fits = line.size().x <= ui.available_width();
                let size = if fits { LARGE } else { SMALL };
                let text = RichText::new(text).size(size).strong().color(palette.text);
                // There is space for two small lines.
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

fn headline(scene: &Scene<'_>, question: Option<&BoardQuestion>) -> String {
    let Scene { snapshot, view, tr, .. } = *scene;
    if scene.analysis().is_some() {
        return tr.text(Text::AnalysisHint).to_owned();
    }
    if let Some(status) = scene.table.and_then(|info| tr.table_status(info, snapshot)) {
        return status;
    }
    if let Some(result) = tr.result(snapshot) {
        return result;
    }
    match (question, snapshot.asks_person()) {
        (Some(question), Some(asked)) => question_text(scene, question, asked),
        (None, Some(_)) => {
            let (shown, all) = (view.shown(snapshot).to_string(), snapshot.rows.len().to_string());
            tr.fill(Text::LookingBack, &[&shown, &all])
        }
        _ => match scene.look.app.tab().map(|tab| &tab.document) {
            Some(Document::Opened(_)) => {
                tr.fill(Text::PositionOf, &[&snapshot.rows.len().to_string()])
            }
            _ => tr.status(snapshot),
        },
    }
}

/// The question to the person, as a sentence.
fn question_text(scene: &Scene<'_>, question: &BoardQuestion, asked: OpenQuestion) -> String {
    let Scene { snapshot, view, tr, .. } = *scene;
    let color = tr.color(snapshot.seats[asked.seat].color);
    let laid = view.points(snapshot).len().to_string();
    let text = |text, values: &[&str]| tr.fill(text, values);
    match asked.ask {
        Ask::Move { zone: Zone::Anywhere } => text(Text::YouMove, &[color]),
        Ask::Move { zone } => text(Text::YouMoveZone, &[color, &tr.zone(zone)]),
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

/// The error, offer, hint or detail.
fn second_line(scene: &Scene<'_>) -> (String, eframe::egui::Color32) {
    let Scene { snapshot, tr, palette, .. } = *scene;
    if let Some(analysis) = scene.analysis() {
        return (analysis_state(scene, analysis), palette.weak);
    }
    if let Some(refusal) = scene.table.and_then(|info| info.refusal.as_ref()) {
        return (tr.server_refusal(refusal), palette.danger);
    }
    if let Some(refusal) = snapshot.refusal.as_ref() {
        return (refusal.clone(), palette.danger);
    }
    if let Some(hint) = tr.hint(snapshot) {
        return (hint, palette.accent);
    }
    if let Some(seat) = snapshot.draw_offer.filter(|_| snapshot.result.is_none()) {
        let name = tr.name(&snapshot.seats[seat].name);
        return (tr.fill(Text::DrawOffered, &[name]), palette.accent);
    }
    if let Some(seat) = snapshot.draw_declined.filter(|_| snapshot.result.is_none()) {
        let name = tr.name(&snapshot.seats[!seat].name);
        return (tr.fill(Text::DrawDeclined, &[name]), palette.accent);
    }
    if let Some(problem) = &snapshot.save_error {
        return (tr.journal_error(JournalFile::Game, problem), palette.danger);
    }
    if let Some(detail) = &snapshot.detail {
        return (detail.lines().next().unwrap_or_default().to_owned(), palette.danger);
    }
    if let Some((seat, answer)) = snapshot.decision.as_ref().filter(|_| snapshot.result.is_none()) {
        let name = tr.name(&snapshot.seats[*seat].name);
        let text = tr.fill(Text::Named, &[name, &tr.answer(answer)]);
        return (text, palette.weak);
    }
    (if snapshot.result.is_some() { tr.status(snapshot) } else { String::new() }, palette.weak)
}

/// The players or the result, and where the analysis is saved.
fn analysis_state(scene: &Scene<'_>, analysis: &AnalysisSession) -> String {
    let Scene { snapshot, tr, .. } = *scene;
    let ended =
        analysis.result().map(|_| Snapshot { result: analysis.result(), ..snapshot.clone() });
    let game = ended.and_then(|ended| tr.result(&ended)).unwrap_or_else(|| {
        let [first, second] = Seat::ALL.map(|seat| tr.seated(&snapshot.seats[seat]));
        format!("{first} – {second}")
    });
    let place = analysis.saved.path().map(|path| path.display().to_string());
    let state = match (analysis.saved.is_unsaved(), place) {
        (true, Some(place)) => tr.fill(Text::AnalysisChangedIn, &[&place]),
        (true, None) => tr.text(Text::AnalysisChanged).to_owned(),
        (false, Some(place)) => tr.fill(Text::AnalysisSaved, &[&place]),
        (false, None) => return game,
    };
    format!("{game}   {state}")
}

/// The buttons to answer, the last one first.
fn answers(ui: &mut Ui, scene: &Scene<'_>, question: &BoardQuestion, asked: OpenQuestion) {
    let Scene { snapshot, view, tr, palette, .. } = *scene;
    let mut answer = |ui: &mut Ui, label: &str, command: Command| {
        if primary(ui, palette, label, true).clicked() {
            scene.look.send(command);
        }
    };
    let colors = |ui: &mut Ui, answer: &mut dyn FnMut(&mut Ui, &str, Command)| {
        let (black, white) = (tr.text(Text::TakeBlack), tr.text(Text::TakeWhite));
        answer(ui, white, Command::Answer(Answer::Choose(Color::White)));
        answer(ui, black, Command::Answer(Answer::Choose(Color::Black)));
    };
    match asked.ask {
        Ask::Choose => colors(ui, &mut answer),
        Ask::ChooseOrPlace { .. } => colors(ui, &mut answer),
        Ask::Swap => {
            answer(ui, tr.text(Text::DoNotSwap), Command::Answer(Answer::Swap(false)));
            answer(ui, tr.text(Text::DoSwap), Command::Answer(Answer::Swap(true)));
        }
        Ask::Declare { min, max } => {
            for number in (min..=max).rev() {
                answer(ui, &number.to_string(), Command::Answer(Answer::Declare(number)));
            }
        }
        Ask::MoveOrOffer { count, .. } => {
            let offering = question.count().is_some();
            let label = if offering {
                tr.text(Text::PlayOneMove).to_owned()
            } else {
                tr.fill(Text::OfferInstead, &[&count.to_string()])
            };
            if ui.button(label).clicked() {
                scene.look.send(Command::OfferFifthMoves(!offering));
            }
        }
        _ => {}
    }
    if let Some(count) = question.count() {
        let full = view.points(snapshot).len() == usize::from(count);
        let places = matches!(asked.ask, Ask::Place { .. } | Ask::ChooseOrPlace { .. });
        let label = if places { Text::LayStones } else { Text::OfferThese };
        if primary(ui, palette, tr.text(label), full).clicked() {
            scene.look.send(Command::Confirm);
        }
    }
    if snapshot.draw_offer == Some(!asked.seat) {
        let label = tr.text(Text::AcceptDraw);
        action_button(ui, scene.look, UserAction::AcceptDraw, label, "");
    }
}

/// The buttons when no person is asked.
fn others(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { snapshot, view, tr, palette, .. } = *scene;
    let button = |action, label| (scene.look.app.command(action), tr.text(label));
    let (command, label) = match snapshot.phase {
        Phase::Paused => button(UserAction::Pause, Text::Resume),
        _ if scene.analysis().is_some() => return,
        _ if !view.follows_game(snapshot) && !snapshot.phase.is_over() => {
            button(UserAction::FollowGame, Text::Live)
        }
        // There another game is asked for, beside the board.
        _ if scene.table.is_some() && snapshot.phase != Phase::Stopped => return,
        // A game without a result goes on.
        Phase::Stopped if scene.look.app.command(UserAction::Pause).is_some() => {
            button(UserAction::Pause, Text::Resume)
        }
        Phase::Finished | Phase::Stopped if snapshot.series.is_none() => {
            button(UserAction::NewGame, Text::NewGame)
        }
        _ => return,
    };
    if primary(ui, palette, label, command.is_some()).clicked() {
        scene.look.send_all(command);
    }
}
