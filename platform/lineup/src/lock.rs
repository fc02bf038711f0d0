use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, also where a thread that held it has panicked: what it guards is whole after
/// every statement.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
