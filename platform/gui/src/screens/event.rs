use std::collections::BTreeMap;

use eframe::egui::{
    Align, Button, CentralPanel, Frame, Grid, Label, Layout, Margin, Panel, ProgressBar, Rect,
    RichText, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, vec2,
};
use tengen_rules::Seat;
use tengen_stats::{Elo, Score};

use crate::app::{
    Board, ClockFace, Command, EventCommand, EventDesk, EventPage, EventPhase, EventShown, House,
    Text, Words,
};
use crate::theme::Palette;
use crate::widgets::{Art, game_list, minus, result_text, still, test};

/// How wide a board of the wall is with what lies around it, in points.
const TILE: f32 = 250.0;
/// How high the two lines below it are.
const CAPTION: f32 = 38.0;

/// An event: how it stands, the games now played, and those that are finished.
#[derive(Default)]
pub(crate) struct EventScreen {
    small: Art,
    large: Art,
}

impl EventScreen {
    /// Draws the event. Returns after how long it is to be drawn again though nobody says so.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        house: &House,
        desk: &EventDesk,
        palette: Palette,
        commands: &mut Vec<Command>,
    ) -> Option<tengen_arbiter::Nanos> {
        let (words, shown) = (house.words(), desk.shown());
        let mut say = |command| commands.push(Command::Event(command));
        let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(16, 8));
        Panel::top("event")
            .frame(bar)
            .show(ui, |ui| head(ui, words, palette, desk, &shown, &mut say));
        let ground = Frame::new().fill(palette.ground).inner_margin(Margin::same(14));
        CentralPanel::default().frame(ground).show(ui, |ui| match desk.page {
            EventPage::Standings => standings(ui, words, palette, &shown),
            EventPage::Wall => self.wall(ui, house, desk, &shown, &mut say),
            EventPage::Games => {
                let line = |index| desk.line(index).unwrap_or_default();
                if let Some(index) = game_list(ui, words, palette, desk.count(), line)
                    && let Some(number) = desk.number(index)
                {
                    say(EventCommand::OpenGame(number));
                }
            }
        });
        // The time left goes down by itself.
        (shown.phase.is_running() && !shown.paused).then_some(1_000_000_000)
    }

    fn wall(
        &mut self,
        ui: &mut Ui,
        house: &House,
        desk: &EventDesk,
        shown: &EventShown,
        say: &mut impl FnMut(EventCommand),
    ) {
        let words = house.words();
        let labels = &shown.labels;
        let boards = desk.boards();
        if let Some(table) = desk.enlarged
            && let Some(Some(board)) = boards.get(table)
        {
            ui.horizontal(|ui| {
                if ui.button(words.text(Text::WallBack)).clicked() {
                    say(EventCommand::Enlarge(None));
                }
                ui.label(title(words, labels, board));
            });
            let (room, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
            let ground = house.picture().cloned();
            let diagram = board.diagram(shown.config.size);
            still(ui, &mut self.large, room, &diagram, house.settings(), ground);
            return;
        }
        if boards.iter().all(Option::is_none) {
            ui.label(words.text(Text::WallEmpty));
        }
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for (table, board) in boards.iter().enumerate() {
                    let Some(board) = board else { continue };
                    let (rect, response) =
                        ui.allocate_exact_size(vec2(TILE, TILE + CAPTION), Sense::click());
                    let title = title(words, labels, board);
                    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &title));
                    if ui.is_rect_visible(rect) {
                        let room = Rect::from_min_size(rect.min, vec2(TILE, TILE));
                        let ground = house.picture().cloned();
                        let diagram = board.diagram(shown.config.size);
                        still(ui, &mut self.small, room, &diagram, house.settings(), ground);
                        let below = Rect::from_min_max(room.left_bottom(), rect.max);
                        caption(ui, below, &title, words, board);
                    }
                    if response.on_hover_text(words.text(Text::WallTip)).clicked() {
                        say(EventCommand::Enlarge(Some(table)));
                    }
                }
            });
        });
    }
}

/// The lines below a board of the wall, cut where the board ends: who plays, and how it stands.
fn caption(ui: &mut Ui, below: Rect, title: &str, words: Words, board: &Board) {
    let builder = UiBuilder::new().max_rect(below).layout(Layout::top_down(Align::Center));
    let mut lines = ui.new_child(builder);
    lines.spacing_mut().item_spacing.y = 0.0;
    for line in [title, &standing(words, board)] {
        lines.add(Label::new(RichText::new(line).small()).truncate());
    }
}

/// How a game ended, or what both have left, a sign before whose turn it is.
fn standing(words: Words, board: &Board) -> String {
    if let Some(result) = board.result {
        return format!("{}  {}", result_text(Some(result)), words.termination(result.termination));
    }
    let side = |seat: Seat| {
        let face = ClockFace { left: board.left[seat], ..ClockFace::default() };
        let sign = if board.turn == Some(seat) { "› " } else { "" };
        let colour = words.color(board.colors[seat]);
        format!("{sign}{colour} {}", face.left_text())
    };
    format!("{}  ·  {}", side(Seat::First), side(Seat::Second))
}

fn title(words: Words, labels: &[String], board: &Board) -> String {
    let name = |engine: usize| labels.get(engine).map_or("", String::as_str);
    let (first, second) = (name(board.seats.first), name(board.seats.second));
    let (number, moves) = (board.number.to_string(), board.moves.len().to_string());
    words.fill(Text::BoardOf, &[&number, first, second, &moves])
}

fn head(
    ui: &mut Ui,
    words: Words,
    palette: Palette,
    desk: &EventDesk,
    shown: &EventShown,
    say: &mut impl FnMut(EventCommand),
) {
    let phase = words.text(match shown.phase {
        EventPhase::Preparing => Text::EventPreparing,
        EventPhase::Playing if shown.paused => Text::EventResting,
        EventPhase::Playing => Text::EventPlaying,
        EventPhase::Closing => Text::EventClosing,
        EventPhase::Stopping => Text::EventStopping,
        EventPhase::Stopped => Text::EventStopped,
        EventPhase::Finished if shown.finished < shown.total => Text::EventDecided,
        EventPhase::Finished => Text::EventFinished,
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(phase).strong().color(palette.text));
        let done = [shown.finished.to_string(), shown.total.to_string()];
        let progress = words.fill(Text::EventProgress, &[&done[0], &done[1]]);
        let part = shown.finished as f32 / (shown.total as f32).max(1.0);
        ui.add(ProgressBar::new(part).desired_width(160.0).desired_height(10.0));
        ui.label(progress);
        if let Some((rate, left)) = shown.pace(desk.now()) {
            let rate = format!("{:.1}", rate * 60.0);
            let text = match shown.config.sprt {
                // It ends when it decides.
                Some(_) => words.fill(Text::EventRate, &[&rate]),
                None => words.fill(Text::EventPace, &[&rate, &span(left)]),
            };
            ui.label(RichText::new(text).color(palette.weak));
        }
        ui.label(RichText::new(shown.dir.display().to_string()).color(palette.weak));
    });
    if let Some(problem) = &shown.problem {
        ui.add(Label::new(RichText::new(problem).color(palette.danger)).wrap());
    }
    ui.horizontal(|ui| {
        for (page, text) in [
            (EventPage::Standings, Text::PageStandings),
            (EventPage::Wall, Text::PageWall),
            (EventPage::Games, Text::PageGames),
        ] {
            if ui.add(Button::selectable(desk.page == page, words.text(text))).clicked() {
                say(EventCommand::Show(page));
            }
        }
        ui.separator();
        let playing = shown.phase == EventPhase::Playing;
        let running = matches!(shown.phase, EventPhase::Playing | EventPhase::Closing);
        let made = !shown.dir.as_os_str().is_empty();
        let resumes = made && shown.phase == EventPhase::Stopped;
        let pause = if shown.paused { Text::Continue } else { Text::Pause };
        for (text, enabled, command) in [
            (pause, playing, EventCommand::Pause(!shown.paused)),
            (Text::EventFinish, playing, EventCommand::Finish),
            (Text::EventStop, running, EventCommand::Stop),
            (Text::EventResume, resumes, EventCommand::Resume),
        ] {
            if ui.add_enabled(enabled, Button::new(words.text(text))).clicked() {
                say(command);
            }
        }
    });
}

fn standings(ui: &mut Ui, words: Words, palette: Palette, shown: &EventShown) {
    let summary = &shown.summary;
    let strong = |ui: &mut Ui, text: Text| {
        ui.label(RichText::new(words.text(text)).strong().color(palette.text));
    };
    ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
        remarks(ui, words, palette, shown);
        if let Some(state) = &summary.sprt {
            test(ui, words, palette, shown.labels.first().map_or("", String::as_str), state);
            ui.add_space(16.0);
        }
        Grid::new("standings").striped(true).spacing(vec2(22.0, 6.0)).show(ui, |ui| {
            for text in [
                Text::ColumnNumber,
                Text::ColumnEngine,
                Text::ColumnPoints,
                Text::ColumnGames,
                Text::ColumnWins,
                Text::ColumnDraws,
                Text::ColumnLosses,
                Text::ColumnElo,
            ] {
                strong(ui, text);
            }
            ui.end_row();
            for (place, line) in summary.standings.iter().enumerate() {
                ui.label((place + 1).to_string());
                ui.label(&line.engine);
                ui.label(format!("{:.1}", line.points));
                ui.label((line.wins + line.draws + line.losses).to_string());
                for count in [line.wins, line.draws, line.losses] {
                    ui.label(count.to_string());
                }
                ui.label(elo(line.performance.as_ref()));
                ui.end_row();
            }
        });
        ui.add_space(16.0);
        strong(ui, Text::CrossTable);
        Grid::new("cross").striped(true).spacing(vec2(22.0, 6.0)).show(ui, |ui| {
            ui.label("");
            for column in 1..=summary.standings.len() {
                ui.label(RichText::new(column.to_string()).color(palette.weak));
            }
            ui.end_row();
            for (row, line) in summary.standings.iter().enumerate() {
                ui.label(format!("{} {}", row + 1, line.engine));
                for (column, score) in summary.cross_table[row].iter().enumerate() {
                    ui.label(if row == column { "·".to_owned() } else { against(score) });
                }
                ui.end_row();
            }
        });
        ui.add_space(16.0);
        strong(ui, Text::HowEnded);
        Grid::new("ends").striped(true).spacing(vec2(22.0, 6.0)).show(ui, |ui| {
            for (termination, count) in &summary.terminations {
                ui.label(words.termination(*termination));
                ui.label(count.to_string());
                for line in &summary.standings {
                    let lost = lost(&line.terminations, *termination);
                    ui.label(if lost == 0 {
                        String::new()
                    } else {
                        format!("{} {lost}", line.engine)
                    });
                }
                ui.end_row();
            }
        });
    });
}

/// What the machine has to do with the games.
fn remarks(ui: &mut Ui, words: Words, palette: Palette, shown: &EventShown) {
    let spoiled = &shown.summary.spoiled;
    let crowded = (shown.crowded && shown.phase.is_running())
        .then(|| words.text(Text::EventCrowded).to_owned());
    let spoiled = (spoiled.games > 0).then(|| {
        let numbers: Vec<String> = spoiled.numbers.iter().map(u64::to_string).collect();
        let more = if spoiled.numbers.len() as u64 == spoiled.games { "" } else { ", …" };
        let numbers = format!("{}{more}", numbers.join(", "));
        words.fill(Text::EventSpoiledGames, &[&spoiled.games.to_string(), &numbers])
    });
    for text in [crowded, spoiled].into_iter().flatten() {
        ui.add(Label::new(RichText::new(text).color(palette.danger)).wrap());
        ui.add_space(6.0);
    }
}

fn lost<K: Ord>(terminations: &BTreeMap<K, u64>, termination: K) -> u64 {
    terminations.get(&termination).copied().unwrap_or_default()
}

fn against(score: &Score) -> String {
    if score.games() == 0 {
        return String::new();
    }
    format!("{:.1} ({}-{}-{})", score.points(), score.wins, score.draws, score.losses)
}

/// `+35.2 ± 12.0`; a side that won or lost everything has no finite Elo.
fn elo(elo: Option<&Elo>) -> String {
    let Some(elo) = elo else { return "–".to_owned() };
    match (elo.finite(), elo.error()) {
        (None, _) => (if elo.value() > 0.0 { "+∞" } else { "−∞" }).to_owned(),
        (Some(value), Some(error)) => minus(&format!("{value:+.1} ± {error:.1}")),
        (Some(value), None) => minus(&format!("{value:+.1}")),
    }
}

/// A time in hours, minutes and seconds: `1:02:03`.
fn span(seconds: f64) -> String {
    let seconds = seconds.ceil().min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
