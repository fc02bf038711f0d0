use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use tengen_hosts::SANDBOX_LAYERS;

/// Which layers of the sandbox engines must have.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct SandboxArgs {
    /// Refuse an engine, before its code runs, if a layer of the sandbox is missing: any that
    /// `tengen doctor` lists, or one of these
    #[arg(long, value_name = "LAYER", help_heading = "Engines", hide_short_help = true)]
    #[arg(num_args = 0.., require_equals = true, value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(SANDBOX_LAYERS), hide_possible_values = true)]
    pub require_sandbox: Option<Vec<String>>,
}
