//! The links of an event's remote engines: whoever has one plays for that team.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tengen_hosts::package::legible;

use crate::live::TEAM_LINKS;
use crate::report;

/// The links that were told. They are in a file of the event's folder, too, which its owner alone
/// can read: the terminal may be full of something else.
pub(super) struct TeamLinks {
    file: PathBuf,
    url: String,
    /// The file as it is.
    text: Mutex<String>,
}

impl TeamLinks {
    pub fn new(event: &Path, url: &str) -> TeamLinks {
        let head = "Each team starts its engine with its own link, and keeps the link to itself:\n\
                    tengen play 'LINK' --engine ENGINE\n";
        let (file, url) = (event.join(TEAM_LINKS), url.to_owned());
        TeamLinks { file, url, text: Mutex::new(head.to_owned()) }
    }

    /// Tells the link of a team: to the terminal and in the file, and to nobody else who listens.
    pub fn tell(&self, team: &str, key: &str) {
        let link = format!("{}/#team={key}", self.url);
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        *text += &format!("\n{}\n{link}\n", legible(team));
        let file = self.file.display();
        if let Err(error) = tengen_files::write_private(&self.file, &text) {
            report::tell(format_args!("tengen: {file}: cannot be written: {error}"));
        }
        report::tell_secret(
            format_args!("tengen: waiting for {team}: its link is in {file}"),
            format_args!("tengen: waiting for {team}: tengen play '{link}' --engine ENGINE"),
        );
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_link_is_in_a_file_for_its_owner_alone() {
        let event = tempfile::tempdir().unwrap();
        let links = TeamLinks::new(event.path(), "http://192.0.2.7:8080");
        links.tell("Team A", "KEY-A");
        links.tell("Team B", "KEY-B");
        let file = event.path().join(TEAM_LINKS);
        let text = fs::read_to_string(&file).unwrap();
        for link in
            ["A", "B"].map(|team| format!("Team {team}\nhttp://192.0.2.7:8080/#team=KEY-{team}\n"))
        {
            assert!(text.contains(&link), "{text}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
