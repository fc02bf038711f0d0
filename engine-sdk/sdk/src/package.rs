//! The files that came with an engine.

use std::any::Any;
use std::ffi::CString;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use tengen_abi::{send, status};

use crate::host::HostFunctions;

/// The files that came with the engine: weights, books. No other files can be read.
///
/// A library or module with a folder of its own among the engines has all files of that folder. A
/// single file has the files beside it that are named like it: `mine.weights` is a file of
/// `libmine.so` and of `mine.wasm`.
///
/// ```
/// use std::sync::Arc;
/// use tengen_sdk::{Choice, Engine, Package, Position, Thinking};
///
/// #[derive(Default)]
/// struct Mine {
///     weights: Option<Arc<Vec<i8>>>,
/// }
///
/// impl Engine for Mine {
///     fn load(&mut self, package: &Package<'_>) {
///         let parse = |bytes: Vec<u8>| bytes.into_iter().map(u8::cast_signed).collect();
///         match package.read_once("mine.weights", parse) {
///             Ok(weights) => self.weights = Some(weights),
///             Err(error) => package.log(&format!("mine.weights: {error}")),
///         }
///     }
///
///     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
///         position.size().center().into()
///     }
/// }
/// ```
pub struct Package<'a> {
    services: &'a HostFunctions,
    /// Files are read on the thread the host called, never on another.
    _here: PhantomData<*const ()>,
}

/// What was made of a file, and of which.
type CachedFile = (CString, Arc<dyn Any + Send + Sync>);

/// What was made of the files that this process has read.
static MADE: Mutex<Vec<CachedFile>> = Mutex::new(Vec::new());

impl<'a> Package<'a> {
    pub(crate) fn new(services: &'a HostFunctions) -> Package<'a> {
        Package { services, _here: PhantomData }
    }

    /// Reads a whole file; its name is relative to the package's folder.
    ///
    /// # Errors
    /// When there is no such file, or the host does not let it be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, FetchError> {
        self.read_named(&c_name(name)?)
    }

    /// Reads a whole file and makes something of it, such as a network of its bytes. That is done
    /// once for each file and type in a process; later games get what the first one made.
    ///
    /// # Errors
    /// When there is no such file, or the host does not let it be read.
    pub fn read_once<T: Send + Sync + 'static>(
        &self,
        name: &str,
        make: impl FnOnce(Vec<u8>) -> T,
    ) -> Result<Arc<T>, FetchError> {
        let name = c_name(name)?;
        let find = || {
            let made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
            let of_file = made.iter().filter(|(known, _)| *known == name);
            of_file.filter_map(|(_, made)| Arc::clone(made).downcast::<T>().ok()).next()
        };
        if let Some(found) = find() {
            return Ok(found);
        }
        let new = Arc::new(make(self.read_named(&name)?));
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.push((name, new.clone()));
        Ok(new)
    }

    /// Writes a line to the log of the game, as about a file that is not as it should be.
    pub fn log(&self, text: &str) {
        self.services.send(send::LOG, text.as_bytes());
    }

    fn read_named(&self, name: &CString) -> Result<Vec<u8>, FetchError> {
        let size = whole(self.services.fetch(name, 0, &mut []))?;
        let mut bytes = vec![0; size];
        if whole(self.services.fetch(name, 0, &mut bytes))? != size {
            return Err(FetchError { status: status::STATE });
        }
        Ok(bytes)
    }
}

fn c_name(name: &str) -> Result<CString, FetchError> {
    CString::new(name).map_err(|_| FetchError { status: status::ARGUMENT })
}

/// The file's size, where the host told one.
fn whole(fetched: i64) -> Result<usize, FetchError> {
    // A negative answer is a status, which fits the smaller integer.
    usize::try_from(fetched)
        .map_err(|_| FetchError { status: i32::try_from(fetched).unwrap_or(status::INTERNAL) })
}

/// A file of the package that could not be read.
///
/// ```
/// use tengen_sdk::{FetchError, abi::status};
/// let error = FetchError { status: status::ARGUMENT };
/// assert!(error.to_string().contains("the package has no such file"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchError {
    /// What the host answered, one of [`tengen_abi::status`].
    pub status: i32,
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.status {
            status::UNSUPPORTED => {
                "the engine has no package: it needs a folder of its own, or files with its name"
            }
            status::ARGUMENT => "the package has no such file",
            status::INTERNAL => "the file is there and cannot be read",
            status::STATE => "the file changed while it was read",
            status::MEMORY => "there is not enough memory for it",
            _ => "the host did not say why",
        };
        write!(f, "the file was not read: {why} (status {})", self.status)
    }
}

impl std::error::Error for FetchError {}
