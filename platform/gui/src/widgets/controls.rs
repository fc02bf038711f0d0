use eframe::egui::Ui;
use tengen_rules::{Answer, Ask, Move, Zone};

use super::{Scene, action_button};
use crate::app::{Command, Document, Phase, Text, UserAction};

/// The buttons of the game or match; one that means nothing now is disabled.
pub(crate) fn controls(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { snapshot, tr, .. } = *scene;
    let rests = matches!(snapshot.phase, Phase::Pausing | Phase::Paused);
    let resting = rests || (snapshot.is_open() && snapshot.series.is_none());
    let pause =
        (UserAction::Pause, if resting { Text::Resume } else { Text::Pause }, Text::PauseTip);
    let of_match: &[(UserAction, Text, Text)] = &[
        pause,
        (UserAction::NextGame, Text::NextGame, Text::NextGameTip),
        (UserAction::Stop, Text::Stop, Text::MatchStopTip),
        (UserAction::MatchAgain, Text::MatchAgain, Text::MatchAgain),
    ];
    let of_game: &[(UserAction, Text, Text)] = &[
        (UserAction::TakeBack, Text::TakeBack, Text::TakeBackTip),
        (UserAction::Hint, Text::Hint, Text::HintTip),
        pause,
        (UserAction::OfferDraw, Text::OfferDraw, Text::OfferDraw),
        (UserAction::Resign, Text::Resign, Text::ResignTip),
        (UserAction::NewGame, Text::NewGame, Text::NewGame),
    ];
    let rest =
        if resting { (Text::Resume, Text::Resume) } else { (Text::Pause, Text::AskForPause) };
    let of_table: &[(UserAction, Text, Text)] = &[
        (UserAction::TakeBack, Text::TakeBack, Text::AskToTakeBack),
        (UserAction::Pause, rest.0, rest.1),
        (UserAction::OfferDraw, Text::OfferDraw, Text::OfferDraw),
        (UserAction::Resign, Text::Resign, Text::ResignTip),
    ];
    let of_past: &[(UserAction, Text, Text)] = &[
        (UserAction::Pause, Text::Resume, Text::ResumeTip),
        (UserAction::Analyse, Text::Analyse, Text::Analyse),
        (UserAction::PlayHere, Text::PlayHere, Text::PlayHere),
        (UserAction::NewGame, Text::NewGame, Text::NewGame),
    ];
    let document = scene.look.app.tab().map(|tab| &tab.document);
    let actions = match document {
        Some(Document::Opened(_)) if snapshot.is_open() => of_past,
        Some(Document::Opened(_)) => &of_past[1..],
        Some(Document::Table(_)) => of_table,
        _ if snapshot.series.is_some() => of_match,
        _ => of_game,
    };
    ui.horizontal_wrapped(|ui| {
        for &(action, label, tip) in actions {
            let really = action == UserAction::Resign && scene.view.resigning;
            let label = if really { Text::ResignConfirm } else { label };
            let tip = if tip == label { "" } else { tr.text(tip) };
            action_button(ui, scene.look, action, tr.text(label), tip);
        }
        if may_pass(scene) && ui.button(tr.text(Text::PassNow)).clicked() {
            scene.look.send(Command::Answer(Answer::Move(Move::Pass)));
        }
    });
}

/// Whether the person who is asked may pass.
fn may_pass(scene: &Scene<'_>) -> bool {
    let asked = scene.snapshot.asks_person();
    let is_free = asked.is_some_and(|asked| asked.ask == Ask::Move { zone: Zone::Anywhere });
    is_free && (scene.snapshot.passing || scene.table.is_some_and(|info| info.settings.passing))
}
