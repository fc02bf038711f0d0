use std::fs;
use std::path::{Path, PathBuf};

/// A module that plays the first empty point, with parts of it replaced or added. Each part is text
/// of the text format; an export that is replaced gets it before its own body.
#[derive(Clone, Copy)]
pub(crate) struct WasmModule {
    pub imports: &'static str,
    /// Functions and the like beside the exports.
    pub extra: &'static str,
    /// The pages of memory that it begins with.
    pub pages: u32,
    pub abi: &'static str,
    pub describe: &'static str,
    pub create: &'static str,
    pub new_game: &'static str,
    pub set_position: &'static str,
    pub buffer: &'static str,
    /// Behind its own body, so that the answer is there and may be spoilt.
    pub choose: &'static str,
    /// The name under which it has its version.
    pub version: &'static str,
}

impl WasmModule {
    pub(crate) const PLAIN: WasmModule = WasmModule {
        imports: "",
        extra: "",
        pages: 1,
        abi: "",
        describe: "",
        create: "",
        new_game: "",
        set_position: "",
        buffer: "",
        choose: "",
        version: "tengen_abi_v1",
    };

    /// The position is what was told last: its plies at 16384, their number at 8. A question's
    /// limits and answer lie in the buffer at 4096; the answer's move is at offset 8.
    fn text(&self, more: &str) -> String {
        let WasmModule { imports, extra, pages, abi, describe, create, new_game, .. } = self;
        let WasmModule { set_position, buffer, choose, version, .. } = self;
        format!(
            r#"(module
            {imports}
            (memory (export "memory") {pages})
            (data (i32.const 1024) "name Watt\nversion 7\n\00")
            (func (export "{version}") (result i32) {abi} (i32.const 0))
            (func (export "tengen_describe") (result i32) {describe} (i32.const 1024))
            (func (export "tengen_create") (param i32) (result i32) {create} (i32.const 16))
            (func (export "tengen_new_game") (param i32 i32) (result i32)
                {new_game} (i32.const 0))
            (func (export "tengen_buffer") (param i32) (result i32) {buffer} (i32.const 4096))
            (func (export "tengen_set_position") (param i32 i32 i32) (result i32)
                {set_position}
                (i32.store (i32.const 8) (local.get 2))
                (memory.copy (i32.const 16384) (local.get 1) (i32.shl (local.get 2) (i32.const 1)))
                (i32.const 0))
            (func $taken (param $move i32) (result i32) (local $at i32)
                (loop $next
                    (if (i32.ge_u (local.get $at) (i32.load (i32.const 8)))
                        (then (return (i32.const 0))))
                    (if (i32.eq (local.get $move) (i32.load16_u offset=16384
                            (i32.shl (local.get $at) (i32.const 1))))
                        (then (return (i32.const 1))))
                    (local.set $at (i32.add (local.get $at) (i32.const 1)))
                    (br $next))
                (unreachable))
            (func $choose (export "tengen_choose")
                (param $engine i32) (param $limits i32) (param $reply i32) (result i32)
                (local $move i32)
                (loop $next
                    (if (call $taken (local.get $move)) (then
                        (local.set $move (i32.add (local.get $move) (i32.const 1)))
                        (if (i32.eq (i32.and (local.get $move) (i32.const 255)) (i32.const 15))
                            (then (local.set $move
                                (i32.add (local.get $move) (i32.const 241)))))
                        (br $next))))
                (i32.store16 offset=8 (local.get $reply) (local.get $move))
                {choose}
                (i32.const 0))
            {extra} {more})"#
        )
    }

    /// Writes it into the folder under that name.
    pub(crate) fn lay(&self, folder: &Path, name: &str) -> PathBuf {
        self.lay_with(folder, name, "")
    }

    /// As [`WasmModule::lay`], with one more function.
    pub(crate) fn lay_with(&self, folder: &Path, name: &str, more: &str) -> PathBuf {
        let path = folder.join(format!("{name}.wasm"));
        let bytes = wat::parse_str(self.text(more)).expect("a module in the text format");
        fs::write(&path, bytes).expect("the engine's file is written");
        path
    }
}
