use std::path::PathBuf;

use clap::Args as ClapArgs;
use tengen_hosts::{EngineSpec, resolve};

use crate::WrongUse;
use crate::user_folders::engine_folder;

#[derive(Debug, ClapArgs)]
pub(crate) struct FolderArgs {
    /// The folder with the engines [default: engines here, or the user's]
    ///
    /// If there is neither, it is the folder of the engines that came with Tengen.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl FolderArgs {
    /// The folder that was named, or the default.
    pub(crate) fn dir(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(engine_folder)
    }

    /// The engine of that id or path.
    pub(crate) fn find(&self, engine: &str) -> anyhow::Result<EngineSpec> {
        resolve(engine, &self.dir()).map_err(|error| WrongUse(error.into()).into())
    }
}
