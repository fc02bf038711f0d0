//! The remote engines of an event that is played here: what is said of them, and what becomes of
//! those that do not come.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use tengen_arbiter::Game;
use tengen_tournament::{
    AbsentOption, Change, ChangeKind, Event, EventFollower, GameEnd, Roster, ScheduledGame, Watcher,
};
use tengen_web::play::{TeamListener, TeamNews, TeamOptions, Teams};

use super::team_links::TeamLinks;
use crate::event_change::set_aside;
use crate::{report, stop};

/// The remote engines of an event. Without any it lets no client in.
pub(super) fn open(event: &Event, hear: TeamListener) -> anyhow::Result<Arc<Teams>> {
    let config = event.config();
    let options = TeamOptions::new(event.dir(), config);
    let teams = Teams::open(options, config, hear);
    Ok(Arc::new(teams.context("the keys of the remote engines")?))
}

/// Tells on the terminal what happens to the remote engines, which come in at that address.
pub(super) fn on_terminal(event: &Event, url: &str) -> TeamListener {
    let config = event.config();
    let host = TeamHost {
        dir: event.dir().to_owned(),
        links: TeamLinks::new(event.dir(), url),
        absent: config.absent,
        wait: config.remote_wait() as f64 / 1e9,
    };
    if config.has_remote() {
        report::tell(format_args!(
            "tengen: remote engines: each team runs the command with its key, and keeps the key to \
             itself; one that is away is waited for up to {} s",
            host.wait
        ));
    }
    Box::new(move |news| host.hear(news))
}

/// Watches an event for its viewers, and for teams that are added to it. These get their keys at
/// once: they play when what is played by then is over, and may come before.
pub(super) struct TeamWatcher {
    pub follower: Arc<EventFollower>,
    pub teams: Arc<Teams>,
}

impl Watcher for TeamWatcher {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        self.follower.look(table, scheduled, game);
    }

    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, end: &GameEnd) {
        self.follower.over(table, scheduled, game, end);
    }

    fn changed(&self, change: &Change) {
        self.follower.changed(change);
        if matches!(change.kind, ChangeKind::Added) {
            // What does not work is said when they are to play.
            let _unfit = self.teams.join(&self.follower.config());
        }
    }
}

/// What is known of the event of the remote engines.
struct TeamHost {
    dir: PathBuf,
    links: TeamLinks,
    absent: AbsentOption,
    /// In seconds.
    wait: f64,
}

impl TeamHost {
    fn hear(&self, news: TeamNews) {
        match news {
            TeamNews::Exposed { file } => report::tell(format_args!(
                "tengen: warning: others on this machine could read the teams' keys in {}; now its \
                 owner alone can. Remove it, and every team gets a new key",
                file.display()
            )),
            TeamNews::Expected { team, key } => {
                let link = match self.links.add(&team, &key) {
                    (link, Ok(())) => link,
                    (link, Err(problem)) => {
                        report::tell(format_args!("tengen: {problem}"));
                        link
                    }
                };
                let file = self.links.file().display();
                report::tell_secret(
                    format_args!("tengen: waiting for {team}: its link is in {file}"),
                    format_args!(
                        "tengen: waiting for {team}: tengen play '{link}' --engine ENGINE"
                    ),
                );
            }
            TeamNews::Came { team, engine, tables } => {
                let games =
                    if tables == 1 { "one game".to_owned() } else { format!("{tables} games") };
                let by = if engine.is_empty() { String::new() } else { format!(" ({engine})") };
                report::tell(format_args!("tengen: {team} is there{by}, for {games} at a time"));
            }
            TeamNews::Replaced { team, .. } => report::tell(format_args!(
                "tengen: {team} came once more with its key: the older connection was ended"
            )),
            TeamNews::Gone { team } => report::tell(format_args!(
                "tengen: {team} is away; the clock of a game that it plays runs on, and it is \
                 waited for up to {} s",
                self.wait
            )),
            TeamNews::Overdue { place, team } => self.give_up(place, &team),
            TeamNews::NobodyThere => report::tell(format_args!(
                "tengen: no remote engine is connected, which may be this machine's line: nobody \
                 is given up until one of them has been there for {} s (Ctrl-C stops the event)",
                self.wait
            )),
        }
    }

    /// Does with a team that did not come what the event says.
    fn give_up(&self, place: usize, team: &str) {
        let away = format!("it was not connected for {} s", self.wait);
        match self.absent {
            AbsentOption::Forfeit => report::tell(format_args!(
                "tengen: {team}: {away}, and no other games are left: it loses its games by forfeit"
            )),
            AbsentOption::Aside => match set_aside(&self.dir, place, &away) {
                Ok(()) => report::tell(format_args!(
                    "tengen: {team} is set aside: {away}; its finished games count, and it plays \
                     no more"
                )),
                Err(error) => {
                    report::tell(format_args!("tengen: {team} cannot be set aside: {error}"));
                    self.stop(team, &away);
                }
            },
            AbsentOption::Refuse => self.stop(team, &away),
        }
    }

    fn stop(&self, team: &str, away: &str) {
        report::tell(format_args!(
            "tengen: {team}: {away}, and only games of those who are away are left; the event \
             stops here"
        ));
        stop::begin();
    }
}
