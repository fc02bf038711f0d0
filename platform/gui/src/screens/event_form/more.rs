//! The rarely used settings of the event form.

use eframe::egui::{Button, ComboBox, RichText, Ui};
use tengen_arbiter::{
    DrawWindow, FoulPolicy, IllegalPolicy, LatePolicy, MarginPolicy, ResignBy, ResignWindow,
};
use tengen_rules::Procedure;
use tengen_tournament::{
    AbsentOption, AlikeOption, ChangedOption, EngineEntry, EventConfig, EventFormat,
    ForbiddenOption, IllegalOption, IsolationOption, LateOption, MarginOption, OpeningPolicy,
    RestartOption, SpoiledOption,
};

use super::engines;
use super::fields::{FormContext, check, choice, field, flag, heading, table, whole};
use crate::app::{App, EventForm, FormField, Text};
use crate::screens::new_game::combo_info;

/// The rarely used settings.
pub(super) fn more(ui: &mut Ui, app: &App, context: FormContext, form: &mut EventForm) {
    table(ui, "event itself", |ui| {
        format(ui, context, &mut form.config);
        field(ui, context, form, FormField::Seed);
        field(ui, context, form, FormField::Folder);
    });
    if !matches!(form.config.opening, Procedure::None | Procedure::Book) {
        heading(ui, context, Text::Opening);
        table(ui, "event openings", |ui| openings(ui, app, context, form));
    }
    heading(ui, context, Text::EventEndings);
    table(ui, "event ends", |ui| endings(ui, context, form));
    heading(ui, context, Text::EventClocks);
    table(ui, "event clocks", |ui| clocks(ui, context, form));
    heading(ui, context, Text::EventMachine);
    table(ui, "event machine", |ui| machine(ui, context, form));
    if !form.entrants.is_empty() {
        heading(ui, context, Text::EventEach);
        engines::each(ui, app, context, form);
    }
}

/// Who meets whom. The stages of a file stay as they are.
fn format(ui: &mut Ui, context: FormContext, config: &mut EventConfig) {
    let tr = context.tr;
    let label = tr.text(Text::EventFormat);
    ui.label(label);
    if !config.stages.is_empty() {
        ui.label(tr.text(Text::FormatStages));
        ui.end_row();
        return;
    }
    let name = |format| {
        tr.text(match format {
            EventFormat::RoundRobin => Text::FormatRoundRobin,
            EventFormat::Gauntlet => Text::FormatGauntlet,
            EventFormat::Swiss => Text::FormatSwiss,
            EventFormat::Knockout => Text::FormatKnockout,
            EventFormat::DoubleElimination => Text::FormatDouble,
            EventFormat::Ladder => Text::FormatLadder,
            EventFormat::Groups => Text::FormatGroups,
        })
    };
    ui.horizontal(|ui| {
        let combo = ComboBox::from_id_salt("event format").width(180.0);
        let drawn = combo.selected_text(name(config.format)).show_ui(ui, |ui| {
            for format in EventFormat::ALL {
                let this = config.format == format;
                if ui.add(Button::selectable(this, name(format))).clicked() && !this {
                    config.set_format(format);
                    config.groups = (format == EventFormat::Groups).then_some(2);
                }
            }
        });
        drawn.response.widget_info(|| combo_info(label, name(config.format)));
        if config.format == EventFormat::Swiss {
            let usual = config.rounds.unwrap_or(5);
            whole(ui, context, Text::EventRounds, config.rounds.get_or_insert(usual), 1..=100);
        }
        if let Some(groups) = &mut config.groups {
            whole(ui, context, Text::EventGroups, groups, 1..=500);
        }
    });
    ui.end_row();
}

/// The settings of the opening.
fn openings(ui: &mut Ui, app: &App, context: FormContext, form: &mut EventForm) {
    if form.declares_fifths() {
        field(ui, context, form, FormField::FifthMoves);
    }
    let ways = [
        (AlikeOption(tengen_rules::Alike::Shape), Text::AlikeShape),
        (AlikeOption(tengen_rules::Alike::Board), Text::AlikeBoard),
    ];
    if form.declares_fifths() || form.config.opening == Procedure::Rif {
        choice(ui, context, Text::EventAlike, &mut form.config.alike, &ways);
    }
    let policies = [
        (OpeningPolicy::Refuse, Text::PolicyRefuse),
        (OpeningPolicy::Arbiter, Text::PolicyArbiter),
    ];
    choice(ui, context, Text::EventPolicy, &mut form.config.opening_policy, &policies);
    if form.config.opening_policy == OpeningPolicy::Arbiter {
        assistant(ui, app, context, &mut form.config.opening_engine);
    }
}

/// The engine that answers for those that do not know the opening.
fn assistant(ui: &mut Ui, app: &App, context: FormContext, chosen: &mut Option<EngineEntry>) {
    let tr = context.tr;
    let (label, none) = (tr.text(Text::EventAssistant), tr.text(Text::AssistantNone));
    let engine_list = app.engine_list();
    let name = chosen.as_ref().map_or(none, |entry| engine_list.name(&entry.id)).to_owned();
    ui.label(label);
    let combo = ComboBox::from_id_salt("event assistant").width(280.0).selected_text(&name);
    let drawn = combo.show_ui(ui, |ui| {
        if ui.add(Button::selectable(chosen.is_none(), none)).clicked() {
            *chosen = None;
        }
        for engine in &engine_list.engines {
            let this = chosen.as_ref().is_some_and(|entry| entry.id == engine.id);
            if ui.add(Button::selectable(this, &engine.name)).clicked() {
                *chosen = Some(EngineEntry::new(&engine.id));
            }
        }
    });
    drawn.response.widget_info(|| combo_info(label, &name));
    ui.end_row();
}

/// How games end, besides five in a row.
fn endings(ui: &mut Ui, context: FormContext, form: &mut EventForm) {
    let tr = context.tr;
    let EventConfig { adjudicate_draw: draw, adjudicate_resign: resign, .. } = &mut form.config;
    let mut on = draw.is_some();
    check(ui, tr.text(Text::EventDraw), tr.text(Text::EventDrawTip), &mut on);
    if on != draw.is_some() {
        *draw = on.then_some(DrawWindow { stones: 40, moves: 8, score: 10 });
    }
    ui.horizontal(|ui| {
        let Some(DrawWindow { stones, moves, score }) = draw else { return };
        whole(ui, context, Text::WindowMoves, moves, 1..=1000);
        whole(ui, context, Text::WindowScore, score, 0..=1_000_000);
        whole(ui, context, Text::WindowStones, stones, 0..=1024);
    });
    ui.end_row();
    let mut on = resign.is_some();
    check(ui, tr.text(Text::EventResign), tr.text(Text::EventResignTip), &mut on);
    if on != resign.is_some() {
        *resign = on.then_some(ResignWindow { moves: 3, score: 9000, by: ResignBy::Both });
    }
    ui.horizontal(|ui| {
        let Some(ResignWindow { moves, score, .. }) = resign else { return };
        whole(ui, context, Text::WindowMoves, moves, 1..=1000);
        whole(ui, context, Text::WindowScore, score, 0..=1_000_000);
    });
    ui.end_row();
    let proof = &mut form.config.adjudicate_proof;
    let mut on = proof.is_some();
    check(ui, tr.text(Text::EventProof), tr.text(Text::EventProofTip), &mut on);
    if on != proof.is_some() {
        *proof = on.then_some(1000);
    }
    ui.horizontal(|ui| {
        let Some(nodes) = proof else { return };
        whole(ui, context, Text::WindowNodes, nodes, EventConfig::PROOF_NODES);
    });
    ui.end_row();
    field(ui, context, form, FormField::MoveLimit);
    illegal(ui, context, &mut form.config.illegal);
    let fouls = [
        (ForbiddenOption(FoulPolicy::Automatic), Text::ForbiddenAutomatic),
        (ForbiddenOption(FoulPolicy::Claim), Text::ForbiddenClaim),
    ];
    choice(ui, context, Text::EventForbidden, &mut form.config.forbidden, &fouls);
    flag(ui, context, Text::EventDrawOffers, &mut form.config.draw_offers);
    flag(ui, context, Text::EventPassing, &mut form.config.passing);
}

/// The penalty for an illegal move.
fn illegal(ui: &mut Ui, context: FormContext, IllegalOption(policy): &mut IllegalOption) {
    let tr = context.tr;
    ui.label(tr.text(Text::EventIllegal));
    ui.horizontal(|ui| {
        let again = matches!(policy, IllegalPolicy::Retries(_));
        let forfeit = Button::selectable(!again, tr.text(Text::IllegalForfeit));
        if ui.add(forfeit).clicked() {
            *policy = IllegalPolicy::Forfeit;
        }
        let retries = Button::selectable(again, tr.text(Text::IllegalRetries));
        if ui.add(retries).clicked() && !again {
            *policy = IllegalPolicy::Retries(3);
        }
        if let IllegalPolicy::Retries(times) = policy {
            let label = tr.text(Text::IllegalTimes);
            crate::screens::new_game::number(ui, label, times, 0..=100);
            ui.label(RichText::new(label).color(context.palette.weak));
        }
    });
    ui.end_row();
}

fn clocks(ui: &mut Ui, context: FormContext, form: &mut EventForm) {
    let costs = [
        (LateOption(LatePolicy::Loss), Text::LateLoss),
        (LateOption(LatePolicy::Substitute), Text::LateSubstitute),
    ];
    choice(ui, context, Text::EventLate, &mut form.config.late, &costs);
    field(ui, context, form, FormField::Margin);
    let over = [
        (MarginOption(MarginPolicy::Game), Text::MarginPerGame),
        (MarginOption(MarginPolicy::Move), Text::MarginPerMove),
    ];
    choice(ui, context, Text::EventMarginPer, &mut form.config.margin_per, &over);
    for asked in [FormField::Stall, FormField::Startup] {
        field(ui, context, form, asked);
    }
    flag(ui, context, Text::EventCountStartup, &mut form.config.count_startup);
    flag(ui, context, Text::EventPonder, &mut form.config.ponder);
    flag(ui, context, Text::EventSendBoard, &mut form.config.send_board);
    let fates = [
        (SpoiledOption::Keep, Text::SpoiledKeep),
        (SpoiledOption::Replay, Text::SpoiledReplay),
        (SpoiledOption::ReplayPair, Text::SpoiledReplayPair),
    ];
    choice(ui, context, Text::EventSpoiled, &mut form.config.spoiled, &fates);
    flag(ui, context, Text::EventStrictProtocol, &mut form.config.strict_protocol);
}

fn machine(ui: &mut Ui, context: FormContext, form: &mut EventForm) {
    let fates = [
        (AbsentOption::Aside, Text::AbsentAside),
        (AbsentOption::Forfeit, Text::AbsentForfeit),
        (AbsentOption::Refuse, Text::AbsentRefuse),
    ];
    choice(ui, context, Text::EventAbsent, &mut form.config.absent, &fates);
    if form.has_remote() {
        field(ui, context, form, FormField::RemoteWait);
    }
    let fates =
        [(ChangedOption::Keep, Text::ChangedKeep), (ChangedOption::Stop, Text::ChangedStop)];
    choice(ui, context, Text::EventChanged, &mut form.config.changed, &fates);
    let restarts = [
        (RestartOption::Auto, Text::RestartAuto),
        (RestartOption::On, Text::RestartOn),
        (RestartOption::Off, Text::RestartOff),
    ];
    choice(ui, context, Text::EventRestart, &mut form.config.restart, &restarts);
    flag(ui, context, Text::EventSandbox, &mut form.config.require_sandbox);
    for asked in [FormField::Memory, FormField::FolderLimit, FormField::Cpus] {
        field(ui, context, form, asked);
    }
    let places = [
        (IsolationOption::Child, Text::IsolationChild),
        (IsolationOption::InProcess, Text::IsolationInside),
    ];
    choice(ui, context, Text::EventIsolation, &mut form.config.isolation, &places);
}
