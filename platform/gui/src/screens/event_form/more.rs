//! The rarely used settings of the event form.

use eframe::egui::{ComboBox, Ui};
use tengen_arbiter::{DrawWindow, FoulPolicy, LatePolicy, MarginPolicy, ResignBy, ResignWindow};
use tengen_tournament::{
    AbsentOption, AlikeOption, ChangedOption, EngineEntry, EventConfig, EventFormat,
    ForbiddenOption, IsolationOption, LateOption, MarginOption, OpeningPolicy, RestartOption,
    SpoiledOption,
};

use super::engines;
use super::fields::{check, choice, field, flag, heading, table, whole};
use crate::app::{EventForm, FormField, Text};
use crate::screens::new_game::more::illegal_row;
use crate::widgets::{Look, menu_field};

/// The rarely used settings.
pub(super) fn more(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    table(ui, "event itself", |ui| {
        format(ui, look, &mut form.config);
        field(ui, look, form, FormField::Seed);
        field(ui, look, form, FormField::Folder);
    });
    if form.config.opening.asks() {
        heading(ui, look, Text::Opening);
        table(ui, "event openings", |ui| openings(ui, look, form));
    }
    heading(ui, look, Text::EventEndings);
    table(ui, "event ends", |ui| endings(ui, look, form));
    heading(ui, look, Text::EventClocks);
    table(ui, "event clocks", |ui| clocks(ui, look, form));
    heading(ui, look, Text::EventMachine);
    table(ui, "event machine", |ui| machine(ui, look, form));
    if !form.entrants.is_empty() {
        heading(ui, look, Text::EventEach);
        engines::each(ui, look, form);
    }
}

/// The format: which engines meet. The stages of a file stay as they are.
fn format(ui: &mut Ui, look: Look<'_>, config: &mut EventConfig) {
    let tr = look.tr;
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
        let chosen = name(config.own.format);
        let combo = ComboBox::from_id_salt("event format").width(180.0).selected_text(chosen);
        menu_field(ui, combo, label, chosen, |ui| {
            for format in EventFormat::ALL {
                let this = config.own.format == format;
                if ui.selectable_label(this, name(format)).clicked() && !this {
                    config.set_format(format);
                    config.own.groups = (format == EventFormat::Groups).then_some(2);
                }
            }
        });
        if config.own.format == EventFormat::Swiss {
            let usual = config.own.rounds.unwrap_or(5);
            whole(ui, look, Text::EventRounds, config.own.rounds.get_or_insert(usual), 1..=100);
        }
        if let Some(groups) = &mut config.own.groups {
            whole(ui, look, Text::EventGroups, groups, 1..=500);
        }
    });
    ui.end_row();
}

/// The settings of the opening.
fn openings(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    if form.config.opening.declares_fifths() {
        field(ui, look, form, FormField::FifthMoves);
    }
    let ways = [
        (AlikeOption(tengen_rules::Alike::Shape), Text::AlikeShape),
        (AlikeOption(tengen_rules::Alike::Board), Text::AlikeBoard),
    ];
    if form.config.opening.offers_fifths() {
        choice(ui, look, Text::EventAlike, &mut form.config.alike, &ways);
    }
    let policies = [
        (OpeningPolicy::Refuse, Text::PolicyRefuse),
        (OpeningPolicy::Arbiter, Text::PolicyArbiter),
    ];
    choice(ui, look, Text::EventPolicy, &mut form.config.opening_policy, &policies);
    if form.config.opening_policy == OpeningPolicy::Arbiter {
        assistant(ui, look, &mut form.config.opening_engine);
    }
}

/// The engine that answers for those that do not know the opening.
fn assistant(ui: &mut Ui, look: Look<'_>, chosen: &mut Option<EngineEntry>) {
    let tr = look.tr;
    let (label, none) = (tr.text(Text::EventAssistant), tr.text(Text::AssistantNone));
    let engine_list = look.app.engine_list();
    let name = chosen.as_ref().map_or(none, |entry| engine_list.name(&entry.id)).to_owned();
    ui.label(label);
    let combo = ComboBox::from_id_salt("event assistant").width(280.0).selected_text(&name);
    menu_field(ui, combo, label, &name, |ui| {
        ui.selectable_value(chosen, None, none);
        for engine in &engine_list.engines {
            let this = chosen.as_ref().is_some_and(|entry| entry.id == engine.id);
            if ui.selectable_label(this, &engine.name).clicked() {
                *chosen = Some(EngineEntry::new(&engine.id));
            }
        }
    });
    ui.end_row();
}

/// How games end, besides five in a row.
fn endings(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let tr = look.tr;
    let EventConfig { adjudicate_draw: draw, adjudicate_resign: resign, .. } = &mut form.config;
    let mut on = draw.is_some();
    check(ui, tr.text(Text::EventDraw), tr.text(Text::EventDrawTip), &mut on);
    if on != draw.is_some() {
        *draw = on.then_some(DrawWindow { stones: 40, moves: 8, score: 10 });
    }
    ui.horizontal(|ui| {
        let Some(DrawWindow { stones, moves, score }) = draw else { return };
        whole(ui, look, Text::WindowMoves, moves, 1..=1000);
        whole(ui, look, Text::WindowScore, score, 0..=1_000_000);
        whole(ui, look, Text::WindowStones, stones, 0..=1024);
    });
    ui.end_row();
    let mut on = resign.is_some();
    check(ui, tr.text(Text::EventResign), tr.text(Text::EventResignTip), &mut on);
    if on != resign.is_some() {
        *resign = on.then_some(ResignWindow { moves: 3, score: 9000, by: ResignBy::Both });
    }
    ui.horizontal(|ui| {
        let Some(ResignWindow { moves, score, .. }) = resign else { return };
        whole(ui, look, Text::WindowMoves, moves, 1..=1000);
        whole(ui, look, Text::WindowScore, score, 0..=1_000_000);
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
        whole(ui, look, Text::WindowNodes, nodes, EventConfig::PROOF_NODES);
    });
    ui.end_row();
    field(ui, look, form, FormField::MoveLimit);
    illegal_row(ui, look, Text::EventIllegal, &mut form.config.illegal.0);
    let fouls = [
        (ForbiddenOption(FoulPolicy::Automatic), Text::ForbiddenAutomatic),
        (ForbiddenOption(FoulPolicy::Claim), Text::ForbiddenClaim),
    ];
    choice(ui, look, Text::EventForbidden, &mut form.config.forbidden, &fouls);
    flag(ui, look, Text::EventDrawOffers, &mut form.config.draw_offers);
    flag(ui, look, Text::EventPassing, &mut form.config.passing);
}

fn clocks(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let costs = [
        (LateOption(LatePolicy::Loss), Text::Loses),
        (LateOption(LatePolicy::Substitute), Text::LateSubstitute),
    ];
    choice(ui, look, Text::EventLate, &mut form.config.late, &costs);
    field(ui, look, form, FormField::Margin);
    let over = [
        (MarginOption(MarginPolicy::Game), Text::MarginPerGame),
        (MarginOption(MarginPolicy::Move), Text::MarginPerMove),
    ];
    choice(ui, look, Text::EventMarginPer, &mut form.config.margin_per, &over);
    for asked in [FormField::Stall, FormField::Startup] {
        field(ui, look, form, asked);
    }
    flag(ui, look, Text::EventCountStartup, &mut form.config.count_startup);
    flag(ui, look, Text::EventPonder, &mut form.config.ponder);
    flag(ui, look, Text::EventSendBoard, &mut form.config.send_board);
    let fates = [
        (SpoiledOption::Keep, Text::SpoiledKeep),
        (SpoiledOption::Replay, Text::SpoiledReplay),
        (SpoiledOption::ReplayPair, Text::SpoiledReplayPair),
    ];
    choice(ui, look, Text::EventSpoiled, &mut form.config.spoiled, &fates);
    flag(ui, look, Text::EventStrictProtocol, &mut form.config.strict_protocol);
}

fn machine(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let fates = [
        (AbsentOption::Aside, Text::AbsentAside),
        (AbsentOption::Forfeit, Text::AbsentForfeit),
        (AbsentOption::Refuse, Text::AbsentRefuse),
    ];
    choice(ui, look, Text::EventAbsent, &mut form.config.absent, &fates);
    if form.has_remote() {
        field(ui, look, form, FormField::RemoteWait);
    }
    let fates =
        [(ChangedOption::Keep, Text::ChangedKeep), (ChangedOption::Stop, Text::ChangedStop)];
    choice(ui, look, Text::EventChanged, &mut form.config.changed, &fates);
    let restarts = [
        (RestartOption::Auto, Text::RestartAuto),
        (RestartOption::On, Text::RestartOn),
        (RestartOption::Off, Text::RestartOff),
    ];
    choice(ui, look, Text::EventRestart, &mut form.config.restart, &restarts);
    flag(ui, look, Text::EventSandbox, &mut form.config.require_sandbox);
    for asked in [FormField::Memory, FormField::FolderLimit, FormField::Cpus] {
        field(ui, look, form, asked);
    }
    let places = [
        (IsolationOption::Child, Text::IsolationChild),
        (IsolationOption::InProcess, Text::IsolationInside),
    ];
    choice(ui, look, Text::EventIsolation, &mut form.config.isolation, &places);
}
