//! Draws what is seen of an event, in as much room as there is.

use std::fs;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use tengen_arbiter::ClockFace;
use tengen_hosts::package::legible;
use tengen_rules::{Color, Point, Seat};
use tengen_tournament::{
    FollowedEvent, FollowedGame, FollowedWorker, IncidentGroup, Standing, StandingColumn,
};

use super::keys::{Page, ViewState};
use crate::live::LiveEvent;

/// The width from which standings and tables stand side by side.
const WIDE: u16 = 96;
/// The width from which standings have Elo differences with their intervals.
const WITH_ELO: u16 = 49;
/// The width of such a difference: `-1234 [-2345, -1000]`.
const ELO: usize = 20;
/// The lines of messages.
const MESSAGES: u16 = 4;
/// The lines of games that ended badly.
const INCIDENT_LINES: u16 = 5;
const INCIDENTS: &str = "Lost by faults, void or played again";
/// The last moves of a table that are shown.
const LAST_MOVES: usize = 3;

/// What is seen of an event at one moment.
#[derive(Clone)]
pub(crate) struct LiveSnapshot {
    pub title: String,
    pub event: FollowedEvent,
    pub pace: String,
    pub tables: Vec<Option<FollowedGame>>,
    pub messages: Vec<String>,
    /// The games that ended badly, those that are alike together.
    pub incidents: Vec<IncidentGroup>,
    /// What the engines of the chosen table were asked and answered, if that is looked at.
    pub log: Vec<String>,
    /// The links of the teams that play from elsewhere, if those are looked at.
    pub links: Vec<String>,
}

impl LiveEvent {
    /// What is seen now.
    pub(super) fn seen(&self, view: &ViewState) -> LiveSnapshot {
        let follower = &self.follower;
        let games = follower.games().into_iter();
        let tables: Vec<_> = games.map(|game| game.filter(|game| game.end.is_none())).collect();
        let game = tables.get(view.table).and_then(Option::as_ref);
        let log = match (view.page, game) {
            (Page::Log, Some(game)) => self.logs.last_lines(game.scheduled.number, 200),
            _ => Vec::new(),
        };
        let links = match view.page {
            // It is written anew when somebody joins the event. Without it there are none.
            Page::Links => fs::read_to_string(follower.dir().join(tengen_lineup::TEAM_LINKS))
                .unwrap_or_default(),
            _ => String::new(),
        };
        let (event, state) = (follower.event(), self.state());
        LiveSnapshot {
            title: follower.dir().display().to_string(),
            pace: state.rate.text(event.finished, event.total),
            event,
            tables,
            messages: state.messages.iter().cloned().collect(),
            incidents: state.incidents.groups().to_vec(),
            log,
            links: links.lines().map(str::to_owned).collect(),
        }
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, view: &ViewState, seen: &LiveSnapshot) {
    let area = frame.area();
    let foot = u16::from(area.height > 3);
    let head = 2.min(area.height);
    let [top, body, bottom] =
        Layout::vertical([Constraint::Length(head), Constraint::Min(0), Constraint::Length(foot)])
            .areas(area);
    frame.render_widget(Paragraph::new(heading(seen, area.width)), top);
    match view.page {
        Page::Overview => overview(frame, body, view, seen),
        Page::Board => put(frame, body, "", board(view, seen)),
        Page::Log => put(frame, body, &table_title(view, seen), tail(&seen.log, body)),
        Page::Incidents => {
            let mut lines = incidents(seen, usize::MAX);
            lines.drain(..view.top.min(lines.len()));
            // Here each reason has room to the end.
            let page = Paragraph::new(titled(INCIDENTS, lines)).wrap(Wrap { trim: false });
            frame.render_widget(page, body);
        }
        Page::Links => links(frame, body, view, seen),
    }
    let faults = if seen.incidents.is_empty() { "" } else { "  f faults" };
    let links = if seen.event.config.has_remote() { "  t links" } else { "" };
    let keys = match view.page {
        _ if view.asks => "Stop, and give up the games being played? y: yes, any other key: no",
        Page::Links => "esc standings and games  q quit  p pause  s stop after games",
        Page::Overview => {
            &format!("q quit  p pause  s stop after games  ↑↓ table  ⏎ board  l log{faults}{links}")
        }
        _ => "q quit  p pause  s stop after games  ↑↓ table  enter board  l log  esc back",
    };
    let style = Style::new().add_modifier(if view.asks { Modifier::BOLD } else { Modifier::DIM });
    frame.render_widget(Paragraph::new(Span::styled(keys, style)), bottom);
}

/// Two lines: what the event is and does, and how far it has come.
fn heading(seen: &LiveSnapshot, width: u16) -> Vec<Line<'static>> {
    let LiveSnapshot { title, event, pace, .. } = seen;
    let FollowedEvent { total, finished, is_paused, is_stopping, standings, .. } = event;
    let tests = &standings.tests;
    let state = match (is_stopping, is_paused) {
        (true, _) => "  stopping",
        (_, true) => "  paused",
        _ => "",
    };
    let test = standings.test.map_or(String::new(), |test| {
        let end = test.inconclusive.map(|reason| format!("  inconclusive: {reason}"));
        let end = end.unwrap_or_default();
        format!("  LLR {:.2} ({:.2} to {:.2}){end}", test.llr, test.lower, test.upper)
    });
    let decided = tests.iter().filter(|test| test.test.accepted.is_some()).count();
    let used_up = tests.iter().filter(|test| test.test.inconclusive.is_some()).count();
    let test = match tests.len() {
        0 => test,
        all if used_up > 0 => {
            format!("  {decided} of {all} tests have decided, {used_up} are inconclusive")
        }
        all => format!("  {decided} of {all} tests have decided"),
    };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let first = Line::from(vec![
        Span::styled(format!("{finished}/{total} games{state}"), bold),
        Span::raw(format!("  {pace}{test}  {}", legible(title))),
    ]);
    let cells = usize::from(width.min(60));
    let done = if *total == 0 { 0.0 } else { *finished as f64 / *total as f64 };
    let full = ((cells as f64 * done) as usize).min(cells);
    vec![first, Line::raw(format!("{}{}", "█".repeat(full), "░".repeat(cells - full)))]
}

fn overview(frame: &mut Frame<'_>, area: Rect, view: &ViewState, seen: &LiveSnapshot) {
    let wanted = (seen.messages.len() as u16).min(MESSAGES) + 1;
    let messages = if area.height >= 12 && !seen.messages.is_empty() { wanted } else { 0 };
    let wanted = (seen.incidents.len() as u16).min(INCIDENT_LINES) + 1;
    let bad = if area.height >= 12 && !seen.incidents.is_empty() { wanted } else { 0 };
    let heights = [Constraint::Min(0), Constraint::Length(bad), Constraint::Length(messages)];
    let [body, middle, bottom] = Layout::vertical(heights).areas(area);
    let (standings_area, tables_area) = if area.width >= WIDE {
        let left = (area.width * 45 / 100).max(WITH_ELO);
        let halves = [Constraint::Length(left), Constraint::Min(0)];
        let [left, right] = Layout::horizontal(halves).areas(body);
        (left, right)
    } else {
        let tables = seen.tables.len().max(seen.event.workers.len()) as u16 + 1;
        let tables = tables.min(body.height / 2);
        let [above, below] =
            Layout::vertical([Constraint::Min(0), Constraint::Length(tables)]).areas(body);
        (above, below)
    };
    let (heads, lines) = standings(view, seen, standings_area.width);
    put(frame, standings_area, &heads, lines);
    // The chosen line stays in sight.
    let room = usize::from(tables_area.height.saturating_sub(1));
    let skipped = (view.table + 1).saturating_sub(room);
    match &*seen.event.workers {
        [] => {
            let tables = seen.tables.iter().enumerate().skip(skipped);
            let line = |(number, table): (usize, &Option<FollowedGame>)| {
                table_line(number, table.as_ref(), view, seen)
            };
            put(frame, tables_area, "Tables", tables.map(line).collect());
        }
        workers => {
            let lines = workers.iter().skip(skipped).map(worker_line);
            let heads = "Worker            games    /min  tables      lag    seen";
            put(frame, tables_area, heads, lines.collect());
        }
    }
    put(frame, middle, INCIDENTS, incidents(seen, INCIDENT_LINES.into()));
    put(frame, bottom, "Messages", tail(&seen.messages, bottom));
}

/// A line for games that ended alike: by whom, how many, which, and why. The last line says how
/// many are left out.
fn incidents(seen: &LiveSnapshot, most: usize) -> Vec<Line<'static>> {
    let line = |group: &IncidentGroup| {
        let text = format!("{} ({}): {}", group.text(), group.listed(), group.reason);
        Line::raw(legible(&text).into_owned())
    };
    let all = seen.incidents.len();
    let shown = if all > most { most - 1 } else { all };
    let mut lines: Vec<_> = seen.incidents.iter().take(shown).map(line).collect();
    if shown < all {
        lines.push(Line::raw(format!("… and {} more: f", all - shown)));
    }
    lines
}

/// The links of the teams, each whole. Three lines are a team's.
fn links(frame: &mut Frame<'_>, area: Rect, view: &ViewState, seen: &LiveSnapshot) {
    let none = ["No engine of this event plays from another machine.".to_owned()];
    let lines = if seen.links.is_empty() { &none[..] } else { &seen.links };
    let lines = lines.iter().skip(3 * view.top).map(|line| Line::raw(legible(line).into_owned()));
    let page = Paragraph::new(lines.collect::<Vec<_>>()).wrap(Wrap { trim: false });
    frame.render_widget(page, area);
}

/// Lines under a title, as far as there is room.
fn put(frame: &mut Frame<'_>, area: Rect, title: &str, lines: Vec<Line<'static>>) {
    frame.render_widget(Paragraph::new(titled(title, lines)), area);
}

fn titled(title: &str, mut lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    if !title.is_empty() {
        let style = Style::new().add_modifier(Modifier::DIM);
        lines.insert(0, Line::styled(legible(title).into_owned(), style));
    }
    lines
}

/// The last lines that fit below a title.
fn tail(lines: &[String], area: Rect) -> Vec<Line<'static>> {
    let room = usize::from(area.height.saturating_sub(1));
    let last = &lines[lines.len().saturating_sub(room)..];
    last.iter().map(|line| Line::raw(legible(line).into_owned())).collect()
}

/// The heads of the columns, and a line for each engine.
fn standings(view: &ViewState, seen: &LiveSnapshot, width: u16) -> (String, Vec<Line<'static>>) {
    use StandingColumn::{Elo, Games, Points};
    let has_elo = width >= WITH_ELO;
    // What is left beside the numbers.
    let most = usize::from(width).saturating_sub(if has_elo { 20 + ELO } else { 12 }).clamp(4, 32);
    let heads = match has_elo {
        true => {
            format!(
                "  # {:<most$} {:>7} {:>6} {} [95 %]",
                fit("Standings", most),
                Points.title(),
                Games.title(),
                Elo.title()
            )
        }
        false => fit("Standings", usize::from(width)),
    };
    let line = |(place, line): (usize, &Standing)| {
        let name = fit(&legible(&line.engine), most);
        let [points, games, elo] = [Points, Games, Elo].map(|column| column.text(place, line));
        Line::raw(match has_elo {
            true => format!("{place:>3} {name:<most$} {points:>7} {games:>6} {elo}"),
            false => format!("{place:>2} {name:<most$} {points:>6}"),
        })
    };
    let standings = &seen.event.standings.standings;
    (heads, (1..).zip(standings).skip(view.top).map(line).collect())
}

/// As much of a text as has room, with a mark where it goes on.
fn fit(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

fn table_line(
    number: usize,
    table: Option<&FollowedGame>,
    view: &ViewState,
    seen: &LiveSnapshot,
) -> Line<'static> {
    let text = match table {
        None => format!("{:>2} –", number + 1),
        Some(table) => {
            let FollowedGame { scheduled, moves, .. } = table;
            let game = scheduled.number;
            let last = &moves[moves.len().saturating_sub(LAST_MOVES)..];
            let last: Vec<String> = last.iter().map(ToString::to_string).collect();
            let clocks = Seat::ALL.map(|seat| clock(table.clock(seat)));
            let names = Seat::ALL.map(|seat| name(seen, table.scheduled.seats[seat]));
            format!(
                "{:>2} {game} {} – {}  {}: {}  {} / {}",
                number + 1,
                names[0],
                names[1],
                moves.len(),
                last.join(" "),
                clocks[0],
                clocks[1]
            )
        }
    };
    let is_chosen = number == view.table;
    let style = if is_chosen { Modifier::REVERSED } else { Modifier::empty() };
    Line::styled(text, Style::new().add_modifier(style))
}

fn worker_line(worker: &FollowedWorker) -> Line<'static> {
    let FollowedWorker { name, games, last_minute, tables, lag_ms, silent, note, .. } = worker;
    let name = fit(&legible(name), 15);
    let seen = format!("{silent:.0} s");
    Line::raw(format!(
        "{name:<15} {games:>7} {last_minute:>7} {tables:>7} {lag_ms:>5.1} ms {seen:>7}  {}",
        legible(note)
    ))
}

fn name(seen: &LiveSnapshot, engine: usize) -> String {
    seen.event.labels.get(engine).map(|label| legible(label).into_owned()).unwrap_or_default()
}

/// `5:03`, `24.1`; with byo-yomi also how many periods follow: `24.1 (2)`.
fn clock(face: Option<ClockFace>) -> String {
    let Some(face) = face else { return "∞".to_owned() };
    let seconds = face.left as f64 / 1e9;
    let left = match seconds {
        0.0..60.0 => format!("{seconds:.1}"),
        _ => format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60),
    };
    match face.byo_yomi {
        Some(follows) => format!("{left} ({})", follows.periods),
        None => left,
    }
}

fn table_title(view: &ViewState, seen: &LiveSnapshot) -> String {
    match seen.tables.get(view.table).and_then(Option::as_ref) {
        None => format!("Table {}: no game", view.table + 1),
        Some(table) => {
            let [one, other] = Seat::ALL.map(|seat| name(seen, table.scheduled.seats[seat]));
            format!("Table {}, game {}: {one} – {other}", view.table + 1, table.scheduled.number)
        }
    }
}

/// The board of the chosen table: X is black, O is white, the last stone is in brackets.
fn board(view: &ViewState, seen: &LiveSnapshot) -> Vec<Line<'static>> {
    let mut lines = vec![Line::raw(table_title(view, seen))];
    let Some(table) = seen.tables.get(view.table).and_then(Option::as_ref) else { return lines };
    for seat in Seat::ALL {
        let sign = if table.colors[seat] == Color::Black { 'X' } else { 'O' };
        let turn = if table.turn == Some(seat) { "→" } else { " " };
        let (name, clock) = (name(seen, table.scheduled.seats[seat]), clock(table.clock(seat)));
        lines.push(Line::raw(format!("{turn} {sign} {name}  {clock}")));
    }
    let stone = |point: Point| table.moves.iter().position(|mv| mv.point() == Some(point));
    let last = table.moves.len().wrapping_sub(1);
    for y in (0..table.size.height()).rev() {
        let mut row = format!("{:>2}", y + 1);
        let mut is_last = false;
        for x in 0..table.size.width() {
            let ply = stone(Point::new(x, y));
            let sign = match ply.map(Color::of_ply) {
                None => '·',
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
            };
            let before = match (is_last, ply == Some(last)) {
                (true, _) => ']',
                (_, true) => '[',
                _ => ' ',
            };
            is_last = ply == Some(last);
            row.push(before);
            row.push(sign);
        }
        row.push(if is_last { ']' } else { ' ' });
        lines.push(Line::raw(row));
    }
    let letters = (0..table.size.width()).map(|x| {
        let text = Point::new(x, 0).to_string();
        format!("{:>2}", text.trim_end_matches(char::is_numeric))
    });
    lines.push(Line::raw(format!("  {}", letters.collect::<String>())));
    lines
}

#[cfg(test)]
mod tests;
