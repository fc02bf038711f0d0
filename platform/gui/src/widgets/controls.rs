use eframe::egui::Ui;

use super::{Scene, deed_button};
use crate::app::{Command, Deed, Document, Phase, Text};

/// The buttons of the game or the match; one that would do nothing is grey.
pub(crate) fn controls(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    let Scene { snapshot, words, .. } = *scene;
    let resting = matches!(snapshot.phase, Phase::Pausing | Phase::Paused);
    let pause = (Deed::Pause, if resting { Text::Continue } else { Text::Pause }, Text::PauseTip);
    let of_match: &[(Deed, Text, Text)] = &[
        pause,
        (Deed::NextGame, Text::NextGame, Text::NextGameTip),
        (Deed::Stop, Text::Stop, Text::MatchStopTip),
        (Deed::MatchAgain, Text::MatchAgain, Text::MatchAgain),
    ];
    let of_game: &[(Deed, Text, Text)] = &[
        (Deed::TakeBack, Text::TakeBack, Text::TakeBackTip),
        (Deed::Hint, Text::Hint, Text::HintTip),
        pause,
        (Deed::OfferDraw, Text::OfferDraw, Text::OfferDraw),
        (Deed::Resign, Text::Resign, Text::ResignTip),
        (Deed::NewGame, Text::NewGame, Text::NewGame),
    ];
    let of_past: &[(Deed, Text, Text)] = &[
        (Deed::Analyse, Text::Analyse, Text::Analyse),
        (Deed::PlayHere, Text::PlayHere, Text::PlayHere),
        (Deed::NewGame, Text::NewGame, Text::NewGame),
    ];
    let document = scene.house.table().map(|table| &table.document);
    let deeds = match document {
        Some(Document::Opened(_)) => of_past,
        _ if snapshot.series.is_some() => of_match,
        _ => of_game,
    };
    ui.horizontal_wrapped(|ui| {
        for &(deed, label, tip) in deeds {
            let really = deed == Deed::Resign && scene.view.resigning;
            let label = if really { Text::ResignReally } else { label };
            let tip = if tip == label { "" } else { words.text(tip) };
            deed_button(ui, scene.house, scene.keys, deed, words.text(label), tip, commands);
        }
    });
}
