//! What the engines of a program share. It exists as long as one of them does.

use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A value that ends with the last that holds it, and is made again for the next.
pub(crate) struct SharedInstance<T>(Mutex<Weak<T>>);

impl<T> SharedInstance<T> {
    pub(crate) const fn new() -> SharedInstance<T> {
        SharedInstance(Mutex::new(Weak::new()))
    }

    pub(crate) fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = shared.upgrade() {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        *shared = Arc::downgrade(&value);
        Ok(value)
    }
}
