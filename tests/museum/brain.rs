//! Text engines: programs that speak Gomocup's protocol, as far as they do.

use tengen_arbiter::Termination::{Crash, IllegalAnswer, ProtocolError, ResourceLimit, Timeout};

use crate::exhibit::ExpectedEnding::{Loses, Plays, Refused, SetAside, Walled};
use crate::exhibit::{Exhibit, ExpectedEnding};

/// For floods, which take that long where the machine is too busy for them.
const SHORT: &str = "move=10";
/// For an event that holds text engines to every word of their protocol.
const STRICT: &str = "strict-protocol = true";

/// A text engine that misbehaves in one way.
const fn does(
    does: &'static str,
    defines: &'static [&'static str],
    ends: ExpectedEnding,
) -> Exhibit {
    Exhibit::brain(does, defines, ends)
}

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
        &["BAD=ABORTS_AT_ONCE"], Refused("SIGABRT")),
    crashes_at_the_start_of_a_game: does("crashes at the start of a game, in either colour",
        &["BAD=CRASHES_IN_GAME"], Loses(Crash)),
    exits: does("exits when it is asked", &["BAD=EXITS"], Loses(Crash)),
    leaves_after_its_answer: does("exits right after its first answer",
        &["BAD=EXITS_AFTER"], Loses(Crash)),
    overflows_its_stack: does("overflows its stack", &["BAD=STACK"], Loses(Crash)),
    hangs_up: does("closes every open descriptor", &["BAD=HANGS_UP"], Loses(Crash)),

    reads_nothing: does("reads none of its input",
        &["BAD=READS_NOTHING"], Refused("within 1s")).startup(1),
    stops_itself: does("stops itself with SIGSTOP", &["BAD=STOPS_ITSELF"], Loses(Timeout)),
    ignores_signals: does("ignores every signal and loops",
        &["BAD=IGNORES_SIGNALS"], Loses(Timeout)),
    ignores_the_end: does("ignores `END`, the end of its input and SIGTERM",
        &["BAD=IGNORES_END"], Plays),
    answers_by_half: does("sends half an answer and stops",
        &["BAD=HALF_ANSWER"], Loses(Timeout)),
    answers_late: does("answers long after its deadline", &["BAD=LATE"], Loses(Timeout)),
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
    strictly_says_what_is_no_answer: does("answers with words that are not a move, with \
        `--strict-protocol`", &["BAD=JUNK"], Loses(ProtocolError)).event(STRICT),
    strictly_says_error: does("says ERROR to a question, with `--strict-protocol`",
        &["BAD=ERRS"], Loses(ProtocolError)).event(STRICT),
    strictly_answers_twice: does("answers twice, with `--strict-protocol`",
        &["BAD=ANSWERS_TWICE"], Loses(ProtocolError)).event(STRICT),
    plays_off_the_board: does("plays off the board", &["BAD=OFF_BOARD"], Loses(IllegalAnswer)),
    plays_beyond_numbers: does("answers with huge numbers",
        &["BAD=NUMBERS"], Loses(IllegalAnswer)),
    plays_on_a_stone: does("plays on a stone", &["BAD=OCCUPIED"], Loses(IllegalAnswer)),

    floods_stderr: does("floods stderr with bytes without an end of line",
        &["BAD=FLOOD_STDERR"], Loses(ResourceLimit)),
    floods_stdout: does("floods stdout with lines",
        &["BAD=FLOOD_LINES"], Loses(ResourceLimit)).tc(SHORT),
    floods_with_bytes: does("floods stdout with bytes without an end of line",
        &["BAD=FLOOD_BYTES"], Loses(ResourceLimit)),
    floods_the_log: does("floods the log", &["BAD=FLOOD_MESSAGES"], Loses(ResourceLimit)).tc(SHORT),
    floods_with_progress: does("floods the arbiter with progress",
        &["BAD=FLOOD_PROGRESS"], Loses(ResourceLimit)).tc(SHORT),
    floods_after_its_answer: does("floods stdout after its answer",
        &["BAD=FLOOD_AFTER"], Loses(ResourceLimit)).tc(SHORT),

    is_a_memory_bomb: does("allocates memory without end",
        &["BAD=HOG"], Loses(ResourceLimit)).memory(64),
    is_a_thread_bomb: does("starts threads without end",
        &["BAD=THREAD_BOMB"], Loses(ResourceLimit)),
    is_a_fork_bomb: does("starts processes without end",
        &["BAD=FORK_BOMB"], Loses(ResourceLimit)),
    fills_its_folder: does("writes files without end",
        &["BAD=FILLS_FOLDER"], Loses(ResourceLimit)).event(r#"folder-limit = "4MiB""#),
    hides_files: does("writes files without a name",
        &["BAD=HIDES_FILES"], Loses(ResourceLimit)).event(r#"folder-limit = "4MiB""#),

    works_on: does("has threads that keep working after the answer", &["BAD=WORKS_ON"], Plays),
    starts_processes_of_their_own: does("starts processes that leave its group",
        &["BAD=LEAVES_GROUP"], Plays),
    leaves_orphans: does("exits and leaves processes that hold its pipes",
        &["BAD=LEAVES_ORPHANS"], Loses(Crash)),
    leaves_helpers: does("ends as asked and leaves processes behind",
        &["BAD=LEAVES_HELPERS"], Plays),

    reads_a_canary: does("reads a file outside its folder",
        &["BAD=READS_CANARY"], Walled("landlock", IllegalAnswer)),
    connects: does("connects to a listener on this machine",
        &["BAD=CONNECTS"], Walled("seccomp", IllegalAnswer)),
    writes_files: does("writes a file without a private folder",
        &["BAD=WRITES_FILE"], Walled("landlock", IllegalAnswer)),

    asks_for_a_kill: does("has the system kill the arbiter by SIGIO",
        &["BAD=ATTACKS", "ATTACK=ATTACK_SIGIO"], Walled("seccomp", IllegalAnswer)),
    takes_a_lease: does("takes a lease on a file that others load",
        &["BAD=ATTACKS", "ATTACK=ATTACK_LEASE"], Walled("seccomp", IllegalAnswer)),
    watches_others: does("watches the files of others",
        &["BAD=ATTACKS", "ATTACK=ATTACK_WATCH"], Walled("seccomp", IllegalAnswer)),
    sets_the_clock: does("sets the clock of the machine",
        &["BAD=ATTACKS", "ATTACK=ATTACK_CLOCK"], Walled("seccomp", IllegalAnswer)),
    reaches_for_siblings: does("reaches for the memory of the arbiter and of other engines",
        &["BAD=ATTACKS", "ATTACK=ATTACK_SIBLINGS"], Walled("landlock", IllegalAnswer)),
    goes_around_the_filter: does("goes around the filter of system calls",
        &["BAD=ATTACKS", "ATTACK=ATTACK_AROUND"], Walled("seccomp", IllegalAnswer)),
    looks_for_a_secret: does("looks for a secret in its environment",
        &["BAD=ATTACKS", "ATTACK=ATTACK_SECRET"], Plays),
    nests_folders: does("makes folders in each other, deeper than any path",
        &["BAD=ATTACKS", "ATTACK=ATTACK_NEST"], Plays)
        .event(r#"folder-limit = "70MiB""#),
    closes_folders: does("makes folders and files that nobody may read",
        &["BAD=ATTACKS", "ATTACK=ATTACK_CLOSED"], Plays)
        .event(r#"folder-limit = "4MiB""#),
    exhausts_descriptors: does("opens files until it may open no more",
        &["BAD=ATTACKS", "ATTACK=ATTACK_DESCRIPTORS"], Plays),
    hides_blocks: does("takes the disk behind the ends of its files",
        &["BAD=ATTACKS", "ATTACK=ATTACK_BLOCKS"], Loses(ResourceLimit))
        .event(r#"folder-limit = "4MiB""#),
    maps_files_without_names: does("maps files without a name",
        &["BAD=ATTACKS", "ATTACK=ATTACK_MAPPED"], Loses(ResourceLimit))
        .event(r#"folder-limit = "4MiB""#),
    fills_a_blind_folder: does("fills a folder that cannot be read",
        &["BAD=ATTACKS", "ATTACK=ATTACK_BLIND"], Loses(ResourceLimit))
        .event(r#"folder-limit = "4MiB""#),
    sends_files_to_itself: does("sends itself open files without a name",
        &["BAD=ATTACKS", "ATTACK=ATTACK_SENT"], Loses(ResourceLimit))
        .event(r#"folder-limit = "4MiB""#),
    is_a_page_table_bomb: does("has the kernel make tables of pages without end",
        &["BAD=ATTACKS", "ATTACK=ATTACK_TABLES"], Loses(ResourceLimit)).memory(64),
    is_a_shared_memory_bomb: does("fills shared memory that it does not map",
        &["BAD=ATTACKS", "ATTACK=ATTACK_SHARED"], Loses(ResourceLimit)).memory(64),
    is_a_stack_bomb: does("fills the stacks of its threads",
        &["BAD=ATTACKS", "ATTACK=ATTACK_STACKS"], Loses(ResourceLimit)).memory(64),
    works_in_orphans: does("has processes without a parent that keep working after the answer",
        &["BAD=HAS_WORKERS"], Plays),
    works_in_processes_that_come_and_go: does("has processes that come and go and work after the \
        answer", &["BAD=CHURNS"], Plays),
    hogs_in_orphans: does("allocates memory in processes without a parent",
        &["BAD=ORPHANS_HOG"], Loses(ResourceLimit)).memory(64),
    is_an_orphan_bomb: does("starts processes without a parent",
        &["BAD=ORPHAN_BOMB"], Loses(ResourceLimit)),
    leaves_the_dead: does("starts processes and never asks how they ended",
        &["BAD=LEAVES_DEAD"], Loses(ResourceLimit)),

    is_no_program: Exhibit::program("is not a program", b"To whom it may concern\n",
        Refused("neither a program nor a script")),
    is_half_a_program: Exhibit::program("is a truncated program",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0", Refused("damaged")),
    lacks_its_interpreter: Exhibit::program("is a script without an interpreter",
        b"#!/no/such/interpreter\n", Refused("cannot be started")),
}
