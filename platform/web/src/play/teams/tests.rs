//! What is decided about teams that are away, and what becomes of their games.

use serde_json::json;

use super::*;
use crate::play::outbox::Outbox;

/// A moment shorter than any team's absence, and longer than the presence of a team that just came.
const MOMENT: Duration = Duration::from_nanos(1);

struct TestTeams {
    teams: Teams,
    news: Arc<Mutex<Vec<TeamNews>>>,
    _folder: tempfile::TempDir,
}

impl TestTeams {
    /// Three teams, and what becomes of those that are away.
    fn new(absent: AbsentOption) -> TestTeams {
        let folder = tempfile::tempdir().unwrap();
        let engines = ["remote:a", "remote:b", "remote:c"].map(tengen_tournament::EngineEntry::new);
        let config = EventConfig { engines: engines.into(), absent, ..EventConfig::default() };
        let options = TeamOptions { wait: MOMENT, ..TeamOptions::new(folder.path(), &config) };
        let news = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&news);
        let tell = Box::new(move |one| lock(&heard).push(one));
        let teams = Teams::open(options, &config, tell).unwrap();
        lock(&news).clear();
        TestTeams { teams, news, _folder: folder }
    }

    fn team(&self, place: usize) -> Arc<Team> {
        self.teams.at(place).unwrap()
    }

    fn connect(&self, place: usize, tables: u64) -> Arc<Outbox> {
        let outbox = Arc::new(Outbox::default());
        let number = self.teams.next_connection();
        self.team(place).connect(number, &outbox, tables, |_| "joined".into()).unwrap();
        self.teams.note_presence();
        outbox
    }

    /// Waits until a team has been there for the moment.
    fn let_time_pass(&self) {
        lock(&self.teams.presence).since = Instant::now().checked_sub(MOMENT);
    }

    /// The teams that were reported overdue since this was asked last.
    fn overdue(&self) -> Vec<usize> {
        let overdue = |news| match news {
            TeamNews::Overdue { place, .. } => Some(place),
            _ => None,
        };
        lock(&self.news).drain(..).filter_map(overdue).collect()
    }

    /// Asks for every game, as the queue does where nothing else is left.
    fn ask_for_all(&self) -> Vec<[usize; 2]> {
        let games = [[0, 1], [0, 2], [1, 2]];
        games.into_iter().filter(|seats| self.teams.take(*seats, true).is_ok()).collect()
    }
}

#[test]
fn no_team_is_given_up_while_none_is_connected_or_one_just_came() {
    for absent in [AbsentOption::Aside, AbsentOption::Forfeit] {
        let scene = TestTeams::new(absent);
        assert!(scene.ask_for_all().is_empty());
        assert!(scene.ask_for_all().is_empty());
        assert_eq!(*lock(&scene.news), [TeamNews::NoneConnected], "it is said once");
        lock(&scene.news).clear();
        scene.connect(2, 1);
        lock(&scene.teams.presence).since = Some(Instant::now() + Duration::from_secs(9));
        assert!(scene.ask_for_all().is_empty());
        assert!(scene.overdue().is_empty());
        scene.let_time_pass();
        scene.ask_for_all();
        assert!(!scene.overdue().is_empty());
    }
}

#[test]
fn one_team_after_the_other_is_set_aside() {
    let scene = TestTeams::new(AbsentOption::Aside);
    scene.connect(2, 1);
    scene.let_time_pass();
    assert!(scene.ask_for_all().is_empty() && scene.ask_for_all().is_empty());
    assert_eq!(scene.overdue(), [0]);
    // The event has heard of the change.
    scene.teams.leave(0);
    assert!(scene.ask_for_all().is_empty() && scene.ask_for_all().is_empty());
    assert_eq!(scene.overdue(), [1]);
}

#[test]
fn an_event_that_refuses_is_stopped_once_by_any_team_that_is_away() {
    let scene = TestTeams::new(AbsentOption::Refuse);
    assert!(scene.ask_for_all().is_empty() && scene.ask_for_all().is_empty());
    assert_eq!(scene.overdue(), [0]);
}

#[test]
fn a_team_that_forfeits_is_seated_while_it_is_away_and_loses_at_once() {
    let scene = TestTeams::new(AbsentOption::Forfeit);
    scene.connect(2, 1);
    scene.let_time_pass();
    assert_eq!(scene.ask_for_all(), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(scene.overdue(), [0, 1]);
    let fault = scene.teams.player(0).new_game(&setup(1)).unwrap_err();
    assert!(fault.detail.contains("not connected"), "{fault:?}");
    assert!(!scene.teams.was_missed(0, 1), "it has lost that game");
}

fn setup(number: u64) -> tengen_players::GameSetup {
    let variant = GameVariant {
        rule: tengen_rules::Rule::Freestyle,
        size: "15".parse().unwrap(),
        opening: tengen_rules::Procedure::None,
    };
    let seat = tengen_rules::Seat::First;
    let setup = variant.setup(seat, tengen_arbiter::TimeControl::default());
    tengen_players::GameSetup { number: Some(number), ..setup }
}

#[test]
fn who_went_before_the_start_of_a_game_has_missed_it_but_not_for_ever() {
    let scene = TestTeams::new(AbsentOption::Aside);
    let (mut player, team) = (scene.teams.player(0), scene.team(0));
    let mut is_missed = |number| {
        player.new_game(&setup(number)).unwrap_err();
        scene.teams.was_missed(0, number)
    };
    // However many games were to begin, it went away once.
    assert!((1..=50).all(&mut is_missed));
    let come_and_go = || {
        let _outbox = scene.connect(0, 1);
        let connection = team.lock().connection().unwrap();
        assert!(!scene.teams.was_missed(0, 77), "it is there");
        assert!(team.disconnect(connection));
    };
    for number in 1..u64::from(team::MOST_MISSES) {
        come_and_go();
        assert!(scene.teams.was_missed(0, 100 + number), "it went when it was ready already");
        assert!(is_missed(number));
    }
    come_and_go();
    assert!(!is_missed(99));
}

#[test]
fn who_is_removed_plays_its_game_to_the_end_and_is_told_then() {
    let scene = TestTeams::new(AbsentOption::Aside);
    let (team, outbox) = (scene.team(0), scene.connect(0, 2));
    assert!(team.take());
    let settings = json!({ "rule": "freestyle", "size": 15, "opening": "none", "time": "60" });
    let game = json!({
        "table": "", "number": 7, "seat": "first", "settings": settings, "startup": 0,
    });
    let table = team.lock().begin(serde_json::from_value(game).unwrap()).unwrap();
    scene.teams.leave(0);
    assert_eq!(team.lock().dismissal(), None);
    assert!(!team.take(), "no other game is begun");
    team.lock().end(&table, None);
    assert!(team.lock().dismissal().unwrap().contains("removed"));
    let mut last = String::new();
    while let Some(crate::play::outbox::Next::Send(text)) =
        futures_util::FutureExt::now_or_never(outbox.next())
    {
        last = text.to_string();
    }
    assert!(last.contains("\"end\""), "{last}");
    let number = scene.teams.next_connection();
    assert!(team.connect(number, &outbox, 1, |_| "joined".into()).is_err());
}

#[test]
fn a_team_is_taken_for_as_many_games_as_it_has_tables() {
    let scene = TestTeams::new(AbsentOption::Aside);
    scene.connect(0, 2);
    scene.connect(1, 1);
    assert_eq!(scene.teams.take([0, 1], false), Ok(()));
    assert_eq!(scene.teams.take([0, 1], false), Err(1));
    assert_eq!(scene.teams.take([2, 0], false), Err(2), "and its table is free again");
    scene.connect(2, 1);
    assert_eq!(scene.teams.take([2, 0], false), Ok(()));
    assert_eq!(scene.teams.take([0, 1], false), Err(0));
    scene.teams.free([0, 1]);
    assert_eq!(scene.teams.take([1, 0], false), Ok(()));
}
