//! The optional functions of an engine.

use std::fmt;

/// The functions that an engine may export besides the required ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Export {
    Destroy,
    SetOption,
    Play,
    Undo,
    /// `tengen_decide`: answers opening questions.
    Decide,
    Ponder,
    EndGame,
    Extra,
}

impl Export {
    /// Every optional export, in the order of the header.
    pub const ALL: [Export; 8] = [
        Export::Destroy,
        Export::SetOption,
        Export::Play,
        Export::Undo,
        Export::Decide,
        Export::Ponder,
        Export::EndGame,
        Export::Extra,
    ];

    /// The symbol's name.
    pub const fn name(self) -> &'static str {
        match self {
            Export::Destroy => "tengen_destroy",
            Export::SetOption => "tengen_set_option",
            Export::Play => "tengen_play",
            Export::Undo => "tengen_undo",
            Export::Decide => "tengen_decide",
            Export::Ponder => "tengen_ponder",
            Export::EndGame => "tengen_end_game",
            Export::Extra => "tengen_extra",
        }
    }
}

/// The optional exports that an engine has.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportSet {
    bits: u32,
}

impl ExportSet {
    /// Those of [`Export::ALL`] for which `present` holds.
    pub fn from_fn(mut present: impl FnMut(Export) -> bool) -> ExportSet {
        let bit = |export: Export| if present(export) { 1 << export as u32 } else { 0 };
        ExportSet { bits: Export::ALL.into_iter().map(bit).sum() }
    }

    pub const fn has(self, export: Export) -> bool {
        self.bits & 1 << export as u32 != 0
    }

    /// Those that the engine has.
    pub fn iter(self) -> impl Iterator<Item = Export> {
        Export::ALL.into_iter().filter(move |&export| self.has(export))
    }

    /// As it travels from the child.
    pub(crate) const fn to_bits(self) -> u32 {
        self.bits
    }

    /// As it came from the child.
    pub(crate) const fn from_bits(bits: u32) -> ExportSet {
        ExportSet { bits }
    }
}

impl fmt::Debug for ExportSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
