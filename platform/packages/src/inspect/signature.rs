//! The types of the ABI's functions in WebAssembly.

use std::fmt;

use crate::EngineKind;

/// The type of an ABI function in WebAssembly, where every argument and result is an `i32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub arguments: usize,
    pub returns: bool,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = vec!["i32"; self.arguments].join(", ");
        write!(f, "({arguments}) -> ({})", if self.returns { "i32" } else { "" })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SignaturePart {
    Always,
    InWasm,
    Never,
}

/// Every function of `tengen.h`: name, arguments, whether it returns a value, and in which kind of
/// file it is required.
const FUNCTIONS: [(&str, usize, bool, SignaturePart); 15] = [
    ("tengen_abi_v1", 0, true, SignaturePart::Always),
    ("tengen_describe", 0, true, SignaturePart::Always),
    ("tengen_create", 1, true, SignaturePart::Always),
    ("tengen_new_game", 2, true, SignaturePart::Always),
    ("tengen_set_position", 3, true, SignaturePart::Always),
    ("tengen_choose", 3, true, SignaturePart::Always),
    ("tengen_buffer", 1, true, SignaturePart::InWasm),
    ("tengen_destroy", 1, false, SignaturePart::Never),
    ("tengen_set_option", 3, true, SignaturePart::Never),
    ("tengen_play", 2, true, SignaturePart::Never),
    ("tengen_undo", 2, true, SignaturePart::Never),
    ("tengen_decide", 5, true, SignaturePart::Never),
    ("tengen_ponder", 2, true, SignaturePart::Never),
    ("tengen_end_game", 3, true, SignaturePart::Never),
    ("tengen_extra", 6, true, SignaturePart::Never),
];

/// The exports without which an engine of this kind is refused, in the header's order.
pub(super) fn required(kind: EngineKind) -> impl Iterator<Item = &'static str> {
    FUNCTIONS.into_iter().filter_map(move |(name, _, _, need)| {
        (need == SignaturePart::Always || need == SignaturePart::InWasm && kind == EngineKind::Wasm)
            .then_some(name)
    })
}

/// The type of an ABI function; None for a name that the header does not have.
pub(super) fn of(name: &str) -> Option<Signature> {
    let (_, arguments, returns, _) = FUNCTIONS.into_iter().find(|function| function.0 == name)?;
    Some(Signature { arguments, returns })
}
