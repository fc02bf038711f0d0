//! What a child process sends when it is ready, or when its engine failed.

use tengen_players::Fault;

use crate::platform::Inside;
use crate::protocol::wire::{Payload, Truncated, put_text, put_u32};
use crate::sandbox::SandboxGap;
use crate::{ExportSet, failure};

/// What a child process sends when it is ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ready {
    pub minor: u32,
    pub exports: ExportSet,
    pub layers: Vec<String>,
    pub gaps: Vec<SandboxGap>,
    pub description: String,
}

impl Ready {
    pub(crate) fn holds(&self, layer: &str) -> bool {
        self.layers.iter().any(|held| held == layer)
    }
}

/// What a child process sends before anything of its engine runs: the layers of its sandbox.
pub(crate) struct HeldLayers {
    pub layers: Vec<String>,
    pub gaps: Vec<SandboxGap>,
}

impl HeldLayers {
    pub(crate) fn put(out: &mut Vec<u8>, layers: &str, gaps: &[SandboxGap]) {
        put_text(out, layers);
        put_u32(out, gaps.len() as u32);
        for SandboxGap { layer, reason } in gaps {
            put_text(out, layer);
            put_text(out, reason);
        }
    }

    pub(crate) fn read(payload: &mut Payload<'_>) -> Result<HeldLayers, Truncated> {
        let layers = payload.counted_text()?.split_whitespace().map(str::to_owned).collect();
        let mut gaps = Vec::new();
        for _ in 0..payload.u32()? {
            let (layer, reason) = (payload.counted_text()?, payload.counted_text()?);
            gaps.push(SandboxGap { layer, reason });
        }
        Ok(HeldLayers { layers, gaps })
    }
}

/// Reads what comes when the engine is ready. It is the engine's own word, as it can write there
/// too; what holds it was told before.
pub(crate) fn read_ready(
    mut payload: Payload<'_>,
    HeldLayers { layers, gaps }: HeldLayers,
) -> Result<Ready, Truncated> {
    let (minor, exports) = (payload.u32()?, ExportSet::from_bits(payload.u32()?));
    Ok(Ready { minor, exports, layers, gaps, description: payload.text() })
}

/// The processes that go on in the place of the one that was started, if they are others.
pub(crate) fn read_started(mut payload: Payload<'_>) -> Result<Option<Inside>, Truncated> {
    let (init, engine) = (payload.u32()?, payload.u32()?);
    Ok((init != 0 && engine != 0).then_some(Inside { init, engine }))
}

/// Why a process cannot host an engine, which is not the engine's doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unhosted {
    pub reason: String,
    /// Whether it could, if it stayed out of namespaces.
    pub is_for_namespaces: bool,
}

impl Unhosted {
    pub(crate) fn new(reason: String) -> Unhosted {
        Unhosted { reason, is_for_namespaces: false }
    }
}

impl From<std::io::Error> for Unhosted {
    fn from(error: std::io::Error) -> Unhosted {
        Unhosted::new(error.to_string())
    }
}

pub(crate) fn read_unhosted(mut payload: Payload<'_>) -> Result<Unhosted, Truncated> {
    let is_for_namespaces = payload.u32()? != 0;
    Ok(Unhosted { reason: payload.text(), is_for_namespaces })
}

pub(super) fn read_fault(mut payload: Payload<'_>) -> Result<Fault, Truncated> {
    let failure = failure::from_number(payload.u32()?).ok_or(Truncated)?;
    Ok(Fault { failure, detail: payload.text() })
}
