//! Which fault this library has, and the faults that take few lines.

use std::ffi::{CStr, CString};
use std::hint;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use tengen_abi::Limits;

use crate::player::Player;

/// Whether this is the library with that fault.
pub(crate) fn has(fault: &str) -> bool {
    static FAULT: OnceLock<String> = OnceLock::new();
    FAULT.get_or_init(of_own_file) == fault
}

/// What stands between the hyphen and the point in the name of the library's file.
fn of_own_file() -> String {
    let path = own_file();
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let fault = name.split_once('-').and_then(|(_, rest)| rest.split_once('.'));
    fault.map(|(fault, _)| fault.to_owned()).unwrap_or_default()
}

#[cfg(unix)]
fn own_file() -> String {
    // SAFETY: all zeros are a value of this struct of pointers.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the address is one of this library, and the place is valid for the call.
    if unsafe { libc::dladdr(own_file as *const libc::c_void, &mut info) } == 0 {
        return String::new();
    }
    // SAFETY: the name ends with a NUL, and stays as long as the library.
    unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy().into_owned()
}

#[cfg(windows)]
fn own_file() -> String {
    use windows_sys::Win32::System::LibraryLoader::{
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
        GetModuleFileNameW, GetModuleHandleExW,
    };
    let flags =
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let (mut library, mut name) = (std::ptr::null_mut(), [0; 1024]);
    // SAFETY: with these flags an address of this library stands in place of a name; the handle and
    // the name are this function's own, and the length of the name is given.
    let length = unsafe {
        GetModuleHandleExW(flags, own_file as *const u16, &mut library);
        GetModuleFileNameW(library, name.as_mut_ptr(), name.len() as u32)
    };
    String::from_utf16_lossy(&name[..length as usize])
}

/// The text of `tengen_describe`.
pub(crate) fn describe() -> &'static CStr {
    static TEXT: OnceLock<CString> = OnceLock::new();
    TEXT.get_or_init(|| {
        let rule = match () {
            () if has("bad_rule_line") => "rule freestyle 15-15",
            () if has("unknown_rule") => "rule gomoku 15..15",
            () if has("empty_range") => "rule freestyle 20..10",
            () => "rule freestyle 10..20\nrule renju 10..20\nrule caro 15..15",
        };
        let option = match () {
            () if has("bad_default") => "option int Speed 12 1..9",
            () => "option int Speed 5 1..9",
        };
        let opening = "opening book pro long-pro swap swap2 rif";
        let name = if has("nameless") { "version 2" } else { "name Faulty" };
        let text = format!("{name}\nversion 1\nunheard of\n{rule}\n{opening}\n{option}\n");
        CString::new(text).unwrap_or_default()
    })
}

/// Takes memory and keeps it.
pub(crate) fn leak(mib: usize) {
    let mut room = vec![0_u8; mib << 20];
    for page in room.chunks_mut(4096) {
        page[0] = 1;
    }
    hint::black_box(&room);
    std::mem::forget(room);
}

/// Works with three threads more until so much is left of the question. They stay, and rest then.
fn work_on_four(player: &Player, until: i64) {
    static WORKS: AtomicBool = AtomicBool::new(false);
    static HELPERS: OnceLock<Vec<Thread>> = OnceLock::new();
    let help = || {
        loop {
            if WORKS.load(Ordering::Relaxed) {
                hint::spin_loop();
            } else {
                thread::park();
            }
        }
    };
    let helpers =
        HELPERS.get_or_init(|| (0..3).map(|_| thread::spawn(help).thread().clone()).collect());
    WORKS.store(true, Ordering::Relaxed);
    helpers.iter().for_each(Thread::unpark);
    while player.left_us() > until {
        hint::spin_loop();
    }
    WORKS.store(false, Ordering::Relaxed);
}

/// What goes wrong while a question is open.
pub(crate) fn misbehave(player: &Player, limits: &Limits, asked: u32) {
    let is_timed = limits.hard_us >= 0;
    let sleep = |milliseconds| thread::sleep(Duration::from_millis(milliseconds));
    if has("needs_120_ms") && is_timed {
        sleep(120);
    }
    if has("needs_70_ms") && is_timed {
        sleep(70);
    }
    if has("same_time_always") && limits.own_us >= 0 {
        sleep(90);
    }
    if has("uses_all_time") && is_timed {
        while player.left_us() > 0 {
            hint::spin_loop();
        }
    }
    if has("hangs") && player.position.ply() > 2 {
        sleep(3_600_000);
    }
    if has("crashes_later") && asked > 150 || has("option_crash") && player.speed == 9 {
        std::process::abort();
    }
    if has("works_on") && asked == 0 {
        thread::spawn(|| {
            loop {
                hint::spin_loop();
            }
        });
    }
    let overworks = has("more_threads") || has("more_threads_if_free") && !player.is_reproducible;
    if overworks && (200_000..1_000_000).contains(&limits.hard_us) {
        work_on_four(player, limits.hard_us / 2);
    }
    if has("leaks_slowly") {
        leak(1);
    }
}
