use tengen_arbiter::Termination::{
    Crash, IllegalAnswer, ProtocolError, ResourceLimit, Stall, Timeout,
};

use crate::exhibit::EngineSource::{Bytes, Huge};
use crate::exhibit::ExpectedEnding::{Loses, Plays, Refused};
use crate::exhibit::{self, Exhibit};
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
    loops_in_its_start_function: exhibit::wasm("loops in its start function",
        WasmModule { extra: "(func $start (loop (br 0))) (start $start)", ..PLAIN },
        Refused("within 1s")).startup(1),
    loops_in_initialize: exhibit::wasm("loops in `_initialize`",
        WasmModule { extra: r#"(func (export "_initialize") (loop (br 0)))"#, ..PLAIN },
        Refused("within 1s")).startup(1),
    loops_in_abi_v1: exhibit::wasm("loops in `tengen_abi_v1`",
        WasmModule { abi: LOOP, ..PLAIN }, Refused("within 1s")).startup(1),
    loops_in_describe: exhibit::wasm("loops in `tengen_describe`",
        WasmModule { describe: LOOP, ..PLAIN }, Refused("within 1s")).startup(1),
    loops_in_create: exhibit::wasm("loops in `tengen_create`",
        WasmModule { create: LOOP, ..PLAIN }, Refused("within 1s")).startup(1),
    loops_in_set_option: exhibit::wasm("loops in `tengen_set_option`",
        WasmModule { extra: r#"(func (export "tengen_set_option") (param i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN },
        Refused("within 1s")).startup(1).options(r#"Any = "thing""#),
    loops_in_buffer: exhibit::wasm("loops in `tengen_buffer`",
        WasmModule { buffer: LOOP, ..PLAIN }, Loses(Stall)).startup(2),
    loops_in_new_game: exhibit::wasm("loops in `tengen_new_game`",
        WasmModule { new_game: LOOP, ..PLAIN }, Loses(Stall)).startup(2),
    loops_in_set_position: exhibit::wasm("loops in `tengen_set_position`",
        WasmModule { set_position: LOOP, ..PLAIN }, Loses(Timeout)),
    loops_in_play: exhibit::wasm("loops in `tengen_play`",
        WasmModule { extra: r#"(func (export "tengen_play") (param i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Loses(Timeout)),
    loops_in_choose: exhibit::wasm("loops in `tengen_choose`",
        WasmModule { choose: LOOP, ..PLAIN }, Loses(Timeout)),
    loops_in_decide: exhibit::wasm("loops in `tengen_decide`",
        WasmModule { extra: r#"(func (export "tengen_decide") (param i32 i32 i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Loses(Timeout))
        .event("opening = \"swap\"\nopening-policy = \"arbiter\""),
    loops_in_end_game: exhibit::wasm("loops in `tengen_end_game`",
        WasmModule { extra: r#"(func (export "tengen_end_game") (param i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_undo: exhibit::wasm("loops in `tengen_undo`",
        WasmModule { extra: r#"(func (export "tengen_undo") (param i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_ponder: exhibit::wasm("loops in `tengen_ponder`",
        WasmModule { extra: r#"(func (export "tengen_ponder") (param i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_extra: exhibit::wasm("loops in `tengen_extra`",
        WasmModule { extra: r#"(func (export "tengen_extra") (param i32 i32 i32 i32 i32 i32) (result i32)
            (loop (br 0)) (i32.const 0))"#, ..PLAIN }, Plays).startup(2),
    loops_in_destroy: exhibit::wasm("loops in `tengen_destroy`",
        WasmModule { extra: r#"(func (export "tengen_destroy") (param i32) (loop (br 0)))"#, ..PLAIN },
        Plays).startup(2),

    traps: exhibit::wasm("traps", WasmModule { choose: "(unreachable)", ..PLAIN }, Loses(Crash)),
    reads_outside_its_memory: exhibit::wasm("reads outside its memory",
        WasmModule { choose: "(drop (i32.load (i32.const 0x7FFFFFFF)))", ..PLAIN }, Loses(Crash)),
    writes_outside_its_memory: exhibit::wasm("writes past the end of its memory",
        WasmModule { choose: "(memory.fill (local.get $reply) (i32.const 1) (i32.const 0x100000))",
            ..PLAIN }, Loses(Crash)),
    calls_itself_without_end: exhibit::wasm("recurses without end",
        WasmModule { choose: "(drop (call $choose (local.get 0) (local.get 1) (local.get 2)))",
            ..PLAIN }, Loses(Crash)),
    exits: exhibit::wasm("exits when it is asked",
        WasmModule { imports: WASI, choose: "(call $exit (i32.const 3))", ..PLAIN }, Loses(Crash)),
    makes_no_engine: exhibit::wasm("fails to create an engine",
        WasmModule { create: "(return (i32.const 0))", ..PLAIN }, Refused("gave no engine")),
    fails_within: exhibit::wasm("reports its own failure",
        WasmModule { choose: "(return (i32.const -5))", ..PLAIN }, Loses(Crash)),

    gives_a_wild_pointer: exhibit::wasm("returns a pointer outside its memory",
        WasmModule { buffer: "(return (i32.const -8))", ..PLAIN }, Loses(ProtocolError)),
    gives_too_little_room: exhibit::wasm("returns a buffer that is too small",
        WasmModule { buffer: "(return (i32.const 65500))", ..PLAIN }, Loses(ProtocolError)),
    gives_no_room: exhibit::wasm("returns no buffer",
        WasmModule { buffer: "(return (i32.const 0))", ..PLAIN }, Loses(ResourceLimit)),
    describes_itself_nowhere: exhibit::wasm("returns an invalid description",
        WasmModule { describe: "(return (i32.const -8))", ..PLAIN }, Plays),
    has_a_status_of_its_own: exhibit::wasm("answers with an unknown status",
        WasmModule { choose: "(return (i32.const 12345))", ..PLAIN }, Loses(ProtocolError)),
    lies_about_sizes: exhibit::wasm("lies about sizes and lengths",
        WasmModule { imports: SEND, choose: "
            (drop (call $send (i32.const 8) (i32.const 1) (i32.const 0) (i32.const -1)))
            (drop (call $send (i32.const 8) (i32.const 2) (i32.const 64) (i32.const 3)))
            (drop (call $send (i32.const 8) (i32.const 2) (i32.const -4) (i32.const 56)))
            (i32.store (local.get $reply) (i32.const -1))", ..PLAIN }, Plays),
    writes_past_its_buffer: exhibit::wasm("writes past the answer's buffer",
        WasmModule { choose: "(memory.fill (i32.add (local.get $reply) (i32.const 48))
            (i32.const 1) (i32.const 4000))", ..PLAIN }, Plays),
    fetches_from_outside: exhibit::wasm("asks for files outside its folder",
        WasmModule { imports: FETCH, extra: r#"(data (i32.const 2048) "../canary\00/etc/passwd\00")"#,
            choose: "
            (if (i64.ge_s (call $fetch (i32.const 8) (i32.const 2048) (i64.const 0)
                    (i32.const 3072) (i32.const 64)) (i64.const 0)) (then (unreachable)))
            (if (i64.ge_s (call $fetch (i32.const 8) (i32.const 2058) (i64.const 0)
                    (i32.const 3072) (i32.const -1)) (i64.const 0)) (then (unreachable)))",
            ..PLAIN }, Plays),

    plays_off_the_board: exhibit::wasm("plays off the board",
        WasmModule {
            choose: "(i32.store16 offset=8 (local.get $reply) (i32.const 0x6363))",
            ..PLAIN
        },
        Loses(IllegalAnswer)),
    plays_on_a_stone: exhibit::wasm("plays on a stone",
        WasmModule { choose: "(if (i32.load (i32.const 8)) (then (i32.store16 offset=8
            (local.get $reply) (i32.load16_u (i32.const 16384)))))", ..PLAIN },
        Loses(IllegalAnswer)),
    plays_nothing: exhibit::wasm("answers without a move",
        WasmModule {
            choose: "(i32.store16 offset=8 (local.get $reply) (i32.const 0xFFFF))",
            ..PLAIN
        },
        Loses(IllegalAnswer)),
    answers_late: exhibit::wasm("answers long after its deadline",
        WasmModule { imports: LEFT, choose: "(loop (br_if 0 (i64.gt_s
            (call $left_us (i32.const 8)) (i64.const -2000000))))", ..PLAIN }, Loses(Timeout)),

    floods_the_log: exhibit::wasm("floods the log",
        WasmModule { imports: SEND, choose: "(loop (drop (call $send (i32.const 8) (i32.const 1)
            (i32.const 0) (i32.const 4096))) (br 0))", ..PLAIN }, Loses(ResourceLimit)),
    floods_stdout: exhibit::wasm("floods stdout through WASI",
        WasmModule { imports: WASI, choose: "
            (i32.store (i32.const 2052) (i32.const 4096))
            (loop (drop (call $fd_write (i32.const 1) (i32.const 2048) (i32.const 1)
                (i32.const 2056))) (br 0))", ..PLAIN }, Loses(ResourceLimit)),
    is_a_memory_bomb: exhibit::wasm("grows its memory by 256 MiB and needs it",
        WasmModule { choose: "(if (i32.eq (memory.grow (i32.const 4096)) (i32.const -1))
            (then (unreachable)))", ..PLAIN }, Loses(ResourceLimit)).memory(64),
    is_a_table_bomb: exhibit::wasm("grows its tables without end",
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
    begins_with_too_much_memory: exhibit::wasm("starts with more memory than allowed",
        WasmModule { pages: 4096, ..PLAIN }, Refused("memory")).memory(64),

    is_no_module: Exhibit::new("is not a module", Bytes(b"#!/bin/sh\nexit 0\n"),
        Refused("not a WebAssembly module")),
    is_half_a_module: Exhibit::new("is a truncated module",
        Bytes(b"\0asm\x01\0\0\0\x01\x08\x02\x60"), Refused("damaged")),
    is_slow_to_compile: Exhibit::new("takes too long to compile", Huge(30_000),
        Refused("within 1s")).startup(1),
    has_another_major: exhibit::wasm("has another major version of the ABI",
        WasmModule { version: "tengen_abi_v2", ..PLAIN }, Refused("tengen_abi_v1")),
    lacks_an_export: Exhibit::new("lacks every export", Bytes(b"\0asm\x01\0\0\0"),
        Refused("tengen_abi_v1")),
    imports_what_is_not_there: exhibit::wasm("imports unknown functions",
        WasmModule { imports: r#"(import "env" "connect" (func (param i32)))"#, ..PLAIN },
        Refused("env.connect")),
}
