use std::fs;

use tengen_arbiter::{Action, Termination};
use tengen_gui::app::{
    Advice, Archive, ClockKind, Command, Deed, Occupant, Phase, PlayCommand, Setup, Written,
};
use tengen_record::{GameRecord, replay};
use tengen_rules::{Procedure, Rule, Seat};

use crate::house::SECOND;
use crate::room::{Room, against, engine, is_over, point, seat_name};

#[test]
fn two_people_play_a_game_with_clicks() {
    let mut room = Room::new();
    room.begin(Setup::default());
    room.click("h8 h9 i8 i9 j8 j9 k8 k9 l8");
    let snapshot = room.wait(is_over);
    assert_eq!(snapshot.result.unwrap().winner, Some(Seat::First));
    assert_eq!(snapshot.rows.len(), 9);
}

#[test]
fn every_opening_is_answered_with_clicks_and_buttons() {
    for opening in Setup::procedures() {
        for offering in [false, true] {
            let mut room = Room::new();
            room.begin(Setup { rule: Rule::Renju, opening, ..Setup::default() });
            for _ in 0..14 {
                room.answer(offering);
            }
            let snapshot = room.snapshot();
            assert_eq!(snapshot.decision, None, "the last answer was a stone");
            assert!(snapshot.rows.len() >= 5, "{opening}: {}", snapshot.rows.len());
            assert_eq!(snapshot.result, None, "{opening}");
            assert_eq!(snapshot.refusal, None, "{opening}");
        }
    }
}

#[test]
fn what_is_not_allowed_is_explained_and_asked_again() {
    let mut room = Room::new();
    room.begin(Setup { rule: Rule::Renju, ..Setup::default() });
    room.click("i8 a1 j8 c1 h9 e1 h10 a3");
    for (text, reason) in [("a1", "A1 is taken"), ("h8", "H8 is forbidden for black: double three")]
    {
        room.wait_asked(8);
        room.house.apply(Command::Click(point(text)));
        let snapshot = room.wait(|snapshot| snapshot.refusal.is_some());
        assert_eq!(snapshot.refusal.as_deref(), Some(reason));
        assert_eq!((snapshot.rows.len(), snapshot.result), (8, None));
        room.play(PlayCommand::Refuse(None));
    }
    room.click("g7");
    assert_eq!(room.snapshot().refusal, None);
}

#[test]
fn gathered_stones_can_be_taken_away_and_must_make_an_opening() {
    let mut room = Room::new();
    room.begin(Setup { rule: Rule::Renju, opening: Procedure::Rif, ..Setup::default() });
    room.wait_asked(0);
    let gathered = |room: &Room| room.house.table().unwrap().view.points(&room.snapshot()).len();
    for (click, count) in [("h8", 1), ("g7", 2), ("g7", 1), ("a1", 1), ("j10", 2), ("f6", 3)] {
        room.house.apply(Command::Click(point(click)));
        assert_eq!(gathered(&room), count, "{click}");
    }
    room.house.apply(Command::Confirm);
    let refused = room.wait(|snapshot| snapshot.refusal.is_some());
    assert!(refused.refusal.as_ref().unwrap().contains("26 openings"));
    assert_eq!(refused.rows.len(), 0);
}

#[test]
fn a_move_is_taken_back_with_the_engine_s_and_the_engine_hears_of_it() {
    let mut room = Room::new();
    room.begin(Setup { clock: ClockKind::Game, ..against("dice") });
    room.click("h8");
    let first = room.wait_asked(2);
    room.time.advance(7 * SECOND);
    room.click("i9");
    room.wait_asked(4);
    room.house.apply(Command::Play(PlayCommand::TakeBack));
    let back = room.wait_asked(2);
    assert_eq!(back.rows, first.rows);
    assert_eq!(back.seats.first.left, first.seats.first.left, "the time came back");
    room.click("a1");
    room.wait_asked(4);
    let heard = room.heard.lock().unwrap().last().unwrap().clone();
    let moves: Vec<_> = room.snapshot().rows.iter().take(3).map(|row| row.mv).collect();
    assert_eq!(heard, moves);
}

#[test]
fn several_moves_are_taken_back_to_the_one_looked_at() {
    let mut room = Room::new();
    room.begin(Setup::default());
    room.click("h8 h9 i8 i9 j8");
    room.house.apply(Command::Look(tengen_gui::app::Look::After(2)));
    let command = room.house.command(Deed::TakeBackHere).unwrap();
    room.house.apply(command);
    assert_eq!(room.wait_asked(2).rows.len(), 2);
}

#[test]
fn a_game_that_is_over_can_be_gone_on_with() {
    let mut room = Room::new();
    room.begin(Setup::default());
    room.click("h8 h9 i8 i9 j8 j9 k8 k9 l8");
    room.wait(is_over);
    room.house.apply(Command::Play(PlayCommand::TakeBack));
    let back = room.wait_asked(8);
    assert_eq!((back.phase, back.result), (Phase::Playing, None));
    room.click("a1 l9");
    assert_eq!(room.wait(is_over).result.unwrap().winner, Some(Seat::Second));
}

#[test]
fn a_pause_stops_a_person_s_clock_at_once() {
    let mut room = Room::new();
    room.begin(Setup { clock: ClockKind::Game, main: 60, increment: 0, ..Setup::default() });
    room.wait_asked(0);
    room.time.advance(10 * SECOND);
    room.play(PlayCommand::Pause);
    room.wait(|snapshot| snapshot.phase == Phase::Paused);
    room.time.advance(1000 * SECOND);
    room.play(PlayCommand::Continue);
    room.wait_asked(0);
    room.time.advance(5 * SECOND);
    room.click("h8");
    assert_eq!(room.wait_asked(1).seats.first.left, Some(45 * SECOND));
}

#[test]
fn a_pause_while_an_engine_thinks_comes_after_its_answer() {
    let mut room = Room::new();
    room.begin(against("slow"));
    room.click("h8");
    room.wait(|snapshot| snapshot.asked.is_some_and(|asked| asked.since.is_some()));
    room.play(PlayCommand::Pause);
    assert_eq!(room.snapshot().phase, Phase::Pausing);
    while room.heard.lock().unwrap().is_empty() {
        std::thread::yield_now();
    }
    room.heard.lock().unwrap().clear();
    let paused = room.wait(|snapshot| snapshot.phase == Phase::Paused);
    assert_eq!(paused.rows.len(), 2);
    room.play(PlayCommand::Continue);
    room.wait_asked(2);
    room.click("a1");
}

#[test]
fn a_person_without_time_loses() {
    let mut room = Room::new();
    room.begin(Setup { clock: ClockKind::Move, per_move: 5, ..Setup::default() });
    room.wait_asked(0);
    room.time.advance(6 * SECOND);
    // Anything that happens makes the desk look at its clock.
    room.play(PlayCommand::Refuse(None));
    let result = room.wait(is_over).result.unwrap();
    assert_eq!((result.winner, result.termination), (Some(Seat::Second), Termination::Timeout));
}

#[test]
fn one_can_resign_while_the_engine_thinks() {
    let mut room = Room::new();
    room.begin(against("stuck"));
    room.click("h8");
    room.wait(|snapshot| snapshot.asked.is_some_and(|asked| asked.since.is_some()));
    room.house.apply(Command::Resign);
    let result = room.wait(is_over).result.unwrap();
    assert_eq!(result.termination, Termination::Resignation);
    assert_eq!(result.winner, Some(Seat::Second));
}

#[test]
fn an_engine_answers_an_offer_of_a_draw() {
    let mut room = Room::new();
    room.begin(against("meek"));
    room.wait_asked(0);
    room.house.apply(Command::Act(Action::OfferDraw));
    room.wait(|snapshot| snapshot.draw_offer == Some(Seat::First));
    room.click("h8");
    assert_eq!(room.wait(is_over).result.unwrap().termination, Termination::Agreement);
}

#[test]
fn a_person_answers_an_offer_of_a_draw() {
    let mut room = Room::new();
    room.begin(Setup::default());
    room.wait_asked(0);
    room.house.apply(Command::Act(Action::OfferDraw));
    room.wait(|snapshot| snapshot.draw_offer.is_some() && snapshot.asks_person().is_some());
    room.click("h8");
    room.wait_asked(1);
    let accept = room.house.command(Deed::AcceptDraw).unwrap();
    room.house.apply(accept);
    assert_eq!(room.wait(is_over).result.unwrap().termination, Termination::Agreement);
}

#[test]
fn a_seat_goes_to_an_engine_and_back_in_the_middle() {
    let mut room = Room::new();
    room.begin(Setup::default());
    room.click("h8");
    room.wait_asked(1);
    room.house.apply(Command::Seat(Seat::Second, engine("dice")));
    let snapshot = room.wait_asked(2);
    assert_eq!(seat_name(&snapshot, Seat::Second), "DICE");
    room.house.apply(Command::Seat(Seat::Second, engine("stuck")));
    room.click("a1");
    room.wait(|snapshot| snapshot.rows.len() == 3 && !snapshot.seats.second.is_person);
    room.house.apply(Command::Seat(Seat::Second, Occupant::Person));
    let snapshot = room
        .wait(|snapshot| snapshot.asks_person().is_some_and(|asked| asked.seat == Seat::Second));
    assert_eq!((snapshot.rows.len(), snapshot.result), (3, None));
    room.click("c3");
    assert_eq!(room.wait_asked(4).rows[3].seat, Some(Seat::Second));
}

#[test]
fn a_hint_is_shown_and_not_played() {
    let mut room = Room::new();
    room.begin(against("dice"));
    room.click("h8");
    room.wait_asked(2);
    room.house.apply(Command::Hint);
    let snapshot = room
        .wait(|snapshot| snapshot.hint.as_ref().is_some_and(|hint| hint.advice != Advice::Awaited));
    assert_eq!(snapshot.rows.len(), 2);
    assert!(matches!(snapshot.hint.as_ref().unwrap().advice, Advice::Answer(..)));
    let free = snapshot
        .size
        .points()
        .find(|at| snapshot.rows.iter().all(|row| row.mv.point() != Some(*at)));
    room.click(&free.unwrap().to_string());
    assert!(room.wait_asked(4).hint.is_none());
}

#[test]
fn an_engine_that_dies_loses_says_why_and_the_game_can_go_on() {
    let mut room = Room::new();
    room.begin(against("crash"));
    room.click("h8");
    let snapshot = room.wait(is_over);
    assert_eq!(snapshot.result.unwrap().termination, Termination::Crash);
    assert_eq!(snapshot.detail.as_deref(), Some("it fell over"));
    room.play(PlayCommand::TakeBack);
    room.wait_asked(0);
    room.house.apply(Command::Seat(Seat::Second, engine("dice")));
    room.click("h8");
    assert_eq!(room.wait_asked(2).detail, None);
}

#[test]
fn only_what_a_person_answered_is_taken_back() {
    let mut room = Room::new();
    let setup = Setup { opening: Procedure::Swap2, ..against("dice") };
    let seats = setup.seats.clone();
    let swapped = tengen_rules::BySeat { first: seats.second, second: seats.first };
    room.begin(Setup { seats: swapped, ..setup });
    room.wait_asked(3);
    assert!(!PlayCommand::TakeBack.fits(&room.snapshot()));
    room.answer(false);
    assert!(PlayCommand::TakeBack.fits(&room.snapshot()));
    room.play(PlayCommand::TakeBack);
    room.wait_asked(3);
    assert!(!PlayCommand::TakeBack.fits(&room.snapshot()));
}

#[test]
fn a_game_is_kept_as_it_goes_and_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut room = Room::with(Some(Archive::new(dir.path())));
    room.begin(Setup { clock: ClockKind::Game, ..against("dice") });
    room.click("h8");
    room.wait_asked(2);
    room.time.advance(4 * SECOND);
    room.click("a1");
    let before = room.wait_asked(4);
    // Nothing is told to save: the program might have been killed here.
    let open = fs::read_dir(dir.path().join("open")).unwrap().count();
    assert_eq!(open, 1);
    drop(room);
    let mut room = Room::with(Some(Archive::new(dir.path())));
    room.house.restore();
    let after = room.snapshot();
    assert_eq!(after.phase, Phase::Paused);
    assert_eq!(after.rows.len(), 4);
    let moves = |snapshot: &tengen_gui::app::Snapshot| -> Vec<_> {
        snapshot.rows.iter().map(|row| (row.mv, row.seat, row.spent)).collect()
    };
    assert_eq!(moves(&after), moves(&before));
    assert_eq!(after.seats.first.left, before.seats.first.left);
    room.play(PlayCommand::Continue);
    room.wait_asked(4);
    // Another one on the seat, a draw offered, a move taken back: it is one game still.
    room.house.apply(Command::Act(Action::OfferDraw));
    room.wait(|snapshot| snapshot.draw_offer.is_some() && snapshot.asks_person().is_some());
    room.house.apply(Command::Seat(Seat::Second, Occupant::Person));
    room.click("o15 o14");
    room.play(PlayCommand::TakeBack);
    room.wait_asked(5);
    room.house.apply(Command::Resign);
    room.wait(is_over);
    drop(room);
    assert_eq!(fs::read_dir(dir.path().join("open")).unwrap().count(), 0);
    let mut games = fs::read_dir(dir.path().join("games")).unwrap();
    let text = fs::read_to_string(games.next().unwrap().unwrap().path()).unwrap();
    assert!(games.next().is_none());
    let record = GameRecord::from_json_line(text.trim_end()).unwrap();
    assert_eq!(replay(&record).unwrap().termination, Termination::Resignation);
    assert_eq!(record.header.seats.second.id, "person");
    // What an engine said stays with its answers, those of before included.
    let said: Vec<_> = record.actions.iter().map(|action| action.said.join("; ")).collect();
    assert_eq!(said[..4], ["", "MESSAGE dice", "", "MESSAGE dice"]);
}

#[test]
fn a_damaged_game_is_said_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("open").join("1.jsonl");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"format\":1,").unwrap();
    let mut room = Room::with(Some(Archive::new(dir.path())));
    room.house.restore();
    assert!(room.house.notice().unwrap().contains("1.jsonl"));
    assert!(room.house.table().is_none());
    assert!(path.exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_said_and_the_game_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let mut room = Room::with(Some(Archive::new(&file)));
    room.begin(Setup::default());
    room.click("h8 h9");
    let snapshot = room.wait_asked(2);
    let told = room.house.words().unkept(snapshot.unkept.as_ref().unwrap());
    assert!(told.starts_with("The game is not kept in"), "{told}");
    assert_eq!(snapshot.detail, None, "it says nothing of the game itself");
    // As soon as it can be kept, it is, and nothing more is said.
    fs::remove_file(&file).unwrap();
    room.click("i9 i10");
    room.wait(|snapshot| snapshot.rows.len() == 4 && snapshot.unkept.is_none());
}

#[test]
fn a_record_names_the_engine_that_played() {
    let mut room = Room::new();
    room.begin(against("dice"));
    room.click("h8");
    room.wait_asked(2);
    let Some(Written::Record(record)) = room.house.written() else { panic!("it is known whole") };
    let seats = &record.header.seats;
    assert_eq!((&*seats.first.id, &*seats.first.name), ("person", "Person"));
    assert_eq!((&*seats.second.id, &*seats.second.name), ("dice", "DICE"));
    assert_eq!(seats.second.hash.as_deref(), Some(&*"00".repeat(32)));
}
