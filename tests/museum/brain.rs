//! Text engines: programs that speak Gomocup's protocol, as far as they do.

use tengen_arbiter::Termination::{Crash, IllegalAnswer, ProtocolError, ResourceLimit, Timeout};

use crate::exhibit::EngineSource::Program;
use crate::exhibit::ExpectedEnding::{Loses, Plays, Refused, SetAside, Walled};
use crate::exhibit::{Exhibit, brain as does};

/// For floods, which take that long where the machine is too busy for them.
const SHORT: &str = "move=10";
/// For an event that holds text engines to every word of their protocol.
const STRICT: &str = "strict-protocol = true";

room! {
    loops_at_once: does("loops before it reads a line",
        &["BAD=GOOD", r#"LOOP_IN="main""#], Refused("within 1s")).startup(1),
    loops_in_about: does("loops at `ABOUT`",
        &["BAD=GOOD", r#"LOOP_IN="ABOUT""#], Plays).startup(2),
    loops_in_start: does("loops at `START`",
        &["BAD=GOOD", r#"LOOP_IN="START""#], Refused("within 1s")).startup(1),
    loops_in_swap2board: does("loops at `SWAP2BOARD`",
        &["BAD=GOOD", r#"LOOP_IN="SWAP2BOARD""#], Plays).startup(2),
    loops_in_info: does("loops at `INFO`",
        &["BAD=GOOD", r#"LOOP_IN="INFO""#], Loses(Timeout)).startup(2),
    loops_in_a_question: does("loops at `BEGIN` or `TURN`",
        &["BAD=GOOD", r#"LOOP_IN="question""#], Loses(Timeout)),
    loops_in_end: does("loops at `END`", &["BAD=GOOD", r#"LOOP_IN="END""#], Plays),

    aborts_at_once: does("aborts before it reads a line",
        &["BAD=ABORTS_AT_ONCE"], Refused("SIGABRT")).on_windows(Refused("exited with code 3")),
    crashes_at_the_start_of_a_game: does("crashes at the start of a game, in either colour",
        &["BAD=CRASHES_IN_GAME"], Loses(Crash)),
    exits: does("exits when it is asked", &["BAD=EXITS"], Loses(Crash)),
    leaves_after_its_answer: does("exits right after its first answer",
        &["BAD=EXITS_AFTER"], Loses(Crash)),
    hangs_up: does("closes every open descriptor", &["BAD=HANGS_UP"], Loses(Crash)),

    reads_nothing: does("reads none of its input",
        &["BAD=READS_NOTHING"], Refused("within 1s")).startup(1),
    ignores_the_end: does("ignores `END`, the end of its input and SIGTERM",
        &["BAD=IGNORES_END"], Plays),
    suggests_on: does("suggests a move whenever it is told to play it",
        &["BAD=SUGGESTS_ON"], Loses(Timeout)),

    refuses: does("says ERROR to `START`", &["BAD=REFUSES"],
        SetAside("not on this board")),
    says_what_is_no_answer: does("answers with words that are not a move",
        &["BAD=JUNK"], Loses(Timeout)),
    says_what_is_no_text: does("answers with bytes that are not text",
        &["BAD=BYTES"], Loses(Timeout)),
    says_error: does("says ERROR to a question", &["BAD=ERRS"], Loses(Timeout)),
    says_unknown: does("says UNKNOWN to a question", &["BAD=KNOWS_NOTHING"], Loses(Timeout)),
    answers_twice: does("answers twice, the second time before it is asked",
        &["BAD=ANSWERS_TWICE"], Plays),
    forges_frames: does("says in the arbiter's own frames that it is ready",
        &["BAD=FORGES_FRAMES"], Plays),
    strictly_says_what_is_no_answer: does("answers with words that are not a move, with \
        `--strict-protocol`", &["BAD=JUNK"], Loses(ProtocolError)).event(STRICT),
    strictly_says_error: does("says ERROR to a question, with `--strict-protocol`",
        &["BAD=ERRS"], Loses(ProtocolError)).event(STRICT),
    strictly_answers_twice: does("answers twice, with `--strict-protocol`",
        &["BAD=ANSWERS_TWICE"], Loses(ProtocolError)).event(STRICT),
    plays_off_the_board: does("plays off the board", &["BAD=OFF_BOARD"], Loses(IllegalAnswer)),
    plays_beyond_numbers: does("answers with huge numbers",
        &["BAD=NUMBERS"], Loses(IllegalAnswer)),
    floods_stdout: does("floods stdout with lines",
        &["BAD=FLOOD_LINES"], Loses(ResourceLimit)).tc(SHORT),
    floods_with_bytes: does("floods stdout with bytes without an end of line",
        &["BAD=FLOOD_BYTES"], Loses(ResourceLimit)),
    floods_the_log: does("floods the log", &["BAD=FLOOD_MESSAGES"], Loses(ResourceLimit)).tc(SHORT),
    floods_with_progress: does("floods the arbiter with progress",
        &["BAD=FLOOD_PROGRESS"], Loses(ResourceLimit)).tc(SHORT),
    floods_after_its_answer: does("floods stdout after its answer",
        &["BAD=FLOOD_AFTER"], Loses(ResourceLimit)).tc(SHORT),

    is_a_fork_bomb: does("starts processes without end",
        &["BAD=FORK_BOMB"], Loses(ResourceLimit)),
    starts_processes_of_their_own: does("starts processes that leave its group",
        &["BAD=LEAVES_GROUP"], Plays),
    leaves_orphans: does("exits and leaves processes that hold its pipes",
        &["BAD=LEAVES_ORPHANS"], Loses(Crash)),
    leaves_helpers: does("ends as asked and leaves processes behind",
        &["BAD=LEAVES_HELPERS"], Plays),

    writes_files: does("writes a file without a scratch folder",
        &["BAD=WRITES_FILE"], Walled(&["mount_ns", "landlock"], IllegalAnswer))
        .on_windows(Walled(&["low_integrity"], IllegalAnswer)),

    sends_files_to_itself(unix): does("sends itself open files without a name",
        &["BAD=ATTACKS", "ATTACK=ATTACK_SENT"], Loses(ResourceLimit))
        .event(r#"folder-limit = "4MiB""#),
    works_in_orphans(unix): does("has processes without a parent that keep working after the \
        answer", &["BAD=HAS_WORKERS"], Plays),
    works_in_processes_that_come_and_go(unix): does("has processes that come and go and work \
        after the answer", &["BAD=CHURNS"], Plays),
    hogs_in_orphans(unix): does("allocates memory in processes without a parent",
        &["BAD=ORPHANS_HOG"], Loses(ResourceLimit)).memory(64),
    is_an_orphan_bomb(unix): does("starts processes without a parent",
        &["BAD=ORPHAN_BOMB"], Loses(ResourceLimit)),
    leaves_the_dead(unix): does("starts processes and never asks how they ended",
        &["BAD=LEAVES_DEAD"], Loses(ResourceLimit)),

    is_no_program: Exhibit::new("is not a program", Program(b"To whom it may concern\n"),
        Refused("neither a program nor a script"))
        .on_windows(Refused("no program of Windows")),
    is_half_a_program: Exhibit::new("is a truncated program",
        Program(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0"),
        Refused("damaged")).on_windows(Refused("a Linux program (ELF)")),
    lacks_its_interpreter(unix): Exhibit::new("is a script without an interpreter",
        Program(b"#!/no/such/interpreter\n"), Refused("cannot be started")),
}

/// What a text engine does as well as a library.
pub(crate) mod shared {
    use super::*;

    shared! { does }
}
