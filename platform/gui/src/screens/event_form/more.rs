use eframe::egui::{Button, ComboBox, RichText, Ui};
use tengen_arbiter::{
    DrawWindow, FoulPolicy, IllegalPolicy, LatePolicy, MarginPolicy, ResignWindow,
};
use tengen_rules::Procedure;
use tengen_tournament::{
    AlikeOption, EngineEntry, EventConfig, ForbiddenOption, IllegalOption, IsolationOption,
    LateOption, MarginOption, OpeningPolicy, SpoiledOption,
};

use super::engines;
use super::parts::{Asking, check, choice, field, flag, heading, table, whole};
use crate::app::{EventForm, Field, House, Text};
use crate::screens::new_game::combo_info;

/// What is asked for rarely.
pub(super) fn more(ui: &mut Ui, house: &House, asking: Asking, form: &mut EventForm) {
    table(ui, "event itself", |ui| {
        field(ui, asking, form, Field::Seed);
        field(ui, asking, form, Field::Folder);
    });
    if !matches!(form.config.opening, Procedure::None | Procedure::Book) {
        heading(ui, asking, Text::Opening);
        table(ui, "event openings", |ui| openings(ui, house, asking, form));
    }
    heading(ui, asking, Text::EventEndings);
    table(ui, "event ends", |ui| endings(ui, asking, form));
    heading(ui, asking, Text::EventClocks);
    table(ui, "event clocks", |ui| clocks(ui, asking, form));
    heading(ui, asking, Text::EventMachine);
    table(ui, "event machine", |ui| machine(ui, asking, form));
    if !form.entrants.is_empty() {
        heading(ui, asking, Text::EventEach);
        engines::each(ui, house, asking, form);
    }
}

/// What is asked in an opening, and of whom.
fn openings(ui: &mut Ui, house: &House, asking: Asking, form: &mut EventForm) {
    if form.declares_fifths() {
        field(ui, asking, form, Field::FifthMoves);
    }
    let ways = [
        (AlikeOption(tengen_rules::Alike::Shape), Text::AlikeShape),
        (AlikeOption(tengen_rules::Alike::Board), Text::AlikeBoard),
    ];
    if form.declares_fifths() || form.config.opening == Procedure::Rif {
        choice(ui, asking, Text::EventAlike, &mut form.config.alike, &ways);
    }
    let policies = [
        (OpeningPolicy::Refuse, Text::PolicyRefuse),
        (OpeningPolicy::Arbiter, Text::PolicyArbiter),
    ];
    choice(ui, asking, Text::EventPolicy, &mut form.config.opening_policy, &policies);
    if form.config.opening_policy == OpeningPolicy::Arbiter {
        assistant(ui, house, asking, &mut form.config.opening_engine);
    }
}

/// The engine that answers for those that do not.
fn assistant(ui: &mut Ui, house: &House, asking: Asking, chosen: &mut Option<EngineEntry>) {
    let words = asking.words;
    let (label, none) = (words.text(Text::EventAssistant), words.text(Text::AssistantNone));
    let listing = house.listing();
    let name = chosen.as_ref().map_or(none, |entry| listing.name(&entry.id)).to_owned();
    ui.label(label);
    let combo = ComboBox::from_id_salt("event assistant").width(280.0).selected_text(&name);
    let drawn = combo.show_ui(ui, |ui| {
        if ui.add(Button::selectable(chosen.is_none(), none)).clicked() {
            *chosen = None;
        }
        for engine in &listing.engines {
            let this = chosen.as_ref().is_some_and(|entry| entry.id == engine.id);
            if ui.add(Button::selectable(this, &engine.name)).clicked() {
                *chosen = Some(EngineEntry::new(&engine.id));
            }
        }
    });
    drawn.response.widget_info(|| combo_info(label, &name));
    ui.end_row();
}

/// How games end besides by five in a row.
fn endings(ui: &mut Ui, asking: Asking, form: &mut EventForm) {
    let words = asking.words;
    let EventConfig { adjudicate_draw: draw, adjudicate_resign: resign, .. } = &mut form.config;
    let mut on = draw.is_some();
    check(ui, words.text(Text::EventDraw), words.text(Text::EventDrawTip), &mut on);
    if on != draw.is_some() {
        *draw = on.then_some(DrawWindow { stones: 40, moves: 8, score: 10 });
    }
    ui.horizontal(|ui| {
        let Some(DrawWindow { stones, moves, score }) = draw else { return };
        whole(ui, asking, Text::WindowMoves, moves, 1..=1000);
        whole(ui, asking, Text::WindowScore, score, 0..=1_000_000);
        whole(ui, asking, Text::WindowStones, stones, 0..=1024);
    });
    ui.end_row();
    let mut on = resign.is_some();
    check(ui, words.text(Text::EventResign), words.text(Text::EventResignTip), &mut on);
    if on != resign.is_some() {
        *resign = on.then_some(ResignWindow { moves: 3, score: 9000 });
    }
    ui.horizontal(|ui| {
        let Some(ResignWindow { moves, score }) = resign else { return };
        whole(ui, asking, Text::WindowMoves, moves, 1..=1000);
        whole(ui, asking, Text::WindowScore, score, 0..=1_000_000);
    });
    ui.end_row();
    field(ui, asking, form, Field::MoveLimit);
    illegal(ui, asking, &mut form.config.illegal);
    let fouls = [
        (ForbiddenOption(FoulPolicy::Automatic), Text::ForbiddenAutomatic),
        (ForbiddenOption(FoulPolicy::Claim), Text::ForbiddenClaim),
    ];
    choice(ui, asking, Text::EventForbidden, &mut form.config.forbidden, &fouls);
    flag(ui, asking, Text::EventDrawOffers, &mut form.config.draw_offers);
    flag(ui, asking, Text::EventPassing, &mut form.config.passing);
}

/// What an illegal move costs.
fn illegal(ui: &mut Ui, asking: Asking, IllegalOption(policy): &mut IllegalOption) {
    let words = asking.words;
    ui.label(words.text(Text::EventIllegal));
    ui.horizontal(|ui| {
        let again = matches!(policy, IllegalPolicy::Retries(_));
        let forfeit = Button::selectable(!again, words.text(Text::IllegalForfeit));
        if ui.add(forfeit).clicked() {
            *policy = IllegalPolicy::Forfeit;
        }
        let retries = Button::selectable(again, words.text(Text::IllegalRetries));
        if ui.add(retries).clicked() && !again {
            *policy = IllegalPolicy::Retries(3);
        }
        if let IllegalPolicy::Retries(times) = policy {
            let label = words.text(Text::IllegalTimes);
            crate::screens::new_game::number(ui, label, times, 0..=100);
            ui.label(RichText::new(label).color(asking.palette.weak));
        }
    });
    ui.end_row();
}

fn clocks(ui: &mut Ui, asking: Asking, form: &mut EventForm) {
    let costs = [
        (LateOption(LatePolicy::Loss), Text::LateLoss),
        (LateOption(LatePolicy::Substitute), Text::LateSubstitute),
    ];
    choice(ui, asking, Text::EventLate, &mut form.config.late, &costs);
    field(ui, asking, form, Field::Margin);
    let over = [
        (MarginOption(MarginPolicy::Game), Text::MarginPerGame),
        (MarginOption(MarginPolicy::Move), Text::MarginPerMove),
    ];
    choice(ui, asking, Text::EventMarginPer, &mut form.config.margin_per, &over);
    for asked in [Field::Stall, Field::Startup] {
        field(ui, asking, form, asked);
    }
    flag(ui, asking, Text::EventCountStartup, &mut form.config.count_startup);
    flag(ui, asking, Text::EventPonder, &mut form.config.ponder);
    flag(ui, asking, Text::EventSendBoard, &mut form.config.send_board);
    let fates =
        [(SpoiledOption::Keep, Text::SpoiledKeep), (SpoiledOption::Replay, Text::SpoiledReplay)];
    choice(ui, asking, Text::EventSpoiled, &mut form.config.spoiled, &fates);
    flag(ui, asking, Text::EventStrictProtocol, &mut form.config.strict_protocol);
}

fn machine(ui: &mut Ui, asking: Asking, form: &mut EventForm) {
    flag(ui, asking, Text::EventRestart, &mut form.config.restart);
    flag(ui, asking, Text::EventSandbox, &mut form.config.require_sandbox);
    for asked in [Field::Memory, Field::FolderLimit, Field::Cpus] {
        field(ui, asking, form, asked);
    }
    let places = [
        (IsolationOption::Child, Text::IsolationChild),
        (IsolationOption::InProcess, Text::IsolationInside),
    ];
    choice(ui, asking, Text::EventIsolation, &mut form.config.isolation, &places);
}
