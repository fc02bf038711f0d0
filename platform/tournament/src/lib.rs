//! Schedules, the table that runs a game, concurrency, the store, resume.
