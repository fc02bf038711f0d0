//! The example engine that has only its own search.

mod game;
#[path = "../examples/search.rs"]
mod search;

use search::Plain;

#[test]
fn an_author_writes_no_more_than_eighty_lines() {
    assert!(game::lines_of_code(include_str!("../examples/search.rs")) <= 80);
}

#[test]
fn it_beats_an_engine_that_only_stops_fives() {
    game::assert_strong::<Plain>();
}
