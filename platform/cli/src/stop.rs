use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::live;

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Calls `interrupt` on the first Ctrl-C or SIGTERM. A second one ends the program at once, which
/// is safe: what was told is on the disk.
pub(crate) fn on_interrupt(interrupt: impl Fn() + Send + Sync + 'static) -> anyhow::Result<()> {
    let installed = HANDLER.set(Box::new(interrupt)).is_ok();
    debug_assert!(installed, "one event runs in one program");
    ctrlc::set_handler(|| {
        request();
    })
    .context("cannot handle Ctrl-C")
}

/// Does what Ctrl-C does.
pub(crate) fn request() {
    if STOP.swap(true, Ordering::SeqCst) {
        live::give_back();
        std::process::exit(130);
    }
    if let Some(interrupt) = HANDLER.get() {
        interrupt();
    }
}
