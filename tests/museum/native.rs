use tengen_arbiter::Termination::{
    Crash, IllegalAnswer, ProtocolError, ResourceLimit, Stall, Timeout,
};

use crate::exhibit::EngineSource::Junk;
use crate::exhibit::ExpectedEnding::{Loses, Plays, Refused, Walled};
use crate::exhibit::{BRIEF, Exhibit, native as does};

room! {
    loops_in_its_constructor: does("loops in its constructor",
        &["BAD=GOOD", r#"LOOP_IN="constructor""#], Refused("within 1s")).startup(1),
    loops_in_abi_v1: does("loops in `tengen_abi_v1`",
        &["BAD=GOOD", r#"LOOP_IN="abi_v1""#], Refused("within 1s")).startup(1),
    loops_in_describe: does("loops in `tengen_describe`",
        &["BAD=GOOD", r#"LOOP_IN="describe""#], Refused("within 1s")).startup(1),
    loops_in_create: does("loops in `tengen_create`",
        &["BAD=GOOD", r#"LOOP_IN="create""#], Refused("within 1s")).startup(1),
    loops_in_set_option: does("loops in `tengen_set_option`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="set_option""#], Refused("within 1s"))
        .startup(1).options(r#"Any = "thing""#),
    loops_in_new_game: does("loops in `tengen_new_game`",
        &["BAD=GOOD", r#"LOOP_IN="new_game""#], Loses(Stall)).startup(2),
    loops_in_set_position: does("loops in `tengen_set_position`",
        &["BAD=GOOD", r#"LOOP_IN="set_position""#], Loses(Timeout)),
    loops_in_play: does("loops in `tengen_play`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="play""#], Loses(Timeout)),
    loops_in_choose: does("loops in `tengen_choose`",
        &["BAD=GOOD", r#"LOOP_IN="choose""#], Loses(Timeout)),
    loops_in_decide: does("loops in `tengen_decide`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="decide""#], Loses(Timeout))
        .event(r#"opening = "swap""#),
    loops_in_end_game: does("loops in `tengen_end_game`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="end_game""#], Plays).startup(2),
    loops_in_undo: does("loops in `tengen_undo`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="undo""#], Plays).startup(2),
    loops_in_ponder: does("loops in `tengen_ponder`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="ponder""#], Plays).startup(2),
    loops_in_extra: does("loops in `tengen_extra`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="extra""#], Plays).startup(2),
    loops_in_destroy: does("loops in `tengen_destroy`",
        &["BAD=GOOD", "WITH_ALL", r#"LOOP_IN="destroy""#], Plays).startup(2),

    aborts_in_its_constructor: does("aborts in its constructor",
        &["BAD=CRASH_CONSTRUCTOR"], Refused("SIGABRT"))
        .on_windows(Refused("exited with code 3")),
    crashes_at_the_start_of_a_game: does("crashes at the start of a game, in either colour",
        &["BAD=CRASH_NEW_GAME"], Loses(Crash)),
    makes_no_engine: does("fails to create an engine",
        &["BAD=NO_ENGINE"], Refused("gave no engine")),
    exits: does("exits when it is asked", &["BAD=EXIT"], Loses(Crash)),
    leaves_after_its_answer: does("exits right after its first answer",
        &["BAD=LEAVES_AFTER"], Loses(Crash)),
    fails_within: does("reports its own failure",
        &["BAD=INTERNAL"], Loses(Crash)),
    writes_past_its_buffer: does("writes past its buffer",
        &["BAD=WRITES_PAST"], Loses(Crash)),
    gives_a_wild_pointer: does("returns an invalid pointer",
        &["BAD=WILD_POINTER"], Loses(Crash)),
    describes_itself_nowhere: does("returns an invalid description",
        &["BAD=WILD_DESCRIPTION"], Refused("SIGSEGV"))
        .on_windows(Refused("access violation")),
    hangs_up: does("closes every open descriptor", &["BAD=CLOSE_ALL"], Loses(Crash)),

    answers_twice: does("answers twice, the second time before it is asked",
        &["BAD=ANSWERS_TWICE"], Loses(ProtocolError)),
    claims_a_length: does("claims an answer of four gigabytes",
        &["BAD=CLAIMS_LENGTH"], Loses(ProtocolError)),
    sends_garbage: does("writes garbage instead of answers",
        &["BAD=GARBAGE"], Loses(ProtocolError)),
    has_a_status_of_its_own: does("answers with an unknown status",
        &["BAD=UNKNOWN_STATUS"], Loses(ProtocolError)),
    lies_about_sizes: does("lies about sizes and lengths", &["BAD=LIES_ABOUT_SIZES"], Plays),

    plays_off_the_board: does("plays off the board", &["BAD=LIE"], Loses(IllegalAnswer)),
    plays_nothing: does("answers without a move", &["BAD=NO_MOVE"], Loses(IllegalAnswer)),

    floods_stdout: does("floods stdout with lines", &["BAD=FLOOD_STDOUT"], Loses(ResourceLimit)),
    floods_the_log: does("floods the log", &["BAD=FLOOD_LOG"], Loses(ResourceLimit)),
    floods_with_progress: does("floods the arbiter with progress",
        &["BAD=FLOOD_INFO"], Loses(ResourceLimit)),
    prints_and_reads: does("prints to stdout and reads stdin", &["BAD=CHATTER"], Plays),

    is_a_fork_bomb: does("starts processes without end",
        &["BAD=FORK_BOMB"], Walled(&["seccomp"], ResourceLimit)),
    starts_processes_of_their_own: does("starts processes that leave its group",
        &["BAD=LEAVES_GROUP"], Walled(&["seccomp"], Timeout)).tc(BRIEF),
    writes_files: does("writes a file without a scratch folder", &["BAD=WRITE_FILE"], Plays)
        .on_windows(Walled(&["low_integrity"], Crash)),

    reads_its_neighbours(unix): does("reads the files of other engines",
        &["BAD=ATTACKS", "ATTACK=ATTACK_NEIGHBOURS"],
        Walled(&["mount_ns", "landlock"], IllegalAnswer)),
    loops_in_its_destructor: does("loops in its destructor",
        &["BAD=GOOD", r#"LOOP_IN="destructor""#], Plays),
    interposes(unix): does("has functions with the names of the C library's",
        &["BAD=GOOD", "INTERPOSES"], Plays),
    forges_its_start: does("says that it is ready before it is asked",
        &["BAD=FORGES_READY"], Loses(ProtocolError)),
    forges_its_sandbox: does("says itself which walls it has",
        &["BAD=FORGES_SANDBOX"], Refused("an answer of kind 9")),

    is_no_library: Exhibit::new("is not a library",
        Junk(b"#!/bin/sh\nexit 0\n"), Refused("not a shared library"))
        .on_windows(Refused("not a Windows library")),
    is_half_a_library: Exhibit::new("is a truncated library",
        Junk(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0"), Refused("damaged"))
        .on_windows(Refused("it is an ELF file")),
    has_another_major: does("has another major version of the ABI",
        &["BAD=GOOD", "tengen_abi_v1=tengen_abi_v2"], Refused("tengen_abi_v1")),
    lacks_an_export: does("lacks a required export",
        &["BAD=GOOD", "NO_CHOOSE"], Refused("tengen_choose")),
}

/// What a text engine does as well as a library.
pub(crate) mod shared {
    use super::*;

    shared! { does }
}
