//! `tengen serve --play`: tables where people and engines meet.

use std::path::PathBuf;
use std::sync::Arc;
use std::{env, fs, thread};

use anyhow::{Context, anyhow};
use clap::Args as ClapArgs;
use tengen_hosts::{EngineSpec, discover, resolve};
use tengen_lineup::{FoundEngines, NumberedEngines};
use tengen_web::play::{PlayError, PlayOptions, Tables};

use crate::WrongUse;
use crate::user_folders::{data_folder, engine_folder};

/// Where the owner's password may be.
const PASSWORD: &str = "TENGEN_PASSWORD";

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Tables")]
pub(super) struct TablesArgs {
    /// Let people and engines play here, at tables that they open
    #[arg(long)]
    play: bool,
    /// The folder of the tables and games [default: the user's]
    ///
    /// The default is the folder `tables` in the user's data folder.
    #[arg(long, value_name = "FOLDER", requires = "play")]
    data: Option<PathBuf>,
    /// Let players hand their seats to the engines of this folder
    #[arg(long, value_name = "FOLDER", requires = "play")]
    dir: Option<PathBuf>,
    /// Let them hand their seats to this engine too
    ///
    /// Can be given several times.
    #[arg(long, value_name = "ENGINE", requires = "play")]
    engine: Vec<String>,
    /// How many engines may play at once [default: the number of CPUs]
    #[arg(long, value_name = "N", requires = "play")]
    most_engines: Option<usize>,
    /// How many tables there may be
    #[arg(long, value_name = "N", default_value = "1000", requires = "play")]
    most_tables: usize,
    /// How many tables one address may have opened
    #[arg(long, value_name = "N", default_value = "16", requires = "play")]
    most_tables_of_one: usize,
    /// A file whose first line is the owner's password
    ///
    /// With it, the owner may close any table. It may also be in the environment variable
    /// TENGEN_PASSWORD.
    #[arg(long, value_name = "FILE", requires = "play")]
    password_file: Option<PathBuf>,
    /// Let only the owner open tables
    #[arg(long, requires = "play")]
    only_owner_hosts: bool,
    /// Let a page of this origin connect too
    ///
    /// Such as `https://example.org`. Can be given several times.
    #[arg(long, value_name = "ORIGIN", requires = "play")]
    origin: Vec<String>,
}

impl TablesArgs {
    /// The tables, if there are to be any.
    pub(super) fn open(&self) -> anyhow::Result<Option<Arc<Tables>>> {
        if !self.play {
            return Ok(None);
        }
        let folder = self.data.clone().or_else(|| data_folder().map(|data| data.join("tables")));
        let no_folder = "this user has no data folder; name one with --data";
        let folder = folder.ok_or_else(|| WrongUse(anyhow!(no_folder)))?;
        let password = self.password()?;
        if self.only_owner_hosts && password.is_none() {
            let problem = format!("--only-owner-hosts needs --password-file or {PASSWORD}");
            return Err(WrongUse(anyhow!(problem)).into());
        }
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        let options = PlayOptions {
            folder,
            engines: Arc::new(self.engines()?),
            most_engines: self.most_engines.unwrap_or(cpus),
            most_tables: self.most_tables,
            most_tables_of_one: self.most_tables_of_one,
            password,
            only_owner_hosts: self.only_owner_hosts,
            origins: self.origin.clone(),
        };
        tengen_web::play::raise_file_limit();
        let opened = Tables::open(options).map_err(|error| match error {
            PlayError::Taken { .. } => WrongUse(error.into()).into(),
            error => anyhow::Error::from(error),
        });
        opened.map(Some)
    }

    fn password(&self) -> anyhow::Result<Option<String>> {
        let text = match &self.password_file {
            Some(path) => {
                let read = fs::read_to_string(path);
                let read = read.with_context(|| path.display().to_string());
                Some(read.map_err(WrongUse)?)
            }
            None => env::var(PASSWORD).ok(),
        };
        let Some(text) = text else { return Ok(None) };
        let password = text.lines().next().unwrap_or_default().trim().to_owned();
        if password.chars().count() < 8 {
            let problem = "the owner's password has fewer than 8 characters; choose a longer one";
            return Err(WrongUse(anyhow!(problem)).into());
        }
        Ok(Some(password))
    }

    /// The engines that may be handed a seat.
    fn engines(&self) -> anyhow::Result<NumberedEngines> {
        let mut specs = Vec::new();
        if let Some(dir) = &self.dir {
            let found = discover(dir).map_err(|error| WrongUse(error.into()))?;
            for refusal in &found.refused {
                log::warn!("{}: {}", refusal.path.display(), refusal.reason);
            }
            specs.extend(found.engines);
        }
        let folder = self.dir.clone().unwrap_or_else(engine_folder);
        for id in &self.engine {
            let spec = resolve(id, &folder).map_err(|error| WrongUse(error.into()))?;
            if specs.iter().all(|known: &EngineSpec| known.id != spec.id) {
                specs.push(spec);
            }
        }
        let allowed = specs.iter().map(|spec| spec.id.clone()).collect();
        Ok(NumberedEngines { engines: Arc::new(FoundEngines(specs)), allowed })
    }
}
