//! What is said on the terminal of the remote engines of an event that is played here.

use tengen_lineup::{TeamChange, TeamChangeListener};
use tengen_tournament::{AbsentOption, Event};

use crate::{report, stop};

/// Tells on the terminal what happens to the remote engines.
pub(super) fn on_terminal(event: &Event) -> TeamChangeListener {
    let config = event.config();
    let wait = config.remote_wait() as f64 / 1e9;
    if config.has_remote() {
        report::tell(format_args!(
            "tengen: remote engines: each team runs the command with its key, and keeps the key to \
             itself; one that is away is waited for up to {wait} s"
        ));
    }
    Box::new(move |change| tell(change, wait))
}

/// `wait` is how long a team is waited for, in seconds.
fn tell(change: TeamChange, wait: f64) {
    match change {
        TeamChange::Exposed(file) => report::tell(format_args!(
            "tengen: warning: others on this machine could read the teams' keys in {}; now its \
             owner alone can. Remove it, and every team gets a new key",
            file.display()
        )),
        TeamChange::Expected { team, link, file, unwritten } => {
            if let Some(problem) = unwritten {
                report::tell(format_args!("tengen: {problem}"));
            }
            report::tell_secret(
                format_args!("tengen: waiting for {team}: its link is in {}", file.display()),
                format_args!("tengen: waiting for {team}: tengen play '{link}' --engine ENGINE"),
            );
        }
        TeamChange::Connected { team, again: true, .. } => report::tell(format_args!(
            "tengen: {team} came once more with its key: the older connection was ended"
        )),
        TeamChange::Connected { team, engine, tables, again: false } => {
            let games = if tables == 1 { "one game".to_owned() } else { format!("{tables} games") };
            let by = if engine.is_empty() { String::new() } else { format!(" ({engine})") };
            report::tell(format_args!("tengen: {team} is there{by}, for {games} at a time"));
        }
        TeamChange::Gone(team) => report::tell(format_args!(
            "tengen: {team} is away; the clock of a game that it plays runs on, and it is waited \
             for up to {wait} s"
        )),
        TeamChange::GaveUp { team, fate, problem } => give_up(&team, fate, problem, wait),
        TeamChange::NoneConnected => report::tell(format_args!(
            "tengen: no remote engine is connected, which may be this machine's line: none is \
             given up until one of them has been there for {wait} s (Ctrl-C stops the event)"
        )),
    }
}

fn give_up(team: &str, fate: AbsentOption, problem: Option<String>, wait: f64) {
    let away = format!("it was not connected for {wait} s");
    if let Some(problem) = problem {
        report::tell(format_args!("tengen: {team} cannot be set aside: {problem}"));
    }
    match fate {
        AbsentOption::Forfeit => report::tell(format_args!(
            "tengen: {team}: {away}, and no other games are left: it loses its games by forfeit"
        )),
        AbsentOption::Aside => report::tell(format_args!(
            "tengen: {team} is set aside: {away}; its finished games count, and it plays no more"
        )),
        AbsentOption::Refuse => {
            report::tell(format_args!(
                "tengen: {team}: {away}, and only games of engines that are away are left; the \
                 event stops here"
            ));
            stop::begin();
        }
    }
}
