//! The live view of a running event in a terminal.

mod draw;
mod keys;

use std::io::{self, IsTerminal, Stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self as input, Event as Input, KeyEventKind};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use tengen_lineup::lock;
use tengen_tournament::ChangeKind;

use super::LiveEvent;
use keys::ViewState;

/// How often it is drawn: the clocks run.
const EVERY: Duration = Duration::from_millis(200);
/// Whether the terminal is ours, and has to be given back.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// The live view, on a thread of its own.
pub(crate) struct Screen {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Screen {
    /// Whether there is a terminal for it, with a keyboard.
    pub(crate) fn is_possible() -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        !is_dumb && io::stderr().is_terminal() && io::stdin().is_terminal()
    }

    /// Takes the terminal. `act` does what a key asks for, except what only changes the view.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub(crate) fn open(
        event: Arc<LiveEvent>,
        act: impl Fn(ChangeKind) + Send + 'static,
    ) -> io::Result<Screen> {
        give_back_at_panic();
        enable_raw_mode()?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        let terminal = execute!(io::stderr(), EnterAlternateScreen)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stderr())));
        let mut terminal = terminal.inspect_err(|_| give_back())?;
        let is_over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_over);
        let show = move || {
            // A terminal that is gone takes nothing with it: the event goes on.
            if let Err(error) = run(&mut terminal, &event, &seen, &act) {
                log::warn!("the view has ended: {error}");
            }
            drop(terminal);
            give_back();
        };
        let thread = thread::Builder::new().name("screen".to_owned()).spawn(show)?;
        Ok(Screen { is_over, thread })
    }

    /// Gives the terminal back.
    pub(crate) fn close(self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _panicked = self.thread.join();
    }
}

/// Gives the terminal back, if it is ours: before the program ends in whatever way.
pub(crate) fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stderr(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

fn give_back_at_panic() {
    static ONCE: Mutex<bool> = Mutex::new(false);
    let mut is_set = lock(&ONCE);
    if !std::mem::replace(&mut *is_set, true) {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            tell(panic);
        }));
    }
}

fn run(
    terminal: &mut Terminal<CrosstermBackend<Stderr>>,
    event: &LiveEvent,
    is_over: &AtomicBool,
    act: &dyn Fn(ChangeKind),
) -> io::Result<()> {
    let mut view = ViewState::first(event.follower.config().has_remote());
    while !is_over.load(Ordering::SeqCst) {
        let seen = event.seen(&view);
        view.settle(&seen);
        terminal.draw(|frame| draw::draw(frame, &view, &seen))?;
        // It ends soon after the event.
        let until = Instant::now() + EVERY;
        while Instant::now() < until && !is_over.load(Ordering::SeqCst) {
            if !input::poll(EVERY / 5)? {
                continue;
            }
            if let Input::Key(key) = input::read()?
                && key.kind != KeyEventKind::Release
                && let Some(action) = view.press(key)
            {
                act(action);
            }
            break;
        }
    }
    Ok(())
}
