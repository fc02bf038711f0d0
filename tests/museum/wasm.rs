use tengen_arbiter::Termination::{
    Crash, IllegalAnswer, ProtocolError, ResourceLimit, Stall, Timeout,
};

use crate::exhibit::Exhibit;
use crate::exhibit::ExpectedEnding::{Loses, Plays, Refused};
use crate::module::WasmModule;

const LOOP: &str = "(loop (br 0))";
const PLAIN: WasmModule = WasmModule::PLAIN;
const SEND: &str = r#"(import "tengen" "send" (func $send (param i32 i32 i32 i32) (result i32)))"#;
const LEFT: &str = r#"(import "tengen" "left_us" (func $left_us (param i32) (result i64)))"#;
const FETCH: &str =
    r#"(import "tengen" "fetch" (func $fetch (param i32 i32 i64 i32 i32) (result i64)))"#;
const WASI: &str = r#"
    (import "wasi_snapshot_preview1" "fd_write"
        (func $fd_write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))"#;

room! {
    loops_in_its_start_function: Exhibit::wasm("loops in its start function",
        WasmModule { extra: "(func $start (loop (br 0))) (start $start)", ..PLAIN },
        Refused("within 1s")).startup(1),
    loops_in_initialize: Exhibit::wasm("loops in `_initialize`",
        WasmModule { extra: r#"(func (export "_initialize") (loop (br 0)))"#, ..PLAIN },
        Refused("within 1s")).startup(1),
    loops_in_abi_v1: Exhibit::wasm("loops in `tengen_abi_v1`",
        WasmModule { abi: LOOP, ..PLAIN }, Refused("within 1s")).startup(1),
    loops_in_describe: Exhibit::wasm("loops in `tengen_describe`",
        WasmModule { describe: LOOP, ..PLAIN }, Refused("within 1s")).startup(1),
    loops_in_create: Exhibit::wasm("loops in `tengen_create`",
        WasmModule { create: LOOP, ..PLAIN }, Refused("within 1s")).startup(1),
    loops_in_set_option: Exhibit::wasm("loops in `tengen_set_option`",
        WasmModule { extra: r#"(func (export "tengen_set_option") (param i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN },
        Refused("within 1s")).startup(1).options(r#"Any = "thing""#),
    loops_in_buffer: Exhibit::wasm("loops in `tengen_buffer`",
        WasmModule { buffer: LOOP, ..PLAIN }, Loses(Stall)).startup(2),
    loops_in_new_game: Exhibit::wasm("loops in `tengen_new_game`",
        WasmModule { new_game: LOOP, ..PLAIN }, Loses(Stall)).startup(2),
    loops_in_set_position: Exhibit::wasm("loops in `tengen_set_position`",
        WasmModule { set_position: LOOP, ..PLAIN }, Loses(Timeout)),
    loops_in_play: Exhibit::wasm("loops in `tengen_play`",
        WasmModule { extra: r#"(func (export "tengen_play") (param i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Loses(Timeout)),
    loops_in_choose: Exhibit::wasm("loops in `tengen_choose`",
        WasmModule { choose: LOOP, ..PLAIN }, Loses(Timeout)),
    loops_in_decide: Exhibit::wasm("loops in `tengen_decide`",
        WasmModule { extra: r#"(func (export "tengen_decide") (param i32 i32 i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Loses(Timeout))
        .event("opening = \"swap\"\nopening-policy = \"arbiter\""),
    loops_in_end_game: Exhibit::wasm("loops in `tengen_end_game`",
        WasmModule { extra: r#"(func (export "tengen_end_game") (param i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_undo: Exhibit::wasm("loops in `tengen_undo`",
        WasmModule { extra: r#"(func (export "tengen_undo") (param i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_ponder: Exhibit::wasm("loops in `tengen_ponder`",
        WasmModule { extra: r#"(func (export "tengen_ponder") (param i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_extra: Exhibit::wasm("loops in `tengen_extra`",
        WasmModule { extra: r#"(func (export "tengen_extra") (param i32 i32 i32 i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_destroy: Exhibit::wasm("loops in `tengen_destroy`",
        WasmModule { extra: r#"(func (export "tengen_destroy") (param i32) (loop (br 0)))"#, ..PLAIN },
        Plays).startup(2),

    traps: Exhibit::wasm("traps", WasmModule { choose: "(unreachable)", ..PLAIN }, Loses(Crash)),
    reads_outside_its_memory: Exhibit::wasm("reads outside its memory",
        WasmModule { choose: "(drop (i32.load (i32.const 0x7FFFFFFF)))", ..PLAIN }, Loses(Crash)),
    writes_outside_its_memory: Exhibit::wasm("writes past the end of its memory",
        WasmModule { choose: "(memory.fill (local.get $reply) (i32.const 1) (i32.const 0x100000))",
            ..PLAIN }, Loses(Crash)),
    calls_itself_without_end: Exhibit::wasm("recurses without end",
        WasmModule { choose: "(drop (call $choose (local.get 0) (local.get 1) (local.get 2)))",
            ..PLAIN }, Loses(Crash)),
    exits: Exhibit::wasm("exits when it is asked",
        WasmModule { imports: WASI, choose: "(call $exit (i32.const 3))", ..PLAIN }, Loses(Crash)),
    makes_no_engine: Exhibit::wasm("fails to create an engine",
        WasmModule { create: "(return (i32.const 0))", ..PLAIN }, Refused("gave no engine")),
    fails_within: Exhibit::wasm("reports its own failure",
        WasmModule { choose: "(return (i32.const -5))", ..PLAIN }, Loses(Crash)),

    gives_a_wild_pointer: Exhibit::wasm("returns a pointer outside its memory",
        WasmModule { buffer: "(return (i32.const -8))", ..PLAIN }, Loses(ProtocolError)),
    gives_too_little_room: Exhibit::wasm("returns a buffer that is too small",
        WasmModule { buffer: "(return (i32.const 65500))", ..PLAIN }, Loses(ProtocolError)),
    gives_no_room: Exhibit::wasm("returns no buffer",
        WasmModule { buffer: "(return (i32.const 0))", ..PLAIN }, Loses(ResourceLimit)),
    describes_itself_nowhere: Exhibit::wasm("returns an invalid description",
        WasmModule { describe: "(return (i32.const -8))", ..PLAIN }, Plays),
    has_a_status_of_its_own: Exhibit::wasm("answers with an unknown status",
        WasmModule { choose: "(return (i32.const 12345))", ..PLAIN }, Loses(ProtocolError)),
    lies_about_sizes: Exhibit::wasm("lies about sizes and lengths",
        WasmModule { imports: SEND, choose: "
            (drop (call $send (i32.const 8) (i32.const 1) (i32.const 0) (i32.const -1)))
            (drop (call $send (i32.const 8) (i32.const 2) (i32.const 64) (i32.const 3)))
            (drop (call $send (i32.const 8) (i32.const 2) (i32.const -4) (i32.const 56)))
            (i32.store (local.get $reply) (i32.const -1))", ..PLAIN }, Plays),
    writes_past_its_buffer: Exhibit::wasm("writes past the answer's buffer",
        WasmModule { choose: "(memory.fill (i32.add (local.get $reply) (i32.const 48))
            (i32.const 1) (i32.const 4000))", ..PLAIN }, Plays),
    fetches_from_outside: Exhibit::wasm("asks for files outside its folder",
        WasmModule { imports: FETCH, extra: r#"(data (i32.const 2048) "../canary\00/etc/passwd\00")"#,
            choose: "
            (if (i64.ge_s (call $fetch (i32.const 8) (i32.const 2048) (i64.const 0)
                    (i32.const 3072) (i32.const 64)) (i64.const 0)) (then (unreachable)))
            (if (i64.ge_s (call $fetch (i32.const 8) (i32.const 2058) (i64.const 0)
                    (i32.const 3072) (i32.const -1)) (i64.const 0)) (then (unreachable)))",
            ..PLAIN }, Plays),

    plays_off_the_board: Exhibit::wasm("plays off the board",
        WasmModule {
            choose: "(i32.store16 offset=8 (local.get $reply) (i32.const 0x6363))",
            ..PLAIN
        },
        Loses(IllegalAnswer)),
    plays_on_a_stone: Exhibit::wasm("plays on a stone",
        WasmModule { choose: "(if (i32.load (i32.const 8)) (then (i32.store16 offset=8
            (local.get $reply) (i32.load16_u (i32.const 16384)))))", ..PLAIN },
        Loses(IllegalAnswer)),
    plays_nothing: Exhibit::wasm("answers without a move",
        WasmModule {
            choose: "(i32.store16 offset=8 (local.get $reply) (i32.const 0xFFFF))",
            ..PLAIN
        },
        Loses(IllegalAnswer)),
    answers_late: Exhibit::wasm("answers long after its deadline",
        WasmModule { imports: LEFT, choose: "(loop (br_if 0 (i64.gt_s
            (call $left_us (i32.const 8)) (i64.const -2000000))))", ..PLAIN }, Loses(Timeout)),

    floods_the_log: Exhibit::wasm("floods the log",
        WasmModule { imports: SEND, choose: "(loop (drop (call $send (i32.const 8) (i32.const 1)
            (i32.const 0) (i32.const 4096))) (br 0))", ..PLAIN }, Loses(ResourceLimit)),
    floods_stdout: Exhibit::wasm("floods stdout through WASI",
        WasmModule { imports: WASI, choose: "
            (i32.store (i32.const 2052) (i32.const 4096))
            (loop (drop (call $fd_write (i32.const 1) (i32.const 2048) (i32.const 1)
                (i32.const 2056))) (br 0))", ..PLAIN }, Loses(ResourceLimit)),
    is_a_memory_bomb: Exhibit::wasm("grows its memory by 256 MiB and needs it",
        WasmModule { choose: "(if (i32.eq (memory.grow (i32.const 4096)) (i32.const -1))
            (then (unreachable)))", ..PLAIN }, Loses(ResourceLimit)).memory(64),
    is_a_table_bomb: Exhibit::wasm("grows its tables without end",
        WasmModule {
            imports: "(table $a 1 funcref) (table $b 1 funcref) (table $c 1 funcref)",
            choose: "
            (drop (table.grow $a (ref.null func) (i32.const 1000000)))
            (drop (table.grow $a (ref.null func) (i32.const 1000000)))
            (if (i32.ge_s (table.grow $b (ref.null func) (i32.const 1000000)) (i32.const 0))
                (then (unreachable)))
            (if (i32.ge_s (table.grow $c (ref.null func) (i32.const 1000000)) (i32.const 0))
                (then (unreachable)))",
            ..PLAIN
        }, Plays).memory(64),
    begins_with_too_much_memory: Exhibit::wasm("starts with more memory than allowed",
        WasmModule { pages: 4096, ..PLAIN }, Refused("memory")).memory(64),

    is_no_module: Exhibit::bytes("is not a module", b"#!/bin/sh\nexit 0\n",
        Refused("not a WebAssembly module")),
    is_half_a_module: Exhibit::bytes("is a truncated module",
        b"\0asm\x01\0\0\0\x01\x08\x02\x60", Refused("damaged")),
    is_slow_to_compile: Exhibit::huge("takes too long to compile", 30_000, Refused("within 1s"))
        .startup(1),
    has_another_major: Exhibit::wasm("has another major version of the ABI",
        WasmModule { version: "tengen_abi_v2", ..PLAIN }, Refused("tengen_abi_v1")),
    lacks_an_export: Exhibit::bytes("lacks every export", b"\0asm\x01\0\0\0",
        Refused("tengen_abi_v1")),
    imports_what_is_not_there: Exhibit::wasm("imports unknown functions",
        WasmModule { imports: r#"(import "env" "connect" (func (param i32)))"#, ..PLAIN },
        Refused("env.connect")),
}
