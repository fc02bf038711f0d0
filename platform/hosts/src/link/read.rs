//! What a child says beside its answers.

use tengen_players::Fault;

use crate::sandbox::Gap;
use crate::wire::{Payload, Short};
use crate::{ExportSet, failure};

/// What a child says when it is ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ready {
    pub minor: u32,
    pub exports: ExportSet,
    pub layers: Vec<String>,
    pub gaps: Vec<Gap>,
    pub description: String,
}

impl Ready {
    /// Whether that layer holds.
    pub(crate) fn holds(&self, layer: &str) -> bool {
        self.layers.iter().any(|held| held == layer)
    }
}

pub(crate) fn read_ready(mut payload: Payload<'_>) -> Result<Ready, Short> {
    let (minor, exports) = (payload.u32()?, ExportSet::from_bits(payload.u32()?));
    let layers = read_text(&mut payload)?.split_whitespace().map(str::to_owned).collect();
    let mut gaps = Vec::new();
    for _ in 0..payload.u32()? {
        gaps.push(Gap { layer: read_text(&mut payload)?, reason: read_text(&mut payload)? });
    }
    Ok(Ready { minor, exports, layers, gaps, description: payload.text() })
}

fn read_text(payload: &mut Payload<'_>) -> Result<String, Short> {
    let length = payload.u32()? as usize;
    Ok(Payload(payload.take(length)?).text())
}

pub(super) fn read_fault(mut payload: Payload<'_>) -> Result<Fault, Short> {
    let failure = failure::from_number(payload.u32()?).ok_or(Short)?;
    Ok(Fault { failure, detail: payload.text() })
}
