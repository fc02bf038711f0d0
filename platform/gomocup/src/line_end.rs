/// What ends a line that is written. Lines that are read may end in any way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LineEnd {
    /// CR LF, as managers are to write: the protocol's word.
    #[default]
    CrLf,
    /// LF, for brains that were only ever tried with c-gomoku-cli.
    Lf,
}

impl LineEnd {
    /// The bytes.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            LineEnd::CrLf => b"\r\n",
            LineEnd::Lf => b"\n",
        }
    }
}
