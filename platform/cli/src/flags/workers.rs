use clap::Args as ClapArgs;

/// Workers of other machines that play an event.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Workers")]
pub(crate) struct WorkersArgs {
    /// Have the games played by the workers of this NATS server
    ///
    /// Each is started by `tengen worker --nats URL`. Begin one on this machine too, if it is to
    /// play. docs/workers.md tells how to set this up.
    #[cfg(feature = "workers")]
    #[arg(long, value_name = "URL", hide_short_help = true)]
    pub workers: Option<String>,
    /// With --workers: this event's share of their games beside other events [default: 1]
    ///
    /// Where workers play several events, each gets as many of their games as its priority is of
    /// the sum of all.
    #[cfg(feature = "workers")]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000), hide_short_help = true)]
    pub priority: u32,
    #[cfg(feature = "workers")]
    #[command(flatten)]
    pub access: NatsAccessArgs,
}

/// What a NATS server asks for.
#[cfg(feature = "workers")]
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Workers")]
pub(crate) struct NatsAccessArgs {
    /// The file with the seed of the nkey that the NATS server knows
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub nkey: Option<std::path::PathBuf>,
    /// Trust certificates of the NATS server that this one has signed (a PEM file)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub nats_ca: Option<std::path::PathBuf>,
}

#[cfg(feature = "workers")]
impl NatsAccessArgs {
    pub(crate) fn options(&self, url: &str) -> tengen_workers::NatsOptions {
        let NatsAccessArgs { nkey, nats_ca } = self.clone();
        tengen_workers::NatsOptions { url: url.to_owned(), nkey, authority: nats_ca }
    }
}

impl WorkersArgs {
    /// The same flags once more, for a command that goes on: with a space before each.
    pub(crate) fn again(&self) -> String {
        #[cfg(feature = "workers")]
        if let Some(server) = self.server() {
            let NatsAccessArgs { nkey, nats_ca } = &self.access;
            let files = [("--nkey", nkey), ("--nats-ca", nats_ca)].into_iter();
            let files = files.filter_map(|(flag, file)| Some((flag, file.as_ref()?)));
            let files = files.map(|(flag, file)| format!(" {flag} {}", file.display()));
            return format!(" --workers {}{}", server.shown(), files.collect::<String>());
        }
        String::new()
    }
}

#[cfg(feature = "workers")]
impl WorkersArgs {
    /// Rejects what the machine that runs an event cannot do while others play its games.
    pub(crate) fn check(&self, outputs: &super::Outputs, is_debugged: bool) -> anyhow::Result<()> {
        let is_wanted = self.workers.is_some();
        super::refuse([
            ("--log", is_wanted && outputs.log.is_some(), "engines of workers have no logs here"),
            ("--debug-engine", is_wanted && is_debugged, "it would be started by a worker"),
        ])
    }

    /// The server, where there is one.
    pub(crate) fn server(&self) -> Option<tengen_workers::NatsOptions> {
        self.workers.as_deref().map(|url| self.access.options(url))
    }
}
