//! `export_engine!` and `exports!`.

/// The [`Exports`](crate::Exports) table of an engine, its description filled from the Cargo
/// package that this is written in: what a program that links the engine in calls.
///
/// ```
/// use tengen_sdk::{Choice, Engine, Exports, Position, Thinking};
///
/// #[derive(Default)]
/// struct Mine;
///
/// impl Engine for Mine {
///     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
///         position.size().center().into()
///     }
/// }
///
/// const EXPORTS: Exports = tengen_sdk::exports!(Mine);
/// assert!(EXPORTS.destroy.is_some());
/// ```
#[macro_export]
macro_rules! exports {
    ($engine:ty) => {{
        struct ThisPackage;
        impl $crate::__private::Packaged for ThisPackage {
            const CARGO: $crate::__private::Cargo = $crate::__private::Cargo {
                name: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
                authors: env!("CARGO_PKG_AUTHORS"),
                description: env!("CARGO_PKG_DESCRIPTION"),
            };
        }
        $crate::__private::packaged::<$engine, ThisPackage>()
    }};
}

/// Exports an engine from a `cdylib`, natively and in WebAssembly: every `tengen_*` function, with
/// panics contained.
///
/// The symbols can be in a program only once. An engine that is also linked into a program keeps
/// them behind a default feature, which that program turns off, and shows a table instead:
///
/// ```toml
/// [lib]
/// crate-type = ["cdylib", "rlib"]
/// [features]
/// default = ["export"]
/// export = []
/// ```
/// ```ignore
/// #[cfg(feature = "export")]
/// tengen_sdk::export_engine!(MyEngine);
///
/// /// The engine, for a program that links it in.
/// pub const EXPORTS: tengen_sdk::Exports = tengen_sdk::exports!(MyEngine);
/// ```
#[macro_export]
macro_rules! export_engine {
    ($engine:ty) => {
        const _: () = {
            use ::core::ffi::c_char;
            use $crate::__private::abi;

            const EXPORTS: $crate::Exports = $crate::exports!($engine);

            $crate::__export!(abi_v1 => tengen_abi_v1() -> u32);
            $crate::__export!(describe => tengen_describe() -> *const c_char);
            $crate::__export!(create => tengen_create(host: *const abi::Host) -> *mut abi::Engine);
            $crate::__export!(new_game => tengen_new_game(
                engine: *mut abi::Engine, game: *const abi::Game) -> i32);
            $crate::__export!(set_position => tengen_set_position(
                engine: *mut abi::Engine, moves: *const abi::MoveCode, count: u32) -> i32);
            $crate::__export!(choose => tengen_choose(
                engine: *mut abi::Engine, limits: *const abi::Limits,
                reply: *mut abi::Reply) -> i32);
            $crate::__export!(optional destroy => tengen_destroy(engine: *mut abi::Engine) -> ());
            $crate::__export!(optional set_option => tengen_set_option(
                engine: *mut abi::Engine, name: *const c_char, value: *const c_char) -> i32);
            $crate::__export!(optional play => tengen_play(
                engine: *mut abi::Engine, code: abi::MoveCode) -> i32);
            $crate::__export!(optional undo => tengen_undo(
                engine: *mut abi::Engine, count: u32) -> i32);
            $crate::__export!(optional decide => tengen_decide(
                engine: *mut abi::Engine, question: *const abi::Question,
                candidates: *const abi::MoveCode, limits: *const abi::Limits,
                verdict: *mut abi::Verdict) -> i32);
            $crate::__export!(optional ponder => tengen_ponder(
                engine: *mut abi::Engine, limits: *const abi::Limits) -> i32);
            $crate::__export!(optional end_game => tengen_end_game(
                engine: *mut abi::Engine, outcome: i32, reason: u32) -> i32);

            #[cfg(target_family = "wasm")]
            #[unsafe(no_mangle)]
            extern "C" fn tengen_buffer(bytes: u32) -> *mut u8 {
                $crate::__private::buffer(bytes)
            }
        };
    };
}

/// One exported function, which calls the one in the table.
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($entry:ident => $name:ident($($arg:ident: $kind:ty),*) -> $out:ty) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $kind),*) -> $out {
            // SAFETY: the host keeps the contract of the ABI, which is the table's own.
            unsafe { (EXPORTS.$entry)($($arg),*) }
        }
    };
    (optional $entry:ident => $name:ident($($arg:ident: $kind:ty),*) -> $out:ty) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($arg: $kind),*) -> $out {
            const FUNCTION: unsafe extern "C" fn($($kind),*) -> $out =
                EXPORTS.$entry.expect("the SDK fills it");
            // SAFETY: the host keeps the contract of the ABI, which is the table's own.
            unsafe { FUNCTION($($arg),*) }
        }
    };
}
