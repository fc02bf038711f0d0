//! The files that came with an engine.

use std::ffi::CString;
use std::fmt;
use std::marker::PhantomData;

use tengen_abi::status;

use crate::host::HostFunctions;

/// The files that came with the engine: weights, books. No other files can be read.
pub struct Package<'a> {
    services: &'a HostFunctions,
    /// Files are read on the thread the host called, never on another.
    _here: PhantomData<*const ()>,
}

impl<'a> Package<'a> {
    pub(crate) fn new(services: &'a HostFunctions) -> Package<'a> {
        Package { services, _here: PhantomData }
    }

    /// Reads a whole file; its name is relative to the package's folder.
    ///
    /// # Errors
    /// When there is no such file, or the host does not let it be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, FetchError> {
        let name = CString::new(name).map_err(|_| FetchError { status: status::ARGUMENT })?;
        let size = whole(self.services.fetch(&name, 0, &mut []))?;
        let mut bytes = vec![0; size];
        if whole(self.services.fetch(&name, 0, &mut bytes))? != size {
            return Err(FetchError { status: status::STATE });
        }
        Ok(bytes)
    }
}

/// The file's size, where the host told one.
fn whole(fetched: i64) -> Result<usize, FetchError> {
    // A negative answer is a status, which fits the smaller integer.
    usize::try_from(fetched)
        .map_err(|_| FetchError { status: i32::try_from(fetched).unwrap_or(status::INTERNAL) })
}

/// A file of the package that could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchError {
    /// What the host answered, one of [`tengen_abi::status`].
    pub status: i32,
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.status {
            status::UNSUPPORTED => {
                "the engine has no package: its library must lie in a folder of its own"
            }
            status::ARGUMENT => "the package has no such file, or it cannot be read",
            status::STATE => "the file changed while it was read",
            status::MEMORY => "there is not enough memory for it",
            _ => "the host did not say why",
        };
        write!(f, "the file was not read: {why} (status {})", self.status)
    }
}

impl std::error::Error for FetchError {}
