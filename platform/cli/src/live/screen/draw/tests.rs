use std::sync::Arc;
use std::time::Instant;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tengen_arbiter::{ClockFace, GameResult, Termination};
use tengen_rules::{BySeat, Move, Size};
use tengen_tournament::{
    EngineEntry, EventConfig, FollowedStandings, Incident, IncidentKind, Incidents, Schedule,
    ScheduledGame, SpoiledGames, Summary, Tally,
};

use super::*;

fn seen() -> LiveSnapshot {
    let labels: Vec<String> =
        ["greedy", "an engine with a long name", "wüst\u{1b}[2J"].map(str::to_owned).into();
    let stones = [Point::new(7, 7), Point::new(8, 8), Point::new(0, 14)];
    let seats = BySeat { first: 0, second: 1 };
    let table = FollowedGame {
        scheduled: ScheduledGame { number: 123, seats, ..Schedule::new(2, 1, 0).get(1).unwrap() },
        size: Size::STANDARD,
        moves: stones.map(Move::Stone).into(),
        colors: BySeat { first: Color::Black, second: Color::White },
        clocks: BySeat { first: ClockFace::of(&"4.2".parse().unwrap()), second: None },
        turn: Some(Seat::Second),
        since: Instant::now(),
        end: None,
    };
    let mut incidents = Incidents::default();
    for number in 7..9 {
        let (kind, termination) = (IncidentKind::Fault, Termination::Timeout);
        let (loser, reason) = (Some(0), "it slept".to_owned());
        incidents.add(&Incident { number, kind, termination, loser, reason }, &labels);
    }
    let standings = Summary::standings_of(&Tally::default(), &SpoiledGames::default(), &labels);
    LiveSnapshot {
        title: "events/cup".to_owned(),
        event: FollowedEvent {
            config: Arc::default(),
            labels: labels.into(),
            total: 400,
            finished: 100,
            is_paused: false,
            is_stopping: false,
            standings: Arc::new(FollowedStandings { standings, ..FollowedStandings::default() }),
            workers: Arc::default(),
        },
        pace: "12 games/s  25 s left".to_owned(),
        tables: vec![Some(table), None],
        messages: vec!["the event goes on".to_owned()],
        incidents: incidents.groups().to_vec(),
        log: vec!["0.1 greedy > Move after 3 plies".to_owned()],
        links: Vec::new(),
    }
}

fn drawn(width: u16, height: u16, view: &ViewState) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, view, &seen())).unwrap();
    terminal.backend().to_string()
}

#[test]
fn everything_that_fits_is_there() {
    let text = drawn(120, 30, &ViewState::default());
    for words in [
        "100/400 games",
        "12 games/s  25 s left",
        "events/cup",
        "an engine with a long name",
        "123 greedy",
        "h8 i9 a15",
        "4.2 / ∞",
        "greedy lost 2 games by timeout (7, 8): it slept",
        "the event goes on",
        "q quit",
    ] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "what strangers write is no order to a terminal");
}

#[test]
fn the_links_of_teams_are_whole_on_any_terminal() {
    let link = format!("http://192.0.2.7:8080/#team={}", "k".repeat(24));
    let long = format!("https://{}/#team={}", "cup.".repeat(20), "z".repeat(24));
    let links = ["Each team starts its engine", "", "Team A", &link, "", "Team B", &long];
    let mut seen = LiveSnapshot { links: links.map(str::to_owned).into(), ..seen() };
    let engines = vec![EngineEntry::new("remote:Team A")];
    seen.event.config = Arc::new(EventConfig { engines, ..EventConfig::default() });
    let drawn = |view: &ViewState| {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| draw(frame, view, &seen)).unwrap();
        terminal.backend().to_string()
    };
    let text = drawn(&ViewState::first(true));
    assert!(text.contains(&link) && text.contains("Team B"), "{text}");
    let wrapped: String = text.lines().map(|line| line.trim_matches(['"', ' '])).collect();
    assert!(wrapped.contains(&long), "{text}");
    let text = drawn(&ViewState::default());
    assert!(!text.contains("#team=") && text.contains("t links"), "{text}");
}

/// Standings with differences of every form and width.
fn with_elo() -> LiveSnapshot {
    let mut tally = Tally::default();
    let mut pair = |two: [usize; 2], winners: [Option<Seat>; 2]| {
        let seats = BySeat { first: two[0], second: two[1] };
        let swapped = BySeat { first: two[1], second: two[0] };
        for (seats, winner) in [seats, swapped].into_iter().zip(winners) {
            tally.add_game(seats, GameResult { winner, termination: Termination::Five });
        }
        tally.add_pair(seats, winners[0], winners[1]);
    };
    for _ in 0..150 {
        // The first wins nearly all, the last loses all.
        pair([0, 1], [Some(Seat::First), Some(Seat::Second)]);
        pair([1, 2], [Some(Seat::First), Some(Seat::Second)]);
    }
    for _ in 0..3 {
        pair([0, 1], [Some(Seat::First), Some(Seat::First)]);
    }
    let mut seen = seen();
    let standings = Summary::standings_of(&tally, &SpoiledGames::default(), &seen.event.labels);
    let standings = FollowedStandings { standings, ..FollowedStandings::default() };
    seen.event.standings = Arc::new(standings);
    seen
}

/// In every usual width the differences are there with both ends of their intervals.
#[test]
fn differences_are_not_cut_off() {
    let seen = with_elo();
    let full = |line: &Standing| format!("{:.0}", line.performance.unwrap());
    let texts: Vec<String> = seen.event.standings.standings.iter().map(full).collect();
    assert!(texts.iter().any(|text| text.len() > 15), "{texts:?}");
    for width in [60, 80, 96, 110, 120, 200] {
        let mut terminal = Terminal::new(TestBackend::new(width, 30)).unwrap();
        terminal.draw(|frame| draw(frame, &ViewState::default(), &seen)).unwrap();
        let drawn = terminal.backend().to_string();
        for text in texts.iter().map(String::as_str).chain(["Points", "Games", "Elo [95 %]"]) {
            assert!(drawn.contains(text), "no `{text}` at {width}:\n{drawn}");
        }
    }
}

#[test]
fn a_board_and_a_log_are_shown_at_full_size() {
    let board = drawn(80, 24, &ViewState { page: Page::Board, ..ViewState::default() });
    assert!(board.contains("15[O]") || board.contains("15[X]"), "{board}");
    assert!(board.contains("Table 1, game 123: greedy"), "{board}");
    let log = drawn(80, 24, &ViewState { page: Page::Log, ..ViewState::default() });
    assert!(log.contains("greedy > Move after 3 plies"), "{log}");
    let none = ViewState { page: Page::Board, table: 1, ..ViewState::default() };
    assert!(drawn(80, 24, &none).contains("Table 2: no game"));
}

#[test]
fn no_terminal_is_too_small() {
    for page in [Page::Overview, Page::Board, Page::Log] {
        for (width, height) in [(1, 1), (20, 6), (20, 3), (39, 10), (300, 2), (2, 100)] {
            let text = drawn(width, height, &ViewState { page, ..ViewState::default() });
            assert!(width < 15 || text.contains("100/400 games"), "{width}×{height}:\n{text}");
        }
    }
    let narrow = drawn(20, 12, &ViewState::default());
    assert!(narrow.contains(" 1 ") && narrow.contains("0.0"), "{narrow}");
}

#[test]
fn workers_stand_where_the_tables_of_this_machine_would() {
    let mut seen = seen();
    let worker = |name: &str, note: &str| FollowedWorker {
        name: name.to_owned(),
        machine: "linux-x86_64".to_owned(),
        tables: 4,
        games: 1234,
        last_minute: 56,
        lag_ms: 1.25,
        silent: 2.0,
        note: note.to_owned(),
    };
    let workers = vec![worker("lab-1", ""), worker("lab-2", "it needs java, which is not here")];
    seen.event.workers = workers.into();
    let mut terminal = Terminal::new(TestBackend::new(160, 30)).unwrap();
    terminal.draw(|frame| draw(frame, &ViewState::default(), &seen)).unwrap();
    let text = terminal.backend().to_string();
    for words in ["Worker", "lab-1", "1234", "56", "1.2 ms", "2 s", "it needs java"] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    assert!(!text.contains("Tables"));
}
