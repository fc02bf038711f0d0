//! What is shown, and the keys that change it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use tengen_tournament::ChangeKind;

use super::draw::LiveSnapshot;

/// What of an event is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Page {
    /// Standings, tables and messages.
    #[default]
    Overview,
    /// The board of one table.
    Board,
    /// What its engines are asked and answer.
    Log,
    /// The games that were lost by a fault, spoiled, void or played again.
    Incidents,
    /// The links of the teams that play from elsewhere.
    Links,
}

/// What is shown, and what of it is chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct ViewState {
    pub(super) page: Page,
    /// The table, counted from 0.
    pub(super) table: usize,
    /// The first line of the standings, or of the games that ended badly.
    pub(super) top: usize,
    /// Whether it is asked if the event is to be stopped.
    pub(super) asks: bool,
    pub(super) is_paused: bool,
    pub(super) tables: usize,
    /// The lines that can be paged through.
    pub(super) lines: usize,
}

impl ViewState {
    /// What is shown first. Teams that play from elsewhere need their links before anything is
    /// played.
    pub(super) fn first(has_teams: bool) -> ViewState {
        let page = if has_teams { Page::Links } else { Page::Overview };
        ViewState { page, ..ViewState::default() }
    }

    /// Fits it to what there is.
    pub(super) fn settle(&mut self, seen: &LiveSnapshot) {
        let lines = match self.page {
            Page::Incidents => seen.incidents.len(),
            _ => seen.event.standings.standings.len(),
        };
        (self.tables, self.lines) = (seen.tables.len(), lines);
        self.table = self.table.min(self.tables.saturating_sub(1));
        self.top = self.top.min(self.lines.saturating_sub(1));
        self.is_paused = seen.event.is_paused;
    }

    pub(super) fn press(&mut self, key: KeyEvent) -> Option<ChangeKind> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && key.code == KeyCode::Char('c') {
            return Some(ChangeKind::StoppedNow);
        }
        if self.asks {
            self.asks = false;
            let is_yes = matches!(key.code, KeyCode::Char('y' | 'Y' | 'q') | KeyCode::Enter);
            return is_yes.then_some(ChangeKind::StoppedNow);
        }
        match key.code {
            KeyCode::Char('q') => self.asks = true,
            KeyCode::Char('p') => {
                let is_paused = self.is_paused;
                return Some(if is_paused { ChangeKind::Continued } else { ChangeKind::Paused });
            }
            KeyCode::Char('s') => return Some(ChangeKind::Stopped),
            KeyCode::Up | KeyCode::Char('k') => self.table = self.table.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => {
                self.table = (self.table + 1).min(self.tables.saturating_sub(1));
            }
            KeyCode::PageUp => self.top = self.top.saturating_sub(10),
            KeyCode::PageDown => {
                self.top = (self.top + 10).min(self.lines.saturating_sub(1));
            }
            KeyCode::Enter | KeyCode::Char('e') => self.turn_to(Page::Board),
            KeyCode::Char('l') => self.turn_to(Page::Log),
            KeyCode::Char('f') => self.turn_to(Page::Incidents),
            KeyCode::Char('t') => self.turn_to(Page::Links),
            KeyCode::Esc => self.page = Page::Overview,
            _ => {}
        }
        None
    }

    /// Shows that page, or the first where it is shown already.
    fn turn_to(&mut self, page: Page) {
        self.page = if self.page == page { Page::Overview } else { page };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(view: &mut ViewState, code: KeyCode) -> Option<ChangeKind> {
        view.press(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn to_stop_is_asked_for_twice() {
        let mut view = ViewState::default();
        assert_eq!(press(&mut view, KeyCode::Char('q')), None);
        assert_eq!(press(&mut view, KeyCode::Char('n')), None);
        assert_eq!(press(&mut view, KeyCode::Char('q')), None);
        assert_eq!(press(&mut view, KeyCode::Char('y')), Some(ChangeKind::StoppedNow));
        let control = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(view.press(control), Some(ChangeKind::StoppedNow));
    }

    #[test]
    fn tables_and_pages_are_chosen() {
        let mut view = ViewState { tables: 3, ..ViewState::default() };
        for code in [KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Up] {
            press(&mut view, code);
        }
        assert_eq!(view.table, 1);
        press(&mut view, KeyCode::Enter);
        assert_eq!(view.page, Page::Board);
        press(&mut view, KeyCode::Char('l'));
        assert_eq!(view.page, Page::Log);
        press(&mut view, KeyCode::Esc);
        assert_eq!(view.page, Page::Overview);
        press(&mut view, KeyCode::Char('t'));
        assert_eq!(view.page, Page::Links);
        press(&mut view, KeyCode::Char('t'));
        assert_eq!(view.page, Page::Overview);
        assert_eq!(ViewState::first(false).page, Page::Overview);
        assert_eq!(
            ViewState::first(true).page,
            Page::Links,
            "no team can connect without its link"
        );
        assert_eq!(press(&mut view, KeyCode::Char('p')), Some(ChangeKind::Paused));
    }
}
