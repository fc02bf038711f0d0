use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use tengen_hosts::Interrupt;

use crate::live;

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Calls `interrupt` on the first Ctrl-C or SIGTERM, or when the console is closed. A second one
/// ends the program at once, which is safe: what was told is on the disk.
pub(crate) fn on_interrupt(interrupt: impl Fn() + Send + Sync + 'static) -> anyhow::Result<()> {
    let installed = HANDLER.set(Box::new(interrupt)).is_ok();
    debug_assert!(installed, "one event runs in one program");
    ctrlc::set_handler(|| {
        request();
    })
    .context("cannot handle Ctrl-C")?;
    #[cfg(windows)]
    tengen_hosts::on_console_close(|| {
        begin();
    })
    .context("cannot handle the closing of the console")?;
    Ok(())
}

/// Raises this on the first Ctrl-C or SIGTERM.
pub(crate) fn raise_on_interrupt(interrupt: &Interrupt) -> anyhow::Result<()> {
    let interrupt = interrupt.clone();
    on_interrupt(move || interrupt.raise())
}

/// Does what Ctrl-C does.
pub(crate) fn request() {
    if !begin() {
        live::give_back();
        std::process::exit(130);
    }
}

/// Does what the first Ctrl-C does, and nothing where it stops already. Whether it did.
pub(crate) fn begin() -> bool {
    let is_first = !STOP.swap(true, Ordering::SeqCst);
    if is_first && let Some(interrupt) = HANDLER.get() {
        interrupt();
    }
    is_first
}
