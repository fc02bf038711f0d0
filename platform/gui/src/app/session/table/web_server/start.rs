//! The start of a server, as `tengen-web` has it.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tengen_lineup::NumberedEngines;
use tengen_link::TableEngines;
use tengen_web::play::{PlayOptions, Tables};
use tengen_web::{HostName, HttpListener, Server};

use super::WebServer;
use crate::app::model::ServerTerms;

/// The most tables of a server in a window.
const MOST_TABLES: usize = 64;

impl WebServer {
    /// Starts one with these engines. Its tables are kept in the folder; without one, in a folder
    /// that is gone with the server. May be slow.
    ///
    /// # Errors
    /// Why it cannot listen there, as a message to the user.
    pub fn start(
        terms: ServerTerms,
        folder: Option<PathBuf>,
        engines: Arc<dyn TableEngines>,
    ) -> Result<WebServer, String> {
        let mut listener =
            HttpListener::bind(terms.listen.address).map_err(|error| error.to_string())?;
        let (mut own, shown) = (listener.own_address(), listener.shown_address());
        if let Some((certificate, key)) = &terms.listen.certificate {
            let encrypted = listener.with_tls(certificate, key);
            let encrypted = encrypted.map_err(|error| error.to_string())?;
            (listener, own) = encrypted.with_local().map_err(|error| error.to_string())?;
        }
        let shown_host = terms.listen.shown.as_deref().and_then(HostName::of_authority);
        listener = listener.with_names(shown_host);
        let password = terms.password.clone().map_or_else(random_password, Ok)?;
        let (folder, temporary) = match folder {
            Some(folder) => (folder, None),
            None => {
                // The keys of all seats are in it: its name cannot be guessed.
                let made = tempfile::Builder::new().prefix("tengen-tables-").tempdir();
                let made = made.map_err(|error| format!("no folder for the tables: {error}"))?;
                (made.path().to_owned(), Some(made))
            }
        };
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        let options = PlayOptions {
            folder,
            engines: Arc::new(NumberedEngines { engines, allowed: terms.engines.clone() }),
            most_engines: cpus,
            most_tables: MOST_TABLES,
            most_tables_of_one: MOST_TABLES,
            password: Some(password.clone()),
            // Strangers open nothing on this computer.
            only_owner_hosts: true,
            origins: Vec::new(),
        };
        let tables = Tables::open(options).map_err(|error| error.to_string())?;
        let server = Server::start_with_tables(listener, Duration::ZERO, Vec::new(), Some(tables));
        let server = server.map_err(|error| error.to_string())?;
        Ok(WebServer { terms, own, shown, password, _server: server, _folder: temporary })
    }
}

fn random_password() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::model::{HostForm, ListenForm};

    #[test]
    fn a_server_without_an_archive_has_a_folder_of_its_own_that_goes_with_it() {
        let start = || {
            let listen = ListenForm { port: 0, ..ListenForm::default() };
            let form = HostForm { listen, ..HostForm::default() };
            let (terms, _) = form.check().unwrap();
            WebServer::start(terms, None, Arc::new(())).unwrap()
        };
        let folder = |server: &WebServer| server._folder.as_ref().unwrap().path().to_owned();
        let (first, second) = (start(), start());
        assert_ne!(folder(&first), folder(&second), "two of one program");
        let folder = folder(&first);
        assert!(folder.join("tables").is_dir());
        let by_process = format!("tengen-tables-{}", std::process::id());
        assert_ne!(folder.file_name().unwrap(), by_process.as_str(), "it cannot be known before");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = folder.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        drop(first);
        assert!(!folder.exists());
    }
}
