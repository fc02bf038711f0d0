//! Flags that several commands have. What they set is told by the modules that use them: this one
//! imports no command.

mod adjudication;
mod debug_wait;
mod engine_settings;
mod event;
mod folder;
mod format;
mod hosting;
mod outputs;
mod sandbox;
mod set_key;
mod workers;

pub(crate) use debug_wait::DebugWaitArgs;
pub(crate) use engine_settings::EngineSettingsArgs;
pub(crate) use event::EventArgs;
pub(crate) use folder::FolderArgs;
pub(crate) use hosting::HostingArgs;
pub(crate) use outputs::Outputs;
pub(crate) use set_key::in_one_spelling;
#[cfg(feature = "workers")]
pub(crate) use workers::NatsAccessArgs;
pub(crate) use workers::WorkersArgs;

use crate::WrongUse;

/// Rejects the first of these flags that was given and means nothing, for its reason.
pub(crate) fn refuse<'a>(
    flags: impl IntoIterator<Item = (&'a str, bool, &'a str)>,
) -> anyhow::Result<()> {
    match flags.into_iter().find(|(_, is_wrong, _)| *is_wrong) {
        Some((flag, _, why)) => Err(WrongUse(anyhow::anyhow!("{flag}: {why}")).into()),
        None => Ok(()),
    }
}
