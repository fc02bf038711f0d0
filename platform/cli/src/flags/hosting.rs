use anyhow::anyhow;
use clap::Args as ClapArgs;
use tengen_hosts::{EngineSpec, HostSettings};
use tengen_tournament::{Mebibytes, Seconds};

use super::sandbox::SandboxArgs;
use crate::WrongUse;

/// How a brain's engine is hosted.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct HostingArgs {
    /// Set an option of the engine; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// The number of threads for the engine
    ///
    /// A number that the manager sends overrides it.
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// The memory limit of the engine: 350MiB, 2GiB
    ///
    /// The lower of this and the manager's limit counts.
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Mebibytes>,
    /// Give the engine a scratch folder of at most this size to write in
    #[arg(long, value_name = "SIZE", hide_short_help = true)]
    pub folder_limit: Option<Mebibytes>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    /// Seconds of each move reserved for sending the answer [default: 0.05]
    ///
    /// At most a tenth of the move's time is reserved.
    #[arg(long, value_name = "SECONDS")]
    pub reserve: Option<Seconds>,
}

impl HostingArgs {
    /// The engine with what is asked of it.
    pub(crate) fn over(&self, mut spec: EngineSpec) -> anyhow::Result<EngineSpec> {
        for option in &self.option {
            let (name, value) = option.split_once('=').ok_or_else(|| {
                WrongUse(anyhow!("--option {option}: expected NAME=VALUE, as in Depth=6"))
            })?;
            spec.set_option(name, value);
        }
        let memory = self.memory.map(|memory| memory.0);
        spec.memory_mib = memory.into_iter().chain(spec.memory_mib).min();
        spec.threads = self.threads.or(spec.threads);
        Ok(spec)
    }

    /// The flags that say the same.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut put = |flag: &str, value: Option<String>| {
            if let Some(value) = value {
                arguments.extend([flag.to_owned(), value]);
            }
        };
        self.option.iter().for_each(|option| put("--option", Some(option.clone())));
        put("--threads", self.threads.map(|threads| threads.to_string()));
        put("--memory", self.memory.map(|memory| memory.to_string()));
        put("--folder-limit", self.folder_limit.map(|limit| limit.to_string()));
        put("--reserve", self.reserve.map(|reserve| reserve.to_string()));
        match self.sandbox.require_sandbox.as_deref() {
            None => {}
            Some([]) => arguments.push("--require-sandbox".to_owned()),
            Some(layers) => arguments.push(format!("--require-sandbox={}", layers.join(","))),
        }
        arguments
    }

    pub(crate) fn settings(&self) -> anyhow::Result<HostSettings> {
        let mut settings = HostSettings::this_program()?;
        settings.require_sandbox = self.sandbox.require_sandbox.is_some();
        settings.require_layers = self.sandbox.require_sandbox.clone().unwrap_or_default();
        settings.folder_mib = self.folder_limit.map(|limit| limit.0);
        Ok(settings)
    }
}
